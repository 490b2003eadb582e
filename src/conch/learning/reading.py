"""How much of a stretch one review reads: up to 6,000 characters of words (spec 0088 §3).

Words are read from the oldest on, and the stretch ends where reading ended: what did not fit is the
next look's, so no word is marked read that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from conch.chats.events import ChatStarted, Event, PersonMessage
from conch.chats.heads import ChatHead, is_own_here, is_quiet_mark
from conch.engines.engine import Engine
from conch.learning.changes import Said
from conch.learning.record import Part, Pointer

WORDS_A_REVIEW_READS = 6_000
_ENDS_WITHOUT_SPACE = "。！？｡\n"
_SENTENCE_ENDS = f".!?…।؟{_ENDS_WITHOUT_SPACE}"


@dataclass(frozen=True)
class Reading:
    """What one look reads. `reached` is where the chat was read to once the look has ended.

    `until` is the first event that is not part of it (None: it goes to the end).
    """

    said: tuple[Said, ...]
    reached: Pointer
    until: int | None = None

    def only(self, count: int) -> Reading:
        """The same, ended before the message after the first `count`, which is the next look's."""
        if not 0 < count < len(self.said):
            return self
        after = self.said[count].seq
        return Reading(self.said[:count], Pointer(after - 1, 0), after)


def what_to_read(
    said: Sequence[Said], after: Pointer, last_seq: int, limit: int = WORDS_A_REVIEW_READS
) -> Reading:
    """Take messages, oldest first, until `limit` characters of the person's own prose.

    A message that does not fit is the next look's; one longer than `limit` is cut at the end of a
    sentence, or at a space, and its rest is read next time.
    """
    taken: list[Said] = []
    left = limit
    for message in said:
        offset = after.offset if message.seq == after.seq + 1 else 0
        prose = message.prose[offset:]
        if not prose.strip():
            continue
        if len(prose) <= left:
            taken.append(replace(message, prose=prose))
            left -= len(prose)
            continue
        if taken:
            return Reading(tuple(taken), Pointer(message.seq - 1, 0), message.seq)
        cut = _cut(prose, limit)
        part = replace(message, prose=prose[:cut])
        return Reading((part,), Pointer(message.seq - 1, offset + cut), message.seq + 1)
    return Reading(tuple(taken), Pointer(last_seq, 0))


def part_of(head: ChatHead, by: Engine | None) -> Part:
    """What of a chat a look reads. What was brought in is read only `by` an engine the person
    chose, once they saw what it can cost; without it, what they typed into the chat since."""
    if head.origin != "imported":
        return "all"
    return "typed" if by is None else "brought"


def run_of(
    events: Sequence[Event], after: Pointer, before: int | None, *, typed: bool
) -> tuple[Pointer, int | None]:
    """Where the next run of one kind of words past `after` begins, and the event it ends before.

    In a chat that was brought in and carried on here each run is a stretch of its own: what was
    brought stands before what was typed, and is not read with it.
    """
    start: int | None = None
    for event in events:
        if event.seq <= after.seq or not isinstance(event, PersonMessage):
            continue
        if is_own_here(event, "imported") == typed:
            start = start or event.seq
        elif start is not None:
            return max(after, Pointer(start - 1)), min(before or event.seq, event.seq)
    return (after if start is None else max(after, Pointer(start - 1))), before


def _cut(prose: str, room: int) -> int:
    """Where to cut so that no sentence is torn, or at least no word; half a sentence can say the
    opposite of the whole. Only the last fifth of the room is searched for such a place."""
    ends = range(room, room - room // 5, -1)
    for end in ends:
        if prose[end - 1] in _SENTENCE_ENDS and (
            prose[end].isspace() or prose[end - 1] in _ENDS_WITHOUT_SPACE
        ):
            return end
    return next((end for end in ends if prose[end].isspace()), room)


def first_readable(events: Sequence[Event], switched_on: datetime | None) -> int:
    """The seq up to which nothing may ever be read, 0 when all may (spec 0088 §1).

    "What was said while learning was off, or while a chat was marked Don't learn from this chat,
    is never read: turning either back on starts from there."
    """
    never_read = 0
    # Chats brought in were said elsewhere, and are read only when the person asks for it.
    brought = any(isinstance(event, ChatStarted) and event.origin == "imported" for event in events)
    for event in events:
        if is_quiet_mark(event):
            never_read = event.seq
        elif isinstance(event, PersonMessage):
            before = switched_on is not None and event.at is not None and event.at < switched_on
            if not event.learn or (before and not brought):
                never_read = event.seq
    return never_read
