"""A chat's log: one file that only grows, one event a line; it is the truth about the chat."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable
from pathlib import Path

from conch.chats.events import Event, QuietMark
from conch.chats.lines import (
    Redacts,
    may_be_quiet_mark,
    read_events,
    redacted,
    seq_after,
    written,
)
from conch.home.clock import Clock, in_utc
from conch.home.errors import ConchError
from conch.home.files import Appending, appending, read_bytes
from conch.home.lines import last_line, mend_tail, read_lines
from conch.home.notes import Notes


class ChatLog:
    """The log at `path`. Several may be open on one file, in one process or many."""

    def __init__(self, path: Path, redactor: Redacts, notes: Notes, clock: Clock) -> None:
        self.path = path
        self._redactor = redactor
        self._notes = notes
        self._clock = clock
        self._using = threading.Lock()
        self._number = 0
        self._size = 0
        self._last_seq = 0

    @property
    def last_seq(self) -> int:
        """The seq of the last event, 0 for an empty log."""
        if not self.path.exists():
            return 0
        with self._using, appending(self.path) as file:
            self._catch_up(file)
            return self._last_seq

    def append(self, event: Event) -> Event:
        """Append an event, redacted; it is on disk when this returns.

        Gives the event as it was written: with its `seq`, and with `at` (now, unless it has one).
        Raises OSError when the disk refuses (the log is then as it was), and ConchError when the
        chat was deleted meanwhile.
        """
        return self.extend([event])[0]

    def extend(self, events: Iterable[Event]) -> list[Event]:
        """`append` for many events at once: the disk is waited for once."""
        if self._size and not self.path.exists():
            raise ConchError("This chat was deleted.", do="Start a new one.")
        clean = [redacted(event, self._redactor) for event in events]
        if not clean:
            return []
        with self._using, appending(self.path) as file:
            self._catch_up(file)
            now = self._clock.now()
            numbered = [
                event.model_copy(update={"seq": seq, "at": in_utc(event.at or now)})
                for seq, event in enumerate(clean, start=self._last_seq + 1)
            ]
            file.append(b"".join(written(event) for event in numbered))
            self._size, self._last_seq = file.size, numbered[-1].seq
        return numbered

    def events(self, after: int = 0, before: int | None = None) -> list[Event]:
        """The events with `after` < seq < `before`, in order. A torn last line is set aside."""
        lines, end, torn = read_lines(self.path)
        if torn:
            self.mend()
            lines, end, torn = read_lines(self.path)
        found = read_events(lines, after=after, before=before)
        if torn and before is None and may_be_quiet_mark(read_bytes(self.path)[end:]):
            # The log may not be written now; what may be a mark counts all the same.
            found.append(QuietMark(seq=found[-1].seq + 1 if found else after + 1, on=True))
        return found

    def mend(self) -> None:
        """Set a torn last line aside. A log that may not be written is left as it is."""
        with contextlib.suppress(OSError), self._using, appending(self.path) as file:
            self._catch_up(file)

    def _catch_up(self, file: Appending) -> None:
        """Know the last seq without reading more than what others appended meanwhile."""
        torn = mend_tail(file, self.path, self._notes)
        if torn and file.size and may_be_quiet_mark(torn):
            self._mark_quiet(file)
        size = file.size
        if (file.number, size) != (self._number, self._size):
            self._last_seq = self._last_seq_of(file) if size else 0
        self._number, self._size = file.number, size

    def _mark_quiet(self, file: Appending) -> None:
        """What was cut off may have been the person's "Don't learn from this chat": it counts."""
        seq = self._last_seq_of(file) + 1
        file.append(written(QuietMark(seq=seq, at=in_utc(self._clock.now()), on=True)))
        self._notes.say(
            "What was cut off may have been Don't learn from this chat: so nothing is learned from "
            "it, until you choose otherwise in the chat.",
            where=str(self.path),
        )

    def _last_seq_of(self, file: Appending) -> int:
        last = seq_after(last_line(file), 0)
        if last > 1 or file.size < 2:
            return last
        # The last line is the first, or damaged: only then are all of them counted.
        seq = 0
        for line in file.read(0).split(b"\n")[:-1]:
            seq = seq_after(line, seq)
        return seq
