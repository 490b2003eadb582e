"""What came of each use of a skill, read from the chats' own logs (the log is the truth).

Nothing is kept beside the logs: a chat that is deleted takes what is known of its uses with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from conch.chats.events import Event, FilesChanged, FilesRestored, SkillUsed
from conch.chats.left_out import left_out
from conch.chats.turns import Turn, turns
from conch.learning.exchange import exchange_of
from conch.learning.signals import signals_of
from conch.skills.outcome import says_it_did_not_manage
from conch.words.meaning import Meaning

Came = Literal["thanked", "ended well", "corrected", "undone", "gave up", "failed", "stopped"]
WENT_WELL: frozenset[Came] = frozenset(("thanked", "ended well"))
_NAMED = re.compile(r"\A\s*/[^\s/]{1,80}(?=\s)")
"""The skill a message asks for: a name, none of the person's words."""
_SAYS_NO = frozenset(("correction", "rephrasing", "retry", "frustration"))


@dataclass(frozen=True)
class UseOutcome:
    """One use that is over. `at` is when it was used, UTC; `seq` its event in the chat's log."""

    skill: str
    at: datetime | None
    seq: int
    by: str
    came: Came

    @property
    def went_well(self) -> bool:
        return self.came in WENT_WELL


def outcomes_in(events: Sequence[Event], meaning: Meaning | None = None) -> list[UseOutcome]:
    """Every use in a chat's log whose turn is over, oldest first; one for each skill of a turn.

    What the person did weighs more than how the turn ended: files it changed taken back, then a
    message right after that corrects, repeats or complains (an edit or a retry of their message
    too), then how the turn ended and what the reply says, then thanks. Linear in the log.
    """
    used = [event for event in events if isinstance(event, SkillUsed)]
    if not used:
        return []
    done = turns(events)
    said_again = {start for start, _ in left_out(events).spans}
    undone = {
        event.change_set: event.direction == "undo"
        for event in events
        if isinstance(event, FilesRestored)
    }
    taken_back = {
        event.seq
        for event in events
        if isinstance(event, FilesChanged) and undone.get(event.change_set)
    }
    found: list[UseOutcome] = []
    for place, turn in enumerate(done):
        end = done[place + 1].first_seq if place + 1 < len(done) else events[-1].seq + 1
        of_turn = {one.skill: one for one in used if turn.first_seq <= one.seq < end}
        if not of_turn or turn.outcome is None:
            continue
        after = done[place + 1] if place + 1 < len(done) else None
        back = any(turn.first_seq <= seq < end for seq in taken_back)
        came = _came(turn, after, back, turn.first_seq in said_again, meaning)
        found += [UseOutcome(one.skill, one.at, one.seq, one.by, came) for one in of_turn.values()]
    return found


def _came(
    turn: Turn, after: Turn | None, back: bool, said_again: bool, meaning: Meaning | None
) -> Came:
    if back:
        return "undone"
    said = _signals(turn, after, meaning) if after is not None else frozenset()
    if said_again or said & _SAYS_NO:
        return "corrected"
    if turn.outcome == "stopped":
        return "stopped"
    if turn.outcome != "success":
        return "failed"
    if says_it_did_not_manage(turn.reply):
        return "gave up"
    return "thanked" if "thanks" in said else "ended well"


def _signals(turn: Turn, after: Turn, meaning: Meaning | None) -> frozenset[str]:
    exchange = exchange_of(
        [
            ("user", _NAMED.sub("", turn.person.text)),
            ("assistant", turn.reply or "(steps)"),
            ("user", _NAMED.sub("", after.person.text)),
        ]
    )
    return frozenset(signals_of(exchange, meaning)) if exchange is not None else frozenset()
