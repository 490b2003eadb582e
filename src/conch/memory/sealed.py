"""A memory as sealed bytes, and back: what is written to and read from a memory's file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast, get_args

from conch.home.seal import Seal
from conch.memory.document import Document, read_document, render, with_seal, without_seal
from conch.memory.memory import (
    Held,
    Memory,
    MemoryAbout,
    MemoryKind,
    MemorySource,
    Provenance,
)

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def to_bytes(memory: Memory, seal: Seal, base: bytes = b"") -> bytes:
    """A memory's file, sealed. `base` is the file as it was, whose unknown keys are kept."""
    data = render(_front(memory), memory.text, base)
    return with_seal(data, seal.sign(data))


def plain_bytes(memory: Memory) -> bytes:
    """A memory's file without a seal, as it is exported."""
    return render(_front(memory), memory.text)


def is_sealed(data: bytes, seal: Seal) -> bool:
    """Whether these bytes are exactly what this home sealed. Raises Unreadable."""
    unsealed, mark = without_seal(data)
    return bool(mark) and seal.fits(unsealed, mark)


def from_bytes(data: bytes) -> Memory:
    """The memory a file holds, everything it says of itself believed. Raises Unreadable."""
    return from_document(read_document(data))


def from_document(document: Document) -> Memory:
    """As `from_bytes`. What is missing or odd gets the plainest value; an id may be ""."""
    front = document.front
    created = _time(front.get("created")) or _LONG_AGO
    return Memory(
        id=_text(front, "id"),
        text=document.text,
        kind=cast(MemoryKind, _one_of(front, "kind", get_args(MemoryKind)) or "fact"),
        source=cast(MemorySource, _one_of(front, "source", get_args(MemorySource)) or "you"),
        created=created,
        updated=_time(front.get("updated")) or created,
        about=cast("MemoryAbout | None", _one_of(front, "about", get_args(MemoryAbout)) or None),
        chat=_text(front, "chat"),
        learned=_text(front, "learned"),
        waits=_text(front, "waits"),
        held=_held(front.get("held")),
        provenance=_provenance(front.get("provenance")),
        replaces=_text(front, "replaces"),
        replaces_hash=_text(front, "replacesHash"),
        invalid_at=_time(front.get("invalidAt")),
        superseded_by=_text(front, "supersededBy"),
        cues=_list(front.get("cues")),
    )


def iso(at: datetime) -> str:
    """A time as the files hold it: ISO 8601, UTC, "Z"."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _front(memory: Memory) -> dict[str, Any]:
    held = memory.held
    provenance = memory.provenance
    return {
        "id": memory.id,
        "kind": memory.kind,
        "about": memory.about,
        "source": memory.source,
        "created": iso(memory.created),
        "updated": iso(memory.updated),
        "chat": memory.chat or None,
        "learned": memory.learned or None,
        "cues": list(memory.cues) or None,
        "replaces": memory.replaces or None,
        "replacesHash": memory.replaces_hash or None,
        "waits": memory.waits or None,
        "held": {"verdict": held.verdict, "reasons": list(held.reasons)} if held else None,
        "provenance": _provenance_front(provenance),
        "invalidAt": iso(memory.invalid_at) if memory.invalid_at else None,
        "supersededBy": memory.superseded_by or None,
    }


def _provenance_front(provenance: Provenance) -> dict[str, Any] | None:
    if provenance == Provenance():
        return None
    front: dict[str, Any] = {"read": list(provenance.read), "yours": provenance.yours}
    if provenance.host:
        front["host"] = provenance.host
    return front


def _text(front: Mapping[str, Any], key: str) -> str:
    value = front.get(key)
    return value if isinstance(value, str) else ""


def _one_of(front: Mapping[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    value = _text(front, key)
    return value if value in allowed else ""


def _time(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _list(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def _held(value: Any) -> Held | None:
    if value is None:
        return None
    inner = value if isinstance(value, Mapping) else {}
    verdict = "refuse" if inner.get("verdict") == "refuse" else "ask"
    return Held(verdict, _list(inner.get("reasons")))


def _provenance(value: Any) -> Provenance:
    if not isinstance(value, Mapping):
        return Provenance()
    yours = value.get("yours", True)
    return Provenance(
        read=_list(value.get("read")),
        yours=yours is True or yours == "true",
        host=str(value.get("host", "")),
    )
