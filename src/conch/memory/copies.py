"""Copies of what used to be true: a memory's file with when it ended and what took its place.

A copy is the file's own bytes with its seal line renamed to `sealBefore`, followed by `invalidAt`,
`supersededBy` and the copy's seal; taking these out again gives the exact bytes back.
"""

from __future__ import annotations

import json
import re
from datetime import datetime

from conch.home.json_values import read_json
from conch.home.seal import Seal
from conch.memory.document import Unreadable, front_span, with_seal
from conch.memory.sealed import is_sealed, iso

_TAIL = re.compile(
    rb"^sealBefore:(?P<seal>[^\n]*)\n"
    rb"invalidAt: [^\n]*\n(?:supersededBy: [^\n]*\n)?(?:fileName: [^\n]*\n)?(?:seal:[^\n]*\n)?\Z",
    re.MULTILINE,
)

_OURS = rb"[\"']?(?:sealBefore|invalidAt|supersededBy|fileName)[\"']?[ \t]*:"
_OWN = re.compile(rb"^((?:own-)*" + _OURS + rb")", re.MULTILINE)
"""Keys of the person's own that are called as those of a copy: they stand as "own-…" in it."""
_OWN_AGAIN = re.compile(rb"^own-((?:own-)*" + _OURS + rb")", re.MULTILINE)

_FILE_NAME = re.compile(rb"^fileName: (?P<name>[^\n]+)\n", re.MULTILINE)


def copy_of(
    data: bytes, invalid_at: datetime, superseded_by: str, seal: Seal, file_name: str = ""
) -> bytes:
    """The copy of a sealed file. `file_name`: the file's own name when it is not the id's.

    Raises Unreadable when the file has no front matter.
    """
    start, end = front_span(data)
    if not start:
        raise Unreadable("it has no front matter")
    head = _OWN.sub(rb"own-\1", data[start:end])
    head = re.sub(rb"^seal:", b"sealBefore:", head, flags=re.MULTILINE)
    added = f"invalidAt: {iso(invalid_at)}\n"
    if superseded_by:
        added += f"supersededBy: {superseded_by}\n"
    if file_name:
        added += f"fileName: {json.dumps(file_name)}\n"
    copy = data[:start] + head + added.encode() + data[end:]
    return with_seal(copy, seal.sign(copy))


def original_of(copy: bytes) -> bytes:
    """The bytes the copy was made of. Raises Unreadable when it is not in the form of a copy."""
    start, end = front_span(copy)
    tail = _TAIL.search(copy, start, end) if start else None
    if tail is None:
        raise Unreadable("it is not in the form of a copy of an earlier memory")
    head = copy[:start] + _OWN_AGAIN.sub(rb"\1", copy[start : tail.start()])
    return head + b"seal:" + tail["seal"] + b"\n" + copy[end:]


def sealed_original_of(copy: bytes, seal: Seal) -> bytes:
    """The bytes the copy was made of, when this home sealed exactly those, else b"".

    What stands around them (when it ended, what took its place) may have been changed.
    """
    try:
        original = original_of(copy)
        return original if is_sealed(original, seal) else b""
    except Unreadable:
        return b""


def file_name_of(copy: bytes) -> str:
    """The name the file had when it was not its id's, else ""."""
    start, end = front_span(copy)
    found = _FILE_NAME.search(copy, start, end)
    try:
        name = str(read_json(found["name"])) if found else ""
    except ValueError:
        return ""
    return name if name.endswith(".md") and "/" not in name and name[0] != "." else ""
