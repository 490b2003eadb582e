"""Of many memories, the one a new statement says anew: by words alone.

Each memory gets a handful of clues beside the statement, each between 0 and 1: how telling the
words they share are, how alike they run, whether they speak of the same people. Each clue counts
the same: nothing here is fitted to any file of cases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from rapidfuzz import fuzz

from conch.words.stems import stem
from conch.words.tokens import content_tokens, tokens

_FULL_NAME = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr)\. )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+(?: Jr\.)?")
_SOMEONE = "someone"
_OF_ANYTHING = 0.2
_OF_OTHER_PEOPLE = 1.4
"""How alike the words must be, of 2, to be about one thing: more between two people than else."""
_ASIDE = frozenset((_SOMEONE, "and", "both", "all"))


def most_replaced(text: str, others: Sequence[str]) -> int | None:
    """The place in `others` of what `text` replaces; None when it is about something else."""
    clues = replaced_clues(text, others)
    if not clues:
        return None
    best = max(range(len(clues)), key=lambda at: sum(clues[at].alike.values()))
    return best if clues[best].spoken_of else None


@dataclass(frozen=True)
class ReplacedClues:
    """What speaks for a memory being the one. `other_people`: both name people, none the same."""

    alike: Mapping[str, float]
    other_people: bool

    @property
    def spoken_of(self) -> bool:
        """Whether the statement is about this memory's matter at all."""
        said = self.alike["covered"] + self.alike["in order"] + self.alike["people"]
        return said > (_OF_OTHER_PEOPLE if self.other_people else _OF_ANYTHING)


def replaced_clues(text: str, others: Sequence[str]) -> list[ReplacedClues]:
    """The clues of each of `others` beside `text`."""
    people = _people((text, *others))
    said, known = _without(text, people), [_without(other, people) for other in others]
    ours = {person for person in people if person in text}
    rare = _rarity(known)
    found: list[ReplacedClues] = []
    for one, other in zip(known, others, strict=True):
        theirs = {person for person in people if person in other}
        same_people = len(ours & theirs) / max(1, len(ours | theirs))
        found.append(
            ReplacedClues(
                {**_words(said, one, rare), "people": same_people},
                bool(ours and theirs) and not ours & theirs,
            )
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
        "covered": shared / max(1, len(theirs)),
        "telling": sum(rare.get(word, 0.0) for word in ours & theirs) / max(1.0, worth),
        "letters": fuzz.token_set_ratio(said, known) / 100,
        "in order": fuzz.ratio(tokens(said), tokens(known)) / 100,
        "opening": opening / max(1, min(len(ordered), len(before), 6)),
    }
