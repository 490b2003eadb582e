"""The gate: what becomes of each change a look proposes (spec 0088 §4).

One table, read from the top: every row that drops, then what is already known, then every row that
waits (all their reasons are collected), then applied. A row has the spec's own words for a name and
a question over one `Case`; what it finds is told to the person.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from conch.chats.events import Origin
from conch.chats.heads import NEVER_LOOKED_AT
from conch.guard.characters import canonical
from conch.guard.key_secrets import key_shaped
from conch.guard.orders import about_the_assistant, an_order
from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.guard.powers import a_power
from conch.guard.redactor import MASK
from conch.guard.secrets import has_secret
from conch.guard.sensitive import Topic, sensitive_topic
from conch.guard.taints import what_was_read
from conch.learning.changes import (
    Add,
    Change,
    Decision,
    NeverItem,
    Said,
    Situation,
    Supersede,
)
from conch.learning.conflict import Replacing, conflicting, replacing
from conch.learning.grounding import Grounding, grounded
from conch.learning.never import match_never
from conch.learning.said import NO_TIME
from conch.learning.scope import scope_of_clauses
from conch.learning.statement import starts
from conch.memory.memory import Memory
from conch.words.cues import Hit, is_boundary
from conch.words.likeness import same
from conch.words.meaning import Meaning
from conch.words.tokens import SOUTH_EAST, UNSPACED

PER_LOOK = 3
"""Changes applied in one look; the rest wait."""
PER_DAY = 8
"""Changes applied in a day, this look's among them; the rest wait."""
LONGEST = 300
"""Characters of a learned memory."""
_ONE_WORD = re.compile(rf"[^\s{UNSPACED}{SOUTH_EAST}\uff66-\uff9d\u0f40-\u0fbc]+")
"""One word in a script that writes blanks: an echo ("read()"), not a statement."""
_A_SENTENCE = re.compile(r"[\uac00-\ud7a3]{2,}(?:이다|이에요|예요|입니다|임|한다|하다|함)[.!]?")
"""One Korean word that is a statement, by its copula or verb ("is a vegetarian")."""
NOBODY_SEES: dict[Origin, str] = {
    "channel": "It was said in a chat app, where nobody sees what Conch learns.",
    "client": "It came through another app, where nobody sees what Conch learns.",
    "imported": "It comes from a chat brought in from elsewhere.",
}


@dataclass(frozen=True)
class Found:
    """That a row holds: why, in the product's words, and the memory or item it rests on."""

    reason: str
    match: str = ""


@dataclass(frozen=True)
class Row:
    """One row of the table: the spec's words for it, and the question it asks."""

    name: str
    asks: Callable[[Case], Found | None]


class Case:
    """A change in its situation, with what several rows want to know worked out once."""

    def __init__(self, change: Change, situation: Situation, meaning: Meaning | None) -> None:
        self.change = change
        self.situation = situation
        self.meaning = meaning
        self.text = canonical(change.text)
        self.quote = canonical(change.quote)
        self.observed = isinstance(change, Add) and change.observed

    @cached_property
    def grounding(self) -> Grounding:
        if self.observed:
            return Grounding(True)
        return grounded(self.change.quote, self.text, self.situation.said, self.meaning)

    @cached_property
    def sensitive(self) -> Topic | None:
        return sensitive_topic(self.quote) or sensitive_topic(self.text, self.meaning)

    @cached_property
    def never(self) -> tuple[str, NeverItem] | None:
        return match_never(self.text, self.situation.never, self.meaning)

    @cached_property
    def rests_on(self) -> Said | None:
        """The message the words stand in, None for what code observed."""
        seq = self.grounding.seq
        return next((one for one in self.situation.said if one.seq == seq), None)

    @cached_property
    def named(self) -> Memory | None:
        """The memory a `Supersede` names, or the one an `Add` cannot be true beside."""
        memories = self.situation.memories
        if isinstance(self.change, Supersede):
            wanted = self.change.replaces
            return next((memory for memory in memories if memory.id == wanted), None)
        return conflicting(self.text, memories, self.meaning, self.situation.already)

    @cached_property
    def said_before(self) -> bool:
        """Whether the words were said before those of the memory they speak of.

        One that changed since it was shown is the person's to compare (`_changed_since`).
        """
        shown = self.situation.shown or {}
        named = self.named
        if named is not None and shown.get(named.id, named.words_hash) != named.words_hash:
            return False
        said = self.change.at if isinstance(self.change, Add) and self.observed else None
        if self.rests_on is not None:
            said = self.rests_on.at
        since = self.situation.said_when.get(self.named.id) if self.named else None
        return said is not None and since is not None and NO_TIME < said < since

    @cached_property
    def replaced(self) -> Memory | None:
        """The memory whose place the change would take: none that was said since, or that may be
        true beside it."""
        return None if self.said_before or self.replacing == "beside" else self.named

    @cached_property
    def known(self) -> Memory | None:
        ours = starts(self.text)
        memories, already = self.situation.memories, self.situation.already
        for memory in already.may_be_same(self.text, memories) if already else memories:
            if not ours.isdisjoint(starts(memory.text)) and same(memory.text, self.text):
                return memory
        return None

    @cached_property
    def replacing(self) -> Replacing:
        """Whether what was said may take the place of the memory it speaks of."""
        if self.named is None or self.observed:
            return "yes"
        told, old = self.rests_on, self.named.text
        bounds = scope_of_clauses(self.grounding.clause, self.grounding.aside)
        if not isinstance(self.change, Supersede):
            return replacing(self.text, old, bounds=bounds)
        words = told.prose if told else self.quote
        corrected = told is not None and "correction" in told.signals
        return replacing(self.text, old, words, corrected, self.meaning, bounds)


def decide(change: Change, situation: Situation, meaning: Meaning | None = None) -> Decision:
    """What becomes of `change`: dropped, seen again, waits or applied, and by which row.

    Pure. `meaning` is asked by three rows only (health and money, close to the never-list, about
    the same thing) and may be None; the others go by words.
    """
    case = Case(change, situation, meaning)
    for row in DROPS:
        found = row.asks(case)
        if found:
            return Decision("dropped", row.name, (found.reason,), found.match)
    if case.known is not None:
        return Decision("seen_again", KNOWN, (), case.known.id)
    replaces = case.replaced.id if case.replaced else ""
    waiting = [(row, found) for row in WAITS if (found := row.asks(case))]
    if waiting:
        reasons = tuple(found.reason for _, found in waiting)
        match = next((found.match for _, found in waiting if found.match), "")
        return Decision("waits", waiting[0][0].name, reasons, match, replaces)
    return Decision("applied", APPLIED, (), "", replaces)


# The rows that drop.


def _never_looked_at(case: Case) -> Found | None:
    if case.situation.origin in NEVER_LOOKED_AT:
        return Found("Chats of this kind are never learned from.")
    return None


def _somebody_else(case: Case) -> Found | None:
    if any(taint.kind == "person" for taint in case.situation.read_outside):
        return Found("Somebody else's words are in the chat.")
    return None


def _no_words(case: Case) -> Found | None:
    if not any(char.isalnum() for char in case.text):
        return Found("It says nothing.")
    if len(case.text) > LONGEST:
        return Found(f"It is longer than {LONGEST} characters.")
    one_word = _ONE_WORD.fullmatch(case.text.strip()) and not _A_SENTENCE.fullmatch(
        case.text.strip()
    )
    if not case.observed and one_word:
        return Found("It is one word of what you said, and says nothing by itself.")
    return None


def _secret(case: Case) -> Found | None:
    redact = case.situation.redact
    if MASK in case.change.text or MASK in case.change.quote:
        return Found("It holds a key, a password or a code.")
    for text in (case.change.text, case.change.quote, case.text, case.quote):
        if has_secret(text) or key_shaped(text) or redact(text) != text:
            return Found("It holds a key, a password or a code.")
    if _puts_a_secret_right(case):
        return Found("It puts right a key, a password or a code.")
    return None


def _puts_a_secret_right(case: Case) -> bool:
    """Whether the quote stands in a correction of a message that told a secret ("No, 4712")."""
    before = ""
    for message in case.situation.said:
        if case.quote and case.quote in canonical(message.text):
            corrects = "correction" in message.signals or "rephrasing" in message.signals
            if corrects and (MASK in before or has_secret(before)):
                return True
        before = canonical(message.text)
    return False


def _sensitive(case: Case) -> Found | None:
    return Found(f"It is about {case.sensitive}.") if case.sensitive else None


def _ungrounded(case: Case) -> Found | None:
    return None if case.grounding.ok else Found(case.grounding.reason)


def _order(case: Case) -> Found | None:
    if about_the_assistant(case.text):
        return Found("It is about the assistant, not about you.")
    if an_order(case.text) or any(hit.group == "posing" for hit in _powers(case.text)):
        return Found("It is an order to the assistant.")
    return None


def _power(case: Case) -> Found | None:
    said_so = {hit.group for one in (case.text, case.quote) for hit in _powers(one)}
    if a_power(case.text) or a_power(case.quote) or "unasked" in said_so:
        return Found("It would let something happen without asking you.")
    return None


def _powers(text: str) -> tuple[Hit, ...]:
    """Powers, and poses for the assistant, that are said as something the person likes."""
    words = [word for word in read_words(text) if not is_boundary(word)]
    return in_its_language(phrases_in("learning.powers", words), text)


def _taken_back(case: Case) -> Found | None:
    if case.never and case.never[0] == "same":
        return Found("You took this back before.", case.never[1].id)
    return None


def _nothing_to_replace(case: Case) -> Found | None:
    if isinstance(case.change, Supersede) and case.named is None:
        return Found("The memory it would replace isn't there.")
    return None


def _not_shown(case: Case) -> Found | None:
    shown = case.situation.shown
    if not isinstance(case.change, Supersede) or shown is None:
        return None
    if case.change.replaces in shown:
        return None
    return Found("The memory it would replace was never shown to the model.")


def _another_thing(case: Case) -> Found | None:
    if case.named is None or case.replacing != "no":
        return None
    return Found("It isn't about the memory it would replace.", case.named.id)


def _said_since(case: Case) -> Found | None:
    old = case.named
    if old is None or not case.said_before or case.replacing != "yes" or not old.usable:
        return None
    return Found("You said otherwise since.", old.id)


# The rows that wait.


def _read_outside(case: Case) -> Found | None:
    read = case.situation.read_outside
    return Found(f"Learned in a chat that {what_was_read(read)}.") if read else None


def _nobody_sees(case: Case) -> Found | None:
    reason = NOBODY_SEES.get(case.situation.origin)
    if reason is None and not case.situation.watched:
        reason = "Nobody sees this chat."
    return Found(reason) if reason else None


def _your_own(case: Case) -> Found | None:
    old = case.replaced
    if old is not None and old.source == "you":
        return Found(f'It would replace what you wrote: "{old.text}".', old.id)
    return None


def _still_waiting(case: Case) -> Found | None:
    old = case.named
    if old is not None and case.said_before and case.replacing == "yes":
        return Found(
            f'You said otherwise since, and that still waits for you: "{old.text}".', old.id
        )
    old = case.replaced
    if old is not None and not old.usable:
        return Found(f'It would replace what still waits for you: "{old.text}".', old.id)
    return None


def _changed_since(case: Case) -> Found | None:
    old, shown = case.replaced, case.situation.shown
    if not isinstance(case.change, Supersede) or old is None or shown is None:
        return None
    if shown.get(old.id, old.words_hash) != old.words_hash:
        return Found(f'What it would replace has changed since: "{old.text}".', old.id)
    return None


def _maybe_another_thing(case: Case) -> Found | None:
    if case.named is None or case.replacing != "unsure":
        return None
    return Found(f'It may be about something else than "{case.named.text}".', case.named.id)


def _enough_for_now(case: Case) -> Found | None:
    if case.situation.applied_this_look >= PER_LOOK:
        return Found(f"{PER_LOOK} things were learned from this chat already.")
    if case.situation.applied_today >= PER_DAY:
        return Found(f"{PER_DAY} things were learned today already.")
    return None


def _close_to_taken_back(case: Case) -> Found | None:
    if case.never and case.never[0] == "close":
        item = case.never[1]
        return Found(f'It is close to what you took back: "{item.text[:120]}".', item.id)
    return None


DROPS: tuple[Row, ...] = (
    Row("a chat that is never looked at", _never_looked_at),
    Row("someone else's words are in it", _somebody_else),
    Row("it says nothing, or too much", _no_words),
    Row("a key, a password, anything the vault would hide", _secret),
    Row("health or money", _sensitive),
    Row("about the assistant itself, or an order to it", _order),
    Row("a power", _power),
    Row("the words it rests on aren't in what you said, or share no word with it", _ungrounded),
    Row("you told Conch not to learn it", _taken_back),
    Row("the memory it would replace isn't there", _nothing_to_replace),
    Row("the memory it would replace wasn't shown", _not_shown),
    Row("the memory it would replace is about something else", _another_thing),
    Row("you said otherwise since", _said_since),
)
OF_ITS_WORDS = tuple(
    row for row in DROPS if row.asks in (_somebody_else, _no_words, _sensitive, _order, _power)
)
"""The rows that need no quote: the assistant's `remember` passes them too (`remember_rows.py`)."""
KNOWN = "already known"
WAITS: tuple[Row, ...] = (
    Row("the chat read something from outside", _read_outside),
    Row("a chat app, or another app through Conch (nobody sees the chat)", _nobody_sees),
    Row("it would replace a memory you wrote yourself", _your_own),
    Row("it would replace one still waiting", _still_waiting),
    Row("the memory it would replace changed since", _changed_since),
    Row("the memory it would replace may be about something else", _maybe_another_thing),
    Row("more than 3 in one look, or more than 8 in a day", _enough_for_now),
    Row("only close to something you told Conch not to learn", _close_to_taken_back),
)
APPLIED = "you were in the chat, it read nothing from outside, every check passes"
