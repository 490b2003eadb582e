"""Verbs about memories: list, search, add, edit, forget, what used to be true, export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, flag, memory_item, text, the_memory
from conch.home.errors import ConchError
from conch.home.off_loop import off_loop
from conch.memory.memories import clean_words
from conch.memory.memory import Memory, MemoryKind, words_hash

_KINDS: tuple[MemoryKind, ...] = ("fact", "preference", "project", "person")


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    conch.memories.refresh()
    for memory in conch.memories.all():
        yield memory_item(memory)


async def search(conch: Conch, args: dict[str, Any]) -> Items:
    query = text(args, "query").strip()
    if not any(char.isalnum() for char in query):
        raise ConchError(
            "There is nothing to search for.", do="Give a word or two: conch memory search bicycle"
        )
    for hit in conch.memories.find(query):
        yield {**memory_item(hit.memory), "score": round(hit.score, 3)}


async def earlier(conch: Conch, args: dict[str, Any]) -> Items:
    for memory in conch.memories.earlier():
        yield memory_item(memory)


async def add(conch: Conch, args: dict[str, Any]) -> Items:
    """Add a memory in the person's own words; `replaced` are those it took the place of."""
    given = text(args, "kind", "")
    kind: MemoryKind | None = next((one for one in _KINDS if one == given), None)
    if given and kind is None:
        raise ConchError(
            f"“{given}” is no kind of memory.", "Nothing was saved.", ", ".join(_KINDS)
        )
    words = text(args, "text")
    before = {one.id for one in conch.memories.earlier()}
    memory = await off_loop(lambda: conch.learning.add_own(words, kind))
    replaced = [
        memory_item(one)
        for one in conch.memories.earlier()
        if one.superseded_by == memory.id and one.id not in before
    ]
    yield {**memory_item(memory), "replaced": replaced}


async def restore(conch: Conch, args: dict[str, Any]) -> Items:
    """Have what used to be true back; `replaced` are those it takes the place of."""
    copy = _the_copy(conch, text(args, "id"))
    memory, gone = await off_loop(lambda: conch.learning.restore(copy.id))
    yield {**memory_item(memory), "replaced": [memory_item(one) for one in gone]}


def _the_copy(conch: Conch, reference: str) -> Memory:
    """What used to be true with this id, or the only one whose id ends so. Raises ConchError."""
    copies = conch.memories.earlier()
    found = [one for one in copies if one.id == reference]
    found = found or [one for one in copies if len(reference) >= 4 and one.id.endswith(reference)]
    if len(found) == 1:
        return found[0]
    if not found and any(one.id.endswith(reference) for one in conch.memories.all()):
        raise ConchError(
            f"“{reference}” is not among what used to be true: it is remembered now.",
            "Nothing changed.",
            f"To remove it: conch memory forget {reference}",
        )
    many = "fits more than one earlier memory" if found else "is no earlier memory"
    raise ConchError(
        f"“{reference}” {many}.", "Nothing changed.", "conch memory earlier lists them."
    )


async def edit(conch: Conch, args: dict[str, Any]) -> Items:
    memory = the_memory(conch, text(args, "id"))
    words = clean_words(text(args, "text"))
    consent = conch.consents.mint(memory.id, words_hash(words))
    yield memory_item(conch.learning.edit_own(memory.id, words, consent))


async def keep(conch: Conch, args: dict[str, Any]) -> Items:
    """Keep a memory that is held or waits, for exactly the words the person saw."""
    memory = the_memory(conch, text(args, "id"))
    consent = conch.consents.mint(memory.id, text(args, "words_hash"))
    record = conch.learning.record(memory.id)
    if record is not None and record.state == "waiting":
        conch.learning.keep(record.id, consent)
    else:
        conch.memories.keep(memory.id, consent)
    kept = conch.memories.get(memory.id)
    if kept is not None:
        yield memory_item(kept)


async def forget(conch: Conch, args: dict[str, Any]) -> Items:
    """Forget a live memory, or with `earlier` a copy of what used to be true."""
    reference = text(args, "id")
    if flag(args, "earlier"):
        copy = _the_copy(conch, reference)
        conch.learning.forget_earlier(copy.id)
        yield memory_item(copy)
        return
    memory = conch.learning.forget_memory(the_memory(conch, reference).id)
    yield memory_item(memory)


async def export(conch: Conch, args: dict[str, Any]) -> Items:
    """Every memory that is used, as JSON, or as Markdown files into the folder `to`."""
    to = text(args, "to", "")
    if to:
        count = conch.memories.export_markdown(Path(to))
        yield {"type": "exported", "to": to, "count": count}
        return
    yield {"type": "json", "text": conch.memories.export_json()}


VERBS: dict[str, Verb] = {
    "memory.list": listing,
    "memory.search": search,
    "memory.earlier": earlier,
    "memory.add": add,
    "memory.restore": restore,
    "memory.edit": edit,
    "memory.keep": keep,
    "memory.forget": forget,
    "memory.export": export,
}
