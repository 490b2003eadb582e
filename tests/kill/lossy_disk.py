"""A disk that keeps only what was waited for: everything else is lost at the next power cut.

Every fsync of Conch goes through one function (`conch.home.files._fsync`). `watch` puts itself in
its place and copies what was waited for into a shadow folder: a file's bytes under its inode, a
folder's names with the inodes they stood for. `power_cut` builds the home from that shadow alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from conch.home import files


def watch(shadow: Path, leave_out: str = "") -> None:
    """Shadow every fsync of this process. Files whose name holds `leave_out` are never waited for:
    the planted bug."""
    (shadow / "files").mkdir(parents=True, exist_ok=True)
    (shadow / "folders").mkdir(parents=True, exist_ok=True)
    waits = os.fsync

    def fsync(fd: int) -> None:
        path = Path(f"/proc/self/fd/{fd}").readlink()
        if leave_out and leave_out in path.name:
            return
        waits(fd)
        if path.is_dir():
            _keep_folder(path, shadow)
        else:
            _keep_file(fd, shadow)

    files._fsync = fsync


def _keep_file(fd: int, shadow: Path) -> None:
    inode = os.fstat(fd).st_ino
    data = Path(f"/proc/self/fd/{fd}").read_bytes()
    _put(shadow / "files" / str(inode), data)


def _keep_folder(path: Path, shadow: Path) -> None:
    names = {entry.name: [entry.inode(), entry.is_dir()] for entry in os.scandir(path)}
    name = hashlib.sha256(str(path).encode()).hexdigest()
    _put(shadow / "folders" / name, json.dumps({"path": str(path), "names": names}).encode())


def _put(path: Path, data: bytes) -> None:
    beside = path.with_suffix(f".{os.getpid()}.new")
    beside.write_bytes(data)
    beside.replace(path)


def power_cut(home: Path, shadow: Path) -> None:
    """Replace the home by what the disk had been waited for; the rest is gone."""
    folders = {}
    for file in (shadow / "folders").iterdir():
        if file.suffix != ".new":
            raw = json.loads(file.read_bytes())
            folders[raw["path"]] = raw["names"]
    rebuilt = home.with_name(home.name + ".rebuilt")
    shutil.rmtree(rebuilt, ignore_errors=True)
    _rebuild(home, rebuilt, folders, shadow)
    shutil.rmtree(home)
    rebuilt.rename(home)


def _rebuild(path: Path, to: Path, folders: dict, shadow: Path) -> None:
    to.mkdir(mode=0o700)
    for name, (inode, is_folder) in folders.get(str(path), {}).items():
        if is_folder:
            _rebuild(path / name, to / name, folders, shadow)
            continue
        kept = shadow / "files" / str(inode)
        (to / name).write_bytes(kept.read_bytes() if kept.exists() else b"")


def start_over(home: Path, shadow: Path) -> None:
    """Begin a new shadow: all that is there now counts as on disk."""
    shutil.rmtree(shadow, ignore_errors=True)
    (shadow / "files").mkdir(parents=True)
    (shadow / "folders").mkdir(parents=True)
    for folder in [home, *(path for path in home.rglob("*") if path.is_dir())]:
        _keep_folder(folder, shadow)
        for path in folder.iterdir():
            if path.is_file():
                fd = os.open(path, os.O_RDONLY)
                try:
                    _keep_file(fd, shadow)
                finally:
                    os.close(fd)
