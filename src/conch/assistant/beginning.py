"""A turn's first write: the person's message with all that belongs to it, whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from conch.assistant.attached import Attachment, kept_beside
from conch.chats.events import Event, LeftOut, PersonMessage, TaintMarked
from conch.chats.log import ChatLog
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.learning.carrying import said_by_the_disk

NOT_KEPT = "Your message wasn't kept."
NOT_SENT = "Your message wasn't sent."
GIVES_BACK = frozenset((NOT_KEPT, NOT_SENT))
"""What is said as kept where the words are the person's again: a door gives them back to them."""


class DiskRefused(ConchError):
    """The disk would not take a part of a turn."""


def not_kept(error: OSError) -> DiskRefused:
    """What is said when a message could not be written: then nothing of it was."""
    return DiskRefused(
        f"Your disk refused it: {said_by_the_disk(error)}.",
        NOT_KEPT,
        "See that the chats folder can be written to and has room, and send it again.",
    )


def reply_not_kept(error: OSError) -> DiskRefused:
    """What is said when the message is kept and what came after it could not be."""
    return DiskRefused(
        f"Your disk refused the rest: {said_by_the_disk(error)}.",
        "Your message is kept; the reply to it may not be.",
        "See that the chats folder can be written to and has room, and send it again.",
    )


async def keep_message(
    home: Home,
    chat: str,
    log: ChatLog,
    message: PersonMessage,
    files: Sequence[Attachment],
    left_out: LeftOut | None,
) -> tuple[PersonMessage, int]:
    """Write the message, its images, the marks of its files and what it stands in for.

    Gives it with its files, and its seq. Raises DiskRefused, with nothing of it in the log.
    """
    try:
        kept = await asyncio.to_thread(kept_beside, home, chat, files) if files else ()
        message = message.model_copy(update={"files": kept})
        events: list[Event] = [] if left_out is None else [left_out]
        # Whoever wrote a file, its words came from outside, and before the person's beside them.
        events += [TaintMarked(kind="file", label=file.name) for file in files]
        # One write for all: words that are left out without what stands in for them were lost.
        written = await asyncio.to_thread(log.extend, [*events, message])
    except OSError as error:
        raise not_kept(error) from error
    return message, written[-1].seq
