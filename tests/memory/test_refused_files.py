"""Memory files the disk will not let be read or written: nothing else suffers, nothing is lost."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from conch.home import files
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.sealed import is_sealed
from memory.conftest import MakeMemory

READ, WRITE = files.read_bytes, files.write_atomic

Refuse = Callable[[str], None]


@pytest.fixture
def unreadable(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Makes the disk refuse to read the files of this name ("": none)."""

    def refuse(name: str) -> None:
        def read(path: Path) -> bytes:
            if path.name == name:
                raise OSError(errno.EIO, "Input/output error", str(path))
            return READ(path)

        monkeypatch.setattr(files, "read_bytes", read)

    return refuse


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Makes the disk full, or not any more."""

    def full(now: bool) -> None:
        def write(path: Path, data: bytes, mode: int = 0o600) -> None:
            if now:
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            WRITE(path, data, mode)

        monkeypatch.setattr(files, "write_atomic", write)

    return full


def notes(home: Home) -> str:
    return " ".join(note.text for note in home.notes.recent())


def edited(home: Home, name: str, words: str) -> bytes:
    path = home.memory / name
    path.write_text(path.read_text().rpartition("---\n")[0] + f"---\n{words}\n")
    return path.read_bytes()


def test_one_that_cannot_be_read_is_left_out_and_the_others_are_used(
    home: Home, memories: Memories, put: MakeMemory, unreadable: Refuse
) -> None:
    put("m_1", "Lives in Berlin")
    put("m_2", "Drinks tea")
    changed = edited(home, "m_1.md", "Lives in Lisbon")
    unreadable("m_1.md")
    assert [memory.text for memory in memories.usable()] == ["Drinks tea"]
    assert not memories.refresh()
    assert "m_1.md could not be read (Input/output error). It is left out until" in notes(home)
    unreadable("")
    assert (home.memory / "m_1.md").read_bytes() == changed
    assert [memory.text for memory in memories.usable()] == ["Lives in Lisbon", "Drinks tea"]


def test_nothing_is_written_over_one_that_cannot_be_read(
    home: Home, memories: Memories, put: MakeMemory, unreadable: Refuse
) -> None:
    put("m_1", "Lives in Berlin")
    planned = memories.raw("m_1")
    changed = edited(home, "m_1.md", "Lives in Lisbon")
    unreadable("m_1.md")
    with pytest.raises(OSError, match="Input/output error"):
        memories.write_planned("m_1", planned)
    assert (home.memory / "m_1.md").read_bytes() == changed


def test_a_copy_that_cannot_be_read_is_left_out_until_it_can_be(
    home: Home, memories: Memories, put: MakeMemory, unreadable: Refuse
) -> None:
    created = put("m_1", "Lives in Berlin").created
    memories.retire("m_1", created, "m_2")
    unreadable("m_1.md")
    others = Memories(home, home.clock)
    assert others.earlier() == []
    assert not others.refresh()
    assert "The earlier memory m_1.md could not be read: Input/output error" in notes(home)
    unreadable("")
    assert [memory.text for memory in others.earlier()] == ["Lives in Berlin"]


def test_a_hand_edit_counts_though_the_disk_is_full_and_is_sealed_later(
    home: Home, memories: Memories, put: MakeMemory, full: Callable[[bool], None]
) -> None:
    put("m_1", "Lives in Berlin")
    edited(home, "m_1.md", "Lives in Lisbon")
    (home.memory / "tea.md").write_text("Drinks tea\n")
    full(True)
    assert sorted(memory.text for memory in memories.usable()) == ["Drinks tea", "Lives in Lisbon"]
    ids = {memory.id for memory in memories.usable()}
    assert {memory.id for memory in memories.usable()} == ids
    assert "It counts all the same, and Conch tries again" in notes(home)
    full(False)
    assert {memory.id for memory in memories.usable()} == ids
    for name in ("m_1.md", "tea.md"):
        assert is_sealed((home.memory / name).read_bytes(), home.seal)


def test_what_is_changed_again_before_it_is_sealed_keeps_the_newer_words(
    home: Home, memories: Memories, put: MakeMemory, full: Callable[[bool], None]
) -> None:
    put("m_1", "Lives in Berlin")
    edited(home, "m_1.md", "Lives in Lisbon")
    full(True)
    assert [memory.text for memory in memories.usable()] == ["Lives in Lisbon"]
    edited(home, "m_1.md", "Lives in Porto, by the river")
    full(False)
    assert [memory.text for memory in memories.usable()] == ["Lives in Porto, by the river"]
    assert b"Porto" in (home.memory / "m_1.md").read_bytes()


def test_a_secret_typed_into_a_file_is_held_though_the_disk_is_full(
    home: Home, memories: Memories, put: MakeMemory, full: Callable[[bool], None]
) -> None:
    put("m_1", "Lives in Berlin")
    edited(home, "m_1.md", "The router password is hunter2-correct-horse")
    full(True)
    assert memories.usable() == []
