"""What a person is shown before they allow a step: all that its one line leaves out."""

from __future__ import annotations

from conch.assistant.vault import variable_of
from conch.guard.steps import AskedStep
from conch.guard.tool_inputs import secrets_named

LONGEST_TEXT = 4_000
"""Characters of what would be written that are shown; how many more there are is said."""


def in_full(step: AskedStep, summary: str) -> str:
    """The whole command or address, or the path with what would be written; "" for nothing more.

    A command is never shortened: what is not read must not be allowed. The secrets it would get
    stand below it.
    """
    secrets = [f"${variable_of(name)}: your secret {name}" for name in secrets_named(step.given)]
    return "\n".join(line for line in (_of_the_step(step, summary), *secrets) if line)


def _of_the_step(step: AskedStep, summary: str) -> str:
    given = step.given
    if whole := str(given.get("command") or given.get("url") or "").strip():
        return "" if f"`{whole}`" in summary else whole
    lines = [", ".join(step.reaches)]
    if "old" in given and "new" in given:
        lines += _marked("- ", str(given["old"])) + _marked("+ ", str(given["new"]))
    elif "text" in given:
        lines += _marked("+ ", str(given["text"]))
    return "\n".join(line for line in lines if line)


def _marked(mark: str, text: str) -> list[str]:
    shown = [f"{mark}{line}" for line in text[:LONGEST_TEXT].splitlines()]
    more = len(text) - LONGEST_TEXT
    return [*shown, f"{mark}… {more} more characters"] if more > 0 else shown
