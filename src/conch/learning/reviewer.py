"""Who may read a stretch: the provider that saw every word of it, else a model on this computer.

Nothing a person said goes to a company that had not been sent it already (spec 0088 §3).
"""

from __future__ import annotations

from collections.abc import Sequence

from conch.chats.events import Event, PersonMessage, TurnCompleted
from conch.engines.engine import Engine
from conch.engines.engines import Engines
from conch.learning.changes import Said


def provider_that_saw(events: Sequence[Event], said: Sequence[Said]) -> str:
    """The id of the engine of the stretch's last completed turn, "" unless it was sent every word
    of `said`.

    Of the turns that answered `said`, the last one that succeeded names the engine; where none
    did, the last that was stopped, then the last that failed after its words went out. Who
    answered what was said later has no say; that what was said went out again with later turns
    counts.
    """
    turns = [event for event in events if isinstance(event, TurnCompleted) and event.engine]
    if not turns or not said:
        return ""
    first = said[0].seq
    rank = {"success": 2, "stopped": 1, "failed": 0}
    later = (event.seq for event in events if isinstance(event, PersonMessage))
    end = min((seq for seq in later if seq > said[-1].seq), default=None)
    recent = [turn for turn in turns if turn.seq > first and (end is None or turn.seq < end)]
    if not recent:
        return ""
    engine = max(recent, key=lambda turn: (rank[turn.outcome], turn.seq)).engine
    spans = [(turn.sent_from, turn.seq) for turn in turns if turn.engine == engine]
    seen = all(any(start <= one.seq <= end for start, end in spans) for one in said)
    return engine if seen else ""


def who_reads(
    events: Sequence[Event], said: Sequence[Said], engines: Engines
) -> tuple[Engine | None, int]:
    """The engine that may review these words, and how many messages of them from the first on.

    All of them: the provider that saw every word, else a model on this computer. Without either
    the stretch ends where the longest part ends that one connected provider answered and saw whole:
    what comes after it was for somebody else, and is the next look's. (None, all of them) when
    nobody may read even the first: then they wait.
    """
    for count in range(len(said), 0, -1):
        saw = provider_that_saw(events, said[:count])
        engine = engines.get(saw) if saw else None
        if count == len(said):
            engine = engine or engines.local()
        if engine is not None:
            return engine, count
    return None, len(said)
