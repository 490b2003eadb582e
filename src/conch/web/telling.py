"""What was learned, as the web app shows it: records and quiet lines as they stand now."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta

from conch.app import Conch
from conch.chats.events import LearningNoted, PersonMessage
from conch.engines.usage import month_of
from conch.home.errors import ConchError
from conch.learning.outcomes import IN_PLAIN_WORDS
from conch.learning.record import STANDING, Record
from conch.learning.resting import rests
from conch.learning.whereabouts import where_memories_are
from conch.memory.memory import Memory
from conch.memory.shown import shown
from conch.web.chat_shapes import LearnedLine, LearnedThing, Otherwise
from conch.web.learning_shapes import (
    Counts,
    DroppedCount,
    Filter,
    FoundIn,
    Learned,
    NeverItem,
    Paused,
    SeenStep,
    Week,
    Why,
)
from conch.web.memory_shapes import MemoryItem
from conch.web.problems import Standing, not_there

_STATES: dict[Filter, tuple[str, ...]] = {
    "all": ("applied", "waiting", "kept", "undone", "forgotten"),
    "applied": ("applied", "kept"),
    "waits": ("waiting",),
    "undone": ("undone", "forgotten"),
}
_A_WEEK = timedelta(days=7)


def quiet_line(conch: Conch, event: LearningNoted) -> LearnedLine:
    """The line a look left, each thing as it stands now."""
    live = {memory.id: memory for memory in conch.memories.all()}
    known = [one for item in event.items if (one := conch.learning.record(item.record))]
    elsewhere = _elsewhere(conch, known, live)
    things = []
    for item in event.items:
        record = conch.learning.record(item.record)
        if record is None:
            state = "waiting" if item.state == "waits" else "applied"
            waits = [item.waits] if item.waits else []
            things.append(
                LearnedThing(record=item.record, text=item.text, state=state, waits=waits)
            )
            continue
        things.append(
            LearnedThing(
                record=record.id,
                text=record.text,
                state=record.state,
                was=_before(record, live),
                waits=list(record.waits) if record.state == "waiting" else [],
                words_hash=shown(live[record.memory]).words_hash if record.memory in live else "",
                otherwise=elsewhere.get(record.id, ""),
            )
        )
    return LearnedLine(seq=event.seq, at=event.at, things=things)


def learned_all(conch: Conch, records: Sequence[Record]) -> list[Learned]:
    """Records as they stand now; the memories are read once."""
    live = {memory.id: memory for memory in conch.memories.all()}
    elsewhere = _elsewhere(conch, records, live)
    return [_learned(conch, record, live, elsewhere.get(record.id, "")) for record in records]


def learned(conch: Conch, record: Record) -> Learned:
    """One record as it stands now."""
    return learned_all(conch, [record])[0]


def _elsewhere(
    conch: Conch, records: Sequence[Record], live: Mapping[str, Memory]
) -> dict[str, Otherwise]:
    """What became of the memories that stand by their records and are not live, by record."""
    missing = [one for one in records if one.state in STANDING and one.memory not in live]
    if not missing:
        return {}
    where = where_memories_are(conch.parts)
    found: dict[str, Otherwise] = {}
    for record in missing:
        match where.get(record.memory):
            case "live":
                continue
            case None:
                found[record.id] = "gone"
            case known:
                found[record.id] = known
    return found


def _learned(
    conch: Conch, record: Record, live: Mapping[str, Memory], otherwise: Otherwise
) -> Learned:
    memory = live.get(record.memory)
    return Learned(
        record=record.id,
        at=record.at,
        chat=record.chat,
        chat_title=record.chat_title,
        chat_there=bool(record.chat) and conch.chats.find(record.chat) is not None,
        trigger=record.trigger,
        memory=record.memory,
        kind=record.kind,
        about=record.about,
        text=record.text,
        change=record.change,
        before_text=_before(record, live),
        state=record.state,
        waits=list(record.waits) if record.state == "waiting" else [],
        words_now=shown(memory).text if memory else "",
        words_hash=shown(memory).words_hash if memory else "",
        otherwise=otherwise,
    )


def _before(record: Record, live: Mapping[str, Memory]) -> str:
    """The words it replaced, or would replace once kept."""
    if record.before_text or record.state != "waiting":
        return record.before_text
    memory = live.get(record.memory)
    old = live.get(memory.replaces) if memory and memory.replaces else None
    return shown(old).text if old else ""


def standing(conch: Conch, record: Record) -> Standing:
    """How a record stands now, for a card that shows something else."""
    memory = conch.memories.get(record.memory)
    return Standing(
        state=record.state,
        text=shown(memory).text if memory else record.text,
        words_hash=shown(memory).words_hash if memory else "",
    )


def the_record(conch: Conch, record_id: str) -> Record:
    """The record with this id (or of this memory). Raises Refused (404)."""
    record = conch.learning.record(record_id)
    if record is None:
        raise not_there("entry in what was learned")
    return record


def filtered(conch: Conch, show: Filter) -> list[Record]:
    """Records of a kind, newest first."""
    return [record for record in conch.learning.records() if record.state in _STATES[show]]


def counts(conch: Conch) -> Counts:
    states = [record.state for record in conch.learning.records()]

    def of(show: Filter) -> int:
        return sum(1 for state in states if state in _STATES[show])

    return Counts(applied=of("applied"), waits=of("waits"), undone=of("undone"))


def dropped(conch: Conch) -> list[DroppedCount]:
    """How many changes each row of the gate dropped, the most frequent first."""
    found: dict[str, int] = {}
    for looks in conch.parts.record.state.looks.values():
        for decided in looks:
            for one in decided.dropped:
                found[one.row] = found.get(one.row, 0) + 1
    rows = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [DroppedCount(reason=row, count=count) for row, count in rows]


def week(conch: Conch) -> Week:
    """What the last seven days came to."""
    now = conch.home.clock.now()
    records = [one for one in conch.learning.records() if now - one.at <= _A_WEEK]
    looks = [
        decided
        for decideds in conch.parts.record.state.looks.values()
        for decided in decideds
        if (at := conch.parts.record.state.looked_at.get(decided.look)) and now - at <= _A_WEEK
    ]
    return Week(
        learned=sum(1 for one in records if one.state in _STATES["applied"]),
        waiting=sum(1 for one in records if one.state in _STATES["waits"]),
        undone=sum(1 for one in records if one.state in _STATES["undone"]),
        dropped=sum(len(decided.dropped) for decided in looks),
        seen_again=sum(len(decided.seen_again) for decided in looks),
    )


def never_items(conch: Conch) -> list[NeverItem]:
    return [
        NeverItem(id=item.id, text=item.text, at=item.at, came_from=item.came_from)
        for item in reversed(conch.parts.never.items())
    ]


def paused(conch: Conch) -> Paused | None:
    """Why learning rests now with the engine that answers, None when it does not."""
    why = rests(conch.parts, conch.assistant.engine()[0])
    return None if why is None else Paused(reason=why, in_plain_words=IN_PLAIN_WORDS[why])


def why(conch: Conch, record: Record) -> Why:
    """Everything Why? shows about one thing."""
    found_in = _found_in(conch, record)
    return Why(
        learned=learned(conch, record),
        because=record.why,
        quotes=list(record.quotes),
        steps=[SeenStep(summary=one.summary, ok=one.ok) for one in record.steps],
        said_at=record.said_at or next((one.at for one in found_in), None),
        signals=list(record.signals),
        found_in=found_in,
        engine=record.engine,
        model=record.model or None,
        by_assistant=record.trigger == "tool",
        waits=list(record.waits),
        seen=record.seen,
    )


def _found_in(conch: Conch, record: Record) -> list[FoundIn]:
    """For each quote the last message before it was learned that holds it."""
    if not record.chat or conch.chats.find(record.chat) is None:
        return []
    try:
        events = conch.chats.log(record.chat).events()
    except ConchError:
        return []
    messages = [event for event in events if isinstance(event, PersonMessage) and not event.who]
    found = []
    for quote in record.quotes:
        for message in reversed(messages):
            span = span_of(quote, message.text)
            if span and (message.at is None or message.at <= record.at):
                found.append(
                    FoundIn(
                        chat=record.chat,
                        seq=message.seq,
                        at=message.at,
                        text=message.text,
                        start=span[0],
                        end=span[1],
                    )
                )
                break
    return found


def span_of(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, whatever its blanks, case and curly marks; None for nowhere.

    >>> span_of("no, i meant", "Hm. No,  I meant TypeScript")
    (4, 16)
    """
    words = quote.split()
    if not words:
        return None
    pattern = r"\s+".join(re.sub(r"['’‘`]", "['’‘`]", re.escape(word)) for word in words)
    match = re.search(pattern, text, re.IGNORECASE)
    return match.span() if match else None


def memory_item(conch: Conch, memory: Memory, score: float | None = None) -> MemoryItem:
    """A memory as the Memory page shows it."""
    record = conch.learning.record(memory.learned) if memory.learned else None
    old = conch.memories.get(memory.replaces) if memory.replaces else None
    words = shown(memory)
    return MemoryItem(
        id=memory.id,
        text=words.text,
        kind=memory.kind,
        about=memory.about,
        source=memory.source,
        created=memory.created,
        updated=memory.updated,
        usable=memory.usable,
        waits=memory.waits,
        held=[one for one in memory.held.reasons if one != memory.waits] if memory.held else [],
        refused=memory.held is not None and memory.held.verdict == "refuse",
        read=list(memory.provenance.read),
        chat=memory.chat,
        record=record.id if record else "",
        replaces_text=shown(old).text if old else "",
        invalid_at=memory.invalid_at,
        superseded_by=memory.superseded_by,
        same_as=memory.same_as,
        words_hash=words.words_hash,
        score=None if score is None else round(score, 3),
    )


def month_after(conch: Conch) -> str:
    """The 1st of the next month, as a date."""
    year, month = (int(part) for part in month_of(conch.home.clock.now()).split("-"))
    year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return f"{year:04d}-{month:02d}-01"
