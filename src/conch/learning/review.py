"""The review: a cheap model reads what was said and answers a few changes (spec 0088 §3).

Data goes in, framed as data; changes come out, each checked for shape alone. What they are worth
is the gate's to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, Field

from conch.chats.turns import Step
from conch.home.json_values import read_json
from conch.learning.changes import Add, Change, NeverItem, Said, Supersede
from conch.memory.memory import Memory

CHANGES_AT_MOST = 5
MEMORIES_SHOWN = 15
NOT_AGAIN_SHOWN = 10
STEPS_SHOWN = 40
TIMEOUT_SECONDS = 60.0
ANSWER_TOKENS = 1_500
_TEXT_AT_MOST = 300
_STEP_AT_MOST = 200


class ProposedChange(BaseModel):
    """One change in the shape a model is asked for; every field may be missing or wrong."""

    op: Literal["add", "supersede"]
    kind: Literal["fact", "preference", "project", "person"] = "fact"
    text: str = Field(max_length=_TEXT_AT_MOST)
    quote: str = Field(max_length=600)
    id: str = Field(default="", max_length=64)
    why: str = Field(default="", max_length=_TEXT_AT_MOST)
    about: Literal["", "pitfall"] = ""


class ReviewAnswer(BaseModel):
    """What the model is asked to answer: at most five changes, usually none."""

    changes: list[ProposedChange] = Field(max_length=CHANGES_AT_MOST)


class UnreadableAnswer(ValueError):
    """The model answered something that is not the JSON that was asked for."""


@dataclass(frozen=True)
class ParsedReview:
    """The changes that have the right shape, and how many items were left out for theirs."""

    changes: tuple[Change, ...]
    left_out: int = 0


def system_text(language_name: str) -> str:
    """The review's instructions; `language_name` is the person's language ("Portuguese")."""
    text = files("conch.learning").joinpath("prompts/review.txt").read_text(encoding="utf-8")
    return text.replace("{language}", language_name or "the one they wrote in")


def frame(
    said: Sequence[Said],
    steps: Sequence[tuple[int, Step]],
    memories: Sequence[Memory],
    not_again: Sequence[NeverItem],
    today: date,
    language: str,
    local: Callable[[datetime], datetime] = lambda when: when,
) -> str:
    """What the model reads, framed as data.

    `steps` are pairs of the seq of the message they came after and the step; only the one-line
    summary code makes of a step goes in, never its output (design.md, promise 6). `today` and, by
    `local`, every message's date are the person's own.
    """
    turn_of = {message.seq: number for number, message in enumerate(said, start=1)}
    lines = [f'<chat date="{today.isoformat()}" language="{language or "unknown"}">']
    steps = _first_and_last(steps)
    for message in said:
        turn = turn_of[message.seq]
        signal = f' signal="{", ".join(message.signals)}"' if message.signals else ""
        words = _defused(message.prose)
        day = local(message.at).date().isoformat()
        lines.append(f'<said turn="{turn}" date="{day}"{signal}>{words}</said>')
        of_turn = [step for seq, step in steps if seq == message.seq]
        if of_turn:
            lines.append(f'<steps turn="{turn}">')
            lines += [f"- {_step_line(step)}" for step in of_turn]
            lines.append("</steps>")
    lines += ["</chat>", "<memories>"]
    lines += [f"[{one.id}] ({one.kind}) {_defused(one.text)[:400]}" for one in memories] or ["none"]
    lines += ["</memories>", "<not-again>"]
    lines += [f"- {_defused(item.text)[:300]}" for item in not_again] or ["none"]
    lines.append("</not-again>")
    return "\n".join(lines)


def _step_line(step: Step) -> str:
    summary = _defused(step.summary or step.tool)[:_STEP_AT_MOST]
    return summary if step.ok is not False else f"{summary} (failed)"


def _first_and_last(steps: Sequence[tuple[int, Step]]) -> Sequence[tuple[int, Step]]:
    half = STEPS_SHOWN // 2
    return steps if len(steps) <= STEPS_SHOWN else [*steps[:half], *steps[-half:]]


def _defused(text: str) -> str:
    """Angle brackets become lookalikes and whitespace is folded, so nothing can close a tag."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


def parse_review(text: str) -> ParsedReview:
    """Read a model's answer: JSON, with or without a fence or prose around it.

    One change of the wrong shape is left out, not the answer. At most five are kept.
    Raises UnreadableAnswer when there is no JSON object with a list `changes`.
    """
    raw = _json_in(text)
    items = raw.get("changes") if isinstance(raw, dict) else raw
    if not isinstance(items, list):
        raise UnreadableAnswer("no list of changes in the answer")
    changes: list[Change] = []
    left_out = 0
    for item in items[:50]:
        change = _change(item)
        if change is None or len(changes) == CHANGES_AT_MOST:
            left_out += 1
            continue
        changes.append(change)
    return ParsedReview(tuple(changes), left_out)


def _json_in(text: str) -> Any:
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    if not starts:
        raise UnreadableAnswer("no JSON in the answer")
    for start in sorted(starts):
        closing = "}" if text[start] == "{" else "]"
        end = text.rfind(closing)
        if end <= start:
            continue
        try:
            return read_json(text[start : end + 1])
        except ValueError:
            continue
    raise UnreadableAnswer("the JSON in the answer is not whole")


def _change(item: Any) -> Change | None:
    if not isinstance(item, dict):
        return None
    known: dict[str, Any] = {
        key: value for key, value in item.items() if key in ProposedChange.model_fields
    }
    if known.get("kind") not in ("fact", "preference", "project", "person"):
        known.pop("kind", None)
    if known.get("about") != "pitfall":
        known.pop("about", None)
    try:
        proposed = ProposedChange.model_validate(known)
    except ValueError:
        return None
    text = " ".join(proposed.text.split())
    if len(text) < 3:
        return None
    if proposed.op == "supersede":
        kind = proposed.kind if "kind" in known else None
        return Supersede(proposed.id, text, proposed.quote, proposed.why, kind)
    if proposed.about:
        # A lesson is an ordinary fact (spec 0088 §5).
        return Add(text, proposed.quote, "fact", "pitfall")
    return Add(text, proposed.quote, proposed.kind)
