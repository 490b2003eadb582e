"""What came of reading the chats that were brought in, in few lines. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conch.cli.showing import counted, things

_READ = frozenset(("learned", "nothing_to_learn", "nothing_new", "passed_over"))
"""How a look ends that has read the chat, or found nothing left in it."""


def nothing_left(brought_in: int) -> str:
    """What is said where no chat is left to read, of `brought_in` that there are."""
    if not brought_in:
        return "No chat was brought in yet: conch bring PATH"
    what = "The chat" if brought_in == 1 else f"All {brought_in} chats"
    return f"Nothing is left to read. {what} you brought in {_was(brought_in)} looked at already."


def summary(looks: Sequence[dict[str, Any]], chats: int) -> list[str]:
    """One line for all looks, and one for each reason why a chat could not be read.

    `chats`: how many were to be read; the rest was left when there was no more to spend.

    >>> nothing = {"outcome": "nothing_to_learn", "learned": []}
    >>> summary([{"outcome": "learned", "learned": [{}, {}]}, nothing, nothing], 3)
    ['Looked at 3 chats: learned 2 things, 2 with nothing to learn.']
    """
    read = [look for look in looks if look["outcome"] in _READ]
    learned = sum(len(look["learned"]) for look in read)
    empty = sum(1 for look in read if not look["learned"])
    parts = [f"learned {things(learned) if learned else 'nothing'}"]
    if empty and learned:
        parts.append(f"{empty} with nothing to learn")
    if chats > len(read):
        parts.append(f"{chats - len(read)} not read yet")
    lines = [f"Looked at {counted(len(read), 'chat')}: {', '.join(parts)}."]
    not_read = Counter(look["in_plain_words"] for look in looks if look["outcome"] not in _READ)
    return lines + [f"Not read yet, {counted(n, 'chat')}: {why}" for why, n in not_read.items()]


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
