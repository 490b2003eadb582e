"""Messages as an engine got them, kept so that the next turn repeats them byte for byte.

One file per chat and engine, `chats/<id>/sent/<engine>.jsonl`, derived: without it the log's own
words are sent. What was sent holds what the log does not (nearby blocks, words before redaction),
so it is sealed on disk, and looks, search, export and backup never read it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from conch.home.errors import ConchError, Damaged
from conch.home.files import append_line, appending, remove
from conch.home.home import Home
from conch.home.json_values import read_json
from conch.home.lines import json_line, read_lines

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class SentMessage:
    """One message as it was sent: what `append` was given, for the turn of the event `seq`.

    `memories` are the ids of the memories in the nearby block that was sent with it.
    """

    seq: int
    data: dict[str, Any] | bytes
    memories: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Block:
    """What one `append` wrote, and the byte it starts at."""

    start: int
    seq: int
    memories: tuple[str, ...]
    sealed: str


class SentMessages:
    """What one engine was sent in one chat."""

    def __init__(self, home: Home, chat: str, engine: str) -> None:
        self._home = home
        name = _NOT_IN_A_NAME.sub("_", engine)[:80] or "engine"
        self._path = home.chats / chat / "sent" / f"{name}.jsonl"

    def append(
        self, messages: Sequence[dict[str, Any] | bytes], seq: int, memories: Sequence[str] = ()
    ) -> None:
        """Keep messages of the turn that began with the event `seq`, all of them or none.

        Raises OSError when the disk refuses, and ConchError when the chat was deleted.
        """
        if not self._path.parent.parent.exists():
            raise ConchError("This chat was deleted.", do="Start a new one.")
        plain = json_line([_kept(message) for message in messages]).encode()
        sealed = base64.b64encode(self._home.seal.encrypt(plain)).decode()
        block = {"seq": seq, "memories": list(memories), "sealed": sealed}
        self._cut_torn_tail()
        append_line(self._path, json_line(block).encode() + b"\n")

    def read(self) -> list[SentMessage]:
        """All that was sent, in order; up to the first block that cannot be read."""
        found: list[SentMessage] = []
        for block in self._blocks():
            try:
                plain = self._home.seal.decrypt(base64.b64decode(block.sealed))
                messages = [_given(value) for value in read_json(plain)]
            except (Damaged, ValueError, TypeError, KeyError):
                break
            found += [SentMessage(block.seq, message, block.memories) for message in messages]
        return found

    def cut_from(self, seq: int) -> None:
        """Forget what was sent for the event `seq` and all after it."""
        self._cut(next((block.start for block in self._blocks() if block.seq >= seq), None))

    def cut_where_memory(self, memory: str) -> bool:
        """Forget all from the first block on that carried this memory; whether there was one."""
        start = next((block.start for block in self._blocks() if memory in block.memories), None)
        self._cut(start)
        return start is not None

    def clear(self) -> None:
        """Forget all that was sent."""
        remove(self._path)

    def _cut(self, start: int | None) -> None:
        if start is not None:
            with appending(self._path) as file:
                file.cut(start)

    def _cut_torn_tail(self) -> None:
        _, end, torn = read_lines(self._path)
        if torn:
            self._cut(end)

    def _blocks(self) -> Iterator[_Block]:
        """The blocks up to the first line that is none: what follows it would have a gap."""
        lines, _, _ = read_lines(self._path)
        start = 0
        for line in lines:
            try:
                raw = read_json(line)
                memories = tuple(str(one) for one in raw["memories"])
                yield _Block(start, int(raw["seq"]), memories, str(raw["sealed"]))
            except (ValueError, TypeError, KeyError):
                return
            start += len(line) + 1


def cut_sent_where_memory(home: Home, memory: str) -> list[str]:
    """`cut_where_memory` in every chat and engine of a home; gives the chats where it was sent."""
    found: list[str] = []
    needle = json_line(memory).encode()
    for path in sorted(home.chats.glob("*/sent/*.jsonl")):
        chat = path.parent.parent.name
        if needle in path.read_bytes() and SentMessages(home, chat, path.stem).cut_where_memory(
            memory
        ):
            found.append(chat)
    return list(dict.fromkeys(found))


def _kept(message: dict[str, Any] | bytes) -> dict[str, Any]:
    if isinstance(message, dict):
        return {"value": message}
    try:
        return {"text": message.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(message).decode()}


def _given(kept: dict[str, Any]) -> dict[str, Any] | bytes:
    if "value" in kept:
        return dict(kept["value"])
    if "text" in kept:
        return str(kept["text"]).encode()
    return base64.b64decode(kept["base64"])
