"""What the model that writes a draft is asked (spec 0058 §2).

The work is framed as data: the person's words, each step in the one line code made of it, the end
of the reply. What a tool gave back is never in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from pydantic import BaseModel, Field

from conch.chats.turns import Step
from conch.skills.work import Work

TIMEOUT_SECONDS = 60.0
ANSWER_TOKENS = 3_000
_ASKED = 800
_STEP = 240
_RESULT = 1_500
_STEPS_SHOWN = 40
_TURNS_SHOWN = 20


class DraftAnswer(BaseModel):
    """The shape a model is asked for; what it says is `check_draft`'s to read."""

    worth: bool = True
    title: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=600)
    instructions: str = Field(default="", max_length=12_000)


def draft_prompt(work: Work, language_name: str = "") -> tuple[str, str]:
    """The instructions and the framed work. `language_name` is the person's ("Portuguese")."""
    system = files("conch.skills").joinpath("prompts/draft.txt").read_text(encoding="utf-8")
    system = system.replace("{language}", language_name or "the one they wrote in")
    lines = ["<work>"]
    shown = _first_and_last([step for turn in work.turns for step in turn.steps])
    for turn in work.turns[-_TURNS_SHOWN:]:
        lines.append(f"<asked>{_defused(turn.asked)[:_ASKED]}</asked>")
        of_turn = [step for step in turn.steps if any(step is one for one in shown)]
        if of_turn:
            lines += ["<steps>", *(_step_line(step) for step in of_turn), "</steps>"]
    lines += [f"<result>{_defused(work.result)[-_RESULT:]}</result>", "</work>"]
    return system, "\n".join(lines)


def habit_prompt(asked: Sequence[str], language_name: str = "") -> tuple[str, str]:
    """The instructions and the framed requests of a habit, the newest first."""
    system = files("conch.skills").joinpath("prompts/habit.txt").read_text(encoding="utf-8")
    system = system.replace("{language}", language_name or "the one they wrote in")
    lines = [f"<asked>{_defused(text)[:_ASKED]}</asked>" for text in asked[:_TURNS_SHOWN]]
    return system, "\n".join(["<habit>", *lines, "</habit>"])


def _step_line(step: Step) -> str:
    said = _defused(step.summary or step.tool)[:_STEP]
    return f"- {said} ({'failed' if step.ok is False else 'done'})"


def _first_and_last(steps: Sequence[Step]) -> Sequence[Step]:
    half = _STEPS_SHOWN // 2
    return steps if len(steps) <= _STEPS_SHOWN else [*steps[:half], *steps[-half:]]


def _defused(text: str) -> str:
    """Angle brackets become lookalikes and whitespace is folded, so nothing can close a tag."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())
