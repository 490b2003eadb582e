"""Cards for what waits: the words, where they come from, one key for an answer.

The words' hash goes with the card, so that what is kept is exactly what was shown (promise 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conch.cli.calling import Call
from conch.cli.keys import one_key
from conch.cli.person import must_be_the_person
from conch.cli.showing import error_line, out, plain, show_why
from conch.home.errors import ConchError

_KEYS = {"k": "keep", "f": "forget", "l": "later", "q": "quit"}
_THE_KEYS = " · ".join(f"{key} {what}" for key, what in _KEYS.items())


async def waiting_cards(ask: Call, reference: str) -> list[dict[str, Any]]:
    """What waits: all of it, or the one with this number or id."""
    waiting = [item async for item in ask("learned", {"waiting": True})]
    if not reference:
        return waiting
    found = [one for one in waiting if reference in (str(one["number"]), one["id"], one["memory"])]
    if not found:
        raise ConchError(
            f"Nothing that waits for you is “{reference}”.",
            "Nothing changed.",
            "conch learned --waiting lists what waits.",
        )
    return found


async def go_through(ask: Call, cards: Sequence[dict[str, Any]]) -> None:
    """Show card after card and carry out the key pressed; an error leaves the card as it was.

    Raises ConchError where no person is at a terminal.
    """
    if not cards:
        out.print("Nothing waits for you.")
        return
    must_be_the_person("Nothing was kept or forgotten; conch learned --waiting shows what waits.")
    for at, card in enumerate(cards, start=1):
        out.print()
        show_why(card)
        out.print(f"[dim]{at} of {len(cards)}[/]  {_THE_KEYS}")
        pressed = await one_key("".join(_KEYS), _say_the_keys)
        if pressed in ("q", ""):
            return
        try:
            await _carry_out(ask, card, pressed)
        except ConchError as error:
            out.print(error_line(error))


def _say_the_keys() -> None:
    out.print(f"[dim]That key does nothing here: {_THE_KEYS}[/]")


async def _carry_out(ask: Call, card: dict[str, Any], pressed: str) -> None:
    if pressed == "k":
        args = {"reference": card["id"], "words_hash": card["words_hash"]}
        async for done in ask("keep", args):
            out.print(f"Kept. {plain(done['note'])}")
    elif pressed == "f":
        async for _ in ask("forget", {"reference": card["id"]}):
            out.print("Forgotten. It won't be learned again.")
