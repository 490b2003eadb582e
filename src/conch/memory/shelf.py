"""What is in the memory folder, as last read, with the search index kept in step."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from conch.home import files
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.memory.copies import original_of
from conch.memory.document import Unreadable
from conch.memory.memory import Memory
from conch.memory.reading import (
    UNREAD,
    Filed,
    LiveFolder,
    LookedAt,
    Stamp,
    read_copy,
    same_words,
    stamps,
)
from conch.memory.sealed import from_bytes, is_sealed
from conch.memory.search_index import SearchIndex

_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")


class Shelf:
    """The files of one home's memories. Not safe for threads by itself."""

    def __init__(self, home: Home, index: SearchIndex, *, writes: bool) -> None:
        self.version = 0
        """Goes up with whatever changed."""
        self._home = home
        self._index = index
        self._folder = LiveFolder(home, self.known, writes=writes)
        self._live_stamps: dict[str, Stamp] = {}
        self._live: dict[Path, Filed] = {}
        self._copy_stamps: dict[str, Stamp] = {}
        self._copies: dict[Path, Filed] = {}
        self._live_ids: dict[str, Filed] = {}
        self._copy_ids: dict[str, list[Filed]] = {}
        """Copies by memory, the latest ended first."""
        self._same: dict[str, str] = {}
        self._lists: tuple[list[Memory], list[Memory]] | None = None
        self._unread: dict[Path, OSError] = {}

    def refresh(self) -> bool:
        """Read what changed since; whether anything did.

        A file the disk refuses to read is left out, said, and tried again each time.
        """
        changed = self._refresh_live()
        changed = self._refresh_copies() or changed
        # Whatever is new from now on is younger than the key.
        self._folder.fresh_key = False
        if changed:
            self._lists = None
            self.version += 1
            self._index.set([*self.live(), *self.earlier()])
        return changed

    def live(self) -> list[Memory]:
        """Live memories, the oldest first; those that only say what another says come last."""
        return list(self._listed()[0])

    def earlier(self) -> list[Memory]:
        """What used to be true, the latest ended first, of each memory the latest of its copies
        that the check lets through; not those half moved."""
        return list(self._listed()[1])

    def _listed(self) -> tuple[list[Memory], list[Memory]]:
        if self._lists is None:
            live = [self._seen(filed.memory) for filed in self._live_ids.values() if filed.memory]
            earlier = [
                filed.memory
                for memory_id in self._copy_ids.keys() - self._live_ids.keys()
                if (filed := self.shown_copy(memory_id)) and filed.memory
            ]
            live.sort(key=lambda one: (bool(one.same_as), one.created, one.id))
            earlier.sort(key=lambda one: (one.invalid_at or one.updated, one.id), reverse=True)
            self._lists = live, earlier
        return self._lists

    def get(self, memory_id: str) -> Memory | None:
        filed = self._live_ids.get(memory_id)
        return self._seen(filed.memory) if filed and filed.memory else None

    def path(self, memory_id: str) -> Path | None:
        """The live file of a memory."""
        filed = self._live_ids.get(memory_id)
        return filed.path if filed else None

    def twins(self, memory_id: str) -> list[Path]:
        """Files that are mere copies of a live memory's file."""
        return [path for path, filed in self._live.items() if filed.twin_of == memory_id]

    def same_words(self, memory_id: str) -> list[str]:
        """Other live memories that say the very same and stand."""
        used = self._same.get(memory_id, memory_id)
        group = [used, *(one for one, other in self._same.items() if other == used)]
        return [one for one in group if one != memory_id]

    def doubles(self) -> set[str]:
        """Live memories with a copy of the same words."""
        found: set[str] = set()
        for memory_id in self._copy_ids.keys() & self._live_ids.keys():
            live = self._live_ids[memory_id].memory
            copies = self.copies(memory_id).values()
            if any(copy and live and copy.text == live.text for copy in copies):
                found.add(memory_id)
        return found

    def shown_copy(self, memory_id: str) -> Filed | None:
        """The latest copy of a memory that the check lets through."""
        copies = self._copy_ids.get(memory_id, ())
        return next((one for one in copies if one.memory and one.memory.held is None), None)

    def copies(self, memory_id: str) -> dict[Path, Memory | None]:
        """The copies of a memory, the latest ended first; None for one that cannot be read.

        Those that cannot be read are known by their name alone, and come last.
        """
        found = {filed.path: filed.memory for filed in self._copy_ids.get(memory_id, ())}
        unread = [one.path for one in self._copies.values() if one.memory is None]
        named = [path for path in unread if _number(path, memory_id)]
        named.sort(key=lambda path: _number(path, memory_id), reverse=True)
        return {**found, **dict.fromkeys(named)}

    def copy_path(self, memory_id: str, replaced_by: str = "", words_hash: str = "") -> Path | None:
        """A copy of a memory: the one this took the place of, else of these words, else the latest.

        One that cannot be read only when there are no others.
        """
        copies = self.copies(memory_id)
        for path, copy in copies.items():
            if copy and replaced_by and copy.superseded_by == replaced_by:
                return path
        for path, copy in copies.items():
            if copy and copy.words_hash == words_hash:
                return path
        return next(iter(copies), None)

    def retired_with(self, memory_id: str, copy_path: Path) -> dict[str, Path]:
        """The copies of other memories that said what this copy says, and went with it."""
        ours = self.copies(memory_id).get(copy_path)
        found: dict[str, Path] = {}
        if ours is None:
            return found
        for other, theirs in self._copy_ids.items():
            for filed in theirs if other != memory_id else ():
                if filed.memory is not None and _went_together(ours, filed.memory):
                    found.setdefault(other, filed.path)
        return found

    def new_path(self, memory_id: str, name: str = "") -> Path:
        """Where a memory's file goes; `name` when it had one of its own.

        Raises OSError when a file is there that the disk does not let us read.
        """
        named = self._home.memory / name
        if name and named.parent == self._home.memory and not named.exists():
            return named
        path = self._home.memory / f"{_safe(memory_id)}.md"
        if path in self._unread:
            raise self._unread[path]
        return path

    def new_copy_path(self, memory_id: str, data: bytes) -> Path:
        """Where the copy of a memory's file goes; an older copy of other words stays."""
        path = self._home.superseded / f"{_safe(memory_id)}.md"
        more = 1
        while (there := files.read_bytes(path)) and not _is_copy_of(there, data):
            more += 1
            path = path.with_name(f"{memory_id}-{more}.md")
        return path

    def known(self, memory_id: str) -> Memory | None:
        """A memory as it last stood under a fitting seal, live or not."""
        filed = self._live_ids.get(memory_id)
        if filed and filed.memory:
            return filed.memory
        kept = self._index.file_of(memory_id)
        return from_bytes(kept) if kept and is_sealed(kept, self._home.seal) else None

    def _refresh_live(self) -> bool:
        self._folder.seal_what_is_left()
        folder, found = self._home.memory, stamps(self._home.memory)
        if found == self._live_stamps:
            return False
        gone = [folder / name for name in self._live_stamps.keys() - found.keys()]
        changed = [name for name, stamp in found.items() if self._live_stamps.get(name) != stamp]
        new = [folder / name for name in sorted(changed)]
        unread = set(self._unread)
        try:
            for path in gone:
                self._drop_live(path)
            sealed = self._read(new, found)
            if orphans := [
                path
                for path, filed in self._live.items()
                if filed.twin_of and filed.twin_of not in self._live_ids
            ]:
                sealed |= self._read(orphans, found)
        finally:
            self._live_stamps = {path.name: filed.stamp for path, filed in self._live.items()}
        if not gone and not set(new) - (unread & self._unread.keys()):
            return False
        self._index.keep_files(sealed)
        self._find_same()
        return True

    def _read(self, paths: list[Path], found: dict[str, Stamp]) -> dict[str, bytes]:
        """Read files anew; gives the bytes of those that are sealed, by memory.

        Of files that claim one id the first is its memory: that of the id's own name, else one
        that is sealed.
        """
        looked_at: list[LookedAt] = []
        for path in paths:
            refused: OSError | None = None
            try:
                file = self._folder.look_at(path, found[path.name])
            except OSError as error:
                self._folder.say_unread(path, error)
                file, refused = Filed(path, UNREAD, None), error
            if isinstance(file, LookedAt):
                looked_at.append(file)
                continue
            self._drop_live(path)
            if file is not None:
                self._live[path] = file
            if refused is not None:
                self._unread[path] = refused
        sealed: dict[str, bytes] = {}
        for file in sorted(looked_at, key=_most_original_first):
            holder = self._live_ids.get(file.claimed.id)
            filed = self._folder.judge(
                file, holder if holder and holder.path != file.path else None
            )
            self._drop_live(file.path)
            self._live[file.path] = filed
            if filed.memory is not None:
                self._live_ids[filed.memory.id] = filed
                if filed.sealed:
                    sealed[filed.memory.id] = filed.sealed
        return sealed

    def _find_same(self) -> None:
        """Of memories of the very same words one is used: the person's own, else the oldest."""
        first: dict[tuple[str, str], Memory] = {}
        self._same = {}
        standing = [filed.memory for filed in self._live_ids.values() if filed.memory]
        for memory in sorted(standing, key=lambda one: (one.source != "you", one.created, one.id)):
            # The same words about two computers are two facts.
            says = " ".join(memory.text.split()), memory.provenance.host.casefold()
            used = first.setdefault(says, memory) if memory.stands else memory
            if used is not memory:
                self._same[memory.id] = used.id
                self._home.notes.say(
                    f"The memory files {self._live_ids[used.id].path.name} and "
                    f"{self._live_ids[memory.id].path.name} say the same; the first is used.",
                    where=self._live_ids[memory.id].path.name,
                )

    def _seen(self, memory: Memory) -> Memory:
        used = self._same.get(memory.id)
        return replace(memory, same_as=used) if used else memory

    def _drop_live(self, path: Path) -> None:
        self._unread.pop(path, None)
        filed = self._live.pop(path, None)
        if filed is not None and filed.memory is not None:
            self._live_ids.pop(filed.memory.id, None)

    def _refresh_copies(self) -> bool:
        folder, found = self._home.superseded, stamps(self._home.superseded)
        if found == self._copy_stamps:
            return False
        copies: dict[Path, Filed] = {}
        for name, stamp in sorted(found.items()):
            path = folder / name
            old = self._copies.get(path)
            copies[path] = (
                old
                if old is not None and old.stamp == stamp
                else read_copy(self._home, path, stamp, self._folder.fresh_key)
            )
        if copies == self._copies:
            return False
        self._copies = copies
        self._copy_stamps = {path.name: filed.stamp for path, filed in copies.items()}
        self._copy_ids = {}
        for filed in sorted(self._copies.values(), key=_ended, reverse=True):
            if filed.memory is not None:
                self._copy_ids.setdefault(filed.memory.id, []).append(filed)
        return True


def _safe(memory_id: str) -> str:
    if not _SAFE_ID.match(memory_id):
        raise ConchError(f"“{memory_id[:40]}” is no memory's id.", "Nothing changed.")
    return memory_id


def _most_original_first(file: LookedAt) -> tuple[bool, bool, int, str]:
    name = file.path.name
    return file.path.stem != file.claimed.id, not file.fits, len(name), name


def _ended(copy: Filed) -> tuple[float, int]:
    memory = copy.memory
    if memory is None or memory.invalid_at is None:
        return 0.0, 0
    return memory.invalid_at.timestamp(), _number(copy.path, memory.id)


def _number(path: Path, memory_id: str) -> int:
    """Which copy of a memory this is by its name: "m_1.md" the first, "m_1-2.md" the second.

    0 for a name that is not its own.
    """
    if path.stem == memory_id:
        return 1
    more = path.stem.removeprefix(f"{memory_id}-")
    return int(more) if more.isdecimal() and more != path.stem else 0


def _went_together(one: Memory, other: Memory) -> bool:
    return (one.invalid_at, one.superseded_by) == (
        other.invalid_at,
        other.superseded_by,
    ) and same_words(one, other)


def _is_copy_of(copy: bytes, data: bytes) -> bool:
    try:
        return original_of(copy) == data
    except Unreadable:
        return False
