"""The copies of what used to be true: found, told apart by their bytes, and forgotten."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from pathlib import Path

from conch.home import files
from conch.memory.memory import Memory
from conch.memory.search_index import SearchIndex
from conch.memory.shelf import Shelf


class OldCopies:
    """The copies of one home's memories. `lock` guards `shelf`, which is shared with the rest."""

    def __init__(self, shelf: Shelf, index: SearchIndex, lock: threading.RLock) -> None:
        self._shelf = shelf
        self._index = index
        self._lock = lock

    def of(self, memory_id: str) -> list[Memory | None]:
        """The copies of what used to be true of this id, the latest first, those held too.

        None for each that can't be read; they come last.
        """
        with self._lock:
            self._shelf.refresh()
            return list(self._shelf.copies(memory_id).values())

    def hash_of_shown(self, memory_id: str) -> str:
        """SHA-256 of the bytes of the copy that is listed of this id, "" for none."""
        with self._lock:
            self._shelf.refresh()
            filed = self._shelf.shown_copy(memory_id)
            return _hash_of(filed.path) if filed is not None else ""

    def has(self, memory_id: str, copy_hash: str) -> bool:
        """Whether a copy of this id with these bytes is there; "": any at all."""
        with self._lock:
            self._shelf.refresh()
            return any(
                not copy_hash or _hash_of(path) == copy_hash
                for path in self._shelf.copies(memory_id)
            )

    def forget(self, memory_id: str, copy_hash: str = "") -> None:
        """Remove the copy of what used to be true with these bytes ("": every one of this id).

        Nothing live is touched.
        """
        with self._lock:
            self._shelf.refresh()
            copies = self._shelf.copies(memory_id)
            self._remove(
                {
                    path: memory
                    for path, memory in copies.items()
                    if not copy_hash or _hash_of(path) == copy_hash
                }
            )

    def _remove(self, copies: Mapping[Path, Memory | None]) -> None:
        for path, memory in copies.items():
            files.remove(path)
            self._shelf.refresh()
            left = memory is not None and (
                self._shelf.path(memory.id) or self._shelf.copy_path(memory.id)
            )
            if memory is not None and not left:
                self._index.forget(memory)


def _hash_of(path: Path) -> str:
    return hashlib.sha256(files.read_bytes(path)).hexdigest()
