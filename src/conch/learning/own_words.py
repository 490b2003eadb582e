"""Memories the person writes themselves: they count above what was learned."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from conch.guard.check import CheckContext, check_memory
from conch.home.errors import ConchError
from conch.home.ids import new_id
from conch.learning.carrying import TRIED_AGAIN, disk_refused, said_by_the_disk
from conch.learning.conflict import conflicting
from conch.learning.parts import LearningParts
from conch.learning.record import Added, Answered, Done, Forgot
from conch.learning.statement import stated
from conch.memory.consents import Consent
from conch.memory.memories import clean_words
from conch.memory.memory import Memory, MemoryKind
from conch.words.likeness import same

_TEXT_AT_MOST = 2_000
_LENGTH = "A memory is 3 to 2,000 characters long."


def add_own(parts: LearningParts, text: str, kind: MemoryKind | None = "fact") -> Memory:
    """Save the person's own words as a memory; gives it, held when the check holds it.

    Without a `kind`, words that say what is preferred are a preference, others a fact. Learned
    memories it contradicts are retired, not deleted. Words that stood on the never-list leave it:
    the person just said them. Raises ConchError, with nothing saved, when the text is too short or
    too long, holds a secret, or the disk refuses it.
    """
    text = " ".join(text.split())
    if not 3 <= len(text) <= _TEXT_AT_MOST:
        raise ConchError(_LENGTH, "Nothing was saved.")
    refuse_what_hides(text)
    kind = kind or ("preference" if "exclusive" in stated(text).marks else "fact")
    memories = parts.memories.all()
    now = parts.home.clock.now()
    same_words = parts.already.may_be_same(text, memories)
    known = next((one for one in same_words if one.usable and same(one.text, text)), None)
    if known is None:
        draft = Memory(id=new_id("m"), text=text, kind=kind, source="you", created=now, updated=now)
        memory, data = parts.memories.plan(draft, CheckContext(via="person", said=(text,)))
    else:
        memory, data = known, b""
    added = Added(
        id=new_id("added"),
        at=now,
        memory=memory.id,
        text=text,
        file=data.decode("utf-8"),
        retires=_contradicted(parts, memory, memories),
    )
    try:
        _save(parts, added)
        if known is not None:
            # Typed by the person now, wherever it was known from.
            parts.memories.make_own(known.id, known.words_hash, "you")
    except OSError as error:
        raise disk_refused(error, "Nothing was saved.") from error
    return parts.memories.get(memory.id) or memory


def restore(parts: LearningParts, memory_id: str) -> tuple[Memory, tuple[Memory, ...]]:
    """Have what used to be true back as it was, from its copy and through the check.

    What took its place, and what else in use cannot be true beside it, is kept among what used to
    be true in its turn. Gives the memory and those. Raises ConchError, with nothing changed, when
    there is no such copy or the disk refuses it.
    """
    copies = {one.id: one for one in parts.memories.earlier()}
    copy = copies.get(memory_id)
    if copy is None:
        raise ConchError(
            "There is no such earlier memory.",
            "Nothing changed.",
            "conch memory earlier lists them.",
        )
    usable = {one.id: one for one in parts.memories.usable()}
    going: dict[str, Memory] = {}
    by = copy.superseded_by
    while by in copies and by != memory_id:
        by = copies.pop(by).superseded_by
    if by in usable:
        going[by] = usable[by]
    left = [one for one in usable.values() if one.id not in going]
    while (other := conflicting(copy.text, left, parts.meaning, parts.already)) is not None:
        going[other.id] = other
        left.remove(other)
    added = Added(
        id=new_id("added"),
        at=parts.home.clock.now(),
        memory=memory_id,
        text=copy.text,
        retires={one.id: one.words_hash for one in going.values()},
        restores=True,
    )
    try:
        _save(parts, added)
    except OSError as error:
        raise disk_refused(error, "It is still among what used to be true.") from error
    memory = parts.memories.get(memory_id)
    if memory is None:
        raise ConchError("Its copy is gone by now.", "Nothing else changed.")
    gone = tuple(one for one in going.values() if parts.memories.get(one.id) is None)
    return memory, gone


def bring_back(parts: LearningParts, forgotten: Memory) -> Memory:
    """Bring back a memory the person just forgot, as one they chose to have.

    It has another id: what was learned stays told as forgotten. A wait, a hold and that it
    came from outside stay with it; its words leave the never-list. Raises ConchError, with nothing
    brought back, when the disk refuses it.
    """
    now = parts.home.clock.now()
    whose = replace(forgotten.provenance, yours=not forgotten.from_outside)
    memory = replace(
        forgotten, id=new_id("m"), source="you", learned="", updated=now, provenance=whose
    )
    context = CheckContext(via="person", said=(memory.text,))
    memory, data = parts.memories.plan(memory, context)
    file = data.decode("utf-8")
    added = Added(id=new_id("added"), at=now, memory=memory.id, text=memory.text, file=file)
    try:
        _save(parts, added)
    except OSError as error:
        raise disk_refused(error, "It stays forgotten.") from error
    return parts.memories.get(memory.id) or memory


def _save(parts: LearningParts, added: Added) -> None:
    """Save the words, through the journal where they take the place of something, or are known:
    the person says them anew."""
    if added.retires or not added.file or _was_taken_back(parts, added.text):
        parts.record.write("added", added)
        _carry_out_at_once(parts, added)
    elif added.file:
        parts.memories.write_planned(added.memory, added.file.encode("utf-8"))


def carry_out_added(parts: LearningParts, added: Added) -> None:
    """Save the person's own words, retire what they contradict, then clear the never-list.

    Doing so twice changes nothing. What the person did since counts for more: a memory they removed
    or gave other words retires nothing. Raises OSError when the disk refuses; it stays open then.
    """
    memories = parts.memories
    if added.restores and memories.get(added.memory) is None:
        with contextlib.suppress(ConchError):  # The copy is gone by now: then nothing comes back.
            memories.unretire(added.memory)
    if added.file and added.memory not in parts.record.state.forgotten:
        memories.write_planned(added.memory, added.file.encode("utf-8"))
    memory = memories.get(added.memory)
    if memory is None or not same(memory.text, added.text):
        parts.record.write("done", Done(id=added.id, given_up=True))
        return
    stay: list[str] = []
    for old_id, as_it_was in added.retires.items():
        old = memories.get(old_id)
        if old is not None and not (
            memory.stands
            and old.words_hash == as_it_was
            and memories.retire(old_id, added.at, added.memory)
        ):
            stay.append(old_id)
    for item in parts.never.items():
        if item.at <= added.at and same(item.text, added.text):
            parts.never.remove(item.id)
    parts.record.write("done", Done(id=added.id, stay=tuple(stay)))


def _carry_out_at_once(parts: LearningParts, added: Added) -> None:
    """Carry it out; where the disk refuses even to save the words it is given up.

    What else it refuses stays open, is said, and is tried again with every sweep.
    """
    try:
        carry_out_added(parts, added)
    except OSError as error:
        if parts.memories.get(added.memory) is None:
            try:
                parts.record.write("done", Done(id=added.id, given_up=True))
            except OSError:
                raise disk_refused(error, "For now nothing was saved.", TRIED_AGAIN) from error
            raise
        parts.home.notes.say(
            f"Your disk refused to carry out all of what you added ({said_by_the_disk(error)}). "
            "Your words are saved; Conch tries the rest again within five minutes.",
            where=parts.home.memory.name,
        )


def _contradicted(
    parts: LearningParts, memory: Memory, memories: Sequence[Memory]
) -> dict[str, str]:
    """The learned memories that cannot be true beside `memory`, each with its words' hash."""
    found: dict[str, str] = {}
    left = [one for one in memories if one.usable and one.source != "you" and one.id != memory.id]
    while memory.usable:
        old = conflicting(memory.text, left, parts.meaning, parts.already)
        if old is None:
            break
        found[old.id] = old.words_hash
        left.remove(old)
    return found


def _was_taken_back(parts: LearningParts, text: str) -> bool:
    """Whether these words are on the never-list, or an answer still under way puts them there."""
    words = [item.text for item in parts.never.items()]
    for intent in parts.record.state.unfinished.values():
        if isinstance(intent, Answered | Forgot):
            words.append(intent.text)
    return any(same(one, text) for one in words)


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
