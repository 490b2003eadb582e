"""Of many memories, the one a new statement says anew: found by weighed clues, by words alone.

Each memory gets a handful of clues beside the statement: how telling the words they share are, and
how much more telling than with any other memory; how alike they run; whether they speak of the same
people. One weighing ranks the memories, another says whether the first is spoken of at all. Both
were learned from pairs of facts where the second contradicts the first (`tools/train_replaced.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import log

from rapidfuzz import fuzz

from conch.words.stems import stem
from conch.words.tokens import content_tokens, tokens
from conch.words.weighing import load_weighing

_FULL_NAME = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr)\. )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+(?: Jr\.)?")
_SOMEONE = "someone"
_ASIDE = frozenset((_SOMEONE, "and", "both", "all"))


def most_replaced(text: str, others: Sequence[str]) -> int | None:
    """The place in `others` of what `text` replaces; None when it is about something else."""
    clues = replaced_clues(text, others)
    if not clues:
        return None
    ranked = load_weighing("conch.learning", "replaced")
    best = max(range(len(clues)), key=lambda at: ranked.weigh(clues[at]))
    spoken_of = load_weighing("conch.learning", "replaced.spoken_of")
    return best if spoken_of.says_yes(clues[best]) else None


def replaced_clues(text: str, others: Sequence[str]) -> list[dict[str, float]]:
    """The clues of each of `others` beside `text`."""
    people = _people((text, *others))
    said, known = _without(text, people), [_without(other, people) for other in others]
    ours = {person for person in people if person in text}
    rare = _rarity(known)
    told = [_words(said, one, rare) for one in known]
    found: list[dict[str, float]] = []
    for at, other in enumerate(others):
        theirs = {person for person in people if person in other}
        rivals = [one["telling"] for place, one in enumerate(told) if place != at]
        found.append(
            {
                **told[at],
                "more telling": told[at]["telling"] - max(rivals, default=0.0),
                "people": len(ours & theirs) / max(1, len(ours | theirs)),
                "same people": float(bool(ours) and ours == theirs),
                "other people": float(bool(ours and theirs) and not ours & theirs),
                "same subject": float(
                    any(text.startswith(one) and other.startswith(one) for one in people)
                ),
            }
        )
    return found


def _rarity(known: Sequence[str]) -> Mapping[str, float]:
    """How telling each word stem of the memories is: the fewer have it, the more."""
    having: dict[str, int] = {}
    for one in known:
        for word in {stem(word) for word in content_tokens(one)}:
            having[word] = having.get(word, 0) + 1
    return {word: log(1 + (len(known) - n + 0.5) / (n + 0.5)) for word, n in having.items()}


def _people(texts: Sequence[str]) -> set[str]:
    """Full names that some text starts with: the people the memories are about."""
    found: set[str] = set()
    for text in texts:
        names = [match.group().removesuffix("'s") for match in _FULL_NAME.finditer(text)]
        found.update(name for name in names if text.startswith(name))
    return found


def _without(text: str, people: set[str]) -> str:
    """`text` with the people in it called "someone"."""
    for person in sorted(people, key=len, reverse=True):
        text = text.replace(person, _SOMEONE)
        first = person.split()[0]
        if not first.endswith("."):
            text = re.sub(rf"\b{re.escape(first)}\b", _SOMEONE, text)
    return text


def _words(said: str, known: str, rare: Mapping[str, float]) -> dict[str, float]:
    ours = {stem(word) for word in content_tokens(said)} - _ASIDE
    theirs = {stem(word) for word in content_tokens(known)} - _ASIDE
    shared = len(ours & theirs)
    worth = sum(rare.get(word, 0.0) for word in theirs)
    ordered = [stem(word) for word in tokens(said) if word not in _ASIDE]
    before = [stem(word) for word in tokens(known) if word not in _ASIDE]
    opening = 0
    for one, other in zip(ordered, before, strict=False):
        if one != other:
            break
        opening += 1
    return {
        "shared": shared / max(1, len(ours | theirs)),
        "covered": shared / max(1, len(theirs)),
        "telling": sum(rare.get(word, 0.0) for word in ours & theirs) / max(1.0, worth),
        "letters": fuzz.token_set_ratio(said, known) / 100,
        "in order": fuzz.ratio(tokens(said), tokens(known)) / 100,
        "opening": opening / max(1, min(len(ordered), len(before), 6)),
    }
