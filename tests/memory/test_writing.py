"""Writing: done twice is done once, and a crash anywhere leaves what can be carried on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.memory.consents import ConsentRefused
from conch.memory.memories import Memories
from conch.memory.memory import Held, words_hash
from conch.memory.sealed import from_bytes
from memory.conftest import LEARNING, MakeMemory

ENDED = datetime(2026, 8, 31, 22, 0, tzinfo=UTC)
SECRET = "The router password is hunter2-correct-horse"


def everything(home: Home) -> dict[str, bytes]:
    return {
        str(path.relative_to(home.memory)): path.read_bytes()
        for path in sorted(home.memory.rglob("*"))
        if path.is_file()
    }


def test_planning_writes_nothing(home: Home, memories: Memories, make: MakeMemory) -> None:
    memory, data = memories.plan(make(), LEARNING)
    assert from_bytes(data) == memory
    assert memories.all() == []


def test_the_check_holds_what_it_would_not_let_through(
    memories: Memories, make: MakeMemory
) -> None:
    memory, _ = memories.plan(make(text=SECRET), LEARNING)
    assert memory.held is not None
    assert not memory.usable


def test_a_hold_or_a_wait_it_has_already_stays(memories: Memories, make: MakeMemory) -> None:
    held = Held("ask", ("A reason of the caller's.",))
    memory, _ = memories.plan(make(held=held, waits="Nobody was there."), LEARNING)
    assert (memory.held, memory.waits) == (held, "Nobody was there.")


def test_a_cue_the_check_would_hold_is_left_out(memories: Memories, make: MakeMemory) -> None:
    memory, _ = memories.plan(make(cues=("moving house", SECRET)), LEARNING)
    assert memory.cues == ("moving house",)
    assert memory.usable


@pytest.mark.parametrize("text", ["", "  \n "])
def test_a_memory_without_words_is_refused(memories: Memories, make: MakeMemory, text: str) -> None:
    with pytest.raises(ConchError):
        memories.plan(make(text=text), LEARNING)


def test_half_characters_and_odd_line_ends_are_evened(memories: Memories, make: MakeMemory) -> None:
    memory = memories.add(make(text=" Tea\r\nNo sugar\ud800 "), LEARNING)
    assert memory.text == "Tea\nNo sugar?"
    assert memories.get("m_1") == memory


def test_written_twice_it_is_there_once(home: Home, memories: Memories, make: MakeMemory) -> None:
    _, data = memories.plan(make(), LEARNING)
    memories.write_planned("m_1", data)
    before = everything(home)
    memories.write_planned("m_1", data)
    assert everything(home) == before


def test_carried_through_late_it_does_not_undo_what_the_person_changed(
    home: Home, memories: Memories, make: MakeMemory
) -> None:
    _, data = memories.plan(make(), LEARNING)
    memories.write_planned("m_1", data)
    path = home.memory / "m_1.md"
    path.write_text(path.read_text().replace("Berlin", "Lisbon"))
    memories.write_planned("m_1", data)
    memory = memories.get("m_1")
    assert memory is not None
    assert memory.text == "Lives in Lisbon"


def test_carried_through_late_it_does_not_revive_what_was_replaced_since(
    memories: Memories, make: MakeMemory
) -> None:
    _, data = memories.plan(make(), LEARNING)
    memories.write_planned("m_1", data)
    memories.retire("m_1", ENDED, "m_2")
    memories.write_planned("m_1", data)
    assert memories.all() == []


def test_retired_undone_removed_and_written_twice_is_once(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put()
    whole = everything(home)
    assert memories.retire("m_1", ENDED, "m_2")
    retired = everything(home)
    assert memories.retire("m_1", ENDED, "m_2")
    assert everything(home) == retired
    memories.unretire("m_1")
    memories.unretire("m_1")
    assert everything(home) == whole
    data = memories.remove("m_1")
    assert data == whole["m_1.md"]
    assert memories.remove("m_1") == b""
    memories.write_planned("m_1", data)
    memories.write_planned("m_1", data)
    assert everything(home) == whole


class Killed(BaseException):
    """The process ends here."""


def kill_at(monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    """End the process at the `call`th time it would wait for the disk."""
    left = call

    def fsync(fd: int) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise Killed

    monkeypatch.setattr(files, "_fsync", fsync)


STEPS: dict[str, Callable[[Memories], object]] = {
    "retire": lambda memories: memories.retire("m_1", ENDED, "m_2"),
    "unretire": lambda memories: memories.unretire("m_3"),
    "rewrite": lambda memories: memories.rewrite_planned(
        "m_1", memories.made_waiting(memories.raw("m_1"), "Changed meanwhile.", None)
    ),
    "write": lambda memories: memories.write_planned("m_4", WRITTEN),
}
WRITTEN = b"---\nid: m_4\nkind: fact\n---\nLikes tea\n"


@pytest.mark.parametrize("step", STEPS)
def test_killed_anywhere_no_last_copy_is_lost_and_it_can_be_carried_on(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    clock: SteppedClock,
    make: MakeMemory,
    step: str,
) -> None:
    def a_home() -> Home:
        home = Home.open(tmp_path_factory.mktemp("home"), clock)
        memories = Memories(home, clock)
        memories.refresh()
        for memory_id, text in (("m_1", "Lives in Berlin"), ("m_3", "Lives in Rome")):
            memories.add(make(memory_id, text), LEARNING)
        memories.retire("m_3", ENDED, "m_1")
        return home

    uninterrupted = a_home()
    STEPS[step](Memories(uninterrupted, clock))
    wanted = [
        (memory.id, memory.text, memory.usable) for memory in Memories(uninterrupted, clock).all()
    ]
    for call in range(1, 50):
        home = a_home()
        with monkeypatch.context() as patch:
            kill_at(patch, call)
            try:
                STEPS[step](Memories(home, clock))
                ended = True
            except Killed:
                ended = False
        after = Memories(home, clock)
        texts = {memory.text for memory in (*after.all(), *after.earlier())}
        assert {"Lives in Berlin", "Lives in Rome"} <= texts
        assert not list(home.memory.rglob("*.damaged-*"))
        STEPS[step](after)
        assert [
            (memory.id, memory.text, memory.usable) for memory in Memories(home, clock).all()
        ] == wanted
        if ended:
            assert call > 1
            return
    pytest.fail("it never ended")


def test_half_retired_the_old_one_is_still_true(
    monkeypatch: pytest.MonkeyPatch, home: Home, clock: SteppedClock, put: MakeMemory
) -> None:
    put()
    before = (home.memory / "m_1.md").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(files, "remove", lambda *_: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            Memories(home, clock).retire("m_1", ENDED, "m_2")
    memories = Memories(home, clock)
    assert [memory.id for memory in memories.usable()] == ["m_1"]
    assert memories.earlier() == []
    assert memories.unretire("m_1").usable
    assert everything(home) == {"m_1.md": before}


def test_keep_lifts_a_wait_and_a_hold_for_exactly_the_words_the_person_saw(
    memories: Memories, put: MakeMemory
) -> None:
    memory = put(waits="Nobody was there.", held=Held("ask", ("From a page.",)))
    consent = memories.consents.mint("m_1", memory.words_hash)
    assert memories.keep("m_1", consent).usable
    assert [one.id for one in memories.usable()] == ["m_1"]
    with pytest.raises(ConsentRefused):
        memories.keep("m_1", consent)


def test_keep_for_words_that_changed_since_keeps_nothing(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    memory = put(waits="Nobody was there.")
    consent = memories.consents.mint("m_1", memory.words_hash)
    path = home.memory / "m_1.md"
    path.write_text(path.read_text().replace("Berlin", "Lisbon"))
    with pytest.raises(ConsentRefused, match="changed"):
        memories.keep("m_1", consent)
    assert memories.usable() == []


def test_keep_of_what_the_check_refuses_needs_more_than_a_press(
    memories: Memories, put: MakeMemory
) -> None:
    memory = put(held=Held("refuse", ("It has characters nobody can see.",)))
    with pytest.raises(ConchError, match="nobody can see"):
        memories.keep("m_1", memories.consents.mint("m_1", memory.words_hash))
    kept = memories.keep("m_1", memories.consents.mint("m_1", memory.words_hash), anyway=True)
    assert kept.usable


def test_an_edit_makes_the_words_the_persons(memories: Memories, put: MakeMemory) -> None:
    put(learned="look:0")
    words = "Lives in Lisbon"
    memory = memories.edit("m_1", words, memories.consents.mint("m_1", words_hash(words)))
    assert (memory.text, memory.source, memory.usable) == (words, "you", True)
    assert memories.get("m_1") == memory


def test_an_edit_of_what_waits_leaves_it_waiting(memories: Memories, put: MakeMemory) -> None:
    put(waits="Learned in a chat that read a.example.")
    words = "Lives in Lisbon"
    memory = memories.edit("m_1", words, memories.consents.mint("m_1", words_hash(words)))
    assert not memory.usable


def test_an_edit_goes_through_the_check(memories: Memories, put: MakeMemory) -> None:
    put()
    words = "Tag\U000e0041 characters\u202e hide here"
    memory = memories.edit("m_1", words, memories.consents.mint("m_1", words_hash(words)))
    assert memory.held is not None


def test_an_edit_is_for_the_words_of_the_press(memories: Memories, put: MakeMemory) -> None:
    put()
    consent = memories.consents.mint("m_1", words_hash("Lives in Lisbon"))
    with pytest.raises(ConsentRefused):
        memories.edit("m_1", "Lives in Porto", consent)
    assert [memory.text for memory in memories.all()] == ["Lives in Berlin"]


def test_made_waiting_it_names_what_it_would_replace(
    memories: Memories, make: MakeMemory, put: MakeMemory
) -> None:
    old = put("m_1", "Lives in Berlin")
    _, data = memories.plan(make("m_2", "Lives in Lisbon", cues=("home",)), LEARNING)
    memory = from_bytes(memories.made_waiting(data, "It was changed meanwhile.", old))
    assert memory.waits == "It was changed meanwhile."
    assert (memory.replaces, memory.replaces_hash) == ("m_1", old.words_hash)
    assert memory.cues == ("home",)


@pytest.mark.parametrize("memory_id", ["../m_1", "a/b", "", ".", "m_1\n", "é" * 3])
def test_an_id_that_is_no_file_name_writes_nothing(
    home: Home, memories: Memories, memory_id: str
) -> None:
    with pytest.raises(ConchError):
        memories.write_planned(memory_id, b"x")
    assert everything(home) == {}


def test_what_a_person_adds_is_theirs(memories: Memories, make: MakeMemory) -> None:
    memory = memories.add(make(source="you"), CheckContext(via="person", said=("Lives in Berlin",)))
    assert memory.usable
    assert not memory.from_outside
