"""One look: a chat's stretch is read once, a model is asked at most once, code decides and applies.

The road is a straight line (design.md, "One road for a look"); everything the decision rests on is
read again after the model has answered (promise 5).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, cast

from conch.chats.events import Event, Origin, PersonMessage
from conch.chats.heads import NEVER_LOOKED_AT, ChatHead
from conch.chats.hosts import folder_is_here
from conch.chats.stretch import Stretch, read_stretch
from conch.chats.taints import taints_in
from conch.chats.turns import turns
from conch.engines.engine import Engine
from conch.home.ids import new_id
from conch.learning.apply import apply_look, say_what_was_learned
from conch.learning.asking import Asked, LookPaused, ask_for_changes
from conch.learning.changes import Add, Change, Said, SeenStep
from conch.learning.deciding import World, decide_changes, said_themself
from conch.learning.outcomes import (
    LookOutcome,
    LookResult,
    PauseReason,
    applied_on,
    dropped_of,
    record_of,
)
from conch.learning.parts import LearningParts
from conch.learning.reading import Reading, first_readable, part_of, run_of, what_to_read
from conch.learning.record import Decided, Moved, Part, Pointer, Record, Tried, Trigger
from conch.learning.reviewer import who_reads
from conch.learning.said import said_of
from conch.learning.understanding import Understood, steps_by_message, understand
from conch.learning.when_said import when_said
from conch.learning.worked import computer_facts

WATCHED: tuple[Origin, ...] = ("own",)
_READ_TEXT_AT_MOST = 200_000
_TRIED_AGAIN_AFTER = timedelta(hours=1)
_UNASKED: tuple[Trigger, ...] = ("archived", "summarised")


class Look:
    """Looks at chats, one at a time."""

    def __init__(self, parts: LearningParts) -> None:
        self._parts = parts
        self._one_at_a_time = asyncio.Lock()
        self._ending = False

    @property
    def going_on(self) -> bool:
        return self._one_at_a_time.locked()

    async def end(self, patience: float) -> bool:
        """Begin no look any more; gives whether the one that runs ended within `patience`
        seconds."""
        self._ending = True
        try:
            async with asyncio.timeout(patience), self._one_at_a_time:
                return True
        except TimeoutError:
            return False

    async def look(
        self,
        chat: str,
        trigger: Trigger,
        *,
        before: int | None = None,
        by: Engine | None = None,
        taken: asyncio.Event | None = None,
    ) -> LookResult:
        """Look at what was said in `chat` since the last look, up to event `before`.

        `by` is the engine the person chose to read it (chats that were brought in); without it the
        one that saw every word, or a model on this computer. `taken` is set once it stands which
        words are read, or that none are. Never raises for what a chat, a file
        or a model holds: an unforeseen error is journaled and the chat tried again in an hour.
        """
        async with self._one_at_a_time:
            if self._ending:
                return LookResult(chat, "cut_off")
            try:
                return await self._look(chat, trigger, before, by, taken or asyncio.Event())
            except LookPaused as paused:
                self._give_up(chat, paused.reason)
                asked = (paused.engine, paused.model, paused.cost_usd)
                return LookResult(chat, paused.reason).asked_of(*asked)
            except Exception as error:
                self._give_up(chat, "error")
                with contextlib.suppress(OSError):
                    self._parts.home.notes.say(
                        f"A look at a chat failed ({type(error).__name__}). Its words are kept; "
                        "it is tried again in an hour.",
                        where=chat,
                    )
                return LookResult(chat, "error")
            finally:
                if taken is not None:
                    taken.set()

    def _give_up(self, chat: str, reason: PauseReason | Literal["error"]) -> None:
        """Note that the chat is to be left alone for an hour, on disk when the disk takes it."""
        tried = Tried(chat=chat, reason=reason, unreadable=reason == "unreadable")
        self._parts.record.gave_up(tried, self._parts.home.clock.now())

    async def _look(
        self,
        chat: str,
        trigger: Trigger,
        before: int | None,
        by: Engine | None,
        taken: asyncio.Event,
    ) -> LookResult:
        parts = self._parts
        head, refused = self._may_look(chat)
        if head is None:
            return LookResult(chat, refused)
        log = parts.chats.log(chat)
        events = log.events()
        last_seq = events[-1].seq if events else 0
        state = parts.record.state
        part = part_of(head, by)
        places = state.brought if part == "brought" else state.pointers
        after = places.get(chat, Pointer())
        if part == "typed" and head.last_typed_seq <= after.seq:
            return LookResult(chat, "brought")
        readable = first_readable(events, state.switched_on)
        if readable > after.seq:
            after = Pointer(readable)
        if someone_elses_words(events):
            return self._move_on(chat, Pointer(last_seq), "someone_else")
        if part != "all":
            after, before = run_of(events, after, before, typed=part == "typed")

        stretch = read_stretch(log, chat, after.seq, before)
        until = before if before is not None else last_seq + 1
        reading = what_to_read(said_of(stretch, ()), after, until - 1)
        if not reading.said:
            return self._move_on(chat, reading.reached, "nothing_new", part)

        taken.set()

        async def understood(reading: Reading) -> Understood:
            read = read_stretch(log, chat, after.seq, reading.until or before)
            return await asyncio.to_thread(understand, reading, read, readable, parts.meaning)

        read = await understood(reading)
        engine = by
        if read.worth_asking and by is None:
            engine, count = who_reads(events, read.said, parts.engines)
            if count < len(read.said):
                read = await understood(reading.only(count))
        reading, stretch, said = read.reading, read.stretch, read.said
        worth_asking = read.worth_asking

        changes: list[Change] = self._facts_about_this_computer(read.learnable)
        asked = Asked(())
        shown: dict[str, str] = {}
        if worth_asking:
            rests = self._rests(chat) if trigger in _UNASKED else None
            if rests is not None:
                return LookResult(chat, rests)
            passing_over = self._unreadable_before(chat)
            steps = steps_by_message(stretch.events)
            asked = await ask_for_changes(parts, engine, chat, said, steps, passing_over)
            changes += asked.changes
            shown = asked.shown
            if asked.passed_over and not changes:
                moved = self._move_on(chat, reading.reached, "passed_over", part)
                return moved.asked_of(asked.engine, asked.model, asked.cost_usd)
        elif not changes:
            return self._move_on(chat, reading.reached, "nothing_to_learn", part)

        await asyncio.to_thread(parts.already.read, parts.memories.all())
        head, refused = self._may_look(chat)
        if head is not None:
            events = log.events()
            if first_readable(events, parts.record.state.switched_on) > after.seq:
                head, refused = None, "quiet"
            elif someone_elses_words(events):
                self._move_on(chat, Pointer(events[-1].seq), "someone_else")
                head, refused = None, "someone_else"
        if head is None:
            # Switched off, marked, deleted or joined by somebody else while the model was reading:
            # nothing is applied. What was paid is not paid again within the hour.
            if worth_asking and refused != "someone_else":
                parts.record.write("tried", Tried(chat=chat, reason=refused))
            return LookResult(chat, refused).asked_of(asked.engine, asked.model, asked.cost_usd)
        if part == "typed":
            # Typed here, where the person watches: these are words of a chat of their own.
            head = replace(head, origin="own")
        with parts.carrying:
            world = self._world(head, stretch, said, shown)
            return self._decide_and_apply(world, trigger, reading, changes, asked, head, part)

    def _may_look(self, chat: str) -> tuple[ChatHead | None, LookOutcome]:
        parts = self._parts
        if not parts.home.settings().auto_memory:
            return None, "off"
        head = parts.chats.find(chat)
        if head is None:
            return None, "gone"
        if head.quiet:
            return None, "quiet"
        if head.origin in NEVER_LOOKED_AT:
            return None, "not_yours"
        return head, "nothing_new"

    def _move_on(
        self, chat: str, reached: Pointer, outcome: LookOutcome, part: Part = "all"
    ) -> LookResult:
        state = self._parts.record.state
        places = state.brought if part == "brought" else state.pointers
        if places.get(chat, Pointer()) < reached:
            moved = Moved(chat=chat, reached=reached, part=part, why=outcome)
            self._parts.record.write("moved", moved)
        return LookResult(chat, outcome)

    def _unreadable_before(self, chat: str) -> bool:
        last = self._parts.record.state.tried.get(chat)
        return last is not None and last.unreadable > 0

    def _rests(self, chat: str) -> LookOutcome | None:
        """Why a chat is left alone for now: a look gave up, or was cut off, within the hour."""
        last = self._parts.record.state.tried.get(chat)
        if last is None or not within_the_hour(last.at, self._parts.home.clock.now()):
            return None
        return cast(LookOutcome, last.reason)

    def _facts_about_this_computer(self, stretch: Stretch) -> list[Change]:
        """Facts shown by the chat's steps that ran on this computer, in a folder of its."""
        folder = folder_is_here((*stretch.earlier, *stretch.events))
        times = {event.seq: event.at for event in (*stretch.earlier, *stretch.events)}
        return [
            Add(
                fact.text,
                "",
                "fact",
                "environment",
                observed=True,
                steps=(SeenStep(fact.failed, ok=False), SeenStep(fact.worked, ok=True)),
                at=times.get(fact.worked_seq),
            )
            for fact in computer_facts(stretch, self._parts.host, folder)
        ]

    def _world(
        self, head: ChatHead, stretch: Stretch, said: tuple[Said, ...], shown: dict[str, str]
    ) -> World:
        parts = self._parts
        now = parts.home.clock.now()
        events = (*stretch.earlier, *stretch.events)
        read = [step.output for turn in turns(events) for step in turn.steps if step.output]
        outputs = [*stretch.edited_outputs, *read]
        memories = tuple(parts.memories.all())
        return World(
            chat=head.id,
            at=now,
            origin=head.origin,
            watched=head.origin in WATCHED,
            said=said,
            taints=taints_in(events),
            memories=memories,
            never=tuple(parts.never.items()),
            shown=shown,
            applied_today=applied_on(parts.record.state.records.values(), now),
            redact=parts.redactor.redact_known,
            read_text=("\n".join(outputs)[-_READ_TEXT_AT_MOST:],),
            recent=tuple(
                memory.text
                for memory in memories
                if memory.chat == head.id and now - memory.created < timedelta(hours=1)
            ),
            host=parts.host,
            already=parts.already,
            said_when=when_said(memories, parts.record.state.said_when, now),
        )

    def _decide_and_apply(
        self,
        world: World,
        trigger: Trigger,
        reading: Reading,
        changes: Sequence[Change],
        asked: Asked,
        head: ChatHead,
        part: Part,
    ) -> LookResult:
        """Decide, journal and apply without a pause in between: nothing else runs meanwhile."""
        parts = self._parts
        look = new_id("look")
        decided = decide_changes(
            changes,
            world,
            new_memory_id=lambda: new_id("m"),
            record_id=lambda index: f"{look}:{index}",
            meaning=parts.meaning,
        )
        records: list[Record] = []
        files: dict[str, str] = {}
        for one in decided:
            if one.memory is None or one.context is None:
                continue
            memory, data = parts.memories.plan(one.memory, one.context)
            record = record_of(
                replace(one, memory=memory),
                world,
                trigger,
                head.title,
                asked.engine,
                asked.model,
                parts.redactor.redact,
            )
            records.append(record)
            files[record.id] = data.decode("utf-8")
        entry = Decided(
            look=look,
            chat=world.chat,
            trigger=trigger,
            reached=reading.reached,
            part=part,
            records=tuple(records),
            files=files,
            dropped=tuple(
                dropped_of(one, parts.redactor.redact)
                for one in decided
                if one.judged.decision.verdict == "dropped"
            ),
            seen_again=tuple(
                one.judged.decision.match
                for one in decided
                if one.judged.decision.verdict == "seen_again"
            ),
            said_when={one.says: one.said_at for one in decided if one.says and one.said_at},
            say=world.watched,
            engine=asked.engine,
            model=asked.model,
            cost_usd=asked.cost_usd,
        )
        for one in decided:
            # Before the place moves on: cut off in between, it is seen and done again.
            if (known := said_themself(one, world)) is not None:
                parts.memories.make_own(known.id, known.words_hash, "learning")
        parts.record.write("decided", entry)
        apply_look(parts, entry)
        if trigger != "summarised":
            say_what_was_learned(parts, world.chat)
        state = parts.record.state
        return LookResult(
            world.chat,
            "learned" if records else "nothing_to_learn",
            look,
            tuple(state.records[record.id] for record in records),
            entry.dropped,
            entry.seen_again,
            bool(asked.engine),
            asked.engine,
            asked.model,
            asked.cost_usd,
        )


def within_the_hour(tried: datetime, now: datetime) -> bool:
    """Whether a try is so fresh that the chat still rests. One further ahead than that was written
    by a clock that has been set right since, and counts no more."""
    return abs(now - tried) < _TRIED_AGAIN_AFTER


def someone_elses_words(events: Sequence[Event]) -> bool:
    """Whether anybody but the person wrote in this chat: then nothing of it is learned."""
    if any(taint.kind == "person" for _, taint in taints_in(events)):
        return True
    return any(isinstance(event, PersonMessage) and event.who for event in events)
