"""What becomes of a file whose seal does not fit: it was changed by hand, so it is checked again.

What a file says of itself is not believed where that would give it more than it had: its words
are the person's once the check lets them through, unless they are known to be somebody else's, or
most of them are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from conch.guard.check import CheckContext, check_memory
from conch.memory.memory import Held, Memory, MemorySource, Provenance
from conch.memory.ranking import near_terms
from conch.words.stems import stem
from conch.words.tokens import content_tokens

STILL_WAITS = "It was waiting for your OK when its file was changed."
WAS_HELD = "It was held when its file was changed."


@dataclass(frozen=True)
class Surroundings:
    """What is known beside the file. `known`: the memory as it last stood under a fitting seal.

    `fresh_key`: the home's key was just made, so no older seal can fit. `new_id`: the id for a file
    that has none.
    """

    now: datetime
    new_id: str
    known: Memory | None = None
    fresh_key: bool = False


def changed_by_hand(claimed: Memory, around: Surroundings) -> Memory:
    """The memory a file changed by hand holds, held when the memory check would hold it.

    `claimed` is the file as it reads. The person may change words, kind, topic and cues; a wait or
    a hold of words that are not their own stays until they press Keep (design.md, promise 3).
    """
    known = around.known
    dated = claimed.created.year > 1970
    created = known.created if known else claimed.created if dated else around.now
    memory = Memory(
        id=known.id if known else claimed.id or around.new_id,
        text=claimed.text,
        kind=claimed.kind,
        source="you",
        created=min(created, around.now),
        updated=around.now,
        about=claimed.about,
        cues=claimed.cues,
        provenance=Provenance(host=known.provenance.host if known else ""),
    )
    if known is None and around.fresh_key:
        memory = _restored(memory, claimed)
    elif known is not None and known.words_hash == claimed.words_hash:
        memory = _same_words(memory, known)
        if known.stands:
            # These very words were let through, or kept by the person.
            return _with_good_cues(memory, CheckContext(via="hand"))
    elif known is not None:
        memory = replace(memory, provenance=_whose(known, memory.text))
        if not known.usable and not _own_words_held(known):
            reason = STILL_WAITS if known.waits else WAS_HELD
            memory = replace(memory, waits=reason)
    elif claimed.waits or claimed.held:
        memory = replace(memory, waits=STILL_WAITS)
    return checked(memory, CheckContext(via="hand", fresh_key=around.fresh_key))


def reworded(known: Memory, text: str, now: datetime) -> Memory:
    """A memory with new words of the person's; what waited still waits for their Keep.

    It is theirs; but where it came from outside, and most of its words still do, it stays marked.
    """
    waits = known.waits
    if known.held is not None and not _own_words_held(known):
        waits = waits or WAS_HELD
    return replace(
        known,
        text=text,
        source="you",
        updated=now,
        waits=waits,
        held=None,
        provenance=_whose(known, text),
    )


def said_themself(known: Memory, by: MemorySource, now: datetime) -> Memory:
    """A memory from outside, once the person said its words themself: theirs, where it came `by`.

    A wait or a hold stays.
    """
    source = by if by == "you" or known.source == "import" else known.source
    return replace(
        known, source=source, updated=now, provenance=Provenance(host=known.provenance.host)
    )


def mostly_new(text: str, before: str) -> bool:
    """Whether at least half of the words of `text` that carry its meaning stand not in `before`.

    A slip put right makes no new word, nor does another ending.
    """
    words = set(content_tokens(text))
    kept = {stem(word) for word in content_tokens(before)}
    new = {word for word in words if stem(word) not in kept and not near_terms(word, [*kept])}
    return bool(words) and 2 * len(new) >= len(words)


def _whose(known: Memory, text: str) -> Provenance:
    """Where new words of a memory came from: outside still, while most of them did."""
    host = known.provenance.host
    if not known.from_outside or mostly_new(text, known.text):
        return Provenance(host=host)
    return Provenance(known.provenance.read, yours=False, host=host)


def put_back(known: Memory, now: datetime) -> Memory:
    """A memory that was taken back or replaced, and whose file the person put back: it is theirs.

    A wait or a hold stays, and so does what tells that its words came from outside.
    """
    memory = replace(
        known,
        source="you",
        learned="",
        updated=now,
        replaces="",
        replaces_hash="",
        provenance=replace(known.provenance, yours=not known.from_outside),
    )
    return checked(memory, CheckContext(via="hand"))


def checked(memory: Memory, context: CheckContext) -> Memory:
    """`memory` with the memory check's verdict; a hold it has already is never taken off.

    Cues go through the same check as the words.
    """
    verdict = check_memory(memory.text, context)
    reasons = [reason.sentence for reason in verdict.reasons]
    worst = verdict.verdict
    memory = _with_good_cues(memory, context)
    if worst == "pass":
        return memory
    before = memory.held
    if before is not None:
        reasons = list(dict.fromkeys((*before.reasons, *reasons)))
        worst = "refuse" if "refuse" in (before.verdict, worst) else "ask"
    return replace(memory, held=Held(worst, tuple(reasons)))


def _with_good_cues(memory: Memory, context: CheckContext) -> Memory:
    """Cues only help finding: a bad one is left out rather than holding the memory."""
    good = [cue for cue in memory.cues if check_memory(cue, context).verdict == "pass"]
    return replace(memory, cues=tuple(good))


def _own_words_held(known: Memory) -> bool:
    """A hold of the person's own words ends with words the check lets through."""
    return known.held is not None and not known.waits and known.source == "you"


def _same_words(memory: Memory, known: Memory) -> Memory:
    """Only what stands around the words was changed: whose they are, and waits, stay."""
    return replace(
        memory,
        source=known.source,
        chat=known.chat,
        learned=known.learned,
        waits=known.waits,
        held=known.held,
        provenance=known.provenance,
        replaces=known.replaces,
        replaces_hash=known.replaces_hash,
    )


def _restored(memory: Memory, claimed: Memory) -> Memory:
    """No older seal can fit a new key: what holds a memory back is believed, what frees it not."""
    waits = STILL_WAITS if claimed.waits or claimed.held else ""
    read = tuple(one[:100] for one in claimed.provenance.read[:5])
    outside = claimed.from_outside
    return replace(
        memory,
        source=claimed.source,
        chat=claimed.chat,
        learned=claimed.learned,
        waits=waits,
        updated=min(claimed.updated, memory.updated)
        if claimed.updated.year > 1970
        else memory.updated,
        provenance=Provenance(read, not outside, claimed.provenance.host),
    )
