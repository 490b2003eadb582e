"""Whether what a person connects can answer: the key's shape, the address, one short question."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from conch.engines.engine import Ask, Completed, Engine, EngineFailed
from conch.engines.local import models_at
from conch.engines.prices import is_listed, worst_price
from conch.engines.provider_engine import ProviderEngine
from conch.engines.providers import providers
from conch.engines.usage import UsageLedger
from conch.home.errors import ConchError

KEY_AT_LEAST = 12
_CONNECT_SECONDS = 2.0
_ANSWER_SECONDS = 25.0
_ANSWER_TOKENS = 200

_BEGINNINGS = {
    "sk-ant-": "anthropic",
    "sk-or-": "openrouter",
    "gsk_": "groq",
    "xai-": "xai",
    "AIza": "google",
}
"""How the keys of some providers begin, which none of the others do."""


def check_key(id: str, key: str, url: str = "") -> None:
    """Raise ConchError for what can't be a key of this provider; says nothing of an empty one.

    A server of the person's own (`url`) may have keys of any shape.
    """
    key = key.strip()
    if not key or url:
        return
    if any(char.isspace() for char in key):
        raise ConchError("A key has no spaces in it.", "Nothing changed.", "Copy it once more.")
    if len(key) < KEY_AT_LEAST:
        raise ConchError("That is too short for a key.", "Nothing changed.", "Copy it once more.")
    theirs = next((who for begin, who in _BEGINNINGS.items() if key.startswith(begin)), id)
    if theirs != id and id in providers() and theirs in providers():
        raise ConchError(
            f"That looks like a key of {providers()[theirs].name}.",
            "Nothing changed.",
            f"Connect that one (conch connect {theirs}), or give a key of {providers()[id].name}.",
        )


def listens(url: str) -> bool:
    """Whether anything takes a connection at this address; waits at most two seconds."""
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), timeout=_CONNECT_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


async def check_answers(engine: Engine, ledger: UsageLedger) -> Completed:
    """Ask it one short question; what that cost is filed, whether it answers or not.

    The text is "" when it spent its tokens on thinking: it was reached and took the key. Raises
    EngineFailed when it can't be reached, does not take the key or does not answer, and when what
    Conch needs to talk to it is not installed.
    """
    ask = Ask(
        system="",
        user="Say hello in one word.",
        purpose="check",
        timeout_s=_ANSWER_SECONDS,
        max_tokens=_ANSWER_TOKENS,
    )
    model = engine.default_model
    worst = worst_price(engine, model, len(ask.user), ask.max_tokens)
    try:
        done = await engine.complete(ask)
    except EngineFailed as failed:
        thought = failed.kind in ("no_answer", "unreadable") and failed.usage.output_tokens > 0
        done = Completed("", None, failed.model or model, failed.usage, failed.cost_usd)
        ledger.add(engine, done.model, done.usage, done.cost_usd, ask.purpose, worst=worst)
        if not thought:
            raise
    else:
        ledger.add(engine, done.model, done.usage, done.cost_usd, ask.purpose, worst=worst)
    return done


def knows_model(engine: Engine, model: str, sure: bool = False) -> bool:
    """Whether a model is one of this engine's: told by its server, or by the price list.

    May ask the server. Where nobody can tell: true, or false when one wants to be `sure`.
    """
    if model in (engine.default_model, engine.cheapest_model):
        return True
    if not isinstance(engine, ProviderEngine):
        return False
    link = engine.connection
    listed = [one.name for one in link.listed]
    if link.wire == "openai" and not listed:
        listed = [one.name for one in models_at(link.id, link.url, link.key)]
    if listed:
        return model in listed
    return is_listed(engine.priced_as, model) or (not engine.priced_as and not sure)
