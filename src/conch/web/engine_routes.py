"""Routes about engines: who is connected, what each costs, connecting, checking, choosing."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from conch.assistant.attached import sees_images
from conch.engines.checking import check_answers
from conch.engines.connecting import connect
from conch.engines.engine import Engine, EngineFailed
from conch.engines.prices import price_per_million
from conch.engines.provider_engine import ProviderEngine
from conch.engines.providers import LOCAL_PROVIDERS, providers
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings
from conch.web.gateway import Gateway, Here
from conch.web.problems import Refused, not_there
from conch.web.settings_shapes import (
    Choosing,
    Connecting,
    EngineChange,
    EngineChecked,
    EngineItem,
    EnginePage,
    KnownProvider,
    Price,
)

router = APIRouter(prefix="/api/engines", tags=["engines"])


def engine_item(here: Gateway, engine: Engine) -> EngineItem:
    """An engine as the settings show it; never its key."""
    conch = here.conch
    answers, chosen = conch.assistant.engine()
    default = answers.id == engine.id
    model = chosen if default else engine.default_model
    listed = engine.connection.listed if isinstance(engine, ProviderEngine) else ()
    names = [engine.default_model, engine.cheapest_model, *(one.name for one in listed)]
    return EngineItem(
        id=engine.id,
        name=engine.name,
        billing=engine.billing,
        local=engine.local,
        default=default,
        model=model,
        cheapest_model=engine.cheapest_model,
        window=engine.window(),
        usd_per_million=_price(engine, engine.default_model),
        cheapest_usd_per_million=_price(engine, engine.cheapest_model),
        plan_used_percent=conch.parts.plan.used_percent(engine.id, conch.home.clock.now()),
        sees_images=sees_images(engine, model),
        cheapest_chosen=conch.home.settings().engines.get(engine.id, EngineSettings()).cheap_model,
        models=list(dict.fromkeys(name for name in names if name)),
    )


def _price(engine: Engine, model: str) -> Price | None:
    price = price_per_million(engine, model)
    return Price(sent=price[0], answered=price[1]) if price else None


def _the_engine(here: Gateway, engine_id: str) -> Engine:
    engine = here.conch.engines.get(engine_id)
    if engine is None:
        raise not_there("engine")
    return engine


@router.get("")
async def list_engines(here: Here) -> EnginePage:
    """Who can answer; servers on this computer are looked for."""
    engines = here.conch.engines
    await engines.find_local()
    connected = engines.connected()
    ids = {engine.id for engine in connected}
    known = [
        KnownProvider(
            id=row.id,
            name=row.name,
            needs_key=bool(row.key_variables) and row.id not in LOCAL_PROVIDERS,
            connected=row.id in ids,
        )
        for row in providers().values()
    ]
    return EnginePage(engines=[engine_item(here, engine) for engine in connected], known=known)


@router.post("/connect")
async def connect_engine(here: Here, given: Connecting) -> EngineItem:
    """Connect a provider by its key, or an OpenAI-compatible server by its address.

    It is asked one short question first, unless `check` is false; when it does not answer, nothing
    changes.
    """
    conch = here.conch
    try:
        connected = await connect(
            conch.engines,
            conch.parts.usage,
            given.id,
            key=given.key,
            url=given.url,
            model=given.model,
            checks=given.check,
        )
    except ConchError as error:
        raise Refused(422, error.what, error.kept, error.do) from None
    for value in conch.engines.secrets():
        conch.redactor.add(value)
    return engine_item(here, connected.engine)


@router.post("/use")
async def use_engine(here: Here, given: Choosing) -> EngineItem:
    """Choose who answers from now on."""
    engine = _the_engine(here, given.id)
    here.conch.home.change_settings(
        lambda settings: settings.model_copy(update={"engine": engine.id, "model": given.model})
    )
    return engine_item(here, engine)


@router.post("/{engine}/set")
async def set_engine(here: Here, engine: str, given: EngineChange) -> EngineItem:
    """Set an engine's models, its window, that it is a plan, or whether it gets images."""
    _the_engine(here, engine)
    update = given.model_dump(exclude_unset=True, exclude_none=True)
    for name in ("window", "images"):
        if name in given.model_fields_set and getattr(given, name) is None:
            update[name] = None

    def changed(before: EngineSettings) -> EngineSettings:
        return before.model_copy(update=update)

    here.conch.home.change_settings(
        lambda settings: settings.model_copy(
            update={
                "engines": {
                    **settings.engines,
                    engine: changed(settings.engines.get(engine, EngineSettings())),
                }
            }
        )
    )
    return engine_item(here, _the_engine(here, engine))


@router.post("/{engine}/check")
async def check_engine(here: Here, engine: str) -> EngineChecked:
    """Ask an engine one short question; what it cost is counted like any answer."""
    chosen = _the_engine(here, engine)
    try:
        done = await check_answers(chosen, here.conch.parts.usage)
    except EngineFailed as failed:
        return EngineChecked(
            ok=False, model=chosen.default_model, sentence=str(failed), cost_usd=failed.cost_usd
        )
    sentence = f"{chosen.name} answers."
    return EngineChecked(ok=True, model=done.model, sentence=sentence, cost_usd=done.cost_usd)


@router.delete("/{engine}", status_code=204)
async def disconnect_engine(here: Here, engine: str) -> Response:
    """Forget an engine's key, address and settings."""
    here.conch.engines.disconnect(engine)
    return Response(status_code=204)
