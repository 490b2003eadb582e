"""Routes about memories: list, search, add, edit, keep, forget, what used to be true, export."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from conch.app import Conch
from conch.home.clock import in_utc
from conch.memory.memories import Memories, clean_words
from conch.memory.memory import Memory, MemoryKind
from conch.memory.memory import words_hash as hash_of_words
from conch.memory.shown import shown
from conch.web.chat_routes import Limit, Offset
from conch.web.gateway import Gateway, Here
from conch.web.memory_shapes import (
    BringBack,
    EarlierPage,
    EarlierSubject,
    ExportFormat,
    Forgotten,
    MemoryEdit,
    MemoryItem,
    MemoryKept,
    MemoryPage,
    MemorySeen,
    NewMemory,
    Now,
    SearchNow,
)
from conch.web.problems import Standing, changed_meanwhile, not_there
from conch.web.telling import memory_item

router = APIRouter(prefix="/api/memory", tags=["memory"])

_KINDS: tuple[MemoryKind, ...] = ("fact", "preference", "project", "person")
_ALL = 1_000_000
_EXPORTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A file to save",
        "content": {
            "application/json": {},
            "application/zip": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


def _the_memory(here: Gateway, memory_id: str, seen: str | None = None) -> Memory:
    """The live memory of this id. Refused: 404, or 409 when its words aren't those `seen`."""
    memory = here.conch.memories.get(memory_id)
    if memory is None:
        raise not_there("memory")
    words = shown(memory)
    if seen is not None and words.words_hash != seen:
        state = "used" if memory.usable else "waiting"
        raise changed_meanwhile(Standing(state=state, text=words.text, words_hash=words.words_hash))
    return memory


@router.get("")
async def list_memories(
    here: Here,
    query: Annotated[str, Query(max_length=400)] = "",
    kind: MemoryKind | None = None,
    offset: Offset = 0,
    limit: Limit = 100,
) -> MemoryPage:
    """What Conch knows, newest first; with `query` what fits it, ranked as `recall` ranks."""
    conch = here.conch
    all_of_them = conch.memories.all()
    if query.strip():
        hits = conch.memories.find(query, _ALL)
        found = [memory_item(conch, hit.memory, hit.score) for hit in hits]
    else:
        usable = [memory for memory in all_of_them if memory.usable]
        usable.sort(key=lambda memory: memory.updated, reverse=True)
        found = [memory_item(conch, memory) for memory in usable]
    if kind is not None:
        found = [item for item in found if item.kind == kind]
    counted = Counter(memory.kind for memory in all_of_them if memory.usable)
    return MemoryPage(
        items=found[offset : offset + limit],
        waiting=[memory_item(conch, one) for one in all_of_them if one.waits],
        held=[memory_item(conch, one) for one in all_of_them if one.held and not one.waits],
        doubles=[memory_item(conch, one) for one in all_of_them if one.same_as],
        total=len(found),
        next_offset=offset + limit if offset + limit < len(found) else None,
        counts={kind: counted[kind] for kind in _KINDS},
    )


@router.post("", status_code=201)
async def add_memory(here: Here, given: NewMemory) -> MemoryItem:
    """Add a memory in the person's own words; held when the check holds it, never a secret."""
    added = await here.pressed(lambda: here.conch.learning.add_own(given.text, given.kind))
    return memory_item(here.conch, added)


@router.get("/earlier")
async def list_earlier(here: Here, offset: Offset = 0, limit: Limit = 50) -> EarlierPage:
    """What used to be true, subject by subject, the latest ended first."""
    conch = here.conch
    live = {memory.id: memory for memory in conch.memories.all()}
    subjects = _subjects(conch.memories.earlier())
    return EarlierPage(
        items=[
            EarlierSubject(
                copies=[memory_item(conch, copy) for copy in reversed(copies)],
                now=_now(live.get(last)),
            )
            for last, copies in list(subjects.items())[offset : offset + limit]
        ],
        total=len(subjects),
        next_offset=offset + limit if offset + limit < len(subjects) else None,
    )


def _subjects(copies: list[Memory]) -> dict[str, list[Memory]]:
    """The copies by the last memory of their line of replacements, in the order given."""
    replaced_by = {one.id: one.superseded_by for one in copies}
    subjects: dict[str, list[Memory]] = {}
    for copy in copies:
        last, walked = copy.id, set[str]()
        while last not in walked and (following := replaced_by.get(last)):
            walked.add(last)
            last = following
        # Files a person edited can name each other: then the line goes round.
        subjects.setdefault(min(walked) if last in walked else last, []).append(copy)
    return subjects


def _now(memory: Memory | None) -> Now | None:
    if memory is None or not memory.usable:
        return None
    return Now(memory=memory.id, text=shown(memory).text, since=memory.created)


@router.delete("/earlier/{memory}", status_code=204)
async def forget_earlier(here: Here, memory: str, words_hash: str, until: datetime) -> Response:
    """Forget a copy of what used to be true; nothing live is touched.

    409 when the copy's words, or until when they were true, are others than the person saw.
    """
    await here.pressed(lambda: _forget_copy(here.conch, memory, words_hash, until))
    return Response(status_code=204)


def _forget_copy(conch: Conch, memory: str, seen: str, until: datetime) -> None:
    copy = next((one for one in conch.memories.earlier() if one.id == memory), None)
    if copy is None:
        raise not_there("earlier memory")
    if shown(copy).words_hash != seen or copy.invalid_at != in_utc(until):
        raise changed_meanwhile()
    conch.learning.forget_earlier(memory)


@router.get("/search-now")
async def search_now(here: Here) -> SearchNow:
    """How search works now: by words, and by meaning where that is ready."""
    meaning = here.conch.parts.meaning
    name = meaning.name if meaning is not None else "words"
    memories, encoded = here.conch.memories.index.ready()
    by_meaning = meaning is not None and not name.startswith("words")
    return SearchNow(by_meaning=by_meaning, name=name, memories=memories, encoded=encoded)


@router.get("/export", response_class=Response, responses={**_EXPORTS})
async def export_memories(here: Here, format: ExportFormat = "json") -> Response:
    """Every memory that is used, as one JSON file or as a zip of Markdown files."""
    if format == "json":
        return _download(
            here.conch.memories.export_json().encode("utf-8"), "application/json", "json"
        )
    return _download(_zipped(here.conch.memories), "application/zip", "zip")


def _zipped(memories: Memories) -> bytes:
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w") as archive:
        memories.export_markdown(Path(folder))
        for path in sorted(Path(folder).iterdir()):
            archive.write(path, path.name)
    return packed.getvalue()


def _download(data: bytes, media_type: str, ending: str) -> Response:
    disposition = f'attachment; filename="conch-memories.{ending}"'
    return Response(data, media_type=media_type, headers={"content-disposition": disposition})


@router.post("/bring-back")
async def bring_back_memory(here: Here, asked: BringBack) -> MemoryItem:
    """Undo a Forget of the last ten minutes."""
    back = await here.pressed(lambda: here.forgotten.bring_back(asked.undo))
    return memory_item(here.conch, back)


@router.get("/{memory}")
async def get_memory(here: Here, memory: str) -> MemoryItem:
    return memory_item(here.conch, _the_memory(here, memory))


@router.post("/{memory}/edit")
async def edit_memory(here: Here, memory: str, given: MemoryEdit) -> MemoryItem:
    """The person's new words for a memory; it is theirs then, and checked again."""

    def edit() -> Memory:
        _the_memory(here, memory, given.words_hash)
        words = clean_words(given.text)
        consent = here.conch.consents.mint(memory, hash_of_words(words))
        return here.conch.learning.edit_own(memory, words, consent)

    return memory_item(here.conch, await here.pressed(edit))


@router.post("/{memory}/keep")
async def keep_memory(here: Here, memory: str, given: MemoryKept) -> MemoryItem:
    """Keep what waits or is held: the person's press, for exactly the words they saw."""
    conch = here.conch

    def keep() -> None:
        _the_memory(here, memory, given.words_hash)
        record = conch.learning.record(memory)
        consent = conch.consents.mint(memory, given.words_hash)
        if record is not None and record.state == "waiting" and not given.anyway:
            conch.learning.keep(record.id, consent)
        else:
            conch.memories.keep(memory, consent, given.anyway)

    await here.pressed(keep)
    return memory_item(conch, _the_memory(here, memory))


@router.post("/{memory}/forget")
async def forget_memory(here: Here, memory: str, given: MemorySeen) -> Forgotten:
    """Forget a memory; what Conch wrote goes on the never-list. `undo` brings it back."""

    def forget() -> Forgotten:
        seen = memory_item(here.conch, _the_memory(here, memory, given.words_hash))
        _, undo = here.forgotten.forget(memory)
        return Forgotten(memory=seen, undo=undo)

    return await here.pressed(forget)
