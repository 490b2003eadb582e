"""Verbs about engines: what is connected, what it costs, connecting and choosing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, flag, text
from conch.engines.checking import check_answers, check_key, knows_model
from conch.engines.engine import Engine, EngineFailed
from conch.engines.practice import PRACTICE
from conch.engines.prices import is_listed, price_per_million
from conch.engines.provider_engine import ProviderEngine
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    await conch.engines.find_local()
    default = conch.engines.default()
    for engine in conch.engines.connected():
        yield {**_item(engine), "default": engine.id == default.id}


async def connect(conch: Conch, args: dict[str, Any]) -> Items:
    """Connect a provider by its key, or an OpenAI-compatible server by its address.

    With `check` it is asked one short question first; when it does not answer, what stood before
    stands again.
    """
    name, key, url = text(args, "engine"), text(args, "key", ""), text(args, "url", "")
    checks = flag(args, "check")
    if checks:
        check_key(name.strip().lower(), key, url)
    put_back = conch.engines.to_put_back(name)
    engine = await asyncio.to_thread(
        conch.engines.connect, name, key=key, url=url, model=text(args, "model", "")
    )
    for value in conch.engines.secrets():
        conch.redactor.add(value)
    if checks and engine.id != PRACTICE:
        await _checked(conch, engine, put_back)
    yield {**_item(engine), "default": engine.id == conch.engines.default().id}


async def _checked(conch: Conch, engine: Engine, put_back: Callable[[], None]) -> None:
    """Ask it; what that cost is counted. Raises ConchError, with everything as it was before."""
    try:
        done = await check_answers(engine)
    except EngineFailed as failed:
        put_back()
        cost = failed.cost_usd
        conch.parts.usage.add(engine, engine.default_model, failed.usage, cost, "check")
        who = conch.engines.default()
        raise ConchError(
            f"{engine.name} was not connected. {failed.what}",
            f"Nothing changed: {who.name} goes on answering.",
            f"{failed.do} To connect it all the same: --no-check",
        ) from None
    except BaseException:
        put_back()
        raise
    if done is not None:
        conch.parts.usage.add(engine, done.model, done.usage, done.cost_usd, "check")


async def disconnect(conch: Conch, args: dict[str, Any]) -> Items:
    conch.engines.disconnect(text(args, "engine"))
    yield {"type": "disconnected", "engine": text(args, "engine")}


async def use(conch: Conch, args: dict[str, Any]) -> Items:
    """Choose who answers from now on."""
    name, model = text(args, "engine"), text(args, "model", "")
    engine = conch.engines.get(name.strip().lower())
    if engine is None and not model:
        # One word may be a model of the engine that answers now.
        now = conch.engines.default()
        if await asyncio.to_thread(_surely_knows, now, name):
            engine, model = now, name
    if engine is None:
        raise ConchError(
            f"“{name}” isn't connected.",
            "Nothing changed.",
            "conch engines lists what is; conch connect connects another.",
        )
    anyway = flag(args, "anyway")
    if model and not anyway and not await asyncio.to_thread(knows_model, engine, model):
        raise ConchError(
            f"“{model}” is no model of {engine.name} that Conch knows.",
            "Nothing changed.",
            f"To use it anyway: conch engines use {engine.id} {model} --anyway",
        )
    conch.home.change_settings(
        lambda settings: settings.model_copy(update={"engine": engine.id, "model": model})
    )
    yield {**_item(engine), "model": model or engine.default_model}


async def configure(conch: Conch, args: dict[str, Any]) -> Items:
    """Set an engine's models, window, or that it is a plan."""
    name = text(args, "engine")
    if conch.engines.get(name) is None:
        raise ConchError(
            f"“{name}” isn't connected.", "Nothing changed.", "conch engines lists what is."
        )
    given: dict[str, Any] = {
        key: args[key] for key in ("model", "cheap_model", "plan", "window") if key in args
    }
    try:
        before = conch.home.settings().engines.get(name, EngineSettings())
        after = EngineSettings.model_validate({**before.model_dump(), **given})
    except ValueError as error:
        raise ConchError(
            "That can't be set so.", "Nothing changed.", "A window is a number of tokens."
        ) from error
    conch.home.change_settings(
        lambda settings: settings.model_copy(update={"engines": {**settings.engines, name: after}})
    )
    engine = conch.engines.get(name)
    assert engine is not None
    yield _item(engine)


def _surely_knows(engine: Engine, model: str) -> bool:
    known = {engine.default_model, engine.cheapest_model}
    if isinstance(engine, ProviderEngine):
        known |= {one.name for one in engine.connection.listed}
        known |= {model} if is_listed(engine.priced_as, model) else set()
    return model in known


def _item(engine: Engine) -> dict[str, Any]:
    return {
        "type": "engine",
        "id": engine.id,
        "name": engine.name,
        "billing": engine.billing,
        "local": engine.local,
        "default_model": engine.default_model,
        "cheapest_model": engine.cheapest_model,
        "window": engine.window(),
        "usd_per_million": price_per_million(engine, engine.default_model),
        "cheapest_usd_per_million": price_per_million(engine, engine.cheapest_model),
    }


VERBS: dict[str, Verb] = {
    "engines.list": listing,
    "engines.connect": connect,
    "engines.disconnect": disconnect,
    "engines.use": use,
    "engines.set": configure,
}
