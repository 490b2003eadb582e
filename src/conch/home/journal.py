"""An append-only journal: an entry is on disk when `append` returns, and reads back as it was.

One entry is one line of JSON whose first field, `sum`, is a checksum of the rest of the line. A
torn tail was never acknowledged: it is set aside and said. A line in the middle that does not fit
its checksum is passed over and said, never guessed (design.md, promise 7).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from conch.home.files import Appending, appending
from conch.home.lines import json_line, mend_tail, mend_tail_of, read_lines
from conch.home.notes import Notes

_SUM_LENGTH = 16
_HEAD = b'{"sum":"'
_AFTER_SUM = b'",'


@dataclass(frozen=True)
class Entry:
    """One entry. `seq` counts up from 1; `at` is UTC; `data` is plain JSON values."""

    seq: int
    at: datetime
    kind: str
    data: dict[str, Any]


class Journal:
    """The journal at `path`. Several may be open on one file, in one process or many."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self.path = path
        self._notes = notes
        self._entries: list[Entry] = []
        self._read_to = 0

    def append(self, kind: str, data: dict[str, Any]) -> int:
        """Append an entry; it is on disk when this returns. Gives its `seq`.

        Raises OSError when the disk refuses: the journal is then as it was.
        """
        with appending(self.path) as file:
            mend_tail(file, self.path, self._notes)
            self._catch_up(file)
            seq = self._entries[-1].seq + 1 if self._entries else 1
            at = self._notes.clock.now()
            line = _written({"seq": seq, "at": at.isoformat(), "kind": kind, "data": data})
            file.append(line)
            entry = _entry(line[:-1])
            if entry is not None:
                self._entries.append(entry)
            self._read_to = file.size
        return seq

    def entries(self, after: int = 0) -> list[Entry]:
        """Every entry with a `seq` above `after`, in order; those of other processes included."""
        lines, end, torn = read_lines(self.path, self._read_to)
        if torn:
            mend_tail_of(self.path, self._notes)
            lines, end, _ = read_lines(self.path, self._read_to)
        if not lines and self._read_to and self._shrank():
            self._entries, self._read_to = [], 0
            lines, end, _ = read_lines(self.path)
        self._take(lines)
        self._read_to = end
        first = len(self._entries)
        while first > 0 and self._entries[first - 1].seq > after:
            first -= 1
        return self._entries[first:]

    def _catch_up(self, file: Appending) -> None:
        """Take in what others appended since this journal last looked."""
        if file.size < self._read_to:
            self._entries, self._read_to = [], 0
        if file.size > self._read_to:
            self._take(file.read(self._read_to).split(b"\n")[:-1])
            self._read_to = file.size

    def _take(self, lines: list[bytes]) -> None:
        for line in lines:
            entry = _entry(line)
            last = self._entries[-1].seq if self._entries else 0
            if entry is not None and entry.seq > last:
                self._entries.append(entry)
            else:
                self._notes.say(
                    f"A line of {self.path.name} after entry {last} is damaged and was passed "
                    "over. All other lines are kept, and the file is as it was.",
                    where=str(self.path),
                )

    def _shrank(self) -> bool:
        try:
            return self.path.stat().st_size < self._read_to
        except FileNotFoundError:
            return True


def _sum(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:_SUM_LENGTH].encode()


def _written(value: dict[str, Any]) -> bytes:
    rest = json_line(value).encode()[1:]
    return _HEAD + _sum(rest) + _AFTER_SUM + rest + b"\n"


def _entry(line: bytes) -> Entry | None:
    """The entry of a line, None when the line is not one that was written whole."""
    start = len(_HEAD)
    end = start + _SUM_LENGTH
    rest = line[end + len(_AFTER_SUM) :]
    if line[:start] != _HEAD or line[start:end] != _sum(rest):
        return None
    try:
        raw = json.loads(b"{" + rest)
        at = datetime.fromisoformat(raw["at"])
        return Entry(int(raw["seq"]), at, str(raw["kind"]), dict(raw["data"]))
    except (ValueError, TypeError, KeyError):
        return None
