"""Moving memories to what used to be true and back, those that say the very same together.

What is new is on disk before what is old goes. What the disk refuses halfway is put back as it was:
all of them moved, or none did.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from conch.home import files
from conch.home.clock import Clock
from conch.home.home import Home
from conch.memory.by_hand import Surroundings, changed_by_hand
from conch.memory.copies import copy_of, file_name_of, original_of, sealed_original_of
from conch.memory.document import Unreadable
from conch.memory.reading import same_words
from conch.memory.sealed import from_bytes, to_bytes
from conch.memory.shelf import Shelf


@dataclass(frozen=True)
class _Move:
    """A file that goes, with its bytes, and what stands in for it from then on.

    `to` is None when that is there already.
    """

    old: Path
    data: bytes
    to: Path | None = None
    new: bytes = b""


class Retiring:
    """The moves of one home's memories. Not safe for threads by itself."""

    def __init__(self, home: Home, clock: Clock, shelf: Shelf) -> None:
        self._home = home
        self._clock = clock
        self._shelf = shelf

    def retire(self, memory_ids: Sequence[str], invalid_at: datetime, superseded_by: str) -> None:
        """Move live memories to what used to be true. Raises OSError with none of them moved: the
        disk refused, or a file was saved by hand in between (ChangedMeanwhile)."""
        moves: dict[str, _Move] = {}
        for memory_id in memory_ids:
            path = self._shelf.path(memory_id)
            if path is None:
                continue
            data = files.read_bytes(path)
            if not data:
                continue  # Deleted by hand at this moment: there is nothing to keep.
            name = "" if path.stem == memory_id else path.name
            copy = copy_of(data, invalid_at, superseded_by, self._home.seal, name)
            moves[memory_id] = _Move(path, data, self._shelf.new_copy_path(memory_id, data), copy)

        def without_twins() -> None:
            for memory_id, move in moves.items():
                # What is not in the copy to the last byte is kept beside it.
                self.take_out_twins(memory_id, lambda twin, data=move.data: twin == data)

        self._move(list(moves.values()), without_twins)

    def bring_back(self, memory_id: str, copy_path: Path) -> None:
        """Move a copy back, and those that were retired together with it.

        One whose file was sealed here comes back to the byte, any other as changed by hand. Raises
        OSError with none of them moved.
        """
        together = {**self._shelf.retired_with(memory_id, copy_path), memory_id: copy_path}
        moves = [self._back(one, path) for one, path in together.items()]
        self._move([move for move in moves if move is not None])

    def take_out_twins(self, memory_id: str, may_go: Callable[[bytes], bool]) -> None:
        """Clear away the mere copies of a live memory's file, before it goes itself.

        Those whose bytes `may_go` are removed, the others set aside and said.
        """
        for twin in self._shelf.twins(memory_id):
            if may_go(files.read_bytes(twin)):
                files.remove(twin)
                continue
            aside = files.aside_name(twin, self._clock, "left-out")
            try:
                files.move(twin, aside)
            except FileNotFoundError:
                continue  # Deleted by hand at this moment: there is nothing left to keep.
            self._home.notes.say(
                f"The memory file {twin.name} was another copy of a memory that is no longer used. "
                f"It is not quite the same, so it was set aside as {aside.name}.",
                where=twin.name,
            )

    def _back(self, memory_id: str, copy_path: Path) -> _Move | None:
        """How a copy comes back; None when other words stand under its id by now."""
        copy = files.read_bytes(copy_path)
        original = sealed_original_of(copy, self._home.seal)
        live = self._shelf.path(memory_id)
        if live is not None:
            there = files.read_bytes(live)
            is_back = there == original if original else _say_the_same(there, copy)
            return _Move(copy_path, copy) if is_back else None
        if original and from_bytes(original).id == memory_id:
            back = original
        else:
            base = original or _original(copy) or copy
            claimed = replace(from_bytes(base), id=memory_id)
            around = Surroundings(self._clock.now(), memory_id, self._shelf.known(memory_id))
            back = to_bytes(changed_by_hand(claimed, around), self._home.seal, base)
        return _Move(copy_path, copy, self._shelf.new_path(memory_id, file_name_of(copy)), back)

    def _move(self, moves: Sequence[_Move], then: Callable[[], None] = lambda: None) -> None:
        """Write everything new, do `then`, and remove everything old, the last of them last."""
        try:
            for move in moves:
                if move.to is not None:
                    files.write_atomic(move.to, move.new)
            then()
            for move in moves:
                files.remove(move.old, move.data)
        except OSError:
            for move in moves:
                with contextlib.suppress(OSError):
                    if not move.old.exists():
                        files.write_atomic(move.old, move.data)
                    if move.to is not None:
                        files.remove(move.to)
            raise
        finally:
            self._shelf.refresh()


def _say_the_same(one: bytes, other: bytes) -> bool:
    return same_words(from_bytes(one), from_bytes(other))


def _original(copy: bytes) -> bytes:
    try:
        return original_of(copy)
    except Unreadable:
        return b""
