"""Work that went well: which turns of a chat were it, and what said so (spec 0058 §1).

A chat's log is read as turns: what the person asked, each step, how the turn ended, and what was
said last. Everything here is a function of plain values; whether an offer may be made now is
`conch.skills.standing`'s to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from conch.chats.events import ChatStarted, Event, Origin, PersonMessage, SkillUsed, TurnCompleted
from conch.chats.left_out import without_edited
from conch.chats.taints import taints_in
from conch.chats.turns import Step, Turn, turns
from conch.guard.phrasebook import phrases_in, read_words
from conch.guard.taints import Taint
from conch.learning.exchange import exchange_of
from conch.learning.signals import signals_of
from conch.skills.bookkeeping import is_bookkeeping
from conch.skills.outcome import says_it_did_not_manage
from conch.skills.span import belongs_to
from conch.words.meaning import Meaning
from conch.words.prose import own_prose
from conch.words.thanks import thanks

WorkSignal = Literal["verified", "routine", "thanks", "long"]

LEAST_STEPS: dict[WorkSignal, int] = {"verified": 3, "routine": 4, "thanks": 5, "long": 10}
"""A weaker signal needs more steps; the strongest comes first (spec 0058 §1)."""

WhyNot = Literal[
    "nothing",
    "not yours",
    "running",
    "not over yet",
    "failed",
    "stopped",
    "too few steps",
    "not a thank-you",
    "quoted",
    "mostly failed",
    "gave up",
    "skill shaped it",
    "someone else's words",
    "like a skill",
    "turned down",
    "offered before",
    "five wait",
]

_NOT_YOURS: frozenset[Origin] = frozenset({"guest", "page", "client", "imported"})


@dataclass(frozen=True)
class TaskEnd:
    """How a background task stands: its status, and what its proof came to (None: not yet)."""

    status: Literal["running", "done", "failed", "stopped"]
    verification: Literal["verified", "unverified", "failed"] | None = None


@dataclass(frozen=True)
class Ending:
    """What is known of a chat's end besides its log.

    `task`: of a background task's chat. `routine_succeeded`: of a routine's run; None while it is
    not known.
    """

    task: TaskEnd | None = None
    routine_succeeded: bool | None = None


@dataclass(frozen=True)
class WorkTurn:
    """One turn of the work: the person's words, its steps without the bookkeeping, the reply."""

    asked: str
    steps: tuple[Step, ...]
    reply: str


@dataclass(frozen=True)
class Work:
    """Work that went well.

    `turns` in order, false starts included; `said` are all the person's messages of the chat.
    `ended_seq` is the end of the turn that ended it, `earned_seq` the event the signal came with.
    `engine` is who answered last ("" when nobody is named). `taints` is all the chat took in.
    """

    signal: WorkSignal
    turns: tuple[WorkTurn, ...]
    said: tuple[str, ...]
    taints: tuple[Taint, ...]
    folder: str
    engine: str
    ended_seq: int
    earned_seq: int
    message_seqs: tuple[int, ...] = ()
    """The person's messages the turns began with, by their seq."""

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for turn in self.turns for step in turn.steps)

    @property
    def asked(self) -> tuple[str, ...]:
        """What the person asked for, turn by turn."""
        return tuple(turn.asked for turn in self.turns)

    @property
    def result(self) -> str:
        """What was said at its end."""
        return self.turns[-1].reply


@dataclass(frozen=True)
class NotKept:
    """Nothing to keep, and the row of the spec that says so."""

    reason: WhyNot


def assess(
    events: Sequence[Event], ending: Ending = Ending(), meaning: Meaning | None = None
) -> Work | NotKept:
    """The work that went well at the end of a chat's log, or why there is none to keep.

    The log is Conch's own, so every engine's chats are read the same way. Linear in the log.
    """
    taints = tuple(dict.fromkeys(taint for _, taint in taints_in(events)))
    first = next((event for event in events if isinstance(event, ChatStarted)), None)
    if first is None or first.origin in _NOT_YOURS:
        return NotKept("not yours" if events else "nothing")
    if any(taint.kind == "person" for taint in taints):
        return NotKept("someone else's words")
    events = without_edited(events)
    done = turns(events)
    if not done:
        return NotKept("nothing")
    if done[-1].outcome is None:
        return NotKept("running")
    tries = _signals(done, first.origin, ending, meaning)
    if isinstance(tries, NotKept):
        return tries
    log = _Log(first, events, done, taints, meaning)
    why: NotKept | None = None
    for signal, place in tries:
        found = log.work(signal, place)
        if isinstance(found, Work):
            return found
        why = why or found
    return why or NotKept("nothing")


def _signals(
    done: Sequence[Turn], origin: Origin, ending: Ending, meaning: Meaning | None
) -> list[tuple[WorkSignal, int]] | NotKept:
    """What says that work went well, strongest first, with the turn that ended it."""
    last = len(done) - 1
    if origin == "task":
        return _of_a_task(ending.task, last)
    if origin == "routine":
        if ending.routine_succeeded is None:
            return NotKept("not over yet")
        return [("routine", last)] if ending.routine_succeeded else NotKept("failed")
    found: list[tuple[WorkSignal, int]] = []
    if last and _thanked(done[last - 1], done[last], meaning):
        found.append(("thanks", last - 1))
    if _work_steps(done[last]):
        found.append(("long", last))
    if not found:
        return NotKept(_why_no_signal(done))
    return found


def _of_a_task(task: TaskEnd | None, last: int) -> list[tuple[WorkSignal, int]] | NotKept:
    if task is None or task.status == "running":
        return NotKept("not over yet")
    if task.status == "stopped":
        return NotKept("stopped")
    if task.status == "failed" or task.verification == "failed":
        return NotKept("failed")
    if task.verification is None:
        return NotKept("not over yet")
    return [("verified" if task.verification == "verified" else "long", last)]


def _thanked(work: Turn, after: Turn, meaning: Meaning | None) -> bool:
    """Whether the message right after a turn says that it worked: one reading with `signals`.

    What asks to have it undone, or says "not" of its own praise, takes it back.
    """
    prose = own_prose(after.person.text).text
    if phrases_in("skills.taken_back", read_words(prose)):
        return False
    exchange = exchange_of(
        [
            ("user", work.person.text),
            ("assistant", work.reply or "(steps)"),
            ("user", after.person.text),
        ]
    )
    return exchange is not None and "thanks" in signals_of(exchange, meaning)


def _why_no_signal(done: Sequence[Turn]) -> WhyNot:
    if len(done) < 2 or not _work_steps(done[-2]):
        return "too few steps" if done[-1].outcome == "success" else _ended(done[-1])
    if done[-2].outcome != "success":
        return _ended(done[-2])
    if len(_work_steps(done[-2])) < LEAST_STEPS["thanks"]:
        return "too few steps"
    return "quoted" if thanks(done[-1].person.text) else "not a thank-you"


def _ended(turn: Turn) -> WhyNot:
    return "stopped" if turn.outcome == "stopped" else "failed"


def _work_steps(turn: Turn) -> tuple[Step, ...]:
    """The steps that ended and are not Conch's own bookkeeping."""
    return tuple(
        step for step in turn.steps if step.ok is not None and not is_bookkeeping(step.tool)
    )


class _Log:
    """A whole chat, as far as judging one piece of work in it needs it."""

    def __init__(
        self,
        first: ChatStarted,
        events: Sequence[Event],
        done: Sequence[Turn],
        taints: tuple[Taint, ...],
        meaning: Meaning | None,
    ) -> None:
        self.first, self.done, self.taints, self.meaning = first, done, taints, meaning
        self.used = [event.seq for event in events if isinstance(event, SkillUsed)]
        self.ends = [event.seq for event in events if isinstance(event, TurnCompleted)]
        self.said = tuple(
            event.text for event in events if isinstance(event, PersonMessage) and not event.who
        )

    def work(self, signal: WorkSignal, place: int) -> Work | NotKept:
        """The work the turn at `place` ended, or the row that keeps it from being offered."""
        ended = self.done[place]
        if ended.outcome != "success":
            return NotKept(_ended(ended))
        start = self._start(place)
        span = self.done[start : place + 1]
        steps = [step for turn in span for step in _work_steps(turn)]
        if len(steps) < LEAST_STEPS[signal]:
            return NotKept("too few steps")
        if any(self._begins(start) < seq <= ended.last_seq for seq in self.used):
            return NotKept("skill shaped it")
        if sum(step.ok is False for step in steps) * 2 > len(steps):
            return NotKept("mostly failed")
        if says_it_did_not_manage(ended.reply):
            return NotKept("gave up")
        named = [turn.completed.engine for turn in self.done if turn.completed]
        completed = ended.completed
        return Work(
            signal=signal,
            turns=tuple(WorkTurn(one.person.text, _work_steps(one), one.reply) for one in span),
            said=self.said,
            taints=self.taints,
            folder=self.first.folder,
            engine=next((engine for engine in reversed(named) if engine), ""),
            ended_seq=completed.seq if completed else ended.last_seq,
            earned_seq=self.done[-1].last_seq,
            message_seqs=tuple(one.first_seq for one in span),
        )

    def _start(self, place: int) -> int:
        """Where the work begins: the turns with steps just before, as far as they belong to it."""
        while place:
            before = self.done[place - 1]
            if not _work_steps(before) or before.outcome is None:
                break
            if not belongs_to(before, self.done[place].person.text, self.meaning):
                break
            place -= 1
        return place

    def _begins(self, place: int) -> int:
        """The end of the turn before: a skill used between it and the message is of the message."""
        first = self.done[place].first_seq
        return max((seq for seq in self.ends if seq < first), default=0)
