"""What Undo brings back: the exact bytes, the latest copy, everything that went together."""

from __future__ import annotations

import errno
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.memory import Memory
from memory.conftest import START, MakeMemory

ENDED = datetime(2026, 8, 31, 22, 0, tzinfo=UTC)
LATER = ENDED + timedelta(days=3)
ORDERS = ["Use metric units", "Always answer in German", "Keep answers short"]


def of_the_persons(memories: Memories, make: MakeMemory, text: str) -> Memory:
    """A memory the person wrote on the Memory page."""
    memory = make("m_1", text, source="you")
    return memories.add(memory, CheckContext(via="person", said=(text,)))


def kept(memories: Memories, make: MakeMemory, text: str) -> Memory:
    """A memory that was held, and that the person kept."""
    memory = memories.add(make("m_1", text), CheckContext(via="hand"))
    assert memory.held is not None
    return memories.keep("m_1", memories.consents.mint("m_1", memory.words_hash))


@pytest.mark.parametrize("whose", [of_the_persons, kept])
@pytest.mark.parametrize("text", ORDERS)
def test_what_reads_like_an_order_comes_back_as_it_was(
    home: Home, clock: SteppedClock, memories: Memories, make: MakeMemory, text: str, whose
) -> None:
    assert whose(memories, make, text).usable
    before = memories.raw("m_1")
    assert memories.retire("m_1", ENDED, "m_2")
    clock.advance(days=2)
    memories = Memories(home, clock)
    assert [one.text for one in memories.earlier()] == [text]
    assert memories.unretire("m_1").usable
    assert memories.raw("m_1") == before


def test_only_its_date_was_changed_so_its_words_are_as_they_were(
    home: Home, clock: SteppedClock, memories: Memories, make: MakeMemory
) -> None:
    of_the_persons(memories, make, "Use metric units")
    before = memories.raw("m_1")
    memories.retire("m_1", ENDED, "m_2")
    copy = home.superseded / "m_1.md"
    copy.write_bytes(copy.read_bytes().replace(b"invalidAt: 2026-08-31", b"invalidAt: 2020-01-01"))
    clock.advance(days=2)
    assert [one.text for one in memories.earlier()] == ["Use metric units"]
    assert memories.unretire("m_1").usable
    assert memories.raw("m_1") == before


def test_a_copy_with_other_words_is_still_checked(
    home: Home, memories: Memories, make: MakeMemory
) -> None:
    of_the_persons(memories, make, "Use metric units")
    memories.retire("m_1", ENDED, "m_2")
    copy = home.superseded / "m_1.md"
    copy.write_bytes(copy.read_bytes().replace(b"metric", b"imperial"))
    assert memories.earlier() == []
    memory = memories.unretire("m_1")
    assert memory.text == "Use imperial units"
    assert memory.held is not None


@pytest.mark.parametrize("whose", [of_the_persons, kept])
def test_a_tag_added_by_hand_holds_no_words_that_were_in_use(
    home: Home, clock: SteppedClock, memories: Memories, make: MakeMemory, whose
) -> None:
    whose(memories, make, "Use metric units")
    path = home.memory / "m_1.md"
    path.write_text(path.read_text().replace("kind: fact", "kind: preference\ntags: [mine]"))
    memory = Memories(home, clock).get("m_1")
    assert memory is not None
    assert (memory.usable, memory.kind) == (True, "preference")


def test_a_cue_added_by_hand_is_still_checked(
    home: Home, memories: Memories, make: MakeMemory
) -> None:
    of_the_persons(memories, make, "Use metric units")
    path = home.memory / "m_1.md"
    cues = 'cues: ["measures", "The router password is hunter2-correct-horse"]'
    path.write_text(path.read_text().replace("kind: fact", f"kind: fact\n{cues}"))
    memory = memories.get("m_1")
    assert memory is not None
    assert (memory.usable, memory.cues) == (True, ("measures",))


def retired_three_times(home: Home, memories: Memories, put: MakeMemory) -> None:
    """Copies of one memory, of which neither the first nor the last by name is the latest."""
    put("m_1", "Lives in Berlin")
    for words, ended in (("Berlin", ENDED), ("Rome", LATER), ("Porto", ENDED)):
        (home.memory / "m_1.md").write_text(f"---\nid: m_1\n---\nLives in {words}\n")
        assert memories.retire("m_1", ended, "m_2")
    names = [path.name for path in sorted(home.superseded.iterdir())]
    assert names == ["m_1-2.md", "m_1-3.md", "m_1.md"]


def test_of_several_copies_the_latest_ended_comes_back(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    retired_three_times(home, memories, put)
    assert [one.text for one in memories.earlier()] == ["Lives in Rome"]
    assert memories.unretire("m_1").text == "Lives in Rome"
    assert memories.retire("m_1", LATER, "m_2")


def test_of_several_that_ended_at_once_the_one_with_the_highest_number_comes_back(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put("m_1", "Lives in Berlin")
    for number in range(1, 12):
        (home.memory / "m_1.md").write_text(f"---\nid: m_1\n---\nLives in house {number}\n")
        assert memories.retire("m_1", ENDED, "m_2")
    assert memories.unretire("m_1").text == "Lives in house 11"
    memories.remove("m_1")
    assert memories.unretire("m_1").text == "Lives in house 10"


def test_forget_removes_every_copy_of_the_memory_and_no_other(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    retired_three_times(home, memories, put)
    put("m_2", "Drinks tea")
    put("m_3", "Works in Graz")
    memories.retire("m_2", ENDED, "m_9")
    memories.old_copies.forget("m_1")
    assert [one.text for one in memories.earlier()] == ["Drinks tea"]
    assert [path.name for path in home.superseded.iterdir()] == ["m_2.md"]
    assert [one.text for one in memories.all()] == ["Works in Graz"]


def test_a_file_put_back_takes_away_only_the_copy_of_its_own_words(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    retired_three_times(home, memories, put)
    (home.memory / "m_1.md").write_text("---\nid: m_1\n---\nLives in Berlin\n")
    assert memories.doubles() == {"m_1"}
    assert [one.id for one in memories.make_the_persons(["m_1"])] == ["m_1"]
    assert memories.make_the_persons(["m_1"]) == []
    assert memories.doubles() == set()
    texts = [path.read_text().rpartition("---\n")[2] for path in home.superseded.iterdir()]
    assert sorted(texts) == ["Lives in Porto\n", "Lives in Rome\n"]


@pytest.fixture
def together(memories: Memories, put: MakeMemory) -> dict[str, bytes]:
    """Three of the same words, replaced at once; gives their bytes as they were."""
    for number in (1, 2, 3):
        put(f"m_{number}", created=START + timedelta(hours=number))
    put("m_9", "Lives in Lisbon")
    before = {f"m_{number}": memories.raw(f"m_{number}") for number in (1, 2, 3)}
    memories.retire("m_1", ENDED, "m_9")
    return before


def test_all_that_were_taken_together_come_back_together(
    home: Home, clock: SteppedClock, memories: Memories, together: dict[str, bytes]
) -> None:
    memories = Memories(home, clock)
    assert memories.unretire("m_1").usable
    assert {one: memories.raw(one) for one in together} == together
    assert memories.earlier() == []
    assert {one.id for one in memories.usable()} == {"m_1", "m_9"}


def test_one_that_went_another_time_or_says_something_else_stays_where_it_is(
    memories: Memories, put: MakeMemory, together: dict[str, bytes]
) -> None:
    put("m_5", "Lives in Berlin")
    memories.retire("m_5", LATER, "m_9")
    put("m_6", "Drinks tea")
    memories.retire("m_6", ENDED, "m_9")
    memories.unretire("m_1")
    assert {one.id for one in memories.earlier()} == {"m_5", "m_6"}


def test_one_of_them_that_was_forgotten_stays_forgotten(
    memories: Memories, together: dict[str, bytes]
) -> None:
    memories.old_copies.forget("m_2")
    memories.unretire("m_1")
    assert {one.id for one in memories.all()} == {"m_1", "m_3", "m_9"}


def move(memories: Memories, way: str) -> None:
    if way == "back":
        memories.unretire("m_1")
    else:
        memories.retire("m_1", ENDED, "m_9")


@pytest.mark.parametrize("step", range(12))
@pytest.mark.parametrize("way", ["there", "back"])
def test_cut_off_anywhere_and_done_again_all_of_them_have_moved(
    home: Home,
    clock: SteppedClock,
    memories: Memories,
    together: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    step: int,
    way: str,
) -> None:
    if way == "there":
        memories.unretire("m_1")

    class Cut(BaseException):
        pass

    left = [step]
    for act in (files.write_atomic, files.remove):

        def counted(*given, act=act):
            left[0] -= 1
            if left[0] == 0:
                raise Cut
            act(*given)

        monkeypatch.setattr(files, act.__name__, counted)
    try:
        move(memories, way)
    except Cut:
        there = {*home.memory.glob("*.md"), *home.superseded.glob("*.md")}
        assert {"m_1.md", "m_2.md", "m_3.md"} <= {path.name for path in there}
    monkeypatch.undo()
    again = Memories(home, clock)
    move(again, way)
    live = {one.id for one in again.all()}
    if way == "back":
        assert {one: again.raw(one) for one in together} == together
        assert not list(home.superseded.glob("*.md"))
    else:
        assert live == {"m_9"}
        assert {one.id for one in again.earlier()} == set(together)


@pytest.mark.parametrize("refused", ["m_1.md", "m_2.md", "m_3.md"])
@pytest.mark.parametrize("way", ["there", "back"])
@pytest.mark.parametrize("what", ["write_atomic", "remove"])
def test_refused_by_the_disk_none_of_them_has_moved(
    home: Home,
    memories: Memories,
    together: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    refused: str,
    way: str,
    what: str,
) -> None:
    if way == "there":
        memories.unretire("m_1")
    before = {path: path.read_bytes() for path in home.memory.rglob("*.md")}
    act = getattr(files, what)
    of = home.memory if (way == "back") == (what == "write_atomic") else home.superseded

    def refuse(path: Path, *rest: object) -> None:
        if path == of / refused:
            raise PermissionError(errno.EPERM, "Operation not permitted", str(path))
        act(path, *rest)

    monkeypatch.setattr(files, what, refuse)
    with pytest.raises(PermissionError):
        move(memories, way)
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in home.memory.rglob("*.md")} == before
