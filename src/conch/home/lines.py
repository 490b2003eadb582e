"""Reading files that only grow, a line an entry: whole lines, and what to do about a torn tail.

A line counts once its newline is on disk. A tail without one is what a crash or a full disk left:
it was never acknowledged, so it is moved out of the way and said, not mended.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from conch.home.files import Appending, appending, aside_name, write_atomic
from conch.home.notes import Notes

_STEP = 65_536


def json_line(value: Any) -> str:
    """`value` as JSON in one line. Text stays readable; a lone surrogate is escaped, not fatal."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def read_lines(path: Path, start: int = 0) -> tuple[list[bytes], int, bool]:
    """The whole lines from byte `start` on, the byte after the last one, whether a tail is torn.

    A file that is not there has none. Raises OSError when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
    except FileNotFoundError:
        return [], start, False
    end = data.rfind(b"\n") + 1
    lines = data[:end].split(b"\n")
    lines.pop()
    return lines, start + end, end < len(data)


def last_line(file: Appending) -> bytes:
    """The last whole line of a file whose tail is not torn, b"" when it has none."""
    end = file.size
    tail = b""
    while end > 0:
        start = max(0, end - _STEP)
        tail = file.read(start, end - start) + tail
        cut = tail.rfind(b"\n", 0, len(tail) - 1)
        if cut >= 0:
            return tail[cut + 1 : -1]
        end = start
    return tail[:-1]


def mend_tail(file: Appending, path: Path, notes: Notes) -> bytes:
    """Move a torn tail of a held file to `<name>.damaged-<time>` and say so. Else do nothing.

    Gives the tail, b"" when none was torn.
    """
    size = file.size
    if size == 0 or file.read(size - 1, 1) == b"\n":
        return b""
    end = size
    keep = 0
    while end > 0:
        start = max(0, end - _STEP)
        cut = file.read(start, end - start).rfind(b"\n")
        if cut >= 0:
            keep = start + cut + 1
            break
        end = start
    torn = file.read(keep)
    aside = aside_name(path, notes.clock)
    write_atomic(aside, torn)
    file.cut(keep)
    notes.say(
        f"The last line of {path.name} was cut off, as by a crash or a full disk. "
        f"Everything before it is kept; the piece is in {aside.name}.",
        where=str(path),
    )
    return torn


def mend_tail_of(path: Path, notes: Notes) -> None:
    """`mend_tail` for a file nobody holds. One that may not be written is left as it is."""
    with contextlib.suppress(OSError), appending(path) as file:
        mend_tail(file, path, notes)
