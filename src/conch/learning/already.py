"""What is remembered already, read once: so that a decision touches the few memories it concerns.

The gate asks of every change which memory says the same and which cannot be true beside it. The
index gives the few that may; `same` and `cannot_both_be_true` decide on those as on any other.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from conch.learning.statement import Statement, stated
from conch.memory.memory import Memory
from conch.words.lexicon import Lexicon, lexicons
from conch.words.same_index import SameIndex

_KEPT_BEYOND = 1_000
"""Texts no memory has any more that may stay before everything is read anew."""


class AlreadyRead:
    """The words of memories by what they state. Holds nothing of its own: lost, it is read again.

    Kept up by whoever asks: memories that are new to it are read first, at about 0.3 ms each, so
    the first question over 10,000 memories takes some three seconds and each later one about two
    milliseconds. Safe to use from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # The lexicons are read with the first question: most commands have none.
        self._start(())

    def read(self, memories: Sequence[Memory]) -> None:
        """Read the memories that are new, so that the next question needs not."""
        with self._lock:
            self._read(memories)

    def may_be_same(self, text: str, memories: Sequence[Memory]) -> list[Memory]:
        """Those of `memories` that may say the very same as `text`, in their order."""
        with self._lock:
            self._read(memories)
            return _those(memories, self._same.near(text))

    def may_conflict(self, new: Statement, memories: Sequence[Memory]) -> list[Memory]:
        """Those of `memories` that may be unable to be true beside `new`, in their order."""
        with self._lock:
            self._read(memories)
            texts = set(self._by_things.get(new.things, ())) if new.things else set[str]()
            for slot in new.slots:
                texts.update(self._by_slot.get((slot.slot, slot.about), ()))
            return _those(memories, texts)

    def _start(self, of: tuple[Lexicon, ...]) -> None:
        self._of = of
        self._up_to_date: Sequence[Memory] = ()
        self._same = SameIndex()
        self._by_things: dict[frozenset[str], list[str]] = {}
        self._by_slot: dict[tuple[str, frozenset[str]], list[str]] = {}

    def _read(self, memories: Sequence[Memory]) -> None:
        if len(self._same) > 2 * len(memories) + _KEPT_BEYOND or self._of is not lexicons():
            self._start(lexicons())
        # What was read last time, and cannot have changed, is not gone through again.
        if isinstance(memories, tuple) and memories is self._up_to_date:
            return
        for memory in memories:
            if memory.text not in self._same:
                self._take(memory.text)
        self._up_to_date = memories

    def _take(self, text: str) -> None:
        self._same.add(text)
        statement = stated(text)
        if statement.things:
            self._by_things.setdefault(statement.things, []).append(text)
        for key in {(slot.slot, slot.about) for slot in statement.slots}:
            self._by_slot.setdefault(key, []).append(text)


def _those(memories: Sequence[Memory], texts: set[str]) -> list[Memory]:
    if not texts:
        return []
    return [memory for memory in memories if memory.text in texts]
