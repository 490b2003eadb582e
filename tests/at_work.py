"""A chat in which one program was missing and another one did its job."""

from __future__ import annotations

from typing import Any

from conch.chats.events import (
    AssistantMessage,
    PersonMessage,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from living import Living

FACT = "On this computer, pip isn't found; python3 -m pip works."
STEPS = ("Run `pip install requests`", "Run `python3 -m pip install requests`")
MISSING = ("pip install requests", 127, "bash: line 1: pip: command not found\n")
WORKED = ("python3 -m pip install requests", 0, "Successfully installed requests\n")


def ran(
    living: Living,
    chat: str,
    *steps: tuple[str, int, str],
    door: str = "terminal",
    **more: Any,
) -> None:
    """A turn of `chat` with these steps: command, exit status, what it printed."""
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text="Install requests.", door=door, **more))
    for command, exit, output in steps:
        call = f"call-{log.last_seq}"
        log.append(ToolStarted(call=call, tool="bash", input={"command": command}))
        log.append(ToolFinished(call=call, ok=exit == 0, output=output, exit=exit))
    log.append(AssistantMessage(text="Done."))
    log.append(TurnCompleted(outcome="success", engine="practice"))


def worked_another_way(living: Living, **started: Any) -> str:
    chat = living.conch.chats.new(**started)
    ran(living, chat, MISSING, WORKED)
    return chat
