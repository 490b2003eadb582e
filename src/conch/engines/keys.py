"""The keys a person connected engines with: one file, 0600, that only this home can open."""

from __future__ import annotations

import json
from pathlib import Path

from conch.home.errors import Damaged
from conch.home.files import read_bytes, set_aside, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json


class EngineKeys:
    """`keys/engines.sealed` of one home: `{engine: key}`, encrypted."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._stamp: tuple[int, int] | None = None
        self._known: dict[str, str] = {}

    @property
    def _file(self) -> Path:
        return self._home.keys / "engines.sealed"

    def all(self) -> dict[str, str]:
        """Every key by its engine. A file that does not open is set aside and said."""
        try:
            stat = self._file.stat()
        except FileNotFoundError:
            return {}
        stamp = (stat.st_mtime_ns, stat.st_ino)
        if stamp != self._stamp:
            self._known = self._opened()
            self._stamp = stamp
        return dict(self._known)

    def put(self, engine: str, key: str) -> None:
        """Keep a key; on disk when this returns. An empty key forgets it."""
        keys = {**self.all(), engine: key}
        kept = {name: value for name, value in keys.items() if value}
        write_atomic(self._file, self._home.seal.encrypt(json.dumps(kept).encode()))
        self._stamp = None

    def _opened(self) -> dict[str, str]:
        data = read_bytes(self._file)
        try:
            raw = read_json(self._home.seal.decrypt(data))
        except (Damaged, ValueError):
            raw = None
        if isinstance(raw, dict):
            return {str(name): str(key) for name, key in raw.items()}
        aside = set_aside(self._file, self._home.clock)
        self._home.notes.say(
            f"The keys of your engines could not be opened. The file was set aside as "
            f"{aside.name}; connect your engines again.",
            where=str(self._file),
        )
        return {}
