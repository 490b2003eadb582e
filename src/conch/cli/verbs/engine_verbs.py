"""Verbs about engines: what is connected, what it costs, connecting and choosing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, flag, text
from conch.engines import connecting
from conch.engines.checking import knows_model
from conch.engines.engine import Engine
from conch.engines.practice import PRACTICE
from conch.engines.prices import price_per_million
from conch.home.errors import ConchError
from conch.home.settings import (
    WINDOW_AT_LEAST,
    WINDOW_AT_MOST,
    EngineSettings,
    Settings,
)


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    await conch.engines.find_local()
    default = conch.engines.default()
    for engine in conch.engines.connected():
        yield {**_item(engine), "default": engine.id == default.id}


async def connect(conch: Conch, args: dict[str, Any]) -> Items:
    """Connect a provider by its key, or an OpenAI-compatible server by its address.

    With `check` it is asked one short question first; when it does not answer, nothing changes.
    """
    connected = await connecting.connect(
        conch.engines,
        conch.parts.usage,
        text(args, "engine"),
        key=text(args, "key", ""),
        url=text(args, "url", ""),
        model=text(args, "model", ""),
        checks=flag(args, "check"),
        otherwise="To connect it all the same: --no-check",
    )
    for value in conch.engines.secrets():
        conch.redactor.add(value)
    engine = connected.engine
    default = engine.id == conch.engines.default().id
    yield {**_item(engine), "default": default, "key": connected.key}


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
        if await asyncio.to_thread(knows_model, now, name, sure=True):
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
    """Set an engine's models, window, that it is a plan, or whether it gets images."""
    name = text(args, "engine")
    if conch.engines.get(name) is None:
        raise ConchError(
            f"“{name}” isn't connected.", "Nothing changed.", "conch engines lists what is."
        )
    given = {key: args[key] for key in _TAKES if key in args}
    if name == PRACTICE and {"model", "cheap_model"} & given.keys():
        raise ConchError(
            "The practice engine is a script: it has no models.",
            "Nothing changed.",
            "conch connect connects an engine that has.",
        )
    window = given.get("window")
    if isinstance(window, int) and not WINDOW_AT_LEAST <= window <= WINDOW_AT_MOST:
        raise _cannot_be_set(["window"])

    def changed(settings: Settings) -> Settings:
        before = settings.engines.get(name, EngineSettings())
        after = EngineSettings.model_validate({**before.model_dump(), **given})
        return settings.model_copy(update={"engines": {**settings.engines, name: after}})

    try:
        conch.home.change_settings(changed)
    except ValidationError as error:
        wrong = dict.fromkeys(str(one["loc"][0]) for one in error.errors())
        raise _cannot_be_set(list(wrong)) from None
    engine = conch.engines.get(name)
    assert engine is not None
    yield _item(engine)


_TAKES = {
    "model": "a name, like claude-haiku-5-5",
    "cheap_model": "a name, like claude-haiku-5-5",
    "plan": "true or false",
    "images": "true or false",
    "window": f"a whole number of tokens from {WINDOW_AT_LEAST} to {WINDOW_AT_MOST}",
}


def _cannot_be_set(fields: Sequence[str]) -> ConchError:
    """Says which fields were not as they have to be."""
    return ConchError(
        f"That can't be set: {', '.join(fields)}.",
        "Nothing changed.",
        " ".join(f"{field}: {_TAKES.get(field, 'another value')}." for field in fields),
    )


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
