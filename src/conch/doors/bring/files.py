"""What may hold chats: a file, the files of a folder, the entries of a zip read in place."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any

HEAD_BYTES = 65_536
_BUFFER = 1024 * 1024
_ENDINGS = (".json", ".jsonl", ".ndjson", ".md", ".zip", ".db", ".sqlite", ".vscdb")
_RENAMED = (".jsonl.reset", ".jsonl.deleted", ".jsonl.bak")
_NOT_ENTERED = frozenset({".git", "node_modules", "__pycache__", ".venv", "__MACOSX"})

Seen = Callable[[int], None]
"""Told how many bytes were read just now."""


@dataclass(frozen=True)
class Source:
    """One file that may hold chats. `name`: its path within what was given. `modified`: UTC.

    `begin()` opens it at its start, as often as wanted; `beside(name)` gives a file by its path
    from the folder this one is in, None when there is none.
    """

    name: str
    size: int
    modified: datetime | None
    begin: Callable[[], IO[bytes]]
    beside: Callable[[str], Source | None] = field(default=lambda name: None, compare=False)

    @property
    def file_name(self) -> str:
        return PurePosixPath(self.name).name

    def head(self) -> bytes:
        """The first bytes. Raises OSError (or what a damaged zip raises)."""
        with self.begin() as file:
            return file.read(HEAD_BYTES)


def bytes_source(name: str, data: bytes, modified: datetime | None = None) -> Source:
    """A file that is in memory."""
    return Source(name, len(data), modified, lambda: io.BytesIO(data))


def sources_in(path: Path) -> Iterator[Source]:
    """Every file at `path` that may hold chats, in the order of their names.

    A zip is read in place; links out of a folder are not followed. Raises OSError when `path`
    itself cannot be read.
    """
    if not path.is_dir():
        yield from _opened(path, path.name)
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(one for one in folders if one not in _NOT_ENTERED)
        for name in sorted(names):
            file = Path(folder, name)
            if may_hold_chats(name) and file.is_file() and not file.is_symlink():
                yield from _opened(file, file.relative_to(path).as_posix())


def may_hold_chats(name: str) -> bool:
    """Whether a file of this name is worth a look."""
    name = name.casefold()
    return name.endswith(_ENDINGS) or any(part in name for part in _RENAMED)


def _opened(path: Path, name: str) -> Iterator[Source]:
    if path.suffix.casefold() == ".zip" or (path.suffix == "" and zipfile.is_zipfile(path)):
        yield from _in_zip(path, name)
        return
    yield _on_disk(path, name)


def _on_disk(path: Path, name: str) -> Source:
    stat = path.stat()

    def beside(other: str) -> Source | None:
        file = path.parent / other
        if ".." in PurePosixPath(other).parts or not file.is_file():
            return None
        return _on_disk(file, (PurePosixPath(name).parent / other).as_posix())

    modified = datetime.fromtimestamp(stat.st_mtime, UTC)
    return Source(name, stat.st_size, modified, lambda: path.open("rb"), beside)


def _in_zip(path: Path, name: str) -> Iterator[Source]:
    # Kept open as long as one of its sources is there to be read.
    archive = zipfile.ZipFile(path)
    entries = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}

    def source(entry: zipfile.ZipInfo) -> Source:
        folder = PurePosixPath(entry.filename).parent

        def beside(other: str) -> Source | None:
            found = entries.get((folder / other).as_posix())
            return source(found) if found is not None else None

        return Source(
            f"{name}/{entry.filename}",
            entry.file_size,
            _zip_time(entry),
            lambda: archive.open(entry),
            beside,
        )

    for filename in sorted(entries):
        inside = PurePosixPath(filename)
        if may_hold_chats(inside.name) and not _NOT_ENTERED & set(inside.parts):
            yield source(entries[filename])


def _zip_time(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time, tzinfo=UTC)
    except ValueError:
        return None


def counted(file: IO[bytes], seen: Seen) -> IO[bytes]:
    """The same file, telling how much of it was read; closing it closes the file."""
    return io.BufferedReader(_Counted(file, seen), _BUFFER)


class _Counted(io.RawIOBase):
    def __init__(self, file: IO[bytes], seen: Seen) -> None:
        self._file = file
        self._seen = seen

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._seen(len(data))
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
