"""What a memory states, where it states something there is only one of: where one lives, how many
children, which day the class is on. The slots' words are `[learning.slots]` in each language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conch.guard.phrasebook import phrases_in, read_words
from conch.words.cues import Hit, is_boundary
from conch.words.stems import stem
from conch.words.tokens import function_words

_TOPIC = "learning.slots"
_BEFORE, _ITSELF = "_before", "_is"
"""How a slot's list ends when the value stands before its words, or is those words."""
_OF = "_of"
_NOT_SLOTS = frozenset({"me", "ends", "also", "over", "changed", "exclusive", "additive"})


@dataclass(frozen=True)
class Filled:
    """ "Lives in Berlin" is slot `lives`, about nobody else, value ("berlin",).

    `about` are the stems of who or what it is said of, empty for the person; `value` the stems of
    what fills the slot.
    """

    slot: str
    about: frozenset[str]
    value: tuple[str, ...]


@lru_cache(maxsize=32768)
def filled_slots(text: str) -> tuple[Filled, ...]:
    """What `text` fills of which there is only one, in order."""
    words = read_words(text)
    hits = phrases_in(_TOPIC, words)
    ends = [hit.start for hit in hits if hit.group == "ends"]
    slots = _longest([hit for hit in hits if hit.group not in _NOT_SLOTS])
    found: list[Filled] = []
    for hit in slots:
        start, end = _clause(words, hit)
        if hit.group.endswith(_ITSELF):
            value, about = words[hit.start : hit.end], words[start : hit.start]
        elif hit.group.endswith(_BEFORE):
            value, about = words[start : hit.start], words[hit.end : end]
        else:
            stop = min([at for at in ends if at >= hit.end] + [end])
            value, about = words[hit.end : min(stop, end)], words[start : hit.start]
            if hit.group.endswith(_OF):
                about = words[start : hit.end]
        stems = _stems(value)
        if stems:
            slot = hit.group.removesuffix(_BEFORE).removesuffix(_ITSELF)
            found.append(Filled(slot, frozenset(_stems(about, hits, start)), stems))
    return tuple(found)


def _longest(hits: list[Hit]) -> list[Hit]:
    """The hits without those that lie within another one."""
    return [
        hit
        for hit in hits
        if not any(
            other is not hit
            and other.start <= hit.start
            and hit.end <= other.end
            and other.end - other.start > hit.end - hit.start
            for other in hits
        )
    ]


def _clause(words: tuple[str, ...], hit: Hit) -> tuple[int, int]:
    start, end = hit.start, hit.end
    while start > 0 and not is_boundary(words[start - 1]):
        start -= 1
    while end < len(words) and not is_boundary(words[end]):
        end += 1
    return start, end


def _stems(words: tuple[str, ...], hits: Sequence[Hit] = (), offset: int = 0) -> tuple[str, ...]:
    """The stems of the words of weight; in `about`, words for the person themself are left out."""
    mine = {
        at
        for hit in hits
        if hit.group == "me"
        for at in range(hit.start - offset, hit.end - offset)
    }
    return tuple(
        stem(word)
        for at, word in enumerate(words)
        if at not in mine and not is_boundary(word) and word not in function_words()
    )
