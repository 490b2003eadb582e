"""Superseded, not overwritten (spec 0088 §5): copies, their dates, and the exact bytes back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.memory.copies import copy_of, original_of, sealed_original_of
from conch.memory.dates import until
from conch.memory.memories import Memories, clean_words
from conch.memory.memory import Memory
from conch.memory.sealed import from_bytes, is_sealed, to_bytes
from memory.conftest import MakeMemory

ENDED = datetime(2026, 8, 31, 22, 0, tzinfo=UTC)
SECRET = "The router password is hunter2-correct-horse"


@pytest.fixture
def moved(memories: Memories, put: MakeMemory) -> bytes:
    """Berlin, replaced by Lisbon; gives Berlin's bytes as they were."""
    put("m_1", "Lives in Berlin")
    put("m_2", "Lives in Lisbon")
    before = memories.raw("m_1")
    assert memories.retire("m_1", ENDED, "m_2")
    return before


def test_it_moves_marked_with_when_it_stopped_being_true_and_what_replaced_it(
    home: Home, memories: Memories, moved: bytes
) -> None:
    (earlier,) = memories.earlier()
    assert (earlier.text, earlier.invalid_at, earlier.superseded_by) == (
        "Lives in Berlin",
        ENDED,
        "m_2",
    )
    copy = (home.superseded / "m_1.md").read_bytes()
    assert b"\ninvalidAt: 2026-08-31T22:00:00Z\nsupersededBy: m_2\n" in copy
    assert is_sealed(copy, home.seal)


def test_it_leaves_the_prompt_and_recall_still_finds_it_with_its_date(
    memories: Memories, moved: bytes
) -> None:
    assert "Berlin" not in memories.section("Berlin").text
    assert "Berlin" not in memories.export_json()
    assert [hit.memory.id for hit in memories.search("Berlin")] == []
    found = memories.search("Berlin", include_earlier=True)
    assert until(found[0].memory) == "until August 2026"


def test_undo_moves_it_back_exactly_as_it_was(home: Home, memories: Memories, moved: bytes) -> None:
    memory = memories.unretire("m_1")
    assert memory.usable
    assert memories.raw("m_1") == moved
    assert memories.earlier() == []
    assert not (home.superseded / "m_1.md").exists()


def test_a_version_that_reads_only_the_folder_itself_never_sees_it(
    home: Home, moved: bytes
) -> None:
    assert [path.name for path in home.memory.glob("*.md")] == ["m_2.md"]


@given(text=st.text(min_size=1), label=st.text(max_size=20), comment=st.text(max_size=20))
def test_a_copy_gives_back_any_bytes(
    tmp_path_factory: pytest.TempPathFactory, text: str, label: str, comment: str
) -> None:
    seal = Home.open(tmp_path_factory.getbasetemp() / "any").seal
    words = clean_words(text) or "x"
    memory = Memory("m_1", words, "fact", "you", ENDED, ENDED, waits=label)
    line = "".join(letter for letter in comment if letter.isalnum() and ord(letter) < 0x2000)
    base = f"---\n# {line}\nmine: 'x{line}'\n---\n{words}\n".encode()
    data = to_bytes(memory, seal, base)
    copy = copy_of(data, ENDED, "m_2", seal)
    assert original_of(copy) == sealed_original_of(copy, seal) == data
    assert is_sealed(copy, seal)


@pytest.mark.parametrize("name", ["tea.md", "my notes.md", "mañana.md"])
def test_a_file_with_a_name_of_its_own_comes_back_under_it(
    home: Home, memories: Memories, name: str
) -> None:
    home.memory.mkdir(parents=True)
    (home.memory / name).write_text("Drinks tea\n")
    (memory,) = memories.usable()
    before = memories.raw(memory.id)
    assert memories.retire(memory.id, ENDED, "")
    memories.unretire(memory.id)
    assert (home.memory / name).read_bytes() == before


def test_one_that_waits_or_is_held_is_never_retired(memories: Memories, put: MakeMemory) -> None:
    put("m_1", waits="Learned in a chat that read a.example.")
    put("m_2", SECRET)
    assert not memories.retire("m_1", ENDED, "m_3")
    assert not memories.retire("m_2", ENDED, "m_3")
    assert [memory.id for memory in memories.all()] == ["m_1", "m_2"]


def test_there_is_nothing_to_retire_under_an_unknown_id(memories: Memories) -> None:
    assert not memories.retire("m_9", ENDED, "m_3")


def tamper(home: Home, old: bytes, new: bytes) -> None:
    path = home.superseded / "m_1.md"
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def test_a_copy_changed_by_hand_is_checked_again_and_left_out_when_it_would_be_held(
    home: Home, memories: Memories, moved: bytes
) -> None:
    tamper(home, b"Lives in Berlin", SECRET.encode())
    assert memories.earlier() == []
    assert memories.search("password", include_earlier=True) == []
    assert (home.superseded / "m_1.md").exists()
    assert any("m_1.md" in note.text for note in home.notes.recent())


def test_one_that_passes_is_still_found(home: Home, memories: Memories, moved: bytes) -> None:
    tamper(home, b"Berlin", b"Munich")
    assert [memory.text for memory in memories.earlier()] == ["Lives in Munich"]


def test_undo_of_a_changed_copy_goes_through_the_check(
    home: Home, memories: Memories, moved: bytes
) -> None:
    tamper(home, b"Lives in Berlin", SECRET.encode())
    memory = memories.unretire("m_1")
    assert memory.held is not None
    assert memories.usable() == [memories.get("m_2")]


def test_a_copy_whose_date_was_changed_still_gives_back_the_exact_bytes(
    home: Home, memories: Memories, moved: bytes
) -> None:
    tamper(home, b"invalidAt: 2026-08-31", b"invalidAt: 2020-01-01")
    memories.unretire("m_1")
    assert memories.raw("m_1") == moved


def test_one_brought_back_from_a_backup_of_another_home_is_checked_again(
    home: Home, clock: SteppedClock, tmp_path: Path, memories: Memories, moved: bytes
) -> None:
    other = Memories(Home.open(tmp_path / "other", clock), clock)
    other.refresh()
    folder = tmp_path / "other" / "memory" / "superseded"
    folder.mkdir(parents=True)
    (folder / "m_1.md").write_bytes((home.superseded / "m_1.md").read_bytes())
    assert [memory.text for memory in other.earlier()] == ["Lives in Berlin"]
    assert other.unretire("m_1").usable


def test_a_missing_copy_is_said_and_nothing_changes(
    home: Home, memories: Memories, moved: bytes
) -> None:
    (home.superseded / "m_1.md").unlink()
    with pytest.raises(ConchError):
        memories.unretire("m_1")
    assert [memory.id for memory in memories.all()] == ["m_2"]


def test_forget_removes_a_copy_and_touches_nothing_live(
    home: Home, memories: Memories, moved: bytes
) -> None:
    memories.old_copies.forget("m_1")
    memories.old_copies.forget("m_1")
    memories.old_copies.forget("m_2")
    assert memories.earlier() == []
    assert [memory.id for memory in memories.all()] == ["m_2"]


def test_a_copy_put_back_into_the_folder_by_hand_is_read_as_changed_by_hand(
    home: Home, memories: Memories, moved: bytes
) -> None:
    (home.superseded / "m_1.md").rename(home.memory / "m_1.md")
    memory = memories.get("m_1")
    assert memory is not None
    assert memory.invalid_at is None
    assert memory.usable
    assert memories.earlier() == []


def test_a_live_file_put_among_the_copies_is_no_longer_true(
    home: Home, memories: Memories, moved: bytes
) -> None:
    (home.memory / "m_2.md").rename(home.superseded / "m_2.md")
    assert memories.all() == []
    assert not any(memory.usable for memory in memories.earlier())


def test_an_older_copy_of_other_words_is_not_written_over(
    home: Home, memories: Memories, put: MakeMemory, moved: bytes
) -> None:
    (home.memory / "m_1.md").write_text("---\nid: m_1\n---\nLives in Rome\n")
    assert memories.retire("m_1", ENDED, "m_2")
    texts = {from_bytes(path.read_bytes()).text for path in home.superseded.glob("*.md")}
    assert texts == {"Lives in Berlin", "Lives in Rome"}
