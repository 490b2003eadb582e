"""Skills in a chat: told in the prompt, used by name or by the assistant, held to (spec 0058 §4).

Every use ends in one `skill_used` event, with the skill's list as it was then; a chat is held to
the lists of all skills in it until the person stops one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from conch.assistant.tools import StepOutput, StepTool
from conch.chats.chats import Chats
from conch.chats.events import Event, SkillStopped, SkillUsed
from conch.guard.permissions import UNDECLARED, Permissions
from conch.home.errors import ConchError
from conch.skills.library import Library, Skill
from conch.skills.usage import SkillUsage

LIST_CHARACTERS = 8_000
_NAMED = re.compile(r"\s*/([^\s/]{1,80})(?=\s|$)")
_LINE = 300

UsedBy = Literal["person", "assistant", "carried"]


class SkillsInChat:
    """What the skills of a home are to its chats."""

    def __init__(self, library: Library, usage: SkillUsage, chats: Chats) -> None:
        self.library = library
        self._usage = usage
        self._chats = chats

    def named_in(self, words: str) -> Skill | None:
        """The skill a message asks for: "/name …". None when it names none.

        Raises ConchError when it is there and off.
        """
        match = _NAMED.match(words)
        if match is None:
            return None
        wanted = match[1].casefold()
        known = [one for one in self.library.skills() if wanted in (one.id.casefold(), one.name)]
        return self.library.usable(known[0].id) if known else None

    def use(self, chat: str, skill: Skill, by: UsedBy) -> str:
        """Put a skill's words into a chat; gives them as the model is told them."""
        # Counted first: a chat that is counted and holds no use is harmless, the other way is not.
        self._usage.used(skill.id, chat)
        self._chats.log(chat).append(
            SkillUsed(
                skill=skill.id,
                name=skill.name,
                title=skill.title,
                by=by,
                permissions=skill.permissions.spelled(),
            )
        )
        may = "; ".join(skill.permissions.in_words())
        return (
            f'<skill name="{skill.name}">\n{skill.instructions.strip()}\n</skill>\n'
            f"This is a skill the person keeps. Follow it for this request. In this chat you may "
            f"do without being asked about only what it lists: {may}."
        )

    def stop(self, chat: str, skill: str) -> bool:
        """The person stops a skill in a chat; False when it wasn't in it."""
        if skill not in {one.skill for one in in_chat(self._chats.log(chat).events())}:
            return False
        self._chats.log(chat).append(SkillStopped(skill=skill))
        return True

    def held_to(self, chat: str) -> Sequence[Permissions]:
        """The lists this chat is held to, as they were when the skills were used."""
        return [
            UNDECLARED if one.permissions is None else Permissions.read(one.permissions or "none")
            for one in in_chat(self._chats.log(chat).events())
        ]

    def told(self) -> str:
        """The list for the system prompt, "" without skills that may be used by themselves."""
        lines: list[str] = []
        length = 0
        for skill in self.library.skills():
            if skill.mode != "auto":
                continue
            line = f"- {skill.id}: {skill.description}"[:_LINE]
            if length + len(line) + 1 > LIST_CHARACTERS:
                break
            lines.append(line)
            length += len(line) + 1
        if not lines:
            return ""
        head = "Skills the person keeps. Where one fits the request, take it up with use_skill:"
        return "\n".join(["<available-skills>", head, *lines, "</available-skills>"])

    def tools(self, chat: str) -> list[StepTool]:
        """`use_skill`, where there is a skill that may be taken up."""
        if not self.told():
            return []

        async def run(given: dict[str, Any]) -> StepOutput:
            wanted = str(given.get("name", ""))
            skill = self.library.find(wanted)
            if skill.mode != "auto":
                raise ConchError(f"“{skill.title}” is used only when the person asks for it.")
            return StepOutput(self.use(chat, skill, "assistant"))

        schema = {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
            "additionalProperties": False,
        }
        return [StepTool("use_skill", "Take up a skill from the list by its name.", schema, run)]


def in_chat(events: Sequence[Event]) -> tuple[SkillUsed, ...]:
    """The skills in a chat that weren't stopped, each as it was last used."""
    found: dict[str, SkillUsed] = {}
    for event in events:
        if isinstance(event, SkillUsed):
            found[event.skill] = event
        elif isinstance(event, SkillStopped):
            found.pop(event.skill, None)
    return tuple(found.values())
