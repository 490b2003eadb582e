"""What becomes of a look's changes, one after the other, over plain values.

Each change meets the gate and the memory check with everything as it stands just then: memories
that earlier changes of the same look would make are among those it is compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from conch.chats.events import Origin
from conch.guard.check import CheckContext, check_memory
from conch.guard.taints import Taint
from conch.learning.already import AlreadyRead
from conch.learning.changes import Add, Change, NeverItem, Said, Situation
from conch.learning.grounding import grounded
from conch.learning.judge import Judged, judge
from conch.learning.said import NO_TIME
from conch.memory.memory import Held, Memory, Provenance
from conch.words.meaning import Meaning


@dataclass(frozen=True)
class World:
    """Everything the changes of one look are decided on, read after the model answered.

    `taints` are pairs of the seq of the event and what was read; `read_text` what the chat's steps
    gave back; `recent` the words saved from this chat in the last hour; `at` the time of the look;
    `already` finds the few memories a change concerns; `said_when` holds when the words of each
    were last said, where that is known.
    """

    chat: str
    at: datetime
    origin: Origin
    watched: bool
    said: tuple[Said, ...]
    taints: tuple[tuple[int, Taint], ...]
    memories: tuple[Memory, ...]
    never: tuple[NeverItem, ...]
    shown: dict[str, str]
    applied_today: int
    redact: Callable[[str], str]
    read_text: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    host: str = ""
    already: AlreadyRead | None = None
    said_when: Mapping[str, datetime] = field(default_factory=dict[str, datetime])


@dataclass(frozen=True)
class DecidedChange:
    """A change with what became of it; `memory` is the memory to write when it is not dropped.

    `said_at` is when its words were said, None where nobody knows.
    """

    change: Change
    judged: Judged
    memory: Memory | None = None
    replaced: Memory | None = None
    context: CheckContext | None = None
    seq: int = 0
    said_at: datetime | None = None

    @property
    def says(self) -> str:
        """The memory that says it from now on, written or there already; "" when it is dropped."""
        if self.memory is not None:
            return self.memory.id
        decision = self.judged.decision
        return decision.match if decision.verdict == "seen_again" else ""


def decide_changes(
    changes: Sequence[Change],
    world: World,
    new_memory_id: Callable[[], str],
    record_id: Callable[[int], str],
    meaning: Meaning | None,
) -> list[DecidedChange]:
    """Decide every change in the order given; nothing is written.

    `record_id` gives the id of the record a change becomes, from its place in the look.
    """
    decided: list[DecidedChange] = []
    memories = world.memories
    applied = 0
    for index, change in enumerate(changes):
        one = _decide(change, index, world, memories, applied, new_memory_id, record_id, meaning)
        decided.append(one)
        if one.says and one.said_at is not None:
            last = max(world.said_when.get(one.says, one.said_at), one.said_at)
            world = replace(world, said_when={**world.said_when, one.says: last})
        if one.memory is None:
            continue
        if one.memory.usable:
            applied += 1
            gone = one.replaced.id if one.replaced else ""
            memories = tuple(memory for memory in memories if memory.id != gone)
        memories = (*memories, one.memory)
    return decided


def _decide(
    change: Change,
    index: int,
    world: World,
    memories: tuple[Memory, ...],
    applied: int,
    new_memory_id: Callable[[], str],
    record_id: Callable[[int], str],
    meaning: Meaning | None,
) -> DecidedChange:
    seq, said_at = _rests_on(change, world)
    observed = isinstance(change, Add) and change.observed
    if observed:
        # What is so on another computer is neither known of this one nor contradicts it.
        memories = tuple(one for one in memories if one.about_computer(world.host))
    read = tuple(taint for at, taint in world.taints if at < seq)
    situation = Situation(
        said=world.said,
        origin=world.origin,
        watched=world.watched,
        read_outside=read,
        applied_this_look=applied,
        applied_today=world.applied_today + applied,
        memories=memories,
        shown=world.shown,
        said_when=world.said_when,
        never=world.never,
        redact=world.redact,
        already=world.already,
    )
    context = CheckContext(
        via="learning",
        read=read,
        said=tuple(message.prose for message in world.said),
        read_text=world.read_text,
        recent=world.recent,
        observed=observed,
    )
    judged = judge(change, situation, context, meaning)
    verdict = judged.decision.verdict
    if verdict not in ("applied", "waits"):
        return DecidedChange(change, judged, context=context, seq=seq, said_at=said_at)
    imported = world.origin == "imported"
    replaces = judged.decision.replaces
    replaced = next((memory for memory in memories if memory.id == replaces), None)
    waits = verdict == "waits"
    memory_kind = change.memory_kind or (replaced.kind if replaced else "fact")
    about = change.about if isinstance(change, Add) else None
    host = world.host if observed else ""
    if replaced is not None and about is None and memory_kind == replaced.kind:
        about, host = replaced.about, replaced.provenance.host
    memory = Memory(
        id=new_memory_id(),
        text=" ".join(change.text.split()),
        kind=memory_kind,
        source="import" if imported else "learning",
        created=world.at,
        updated=world.at,
        about=about,
        chat=world.chat,
        learned=record_id(index),
        waits=" ".join(judged.decision.reasons) if waits else "",
        held=_held(judged),
        provenance=Provenance(
            read=tuple(f"{taint.kind}:{taint.label}" for taint in read),
            yours=judged.check.yours,
            host=host,
        ),
        replaces=replaced.id if waits and replaced else "",
        replaces_hash=replaced.words_hash if waits and replaced else "",
    )
    if replaced is not None:
        replaced = replace(replaced, invalid_at=said_at or world.at)
    return DecidedChange(change, judged, memory, replaced, context, seq, said_at)


def said_themself(one: DecidedChange, world: World) -> Memory | None:
    """The memory from outside that a change only repeats, once the person said it themself.

    Known from a page or an import, it is said here where the person watches, before anything was
    read: the memory's own words must be theirs and pass the check, or it stays marked.
    """
    change, context = one.change, one.context
    if one.judged.decision.verdict != "seen_again" or context is None:
        return None
    if not world.watched or context.read or (isinstance(change, Add) and change.observed):
        return None
    match = one.judged.decision.match
    known = next((memory for memory in world.memories if memory.id == match), None)
    if known is None or known.held is not None or not known.from_outside:
        return None
    check = check_memory(known.text, context)
    return known if check.verdict == "pass" and check.yours else None


def _held(judged: Judged) -> Held | None:
    if judged.check.verdict == "pass":
        return None
    reasons = tuple(reason.sentence for reason in judged.check.reasons)
    return Held(judged.check.verdict, reasons)


def _rests_on(change: Change, world: World) -> tuple[int, datetime | None]:
    """The seq and time of the message a change rests on; what reads nothing rests on the last.

    A change resting on no message (it will be dropped, or code observed it) counts as resting on
    the end of the stretch, after everything the chat read. The time is None where nobody knows.
    """
    observed = isinstance(change, Add) and change.observed
    if not observed:
        found = grounded(change.quote, change.text, world.said)
        for message in world.said:
            if found.ok and message.seq == found.seq:
                return message.seq, message.at if message.at > NO_TIME else None
    last = max((at for at, _ in world.taints), default=0)
    return last + 1, change.at if isinstance(change, Add) and observed else None
