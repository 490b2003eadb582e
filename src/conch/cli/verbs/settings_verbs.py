"""Verbs about what the person chose: learning on or off, name, money."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, text
from conch.home.errors import ConchError
from conch.home.settings import MODES, learning_note
from conch.learning.resting import rests

_ON = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}

_MODES = "ask, accept_edits, full_trust"


async def show(conch: Conch, args: dict[str, Any]) -> Items:
    settings = conch.home.settings()
    now = conch.home.clock.now()
    cap = conch.parts.spend.cap
    yield {
        "type": "settings",
        "home": str(conch.home.root),
        "learning": settings.auto_memory,
        "learning_note": learning_note(settings),
        "mode": settings.mode,
        "name": settings.name,
        "engine": settings.engine,
        "model": settings.model,
        "month_budget_usd": settings.month_budget_usd,
        "learning_cap_usd": cap,
        "learning_spent_usd": conch.parts.spend.spent(now),
        "learning_paused": rests(conch.parts, conch.assistant.engine()[0]) == "cap",
        "month_usd": conch.parts.usage.month_usd(now),
    }


async def change(conch: Conch, args: dict[str, Any]) -> Items:
    """Set one thing: `learning`, `mode`, `name`, `month-budget`, `learning-cap`."""
    name, value = text(args, "name"), text(args, "value")
    match name:
        case "learning":
            if value.lower() not in _ON:
                raise ConchError("Learning is “on” or “off”.", "Nothing changed.")
            conch.learning.switch(_ON[value.lower()])
        case "mode":
            if (mode := value.strip().lower().replace(" ", "_")) not in MODES:
                raise ConchError(
                    f"There is no mode “{value}”.", "Nothing changed.", f"There are: {_MODES}."
                )
            _update(conch, "mode", mode)
        case "name":
            if len(value.strip()) > _NAME_AT_MOST:
                raise ConchError(
                    f"A name is at most {_NAME_AT_MOST} characters long.", "Nothing changed."
                )
            _update(conch, "name", value.strip())
        case "month-budget":
            _update(conch, "month_budget_usd", None if value == "none" else _usd(value))
        case "learning-cap":
            conch.parts.spend.set_cap(None if value == "none" else _usd(value))
        case _:
            raise ConchError(
                f"There is no setting “{name}”.",
                "Nothing changed.",
                "There are: learning, mode, name, month-budget, learning-cap.",
            )
    async for item in show(conch, {}):
        yield item


_NAME_AT_MOST = 200


def _update(conch: Conch, key: str, value: object) -> None:
    conch.home.change_settings(lambda settings: settings.model_copy(update={key: value}))


def _usd(value: str) -> float:
    try:
        amount = float(value.strip().removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= 1_000:
        raise ConchError(
            f"“{value}” is no amount.",
            "Nothing changed.",
            "Give US dollars from 0 to 1000, or none.",
        )
    return amount


async def notes(conch: Conch, args: dict[str, Any]) -> Items:
    """What was fixed or set aside, newest first."""
    for note in conch.home.notes.recent(50):
        yield {"type": "note", "at": note.at.isoformat(), "text": note.text, "where": note.where}


VERBS: dict[str, Verb] = {"settings": show, "settings.set": change, "notes": notes}
