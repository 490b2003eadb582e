"""Reading a folder of memory files: each file once, and again when it changed.

A file whose seal fits is believed. Any other is judged as changed by hand and, by the process that
writes the home, sealed again. A file that cannot be read is set aside and said.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.home import Home
from conch.home.ids import new_id
from conch.memory.by_hand import Surroundings, changed_by_hand, checked
from conch.memory.copies import sealed_original_of
from conch.memory.document import LONGEST_FILE, Unreadable
from conch.memory.memory import Memory
from conch.memory.sealed import from_bytes, is_sealed, to_bytes

Stamp = tuple[int, int, int]
UNREAD: Stamp = (0, 0, 0)
"""The stamp of a file the disk refused to read: no file's own, so that it is tried again."""


@dataclass(frozen=True)
class Filed:
    """A memory and the file it was read from. `memory` is None for a file that is left out.

    `sealed` are the file's bytes when its seal fits. `twin_of` is the id of the memory that a file
    left out is a mere copy of.
    """

    path: Path
    stamp: Stamp
    memory: Memory | None
    sealed: bytes = b""
    twin_of: str = ""


@dataclass(frozen=True)
class LookedAt:
    """A file's bytes and what they say of themselves. `fits`: so this home sealed them."""

    path: Path
    stamp: Stamp
    data: bytes
    claimed: Memory
    fits: bool


def stamps(folder: Path) -> dict[str, Stamp]:
    """The memory files of a folder by name, each with what tells that it changed.

    Asked before every read: some 30 ms for 10,000 files.
    """
    found: dict[str, Stamp] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if not name.endswith(".md") or name[0] == ".":
                    continue
                with contextlib.suppress(FileNotFoundError):  # It went while we looked.
                    if entry.is_file(follow_symlinks=False):
                        stat = entry.stat(follow_symlinks=False)
                        found[name] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    except FileNotFoundError:
        pass
    return found


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
        self._unsealed: dict[Path, tuple[LookedAt, Memory]] = {}

    def look_at(self, path: Path, stamp: Stamp) -> LookedAt | Filed | None:
        """What a file says; as filed when it is left out, None when it was set aside.

        Raises OSError when the disk refuses.
        """
        try:
            data = _bytes(path, stamp)
            claimed = from_bytes(data)
            if not claimed.text:
                self._say(path, "holds no words, so it is left out.")
                return Filed(path, stamp, None)
            return LookedAt(path, stamp, data, claimed, is_sealed(data, self._home.seal))
        except Unreadable as reason:
            self._set_aside(path, reason)
            return None if self._writes else Filed(path, stamp, None)

    def judge(self, file: LookedAt, holder: Filed | None) -> Filed:
        """The memory a file holds. `holder`: another file that holds the memory of that id already.

        A copy of the holder that nobody gave other words is left out; with other words it is a
        memory of its own.
        """
        claimed = file.claimed
        if holder is not None and holder.memory is not None:
            if file.fits or same_words(claimed, holder.memory):
                return self._twin(file, holder.path, holder.memory)
            self._say(file.path, "is a copy with other words, so it is a memory of its own now.")
        elif file.fits and claimed.id and claimed.invalid_at is None:
            return Filed(file.path, file.stamp, claimed, file.data)
        if holder is not None or "/" in claimed.id or len(claimed.id) > 64:
            claimed = replace(claimed, id="")
        known = self._known(claimed.id) if claimed.id else None
        memory = self._judged(claimed, known, fresh_key=self.fresh_key and holder is None)
        stamp, sealed = self._sealed(file, memory)
        if memory.held is not None:
            reasons = " ".join(memory.held.reasons)
            self._say(file.path, f"was changed by hand and is held: {reasons}")
        return Filed(file.path, stamp, memory, sealed)

    def _twin(self, file: LookedAt, holder: Path, memory: Memory) -> Filed:
        """A copy that is left out, sealed so that it stays one when its memory gets new words."""
        stamp = file.stamp
        if not file.fits:
            stamp, _ = self._sealed(file, self._judged(file.claimed, memory, fresh_key=False))
        self._say(
            file.path,
            f"is a copy of {holder.name}, so it is left out. Delete it, or give it other words to "
            "make it a memory of its own.",
        )
        return Filed(file.path, stamp, None, twin_of=memory.id)

    def _judged(self, claimed: Memory, known: Memory | None, *, fresh_key: bool) -> Memory:
        around = Surroundings(self._home.clock.now(), new_id("m"), known, fresh_key)
        return changed_by_hand(claimed, around)

    def _sealed(self, file: LookedAt, memory: Memory) -> tuple[Stamp, bytes]:
        """Seal a file as what it was judged to be; its stamp then, and its bytes when sealed.

        Where the disk refuses, it counts as what it was judged to be all the same.
        """
        if not self._writes or stamp_of(file.path) != file.stamp:
            return file.stamp, b""
        sealed = to_bytes(memory, self._home.seal, file.data)
        try:
            files.write_atomic(file.path, sealed)
        except OSError as error:
            self._unsealed[file.path] = file, memory
            self._say(
                file.path,
                f"was changed by hand; your disk refused to note that it was looked at "
                f"({error.strerror or error}). It counts all the same, and Conch tries again.",
            )
            return file.stamp, b""
        return stamp_of(file.path) or file.stamp, sealed

    def seal_what_is_left(self) -> None:
        """Seal the files the disk refused to have sealed before, where it lets us by now."""
        for path, (file, memory) in list(self._unsealed.items()):
            if stamp_of(path) == file.stamp:
                try:
                    files.write_atomic(path, to_bytes(memory, self._home.seal, file.data))
                except OSError:
                    continue
            del self._unsealed[path]

    def say_unread(self, path: Path, error: OSError) -> None:
        """Say that the disk refused to read a file."""
        self._say(
            path,
            f"could not be read ({error.strerror or error}). It is left out until it can be; "
            "see that you may read it.",
        )

    def _set_aside(self, path: Path, reason: Unreadable) -> None:
        if not self._writes:
            return
        try:
            aside = files.set_aside(path, self._home.clock)
        except FileNotFoundError:
            return  # Deleted by hand at this moment.
        self._say(path, f"could not be read: {reason}. It was set aside as {aside.name}.")

    def _say(self, path: Path, what: str) -> None:
        self._home.notes.say(f"The memory file {path.name} {what}", where=path.name)


def same_words(one: Memory, other: Memory) -> bool:
    """Whether two memories say the same to the word; blanks and line ends don't count."""
    return one.text.split() == other.text.split()


def read_copy(home: Home, path: Path, stamp: Stamp, fresh_key: bool) -> Filed:
    """Read a copy of what used to be true; one that was changed is checked again.

    It is held when the check would hold it, and left out of all but Undo and Forget then. `memory`
    is None when it cannot be read; it stays where it is.
    """
    try:
        data = _bytes(path, stamp)
        memory = from_bytes(data)
    except (Unreadable, OSError) as reason:
        refused = isinstance(reason, OSError)
        why = reason.strerror if refused and reason.strerror else str(reason)
        home.notes.say(
            f"The earlier memory {path.name} could not be read: {why}. It is left out.",
            where=path.name,
        )
        return Filed(path, UNREAD if refused else stamp, None)
    if sealed_original_of(data, home.seal) and memory.id and memory.invalid_at is not None:
        # When it ended, or what took its place, may have been changed: its words were not.
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
    return Filed(path, stamp, memory if memory.text else None)


def _bytes(path: Path, stamp: Stamp) -> bytes:
    if stamp[1] > LONGEST_FILE:
        raise Unreadable("it is longer than a memory can be")
    return files.read_bytes(path)
