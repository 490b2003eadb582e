"""Bringing in the chats of other assistants: `conch bring PATH`.

Nothing in a file is run or followed: it is read, told in Conch's events, and written to logs.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import IO

from conch.chats.chats import Chats
from conch.chats.events import Event
from conch.doors.bring.brought import Aside, Brought, BroughtChat
from conch.doors.bring.claude_code import is_subagent_file
from conch.doors.bring.files import Source, counted, sources_in
from conch.doors.bring.into_chats import IntoChats
from conch.doors.bring.ledger import Ledger
from conch.doors.bring.recognise import Format, recognised
from conch.home.errors import ConchError
from conch.home.notes import Notes

OnProgress = Callable[[int, int], None]
"""Told how many bytes were read, of how many."""

_TOLD_EVERY = 256 * 1024
# What reading a damaged, encrypted or vanished file or zip entry raises.
_UNREADABLE = (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError)


def bring(
    path: Path,
    chats: Chats,
    ledger_path: Path,
    notes: Notes,
    on_progress: OnProgress | None = None,
    here: str = "",
) -> Brought:
    """Bring in the chats at `path`: a file, a folder, or a zip, read in place.

    The same file again brings only what is new. What could not be read is left out, counted and
    said in `notes`. `here` is this computer's name: a chat whose folder is here is said to have
    run here. Raises ConchError when there is nothing at `path` that can be brought in.
    """
    try:
        sources = list(sources_in(path))
    except _UNREADABLE as error:
        raise ConchError(
            _why_unread(path, error),
            "Nothing was brought in.",
            "See whether the path is right and the file is whole.",
        ) from error
    ledger = Ledger(ledger_path, notes)
    into = IntoChats(chats, ledger, here)
    progress = _Progress(sum(source.size for source in sources), on_progress)
    formats: dict[str, None] = {}
    not_read: dict[str, list[str]] = {}
    set_aside = 0
    said = False

    def say(text: str) -> None:
        nonlocal said
        if ledger.is_first(text):
            notes.say(text, where=str(path))
            said = True

    try:
        for source in sources:
            found = _recognised(source)
            if found is not None and found.read is None:
                not_read.setdefault(found.called, []).append(source.name)
            elif found is not None and not is_subagent_file(source):
                formats[found.name] = None
                aside = Aside()
                undated = into.written.undated
                _bring_source(progress.watched(source), found, into, aside, notes.clock.now())
                if into.written.undated > undated:
                    say(
                        f"The chats in {source.name} carry no dates; the file's date was taken for "
                        "when they were said."
                    )
                if aside.count:
                    set_aside += aside.count
                    say(
                        f"Bringing in {source.name}: {aside.said()} could not be read and was left "
                        "out. The file is as it was, and all else in it was brought in."
                    )
            progress.past(source)
    finally:
        ledger.flush()
    sentences = tuple(_not_read(called, names) for called, names in not_read.items())
    if not formats:
        raise _nothing(path, sentences)
    for sentence in sentences:
        say(sentence)
    written = into.written
    return Brought(
        chats_new=written.chats_new,
        chats_grown=written.chats_grown,
        messages=written.messages,
        steps=written.steps,
        taints=written.taints,
        set_aside=set_aside,
        format=", ".join(formats),
        not_read=sentences,
        undated=written.undated,
        nothing_new=not (said or written.chats_new or written.chats_grown),
    )


def read_chats(source: Source, aside: Aside) -> Iterator[BroughtChat]:
    """The chats of one file, told from its contents whose it is; none when it is not known."""
    found = recognised(source)
    if found is not None and found.read is not None:
        yield from found.read(source, aside)


def _bring_source(
    source: Source, found: Format, into: IntoChats, aside: Aside, now: datetime
) -> None:
    assert found.read is not None
    modified = min(source.modified, now) if source.modified else None
    chats = found.read(source, aside)
    while True:
        # Only reading is guarded: a disk that refuses to be written to is the caller's to know.
        try:
            chat = next(chats, None)
        except _UNREADABLE:
            aside.add("the rest of a file that cannot be read")
            return
        if chat is None:
            return
        into.take(replace(chat, events=_guarded(chat, aside)), modified)


def _guarded(chat: BroughtChat, aside: Aside) -> Iterator[Event]:
    events = iter(chat.events)
    while True:
        try:
            event = next(events, None)
        except _UNREADABLE:
            aside.add("the rest of a file that cannot be read")
            return
        if event is None:
            return
        yield event


def _recognised(source: Source) -> Format | None:
    try:
        return recognised(source)
    except _UNREADABLE:
        return None


def _not_read(called: str, names: list[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]}{more}: {called}, which Conch does not read yet. It was left as it is."


def _why_unread(path: Path, error: Exception) -> str:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return f"There is nothing at {path}."
        case PermissionError():
            return f"{path} may not be read by you."
        case zipfile.BadZipFile() | zlib.error() | EOFError():
            return f"{path} is a damaged zip."
    return f"{path} cannot be read."


def _nothing(path: Path, not_read: tuple[str, ...]) -> ConchError:
    if not_read:
        return ConchError(" ".join(not_read), "Nothing was brought in.")
    return ConchError(
        f"There are no chats that Conch knows at {path}.",
        "Nothing was brought in.",
        "docs/bring.md lists what it reads, and a plain form any chat can be written in.",
    )


class _Progress:
    def __init__(self, total: int, on_progress: OnProgress | None) -> None:
        self._total = total
        self._on_progress = on_progress
        self._before = 0
        self._told = 0

    def watched(self, source: Source) -> Source:
        """The source, with what is read of it told."""
        read = 0

        def seen(count: int) -> None:
            nonlocal read
            read += count
            self._tell(self._before + min(read, source.size))

        def begin() -> IO[bytes]:
            return counted(source.begin(), seen)

        return replace(source, begin=begin)

    def past(self, source: Source) -> None:
        """A source was dealt with."""
        self._before += source.size
        self._tell(self._before, always=self._before >= self._total)

    def _tell(self, done: int, always: bool = False) -> None:
        if self._on_progress and (always or done - self._told >= _TOLD_EVERY):
            self._told = done
            self._on_progress(done, self._total)
