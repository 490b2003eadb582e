"""An engine that is a provider or a server: its pydantic-ai models, its window, its answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from conch.engines.completing import complete_with
from conch.engines.connection import Connection
from conch.engines.engine import Ask, Billing, Completed
from conch.engines.local import is_passed_on
from conch.engines.prices import listed_window
from conch.engines.providers import at_home, on_this_computer
from conch.home.settings import WINDOW_AT_LEAST, WINDOW_AT_MOST

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

UNKNOWN_LOCAL_WINDOW = 8_192
UNKNOWN_WINDOW = 32_768
"""Tokens, for a model neither the price list nor its server tells the window of."""

HeadersHook = Callable[[str, Mapping[str, str]], None]
"""Called with the engine's id and the headers of every answer."""


@dataclass
class _Open:
    """The client of one event loop and the models over it."""

    client: httpx2.AsyncClient
    models: dict[str, Model] = field(default_factory=dict)


class ProviderEngine:
    """A connected provider or server."""

    def __init__(self, connection: Connection, on_headers: HeadersHook) -> None:
        self._connection = connection
        self._on_headers = on_headers
        self._prompted: set[str] = set()
        # A client belongs to the event loop it was made in.
        self._open: WeakKeyDictionary[asyncio.AbstractEventLoop, _Open] = WeakKeyDictionary()

    def __repr__(self) -> str:
        return f"ProviderEngine({self.id!r}, {self._connection.url!r})"

    @property
    def connection(self) -> Connection:
        return self._connection

    @property
    def id(self) -> str:
        return self._connection.id

    @property
    def name(self) -> str:
        return self._connection.name

    @property
    def billing(self) -> Billing:
        if self._connection.plan:
            return "plan"
        return "free" if at_home(self._connection.url) and not self._elsewhere else "metered"

    @property
    def local(self) -> bool:
        return on_this_computer(self._connection.url) and not self._elsewhere

    @property
    def default_model(self) -> str:
        return self._connection.default_model

    @property
    def cheapest_model(self) -> str:
        return self._connection.cheapest_model or self._connection.default_model

    @property
    def priced_as(self) -> str:
        return self._connection.priced_as

    def model(self, name: str = "") -> Model:
        """The pydantic-ai model; one client a running event loop, so connections are kept."""
        from conch.engines.clients import built_model

        name = name or self.default_model
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return built_model(self._connection, name, self._client())
        open = self._open.get(loop)
        if open is None:
            open = self._open[loop] = _Open(self._client())
        if name not in open.models:
            open.models[name] = built_model(self._connection, name, open.client)
        return open.models[name]

    async def close(self) -> None:
        """Close what is open in the running event loop; a model asked for later opens it again."""
        open = self._open.pop(asyncio.get_running_loop(), None)
        if open is not None:
            await open.client.aclose()

    def window(self, model: str = "") -> int:
        """The person's setting, else what the server tells, the price list, a cautious guess."""
        chosen = self._connection.window
        if chosen and WINDOW_AT_LEAST <= chosen <= WINDOW_AT_MOST:
            return chosen
        name = model or self.default_model
        for listed in self._connection.listed:
            if listed.name == name and listed.window:
                return listed.window
        known = listed_window(self.priced_as, name)
        if known:
            return known
        if self._connection.default_window:
            return self._connection.default_window
        return UNKNOWN_LOCAL_WINDOW if at_home(self._connection.url) else UNKNOWN_WINDOW

    async def complete(self, ask: Ask) -> Completed:
        name = ask.model or self.default_model
        return await complete_with(self, self.model(name), name, ask, self._prompted)

    @property
    def _elsewhere(self) -> bool:
        """Whether somebody else's computer answers, whatever the address: a company's own format
        at a local address is a relay, and Ollama passes some models on."""
        if self.priced_as:
            return True
        used = {self.default_model, self.cheapest_model}
        listed = any(one.elsewhere for one in self._connection.listed if one.name in used)
        return listed or (self.id == "ollama" and any(map(is_passed_on, used)))

    def _client(self) -> httpx2.AsyncClient:
        from conch.engines.clients import open_client

        def hear(headers: Mapping[str, str]) -> None:
            self._on_headers(self.id, headers)

        return open_client(self._connection, hear)
