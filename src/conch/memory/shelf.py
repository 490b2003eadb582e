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
from conch.memory.reading import Filed, LiveFolder, LookedAt, Stamp, read_copy, stamps
from conch.memory.sealed import from_bytes, is_sealed
from conch.memory.search_index import SearchIndex

_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")


class Shelf:
    """The files of one home's memories. Not safe for threads by itself."""

    def __init__(self, home: Home, index: SearchIndex, *, writes: bool) -> None:
        self._home = home
        self._index = index
        self._folder = LiveFolder(home, self.known, writes=writes)
        self._live: dict[Path, Filed] = {}
        self._copies: dict[Path, Filed] = {}
        self._live_ids: dict[str, Filed] = {}
        self._copy_ids: dict[str, Filed] = {}
        self._same: dict[str, str] = {}

    def refresh(self) -> bool:
        """Read what changed since; whether anything did."""
        changed = self._refresh_live()
        changed = self._refresh_copies() or changed
        # Whatever is new from now on is younger than the key.
        self._folder.fresh_key = False
        if changed:
            self._index.set([*self.live(), *self.earlier()])
        return changed

    def live(self) -> list[Memory]:
        """Live memories, the oldest first; those that only say what another says come last."""
        found = [self._seen(filed.memory) for filed in self._live_ids.values() if filed.memory]
        return sorted(found, key=lambda one: (bool(one.same_as), one.created, one.id))

    def earlier(self) -> list[Memory]:
        """Copies of what used to be true, the latest ended first; not those half moved."""
        found = [
            filed.memory
            for memory_id, filed in self._copy_ids.items()
            if filed.memory and memory_id not in self._live_ids
        ]
        return sorted(
            found, key=lambda memory: (memory.invalid_at or memory.updated, memory.id), reverse=True
        )

    def get(self, memory_id: str) -> Memory | None:
        filed = self._live_ids.get(memory_id)
        return self._seen(filed.memory) if filed and filed.memory else None

    def get_earlier(self, memory_id: str) -> Memory | None:
        filed = self._copy_ids.get(memory_id)
        return filed.memory if filed else None

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
            live, copy = self.get(memory_id), self.get_earlier(memory_id)
            if live is not None and copy is not None and live.text == copy.text:
                found.add(memory_id)
        return found

    def copy_path(self, memory_id: str) -> Path | None:
        """The copy of a memory, one that is left out too."""
        filed = self._copy_ids.get(memory_id)
        if filed is not None:
            return filed.path
        path = self._home.superseded / f"{_safe(memory_id)}.md"
        return path if path in self._copies else None

    def new_path(self, memory_id: str, name: str = "") -> Path:
        """Where a memory's file goes; `name` when it had one of its own."""
        named = self._home.memory / name
        if name and named.parent == self._home.memory and not named.exists():
            return named
        return self._home.memory / f"{_safe(memory_id)}.md"

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
        found = dict(stamps(self._home.memory))
        gone = [path for path in self._live if path not in found]
        new = [
            path
            for path, stamp in found.items()
            if path not in self._live or self._live[path].stamp != stamp
        ]
        if not gone and not new:
            return False
        for path in gone:
            self._drop_live(path)
        sealed = self._read(new, found)
        if orphans := [
            path
            for path, filed in self._live.items()
            if filed.twin_of and filed.twin_of not in self._live_ids
        ]:
            sealed |= self._read(orphans, found)
        self._index.keep_files(sealed)
        self._find_same()
        return True

    def _read(self, paths: list[Path], found: dict[Path, Stamp]) -> dict[str, bytes]:
        """Read files anew; gives the bytes of those that are sealed, by memory.

        Of files that claim one id the first is its memory: that of the id's own name, else one
        that is sealed.
        """
        looked_at: list[LookedAt] = []
        for path in paths:
            file = self._folder.look_at(path, found[path])
            if isinstance(file, LookedAt):
                looked_at.append(file)
                continue
            self._drop_live(path)
            if file is not None:
                self._live[path] = file
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
        filed = self._live.pop(path, None)
        if filed is not None and filed.memory is not None:
            self._live_ids.pop(filed.memory.id, None)

    def _refresh_copies(self) -> bool:
        found = dict(stamps(self._home.superseded))
        old = {path: filed.stamp for path, filed in self._copies.items()}
        if found == old:
            return False
        self._copies = {
            path: self._copies[path]
            if old.get(path) == stamp
            else read_copy(self._home, path, stamp, self._folder.fresh_key)
            for path, stamp in found.items()
        }
        self._copy_ids = {}
        for filed in self._copies.values():
            if filed.memory is not None:
                self._copy_ids.setdefault(filed.memory.id, filed)
        return True


def _safe(memory_id: str) -> str:
    if not _SAFE_ID.match(memory_id):
        raise ConchError(f"“{memory_id[:40]}” is no memory's id.", "Nothing changed.")
    return memory_id


def _most_original_first(file: LookedAt) -> tuple[bool, bool, int, str]:
    name = file.path.name
    return file.path.stem != file.claimed.id, not file.fits, len(name), name


def _is_copy_of(copy: bytes, data: bytes) -> bool:
    try:
        return original_of(copy) == data
    except Unreadable:
        return False
