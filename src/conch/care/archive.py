"""A backup as one file: a tar of `key.age` (when a passphrase opens it) and `home.tar.gz.age`.

Both are in the age format (age-encryption.org/v1), so a backup can be opened without Conch: the
passphrase opens `key.age`, what is in it opens the other. Nothing that was not encrypted and
authenticated whole is ever read as an archive.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import tarfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from conch.care.contents import is_kept
from conch.home.errors import ConchError, Damaged
from conch.home.files import make_folder, sync_folder

if TYPE_CHECKING:
    from pyrage import ssh, x25519
    from typing_extensions import Buffer

    Identity = x25519.Identity | ssh.Identity
    Recipient = x25519.Recipient | ssh.Recipient

VERSION = 1
_KEY, _HOME = "key.age", "home.tar.gz.age"
_MANIFEST = "manifest.json"
_KEY_AT_MOST = 1 << 16
_MANIFEST_AT_MOST = 1 << 29
_CHUNK = 1 << 20
_DISK_LEFT_OVER = 64 << 20


class KeptFile(BaseModel):
    """One file of a backup: its path in the home, bytes, and SHA-256 in hex."""

    path: str
    size: int
    sha256: str


class Manifest(BaseModel):
    """What a backup says of itself. `made_at` is ISO 8601, UTC; `conch`: the version it is of.

    `gone`: what went while the backup was made, so that it is in the archive and not in the backup.
    """

    model_config = ConfigDict(extra="ignore")

    version: int
    made_at: str
    host: str = ""
    conch: str = ""
    files: list[KeptFile] = []
    gone: list[str] = []


def write_archive(
    path: Path,
    recipients: Iterable[Recipient],
    key: bytes,
    fill: Callable[[Filling], Manifest],
) -> Manifest:
    """Write the backup at `path`, whole or not at all; on disk when this returns.

    `key`: the encrypted identity that goes with it, b"" for none. `fill` puts the files in and
    gives the manifest, to which the files are added. Raises OSError, and what `fill` raises.
    """
    from pyrage import encrypt_io

    make_folder(path.parent)
    beside = path.with_name(f".{path.name}.{os.getpid()}-0.new")
    try:
        with beside.open("wb") as file:
            beside.chmod(0o600)
            if key:
                _member(file, _KEY, key)
            start = file.tell()
            file.write(bytes(tarfile.BLOCKSIZE))
            with _filled(fill) as filler:
                encrypt_io(filler.plain, _Through(file), list(recipients))
                manifest = filler.ended()
            size = file.tell() - start - tarfile.BLOCKSIZE
            file.write(bytes(-size % tarfile.BLOCKSIZE + 2 * tarfile.BLOCKSIZE))
            file.seek(start)
            file.write(_header(_HOME, size))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)
    return manifest


class Filling:
    """Where the files of a backup are put, one after another; of one path the last counts.

    `refused`: files the disk would not let be read.
    """

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.files: dict[str, KeptFile] = {}
        self.gone: set[str] = set()
        self.refused: set[str] = set()

    def take_out(self, path: PurePosixPath) -> None:
        """Have a file that was put in count no more."""
        if self.files.pop(str(path), None) is not None:
            self.gone.add(str(path))

    def add(self, path: PurePosixPath, data: bytes, executable: bool = False) -> None:
        """Put a file in."""
        self._put(path, io.BytesIO(data), len(data), executable)

    def add_file(self, path: PurePosixPath, source: Path) -> None:
        """Put a file in, as long as it is at this moment. One that is gone is passed over, one the
        disk refuses is told under `refused`."""
        try:
            file = source.open("rb")
        except FileNotFoundError:
            return
        except OSError:
            self.refused.add(str(path))
            return
        with file:
            stat = os.fstat(file.fileno())
            self._put(path, file, stat.st_size, bool(stat.st_mode & 0o100))

    def _put(self, path: PurePosixPath, source: IO[bytes], size: int, executable: bool) -> None:
        info = tarfile.TarInfo(str(path))
        info.size, info.mode = size, 0o700 if executable else 0o600
        hashed = _Hashed(source, size)
        self._tar.addfile(info, hashed)
        self.gone.discard(str(path))
        self.files[str(path)] = KeptFile(path=str(path), size=size, sha256=hashed.hexdigest())


@contextlib.contextmanager
def _filled(fill: Callable[[Filling], Manifest]) -> Iterator[_Filler]:
    """The plain archive, written by a thread as it is read; the thread has ended at the end."""
    filler = _Filler(fill)
    try:
        yield filler
    finally:
        # With nobody reading, the thread's next write fails and it ends.
        filler.plain.close()
        filler.thread.join()


class _Filler:
    """The thread that writes the plain archive into a pipe, and the pipe's end to read from."""

    def __init__(self, fill: Callable[[Filling], Manifest]) -> None:
        reading, writing = os.pipe()
        self.plain = os.fdopen(reading, "rb")
        self._out = os.fdopen(writing, "wb")
        self._fill = fill
        self._manifest: Manifest | None = None
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="backup", daemon=True)
        self.thread.start()

    def ended(self) -> Manifest:
        """Wait for its end; gives the manifest. Raises what went wrong in it."""
        self.thread.join()
        if self._manifest is None:
            raise self._error or OSError("The backup was not finished.")
        return self._manifest

    def _run(self) -> None:
        try:
            with (
                self._out as out,
                gzip.GzipFile(mode="wb", fileobj=out, compresslevel=6, mtime=0) as packed,
                tarfile.open(mode="w|", fileobj=packed) as tar,
            ):
                filling = Filling(tar)
                manifest = self._fill(filling)
                files = sorted(filling.files.values(), key=lambda file: file.path)
                here = {"files": files, "gone": sorted(filling.gone)}
                manifest = manifest.model_copy(update=here)
                data = manifest.model_dump_json().encode()
                info = tarfile.TarInfo(_MANIFEST)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
            self._manifest = manifest
        except BaseException as error:
            self._error = error


class _Hashed(io.RawIOBase):
    """A file read to exactly `size` bytes: what is missing at its end is filled with zeros."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        self._source = source
        self._left = size
        self._sum = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        wanted = self._left if size < 0 else min(size, self._left)
        data = self._source.read(wanted)
        data += bytes(wanted - len(data))
        self._left -= len(data)
        self._sum.update(data)
        return data

    def hexdigest(self) -> str:
        return self._sum.hexdigest()


class _Through(io.BufferedIOBase):
    """A file for writing whose end the library must not close."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        return self._file.write(data)


def key_of(path: Path) -> bytes:
    """The encrypted identity in a backup, b"" for none. Raises ConchError, OSError."""
    with _opened(path) as members:
        for name, file, size in members:
            if name == _KEY:
                return file.read(min(size, _KEY_AT_MOST))
    return b""


def decrypt_archive(path: Path, identities: Iterable[Identity], to: Path) -> None:
    """Write what is encrypted in the backup at `path` to the file `to`.

    Nothing of it can be believed before this returns. Raises Damaged, ConchError, OSError.
    """
    from pyrage import DecryptError, decrypt_io

    with _opened(path) as members:
        for name, file, _ in members:
            if name != _HOME:
                continue
            with to.open("wb") as out:
                to.chmod(0o600)
                try:
                    decrypt_io(file, _Through(out), list(identities))
                except DecryptError:
                    raise ConchError(
                        "This key doesn't open this backup.", _NOTHING_CHANGED, _OTHER_KEY
                    ) from None
                except OSError as error:
                    if error.errno is not None:
                        raise
                    raise Damaged(
                        "This backup is damaged or was cut short.", _NOTHING_CHANGED, _OTHER_ONE
                    ) from None
            return
    raise _no_backup()


def unpack(archive: Path, to: Path, room: int) -> Manifest:
    """Unpack a decrypted archive into the folder `to`, every file checked against the manifest.

    `room`: bytes the disk has. Raises Damaged when it holds anything a backup does not.
    """
    left = room - _DISK_LEFT_OVER
    found: dict[str, KeptFile] = {}
    manifest = None
    try:
        with tarfile.open(archive, mode="r|gz") as tar:
            for info in tar:
                file = tar.extractfile(info) if info.isreg() else None
                if file is None or manifest is not None:
                    raise _no_backup()
                if info.name == _MANIFEST:
                    if info.size > _MANIFEST_AT_MOST:
                        raise _no_backup()
                    manifest = Manifest.model_validate_json(file.read())
                    continue
                path = _inside(info.name)
                left -= info.size
                if left < 0:
                    raise ConchError(
                        "There is not enough room on the disk to look into this backup.",
                        _NOTHING_CHANGED,
                        "Make room and try again.",
                    )
                found[str(path)] = _extract(file, path, to, bool(info.mode & 0o100))
    except (tarfile.TarError, EOFError, ValidationError, ValueError) as error:
        raise _no_backup() from error
    if manifest is None:
        raise _no_backup()
    for name in found.keys() & set(manifest.gone):
        (to / name).unlink()
        del found[name]
    if sorted(found.values(), key=_path) != sorted(manifest.files, key=_path):
        raise _no_backup()
    if manifest.version > VERSION:
        raise ConchError(
            f"This backup was made by a newer Conch ({manifest.conch}).",
            _NOTHING_CHANGED,
            "Install that version first.",
        )
    return manifest


_NOTHING_CHANGED = "Nothing was changed."
_OTHER_KEY = "Give the passphrase or the key it was made with."
_OTHER_ONE = "Try another one: conch backup list"


def _no_backup() -> Damaged:
    return Damaged("This is no backup of Conch's.", _NOTHING_CHANGED, _OTHER_ONE)


def _path(file: KeptFile) -> str:
    return file.path


def _inside(name: str) -> PurePosixPath:
    """The path of a member. Raises Damaged when no backup holds such a one."""
    path = PurePosixPath(name)
    odd = {"", ".", ".."} & set(name.split("/")) or "\\" in name or "\0" in name
    if path.is_absolute() or odd or not is_kept(path):
        raise _no_backup()
    return path


def _extract(file: IO[bytes], path: PurePosixPath, to: Path, executable: bool) -> KeptFile:
    target = to / path
    try:
        make_folder(target.parent)
        if target.exists():
            target.unlink()
        fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700 if executable else 0o600)
    except (FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError):
        # A file where a folder must be, or the other way round.
        raise _no_backup() from None
    summed, size = hashlib.sha256(), 0
    with os.fdopen(fd, "wb") as out:
        while data := file.read(_CHUNK):
            out.write(data)
            summed.update(data)
            size += len(data)
    return KeptFile(path=str(path), size=size, sha256=summed.hexdigest())


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Iterator[tuple[str, io.BufferedReader, int]]]:
    with path.open("rb") as file:
        try:
            with tarfile.TarFile(fileobj=file, mode="r") as tar:
                yield _members(tar)
        except (tarfile.TarError, EOFError):
            raise _no_backup() from None


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, io.BufferedReader, int]]:
    while (info := tar.next()) is not None:
        file = tar.extractfile(info) if info.isreg() else None
        if file is None or info.name not in (_KEY, _HOME):
            raise _no_backup()
        yield info.name, cast(io.BufferedReader, file), info.size


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    return info.tobuf(tarfile.GNU_FORMAT)


def _member(file: IO[bytes], name: str, data: bytes) -> None:
    file.write(_header(name, len(data)))
    file.write(data + bytes(-len(data) % tarfile.BLOCKSIZE))
