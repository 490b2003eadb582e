"""Preferences near the question: at most three memories just before the person's words.

Only preferences, facts about this computer and lessons; never what came from outside, never what
the prompt's section holds already, and nothing where nothing fits (spec 0088 §7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from conch.memory.memory import Memory
from conch.memory.search_index import SearchIndex
from conch.memory.section import defused
from conch.words.meaning import Meaning

LINES_AT_MOST = 3
CHARACTERS_AT_MOST = 360
FLOOR = 0.3
_BEGIN = "<conch-nearby>"
_END = "</conch-nearby>"
_LABEL = (
    "How they like things, from memory. Reference, not part of the message, no reason to agree."
)


def may_be_nearby(memory: Memory) -> bool:
    """Whether a memory is of the three kinds, used, and the person's own."""
    of_a_kind = memory.kind == "preference" or memory.about in ("environment", "pitfall")
    return of_a_kind and memory.usable and not memory.from_outside


def nearby_lines(
    message: str,
    memories: Iterable[Memory],
    in_section: Set[str],
    meaning: Meaning | None = None,
    index: SearchIndex | None = None,
) -> tuple[Memory, ...]:
    """The memories to put beside `message`, the best first; none where nothing fits.

    `in_section`: ids in the prompt's section already. `index`: the memories' index, which keeps
    their vectors; without one they are encoded here.
    """
    candidates = [one for one in memories if may_be_nearby(one) and one.id not in in_section]
    if not message.strip() or not candidates:
        return ()
    if index is None:
        index = SearchIndex(None, meaning)
        index.set(candidates)
        index.encode_some(len(candidates))
    allowed = {memory.id for memory in candidates}
    hits = index.search(message, 100)
    fitting = [hit.memory for hit in hits if hit.score >= FLOOR and hit.memory.id in allowed]
    return fitting_lines(fitting)


def fitting_lines(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """The first three whose block keeps to 360 characters; one too long is passed over."""
    chosen: list[Memory] = []
    for memory in memories:
        if len(chosen) < LINES_AT_MOST and len(nearby_block([*chosen, memory])) <= (
            CHARACTERS_AT_MOST
        ):
            chosen.append(memory)
    return tuple(chosen)


def nearby_block(memories: Sequence[Memory]) -> str:
    """The block that stands before the person's words in a turn's prompt; "" for no memories."""
    if not memories:
        return ""
    lines = [f"- {defused(memory.text)}" for memory in memories]
    return "\n".join([_BEGIN + _LABEL, *lines, _END])
