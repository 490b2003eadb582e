"""When a chat outgrows the window, its start is summarised; the rest is sent as it is."""

from __future__ import annotations

from collections.abc import Sequence

from conch.assistant.attached import with_files
from conch.assistant.prompt import prompt_text
from conch.assistant.sending import tokens_in
from conch.chats.events import Event, StartSummarised
from conch.chats.left_out import left_out
from conch.chats.turns import Turn, turns
from conch.engines.engine import Ask, Engine, EngineFailed
from conch.engines.usage import UsageLedger

FULL_AT = 0.75
"""The share of a window that system prompt, earlier messages and new words may fill."""
KEPT_SHARE = 0.3
"""The share of a window that stays word for word."""
_SUMMARY_TOKENS = 700


def outgrows(window: int, characters: int) -> bool:
    """Whether so many characters are more than a model with this window should be sent."""
    return tokens_in(characters) > window * FULL_AT


def where_to_cut(events: Sequence[Event], window: int) -> int:
    """The first event to keep word for word: whole turns from the end, 30% of the window.

    0 when there is no whole turn before it that could be summarised.
    """
    begun = [event.before for event in events if isinstance(event, StartSummarised)]
    gone = left_out(events)
    finished = [
        turn for turn in turns(events) if turn.outcome is not None and turn.first_seq not in gone
    ]
    standing = [turn for turn in finished if turn.first_seq >= (begun[-1] if begun else 0)]
    room = int(window * KEPT_SHARE)
    cut = 0
    for turn in reversed(standing[1:]):
        room -= tokens_in(len(with_files(turn.person)) + len(turn.reply))
        if room < 0 and cut:
            break
        cut = turn.first_seq
    return cut


async def summarise_start(
    engine: Engine,
    model: str,
    events: Sequence[Event],
    before: int,
    ledger: UsageLedger,
    chat: str,
) -> StartSummarised:
    """A summary of everything before event `before`, by the engine that answers the chat.

    What it cost goes into the ledger. When the engine gives none, the person's own requests are
    listed instead: the chat goes on.
    """
    begun = [event for event in events if isinstance(event, StartSummarised)]
    first = begun[-1].before if begun else 0
    gone = left_out(events)
    told = [
        turn
        for turn in turns(events)
        if first <= turn.first_seq < before and turn.first_seq not in gone
    ]
    text = "\n".join(
        [*(f"Earlier: {event.summary}" for event in begun[-1:]), *(_told(turn) for turn in told)]
    )
    room = int(engine.window(model) * 0.5 * 3)
    if len(text) > room:
        text = f"{text[: room // 3]}\n[…]\n{text[-(room - room // 3) :]}"
    ask = Ask(
        system=prompt_text("summary"),
        user=f"<chat>\n{text.replace('<', '‹').replace('>', '›')}\n</chat>",
        purpose="summary",
        model=model,
        max_tokens=_SUMMARY_TOKENS,
    )
    summary = ""
    try:
        completed = await engine.complete(ask)
        summary = completed.text.strip()
        took = (completed.model, completed.usage, completed.cost_usd)
    except EngineFailed as failed:
        took = (model, failed.usage, failed.cost_usd)
    ledger.add(engine, *took, purpose="summary", chat=chat)
    if not summary:
        asked = "\n".join(f"- {turn.person.text[:300]}" for turn in told[-20:])
        summary = f"What the person asked for earlier:\n{asked}"
    return StartSummarised(before=before, summary=summary)


def _told(turn: Turn) -> str:
    steps = "".join(f"\n  did: {step.summary}" for step in turn.steps[:20])
    return f"Person: {turn.person.text}{steps}\nAssistant: {turn.reply}"
