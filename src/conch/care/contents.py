"""What of a home is in a backup, and what isn't (spec 0088 §9, 0058 §7).

What is not named here is not in a backup, so a new file of a home gets its line.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

KEPT = {
    "chats": "chats, with the files attached to them",
    "memory": "memories, and what used to be true",
    "learning": "what was learned, the never-list, where each chat was read to",
    "skills": "skills",
    "work": "files made in chats that have no folder of yours",
    "settings.json": "settings",
    "learning-spend.json": "what learning spent and may spend",
    "usage.jsonl": "what every answer cost",
    "brought.json": "which chats were brought in",
    "skill-learned.json": "skill offers",
    "skill-usage.json": "when skills were used",
    "skill-modes.json": "which skills are on",
    "skill-signers.json": "whose skills you trust",
}
"""Name directly under the home → what it is, in a person's words."""

LEFT_OUT = {
    "keys": "keys, passwords and sign-ins: connect your engines again",
    "apps.json": "apps, which run programs: set them up again",
    "vault": "what is in the vault: put it in again",
    "undo": "copies for undoing changes of files",
    "backups": "the backups themselves",
    "backup.json": "where backups go",
    "index.db": "made again from the memories",
    "index.db-shm": "made again",
    "index.db-wal": "made again",
    "plan-room.json": "asked again",
    "notes.jsonl": "notes about this computer",
    "prompt-history": "lines typed in this computer's terminal",
    "gateway.json": "the web app that runs",
    "home.sock": "the Conch that runs",
    "writer.lock": "the Conch that runs",
}
"""As `KEPT`, for what stays out and why."""

_DERIVED_IN_A_CHAT = frozenset(("chat.json", "sent"))


def is_kept(path: PurePosixPath) -> bool:
    """Whether the file at `path`, seen from the home, belongs in a backup."""
    parts = path.parts
    if not parts or parts[0] not in KEPT or any(part.startswith(".") for part in parts[:2]):
        return False
    return not (parts[0] == "chats" and len(parts) > 2 and parts[2] in _DERIVED_IN_A_CHAT)


Refused = Callable[[PurePosixPath], object]
"""Told of each file that can't be read, or whose name no archive can hold."""


def files_of(
    root: Path, refused: Refused = lambda _: None
) -> Iterator[tuple[PurePosixPath, os.stat_result]]:
    """Every regular file of the home at `root` that belongs in a backup, in order of its path.

    Links and devices are passed over, and what goes while it is looked for.
    """
    for name in sorted(KEPT):
        yield from _walk(root, PurePosixPath(name), refused)


def _walk(
    root: Path, path: PurePosixPath, refused: Refused
) -> Iterator[tuple[PurePosixPath, os.stat_result]]:
    if not is_kept(path):
        return
    here = root / path
    try:
        status = here.lstat()
        if stat.S_ISDIR(status.st_mode):
            for name in sorted(inner.name for inner in here.iterdir()):
                yield from _walk(root, path / name, refused)
        elif stat.S_ISREG(status.st_mode):
            str(path).encode()
            yield path, status
    except FileNotFoundError:
        return
    except (OSError, UnicodeEncodeError):
        refused(path)
