"""What is sent to an engine before the person's new words.

Earlier turns are repeated byte for byte as that engine got them, nearby blocks included, so that
its prompt cache holds. Where nothing was kept, or what was kept quotes a memory that has changed
since, the log's own words are sent instead (design.md, "What was sent").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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

IMAGE_CHARACTERS = 5_600
"""What an image counts as: about 1,600 tokens, which companies count for a large one."""


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
        return sum(characters_in(message) for message in self.messages)


def mark_of(memory: Memory) -> str:
    """A memory and its exact words, as a sent message remembers which ones it quoted.

    What is no longer true has another mark than it had while it was.
    """
    ended = ":earlier" if memory.invalid_at else ""
    return f"{memory.id}:{memory.words_hash}{ended}"


def earlier_messages(
    events: Sequence[Event], sent: SentMessages, standing: Iterable[str], images: bool = True
) -> Earlier:
    """What was said in the turns that have ended, as messages for one engine.

    `standing` are the marks of every memory that still says what it said; a sent block that quotes
    another one is cut away from there on, and the lost cache is meant. So is one that holds an
    image, when the model that answers now takes none (`images` is False).
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
    blocks = sent.read()
    if blocks and blocks[-1].seq < begins:
        # This engine missed part of what was summarised since: it gets the summary as well.
        sent.cut_from(0)
        blocks = []
    kept: list[tuple[int, ModelMessage]] = []
    for block in blocks:
        (message,) = ModelMessagesTypeAdapter.validate_python([block.data])
        stands = block.seq not in gone and all(mark in standing for mark in block.memories)
        if not stands or (images_in(message) and not images):
            sent.cut_from(block.seq)
            kept = [(seq, message) for seq, message in kept if seq < block.seq]
            break
        kept.append((block.seq, message))
    read_to = kept[-1][0] if kept else 0
    earlier.messages += [message for _, message in kept]
    earlier.kept = len(kept)
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


def characters_in(message: ModelMessage) -> int:
    """How long one message is; an image counts as `IMAGE_CHARACTERS`."""
    texts = 0
    for part in message.parts:
        texts += sum(len(item) for item in _contents(part) if isinstance(item, str))
        arguments = getattr(part, "args", None)
        texts += len(str(arguments)) if arguments else 0
    return texts + images_in(message) * IMAGE_CHARACTERS


def images_in(message: ModelMessage) -> int:
    """How many images (or other files) one message holds."""
    from pydantic_ai.messages import BinaryContent

    return sum(
        isinstance(item, BinaryContent) for part in message.parts for item in _contents(part)
    )


def _contents(part: Any) -> list[Any]:
    """What a part of a message says: texts and files; anything else as text."""
    from pydantic_ai.messages import BinaryContent

    content = getattr(part, "content", None)
    if content is None:
        return []
    items = content if isinstance(content, list | tuple) else [content]
    return [item if isinstance(item, str | BinaryContent) else str(item) for item in items]


def tokens_in(characters: int) -> int:
    """About how many tokens so many characters are."""
    return int(characters / CHARACTERS_A_TOKEN) + 1
