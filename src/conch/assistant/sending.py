"""What is sent to an engine before the person's new words.

Earlier turns are repeated byte for byte as that engine got them, nearby blocks included, so that
its prompt cache holds. Where nothing was kept, or what was kept quotes a memory that has changed
since, the log's own words are sent instead (design.md, "What was sent").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conch.assistant.attached import with_files
from conch.chats.events import Event, StartSummarised
from conch.chats.left_out import left_out
from conch.chats.sent import SentMessages
from conch.chats.turns import turns
from conch.memory.memory import Memory

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

CHARACTERS_A_TOKEN = 3.5
"""A cautious guess over languages and code; a window is never filled to the brim with it."""


@dataclass
class Earlier:
    """The messages to send before the new words.

    `kept` of them are already in the sent file. `sent_from` is the first event that is sent word
    for word (0: all of them).
    """

    messages: list[ModelMessage] = field(default_factory=list)
    kept: int = 0
    sent_from: int = 0

    @property
    def characters(self) -> int:
        return sum(len(text) for message in self.messages for text in texts_of(message))


def mark_of(memory: Memory) -> str:
    """A memory and its exact words, as a sent message remembers which ones it quoted.

    What is no longer true has another mark than it had while it was.
    """
    ended = ":earlier" if memory.invalid_at else ""
    return f"{memory.id}:{memory.words_hash}{ended}"


def earlier_messages(
    events: Sequence[Event], sent: SentMessages, standing: Iterable[str]
) -> Earlier:
    """What was said in the turns that have ended, as messages for one engine.

    `standing` are the marks of every memory that still says what it said; a sent block that quotes
    another one is cut away from there on, and the lost cache is meant.
    """
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    standing = set(standing)
    begins = 0
    earlier = Earlier()
    gone = left_out(events)
    summaries = [event for event in events if isinstance(event, StartSummarised)]
    if summaries:
        begins = summaries[-1].before
        earlier.sent_from = begins
    read_to = 0
    blocks = sent.read()
    if blocks and blocks[-1].seq < begins:
        # This engine missed part of what was summarised since: it gets the summary as well.
        sent.cut_from(0)
        blocks = []
    for block in blocks:
        if block.seq in gone or any(mark not in standing for mark in block.memories):
            sent.cut_from(block.seq)
            break
        earlier.messages += ModelMessagesTypeAdapter.validate_python([block.data])
        read_to = block.seq
    earlier.kept = len(earlier.messages)
    if not earlier.kept and summaries:
        earlier.messages += _exchange(
            f"<summary>{summaries[-1].summary}</summary>\nThis is how our chat began, in short.",
            "Understood.",
        )
    for turn in turns(events):
        if turn.first_seq <= read_to or turn.first_seq < begins or turn.outcome is None:
            continue
        if turn.first_seq in gone:
            continue
        earlier.messages += _exchange(with_files(turn.person), turn.reply)
    return earlier


def _exchange(said: str, reply: str) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    return [
        ModelRequest(parts=[UserPromptPart(content=said)]),
        ModelResponse(parts=[TextPart(content=reply or "(no reply: it was stopped)")]),
    ]


def texts_of(message: ModelMessage) -> list[str]:
    """Every text in one message, for measuring how long it is."""
    found: list[str] = []
    for part in message.parts:
        content = getattr(part, "content", None)
        if isinstance(content, str):
            found.append(content)
        elif isinstance(content, Sequence):
            found += [item for item in content if isinstance(item, str)]
        elif content is not None:
            found.append(str(content))
        arguments = getattr(part, "args", None)
        if arguments:
            found.append(str(arguments))
    return found


def tokens_in(characters: int) -> int:
    """About how many tokens so many characters are."""
    return int(characters / CHARACTERS_A_TOKEN) + 1
