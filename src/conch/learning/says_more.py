"""Does a memory say more than the person's words? A number, a name, an address or a "not" that they
never said is not theirs (spec 0088 §4: the words are the only evidence).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from conch.guard.characters import canonical
from conch.guard.phrasebook import phrases_in, read_words
from conch.learning.changes import Said
from conch.words.fold import fold
from conch.words.names import names
from conch.words.negation import negated
from conch.words.numbers import numbers
from conch.words.stems import same_word, stem
from conch.words.tokens import content_tokens, tokens

_TOPIC = "learning.grounding"
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+|www\.\S+|\S+@\S+\.\w+|@\w{2,}"
    r"|(?<![\w@/.-])(?:[\w-]+\.)+(?:[a-z]{2,})(?:/\S*)?(?![\w-])|(?:~|\.{1,2})?/[\w.-]+/[\w./-]*",
    re.IGNORECASE,
)
_TAG = re.compile(r"<\s*/?\s*[a-z][^<>]*>?|\{\{|\]\(|javascript:", re.IGNORECASE)
UNSUPPORTED_AT_MOST = 0.67
"""The share of a memory's words of weight that may be the writer's own wording."""


def says_more(text: str, quote: str, clause: str, message: Said, said: Sequence[Said]) -> str:
    """Why `text` goes beyond the words it rests on, in the product's words, or "".

    `clause` is what the quote is part of in `message`; `said` everything the person said.
    """
    prose = canonical("\n".join(one.prose for one in said))
    if _TAG.search(canonical(text)) and not _TAG.search(prose):
        return "It holds markup you never wrote."
    addresses = {fold(found).rstrip(".,;") for found in _ADDRESS.findall(canonical(text))}
    if any(address not in fold(prose) for address in addresses):
        return "It names an address you never wrote."
    strange = [number for number in numbers(text) if number not in _numbers_said(said)]
    if strange and not _is_a_time_you_meant(strange, said, message):
        return "It holds a number you never said."
    if _names_nobody_said(text, prose):
        return "It holds a name you never said."
    if _turned_round(text, clause):
        return "It says the opposite of what you said."
    return _adds_too_much(text, message)


def _numbers_said(said: Sequence[Said]) -> set[str]:
    return {number for one in said for number in numbers(canonical(one.prose))}


def _is_a_time_you_meant(strange: Sequence[str], said: Sequence[Said], message: Said) -> bool:
    """True when a number may be "next month" or "five years ago" worked out from the date."""
    hits = {hit.group for one in said for hit in phrases_in(_TOPIC, read_words(one.prose))}
    if "relative_time" not in hits:
        return False
    spans = {int(number) for number in _numbers_said(said) if number.isdigit() and len(number) < 3}
    years = {message.at.year + step for step in (-1, 0, 1)}
    years |= {message.at.year + sign * span for span in spans for sign in (-1, 1)}
    days = range(1, 32)
    return all(
        number.isdigit() and (int(number) in years or int(number) in days) for number in strange
    )


def _names_nobody_said(text: str, prose: str) -> bool:
    told = set(tokens(prose))
    flat = fold(prose).replace(" ", "")
    for name in names(canonical(text)):
        parts = tokens(name)
        if all(any(same_word(part, word) for word in told) for part in parts):
            continue
        if fold(name).replace(" ", "") in flat or _short_for(fold(name), told):
            continue
        return True
    return False


def _short_for(name: str, told: set[str]) -> bool:
    """True when the person said a short form: "JS" for JavaScript."""
    return any(
        len(word) >= 2 and word[0] == name[0] and _in_order(word, name)
        for word in told
        if len(word) <= 4 and len(name) >= 2 * len(word)
    )


def _in_order(letters: str, word: str) -> bool:
    rest = iter(word)
    return all(letter in rest for letter in letters)


def _turned_round(text: str, clause: str) -> bool:
    """True when one says no and the other does not, and no "hates" or "over" explains it."""
    if negated(text) == negated(clause):
        return False
    groups = {hit.group for told in (text, clause) for hit in phrases_in(_TOPIC, read_words(told))}
    return not groups & {"against", "rather"}


def _adds_too_much(text: str, message: Said) -> str:
    wanted = {stem(word) for word in content_tokens(canonical(text))}
    told = content_tokens(canonical(message.prose))
    if not wanted:
        return ""
    stems = {stem(word) for word in told}
    missing = [
        word for word in wanted if word not in stems and not any(same_word(word, t) for t in told)
    ]
    if len(missing) > 2 and len(missing) / len(wanted) > UNSUPPORTED_AT_MOST:
        return "It says more than you did."
    return ""
