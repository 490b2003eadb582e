"""Does a person stand by the words they wrote? "It is a myth that I …", "she says I …", "… just
kidding" and "for this exercise, I am …" hold what the person does not say of themselves (spec 0088
§4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.cues import Hit
from conch.words.names import names
from conch.words.stems import same_word
from conch.words.tokens import content_tokens

_TOPIC = "learning.frames"
TAKEN_BACK = "You took it back in the same message."
_TAKEN_BACK_WITHIN = 3
"""Clauses after the words in which they may be taken back."""


def not_meant(text: str, before: Sequence[str], around: Sequence[str], after: Sequence[str]) -> str:
    """Why the words a memory rests on are not the person's own statement, or "".

    `around` are the clauses the quote touches, `before` and `after` the others of the message,
    in order; `before` only those of the same sentence.
    """
    own = {hit.group for hit in _hits(text)}
    frames = [hit for clause in around for hit in _hits(clause)]
    frames += [hit for clause in before for hit in _reaching_on(clause)]
    groups = {hit.group for hit in frames} - own
    if "denied" in groups:
        return "You said it isn't so."
    if "played" in groups:
        return "You were only supposing it."
    later = [*around[1:], *after[:_TAKEN_BACK_WITHIN]]
    if any(_takes_back(clause) for clause in later):
        return TAKEN_BACK
    if "reported" in groups or any(_told_by(clause) for clause in later):
        return "" if "reported" in own else "It is what somebody else says."
    return "You said it of somebody else." if _of_whom(text, [*before, *around]) else ""


def taken_back(text: str, clauses: Sequence[str]) -> bool:
    """True when `text` names what stands only in a clause that the next takes back."""
    gone = {at - 1 for at, clause in enumerate(clauses) if at and _takes_back(clause)}
    if not gone:
        return False
    lost = content_tokens(", ".join(clauses[at] for at in gone))
    left = content_tokens(", ".join(one for at, one in enumerate(clauses) if at not in gone))
    return any(_in(word, lost) and not _in(word, left) for word in content_tokens(text))


def _hits(text: str) -> tuple[Hit, ...]:
    return in_its_language(phrases_in(_TOPIC, read_words(text)), text)


def _reaching_on(clause: str) -> list[Hit]:
    """The frames of an earlier clause that hold for the next: those that open or close it."""
    length = len(read_words(clause))
    return [
        hit
        for hit in _hits(clause)
        if hit.end >= length or (hit.start == 0 and hit.group == "played")
    ]


def _takes_back(clause: str) -> bool:
    return any(hit.group == "taken_back" for hit in _hits(clause))


def _told_by(clause: str) -> bool:
    return any(hit.group == "told_by" for hit in _hits(clause))


def _of_whom(text: str, clauses: Sequence[str]) -> bool:
    """True for "Tom, who works at Aker" when the memory says it without Tom."""
    sentence = ", ".join(clauses)
    words = read_words(sentence)
    told = content_tokens(text)
    hits = _hits(sentence)
    for hit in hits:
        if hit.group != "relative" or any(
            one.group == "of_me" and one.start < hit.start for one in hits
        ):
            continue
        lead = words[: hit.start]
        ahead = sentence[: _length_of(sentence, hit.start)]
        who = [word for name in names(ahead) for word in read_words(name)]
        who += [
            word
            for one in hits
            if one.group == "whom" and one.end <= hit.start
            for word in words[one.start : one.end]
        ]
        behind = words[hit.end :]
        rests = [word for word in told if _in(word, behind) and not _in(word, lead)]
        if who and rests and not any(_in(word, told) for word in content_tokens(" ".join(lead))):
            return True
    return False


def _length_of(sentence: str, count: int) -> int:
    """How many characters of `sentence` its first `count` words take."""
    return bisect_left(range(len(sentence)), count, key=lambda end: len(read_words(sentence[:end])))


def _in(word: str, told: Sequence[str]) -> bool:
    return any(same_word(word, other) for other in told)
