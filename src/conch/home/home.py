"""One person's home on disk: where everything is, and the few things every room needs of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from conch.home.clock import Clock, SystemClock
from conch.home.files import make_folder
from conch.home.notes import Notes
from conch.home.seal import Seal
from conch.home.settings import Settings
from conch.home.store import Store

_WHEN_DAMAGED = Settings(auto_memory=False, off_by_damage=True)


class Home:
    """A home. Open one with `Home.open`; a process may hold many."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self.root = root
        self.clock = clock
        self.notes = Notes(root / "notes.jsonl", clock)
        self._seal: Seal | None = None
        # Settings that cannot be read must not turn on what a person may have turned off.
        self._settings = Store(self.settings_file, Settings, self.notes, when_damaged=_WHEN_DAMAGED)
        self._read: tuple[tuple[int, int, int], Settings] | None = None

    @classmethod
    def open(cls, root: Path, clock: Clock | None = None) -> Home:
        """The home at `root`, made when missing (0700). Raises OSError when it cannot be made."""
        root = root.expanduser().absolute()
        make_folder(root)
        return cls(root, clock or SystemClock())

    @property
    def seal(self) -> Seal:
        if self._seal is None:
            self._seal = Seal(self.keys)
        return self._seal

    @property
    def chats(self) -> Path:
        return self.root / "chats"

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    @property
    def superseded(self) -> Path:
        return self.memory / "superseded"

    @property
    def learning(self) -> Path:
        return self.root / "learning"

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def settings_file(self) -> Path:
        return self.root / "settings.json"

    @property
    def usage_file(self) -> Path:
        return self.root / "usage.jsonl"

    @property
    def learning_spend_file(self) -> Path:
        return self.root / "learning-spend.json"

    @property
    def routine_spend_file(self) -> Path:
        return self.root / "routine-spend.json"

    @property
    def index_file(self) -> Path:
        return self.root / "index.db"

    @property
    def socket_file(self) -> Path:
        return self.root / "home.sock"

    @property
    def lock_file(self) -> Path:
        return self.root / "writer.lock"

    def settings(self) -> Settings:
        """What the person chose, as it stands on disk now. A damaged file is set aside and said."""
        stamp = self._stamp()
        if self._read is None or self._read[0] != stamp:
            self._read = (stamp, self._settings.load())
        return self._read[1].model_copy(deep=True)

    def change_settings(self, how: Callable[[Settings], Settings]) -> Settings:
        """Change what the person chose; on disk when this returns."""
        return self._settings.change(how)

    def _stamp(self) -> tuple[int, int, int]:
        try:
            stat = self.settings_file.stat()
        except FileNotFoundError:
            return (0, 0, 0)
        return (stat.st_mtime_ns, stat.st_size, stat.st_ino)
