"""A skill beside the chat that used it last: what of its steps was done, what was done besides.

Pure, and by code alone: no model reads the chat, and nothing is changed. Whether the skill is to
say something else is for the person to read from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from conch.chats.turns import Step, Turn
from conch.guard.needs import needs
from conch.guard.permissions import Permissions
from conch.guard.shell import read_command
from conch.skills.bookkeeping import is_bookkeeping
from conch.words.stems import stem
from conch.words.tokens import content_tokens

_LINE = re.compile(r"^\s*(?:\d+[.)]|[-*+])\s+(.+)$", re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`")
_SHARED = 0.5
_MOST = 60


@dataclass(frozen=True)
class LineDone:
    """A step the skill says, and whether one of the chat's steps did it."""

    text: str
    done: bool


@dataclass(frozen=True)
class StepTaken:
    """A step of the chat, by its one line. `in_skill`: the skill says it. `in_list`: its list
    allows it, so that it wasn't asked for on the skill's account."""

    summary: str
    ok: bool
    in_skill: bool
    in_list: bool


@dataclass(frozen=True)
class Comparison:
    """The difference; `same` when there is none."""

    lines: tuple[LineDone, ...]
    steps: tuple[StepTaken, ...]

    @property
    def same(self) -> bool:
        return all(one.done for one in self.lines) and all(
            one.ok and one.in_skill and one.in_list for one in self.steps
        )


def compare(
    instructions: str, permissions: Permissions, turns: Sequence[Turn], folder: str
) -> Comparison:
    """`turns` are those from the skill's use to the end of its work; `folder` is the chat's."""
    lines = [_plain(found) for found in _LINE.findall(instructions)]
    taken = [step for turn in turns for step in turn.steps if not is_bookkeeping(step.tool)]
    matched = [[_does(step, line) for line in lines] for step in taken[:_MOST]]
    done = tuple(
        LineDone(line, any(row[place] for row in matched)) for place, line in enumerate(lines)
    )
    steps: dict[str, StepTaken] = {}
    for step, row in zip(taken, matched, strict=False):
        wanted = needs(step.tool, step.input, folder)
        steps[step.summary] = StepTaken(
            step.summary, bool(step.ok), any(row), all(map(permissions.allows, wanted))
        )
    return Comparison(done, tuple(steps.values()))


def _plain(line: str) -> str:
    return " ".join(line.split())


def _does(step: Step, line: str) -> bool:
    """Whether a step is what a line says: a program it names in code, else words they share."""
    named = {word for code in _CODE.findall(line) for word in code.split()[:1]}
    if named:
        return bool(named & _programs(step))
    said, did = _stems(line), _stems(step.summary)
    return bool(said and did) and len(said & did) / min(len(said), len(did)) >= _SHARED


def _programs(step: Step) -> set[str]:
    command = step.input.get("command", step.input.get("cmd", ""))
    read = read_command(command if isinstance(command, str) else "")
    programs = {words[0].rsplit("/", 1)[-1] for words in read.programs if words}
    return programs | {step.tool}


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_tokens(_CODE.sub(" ", text) or text)}
