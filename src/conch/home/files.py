"""Writing files so that a crash at any instant leaves the old or the new, never a half.

Everything that must be on disk goes through `_fsync`, so that a test can take it away and see that
the loss is noticed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from conch.home.clock import Clock

try:
    import fcntl
except ImportError:  # Windows: the home's one writer lock is all there is.
    fcntl = None


def _fsync(fd: int) -> None:
    """The one place where Conch waits for the disk."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if fcntl is not None and full is not None:
        # On macOS, fsync alone leaves the data in the drive's own memory.
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, full)
            return
    os.fsync(fd)


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Put `data` at `path`, whole or not at all; on disk when this returns.

    Raises OSError when the disk refuses; what was at `path` is then still there.
    """
    make_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(6)}.new")
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(fd, mode)
            _write_all(fd, data)
            _fsync(fd)
        finally:
            os.close(fd)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def clear_unfinished(folder: Path) -> None:
    """Remove what `write_atomic` left half-written in `folder` when its process died."""
    if fcntl is None:  # There is no harmless way to ask after a process on Windows.
        return
    for path in folder.glob(".*.new"):
        writer = path.name.split(".")[-2].partition("-")[0]
        if writer.isdigit() and (int(writer) == os.getpid() or not _lives(int(writer))):
            remove(path)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def read_bytes(path: Path) -> bytes:
    """The file's bytes, b"" when there is none. Raises OSError when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def move(path: Path, to: Path) -> None:
    """Move a file within the home, replacing `to`; on disk when this returns."""
    make_folder(to.parent)
    path.replace(to)
    sync_folder(to.parent)
    if path.parent != to.parent:
        sync_folder(path.parent)


class ChangedMeanwhile(OSError):
    """A file holds something else than what was read of it: somebody saved it meanwhile."""

    def __init__(self) -> None:
        super().__init__("its file was changed at this moment")


def remove(path: Path, as_read: bytes | None = None) -> None:
    """Remove a file, on disk when this returns. One that is not there is no error.

    With `as_read` only while it holds exactly that: it is looked at under another name, which
    nobody saves to. Raises ChangedMeanwhile else, with the file as it is now.
    """
    with contextlib.suppress(FileNotFoundError):
        if as_read is None:
            path.unlink()
        else:
            _remove_as_read(path, as_read)
        sync_folder(path.parent)


def _remove_as_read(path: Path, as_read: bytes) -> None:
    aside = path.with_name(f"{path.stem}.going{path.suffix}")
    path.rename(aside)
    if aside.read_bytes() == as_read:
        aside.unlink()
        return
    # Saved once more since, it stays under the other name: neither of the two is lost.
    if not path.exists():
        aside.rename(path)
    raise ChangedMeanwhile


def set_aside(path: Path, clock: Clock) -> Path:
    """Move a damaged file to `<name>.damaged-<time>` beside it; gives where it is now."""
    aside = aside_name(path, clock)
    move(path, aside)
    return aside


def aside_name(path: Path, clock: Clock, why: str = "damaged") -> Path:
    """A free name `<name>.<why>-<time>` beside `path`."""
    stem = f"{path.name}.{why}-{clock.now():%Y%m%dT%H%M%SZ}"
    aside, more = path.with_name(stem), 1
    while aside.exists():
        more += 1
        aside = path.with_name(f"{stem}-{more}")
    return aside


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; only the owner may look inside (0700)."""
    if path.is_dir():
        return
    if path.parent != path:
        make_folder(path.parent)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if not path.is_dir():
            raise
        return
    path.chmod(0o700)
    sync_folder(path.parent)


def make_private(path: Path) -> None:
    """Have a file nobody else can read (0600), made empty when missing. Raises OSError.

    For files a library opens by itself; what it puts beside them takes their rights.
    """
    os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def append_line(path: Path, line: bytes) -> None:
    """Append `line` (with its newline) to `path`; on disk when this returns.

    Raises OSError when the disk refuses; the file is then as long as it was.
    """
    with appending(path) as file:
        file.append(line)


class Appending:
    """A file held for appending: nobody else appends or shortens it meanwhile."""

    def __init__(self, file: IO[bytes], folder: Path, is_new: bool) -> None:
        self._file = file
        self._folder = folder
        self._is_new = is_new

    @property
    def size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    @property
    def number(self) -> int:
        """Which file this is: another one at the same path has another number."""
        return os.fstat(self._file.fileno()).st_ino

    def read(self, start: int, length: int = -1) -> bytes:
        """Bytes from `start` on, at most `length` of them (-1: to the end)."""
        self._file.seek(start)
        return self._file.read(length)

    def append(self, line: bytes) -> None:
        """Append bytes; on disk when this returns. On OSError the file is as long as it was."""
        before = self.size
        try:
            _write_all(self._file.fileno(), line)
            _fsync(self._file.fileno())
        except BaseException:
            # What was not acknowledged must not be read later as if it had been.
            with contextlib.suppress(OSError):
                self.cut(before)
            raise
        if self._is_new:
            sync_folder(self._folder)
            self._is_new = False

    def cut(self, size: int) -> None:
        """Shorten the file to `size` bytes, on disk when this returns."""
        os.ftruncate(self._file.fileno(), size)
        _fsync(self._file.fileno())


@contextlib.contextmanager
def appending(path: Path, mode: int = 0o600) -> Iterator[Appending]:
    """Hold `path` for appending; made when missing. Others who want to append wait meanwhile."""
    make_folder(path.parent)
    is_new = not path.exists()
    fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, mode)
    with os.fdopen(fd, "r+b", buffering=0) as file:
        if fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        yield Appending(file, path.parent, is_new)


def sync_folder(folder: Path) -> None:
    """Make renames and new names in `folder` lasting, where the system can."""
    try:
        fd = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows cannot open a folder.
        return
    try:
        _fsync(fd)
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]
