"""The lines of a JSONL file as objects, one at a time, whatever the file holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from conch.doors.bring.brought import Aside
from conch.home.json_values import read_json

LONGEST_LINE = 64 * 1024 * 1024
"""A longer line is left out, so that a file without line ends cannot fill the memory."""
_PIECE = 1024 * 1024

NOT_JSON = "a line that is no JSON (cut off or damaged)"
NO_OBJECT = "a line that is no JSON object"
TOO_LONG = "a line longer than 64 MB"


def objects(file: IO[bytes], aside: Aside, longest: int = LONGEST_LINE) -> Iterator[dict[str, Any]]:
    """Every line that is a JSON object, in order; every other line is set aside."""
    for line in _lines(file, aside, longest):
        try:
            value = read_json(line)
        except ValueError:
            aside.add(NOT_JSON)
            continue
        if isinstance(value, dict):
            yield value
        else:
            aside.add(NO_OBJECT)


def _lines(file: IO[bytes], aside: Aside, longest: int) -> Iterator[bytes]:
    first = True
    while line := file.readline(longest + 1):
        if len(line) > longest and not line.endswith(b"\n"):
            while (more := file.readline(_PIECE)) and not more.endswith(b"\n"):
                pass
            aside.add(TOO_LONG)
            continue
        if first:
            line, first = line.removeprefix(b"\xef\xbb\xbf"), False
        if line.strip():
            yield line


def sessions(
    lines: Iterator[dict[str, Any]], begins: Callable[[dict[str, Any]], bool]
) -> Iterator[Iterator[dict[str, Any]]]:
    """The lines of one session after the other; a session begins at a line that `begins` one.

    A session that was not read to its end is read on before the next one is given.
    """
    held: list[dict[str, Any]] = []

    def one() -> Iterator[dict[str, Any]]:
        yield held.pop()
        for line in lines:
            if begins(line):
                held.append(line)
                return
            yield line

    first = next(lines, None)
    if first is not None:
        held.append(first)
    while held:
        session = one()
        yield session
        for _ in session:
            pass
