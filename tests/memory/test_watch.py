"""Hand edits are picked up while Conch runs, without anybody asking."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from conch.home import files
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.sealed import is_sealed
from memory.conftest import MakeMemory


def saved(path: Path, words: str, home: Home, *, again: bool = False) -> None:
    """Save `words` as a person would, and wait until Conch has sealed them.

    `again`: save once more every few seconds, for a watcher that is only just starting.
    """
    end = time.monotonic() + 60
    while time.monotonic() < end:
        path.write_text(words)
        pause = time.monotonic() + (3 if again else 60)
        while time.monotonic() < pause:
            if is_sealed(path.read_bytes(), home.seal):
                return
            time.sleep(0.05)
    raise AssertionError(f"{path.name} was not picked up")


async def test_a_changed_and_a_new_file_are_read_as_they_are_saved(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put()
    watching = asyncio.create_task(memories.watch())
    try:
        text = "---\nid: m_1\n---\nLives in Lisbon\n"
        await asyncio.to_thread(saved, home.memory / "m_1.md", text, home, again=True)
        await asyncio.to_thread(saved, home.memory / "tea.md", "Drinks tea\n", home)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert {memory.text for memory in memories.usable()} == {"Lives in Lisbon", "Drinks tea"}


async def test_what_is_saved_before_the_system_begins_to_tell_is_picked_up(
    home: Home, memories: Memories, put: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    begun = watchfiles.awatch

    async def late(*given: Any, **more: Any) -> AsyncIterator[object]:
        (home.memory / "tea.md").write_text("Drinks tea\n")
        async for changes in begun(*given, **more):
            yield changes

    monkeypatch.setattr(watchfiles, "awatch", late)
    put()
    watching = asyncio.create_task(memories.watch(look_seconds=0.2))
    tea = home.memory / "tea.md"
    await until(lambda: tea.exists() and is_sealed(tea.read_bytes(), home.seal))
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


def notes(home: Home) -> str:
    return " ".join(note.text for note in home.notes.recent())


@pytest.fixture
async def told(home: Home, memories: Memories) -> AsyncIterator[list[list[str]]]:
    """What was there each time the watch told of a change."""
    told: list[list[str]] = []

    def tell() -> None:
        told.append([memory.text for memory in memories.usable()])

    watching = asyncio.create_task(memories.watch(tell, look_seconds=0.2))
    await until(lambda: bool(told))
    yield told
    assert not watching.done()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


@pytest.mark.parametrize("how", ["removed and made again", "moved away and back", "another"])
async def test_a_folder_that_is_taken_away_and_comes_again_is_watched_again(
    home: Home, memories: Memories, put: MakeMemory, told: list[list[str]], how: str
) -> None:
    put()
    await until(lambda: told[-1] == ["Lives in Berlin"])
    away = home.root / "away"
    if how == "another":
        away.mkdir()
        (away / "tea.md").write_text("Drinks tea\n")
        home.memory.rename(home.root / "old")
        away.rename(home.memory)
    else:
        home.memory.rename(away)
        await until(lambda: told[-1] == [])
        assert not home.memory.exists()
        await until(lambda: "The memory folder is gone" in notes(home))
        if how == "moved away and back":
            away.rename(home.memory)
            await until(lambda: told[-1] == ["Lives in Berlin"])
        else:
            home.memory.mkdir()
        (home.memory / "tea.md").write_text("Drinks tea\n")
    await until(lambda: "Drinks tea" in told[-1])
    (home.memory / "cat.md").write_text("Has a cat\n")
    await until(lambda: "Has a cat" in told[-1])


async def test_where_there_is_no_folder_yet_none_is_made_and_the_first_file_is_seen(
    home: Home, told: list[list[str]]
) -> None:
    assert not home.memory.exists()
    assert notes(home) == ""
    home.memory.mkdir()
    (home.memory / "tea.md").write_text("Drinks tea\n")
    await until(lambda: told[-1] == ["Drinks tea"])


async def test_where_the_system_does_not_tell_conch_looks_by_itself(
    home: Home, put: MakeMemory, monkeypatch: pytest.MonkeyPatch, told: list[list[str]]
) -> None:
    import watchfiles

    def none_left(*_: object, **__: object) -> object:
        raise OSError(28, "OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "awatch", none_left)
    put()
    await until(lambda: told[-1] == ["Lives in Berlin"])
    (home.memory / "m_1.md").rename(home.memory / "b.md")
    home.memory.rename(home.root / "away")
    (home.root / "away").rename(home.memory)
    (home.memory / "tea.md").write_text("Drinks tea\n")
    await until(lambda: "Drinks tea" in told[-1])


async def test_an_error_is_said_and_the_watch_goes_on(
    home: Home, memories: Memories, put: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    put()
    failing = [OSError(5, "Input/output error"), ValueError("what nobody foresaw")]
    told: list[list[str]] = []

    def tell() -> None:
        if failing:
            raise failing.pop()
        told.append([memory.text for memory in memories.usable()])

    watching = asyncio.create_task(memories.watch(tell, look_seconds=0.2))
    try:
        number = 0
        while not told:
            number += 1
            (home.memory / "tea.md").write_text(f"Drinks tea {number}\n")
            await asyncio.sleep(0.5)
        assert not watching.done()
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert "Input/output error" in notes(home)
    assert "what nobody foresaw" in notes(home)
    assert any(text.startswith("Drinks tea") for text in told[-1])


async def test_a_bad_file_is_said_and_what_comes_after_it_is_read(
    home: Home, told: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = files.read_bytes

    def cannot_be_read(path: Path) -> bytes:
        if path.name == "broken.md":
            raise OSError(5, "Input/output error")
        return read(path)

    monkeypatch.setattr(files, "read_bytes", cannot_be_read)
    home.memory.mkdir()
    (home.memory / "broken.md").write_text("Has a dog\n")
    (home.memory / "bad.md").write_bytes(b"---\nid: [\n---\n\xff\xfe")
    (home.memory / "tea.md").write_text("Drinks tea\n")
    await until(lambda: told[-1] == ["Drinks tea"])
    assert "broken.md could not be read (Input/output error). It is left out" in notes(home)
    assert "bad.md" in notes(home)
    monkeypatch.undo()
    (home.memory / "cat.md").write_text("Has a cat\n")
    await until(lambda: sorted(told[-1]) == ["Drinks tea", "Has a cat", "Has a dog"])
