"""Reads, writes, edits, lists and searches files: by real paths only, and within limits."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from conch.guard.protected import holds_keys
from conch.home.errors import ConchError
from conch.home.files import write_atomic

MOST_BYTES = 2_000_000
LONGEST_READ = 40_000
"""Characters of a file the model is given at a time."""
_MOST_LISTED = 400
_MOST_FOUND = 100
_MOST_SEARCHED = 5_000
_PASSED_OVER = {".git", "node_modules", ".venv", "__pycache__", ".cache", "dist", "build"}


def read_text(path: Path, first_line: int = 1, lines: int = 0) -> str:
    """The text of a file from `first_line` on; `lines` of them, 0 for as many as fit."""
    text = _text(path)
    if first_line > 1 or lines:
        kept = text.splitlines(keepends=True)[max(first_line - 1, 0) :]
        text = "".join(kept[:lines] if lines else kept)
    if len(text) > LONGEST_READ:
        shown = text[:LONGEST_READ].count("\n")
        return f"{text[:LONGEST_READ]}\n… it goes on: read from line {first_line + shown} …"
    return text


def write_text(path: Path, text: str) -> str:
    """Write a whole file; gives what was done, for the model."""
    data = text.encode("utf-8", "replace")
    if len(data) > MOST_BYTES:
        raise ConchError("That is too much for one file.", "Nothing was written.")
    if path.exists() and not _ordinary(path):
        raise ConchError(f"{path.name} is no ordinary file.", "Nothing was written.")
    was_there = path.exists()
    mode = stat.S_IMODE(path.stat().st_mode) if was_there else 0o644
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, data, mode)
    return f"{'Wrote over' if was_there else 'Wrote'} {path.name} ({len(text.splitlines())} lines)."


def edit_text(path: Path, old: str, new: str) -> str:
    """Replace the one place where `old` stands; gives what was done, for the model."""
    text = _text(path)
    count = text.count(old) if old else 0
    if count != 1:
        where = "nowhere" if count == 0 else f"in {count} places"
        raise ConchError(
            f"That text stands {where} in {path.name}.",
            "Nothing was changed.",
            "Read the file again and give a longer piece that stands there once.",
        )
    write_text(path, text.replace(old, new))
    return f"Edited {path.name}."


def list_folder(folder: Path) -> str:
    """What is in a folder, folders first, sizes in bytes."""
    if not folder.is_dir():
        raise ConchError(f"{folder.name} is no folder.")
    found = sorted(os.scandir(folder), key=lambda one: (not one.is_dir(), one.name))
    lines = [f"{one.name}/" if one.is_dir() else f"{one.name}  {_size(one)}" for one in found]
    more = len(lines) - _MOST_LISTED
    if more > 0:
        lines = [*lines[:_MOST_LISTED], f"… and {more} more"]
    return "\n".join(lines) or "(empty)"


def search(folder: Path, query: str, names: str = "*") -> str:
    """Where a text (or a pattern) stands in the files below a folder: `file:line: text`."""
    try:
        pattern = re.compile(query, re.IGNORECASE)
    except re.error:
        pattern = re.compile(re.escape(query), re.IGNORECASE)
    found: list[str] = []
    for path in _below(folder, names):
        try:
            text = _text(path)
        except (ConchError, OSError):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line[:2_000]):
                found.append(f"{path.relative_to(folder)}:{number}: {line.strip()[:300]}")
                if len(found) == _MOST_FOUND:
                    return "\n".join([*found, "… there is more; search for something narrower"])
    return "\n".join(found) or "Nothing found."


def _below(folder: Path, names: str) -> Iterator[Path]:
    seen = 0
    for root, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        for name in sorted(files):
            path = Path(root) / name
            # Keys are found only by who asks for their file and is allowed.
            if holds_keys(str(path.relative_to(folder))):
                continue
            if fnmatch.fnmatch(name, names) and not path.is_symlink():
                seen += 1
                if seen > _MOST_SEARCHED:
                    return
                yield path


def _text(path: Path) -> str:
    if not path.exists():
        raise ConchError(f"There is no {path.name}.", do="List the folder to see what there is.")
    if not _ordinary(path):
        raise ConchError(f"{path.name} is no ordinary file.")
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(fd, "rb") as file:
        opened = f"/proc/self/fd/{fd}"
        if os.path.exists(opened) and os.readlink(opened) != str(path):  # noqa: PTH110, PTH115
            raise ConchError(f"{path.name} changed while it was opened.", "Nothing was read.")
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ConchError(f"{path.name} is too large to read.")
    if b"\0" in data[:8_000]:
        raise ConchError(f"{path.name} is no text.")
    return data.decode("utf-8", "replace")


def _ordinary(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0
