"""Examining a home: every store, log, memory and journal, read without changing a byte."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from conch.care.contents import KEPT
from conch.care.findings import Finding
from conch.home.home import Home
from conch.home.json_values import read_json
from conch.home.lines import read_lines
from conch.memory.document import LONGEST_FILE, Unreadable
from conch.memory.reading import stamps
from conch.memory.sealed import from_bytes

_ROOM_AT_LEAST = 500 << 20
_STORES = (
    *sorted(name for name in KEPT if name.endswith(".json")),
    "learning/never.json",
    "plan-room.json",
    "backup.json",
    "apps.json",
)


def examine(home: Home, promises: Callable[[Path], Sequence[str]]) -> list[Finding]:
    """Everything about the files of a home, what is wrong first in each part.

    `promises` gives the broken promises of a home at rest. Nothing is changed. Raises OSError when
    the home itself can't be read.
    """
    return [
        *_disk(home),
        *_rights(home),
        *_stores(home),
        *_chats(home),
        *_memories(home),
        *_record(home, promises),
        *_index(home),
    ]


def _disk(home: Home) -> Iterator[Finding]:
    free = shutil.disk_usage(home.root).free
    if free < _ROOM_AT_LEAST:
        yield Finding(
            "disk",
            "yours",
            f"Only {free >> 20} MB are free on this disk.",
            "Make room: what doesn't fit is not saved.",
        )
    else:
        yield Finding("disk", "good", f"{free / (1 << 30):.0f} GB are free.")


def _rights(home: Home) -> Iterator[Finding]:
    """Whether others on this computer can read what only the person should."""
    open_to_others = [
        path
        for path in (home.root, home.keys, *_inside(home.keys))
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    for path in open_to_others:
        yield Finding("keys", "mend", f"Others on this computer can open {path.name}.")
    if not open_to_others:
        yield Finding("keys", "good", "Only you can open your home and its keys.")


def _stores(home: Home) -> Iterator[Finding]:
    damaged = [name for name in _STORES if _is_damaged(home.root / name)]
    for name in damaged:
        yield Finding("settings", "mend", f"{name} can't be read.", path=name)
    if not damaged:
        yield Finding("settings", "good", "Settings and lists can be read.")


def _is_damaged(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        try:
            return not isinstance(read_json(path.read_bytes()), dict)
        except ValueError:
            return True
    return False


def _chats(home: Home) -> Iterator[Finding]:
    count = 0
    wrong: list[Finding] = []
    for log in sorted(home.chats.glob("*/log.jsonl")):
        count += 1
        lines, _, torn = read_lines(log)
        bad = sum(1 for line in lines if not _is_event(line))
        if bad:
            said = f"{bad} of {len(lines)} lines of the chat {log.parent.name} can't be read."
            wrong.append(Finding("chats", "yours", said, "The others are used."))
        if torn:
            wrong.append(
                Finding("chats", "mend", f"The last line of the chat {log.parent.name} is cut off.")
            )
    yield from wrong
    if not wrong:
        yield Finding("chats", "good", f"{_counted(count, 'chat')}, every line of them whole.")


def _is_event(line: bytes) -> bool:
    try:
        event = read_json(line)
    except ValueError:
        return False
    return isinstance(event, dict) and isinstance(event.get("type"), str)


def _memories(home: Home) -> Iterator[Finding]:
    count = waiting = held = 0
    wrong: list[Finding] = []
    for folder in (home.memory, home.superseded):
        for name, (_, size, _) in sorted(stamps(folder).items()):
            path = folder / name
            try:
                if size > LONGEST_FILE:
                    raise Unreadable("it is longer than a memory can be")
                memory = from_bytes(path.read_bytes())
            except Unreadable as reason:
                state = "mend" if folder == home.memory else "yours"
                said = f"The memory file {path.name} can't be read: {reason}."
                wrong.append(Finding("memories", state, said, "Open it and set it right."))
                continue
            count += folder == home.memory
            waiting += bool(memory.waits)
            held += memory.held is not None
    if waiting:
        said = f"{_counted(waiting, 'memory')} {'waits' if waiting == 1 else 'wait'} for you."
        wrong.append(Finding("memories", "yours", said, "conch keep"))
    if held:
        said = f"{_counted(held, 'memory')} {'is' if held == 1 else 'are'} held and not used."
        wrong.append(Finding("memories", "yours", said, "conch memory list"))
    yield from wrong
    if not wrong:
        yield Finding("memories", "good", f"{_counted(count, 'memory')}, all readable.")


def _record(home: Home, promises: Callable[[Path], Sequence[str]]) -> Iterator[Finding]:
    # What can't be read is said with its part.
    broken = [said for said in promises(home.root) if "can't be read" not in said]
    for said in broken:
        yield Finding("record", "mend", said)
    if not broken:
        yield Finding("record", "good", "What was learned, its memories and its lines agree.")


def _index(home: Home) -> Iterator[Finding]:
    if not home.index_file.exists():
        yield Finding("index", "good", "The index is made when it is needed.")
        return
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{home.index_file}?mode=ro", uri=True, timeout=5)
        ) as db:
            (said,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        said = str(error)
    if said == "ok":
        yield Finding("index", "good", "The index is whole.")
    else:
        yield Finding("index", "mend", "The index is damaged; it is made again from the files.")


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _counted(count: int, one: str) -> str:
    more = {"chat": "chats", "memory": "memories"}[one]
    return f"1 {one}" if count == 1 else f"{count} {more}"
