"""The true clients: a pydantic-ai model for each wire format, over one HTTP client with a hook.

Imported only when a model is asked: the providers' SDKs are heavy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import httpx2
from pydantic_ai.models import Model, create_async_httpx2_client
from pydantic_ai.settings import ModelSettings

from conch.engines.connection import Connection
from conch.engines.engine import EngineFailed

_NO_KEY = "none"
"""What servers that need no key are sent: their clients insist on some."""


def built_model(connection: Connection, name: str, client: httpx2.AsyncClient) -> Model:
    """The pydantic-ai model `name` at `connection`, over `client`.

    Raises EngineFailed when what the provider needs is not installed.
    """
    try:
        match connection.wire:
            case "anthropic":
                return _anthropic(connection, name, client)
            case "google":
                return _google(connection, name, client)
            case _:
                return _openai_like(connection, name, client)
    except ImportError:
        raise EngineFailed(
            "no_connection",
            f"What Conch needs to talk to {connection.name} is not installed.",
            do=f'Install it: pip install "conch[{connection.wire}]"',
        ) from None


def open_client(
    connection: Connection, hear: Callable[[Mapping[str, str]], None]
) -> httpx2.AsyncClient:
    """An HTTP client for the running event loop; `hear` gets the headers of every answer."""

    async def heard(response: httpx2.Response) -> None:
        hear(response.headers)

    transport = httpx2.AsyncHTTPTransport(proxy=connection.proxy)
    client = create_async_httpx2_client(transport=transport)
    client.event_hooks = {"response": [heard]}
    return client


def _anthropic(connection: Connection, name: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(
        api_key=connection.key or _NO_KEY, base_url=connection.url, http_client=client
    )
    # Its prompt cache holds only where it is asked to.
    return AnthropicModel(name, provider=provider, settings=ModelSettings(cache=True))


def _google(connection: Connection, name: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(
        api_key=connection.key or _NO_KEY, base_url=connection.url, http_client=client
    )
    return GoogleModel(name, provider=provider)


def _openai_like(connection: Connection, name: str, client: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    key = connection.key or _NO_KEY
    if connection.id == "openai":
        provider = OpenAIProvider(base_url=connection.url, api_key=key, http_client=client)
    else:
        provider = OpenAICompatibleProvider(
            connection.id, base_url=connection.url, api_key=key, http_client=client
        )
    return OpenAIChatModel(name, provider=provider)
