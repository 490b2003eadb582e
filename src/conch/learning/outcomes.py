"""How a look can end, and what of it is written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from conch.guard.secrets import find_secrets
from conch.guard.sensitive import sensitive_topic
from conch.learning.changes import Add
from conch.learning.deciding import DecidedChange, World
from conch.learning.record import Dropped, Record, RecordStep, Trigger
from conch.learning.said import NO_TIME

PauseReason = Literal["no_model", "budget", "cap", "plan_room", "no_answer", "unreadable"]
"""Why a look keeps its place and is tried again in an hour (spec 0088 §1)."""

LookOutcome = (
    PauseReason
    | Literal[
        "learned",
        "nothing_to_learn",
        "passed_over",
        "nothing_new",
        "off",
        "quiet",
        "gone",
        "not_yours",
        "brought",
        "cut_off",
        "someone_else",
        "error",
    ]
)

IN_PLAIN_WORDS: dict[str, str] = {
    "learned": "Something was learned.",
    "nothing_to_learn": "Nothing in it was worth remembering.",
    "passed_over": "The engine's answer couldn't be read twice, so this part is passed over.",
    "nothing_new": "Nothing was said since the last look, or since learning was turned on again.",
    "off": "Learning is off.",
    "quiet": "This chat is marked Don't learn from this chat.",
    "gone": "There is no such chat.",
    "not_yours": "Chats of this kind are never learned from.",
    "someone_else": "Someone else's words are in it: they aren't yours to learn from.",
    "no_model": "No engine that saw these words can read them, and no model runs on this computer. "
    "They wait until the one that answered them is connected again, or a model runs here.",
    "budget": "The month's budget is used up.",
    "cap": "Learning has spent what it may this month. It goes on on the 1st.",
    "plan_room": "The plan is at least 80% used, or doesn't say how much of it is.",
    "no_answer": "The engine didn't answer. It is tried again in an hour.",
    "unreadable": "The engine's answer couldn't be read. It is tried again in an hour.",
    "cut_off": "Its last look is going on or was cut off. It is tried again within the hour.",
    "brought": "It was brought in. conch learn --brought reads such chats, and says first what it "
    "can cost.",
    "not_yet": "It was not looked at yet: that happens ten minutes after the last reply.",
    "error": "The look failed. It is tried again in an hour.",
}

_SECRETS = {
    "password": "a password",
    "pin": "a code",
    "code": "a code",
    "phrase": "a secret phrase",
    "card": "a card number",
    "key": "a key",
    "token": "a token",
    "link_user": "a password",
}
_KEEPS_NO_WORDS = frozenset(("a key, a password, anything the vault would hide", "health or money"))


@dataclass(frozen=True)
class LookResult:
    """What came of one look at a chat. `cost_usd` is None when the price is not known."""

    chat: str
    outcome: LookOutcome
    look: str = ""
    records: tuple[Record, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    seen_again: tuple[str, ...] = ()
    asked: bool = False
    engine: str = ""
    model: str = ""
    cost_usd: float | None = 0.0

    def asked_of(self, engine: str, model: str, cost_usd: float | None) -> LookResult:
        """The same with who was asked ("" for nobody) and what that came to."""
        return replace(self, asked=bool(engine), engine=engine, model=model, cost_usd=cost_usd)


def record_of(
    one: DecidedChange,
    world: World,
    trigger: Trigger,
    title: str,
    engine: str,
    model: str,
    redact: Callable[[str], str],
) -> Record:
    """The record of a change that is to be written; `one.memory` must be there.

    Quotes and reasons are kept redacted: the record outlives the chat.
    """
    memory = one.memory
    assert memory is not None
    change = one.change
    observed = isinstance(change, Add) and change.observed
    message = next((said for said in world.said if said.seq == one.seq), None)
    waits = (memory.waits,) if memory.waits else ()
    held = memory.held.reasons if memory.held else ()
    return Record(
        id=memory.learned,
        at=world.at,
        chat=world.chat,
        chat_title=title,
        trigger=trigger,
        memory=memory.id,
        kind=memory.kind,
        about=memory.about,
        text=memory.text,
        change="superseded" if one.replaced else "added",
        before=one.replaced.id if one.replaced else "",
        before_text=one.replaced.text if one.replaced else "",
        before_hash=one.replaced.words_hash if one.replaced else "",
        invalid_at=one.replaced.invalid_at if one.replaced else None,
        why=redact("" if isinstance(change, Add) else change.why),
        steps=tuple(RecordStep(summary=redact(one.summary), ok=one.ok) for one in change.steps)
        if isinstance(change, Add) and change.observed
        else (),
        quotes=() if observed or not change.quote else (redact(change.quote)[:240],),
        said_at=message.at if message and not observed and message.at > NO_TIME else None,
        signals=("worked_another_way",) if observed else (message.signals if message else ()),
        engine="" if observed else engine,
        model="" if observed else model,
        waits=tuple(dict.fromkeys((*waits, *held))),
        state="applied" if memory.usable else "waiting",
    )


def dropped_of(one: DecidedChange, redact: Callable[[str], str]) -> Dropped:
    """What is kept of a change that was dropped: the reason, and its words where they may be."""
    decision = one.judged.decision
    words = one.change.text
    kind = _kind_of_secret(words) or _kind_of_secret(one.change.quote)
    withheld = bool(kind) or sensitive_topic(words) is not None
    text = "" if withheld or decision.row in _KEEPS_NO_WORDS else redact(words)[:300]
    reason = " ".join(decision.reasons) or decision.row
    return Dropped(row=decision.row, reason=redact(reason), text=text, secret=kind)


def _kind_of_secret(words: str) -> str:
    """ "a password", "a key": what kind of secret the words hold, never which; "" for none."""
    for finding in find_secrets(words):
        group, _, kind = finding.kind.partition(":")
        return _SECRETS.get(kind, "a code") if group == "chat" else _SECRETS.get(kind, "a key")
    return ""


def applied_on(records: Iterable[Record], now: datetime) -> int:
    """How many changes learning applied by itself on the day of `now`, in the local time zone.

    One that was taken back counts still: the quota is about how much happens unasked in a day.
    """
    today = now.astimezone().date()
    return sum(
        1
        for record in records
        if not record.waits and record.trigger != "tool" and record.at.astimezone().date() == today
    )
