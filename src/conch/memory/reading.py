"""Reading a folder of memory files: each file once, and again when it changed.

A file whose seal fits is believed. Any other is judged as changed by hand and, by the process that
writes the home, sealed again. A file that cannot be read is set aside and said.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.home import Home
from conch.home.ids import new_id
from conch.memory.by_hand import Surroundings, changed_by_hand, checked
from conch.memory.copies import is_whole
from conch.memory.document import LONGEST_FILE, Unreadable
from conch.memory.memory import Memory
from conch.memory.sealed import from_bytes, is_sealed, to_bytes

Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class Filed:
    """A memory and the file it was read from. `memory` is None for a file that is left out.

    `sealed` are the file's bytes when its seal fits.
    """

    path: Path
    stamp: Stamp
    memory: Memory | None
    sealed: bytes = b""


def stamps(folder: Path) -> Iterator[tuple[Path, Stamp]]:
    """The memory files of a folder by name, with what tells that one changed."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(
                (entry for entry in entries if entry.name.endswith(".md")),
                key=lambda entry: entry.name,
            )
    except FileNotFoundError:
        return
    for entry in found:
        if entry.name.startswith(".") or not entry.is_file(follow_symlinks=False):
            continue
        stat = entry.stat(follow_symlinks=False)
        yield folder / entry.name, (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of one file, None when it is not there."""
    try:
        stat = path.lstat()
    except FileNotFoundError:
        return None
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


class LiveFolder:
    """`memory/*.md`. `known` gives a memory as it last stood under a fitting seal, by id."""

    def __init__(
        self, home: Home, known: Callable[[str], Memory | None], *, writes: bool = True
    ) -> None:
        self._home = home
        self._known = known
        self._writes = writes
        self.fresh_key = home.seal.fresh
        """Files are read that may be older than the home's key, so no seal of theirs can fit."""

    def read(self, path: Path, stamp: Stamp, taken: Callable[[str], bool]) -> Filed | None:
        """Read one file; None when it cannot be read and was set aside.

        `taken`: whether another file holds the memory of that id already. Raises OSError when the
        disk refuses.
        """
        try:
            data = _bytes(path, stamp)
            claimed = from_bytes(data)
            if not claimed.text:
                self._say(path, "holds no words, so it is left out.")
                return Filed(path, stamp, None)
            fits = is_sealed(data, self._home.seal)
        except Unreadable as reason:
            self._set_aside(path, reason)
            return None if self._writes else Filed(path, stamp, None)
        twice = bool(claimed.id) and taken(claimed.id)
        if fits and claimed.id and claimed.invalid_at is None and not twice:
            return Filed(path, stamp, claimed, data)
        if twice or "/" in claimed.id or len(claimed.id) > 64:
            claimed = replace(claimed, id="")
        memory = changed_by_hand(
            claimed,
            Surroundings(
                now=self._home.clock.now(),
                new_id=new_id("m"),
                known=self._known(claimed.id) if claimed.id else None,
                fresh_key=self.fresh_key,
            ),
        )
        sealed = b""
        if self._writes and stamp_of(path) == stamp:
            sealed = to_bytes(memory, self._home.seal, data)
            files.write_atomic(path, sealed)
            stamp = stamp_of(path) or stamp
        if memory.held is not None:
            self._say(path, "was changed by hand and is held: " + " ".join(memory.held.reasons))
        return Filed(path, stamp, memory, sealed)

    def _set_aside(self, path: Path, reason: Unreadable) -> None:
        if not self._writes:
            return
        aside = files.set_aside(path, self._home.clock)
        self._say(path, f"could not be read: {reason}. It was set aside as {aside.name}.")

    def _say(self, path: Path, what: str) -> None:
        self._home.notes.say(f"The memory file {path.name} {what}", where=path.name)


def read_copy(home: Home, path: Path, stamp: Stamp, fresh_key: bool) -> Filed:
    """Read a copy of what used to be true; one that was changed is checked again.

    `memory` is None when the check would hold it, or it cannot be read; it stays where it is.
    """
    try:
        data = _bytes(path, stamp)
        memory = from_bytes(data)
    except Unreadable as reason:
        home.notes.say(
            f"The earlier memory {path.name} could not be read: {reason}. It is left out.",
            where=path.name,
        )
        return Filed(path, stamp, None)
    if is_whole(data, memory, home.seal):
        return Filed(path, stamp, memory)
    context = CheckContext(via="hand", fresh_key=fresh_key)
    memory = checked(
        replace(
            memory,
            id=memory.id or path.stem,
            held=None,
            waits="",
            invalid_at=memory.invalid_at or memory.updated,
        ),
        context,
    )
    if memory.held is not None or not memory.text:
        home.notes.say(
            f"The earlier memory {path.name} was changed and is left out: "
            + " ".join(memory.held.reasons if memory.held else ("it holds no words",)),
            where=path.name,
        )
        return Filed(path, stamp, None)
    return Filed(path, stamp, memory)


def _bytes(path: Path, stamp: Stamp) -> bytes:
    if stamp[1] > LONGEST_FILE:
        raise Unreadable("it is longer than a memory can be")
    return files.read_bytes(path)
