"""Does a memory say more than the person's words? A number, a name, an address or a "not" that they
never said is not theirs (spec 0088 §4: the words are the only evidence).
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from conch.guard.characters import canonical
from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.learning.changes import Said
from conch.learning.new_things import IDEOGRAPHS, in_words, names_new_things
from conch.words.cues import Hit
from conch.words.fold import fold
from conch.words.meaning import Meaning
from conch.words.names import names
from conch.words.negation import negated
from conch.words.numbers import numbers
from conch.words.stems import same_word
from conch.words.tokens import function_words, tokens

_TOPIC = "learning.grounding"
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+|www\.\S+|\S+@\S+\.\w+|@\w{2,}"
    r"|(?<![\w@/.-])(?:[\w-]+\.)+(?:[a-z]{2,})(?:/\S*)?(?![\w-])|(?:~|\.{1,2})?/[\w.-]+/[\w./-]*",
    re.IGNORECASE,
)
_TAG = re.compile(r"<\s*/?\s*[a-z][^<>]*>?|\{\{|\]\(|javascript:", re.IGNORECASE)


def says_more(
    text: str,
    quote: str,
    clause: str,
    message: Said,
    said: Sequence[Said],
    meaning: Meaning | None = None,
) -> str:
    """Why `text` goes beyond the words it rests on, in the product's words, or "".

    `clause` is what the quote is part of in `message`; `said` everything the person said.
    """
    text = canonical(text)
    prose = canonical("\n".join(one.prose for one in said))
    if _TAG.search(text) and not _TAG.search(prose):
        return "It holds markup you never wrote."
    addresses = {fold(found).rstrip(".,;") for found in _ADDRESS.findall(text)}
    if any(address not in fold(prose) for address in addresses):
        return "It names an address you never wrote."
    told = {hit.group for one in said for hit in _hits(one.prose)}
    when = "relative_time" in told
    strange = [
        number for number in numbers(_without_articles(text)) if number not in _numbers_said(said)
    ]
    if strange and not (when and _is_a_time_you_meant(strange, said, message)):
        return "It holds a number you never said."
    if _names_nobody_said(_without_times(text) if when else text, prose):
        return "It holds a name you never said."
    if _turned_round(text, clause):
        return "It says the opposite of what you said."
    if _of_somebody_else(text, clause):
        return "You said it of somebody else."
    timeless = _without_times(text) if when else text
    return names_new_things(timeless, quote, clause, message.prose, meaning)


def _hits(text: str) -> tuple[Hit, ...]:
    return in_its_language(phrases_in(_TOPIC, read_words(text)), text)


def _numbers_said(said: Sequence[Said]) -> set[str]:
    return {number for one in said for number in numbers(canonical(one.prose))}


def _is_a_time_you_meant(strange: Sequence[str], said: Sequence[Said], message: Said) -> bool:
    """True when each number may be "next month" or "five years ago" worked out from the date."""
    spans = {int(number) for number in _numbers_said(said) if number.isdigit() and len(number) < 3}
    years = {message.at.year + step for step in (-1, 0, 1)}
    years |= {message.at.year + sign * span for span in spans for sign in (-1, 1)}
    days = range(1, 32)
    return all(
        number.isdigit() and (int(number) in years or int(number) in days) for number in strange
    )


def _without_articles(text: str) -> str:
    """`text` without an article that is also a number ("bir")."""
    words = read_words(text)
    articles = {words[hit.start] for hit in _hits(text) if hit.group == "article"}
    return " ".join(part for part in text.split() if fold(part) not in articles)


def _without_times(text: str) -> str:
    """`text` without the words for when: "in November" is "last month" worked out."""
    words = read_words(text)
    times = {
        word
        for hit in phrases_in(_TOPIC, words)
        if hit.group == "relative_time"
        for word in words[hit.start : hit.end]
    }
    return " ".join(part for part in text.split() if fold(part).strip(".,;:") not in times)


def _names_nobody_said(text: str, prose: str) -> bool:
    told = set(tokens(prose))
    flat = fold(prose).replace(" ", "")
    for name in names(text):
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
    """True when one says no and the other does not, and no "hates" or "over" explains it; or one
    likes what the other hates."""
    memory, told = ({hit.group for hit in _hits(one)} for one in (text, clause))
    denies, denied = negated(text), negated(clause)
    if denied and not denies and _against_denied(clause, text):
        return True
    if _likes(told) and not denied and _hates(memory):
        return True
    if _hates(told) and not denies and _likes(memory):
        return True
    if denied and not denies and "likes" in told and "rather" in memory - told:
        return "against" not in memory | told
    return denies != denied and not (memory | told) & {"against", "rather"}


def _against_denied(clause: str, text: str) -> bool:
    """True for "I never miss it" made "Misses it": the word the "not" stands before is there."""
    words, told = read_words(clause), read_words(text)
    found = in_its_language(phrases_in("learning.opposites", words), clause)
    denied = [hit for hit in found if hit.group == "denies"]
    ours = {
        word[:4]  # "miss", "misses": few verbs, told apart by how they begin
        for hit in _hits(text)
        if hit.group == "against"
        for word in told[hit.start : hit.end]
    }
    return any(
        hit.group == "against"
        and any(0 <= hit.start - no.end < 2 for no in denied)
        and any(word[:4] in ours for word in words[hit.start : hit.end])
        for hit in _hits(clause)
    )


def _likes(groups: Set[str]) -> bool:
    return "likes" in groups and "dislikes" not in groups


def _hates(groups: Set[str]) -> bool:
    return "dislikes" in groups and "likes" not in groups


def _of_somebody_else(text: str, clause: str) -> bool:
    """True when the clause says it of "my sister" or "she", and the memory of no such person."""
    words = read_words(clause)
    hits = _hits(clause)
    told = tokens(text)
    if _names_one(text):  # "I call my brother Max": the verb alone is no word of the memory's
        told = [word for word in told if not in_words(word, _plain_verbs(text))]
    shared = next(
        (at for at, word in enumerate(words) if _weighs(word) and in_words(word, told)), len(words)
    )
    for hit in hits:
        if hit.group != "someone" or hit.end > shared:
            continue
        if any(one.group == "mine" and hit.end <= one.start < shared for one in hits):
            continue
        who = [word for word in words[hit.start : hit.end] if _weighs(word)]
        if who and any(in_words(word, told) for word in who):
            continue
        if not who and (names(text) or any(one.group in ("someone", "kin") for one in _hits(text))):
            continue
        return True
    return False


def _names_one(text: str) -> bool:
    hits = in_its_language(phrases_in("learning.slots", read_words(text)), text)
    return any(hit.group in ("named", "called") for hit in hits)


def _plain_verbs(text: str) -> list[str]:
    words = read_words(text)
    return [
        word
        for hit in _hits(text)
        if hit.group == "plain_verb"
        for word in words[hit.start : hit.end]
    ]


def _weighs(word: str) -> bool:
    return (len(word) > 1 and word not in function_words()) or IDEOGRAPHS.match(word) is not None
