"""The keys a person connected engines with: one file, 0600, that only this home can open.

A key belongs to the address it was given for and is handed out for no other: whatever happens to
the settings, it cannot be sent elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from conch.home.errors import Damaged
from conch.home.files import read_bytes, set_aside, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json

_DEFAULT_PORTS = {"http": 80, "https": 443}


def same_place(address: str) -> str:
    """An address so that two ways to write one are equal.

    >>> same_place("https://API.example:443/v1/")
    'https://api.example/v1'
    """
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError:
        return address
    scheme, host = parts.scheme.lower(), (parts.hostname or "").lower()
    if port is not None and port != _DEFAULT_PORTS.get(scheme):
        host = f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{scheme}://{host}{parts.path.rstrip('/')}{query}"


class EngineKeys:
    """`keys/engines.sealed` of one home: `{engine: {address: key}}`, encrypted."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._stamp: tuple[int, int] | None = None
        self._known: dict[str, dict[str, str]] = {}

    @property
    def _file(self) -> Path:
        return self._home.keys / "engines.sealed"

    def key(self, engine: str, address: str) -> str:
        """The key that was given for this engine at this address, "" for none."""
        return self._all().get(engine, {}).get(same_place(address), "")

    def has(self, engine: str) -> bool:
        """Whether there is a key of this engine, for whatever address."""
        return engine in self._all()

    def every(self) -> set[str]:
        """Every key there is."""
        return {key for kept in self._all().values() for key in kept.values()}

    def put(self, engine: str, address: str, key: str) -> None:
        """Keep a key beside those for other addresses; on disk when this returns.

        An empty key forgets the one for this address.
        """
        kept = {**self._all().get(engine, {}), same_place(address): key}
        self._write(engine, kept)

    def keep_only(self, engine: str, address: str) -> None:
        """Forget the engine's keys for every other address; "" forgets all."""
        kept = self._all().get(engine, {})
        place = same_place(address)
        if kept and set(kept) != {place}:
            self._write(engine, {place: kept.get(place, "")})

    def _write(self, engine: str, of_engine: Mapping[str, str]) -> None:
        keys = self._all()
        kept = {address: key for address, key in of_engine.items() if key}
        if kept == keys.get(engine, {}):
            return
        everything = {**keys, engine: kept}
        data = json.dumps({name: of for name, of in everything.items() if of}).encode()
        write_atomic(self._file, self._home.seal.encrypt(data))
        self._stamp = None

    def _all(self) -> dict[str, dict[str, str]]:
        """Every key by engine and address. A file that does not open is set aside and said."""
        try:
            stat = self._file.stat()
        except FileNotFoundError:
            return {}
        stamp = (stat.st_mtime_ns, stat.st_ino)
        if stamp != self._stamp:
            self._known = self._opened()
            self._stamp = stamp
        return dict(self._known)

    def _opened(self) -> dict[str, dict[str, str]]:
        data = read_bytes(self._file)
        try:
            raw = read_json(self._home.seal.decrypt(data))
        except (Damaged, ValueError):
            raw = None
        if isinstance(raw, dict) and all(isinstance(of, dict) for of in raw.values()):
            return {
                str(name): {str(address): str(key) for address, key in of.items()}
                for name, of in raw.items()
            }
        aside = set_aside(self._file, self._home.clock)
        self._home.notes.say(
            f"The keys of your engines could not be opened. The file was set aside as "
            f"{aside.name}; connect your engines again.",
            where=str(self._file),
        )
        return {}
