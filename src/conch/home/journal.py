"""An append-only journal: an entry is on disk when `append` returns, and reads back as it was.

One entry is one line of JSON whose first field, `sum`, is a checksum of the rest of the line. A
torn tail was never acknowledged: it is set aside and said. A line in the middle that does not fit
its checksum is passed over and said, never guessed (design.md, promise 7).
"""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from conch.home.files import appending
from conch.home.json_values import read_json
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
        self._using = threading.Lock()
        self._number = 0
        self._read_to = 0
        # Of each entry read: its seq, and the byte its line starts at.
        self._seqs: list[int] = []
        self._starts: list[int] = []

    def append(self, kind: str, data: dict[str, Any]) -> int:
        """Append an entry; it is on disk when this returns. Gives its `seq`.

        Raises OSError when the disk refuses: the journal is then as it was.
        """
        with self._using, appending(self.path) as file:
            mend_tail(file, self.path, self._notes)
            if file.number != self._number or file.size < self._read_to:
                self._start_over(file.number)
            if file.size > self._read_to:
                self._take(file.read(self._read_to).split(b"\n")[:-1])
            seq = self._last_seq + 1
            at = self._notes.clock.now()
            line = _written({"seq": seq, "at": at.isoformat(), "kind": kind, "data": data})
            file.append(line)
            self._take([line[:-1]])
        return seq

    def entries(self, after: int = 0) -> list[Entry]:
        """Every entry with a `seq` above `after`, in order; those of other processes included."""
        with self._using:
            number, size = self._on_disk()
            if number != self._number or size < self._read_to:
                self._start_over(number)
            lines, _, torn = read_lines(self.path, self._read_to)
            if torn:
                mend_tail_of(self.path, self._notes)
                lines, _, _ = read_lines(self.path, self._read_to)
            self._take(lines)
            place = bisect_right(self._seqs, after)
            if place == len(self._seqs):
                return []
            lines, _, _ = read_lines(self.path, self._starts[place])
            entries: list[Entry] = []
            for line in lines:
                entry = _entry(line)
                if entry is not None and entry.seq > after:
                    entries.append(entry)
                    after = entry.seq
            return entries

    @property
    def _last_seq(self) -> int:
        return self._seqs[-1] if self._seqs else 0

    def _on_disk(self) -> tuple[int, int]:
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return 0, 0
        return stat.st_ino, stat.st_size

    def _start_over(self, number: int) -> None:
        """Another file is at the path, or a shorter one: what was known of it no longer holds."""
        self._number, self._read_to = number, 0
        self._seqs, self._starts = [], []

    def _take(self, lines: list[bytes]) -> None:
        for line in lines:
            entry = _entry(line)
            if entry is not None and entry.seq > self._last_seq:
                self._seqs.append(entry.seq)
                self._starts.append(self._read_to)
            else:
                self._notes.say(
                    f"A line of {self.path.name} after entry {self._last_seq} is damaged and was "
                    "passed over. All other lines are kept, and the file is as it was.",
                    where=str(self.path),
                )
            self._read_to += len(line) + 1


def _sum(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:_SUM_LENGTH].encode()


def _written(value: dict[str, Any]) -> bytes:
    rest = json_line(value).encode()[1:]
    return _HEAD + _sum(rest) + _AFTER_SUM + rest + b"\n"


def _entry(line: bytes) -> Entry | None:
    """The entry of a line, None when the line is not one that was written whole."""
    end = len(_HEAD) + _SUM_LENGTH
    rest = line[end + len(_AFTER_SUM) :]
    if line != _HEAD + _sum(rest) + _AFTER_SUM + rest:
        return None
    try:
        raw = read_json(b"{" + rest)
        at = datetime.fromisoformat(raw["at"])
        return Entry(int(raw["seq"]), at, str(raw["kind"]), dict(raw["data"]))
    except (ValueError, TypeError, KeyError):
        return None
