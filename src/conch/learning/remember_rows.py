"""What the assistant's `remember` may not save by itself: the drop rows of spec 0088 §4, and more.

The person may ask for exactly that in their own words (`asked_for.py`); then none of these rows
counts. A secret is refused before, asked for or not. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from conch.guard.taints import Taint
from conch.learning.changes import Add, Situation
from conch.learning.gate import OF_ITS_WORDS, Case
from conch.learning.stating import not_only_asked
from conch.words.meaning import Meaning
from conch.words.tokens import shares_a_word

ONLY_IF_ASKED = (
    "That is saved only when the person asks for exactly it in their own words "
    "(“remember that …”); don't try again unless they do."
)
MORE_THAN_ASKED = (
    "They asked for less: save only what they asked for, in their own words and language, and "
    "leave the rest out."
)


@dataclass(frozen=True)
class Saving:
    """What the assistant would save, and where.

    `said`: the person's own prose that may be read, of the chat so far. `quiet`: the chat is marked
    Don't learn from this chat. `off`: learning is off. `asks`: the person asks for something to be
    remembered in this turn, but not for just that.
    """

    text: str
    said: tuple[str, ...]
    quiet: bool = False
    off: bool = False
    read: tuple[Taint, ...] = ()
    asks: bool = False

    @property
    def what_to_do(self) -> str:
        return MORE_THAN_ASKED if self.asks else ONLY_IF_ASKED


@dataclass(frozen=True)
class RememberRow:
    """One row: what it is called, and why it refuses ("" when it doesn't)."""

    name: str
    asks: Callable[[Saving, Meaning | None], str]


def refused(saving: Saving, meaning: Meaning | None = None) -> tuple[str, str] | None:
    """The row that refuses what nobody asked for, and why, in words the model can act on."""
    for row in ROWS:
        why = row.asks(saving, meaning)
        if why:
            return row.name, why
    return None


def _quiet(saving: Saving, meaning: Meaning | None) -> str:
    marked = "This chat is marked Don't learn from this chat."
    return f"{marked} {saving.what_to_do}" if saving.quiet else ""


def _off(saving: Saving, meaning: Meaning | None) -> str:
    return f"Learning from chats is off. {saving.what_to_do}" if saving.off else ""


def _its_words(saving: Saving, meaning: Meaning | None) -> str:
    case = Case(Add(saving.text, ""), Situation(said=(), read_outside=saving.read), meaning)
    for row in OF_ITS_WORDS:
        found = row.asks(case)
        if found:
            return f"{found.reason} {saving.what_to_do}"
    return ""


def _not_theirs(saving: Saving, meaning: Meaning | None) -> str:
    text = saving.text
    for words in saving.said:
        if shares_a_word(words, text) and shares_a_word(not_only_asked(words), text):
            return ""
    return (
        "Nothing of it is in what the person said. Save only what they said themselves, in their "
        "own words and language."
    )


ROWS: tuple[RememberRow, ...] = (
    RememberRow("the chat is marked Don't learn from this chat", _quiet),
    RememberRow("learning is off", _off),
    RememberRow("what is never learned", _its_words),
    RememberRow("the words it rests on aren't in what you said", _not_theirs),
)
