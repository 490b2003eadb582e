"""Memories the person writes themselves: they count above what was learned."""

from __future__ import annotations

from conch.guard.check import CheckContext, check_memory
from conch.home.errors import ConchError
from conch.home.ids import new_id
from conch.learning.conflict import conflicting
from conch.learning.parts import LearningParts
from conch.memory.consents import Consent
from conch.memory.memories import clean_words
from conch.memory.memory import Memory, MemoryKind
from conch.words.likeness import same

_TEXT_AT_MOST = 2_000
_LENGTH = "A memory is 3 to 2,000 characters long."


def add_own(parts: LearningParts, text: str, kind: MemoryKind) -> Memory:
    """Save the person's own words as a memory; gives it, held when the check holds it.

    A learned memory it contradicts is retired, not deleted. Words that stood on the never-list
    leave it: the person just said them. Raises ConchError when the text is too short or too long,
    or holds a secret.
    """
    text = " ".join(text.split())
    if not 3 <= len(text) <= _TEXT_AT_MOST:
        raise ConchError(_LENGTH, "Nothing was saved.")
    refuse_what_hides(text)
    memories = parts.memories.all()
    known = next((one for one in memories if one.usable and same(one.text, text)), None)
    now = parts.home.clock.now()
    others = [one for one in memories if one.usable and one is not known]
    old = conflicting(text, others, parts.meaning)
    memory = known
    if memory is None:
        draft = Memory(id=new_id("m"), text=text, kind=kind, source="you", created=now, updated=now)
        memory = parts.memories.add(draft, CheckContext(via="person", said=(text,)))
    if old is not None and old.source != "you" and memory.usable:
        parts.memories.retire(old.id, now, memory.id)
    for item in parts.never.items():
        if same(item.text, text):
            parts.never.remove(item.id)
    return memory


def edit_own(parts: LearningParts, memory_id: str, text: str, by_person: Consent) -> Memory:
    """The person's new words for a memory; it is theirs then, and checked again.

    The consent is for the words as `clean_words` leaves them. Raises ConchError when there is no
    such memory, the consent is for something else, or the words are too long or hold a secret.
    """
    words = clean_words(text)
    if len(words) > _TEXT_AT_MOST:
        raise ConchError(_LENGTH, "Nothing changed.")
    refuse_what_hides(words)
    return parts.memories.edit(memory_id, words, by_person)


def refuse_what_hides(words: str) -> None:
    """Raise ConchError for a secret, and for words that hide something; they are not repeated.

    A long run that no reader can read counts as a secret: most are.
    """
    verdict = check_memory(words, CheckContext(via="person", said=(words,)))
    if any(reason.code in ("secret", "encoded") for reason in verdict.reasons):
        raise ConchError(
            "That holds what looks like a key, a password or a code.",
            "Nothing was saved: memories are read by models, so secrets don't belong in them.",
            "Say it without the secret.",
        )
    if verdict.verdict == "refuse":
        why = " ".join(reason.sentence for reason in verdict.reasons)
        raise ConchError(why, "Nothing was saved.", "Type it in plain letters.")
