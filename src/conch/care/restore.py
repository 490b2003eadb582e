"""Restoring a backup: looked into beside the home, shown with every power, then put in its place
whole; what was there is kept for Undo."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from conch.care.archive import Manifest, decrypt_archive, key_of, unpack
from conch.care.contents import KEPT
from conch.care.merging import merge_into
from conch.care.powers import Power, powers, standing_of
from conch.home.errors import ConchError
from conch.home.files import make_folder, read_bytes, write_atomic
from conch.home.home import Home
from conch.home.ids import new_id
from conch.home.swapping import PLAN, SWAPPED, swap
from conch.memory.memory import Memory
from conch.memory.restored import take_over

if TYPE_CHECKING:
    from conch.care.archive import Identity

_STAGING, _ASIDE = ".restoring-", ".before-restore-"
_FROM = "from"
_DERIVED = ("index.db", "index.db-shm", "index.db-wal")
_NAMES = (*KEPT, *_DERIVED)


@dataclass(frozen=True)
class Counts:
    chats: int
    memories: int
    skills: int


@dataclass(frozen=True)
class Preview:
    """What restoring would do. `holds`: what is in the backup; `leaves`: what is here and not in
    it, which goes aside. `notes`: what of it can't be used, and why."""

    manifest: Manifest
    holds: Counts
    leaves: Counts
    powers: tuple[Power, ...]
    notes: tuple[str, ...]


class Restore:
    """One restore into `home`, whose writer lock the caller holds. Use as a context manager:
    what was unpacked is cleared away at the end."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._staged = home.root / new_id(_STAGING)[: len(_STAGING) + 12]
        self._from = ""

    def __enter__(self) -> Restore:
        clear_staging(self._home.root)
        return self

    def __exit__(self, *_: object) -> None:
        clear_staging(self._home.root)

    def look(self, backup: Path, identity: Identity) -> Preview:
        """Unpack the backup beside the home and tell what restoring it would do.

        Nothing of the home changes. Raises Damaged, ConchError, OSError.
        """
        make_folder(self._staged)
        packed = self._home.root / f"{self._staged.name}.tar.gz"
        decrypt_archive(backup, [identity], packed)
        room = shutil.disk_usage(self._home.root).free
        manifest = unpack(packed, self._staged, room)
        packed.unlink()
        self._from = backup.name
        staged = self._staged_home()
        live = take_over(staged)
        lost = merge_into(staged, self._home)
        preview = self._preview(staged, manifest, live, lost)
        self._drop_what_only_staging_needs()
        return preview

    def put_in_place(self) -> None:
        """Put what was looked at in the home's place, and remember how to undo it.

        Raises OSError when the disk refuses: the home is then as it was.
        """
        self._swap(self._staged, self._from)

    def undo(self) -> str:
        """Put back what the last restore replaced; gives the name of the backup it came from.

        What there is now goes aside, so that undoing again restores again. Raises ConchError when
        there is nothing to undo, OSError.
        """
        kept = _last_aside(self._home.root)
        if kept is None:
            raise ConchError("No restore can be undone.", "Nothing was changed.")
        restored_from = read_bytes(kept / _FROM).decode("utf-8", "replace")
        merge_into(Home(kept, self._home.clock), self._home)
        self._swap(kept, restored_from)
        return restored_from

    def _swap(self, staged: Path, restored_from: str) -> None:
        root = self._home.root
        aside = root / new_id(_ASIDE)[: len(_ASIDE) + 12]
        write_atomic(aside / _FROM, restored_from.encode())
        swap(root, staged, aside, _NAMES)
        for path in root.glob(f"{_ASIDE}*"):
            if path != aside:
                shutil.rmtree(path, ignore_errors=True)

    def _staged_home(self) -> Home:
        """The staging folder as a home that shares this home's key, to read it as it will be."""
        staged = Home.open(self._staged, self._home.clock)
        _ = self._home.seal
        write_atomic(staged.keys / "seal.key", read_bytes(self._home.keys / "seal.key"))
        return staged

    def _preview(
        self, staged: Home, manifest: Manifest, live: Sequence[Memory], lost: Sequence[str]
    ) -> Preview:
        theirs, here = _names(staged), _names(self._home)
        held = sum(memory.held is not None for memory in live)
        notes = [*lost, *(note.text for note in staged.notes.recent(50))]
        if held:
            notes.append(f"{held} of its memories are held by the memory check, and not used.")
        return Preview(
            manifest,
            Counts(len(theirs.chats), len(theirs.memories), len(theirs.skills)),
            Counts(
                len(here.chats - theirs.chats),
                len(here.memories - theirs.memories),
                len(here.skills - theirs.skills),
            ),
            tuple(powers(standing_of(staged), standing_of(self._home))),
            tuple(notes),
        )

    def _drop_what_only_staging_needs(self) -> None:
        kept = {*KEPT}
        for path in self._staged.iterdir():
            if path.name in kept:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def identity_of(backup: Path, passphrase: str) -> Identity:
    """What opens a backup made with a passphrase. Raises ConchError when it is another."""
    from pyrage import DecryptError, x25519
    from pyrage import passphrase as by_passphrase

    key = must_have_a_key(backup)
    try:
        plain = by_passphrase.decrypt(key, passphrase).decode()
        return x25519.Identity.from_str(plain.strip())
    except (DecryptError, ValueError):
        raise ConchError(
            "This passphrase doesn't open this backup.", "Nothing was changed.", "Try another."
        ) from None


def must_have_a_key(backup: Path) -> bytes:
    """The encrypted key that a passphrase opens. Raises ConchError when the backup has none."""
    key = key_of(backup)
    if not key:
        raise ConchError(
            "This backup was made for a key, not with a passphrase.",
            "Nothing was changed.",
            "Give the file of that key: --identity FILE",
        )
    return key


def read_identity(data: bytes) -> Identity:
    """The private key in a file: an age identity, or an OpenSSH key without a passphrase.

    Raises ConchError when it is none.
    """
    from pyrage import IdentityError, ssh, x25519

    with contextlib.suppress(UnicodeDecodeError, IdentityError):
        for line in data.decode().splitlines():
            if line.startswith("AGE-SECRET-KEY-"):
                return x25519.Identity.from_str(line.strip())
    with contextlib.suppress(IdentityError, ValueError):
        return ssh.Identity.from_buffer(data)
    raise ConchError("That file holds no key Conch can read.", "Nothing was changed.")


def clear_staging(root: Path) -> None:
    """Remove what a restore that was cut off left unpacked; nothing of the home itself, and nothing
    while one is being put in place."""
    if (root / PLAN).exists():
        return
    for path in root.glob(f"{_STAGING}*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _last_aside(root: Path) -> Path | None:
    """Where what the last restore replaced is kept."""
    done = [path for path in root.glob(f"{_ASIDE}*") if (path / SWAPPED).is_file()]
    return max(done, key=lambda path: (path / SWAPPED).stat().st_mtime_ns, default=None)


@dataclass(frozen=True)
class _Names:
    """The chats, memories and skills of a home, by the names of their files."""

    chats: set[str]
    memories: set[str]
    skills: set[str]


def _names(home: Home) -> _Names:
    return _Names(
        chats={path.parent.name for path in home.chats.glob("*/log.jsonl")},
        memories={path.name for path in home.memory.glob("*.md")},
        skills={path.parent.name for path in (home.root / "skills").glob("*/SKILL.md")},
    )
