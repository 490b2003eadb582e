"""A memory's file as text: YAML front matter between two `---` lines, then the memory's words.

Reading takes what a person's editor may leave (a byte order mark, Windows line ends, comments,
keys of other programs); rewriting keeps comments and unknown keys.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from conch.home.json_values import read_json

LONGEST_FILE = 65_536
"""Bytes. A longer file is no memory."""

MOST_VALUES = 2_000

_FENCE = re.compile(rb"---[ \t]*\r?\n")
_END = re.compile(rb"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_SEAL_LINE = re.compile(rb"^seal:[^\n]*\n", re.MULTILINE)
_PLAIN = (
    r"[A-Za-z][A-Za-z0-9_./+-]*(?::[A-Za-z0-9_./+-]+)*"
    r"|\d{4}-\d\d-\d\dT[0-9:.]+Z|[0-9a-f]{64}"
)
_PLAIN_VALUE = re.compile(rf"(?:{_PLAIN})\Z")
_PLAIN_LINE = re.compile(rf"([A-Za-z]+): ({_PLAIN})\Z")
_JSON_LINE = re.compile(r"([A-Za-z]+): ([\"\[{].*)\Z")
_YAML_WORDS = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"])


class Unreadable(ValueError):
    """The bytes are no memory file; the message says why, in plain words."""


@dataclass(frozen=True)
class Document:
    """A file taken apart. `front` are plain values by key; `text` the words, without outer blanks.

    `ours`: the front matter is in the very form Conch writes, without comments or other keys.
    """

    front: Mapping[str, Any]
    text: str
    ours: bool


def read_document(data: bytes) -> Document:
    """Take a file apart. Raises Unreadable for what is no UTF-8, no YAML or too long."""
    if len(data) > LONGEST_FILE:
        raise Unreadable("it is longer than a memory can be")
    head, body = _parts(data)
    try:
        front_text = head.decode("utf-8")
        text = body.decode("utf-8").replace("\r\n", "\n").strip()
    except UnicodeDecodeError:
        raise Unreadable("it is not UTF-8 text") from None
    plain = _read_plain(front_text)
    front = plain if plain is not None else _read_yaml(front_text)
    return Document(front, text, ours=plain is not None)


def without_seal(data: bytes) -> tuple[bytes, str]:
    """The bytes without their seal line, and the seal; ("", when there is none or more than one).

    >>> without_seal(b"---\\nid: m_1\\nseal: ab\\n---\\nWords\\n")
    (b'---\\nid: m_1\\n---\\nWords\\n', 'ab')
    """
    start, end = front_span(data)
    found = list(_SEAL_LINE.finditer(data, start, end))
    if len(found) != 1:
        return data, ""
    line = found[0]
    seal = line.group()[len(b"seal:") :].strip().decode("ascii", "replace")
    return data[: line.start()] + data[line.end() :], seal


def with_seal(data: bytes, seal: str) -> bytes:
    """The bytes with a seal line put last in the front matter."""
    _, end = front_span(data)
    return data[:end] + f"seal: {seal}\n".encode() + data[end:]


def render(front: Mapping[str, Any], text: str, base: bytes = b"") -> bytes:
    """A file's bytes, unsealed. `front` are Conch's own keys; None takes a key out.

    `base`: the file as it was; its comments and the keys Conch does not know are kept.
    """
    head = ""
    if base:
        try:
            document = read_document(base)
        except Unreadable:
            document = None
        if document is not None and not document.ours and document.front:
            head = _rewritten(_parts(base)[0].decode("utf-8"), front)
    if not head:
        head = "".join(
            f"{key}: {_plain(value)}\n" for key, value in front.items() if value is not None
        )
    return f"---\n{head}---\n{text}\n".encode()


def front_span(data: bytes) -> tuple[int, int]:
    """Where the front matter's lines start and end; (0, 0) when there is none."""
    begin = len(b"\xef\xbb\xbf") if data.startswith(b"\xef\xbb\xbf") else 0
    opening = _FENCE.match(data, begin)
    if opening is None:
        return 0, 0
    closing = _END.search(data, opening.end())
    if closing is None:
        raise Unreadable("its front matter has no end")
    return opening.end(), closing.start()


def _parts(data: bytes) -> tuple[bytes, bytes]:
    start, end = front_span(data)
    if not start:
        return b"", data.removeprefix(b"\xef\xbb\xbf")
    closing = _END.match(data, end)
    return data[start:end], data[closing.end() if closing else end :]


def _read_plain(front: str) -> dict[str, Any] | None:
    """The front matter when every line is in Conch's own form, else None.

    It saves the YAML parser, which takes a millisecond a file.
    """
    found: dict[str, Any] = {}
    if not front:
        return found
    for line in front.removesuffix("\n").split("\n"):
        if plain := _PLAIN_LINE.match(line):
            key, value = plain.groups()
            if value.lower() in _YAML_WORDS:
                return None
        elif quoted := _JSON_LINE.match(line):
            key = quoted[1]
            try:
                value = read_json(quoted[2])
            except ValueError:
                return None
        else:
            return None
        if key in found:
            return None
        found[key] = value
    return found


def _plain(value: Any) -> str:
    if isinstance(value, str) and _PLAIN_VALUE.match(value) and value.lower() not in _YAML_WORDS:
        return value
    # JSON is YAML; escapes keep line separators and lone surrogates out of the file's lines.
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def _yaml() -> Any:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    return yaml


def _read_yaml(front: str) -> dict[str, Any]:
    loaded = _load(front)
    room = [MOST_VALUES]
    return {str(key): _as_plain(value, room) for key, value in loaded.items()}


def _load(front: str) -> Any:
    from ruamel.yaml.error import YAMLError

    try:
        loaded = _yaml().load(front)
    except (YAMLError, ValueError, RecursionError, AttributeError, TypeError) as error:
        raise Unreadable("its front matter is not YAML") from error
    if loaded is None:
        from ruamel.yaml.comments import CommentedMap

        return CommentedMap()
    if not isinstance(loaded, Mapping):
        raise Unreadable("its front matter is no list of keys and values")
    return loaded


def _as_plain(value: Any, room: list[int]) -> Any:
    """A YAML value as plain Python. `room`: how many more there may be, aliases taken as often
    as they stand (a file of a few lines can say a billion)."""
    room[0] -= 1
    if room[0] < 0:
        raise Unreadable("its front matter is longer than a memory's can be")
    if isinstance(value, Mapping):
        return {str(key): _as_plain(inner, room) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_plain(inner, room) for inner in value]
    if isinstance(value, bool) or value is None:
        return value
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return str(value)


def _rewritten(head: str, front: Mapping[str, Any]) -> str:
    loaded = _load(head)
    loaded.pop("seal", None)
    for key, value in front.items():
        if value is None:
            loaded.pop(key, None)
        elif key not in loaded or _as_plain(loaded[key], [MOST_VALUES]) != value:
            loaded[key] = value
    out = io.StringIO()
    _yaml().dump(loaded, out)
    return out.getvalue()
