"""Preferences near the question: at most three memories just before the person's words.

Only preferences, facts about this computer and lessons; never what came from outside, never what
the prompt's section holds already, and nothing where nothing fits (spec 0088 §7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from conch.memory.memory import Memory
from conch.memory.ranking import Near
from conch.memory.search_index import SearchIndex
from conch.memory.section import defused
from conch.words.meaning import Meaning

DEADLINE_SECONDS = 0.05
"""How long a turn waits for them (spec 0088 §7)."""
LINES_AT_MOST = 3
CHARACTERS_AT_MOST = 360
"""Of the whole block, tags and label included."""
CALL_FLOOR = -0.4
"""How much a message must call for a memory (`Nearness.calls`); greetings, sums, trivia don't."""
LIKENESS_FLOOR = 0.05
"""How near a memory must be to a message that calls for one."""
TELLING_WORDS = 0.8
"""How telling shared words must be (`Near.words`) to be enough without a model, or for a lesson
about the very thing an error message names."""
CONSIDERED = 12

_BEGIN = "<conch-nearby>"
_END = "</conch-nearby>"
_LABEL = "Reference, not the message; no reason to agree:"


def may_be_nearby(memory: Memory, here: str = "") -> bool:
    """Whether a memory is of the three kinds, used, the person's own, and not about another
    computer than the one named `here` ("": not compared)."""
    return (
        (memory.kind == "preference" or is_lesson(memory))
        and memory.usable
        and not memory.from_outside
        and memory.about_computer(here)
    )


def is_lesson(memory: Memory) -> bool:
    """Whether a memory is a fact about this computer, or a lesson from a dead end."""
    return memory.about in ("environment", "pitfall")


def nearby_lines(
    message: str,
    memories: Iterable[Memory],
    in_section: Set[str],
    meaning: Meaning | None = None,
    index: SearchIndex | None = None,
    here: str = "",
) -> tuple[Memory, ...]:
    """The memories to put beside `message`, the best first; none where nothing fits.

    `in_section`: ids in the prompt's section already. `index`: the memories' index, which keeps
    their rows; without one they are encoded here. `here`: this computer's name.
    """
    if not message.strip():
        return ()
    if index is None:
        candidates = [
            one for one in memories if may_be_nearby(one, here) and one.id not in in_section
        ]
        index = SearchIndex(None, meaning)
        index.set(candidates)
        index.encode_some(len(candidates))
        allowed = {memory.id for memory in candidates}
    else:
        allowed = {memory.id for memory in memories if memory.id not in in_section}

    def may(memory: Memory) -> bool:
        return memory.id in allowed and may_be_nearby(memory, here)

    near = index.near(message, may, CONSIDERED)
    if near is None:
        fitting = [one for one in index.by_words(message, may, CONSIDERED) if shares_enough(one)]
    else:
        calls, found = near
        fitting = [one for one in found if fits(one, calls)]
    return fitting_lines([one.memory for one in fitting])


def fits(near: Near, calls: float) -> bool:
    """Whether a memory fits a message that calls for one so much."""
    if near.likeness < LIKENESS_FLOOR:
        return False
    return calls >= CALL_FLOOR or (is_lesson(near.memory) and shares_enough(near))


def shares_enough(near: Near) -> bool:
    """Whether the words a memory shares with the message are telling by themselves."""
    return near.words >= TELLING_WORDS


def fitting_lines(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    """The first three whose block keeps to 360 characters; one too long is passed over."""
    chosen: list[Memory] = []
    for memory in memories:
        if len(chosen) == LINES_AT_MOST:
            break
        if len(nearby_block([*chosen, memory])) <= CHARACTERS_AT_MOST:
            chosen.append(memory)
    return tuple(chosen)


def nearby_block(memories: Sequence[Memory]) -> str:
    """The block that stands before the person's words in a turn's prompt; "" for no memories."""
    if not memories:
        return ""
    lines = [f"- {defused(memory.text)}" for memory in memories]
    return "\n".join([_BEGIN + _LABEL, *lines]) + _END
