"""A person copies a memory's file, or writes the same thing twice: it is used once, and said."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.memory import words_hash
from memory.conftest import START, MakeMemory


def copied(home: Home, name: str = "m_1 copy.md", memory_id: str = "m_1") -> Path:
    path = home.memory / name
    shutil.copy(home.memory / f"{memory_id}.md", path)
    return path


def notes(home: Home) -> str:
    return " ".join(note.text for note in home.notes.recent())


def test_a_mere_copy_is_left_out_where_it_is_and_said(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put()
    copy = copied(home)
    before = copy.read_bytes()
    assert [memory.id for memory in memories.all()] == ["m_1"]
    assert memories.section().text.count("Lives in Berlin") == 1
    assert copy.read_bytes() == before
    assert "m_1 copy.md is a copy of m_1.md, so it is left out" in notes(home)
    assert memories.refresh() is False


@pytest.mark.parametrize("restart", [False, True], ids=["at once", "after a restart"])
def test_a_copy_with_other_words_is_a_memory_of_the_persons_own(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory, restart: bool
) -> None:
    put()
    copy = copied(home)
    if not restart:
        memories.refresh()
    copy.write_text(copy.read_text().replace("Lives in Berlin", "Works in Potsdam"))
    if restart:
        memories = Memories(home, clock)
    one, other = sorted(memories.usable(), key=lambda memory: memory.text)
    assert (one.id, one.source, one.text) == ("m_1", "learning", "Lives in Berlin")
    assert (other.source, other.text) == ("you", "Works in Potsdam")
    assert other.id != "m_1"


@pytest.mark.parametrize("edit", ["by hand", "by command"])
@pytest.mark.parametrize("restart", [False, True], ids=["at once", "after a restart"])
def test_a_copy_made_before_an_edit_stays_a_copy(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory, edit: str, restart: bool
) -> None:
    put()
    copied(home)
    memories.refresh()
    path = home.memory / "m_1.md"
    if edit == "by hand":
        path.write_text(path.read_text().replace("Berlin", "Lisbon"))
    else:
        consent = memories.consents.mint("m_1", words_hash("Lives in Lisbon"))
        assert memories.edit("m_1", "Lives in Lisbon", consent).usable
    if restart:
        memories = Memories(home, clock)
    assert [memory.text for memory in memories.usable()] == ["Lives in Lisbon"]


@pytest.mark.parametrize("tagged", [False, True], ids=["byte for byte", "with a tag of mine"])
def test_the_copy_is_the_memory_once_the_other_file_is_gone(
    home: Home, memories: Memories, put: MakeMemory, tagged: bool
) -> None:
    put(chat="c_1", learned="look:0")
    copy = copied(home)
    if tagged:
        copy.write_text(copy.read_text().replace("kind: fact", "kind: fact\ntags: [mine]"))
    memories.refresh()
    (home.memory / "m_1.md").unlink()
    (memory,) = memories.usable()
    assert (memory.id, memory.learned) == ("m_1", "look:0")
    assert memories.raw("m_1") == copy.read_bytes()


def test_taking_out_the_wait_in_a_copy_does_not_lift_it(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory
) -> None:
    put(waits="Learned in a chat that read a.example.")
    memories.refresh()
    copy = copied(home)
    lines = copy.read_text().splitlines(keepends=True)
    copy.write_text("".join(line for line in lines if not line.startswith("waits:")))
    assert memories.usable() == []
    (home.memory / "m_1.md").unlink()
    assert memories.usable() == []
    assert Memories(home, clock).usable() == []


@pytest.mark.parametrize("tagged", [False, True], ids=["byte for byte", "with a tag of mine"])
def test_a_copy_does_not_outlive_what_is_forgotten(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory, tagged: bool
) -> None:
    put()
    copy = copied(home)
    if tagged:
        copy.write_text(copy.read_text().replace("kind: fact", "kind: fact\ntags: [mine]"))
    memories.remove("m_1")
    assert memories.all() == Memories(home, clock).all() == []
    assert list(home.memory.glob("*.md")) == []


@pytest.mark.parametrize("edit", ["by hand", "by command"])
def test_forgetting_sets_aside_a_copy_that_says_something_else(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory, edit: str
) -> None:
    put()
    copy = copied(home)
    same = copied(home, "the same.md")
    memories.refresh()
    before = copy.read_bytes()
    if edit == "by hand":
        path = home.memory / "m_1.md"
        path.write_text(path.read_text().replace("Berlin", "Lisbon"))
        same.write_bytes((home.memory / "m_1.md").read_bytes())
    else:
        consent = memories.consents.mint("m_1", words_hash("Lives in Lisbon"))
        memories.edit("m_1", "Lives in Lisbon", consent)
        same.write_bytes((home.memory / "m_1.md").read_bytes())
    memories.remove("m_1")
    assert memories.all() == Memories(home, clock).all() == []
    (aside,) = home.memory.glob("*left-out-*")
    assert aside.name.startswith("m_1 copy.md.left-out-")
    assert aside.read_bytes() == before
    assert f"it was set aside as {aside.name}" in notes(home)


def test_a_copy_does_not_stand_beside_what_replaced_it(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory
) -> None:
    put()
    copied(home)
    tagged = copied(home, "mine.md")
    tagged.write_text(tagged.read_text().replace("kind: fact", "kind: fact\ntags: [mine]"))
    memories.refresh()
    before = memories.raw("m_1")
    put("m_2", "Lives in Lisbon")
    assert memories.retire("m_1", START, "m_2")
    assert [memory.text for memory in Memories(home, clock).all()] == ["Lives in Lisbon"]
    (aside,) = home.memory.glob("mine.md.left-out-*")
    assert "tags: [mine]" in aside.read_text()
    memories.unretire("m_1")
    assert memories.raw("m_1") == before


def test_the_file_of_the_ids_own_name_is_the_memory_whatever_a_copy_is_called(
    home: Home, clock: SteppedClock, put: MakeMemory
) -> None:
    put(chat="c_1", learned="look:0")
    copy = copied(home, "a.md")
    copy.write_text(copy.read_text().replace("Lives in Berlin", "Works in Potsdam"))
    found = Memories(home, clock).all()
    assert {(one.text, one.learned) for one in found} == {
        ("Lives in Berlin", "look:0"),
        ("Works in Potsdam", ""),
    }


def test_the_same_words_in_two_memories_are_used_once_and_the_persons_own_count(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory
) -> None:
    put()
    clock.advance(hours=1)
    (home.memory / "mine.md").write_text("Lives  in Berlin\n")
    learned, own = memories.get("m_1"), next(one for one in memories.all() if one.id != "m_1")
    assert learned is not None
    assert (own.usable, learned.usable, learned.same_as) == (True, False, own.id)
    assert memories.section().ids == (own.id,)
    assert [hit.memory.id for hit in memories.search("Berlin")] == [own.id]
    assert "mine.md and m_1.md say the same" in notes(home)
    memories.remove(own.id)
    assert [memory.id for memory in memories.usable()] == ["m_1"]


def test_what_is_replaced_takes_those_of_the_same_words_with_it(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory
) -> None:
    put("m_1")
    put("m_2", created=START + timedelta(hours=1))
    put("m_3", "Lives in Lisbon")
    assert [memory.id for memory in memories.usable()] == ["m_1", "m_3"]
    assert memories.retire("m_1", START, "m_3")
    assert [memory.id for memory in memories.all()] == ["m_3"]
    assert {memory.id for memory in memories.earlier()} == {"m_1", "m_2"}


def test_one_that_waits_keeps_no_other_from_being_used(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put("m_1", waits="Nobody was there to see it.")
    put("m_2", created=START + timedelta(hours=1))
    assert [memory.id for memory in memories.usable()] == ["m_2"]


@pytest.mark.parametrize("when", ["read", "moved"])
def test_a_copy_deleted_by_hand_at_this_moment_stops_nothing(
    home: Home, memories: Memories, put: MakeMemory, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    put()
    memories.all()
    copy = copied(home)
    copy.write_text(copy.read_text().replace("kind: fact", "kind: fact\ntags: [mine]"))
    memories.refresh()
    reads, moves = files.read_bytes, files.move

    def read_bytes(path: Path) -> bytes:
        if path == copy and when == "read":
            path.unlink(missing_ok=True)
        return reads(path)

    def move(path: Path, to: Path) -> None:
        if path == copy:
            path.unlink(missing_ok=True)
        moves(path, to)

    monkeypatch.setattr(files, "read_bytes", read_bytes)
    monkeypatch.setattr(files, "move", move)
    assert memories.retire("m_1", START + timedelta(days=1), "m_2")
    assert memories.all() == []
    assert [one.text for one in memories.earlier()] == ["Lives in Berlin"]
    assert list(home.memory.glob("*copy*")) == []


def test_a_damaged_file_deleted_by_hand_at_this_moment_is_simply_gone(
    home: Home, memories: Memories, put: MakeMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    put()
    (home.memory / "odd.md").write_bytes(b"\xff\xfe nothing anybody can read")
    moves = files.move

    def move(path: Path, to: Path) -> None:
        path.unlink()
        moves(path, to)

    monkeypatch.setattr(files, "move", move)
    assert [memory.id for memory in memories.all()] == ["m_1"]
    assert "odd.md" not in notes(home)
