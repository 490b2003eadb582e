"""From habits to offers: the same request in three chats, drafted once by who saw them all.

Like work that went well: nothing is saved or turned on here, five offers wait at most, any answer
uses the chance, and a failure before any answer leaves it three times, an hour apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from conch.chats.events import Event
from conch.chats.taints import taints_in
from conch.chats.turns import Step, Turn, turns
from conch.engines.engine import Engine
from conch.guard.permissions import permissions_of
from conch.guard.taints import Taint, what_was_read
from conch.home.errors import ConchError
from conch.skills.asking import Asking, ProposingParts, language_of
from conch.skills.draft import DraftContext, Refused, check_draft
from conch.skills.habits import CHATS, WITHIN, Habit, Request, find_habits, requests_in
from conch.skills.prompting import habit_prompt
from conch.skills.proposing import READ_IT, Proposed
from conch.skills.standing import MOST_WAITING, Standing, stands_in_the_way

SIGNAL = "habit"
_ASKED_KEPT, _LONGEST_ASKED = 5, 300


class HabitOffers:
    """Looks for habits in one home's chats, one after another."""

    def __init__(self, parts: ProposingParts) -> None:
        self._parts = parts
        self._asking = Asking(parts)
        self._one_at_a_time = asyncio.Lock()
        self._requests: dict[str, tuple[int, list[Request]]] = {}

    async def consider(self) -> list[Proposed]:
        """Offer every habit that may be offered now. Never raises for what a model or file does."""
        async with self._one_at_a_time:
            try:
                found = await asyncio.to_thread(self.habits)
            except (OSError, ConchError):
                # What chats, skills or offers there are can't be read now: nothing to be offered.
                return []
            return [await self._or_later(habit) for habit in found]

    def habits(self) -> list[Habit]:
        """The habits there are that aren't like a skill, turned down or waiting already."""
        parts = self._parts
        now = parts.home.clock.now()
        requests: list[Request] = []
        for head in parts.chats.heads():
            if head.updated is None or now - head.updated > WITHIN or head.origin == "imported":
                continue
            seq, found = self._requests.get(head.id, (-1, []))
            if seq != head.last_seq:
                try:
                    found = requests_in(head.id, parts.chats.log(head.id).events())
                except (OSError, ConchError):
                    # One chat that can't be read now hides no habit of the others.
                    continue
                self._requests[head.id] = (head.last_seq, found)
            requests += found
        return find_habits(requests, now, known=self._known(), meaning=parts.meaning)

    def _known(self) -> list[str]:
        standing = self._standing()
        waiting = self._parts.offers.open()
        told = [f"{one.title}. {one.description}" for one in waiting]
        asked = [text for one in waiting for text in one.asked]
        return [*standing.skills, *standing.turned_down, *told, *asked]

    def _standing(self) -> Standing:
        parts = self._parts
        return Standing(
            waiting=len(parts.offers.open()),
            skills=tuple(f"{one.title}. {one.description}" for one in parts.library.skills()),
            turned_down=parts.offers.turned_down(),
        )

    async def _or_later(self, habit: Habit) -> Proposed:
        """What came of a habit; one whose files can't be read or written now has to wait."""
        try:
            return await self._considered(habit)
        except (OSError, ConchError) as error:
            return Proposed(why="later", detail=str(error))

    async def _considered(self, habit: Habit) -> Proposed:
        parts = self._parts
        keys = [f"habit:{one.chat}:{one.seq}" for one in habit.requests]
        if any(parts.offers.had_its_chance(key) for key in keys):
            return Proposed(why="offered before")
        if not all(parts.offers.may_try(key) for key in keys):
            return Proposed(why="later")
        if self._standing().waiting >= MOST_WAITING:
            return Proposed(why="five wait")
        asked = await asyncio.to_thread(self._turns, habit)
        engine, seen = self._who_saw(asked)
        if engine is None:
            return Proposed(why="no model")
        if not self._asking.may_pay(engine):
            return Proposed(why="no room to pay")
        parts.offers.trying(*keys)
        texts = [one.text for one, _, _ in seen]
        system, user = habit_prompt(texts, language_of("\n".join(texts)))
        completed = await self._asking.ask(engine, system, user, habit.requests[0].chat)
        if completed is None:
            return Proposed(why="no answer")
        if isinstance(completed, str):
            parts.offers.answered(*keys, offer=None)
            return Proposed(why="refused", detail=completed)
        return await asyncio.to_thread(self._read, completed.text, seen, keys)

    def _turns(self, habit: Habit) -> list[_Asked]:
        found: list[_Asked] = []
        for request in habit.requests:
            if self._parts.chats.find(request.chat) is None:
                continue
            events = self._parts.chats.log(request.chat).events()
            turn = next((one for one in turns(events) if one.person.seq == request.seq), None)
            if turn is not None:
                found.append((request, turn, events))
        return found

    def _who_saw(self, asked: Sequence[_Asked]) -> tuple[Engine | None, list[_Asked]]:
        """The provider that answered it in three chats, with those; else a local model with all."""
        by_engine: dict[str, list[_Asked]] = {}
        for one in asked:
            ended = one[1].completed
            if ended is not None and ended.engine:
                by_engine.setdefault(ended.engine, []).append(one)
        for name, seen in by_engine.items():
            engine = self._parts.engines.get(name)
            if engine is not None and len(seen) >= CHATS:
                return engine, seen
        return self._parts.engines.local(), list(asked)

    def _read(self, answer: str, seen: Sequence[_Asked], keys: Sequence[str]) -> Proposed:
        parts = self._parts
        steps: list[Step] = [step for _, turn, _ in seen for step in turn.steps]
        outside = _read_outside(seen)
        folders = {_folder(events) for _, _, events in seen}
        folder = folders.pop() if len(folders) == 1 else ""
        context = DraftContext(
            said=[request.text for request, _, _ in seen],
            steps=steps,
            folder=folder,
            tainted=bool(outside),
            redact=parts.redactor.redact_known,
        )
        found = check_draft(answer, context)
        if isinstance(found, Refused):
            parts.offers.answered(*keys, offer=None)
            return Proposed(why="refused", detail=f"{found.why}: {found.detail}".strip(": "))
        texts = [request.text for request, _, _ in seen]
        again = stands_in_the_way(
            [f"{found.title}. {found.description}", *texts], self._standing(), parts.meaning
        )
        if again is not None:
            parts.offers.answered(*keys, offer=None)
            return Proposed(why=again.reason)
        newest = seen[0][0]
        head = parts.chats.find(newest.chat)
        offer = parts.offers.new(
            key=keys[0],
            chat=newest.chat,
            chat_title=head.title if head else "",
            chats=len(seen),
            signal=SIGNAL,
            steps=len(steps),
            asked=[parts.redactor.redact(text)[:_LONGEST_ASKED] for text in texts[:_ASKED_KEPT]],
            title=found.title,
            description=found.description,
            instructions=found.instructions,
            permissions=permissions_of(
                [(step.tool, step.input) for step in steps if step.ok], folder
            ).spelled(),
            note=f"Some of these chats {what_was_read(outside)}. {READ_IT}" if outside else "",
        )
        parts.offers.answered(*keys, offer=offer)
        return Proposed(offer)


_Asked = tuple[Request, Turn, Sequence[Event]]


def _read_outside(seen: Sequence[_Asked]) -> tuple[Taint, ...]:
    """What the chats had taken in from outside by the end of those turns."""
    found: dict[Taint, None] = {}
    for _, turn, events in seen:
        for seq, taint in taints_in(events):
            if seq <= turn.last_seq:
                found[taint] = None
    return tuple(found)


def _folder(events: Sequence[Event]) -> str:
    return next((str(getattr(one, "folder", "")) for one in events[:1]), "")
