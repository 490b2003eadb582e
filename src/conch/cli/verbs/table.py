"""What a verb is, and reading its arguments: they come from another process and are checked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any, TypeVar

from conch.app import Conch
from conch.chats.heads import ChatHead
from conch.home.errors import ConchError
from conch.learning.record import Record
from conch.memory.memory import Memory
from conch.memory.shown import shown

T = TypeVar("T")
Items = AsyncGenerator[dict[str, Any]]
Verb = Callable[[Conch, dict[str, Any]], Items]


def text(args: dict[str, Any], name: str, default: str | None = None) -> str:
    """The argument `name` as text. Raises ConchError when it is missing or something else."""
    value = args.get(name, default)
    if not isinstance(value, str):
        raise ConchError(f"“{name}” should be text.", "Nothing was done.")
    return value


def flag(args: dict[str, Any], name: str) -> bool:
    """Whether the argument `name` is true."""
    return args.get(name) is True


def the_chat(conch: Conch, reference: str) -> ChatHead:
    """The chat with this id, or the only one whose id starts or title matches so.

    "" is the newest chat. Raises ConchError when there is none, or more than one.
    """
    heads = conch.chats.heads()
    if not reference and heads:
        return heads[0]
    exact = [head for head in heads if head.id == reference]
    wanted = reference.casefold()
    found = exact or [
        head
        for head in heads
        if head.id.startswith(reference) or head.id.endswith(reference)
        if reference
    ]
    found = found or [head for head in heads if wanted and wanted in head.title.casefold()]
    return _only(found, reference, "chat", "conch chats lists them.")


def the_record(conch: Conch, reference: str) -> Record:
    """The record with this id or of this memory; a number counts from the newest (1).

    Raises ConchError when there is none.
    """
    records = list(conch.learning.records())
    if not records and reference.isdecimal():
        raise ConchError(
            "Nothing was learned yet.",
            "Nothing was done.",
            "A chat is read ten minutes after its end, or at once with conch learn.",
        )
    if reference.isdecimal() and 1 <= int(reference) <= len(records):
        return records[int(reference) - 1]
    found = [one for one in records if reference and reference in (one.id, one.memory)]
    found = found or [
        one for one in records if len(reference) >= 4 and reference in (one.id[-len(reference) :],)
    ]
    return _only(found, reference, "entry in what was learned", "conch learned lists them.")


def the_memory(conch: Conch, reference: str) -> Memory:
    """The live memory with this id, or the only one whose id ends so. Raises ConchError."""
    memories = conch.memories.all()
    found = [memory for memory in memories if memory.id == reference]
    found = found or [
        memory for memory in memories if len(reference) >= 4 and memory.id.endswith(reference)
    ]
    if not found and len(reference) >= 4:
        for copy in conch.memories.earlier():
            if copy.id.endswith(reference):
                short = copy.id[-6:]
                raise ConchError(
                    f"“{reference}” is what used to be true: “{shown(copy).text}”.",
                    "Nothing was done.",
                    f"To have it back: conch memory restore {short}. "
                    f"To forget it: conch memory forget --earlier {short}",
                )
    return _only(found, reference, "memory", "conch memory list shows them.")


def _only(found: list[T], reference: str, what: str, do: str) -> T:
    if len(found) == 1:
        return found[0]
    if not found:
        raise ConchError(f"There is no {what} “{reference}”.", "Nothing was done.", do)
    raise ConchError(f"“{reference}” fits more than one {what}.", "Nothing was done.", do)


def record_item(record: Record) -> dict[str, Any]:
    return {"type": "record", **record.model_dump(mode="json")}


def memory_item(memory: Memory) -> dict[str, Any]:
    """A memory as JSON, with whether it is used and why not."""
    words = shown(memory)
    return {
        "type": "memory",
        "id": memory.id,
        "text": words.text,
        "kind": memory.kind,
        "about": memory.about,
        "source": memory.source,
        "created": memory.created.isoformat(),
        "updated": memory.updated.isoformat(),
        "usable": memory.usable,
        "waits": memory.waits,
        "held": list(memory.held.reasons) if memory.held else [],
        "same_as": memory.same_as,
        "invalid_at": memory.invalid_at.isoformat() if memory.invalid_at else None,
        "superseded_by": memory.superseded_by,
        "replaces": memory.replaces,
        "read": list(memory.provenance.read),
        "words_hash": words.words_hash,
        "learned": memory.learned,
    }
