"""The providers there are: `providers.toml`, read once, and addresses as people write them."""

from __future__ import annotations

import ipaddress
import re
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import urlsplit

import tomli
from pydantic import BaseModel

from conch.home.errors import ConchError

Wire = Literal["openai", "anthropic", "google"]

LOCAL_PROVIDERS = ("ollama", "lmstudio", "llamacpp", "vllm")
"""Servers that run on the person's own computer and need no key."""

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


class Provider(BaseModel, frozen=True):
    """One row of the table. `default_window` is for models nobody tells the window of.

    `images`: how the names of models look that take images; `no_images`: exceptions of those.
    """

    id: str
    name: str
    wire: Wire = "openai"
    url: str
    url_variables: tuple[str, ...] = ()
    key_variables: tuple[str, ...] = ()
    default_model: str = ""
    cheapest_model: str = ""
    priced_as: str = ""
    default_window: int | None = None
    images: tuple[str, ...] = ()
    no_images: tuple[str, ...] = ()

    def takes_images(self, model: str) -> bool:
        """Whether this provider's model is known to take images."""

        def is_one_of(patterns: tuple[str, ...]) -> bool:
            return any(fnmatchcase(model, pattern) for pattern in patterns)

        return is_one_of(self.images) and not is_one_of(self.no_images)


@cache
def providers() -> dict[str, Provider]:
    """Every provider of the table by its id, in the table's order."""
    text = files("conch.engines").joinpath("providers.toml").read_text(encoding="utf-8")
    rows = tomli.loads(text)
    return {id: Provider.model_validate({"id": id, **row}) for id, row in rows.items()}


def unknown_engine(id: str) -> ConchError:
    """What is said of a name that is none of the table's and comes without an address."""
    return ConchError(
        f"Conch doesn't know “{id}”.",
        "Nothing changed.",
        f"It knows {', '.join(providers())}; anything else needs its address: --url",
    )


def is_engine_id(text: str) -> bool:
    """Whether `text` can be an engine's id: a-z, 0-9, dot, dash; at most 40 characters."""
    return _ID.fullmatch(text) is not None


def on_this_computer(url: str) -> bool:
    """Whether an address is this very computer's."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def at_home(url: str) -> bool:
    """Whether an address is this computer's or one in a private network: nobody bills there."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return on_this_computer(url) or host.endswith((".local", ".lan", ".home.arpa"))


def is_address(url: str) -> bool:
    """Whether `url` is a server's address, as `whole_address` reads it."""
    try:
        whole_address(url)
    except ConchError:
        return False
    return True


def whole_address(url: str) -> str:
    """An address as a client needs it: with its scheme, and `/v1` where it has no path.

    Raises ConchError for what is no web address.
    """
    text = url.strip().rstrip("/")
    try:
        if "://" not in text:
            text = f"http://{text}" if at_home(f"http://{text}") else f"https://{text}"
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool((parts.hostname or "").encode("idna"))
        good = good and (parts.port is None or parts.port > 0) and not parts.username
    except ValueError:
        good = False
    if not good or not text.isprintable() or any(char.isspace() for char in text):
        raise ConchError(
            "That is no address of a server.", "Nothing changed.", "Like http://127.0.0.1:8080/v1"
        )
    return text if urlsplit(text).path else f"{text}/v1"
