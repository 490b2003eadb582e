"""A skill's folder on disk: reading it without following links, its hash, bringing one in."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from conch.guard.skill_scan import LARGEST_FILE, MOST_FILES
from conch.home.errors import ConchError
from conch.home.files import make_folder, sync_folder, write_atomic

DOCUMENT = "SKILL.md"
_DEEPEST = 4
_LARGEST_BROUGHT = 5_000_000
_MOST_BROUGHT = 20_000_000
_MOST_SQUEEZED = 200
_NOTHING_KEPT = "Nothing was brought in."


@dataclass(frozen=True)
class Folder:
    """A skill's files, path in the folder to bytes; `left_out` were links, too deep or too many."""

    files: Mapping[str, bytes]
    left_out: int = 0

    @property
    def hash(self) -> str:
        """One hash over every path and its bytes: it changes when anything does."""
        whole = hashlib.sha256()
        for name in sorted(self.files):
            data = self.files[name]
            whole.update(f"{len(name.encode())}:{name}:{len(data)}:".encode())
            whole.update(data)
        whole.update(f":{self.left_out}".encode())
        return whole.hexdigest()


def read_folder(path: Path) -> Folder:
    """The files of a skill's folder. Links are never followed. Raises OSError."""
    found: dict[str, bytes] = {}
    left_out = 0
    for root, folders, names in os.walk(path, followlinks=False):
        here = Path(root)
        depth = len(here.relative_to(path).parts)
        inner = [name for name in folders if not (here / name).is_symlink() and name != ".git"]
        left_out += sum((here / name).is_symlink() for name in folders)
        folders[:] = sorted(inner) if depth < _DEEPEST else []
        left_out += len(inner) if depth >= _DEEPEST else 0
        for name in sorted(names):
            file = here / name
            mode = file.lstat().st_mode
            if not stat.S_ISREG(mode) or len(found) >= MOST_FILES:
                left_out += 1
                continue
            with file.open("rb") as opened:
                found[file.relative_to(path).as_posix()] = opened.read(LARGEST_FILE * 4)
    return Folder(found, left_out)


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
    make_folder(into)
    coming = into / f".{name}.coming"
    shutil.rmtree(coming, ignore_errors=True)
    for inner, data in files.items():
        target = coming / inner
        make_folder(target.parent)
        write_atomic(target, data)
    coming.rename(path)
    sync_folder(into)
    return path


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
