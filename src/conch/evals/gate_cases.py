"""A labelled case of the gate as the plain values the gate itself decides on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from conch.chats.events import Origin
from conch.guard.check import CheckContext
from conch.guard.redactor import Redactor
from conch.guard.taints import Taint, TaintKind
from conch.learning.changes import Add, Change, NeverItem, Said, Situation, Supersede, Verdict
from conch.learning.judge import judge
from conch.memory.memory import Memory, MemoryKind, MemorySource
from conch.words.meaning import Meaning
from conch.words.prose import own_prose

DOORS: Mapping[str, Origin] = {
    "chat": "own",
    "chat_app": "channel",
    "openai_api": "client",
    "mcp": "client",
    "imported": "imported",
    "guest": "guest",
    "routine": "routine",
    "task": "task",
    "page": "page",
}
_AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class GateCase:
    """One row of a `gate` file: the change, its situation, and what the memory check is told."""

    change: Change
    situation: Situation
    context: CheckContext


def situation_of_case(row: Mapping[str, Any]) -> GateCase:
    """The plain values of one row of a `gate` file (fields: the cases' README).

    Raises KeyError or ValueError for a row that lacks a field or names an unknown door.
    """
    situation, change = row["situation"], row["change"]
    door = situation.get("door", "chat")
    if door not in DOORS:
        raise ValueError(f"unknown door {door!r}")
    said = tuple(
        Said(seq=seq, at=_AT, text=text, prose=own_prose(text).text)
        for seq, text in enumerate(row["user_words"], start=1)
    )
    outside = situation.get("read_outside")
    sources = outside if isinstance(outside, list) else [outside] if outside else []
    read = tuple(Taint(cast(TaintKind, one["kind"]), one["label"]) for one in sources)
    redactor = Redactor(situation.get("vault") or ())
    given = Situation(
        said=said,
        origin=DOORS[door],
        watched=bool(situation.get("watched", True)) and DOORS[door] == "own",
        read_outside=read,
        applied_this_look=situation.get("applied_this_look", 0),
        applied_today=situation.get("applied_today", 0),
        memories=tuple(map(_memory, situation.get("memories") or ())),
        shown=situation.get("shown"),
        never=tuple(
            NeverItem(f"nv_{place}", item["text"], _AT, item.get("came_from", "undo"))
            for place, item in enumerate(situation.get("never") or ())
        ),
        redact=redactor.redact_known,
    )
    context = CheckContext(via="learning", read=read, said=tuple(one.prose for one in said))
    return GateCase(_change(change), given, context)


def verdict_of_case(row: Mapping[str, Any], meaning: Meaning | None = None) -> Verdict:
    """What gate and memory check together say of one row."""
    case = situation_of_case(row)
    return judge(case.change, case.situation, case.context, meaning).decision.verdict


def _change(raw: Mapping[str, Any]) -> Change:
    kind = cast(MemoryKind, raw.get("memory_kind", "fact"))
    if raw["kind"] == "supersede":
        return Supersede(
            raw["replaces"], raw["text"], raw.get("quote", ""), raw.get("why", ""), kind
        )
    if raw["kind"] == "add":
        return Add(
            raw["text"],
            raw.get("quote", ""),
            kind,
            raw.get("about"),
            bool(raw.get("observed", False)),
        )
    raise ValueError(f"unknown kind of change {raw['kind']!r}")


def _memory(raw: Mapping[str, Any]) -> Memory:
    return Memory(
        id=raw["id"],
        text=raw["text"],
        kind=cast(MemoryKind, raw.get("kind", "fact")),
        source=cast(MemorySource, raw.get("source", "learning")),
        created=_AT,
        updated=_AT,
        waits="It waits for you." if raw.get("waits") else "",
    )
