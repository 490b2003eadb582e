"""Copies of files from before and after each change, so that a chat's changes can be undone.

`undo/<hash>` is a file's content, once whatever it was called; `undo/<chat>.jsonl` says, a line a
change, which file went from which content to which. Kept 30 days, 1 GB in all.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from conch.home.errors import ConchError
from conch.home.files import append_line, make_folder, remove, write_atomic
from conch.home.home import Home

KEPT_FOR = timedelta(days=30)
KEPT_BYTES = 1_000_000_000
_PRUNED_EVERY = timedelta(hours=1)
LARGEST_FILE = 20_000_000
MOST_FILES = 2_000
MOST_BYTES_OF_A_FOLDER = 100_000_000
UNDO = "undo"
Direction = Literal["undo", "redo"]
Snapshot = dict[str, str]
"""Real path to content hash."""


class FileChange(BaseModel):
    """One file's content before and after, as hashes; "" where it was not there."""

    path: str
    before: str = ""
    after: str = ""
    mode: int = 0o644


class ChangeSet(BaseModel):
    """What one step changed. `undone`: it was taken back and not done again."""

    id: str
    at: datetime
    files: list[FileChange]
    undone: bool = False


@dataclass(frozen=True)
class Shown:
    """What will be done to one file. `changed_since`: it isn't as the step left it."""

    path: str
    what: Literal["put back", "changed back", "removed", "as it is"]
    changed_since: bool


class Copies:
    """The copies of one home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._folder = home.root / UNDO
        self._hashed: dict[tuple[str, int, int, int], str] = {}
        self._pruned: datetime | None = None

    def before(self, paths: Iterable[Path]) -> Snapshot:
        """Keep what the files hold now; files that are not there are left out."""
        return {str(path): found for path in paths if (found := self._keep(path))}

    def of_folder(self, folder: Path) -> Snapshot | None:
        """Keep every file of a folder; None where it is too large for that."""
        paths: list[Path] = []
        total = 0
        for root, folders, files in os.walk(folder, followlinks=False):
            folders[:] = [name for name in folders if name not in ("node_modules", ".venv")]
            for name in files:
                path = Path(root) / name
                try:
                    found = path.lstat()
                except OSError:
                    continue
                if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
                    continue
                paths.append(path)
                total += found.st_size
                if len(paths) > MOST_FILES or total > MOST_BYTES_OF_A_FOLDER:
                    return None
        return self.before(paths)

    def record(self, chat: str, id: str, before: Snapshot, after: Snapshot) -> list[str]:
        """Write down what changed between two snapshots; gives the paths, [] for nothing."""
        changed = [
            FileChange(
                path=path,
                before=before.get(path, ""),
                after=after.get(path, ""),
                mode=_mode(Path(path)),
            )
            for path in sorted(before.keys() | after.keys())
            if before.get(path) != after.get(path)
        ]
        if changed:
            self._append(chat, ChangeSet(id=id, at=self._home.clock.now(), files=changed))
            now = self._home.clock.now()
            if self._pruned is None or now - self._pruned > _PRUNED_EVERY:
                self._pruned = now
                self.prune()
        return [one.path for one in changed]

    def sets(self, chat: str) -> list[ChangeSet]:
        """What was changed in a chat, oldest first, as it stands now."""
        found: dict[str, ChangeSet] = {}
        path = self._log(chat)
        lines = path.read_bytes().splitlines() if path.exists() else []
        for line in lines:
            try:
                one = ChangeSet.model_validate_json(line)
            except ValidationError:
                continue
            found[one.id] = one
        oldest = self._home.clock.now() - KEPT_FOR
        return [one for one in found.values() if one.at >= oldest]

    def find(self, chat: str, direction: Direction, id: str = "") -> ChangeSet:
        """The change to take back (the newest) or to do again (the last taken back).

        Raises ConchError where there is none.
        """
        undone = direction == "redo"
        fitting = [
            one for one in self.sets(chat) if one.undone == undone and (not id or one.id == id)
        ]
        if not fitting:
            what = "done again" if undone else "undone"
            raise ConchError(f"There is no change of files in this chat that can be {what}.")
        return fitting[0] if undone else fitting[-1]

    def preview(self, one: ChangeSet, direction: Direction) -> list[Shown]:
        """What restoring will do, file by file."""
        out: list[Shown] = []
        for file in one.files:
            now = self._now(Path(file.path))
            left, wanted = _ends(file, direction)
            if now == wanted:
                out.append(Shown(file.path, "as it is", False))
            else:
                what = "removed" if not wanted else "changed back" if now else "put back"
                out.append(Shown(file.path, what, now != left))
        return out

    def restore(
        self, chat: str, one: ChangeSet, direction: Direction, *, over_changes: bool
    ) -> list[str]:
        """Put the files back (or forth); gives the paths that changed.

        A file that was changed since is left alone unless `over_changes`. What is replaced is kept
        too. Raises ConchError, with nothing done, when a copy is gone or a path leads elsewhere.
        """
        work: list[tuple[FileChange, str]] = []
        for file, shown in zip(one.files, self.preview(one, direction), strict=True):
            wanted = _ends(file, direction)[1]
            if shown.what == "as it is" or (shown.changed_since and not over_changes):
                continue
            if os.path.realpath(file.path) != file.path:
                raise ConchError(f"{file.path} leads elsewhere now.", "Nothing was changed.")
            if wanted and not self._blob(wanted).exists():
                raise ConchError(f"The copy of {file.path} is gone.", "Nothing was changed.")
            work.append((file, wanted))
        for file, wanted in work:
            self._keep(Path(file.path))
            if wanted:
                write_atomic(Path(file.path), self._blob(wanted).read_bytes(), file.mode)
            else:
                remove(Path(file.path))
        if work or all(shown.what == "as it is" for shown in self.preview(one, direction)):
            self._append(chat, one.model_copy(update={"undone": direction == "undo"}))
        return [file.path for file, _ in work]

    def prune(self) -> None:
        """Let go of copies no change of the last 30 days needs, then of the oldest above 1 GB."""
        oldest = self._home.clock.now() - KEPT_FOR
        sets = [one for log in self._folder.glob("*.jsonl") for one in self.sets(log.stem)]
        needed: set[str] = set()
        total = 0
        for one in reversed(sorted(sets, key=lambda one: one.at)):  # noqa: C413 (later lines are newer)
            hashes = {h for file in one.files for h in (file.before, file.after) if h} - needed
            total += sum(self._size(one_hash) for one_hash in hashes)
            if total > KEPT_BYTES or one.at < oldest:
                break
            needed |= hashes
        for path in self._folder.iterdir():
            recent = path.suffix == ".jsonl" or path.name in needed
            # A copy made just now may belong to a step that is still running.
            if not recent and path.stat().st_mtime < self._home.clock.now().timestamp() - 86_400:
                remove(path)

    def _keep(self, path: Path) -> str:
        """The hash of what a file holds, with a copy of it kept; "" for none or too large a one."""
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
                return ""
            key = (str(path), found.st_mtime_ns, found.st_size, found.st_ino)
            if key in self._hashed and self._blob(self._hashed[key]).exists():
                return self._hashed[key]
            data = path.read_bytes()
        except OSError:
            return ""
        name = hashlib.sha256(data).hexdigest()
        if not self._blob(name).exists():
            make_folder(self._folder)
            write_atomic(self._blob(name), data)
        self._hashed[key] = name
        return name

    def _now(self, path: Path) -> str:
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                return "no file"
            return hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError:
            return ""

    def _append(self, chat: str, one: ChangeSet) -> None:
        append_line(self._log(chat), one.model_dump_json().encode() + b"\n")

    def _log(self, chat: str) -> Path:
        return self._folder / f"{chat}.jsonl"

    def _blob(self, name: str) -> Path:
        return self._folder / name

    def _size(self, name: str) -> int:
        try:
            return self._blob(name).stat().st_size
        except OSError:
            return 0


def _ends(file: FileChange, direction: Direction) -> tuple[str, str]:
    """What the file should hold now, and what it is to hold."""
    return (file.after, file.before) if direction == "undo" else (file.before, file.after)


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0o644


def said_from(path: str, folder: str) -> str:
    """A path as it is called in the chat's folder."""
    return os.path.relpath(path, folder)
