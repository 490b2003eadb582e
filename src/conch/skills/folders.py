"""A skill's folder on disk: reading it without following links, its hash, bringing one in."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from conch.guard.skill_scan import LARGEST_FILE, MOST_FILES
from conch.home.errors import ConchError
from conch.home.files import make_folder, sync_folder, write_atomic

DOCUMENT = "SKILL.md"
SIGNATURE = "SKILL.sig"
_DEEPEST = 4
_LARGEST_BROUGHT = 5_000_000
_MOST_BROUGHT = 20_000_000
_MOST_SQUEEZED = 200
_MOST_READ = LARGEST_FILE * 4
_MOST_MARKS = 2_000
_NOTHING_KEPT = "Nothing was brought in."


@dataclass(frozen=True)
class Folder:
    """A skill's files, path in the folder to bytes; `left_out` were links, too deep or too many.

    `marks` stand for what was not read (links, what lies too deep, the rest of a large file): where
    it leads or how large and how old it is, so that the hash changes with it.
    """

    files: Mapping[str, bytes]
    left_out: int = 0
    marks: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """One hash over every path and its bytes: it changes when anything does."""
        return self._hash(self.files)

    @property
    def signed_hash(self) -> str:
        """The hash a signature is over: of everything but the signature itself."""
        return self._hash([name for name in self.files if name != SIGNATURE])

    @property
    def read_whole(self) -> bool:
        """Whether every byte in the folder was read: only then can a signature stand for it."""
        return not self.left_out and not self.marks

    def _hash(self, names: Iterable[str]) -> str:
        whole = hashlib.sha256()
        for name in sorted(names):
            data = self.files[name]
            whole.update(f"{len(name.encode())}:{name}:{len(data)}:".encode())
            whole.update(data)
        whole.update(f":{self.left_out}".encode())
        for mark in sorted(self.marks):
            whole.update(f"\0{mark}".encode("utf-8", "surrogateescape"))
        return whole.hexdigest()


def read_folder(path: Path) -> Folder:
    """The files of a skill's folder. Links are never followed. Raises OSError."""
    found: dict[str, bytes] = {}
    marks: list[str] = []
    left_out = 0
    for root, folders, names in os.walk(path, followlinks=False):
        here = Path(root)
        depth = len(here.relative_to(path).parts)
        inner = [name for name in folders if not (here / name).is_symlink() and name != ".git"]
        links = [name for name in folders if (here / name).is_symlink()]
        deeper = inner if depth >= _DEEPEST else []
        left_out += len(links) + len(deeper)
        marks += [_mark(here / name, path) for name in links]
        marks += [mark for name in deeper for mark in _marks_below(here / name, path)]
        folders[:] = sorted(inner) if depth < _DEEPEST else []
        for name in sorted(names):
            file = here / name
            mode = file.lstat().st_mode
            if not stat.S_ISREG(mode) or len(found) >= MOST_FILES:
                left_out += 1
                marks.append(_mark(file, path))
                continue
            with file.open("rb") as opened:
                found[file.relative_to(path).as_posix()] = opened.read(_MOST_READ)
                if opened.read(1):
                    marks.append(_mark(file, path))
    return Folder(found, left_out, tuple(marks))


def _mark(file: Path, folder: Path) -> str:
    """What stands for a file that isn't read: it changes when the file does."""
    stat_of = file.lstat()
    leads = os.readlink(file) if stat.S_ISLNK(stat_of.st_mode) else ""  # noqa: PTH115
    return f"{file.relative_to(folder)}:{leads}:{stat_of.st_size}:{stat_of.st_mtime_ns}"


def _marks_below(folder: Path, top: Path) -> list[str]:
    marks = [_mark(folder, top)]
    for root, _, names in os.walk(folder, followlinks=False):
        marks += [_mark(Path(root) / name, top) for name in sorted(names)]
        if len(marks) > _MOST_MARKS:
            break
    return marks[:_MOST_MARKS]


def from_outside(source: Path) -> dict[str, bytes]:
    """The files of a folder or zip a person brings in, with SKILL.md at the top.

    Raises ConchError, with nothing kept, for links, paths that lead out, anything too large, an
    archive that unpacks to far more than it is, and where there is no SKILL.md.
    """
    try:
        files = _of_zip(source) if zipfile.is_zipfile(source) else _of_folder(source)
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise ConchError(f"{source} can't be read ({error}).", _NOTHING_KEPT) from None
    return _with_document_on_top(files, source)


def write_folder(into: Path, name: str, files: Mapping[str, bytes]) -> Path:
    """Write a skill's folder whole or not at all. Raises ConchError when there is one already."""
    path = into / name
    if path.exists():
        raise ConchError(f"There is a skill {name} already.", "It is left as it is.")
    _written_beside(into, name, files).rename(path)
    sync_folder(into)
    return path


def _written_beside(into: Path, name: str, files: Mapping[str, bytes]) -> Path:
    make_folder(into)
    coming = into / f".{name}.coming"
    shutil.rmtree(coming, ignore_errors=True)
    for inner, data in files.items():
        target = coming / inner
        make_folder(target.parent)
        write_atomic(target, data)
    return coming


def replace_folder(into: Path, name: str, files: Mapping[str, bytes]) -> Path:
    """Put another version of a skill's folder in place of the one there, whole or not at all.

    What was cut off in between is put right by `mend_folders`.
    """
    path, before = into / name, into / f".{name}.before"
    shutil.rmtree(before, ignore_errors=True)
    coming = _written_beside(into, name, files)
    path.rename(before)
    coming.rename(path)
    sync_folder(into)
    shutil.rmtree(before, ignore_errors=True)
    return path


def mend_folders(into: Path) -> None:
    """Put right what a crash left of `replace_folder`: a version that was taken away is back."""
    for before in into.glob(".*.before"):
        path = into / before.name.removeprefix(".").removesuffix(".before")
        if path.exists():
            shutil.rmtree(before, ignore_errors=True)
        else:
            before.rename(path)
    for coming in into.glob(".*.coming"):
        shutil.rmtree(coming, ignore_errors=True)


def _of_folder(source: Path) -> dict[str, bytes]:
    if not source.is_dir() or source.is_symlink():
        raise ConchError(f"{source} is no folder and no zip.", _NOTHING_KEPT)
    folder = read_folder(source)
    if folder.left_out:
        what = f"{source} has links, or more or deeper folders than a skill has."
        raise ConchError(what, _NOTHING_KEPT, "Take them out first.")
    for name, data in folder.files.items():
        _small_enough(name, len(data))
    return dict(folder.files)


def _of_zip(source: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(source) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_FILES:
            raise ConchError(f"{source} holds more than {MOST_FILES} files.", _NOTHING_KEPT)
        total = 0
        for entry in entries:
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise ConchError(f"{source} holds a link ({entry.filename}).", _NOTHING_KEPT)
            name = _inside(entry.filename, source)
            _small_enough(name, entry.file_size)
            if entry.file_size > _MOST_SQUEEZED * max(entry.compress_size, 64):
                raise ConchError(f"{source} unpacks to far more than it is.", _NOTHING_KEPT)
            with archive.open(entry) as opened:
                # The size an archive tells of itself is only a claim.
                data = opened.read(_LARGEST_BROUGHT + 1)
            _small_enough(name, len(data))
            total += len(data)
            if total > _MOST_BROUGHT:
                raise ConchError(f"{source} unpacks to too much.", _NOTHING_KEPT)
            if name in files:
                raise ConchError(f"{source} holds {name} twice.", _NOTHING_KEPT)
            files[name] = data
    return files


def _inside(name: str, source: Path) -> str:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    outside = name.startswith(("/", "\\")) or ".." in parts or any(":" in part for part in parts)
    if outside or not parts or any(ord(char) < 32 for char in name):
        raise ConchError(f"{source} holds a path that leads out of it ({name}).", _NOTHING_KEPT)
    return "/".join(parts)


def _small_enough(name: str, size: int) -> None:
    if size > _LARGEST_BROUGHT:
        raise ConchError(f"{name} is larger than 5 MB.", _NOTHING_KEPT)


def _with_document_on_top(files: dict[str, bytes], source: Path) -> dict[str, bytes]:
    kept = {name: data for name, data in files.items() if not name.startswith("__MACOSX/")}
    if DOCUMENT in kept:
        return kept
    tops = {name.split("/", 1)[0] for name in kept if "/" in name}
    if len(tops) == 1 and f"{(top := tops.pop())}/{DOCUMENT}" in kept:
        return {n.removeprefix(f"{top}/"): d for n, d in kept.items() if n.startswith(f"{top}/")}
    raise ConchError(f"{source} holds no {DOCUMENT}.", _NOTHING_KEPT, "Is it one skill's folder?")
