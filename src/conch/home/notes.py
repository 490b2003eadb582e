"""Notes in plain language: what Conch fixed by itself, set aside or could not do."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from conch.home.clock import Clock, in_utc
from conch.home.files import append_line
from conch.home.json_values import read_json

_LOOK_BACK = 262_144
_A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Note:
    """One note: when (UTC), what in a person's words, and which file or part it is about."""

    at: datetime
    text: str
    where: str = ""


class Notes:
    """The notes of one home, a line each in one file. Saying one never fails."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self.clock = clock
        self._said: dict[tuple[str, str], datetime] | None = None

    def say(self, text: str, where: str = "") -> None:
        """Leave a note. The very same note is left once a day, however often it is met.

        A disk that refuses the note is no reason to fail at what is being done.
        """
        if self._said is None:
            recent = reversed(self.recent(200))
            self._said = {(note.text, note.where): note.at for note in recent}
        now = self.clock.now()
        before = self._said.get((text, where))
        if before is not None and abs(now - before) < _A_DAY:
            return
        self._said[text, where] = now
        line = json.dumps({"at": now.isoformat(), "text": text, "where": where})
        with contextlib.suppress(OSError):
            append_line(self.path, line.encode() + b"\n")

    def recent(self, limit: int = 20) -> list[Note]:
        """The last `limit` notes, newest first. A line that cannot be read is passed over."""
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - _LOOK_BACK))
                lines = file.read().split(b"\n")
        except OSError:
            return []
        notes = [note for line in reversed(lines) if (note := _note(line)) is not None]
        return notes[:limit]


def _note(line: bytes) -> Note | None:
    try:
        raw = read_json(line)
        return Note(
            in_utc(datetime.fromisoformat(raw["at"])), str(raw["text"]), str(raw.get("where", ""))
        )
    except (ValueError, TypeError, KeyError):
        return None
