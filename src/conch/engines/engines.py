"""Who can answer in one home: what is connected, what was found here, and who answers by default.

Keys come from `connect` (sealed in the home) or from the environment that is handed in; a key that
was connected goes first. Keys are in no other file and in no message, and go to no address but the
one they were given for: the environment's to the provider's own or the one named beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from conch.engines.checking import listens
from conch.engines.connection import Connection
from conch.engines.engine import Engine
from conch.engines.environment import Environment
from conch.engines.keys import EngineKeys
from conch.engines.local import LOCAL_PORTS, FoundServer, ListedModel, find_servers, models_at
from conch.engines.plan import PlanReadings, PlanRoom
from conch.engines.practice import PRACTICE, PracticeEngine
from conch.engines.provider_engine import ProviderEngine
from conch.engines.providers import (
    LOCAL_PROVIDERS,
    Provider,
    at_home,
    is_address,
    is_engine_id,
    on_this_computer,
    providers,
    unknown_engine,
    whole_address,
)
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.settings import EngineSettings, Settings
from conch.home.store import Store

_ASKED_AGAIN_AFTER = timedelta(seconds=30)
_KEY_AT_LEAST = 8


@dataclass(frozen=True)
class _Told:
    """The models a server said it has, and when it may be asked again if it has none."""

    models: tuple[ListedModel, ...]
    again: datetime


@dataclass(frozen=True)
class Prepared:
    """An engine ready to be connected, and what is saved when it is.

    `key`: the key given now, or given before for this same address.
    """

    engine: Engine
    key: str = field(default="", repr=False)
    url: str = ""
    model: str = ""


class Engines:
    """The engines of one home. `ports` is where servers on this computer are looked for."""

    def __init__(
        self, home: Home, environ: Mapping[str, str], ports: Mapping[str, int] = LOCAL_PORTS
    ) -> None:
        self._home = home
        self._environ = Environment(environ)
        self._ports = ports
        self._keys = EngineKeys(home)
        self._practice = PracticeEngine()
        self._found: dict[str, FoundServer] = {}
        self._listed: dict[tuple[str, str], _Told] = {}
        self._made: dict[str, ProviderEngine] = {}
        self.plan_room = PlanRoom(Store(home.root / "plan-room.json", PlanReadings, home.notes))

    def connected(self) -> list[Engine]:
        """Every engine that can be asked, the practice engine last."""
        return [*self._all(), self._practice]

    def get(self, id: str) -> Engine | None:
        """The engine with this id, None when it isn't connected."""
        if id == PRACTICE:
            return self._practice
        return next((engine for engine in self._all() if engine.id == id), None)

    def default(self) -> Engine:
        """Who answers: the person's choice, else the first connected, else the practice engine.

        A server on this computer that was chosen stays the choice while it isn't running: the
        person's words must not go to a company instead.
        """
        settings = self._home.settings()
        chosen = self.get(settings.engine) if settings.engine else None
        if chosen is None and settings.engine in LOCAL_PROVIDERS:
            row = providers()[settings.engine]
            chosen = self._engine(self._of_row(row, self._url_of(row, settings), settings))
        return chosen or self.connected()[0]

    def local(self) -> Engine | None:
        """A model on this computer, None when there is none. Never the practice engine."""
        return next((engine for engine in self._all() if engine.local), None)

    async def find_local(self) -> list[Engine]:
        """Look for servers on this computer (at most about a second); gives those it found."""
        return await asyncio.to_thread(self.find_local_now)

    def find_local_now(self) -> list[Engine]:
        """`find_local` for where nothing else runs meanwhile."""
        self._found = {server.id: server for server in find_servers(self._ports_now())}
        return [engine for engine in self._all() if engine.id in self._found]

    def _ports_now(self) -> dict[str, int]:
        """Where to look: the usual ports, or where the environment says a server listens."""
        ports = dict(self._ports)
        for id in ports:
            named = self._environ.address(providers()[id]) if id in providers() else ""
            if named and on_this_computer(named):
                ports[id] = urlsplit(named).port or ports[id]
        return ports

    def connect(self, id: str, key: str = "", url: str = "", model: str = "") -> Engine:
        """`prepare` and `save` in one: connect without asking whether it answers."""
        return self.save(self.prepare(id, key=key, url=url, model=model))

    def prepare(self, id: str, key: str = "", url: str = "", model: str = "") -> Prepared:
        """What connecting a provider by its key, or an OpenAI-compatible server by its address,
        comes to. Nothing is saved and nobody else can ask its engine yet: it may be checked first.

        A server without a chosen model is asked which it has. Raises ConchError when something is
        missing.
        """
        id, key = id.strip().lower(), key.strip()
        if id == PRACTICE:
            return Prepared(self._practice)
        row = providers().get(id)
        if not is_engine_id(id):
            raise ConchError("That can't be an engine's name.", "Nothing changed.", "a-z, 0-9, -")
        if row is None and not url:
            raise unknown_engine(id)
        if not (key.isascii() and key.isprintable()):
            raise ConchError(
                "A key has only plain letters, digits and signs.",
                "Nothing changed.",
                "Copy it once more.",
            )
        url = self._checked_address(row, key, url)
        new_place = self._keys.has(id) and not self._keys.key(id, url)
        key = key or self._keys.key(id, url)
        if row is not None and row.key_variables and not key and not at_home(url):
            # One from the environment is in use already: connecting is for one that is not.
            stays = " The stored one is for another address and stays there." if new_place else ""
            raise ConchError(
                f"{row.name} needs a key.{stays}", "Nothing changed.", "Connect it again."
            )
        sends = key or (self._environ.key_for(row, url) if row else "")
        if not model and not (row and row.default_model):
            listed = tuple(models_at(id, url, sends))
            self._listed[id, url] = _Told(listed, self._home.clock.now() + _ASKED_AGAIN_AFTER)
            if not listed and not listens(url):
                raise ConchError(
                    f"Nothing answers at {url}.",
                    "Nothing changed.",
                    "See whether the server runs and the address is right.",
                )
            if not listed:
                raise ConchError(
                    f"What answers at {url} tells no models: it may be no OpenAI-compatible "
                    "server, or want another key.",
                    "Nothing changed.",
                    "Check the address and the key, or name a model: --model NAME",
                )
            # A model of a server on this computer is chosen anew each time it is looked for.
            model = "" if id in LOCAL_PROVIDERS else listed[0].name
        settings = _with_engine(self._home.settings(), id, row, url, model)
        as_row = row or Provider(id=id, name=id, url=url)
        # What a key that may be wrong hears of limits says nothing about the one that stands.
        unsaved = ProviderEngine(self._of_row(as_row, url, settings, sends), lambda *_: None)
        return Prepared(unsaved, key, url, model)

    def save(self, prepared: Prepared) -> Engine:
        """Connect what was prepared: the key is sealed in the home, address and model go into the
        settings, all else that is set for it stays. Raises OSError, with the key as it was.

        The key for an address before stays until the settings name the new one: cut off in
        between, what stood goes on as it was.
        """
        id = prepared.engine.id
        if id == PRACTICE:
            return self._practice
        row, url, model = providers().get(id), prepared.url, prepared.model
        before = self._keys.key(id, url)
        self._keys.put(id, url, prepared.key)
        try:
            self._home.change_settings(lambda settings: _with_engine(settings, id, row, url, model))
        except BaseException:
            self._keys.put(id, url, before)
            raise
        self._keys.keep_only(id, url)
        self._made.pop(id, None)
        engine = self.get(id)
        assert engine is not None
        return engine

    def disconnect(self, id: str) -> None:
        """Forget an engine's key, address and settings.

        Raises ConchError when its key comes from the environment, or there is no such engine.
        """
        stored = self._keys.has(id) or id in self._home.settings().engines
        row = providers().get(id)
        variable = self._environ.key_variable(row) if row else ""
        if not stored and not variable:
            raise ConchError(f"“{id}” isn't connected.", "Nothing changed.", "conch engines")
        self._keys.keep_only(id, "")
        self._home.change_settings(lambda settings: _without_engine(settings, id))
        self._made.pop(id, None)
        if variable:
            raise ConchError(
                f"The key of “{id}” is also in the environment ({variable}).",
                "What Conch kept of it is forgotten.",
                f"Unset {variable} to disconnect it.",
            )

    async def close(self) -> None:
        """Close the connections that are open in the running event loop."""
        for engine in list(self._made.values()):
            await engine.close()

    def secrets(self) -> tuple[str, ...]:
        """Every key there is, for the redactor; placeholders as short as a word are left out."""
        keys = {*self._environ.keys(), *self._keys.every()}
        return tuple(sorted(key for key in keys if len(key) >= _KEY_AT_LEAST))

    def _all(self) -> list[ProviderEngine]:
        return [self._engine(connection) for connection in self._connections()]

    def _engine(self, connection: Connection) -> ProviderEngine:
        made = self._made.get(connection.id)
        if made is None or made.connection != connection:
            made = self._made[connection.id] = ProviderEngine(connection, self._heard)
        return made

    def _heard(self, engine_id: str, headers: Mapping[str, str]) -> None:
        # A full disk must not cost an answer; what was told still counts in this run.
        with suppress(OSError):
            self.plan_room.note(engine_id, headers, self._home.clock.now())

    def _connections(self) -> Iterator[Connection]:
        """Providers of the table with a key, servers of the person's, then what was found here."""
        settings = self._home.settings()
        for row in providers().values():
            url = self._url_of(row, settings)
            addressed = bool(settings.engines.get(row.id, EngineSettings()).url)
            if addressed or row.id in self._found or self._key(row, url):
                yield self._of_row(row, url, settings)
        for id, chosen in settings.engines.items():
            if id not in providers() and is_address(chosen.url) and is_engine_id(id):
                row = Provider(id=id, name=id, url=whole_address(chosen.url))
                yield self._of_row(row, row.url, settings)

    def _key(self, row: Provider, url: str) -> str:
        return self._keys.key(row.id, url) or self._environ.key_for(row, url)

    def _of_row(
        self, row: Provider, url: str, settings: Settings, sends: str | None = None
    ) -> Connection:
        """How this provider is reached at `url`; with the key that is for there, or `sends`."""
        chosen = settings.engines.get(row.id, EngineSettings())
        found = self._found.get(row.id)
        if found is not None and chosen.url not in ("", found.url):
            found = None
        url = found.url if found is not None else url
        key = self._key(row, url) if sends is None else sends
        if found is not None:
            listed = found.models
        else:
            listed = self._models_told(row, url, key, asks=not (chosen.model or row.default_model))
        first = listed[0].name if listed else ""
        default = chosen.model or row.default_model or first
        return Connection(
            id=row.id,
            name=row.name,
            wire=row.wire,
            url=url,
            default_model=default,
            cheapest_model=chosen.cheap_model or row.cheapest_model or default,
            key=key,
            priced_as=row.priced_as,
            plan=chosen.plan,
            window=chosen.window,
            images=chosen.images,
            default_window=row.default_window,
            listed=listed,
            proxy=None if at_home(url) else self._environ.proxy(url),
        )

    def _models_told(
        self, row: Provider, url: str, key: str, asks: bool
    ) -> tuple[ListedModel, ...]:
        """What the server said it has. Only one on this computer is asked, once in half a minute
        until it answers."""
        now = self._home.clock.now()
        known = self._listed.get((row.id, url))
        due = known is None or (not known.models and now >= known.again)
        if due and asks and on_this_computer(url):
            told = tuple(models_at(row.id, url, key, patience=1.0))
            known = self._listed[row.id, url] = _Told(told, now + _ASKED_AGAIN_AFTER)
        return known.models if known else ()

    def _url_of(self, row: Provider, settings: Settings) -> str:
        """Its address: the person's, the environment's, the table's."""
        chosen = settings.engines.get(row.id, EngineSettings()).url
        if chosen and is_address(chosen):
            return whole_address(chosen) if row.wire == "openai" else chosen.rstrip("/")
        return self._environ.address(row) or row.url

    def _checked_address(self, row: Provider | None, key: str, url: str) -> str:
        if not url:
            assert row is not None
            return self._url_of(row, self._home.settings())
        whole = whole_address(url)
        if key and whole.startswith("http:") and not at_home(whole):
            raise ConchError(
                "The key would travel to that address where others can read it.",
                "Nothing changed.",
                "Use an address that starts with https://",
            )
        return whole if row is None or row.wire == "openai" else url.strip().rstrip("/")


def _with_engine(
    settings: Settings, id: str, row: Provider | None, url: str, model: str
) -> Settings:
    before = settings.engines.get(id, EngineSettings())
    own_address = row is None or url != row.url or row.id in LOCAL_PROVIDERS
    after = before.model_copy(
        update={"url": url if own_address else "", "model": model or before.model}
    )
    return settings.model_copy(update={"engines": {**settings.engines, id: after}})


def _without_engine(settings: Settings, id: str) -> Settings:
    others = {name: one for name, one in settings.engines.items() if name != id}
    chosen = {"engine": "", "model": ""} if settings.engine == id else {}
    return settings.model_copy(update={"engines": others, **chosen})
