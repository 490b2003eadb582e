"""What a new statement replaces: "lives in Berlin" beside "lives in Lisbon" (issue 3, the gate).

Three questions, from the surest to the loosest. `conflicting`: which memory cannot be true beside
a new one, asked of every `Add`. `about_the_same`: may this memory be replaced by that one, asked
when a model says so. `which_it_replaces`: of many memories, the one a statement is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from conch.learning.likeness import subject_words
from conch.learning.slots import statements
from conch.memory.memory import Memory
from conch.words.meaning import Meaning
from conch.words.negation import negated
from conch.words.numbers import numbers

ABOUT_THE_SAME = 0.5


def conflicting(
    text: str, memories: Sequence[Memory], meaning: Meaning | None = None
) -> Memory | None:
    """The memory that cannot be true beside `text`, or None. Sure or silent: by words only."""
    for memory in memories:
        if cannot_both_be_true(text, memory.text):
            return memory
    return None


def cannot_both_be_true(new: str, old: str) -> bool:
    """Whether `new` and `old` fill one slot with different things, or one denies the other."""
    for one in statements(new):
        for other in statements(old):
            if one.slot == other.slot and one.about == other.about:
                return not set(one.value) & set(other.value)
    return subject_words(new) == subject_words(old) and (
        negated(new) != negated(old) or numbers(new) != numbers(old)
    )


def about_the_same(a: str, b: str, meaning: Meaning | None = None) -> bool:
    """Whether `a` may stand in place of `b`: one slot, a shared subject, or close in meaning."""
    ours, theirs = statements(a), statements(b)
    if any(one.slot == other.slot and one.about == other.about for one in ours for other in theirs):
        return True
    if subject_words(a) & subject_words(b):
        return True
    return meaning is not None and meaning.likeness(a, b) >= ABOUT_THE_SAME


def which_it_replaces(
    text: str, memories: Sequence[Memory], meaning: Meaning | None = None
) -> Memory | None:
    """Of `memories`, the one `text` says anew, or None when it is about something else."""
    found = conflicting(text, memories, meaning)
    if found is not None:
        return found
    best, score = None, 0.0
    for memory in memories:
        ours, theirs = subject_words(text), subject_words(memory.text)
        shared = len(ours & theirs) / (len(ours | theirs) or 1)
        if shared > score:
            best, score = memory, shared
    return best if score >= 0.2 else None
