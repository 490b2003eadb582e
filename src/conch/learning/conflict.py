"""What a new statement replaces: "lives in Berlin" beside "lives in Lisbon" (issue 3, the gate).

Three questions, from the surest to the loosest. `conflicting`: which memory cannot be true beside
a new one; asked of every `Add`, by words only. `replacing`: may this memory take that one's place;
asked when a model says so. `which_it_replaces`: of many memories, the one a statement is about;
it is shown to the model with the words, and retires nothing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import takewhile
from operator import itemgetter
from typing import Literal

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.learning.already import AlreadyRead
from conch.learning.likeness import another_value
from conch.learning.replaced import most_replaced
from conch.learning.scope import Scope, other_person, scope_of
from conch.learning.statement import Statement, starts, stated
from conch.memory.memory import Memory
from conch.words.cues import is_boundary
from conch.words.kinds import another_of_its_kind
from conch.words.language import likely_language
from conch.words.meaning import Meaning, whatever_the_language
from conch.words.stems import stem
from conch.words.tokens import content_tokens

NEAR = 0.55
"""Cosine from which two memories are about the same thing; set on pairs written for it."""
FAR = 0.3
"""Cosine below which they are not."""

ALIKE_BESIDE_A_SHARED_WORD = 0.5
"""Cosine of "mode" and "chocolate" from which dark ones of them would be the same thing."""
_THING_FIRST = frozenset(("es", "fr", "it", "pt", "ar"))
"""Languages that put what a thing is before how it is ("modo oscuro")."""

Replacing = Literal["yes", "unsure", "beside", "no"]
"""Whether one may take another's place; `beside`: both are true, each within its bounds."""
_UNBOUNDED = Scope()


def conflicting(
    text: str,
    memories: Sequence[Memory],
    meaning: Meaning | None = None,
    already: AlreadyRead | None = None,
) -> Memory | None:
    """The memory that cannot be true beside `text`, or None. Sure or silent: by words only.

    `already` finds the few that may; the answer is the same without it.
    """
    ours = starts(text)
    new = stated(text)
    if "also" in new.marks:
        return None
    for memory in memories if already is None else already.may_conflict(new, memories):
        may_touch = bool(new.slots) or not ours.isdisjoint(starts(memory.text))
        if (
            may_touch
            and cannot_both_be_true(new, stated(memory.text))
            and not _has_its_own_place(text, memory.text)
        ):
            return memory
    return None


def _has_its_own_place(new: str, old: str) -> bool:
    """Whether both may be true because one holds only somewhere, for a while or in a story."""
    ours, theirs = scope_of(new), scope_of(old)
    if ours.as_well or ours.passing or ours.unreal != theirs.unreal:
        return True
    return _elsewhere(ours, old) or _elsewhere(theirs, new)


def _elsewhere(scope: Scope, other: str) -> bool:
    """Whether `scope` names a place that `other` does not speak of."""
    return bool(scope.where) and not scope.where <= stated(other).things | scope_of(other).where


def cannot_both_be_true(new: Statement, old: Statement) -> bool:
    """One slot filled with two things, a count or time changed, a yes become a no, or an order of
    preference turned round."""
    if another_value(new, old):
        return True
    if not new.things or (new.slots and old.slots):
        return False
    if new.things == old.things:
        if new.negated != old.negated:
            return new.numbers == old.numbers and bool(
                new.verbs & old.verbs or not new.verbs | old.verbs
            )
        if new.numbers != old.numbers:
            return len(new.numbers) == len(old.numbers)
        turned = sorted(new.order) == sorted(old.order) and new.order != old.order
        return turned and "over" in new.marks and "over" in old.marks
    return False


def replacing(
    new: str,
    old: str,
    words: str = "",
    corrected: bool = False,
    meaning: Meaning | None = None,
    bounds: Scope = _UNBOUNDED,
) -> Replacing:
    """Whether `new` may take the place of `old`, as a model says it does.

    `words` is the message it rests on; `corrected` that the message was read as a correction;
    `bounds` what bounds it there. What there is only one of is replaced; of other things the words
    have to say that something changed, or name the old one.
    """
    ours, theirs = stated(new), stated(old)
    known = scope_of(old)
    if bounds.as_well or "also" in ours.marks or _has_its_own_place(new, old):
        # Said of everywhere, it may well be meant of the place the old one names, too.
        general = _elsewhere(known, new) and not (bounds.as_well or scope_of(new).bounded)
        return "unsure" if general else "beside"
    if bounds.passing or bounds.unreal or _elsewhere(bounds, old):
        return "unsure"
    if _same_slot(ours, theirs) or cannot_both_be_true(ours, theirs):
        return "yes"
    if _of_another(ours, theirs):
        return "beside"
    near = _nearness(ours, theirs, new, old, meaning)
    if near == "yes" and other_person(new, old):
        return "beside"
    if near != "yes":
        return "unsure" if near == "unsure" or _names(words, theirs) else "no"
    if not ours.things & theirs.things and "exclusive" in ours.marks & theirs.marks:
        return "yes"
    if _names(words, theirs):
        return "yes"
    if not (corrected or _says_it_changed(words)):
        return "unsure"
    return "unsure" if _only_described_alike(new, old, meaning) else "yes"


def _only_described_alike(new: str, old: str, meaning: Meaning | None) -> bool:
    """ "Dark chocolate" and "dark mode" share a word that says how a thing is, not what it is."""
    languages = {likely_language(new), likely_language(old)}
    ours, theirs = _described(new, old, languages), _described(old, new, languages)
    if not ours or not theirs or another_of_its_kind(ours, theirs):
        return False
    if meaning is None or meaning.name.startswith("words"):
        return True
    one, other = whatever_the_language(meaning, meaning.encode([ours, theirs]))
    return float(one @ other) < ALIKE_BESIDE_A_SHARED_WORD


def _described(text: str, other: str, languages: Set[str | None]) -> str:
    """What stands, in `text`, right behind a word that `other` has too and is not in `other`:
    "chocolate" after "dark"; "" when there is nothing such."""
    words = [word for word in read_words(text) if not is_boundary(word)]
    if languages & _THING_FIRST:
        words.reverse()
    weighty, theirs = set(content_tokens(text)), {stem(word) for word in content_tokens(other)}
    verbs = stated(text).verbs
    shared = [word in weighty and stem(word) in theirs - verbs for word in words]
    own = [word in weighty and stem(word) not in theirs | verbs for word in words]
    start = next((at for at in range(1, len(words)) if own[at] and shared[at - 1]), len(words))
    return " ".join(
        word for word, _ in takewhile(itemgetter(1), zip(words[start:], own[start:], strict=True))
    )


def _of_another(a: Statement, b: Statement) -> bool:
    """Whether both fill the same slot, each of somebody or something else."""
    slots = [(one, other) for one in a.slots for other in b.slots if one.slot == other.slot]
    return bool(slots) and all(one.about != other.about for one, other in slots)


def _same_slot(a: Statement, b: Statement) -> bool:
    return any(
        one.slot == other.slot and one.about == other.about for one in a.slots for other in b.slots
    )


def _nearness(
    ours: Statement, theirs: Statement, new: str, old: str, meaning: Meaning | None
) -> Replacing:
    """Whether two memories are about the same thing."""
    if _same_slot(ours, theirs):
        return "yes"
    shared = len(ours.things & theirs.things)
    part = shared / (min(len(ours.things), len(theirs.things)) or 1)
    if meaning is None or meaning.name.startswith("words"):
        if part >= 0.5:
            return "yes"
        return "unsure" if shared or ours.verbs & theirs.verbs else "no"
    one, other = meaning.encode([new, old])
    cosine = float(one @ other)
    if shared and (part >= 0.5 or cosine >= NEAR):
        return "yes"
    if cosine >= NEAR:
        return "unsure" if "additive" in ours.marks & theirs.marks else "yes"
    return "unsure" if shared or cosine >= FAR else "no"


def _says_it_changed(words: str) -> bool:
    hits = in_its_language(phrases_in("learning.slots", read_words(words)), words)
    return any(hit.group == "changed" for hit in hits)


def _names(words: str, old: Statement) -> bool:
    told = {stem(word) for word in content_tokens(words)}
    return bool(old.things) and old.things <= told


def which_it_replaces(
    text: str,
    memories: Sequence[Memory],
    meaning: Meaning | None = None,
    already: AlreadyRead | None = None,
    among: Sequence[Memory] | None = None,
) -> Memory | None:
    """Of `memories`, the one `text` says anew, or None when it is about something else.

    `already` as for `conflicting`; where nothing conflicts, only `among` is gone through, when it
    is given.
    """
    found = conflicting(text, memories, meaning, already)
    if found is not None:
        return found
    left = memories if among is None else among
    place = most_replaced(text, [memory.text for memory in left])
    return None if place is None else left[place]
