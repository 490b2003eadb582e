"""An event as a line of a log, and a line as an event.

What is written has gone through the redactor, every string of it, and holds no lone surrogate.
What is read is never guessed: a line of a type, or with a value, that this version does not know
reads as `UnknownEvent`, and so does a damaged one (of type `DAMAGED`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, Protocol, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from conch.chats.events import Event, UnknownEvent, known_events
from conch.home.clock import in_utc
from conch.home.json_values import read_json
from conch.home.lines import json_line

DAMAGED = "damaged"
"""The type a line reads as that is no JSON object, or has no type."""

_SEQ = b'{"seq":'
_QUIET_MARK = b'quiet_mark"'
_IDS = frozenset({"chat", "call", "approval", "memory", "record", "look", "change_set", "skill"})
_MASK = "•••"


class Redacts(Protocol):
    """Whatever takes secrets out of a text. One that also has `redact_known(text)`, which takes
    out known values only, is asked that for ids, so that no id is taken for a key."""

    def redact(self, text: str) -> str: ...


def redacted(event: Event, redactor: Redacts) -> Event:
    """The event with every string redacted and free of lone surrogates; closed sets as they are."""
    return type(event).model_validate(_model(event, redactor))


def written(event: Event) -> bytes:
    """The line of an event, with its newline. Optional fields that are empty are left out."""
    at = event.at.isoformat() if event.at is not None else None
    line: dict[str, Any] = {"seq": event.seq, "at": at, "type": event.type}
    values = event.model_dump(mode="json", exclude={"seq", "at", "type"})
    for name, field in type(event).model_fields.items():
        if name in values and not _is_empty(getattr(event, name), field):
            line[name] = values[name]
    return json_line(line).encode() + b"\n"


def _is_empty(value: Any, field: FieldInfo) -> bool:
    """Whether a field holds nothing that reading would not give it anyway."""
    if value and not isinstance(value, BaseModel):
        return False
    return not field.is_required() and value == field.get_default(call_default_factory=True)


def read_events(
    lines: Iterable[bytes], last_seq: int = 0, after: int = 0, before: int | None = None
) -> list[Event]:
    """The events of lines that follow `last_seq`, those with `after` < seq < `before`."""
    events: list[Event] = []
    for line in lines:
        seq = _seq(line) or last_seq + 1
        if before is not None and seq >= before:
            break
        last_seq = seq
        if seq > after:
            event = _event(line, seq)
            if event.at is not None and event.at.tzinfo is None:
                event = event.model_copy(update={"at": in_utc(event.at)})
            events.append(event)
    return events


def seq_after(line: bytes, last_seq: int) -> int:
    """The seq of one line that follows `last_seq`."""
    return _seq(line) or last_seq + 1


def may_be_quiet_mark(torn: bytes) -> bool:
    """Whether the start of a line may be that of a quiet mark: it doesn't say it is another's.

    >>> may_be_quiet_mark(b'{"seq":7,"at":"20'), may_be_quiet_mark(b'{"seq":7,"at":null,"type":"q')
    (True, True)
    >>> may_be_quiet_mark(b'{"seq":7,"at":null,"type":"person_me')
    False
    """
    _, told, kind = torn.partition(b',"type":"')
    return not told or _QUIET_MARK.startswith(kind) or kind.startswith(_QUIET_MARK)


def _seq(line: bytes) -> int:
    """The seq a line carries, 0 when it carries none."""
    digits = line[len(_SEQ) : line.find(b",", len(_SEQ))]
    return int(digits) if line.startswith(_SEQ) and digits.isdigit() else 0


def _event(line: bytes, seq: int) -> Event:
    try:
        return known_events.validate_json(line)
    except ValidationError:
        pass
    try:
        raw = read_json(line)
        kind, at = str(raw["type"]), raw.get("at")
    except (ValueError, TypeError, KeyError, AttributeError):
        return UnknownEvent(seq=seq, type=DAMAGED)
    try:
        return known_events.validate_python(_plain(raw, _Same()))
    except (ValidationError, RecursionError):
        when = None
        with contextlib.suppress(ValueError):
            when = datetime.fromisoformat(at) if isinstance(at, str) else None
        return UnknownEvent(seq=seq, type=_readable(kind), at=when)


class _Same:
    def redact(self, text: str) -> str:
        return text


def _readable(text: str) -> str:
    """`text` with each lone surrogate replaced, so that it can be written and compared."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _model(model: BaseModel, redactor: Redacts) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if get_origin(field.annotation) is Literal or not value:
            out[name] = value
        elif name in _IDS:
            out[name] = getattr(redactor, "redact_known", redactor.redact)(_readable(value))
        else:
            out[name] = _plain(value, redactor)
    return out


def _plain(value: Any, redactor: Redacts) -> Any:
    if isinstance(value, str):
        return redactor.redact(_readable(value))
    if isinstance(value, BaseModel):
        return _model(value, redactor)
    if isinstance(value, Mapping):
        return {
            redactor.redact(_readable(str(key))): _named(str(key), inner, redactor)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner, redactor) for inner in value]
    if isinstance(value, bytes):
        return redactor.redact(value.decode("utf-8", "replace"))
    if value is None or isinstance(value, bool | int | float | datetime):
        return value
    return redactor.redact(_readable(str(value)))


def _named(key: str, value: Any, redactor: Redacts) -> Any:
    """A value of a tool's input. Its name may be what gives it away: `{"password": "…"}`."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return _plain(value, redactor)
    start = f"{_readable(key)}: "
    joined = start + _readable(str(value))
    seen = redactor.redact(joined)
    if seen == joined:
        return _readable(value) if isinstance(value, str) else value
    return _plain(seen.removeprefix(start) if seen.startswith(start) else _MASK, redactor)
