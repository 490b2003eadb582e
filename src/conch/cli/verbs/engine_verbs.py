"""Verbs about engines: what is connected, what it costs, connecting and choosing."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.engines.engine import Engine
from conch.engines.prices import price_per_million
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    await conch.engines.find_local()
    default = conch.engines.default()
    for engine in conch.engines.connected():
        yield {**_item(engine), "default": engine.id == default.id}


async def connect(conch: Conch, args: dict[str, Any]) -> Items:
    """Connect a provider by its key, or an OpenAI-compatible server by its address."""
    engine = conch.engines.connect(
        text(args, "engine"),
        key=text(args, "key", ""),
        url=text(args, "url", ""),
        model=text(args, "model", ""),
    )
    for value in conch.engines.secrets():
        conch.redactor.add(value)
    yield _item(engine)


async def disconnect(conch: Conch, args: dict[str, Any]) -> Items:
    conch.engines.disconnect(text(args, "engine"))
    yield {"type": "disconnected", "engine": text(args, "engine")}


async def use(conch: Conch, args: dict[str, Any]) -> Items:
    """Choose who answers from now on."""
    engine = conch.engines.get(text(args, "engine"))
    if engine is None:
        raise ConchError(
            f"“{text(args, 'engine')}” isn't connected.", "Nothing changed.", "conch engines"
        )
    model = text(args, "model", "")
    conch.home.change_settings(
        lambda settings: settings.model_copy(update={"engine": engine.id, "model": model})
    )
    yield {**_item(engine), "model": model or engine.default_model}


async def configure(conch: Conch, args: dict[str, Any]) -> Items:
    """Set an engine's models, window, or that it is a plan."""
    name = text(args, "engine")
    if conch.engines.get(name) is None:
        raise ConchError(f"“{name}” isn't connected.", "Nothing changed.", "conch engines")
    given: dict[str, Any] = {
        key: args[key] for key in ("model", "cheap_model", "plan", "window") if key in args
    }
    try:
        before = conch.home.settings().engines.get(name, EngineSettings())
        after = EngineSettings.model_validate({**before.model_dump(), **given})
    except ValueError as error:
        raise ConchError("That can't be set so.", "Nothing changed.", str(error)) from None
    conch.home.change_settings(
        lambda settings: settings.model_copy(update={"engines": {**settings.engines, name: after}})
    )
    engine = conch.engines.get(name)
    assert engine is not None
    yield _item(engine)


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
