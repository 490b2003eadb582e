"""`conch engines …` and `conch connect`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from conch.cli.commands import AsJson, app, items, one, print_json
from conch.cli.showing import out, plain
from conch.engines.practice import PRACTICE
from conch.engines.providers import LOCAL_PROVIDERS, providers, unknown_engine
from conch.home.errors import ConchError

engines = typer.Typer(help="Who answers, and what it costs.", invoke_without_command=True)
app.add_typer(engines, name="engines")

EngineName = Annotated[str, typer.Argument(help="anthropic, openai, google, or a name of yours.")]


@engines.callback()
def listing(context: typer.Context, as_json: AsJson = False) -> None:
    """Who is connected, what each costs, which is a plan, which is free."""
    if context.invoked_subcommand:
        return
    found = items("engines.list")
    if as_json:
        print_json(found)
        return
    for engine in found:
        mark = "[b]*[/]" if engine.get("default") else " "
        out.print(
            f"{mark} {plain(engine['id'])}  [dim]{plain(engine['default_model'])} · "
            f"reviews with {plain(engine['cheapest_model'])} · {_cost(engine)}[/]"
        )
    if all(engine["id"] == PRACTICE for engine in found):
        out.print("[dim]Only the practice engine, which is scripted. conch connect anthropic[/]")


def _cost(engine: dict[str, Any]) -> str:
    if engine["billing"] == "plan":
        return "a plan"
    if engine["billing"] == "free":
        return "on this computer, free" if engine["local"] else "free"
    price = engine["usd_per_million"]
    if price is None:
        return "price not known, counted as dear"
    return f"${price[0]:g} in, ${price[1]:g} out a million tokens"


@app.command()
def connect(
    engine: EngineName,
    url: Annotated[str, typer.Option(help="Address of an OpenAI-compatible server.")] = "",
    model: Annotated[str, typer.Option(help="The model to talk to.")] = "",
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Don't ask it a short question first.")
    ] = False,
) -> None:
    """Connect a provider: its key is asked for, checked, sealed, and never shown."""
    engine = engine.strip().lower()
    if engine not in providers() and engine != PRACTICE and not url:
        raise unknown_engine(engine)
    if engine == PRACTICE and (url or model):
        raise ConchError(
            "The practice engine is a script: it has no address and no models.",
            "Nothing changed.",
            "To use it: conch connect practice",
        )
    keyless = bool(url) or engine in LOCAL_PROVIDERS
    key = "" if engine == PRACTICE else _key(keyless)
    connected = one(
        "engines.connect", engine=engine, key=key, url=url, model=model, check=not no_check
    )
    told = [plain(connected["default_model"])]
    if engine != PRACTICE:
        told += [_KEYS.get(connected["key"], ""), "not checked" if no_check else ""]
    out.print(f"Connected: {plain(connected['name'])} ({', '.join(filter(None, told))})")
    if connected["default"]:
        out.print(f"{plain(connected['name'])} answers from now on.")
    else:
        out.print(f"To have it answer: conch engines use {plain(connected['id'])}")


_KEYS = {
    "kept": "with the key it had",
    "environment": "with the key of the environment",
    "none": "no key",
}


def _key(keyless: bool) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    default = "" if keyless else None
    note = " (empty when the server needs none)" if keyless else ""
    return typer.prompt(f"Key{note}", default=default, hide_input=True, show_default=False).strip()


@engines.command()
def disconnect(engine: EngineName) -> None:
    """Forget an engine's key and address."""
    one("engines.disconnect", engine=engine)
    out.print(f"Disconnected: {plain(engine)}")


@engines.command()
def use(
    engine: EngineName,
    model: Annotated[str, typer.Argument(help="One of its models; its usual one if none.")] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Use a model Conch doesn't know.")
    ] = False,
) -> None:
    """Choose who answers from now on."""
    chosen = one("engines.use", engine=engine, model=model, anyway=anyway)
    out.print(f"{plain(chosen['name'])} answers now, with {plain(chosen['model'])}.")


@engines.command("set")
def configure(
    engine: EngineName,
    model: Annotated[str | None, typer.Option(help="The model that answers.")] = None,
    cheap_model: Annotated[str | None, typer.Option(help="The model that reviews.")] = None,
    plan: Annotated[bool | None, typer.Option(help="It is a plan, paid by the month.")] = None,
    window: Annotated[int | None, typer.Option(help="Its window, in tokens.")] = None,
    images: Annotated[bool | None, typer.Option(help="Whether it may be sent images.")] = None,
) -> None:
    """Set an engine's models, its window, that it is a plan, or whether it gets images."""
    given = {
        "model": model,
        "cheap_model": cheap_model,
        "plan": plan,
        "window": window,
        "images": images,
    }
    after = one(
        "engines.set", engine=engine, **{key: one for key, one in given.items() if one is not None}
    )
    out.print(f"{plain(after['name'])}: {plain(after['default_model'])} · {_cost(after)}")
