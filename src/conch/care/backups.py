"""The backups of one home: set up once by a person, made daily and on request, old ones cleared."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from conch.care.archive import VERSION, Filling, Manifest, write_archive
from conch.care.contents import files_of
from conch.care.schedule import to_clear
from conch.home.errors import ConchError
from conch.home.files import clear_unfinished, make_folder, read_bytes, remove, write_atomic
from conch.home.home import Home
from conch.home.off_loop import off_loop
from conch.home.store import Store

if TYPE_CHECKING:
    from pathlib import PurePosixPath

    from conch.care.archive import Recipient

PASSPHRASE_AT_LEAST = 10
EVERY = timedelta(days=1)
_LOOK_EVERY_SECONDS = 600.0
_TRIES_FOR_A_STILL_MOMENT = 20
_AT_ONCE_AT_MOST = 256 << 20
_NAME = "conch-backup-{}-{:%Y%m%dT%H%M%SZ}.tar"
_NAMED = re.compile(r"conch-backup-([a-z0-9]+)-(\d{8}T\d{6}Z)\.tar")
_WORDS, _LETTERS = 5, "abcdefghjkmnpqrstvwxyz23456789"


class _State(BaseModel):
    """`home` tells this home's backups from others' in the same folder. `recipient`: whom backups
    are encrypted to, "" before they are set up. `folder`: "" is the home's own. `began`: when the
    last daily one was begun, whatever came of it."""

    model_config = ConfigDict(extra="allow")

    version: int = 1
    home: str = ""
    recipient: str = ""
    has_passphrase: bool = False
    folder: str = ""
    began: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True)
class Backup:
    """One backup: its file, which home's it is, when it was made (UTC), and its bytes."""

    path: Path
    home: str
    made_at: datetime
    size: int


@dataclass(frozen=True)
class Made:
    """A backup just made: where it is, how many files are in it, and which could not be read."""

    path: Path
    files: int
    size: int
    left_out: tuple[str, ...] = ()


class Backups:
    """The backups of one home. Whoever calls anything that writes holds its writer lock."""

    def __init__(self, home: Home, host: str = "") -> None:
        self._home = home
        self._host = host
        self._store = Store(home.root / "backup.json", _State, home.notes)
        self._making = threading.Lock()

    @property
    def is_set_up(self) -> bool:
        return bool(self._store.load().recipient)

    @property
    def has_passphrase(self) -> bool:
        return self._store.load().has_passphrase

    @property
    def folder(self) -> Path:
        """Where backups go."""
        chosen = self._store.load().folder
        return Path(chosen) if chosen else self._home.root / "backups"

    @property
    def last(self) -> datetime | None:
        """When the last one was made; None when none was."""
        return self._store.load().last

    def set_up(self, *, passphrase: str = "", recipient: str = "", folder: str = "") -> None:
        """Choose how backups are opened: by a passphrase, or by a key whose public half
        (`age1…`, `ssh-ed25519 …`) is `recipient`. Backups made before stay as they are.

        Raises ConchError for a short passphrase, a recipient that is none, or a folder that
        can't be written to or lies in the home where it would be lost with it.
        """
        from pyrage import passphrase as by_passphrase
        from pyrage import x25519

        where = self._chosen_folder(folder)
        if recipient:
            read_recipient(recipient)
            remove(self._key_file)
        else:
            if len(passphrase) < PASSPHRASE_AT_LEAST:
                raise ConchError(
                    f"A passphrase has at least {PASSPHRASE_AT_LEAST} characters.",
                    "Nothing was set up.",
                )
            identity = x25519.Identity.generate()
            recipient = str(identity.to_public())
            write_atomic(
                self._key_file, by_passphrase.encrypt(str(identity).encode() + b"\n", passphrase)
            )
        chosen = {"recipient": recipient, "has_passphrase": bool(passphrase), "folder": where}
        home = self._store.load().home or secrets.token_hex(3)
        self._store.change(lambda state: state.model_copy(update={**chosen, "home": home}))

    def make(self) -> Made:
        """Make a backup now; one that is being made is waited for. Raises ConchError when none were
        set up, OSError."""
        with self._making:
            return self._make()

    def _make(self) -> Made:
        state = self._store.load()
        if not state.recipient:
            raise ConchError(
                "Backups aren't set up, so nobody could open one.",
                "No backup was made.",
                "Set them up first: conch backup setup",
            )
        key = read_bytes(self._key_file) if state.has_passphrase else b""
        if state.has_passphrase and not key:
            raise ConchError(
                "The key of your backups is gone from this home.",
                "Earlier backups still open with their passphrase. No backup was made.",
                "Set them up again: conch backup setup",
            )
        now = self._home.clock.now()
        folder = self.folder
        if state.folder and not folder.is_dir():
            # A disk that isn't plugged in: a folder made in its place would be on this one.
            raise ConchError(
                f"The folder {folder} isn't there.",
                "No backup was made.",
                "Plug its disk in, or choose another folder: conch backup setup",
            )
        make_folder(folder)
        clear_unfinished(folder)
        path = folder / _NAME.format(state.home, now)
        left_out: set[str] = set()

        def fill(filling: Filling) -> Manifest:
            manifest = self._fill(filling, left_out)
            left_out.update(filling.refused)
            return manifest

        manifest = write_archive(path, [read_recipient(state.recipient)], key, fill)
        self._store.change(lambda kept: kept.model_copy(update={"last": now}))
        self._clear_old(state.home, now)
        return Made(path, len(manifest.files), path.stat().st_size, tuple(sorted(left_out)))

    def all(self) -> list[Backup]:
        """The backups there are, the newest first."""
        found = [one for path in _entries(self.folder) if (one := _backup(path)) is not None]
        return sorted(found, key=lambda backup: backup.made_at, reverse=True)

    async def run(self) -> None:
        """Make one a day, once they are set up, until cancelled. What fails is said."""
        while True:
            with contextlib.suppress(OSError):
                await self._make_when_due()
            await asyncio.sleep(_LOOK_EVERY_SECONDS)

    async def _make_when_due(self) -> None:
        state, now = self._store.load(), self._home.clock.now()
        latest = max((at for at in (state.began, state.last) if at is not None), default=None)
        if not state.recipient or (latest is not None and timedelta() <= now - latest < EVERY):
            return
        self._store.change(lambda kept: kept.model_copy(update={"began": now}))
        try:
            made = await off_loop(self.make)
        except (ConchError, OSError) as error:
            why = str(error) if isinstance(error, ConchError) else f"{error.strerror or error}."
            self._home.notes.say(
                f"Today's backup could not be made. {why} It is tried again tomorrow.",
                where=str(self.folder),
            )
        else:
            if made.left_out:
                self._home.notes.say(
                    f"The backup holds all but {len(made.left_out)} files that can't be read: "
                    f"{', '.join(made.left_out[:3])}",
                    where=str(self.folder),
                )

    @property
    def _key_file(self) -> Path:
        return self._home.keys / "backup-key.age"

    def _fill(self, filling: Filling, left_out: set[str]) -> Manifest:
        """Put the home in as it is at one moment.

        Everything is put in once; then, until nothing changed in between, what changed is put in
        again. The few bytes that change meanwhile are read at once.
        """
        root = self._home.root
        before = _stamps(root, left_out)
        for path in before:
            filling.add_file(path, root / path)
        for _ in range(_TRIES_FOR_A_STILL_MOMENT):
            stamps = _stamps(root, left_out)
            changed = [path for path, stamp in stamps.items() if before.get(path) != stamp]
            gone = before.keys() - stamps.keys()
            if not changed and not gone:
                break
            for path in gone:
                filling.take_out(path)
            if sum(stamps[path][1] for path in changed) <= _AT_ONCE_AT_MOST:
                for path, data in _read_at_once(root, changed).items():
                    filling.add(path, data, bool(stamps[path][3]))
            else:
                for path in changed:
                    filling.add_file(path, root / path)
            before = stamps
        else:
            raise ConchError(
                "This home changed all the time while it was being copied.",
                "No backup was made.",
                "Try again when nothing runs.",
            )
        return Manifest(
            version=VERSION,
            made_at=self._home.clock.now().isoformat(),
            host=self._host,
            conch=version("conch"),
        )

    def _clear_old(self, home: str, now: datetime) -> None:
        backups = {one.made_at: one for one in self.all() if one.home == home}
        for made_at in to_clear(list(backups), now):
            remove(backups[made_at].path)

    def _chosen_folder(self, folder: str) -> str:
        if not folder:
            return ""
        path = Path(folder).expanduser().absolute()
        if path == self._home.root or self._home.root in path.parents:
            raise ConchError(
                "That folder is inside the home it would save.",
                "Nothing was set up.",
                "Choose one outside, best on another disk.",
            )
        try:
            make_folder(path)
            probe = path / f".conch-{secrets.token_hex(4)}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise ConchError(
                f"That folder can't be written to: {error.strerror or error}.",
                "Nothing was set up.",
            ) from None
        return str(path)


def made_passphrase() -> str:
    """A passphrase nobody can guess: five groups of five letters and digits (122 bits)."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(_WORDS))
    return "-".join(groups)


def read_recipient(text: str) -> Recipient:
    """The public half of a key. Raises ConchError when it is none."""
    from pyrage import RecipientError, ssh, x25519

    text = text.strip()
    try:
        if text.startswith("ssh-"):
            return ssh.Recipient.from_str(text)
        return x25519.Recipient.from_str(text)
    except RecipientError:
        raise ConchError(
            "That is no key backups can be made for.",
            "Nothing was set up.",
            "Give the public half: age1… or ssh-ed25519 …",
        ) from None


def _stamps(root: Path, left_out: set[str]) -> dict[PurePosixPath, tuple[int, int, int, int]]:
    def refused(path: PurePosixPath) -> None:
        left_out.add(str(path).encode("utf-8", "replace").decode())

    return {
        path: (stat.st_mtime_ns, stat.st_size, stat.st_ino, stat.st_mode & 0o100)
        for path, stat in files_of(root, refused)
    }


def _read_at_once(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    """The bytes of these files; one that went or can't be read is passed over."""
    read: dict[PurePosixPath, bytes] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            read[path] = (root / path).read_bytes()
    return read


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _backup(path: Path) -> Backup | None:
    named = _NAMED.fullmatch(path.name)
    if named is None:
        return None
    try:
        made_at = datetime.strptime(named[2], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return Backup(path, named[1], made_at, path.stat().st_size)
    except (ValueError, FileNotFoundError):
        return None
