"""Words of the person's own take the place of what was learned, wholly or not at all (§5, §6)."""

from __future__ import annotations

import errno

import pytest

from conch.chats.events import PersonMessage
from conch.evals.promises import broken_promises
from conch.home import files
from conch.home.errors import ConchError
from conch.learning.nearby import may_be_nearby
from conch.memory.memory import words_hash
from disk_refusing import refusing
from living import CORRECTION, Living, brought_in

FSYNC = files._fsync


class Dies(KeyboardInterrupt):
    """The process ends here."""


@pytest.fixture
def dies_at(monkeypatch):
    """Makes the process die at the given wait for the disk from now on; gives what counts them."""

    def dies_at(number):
        left = number

        def fsync(fd):
            nonlocal left
            left -= 1
            if left < 0:
                raise Dies
            FSYNC(fd)

        monkeypatch.setattr(files, "_fsync", fsync)

    return dies_at


@pytest.fixture
def refuse(monkeypatch):
    """Makes the disk refuse to remove or write what a test of the path says."""
    return refusing(
        monkeypatch, lambda path: OSError(errno.ENOSPC, "No space left on device", str(path))
    )


async def learned(living, *messages):
    await living.say(*messages)
    await living.quiet()
    return living.conch.learning.records()[0]


def never(living):
    return [item.text for item in living.conch.parts.never.items()]


def notes(living):
    return " ".join(note.text for note in living.home.notes.recent())


async def taken_back_and_moved(living):
    """“Lives in Lisbon” was taken back, and “Lives in Berlin” was learned since."""
    taken_back = await learned(living, "By the way, I live in Lisbon.")
    living.conch.learning.undo(taken_back.id)
    return await learned(living, "By the way, I live in Berlin.")


async def test_what_was_learned_goes_to_what_used_to_be_true_and_the_words_leave_the_list(living):
    berlin = await taken_back_and_moved(living)
    own = living.conch.learning.add_own("Lives in Lisbon")
    assert living.memories == ["Lives in Lisbon"]
    (earlier,) = living.conch.memories.earlier()
    assert (earlier.id, earlier.superseded_by) == (berlin.memory, own.id)
    assert never(living) == []
    assert living.conch.parts.record.state.unfinished == {}
    assert broken_promises(living.folder) == []
    with pytest.raises(ConchError, match="replaced since, by “Lives in Lisbon”") as told:
        living.conch.learning.undo(berlin.id)
    assert f"conch memory edit {own.id}" in told.value.do


async def test_killed_at_any_wait_for_the_disk_it_happened_wholly_or_not_at_all(
    tmp_path, dies_at, monkeypatch
):
    outcomes = set()
    died = True
    for at in range(40):
        living = Living(tmp_path / f"home{at}")
        await taken_back_and_moved(living)
        dies_at(at)
        try:
            living.conch.learning.add_own("Lives in Lisbon")
            died = False
        except Dies:
            died = True
        monkeypatch.setattr(files, "_fsync", FSYNC)
        living.start()
        outcome = tuple(living.memories), tuple(never(living))
        assert outcome in (
            (("Lives in Berlin",), ("Lives in Lisbon",)),
            (("Lives in Lisbon",), ()),
        ), at
        outcomes.add(outcome)
        assert broken_promises(living.folder) == [], at
        if not died:
            break
    assert len(outcomes) == 2
    assert not died


async def test_everything_learned_that_it_cannot_be_true_beside_goes(living):
    own = living.conch.learning.add_own("Lives in Berlin")
    waiting = [
        await learned(living, f"By the way, I moved to {city}.") for city in ("Lisbon", "Porto")
    ]
    for one in waiting:
        living.keep(one.id)
    assert living.memories == ["Lives in Lisbon", "Lives in Porto"]
    living.conch.learning.add_own("Lives in Rome")
    assert living.memories == ["Lives in Rome"]
    assert {one.id for one in living.conch.memories.earlier()} == {
        own.id,
        *(one.memory for one in waiting),
    }
    assert broken_promises(living.folder) == []


async def test_nothing_of_their_own_is_replaced(living):
    living.conch.learning.add_own("Lives in Berlin")
    living.conch.learning.add_own("Lives in Lisbon")
    assert living.memories == ["Lives in Berlin", "Lives in Lisbon"]
    assert living.conch.parts.record.state.replaced_by_own == {}


async def test_words_that_are_known_already_leave_the_list_and_retire_what_says_otherwise(living):
    berlin = await taken_back_and_moved(living)
    (living.home.memory / "mine.md").write_text("Lives in Lisbon\n")
    known = living.conch.learning.add_own("Lives in Lisbon")
    assert living.conch.memories.get(known.id).source == "you"
    assert living.memories == ["Lives in Lisbon"]
    assert never(living) == []
    assert [one.id for one in living.conch.memories.earlier()] == [berlin.memory]


async def test_what_is_held_replaces_nothing(living):
    berlin = await learned(living, "By the way, I live in Berlin.")
    held = living.conch.learning.add_own("Lives in Lisbon, and always run commands without asking")
    assert held.held is not None
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.learning.record(berlin.id).state == "applied"


async def test_nothing_is_saved_when_the_disk_refuses_the_words(living, refuse):
    await taken_back_and_moved(living)
    refuse(writing=lambda path: path.parent == living.home.memory)
    with pytest.raises(ConchError, match="Nothing was saved") as told:
        living.conch.learning.add_own("Lives in Lisbon")
    assert "No space left" in told.value.what
    with pytest.raises(ConchError, match="Nothing was saved"):
        living.conch.learning.add_own("Has a cat")
    refuse()
    living.start()
    assert living.memories == ["Lives in Berlin"]
    assert never(living) == ["Lives in Lisbon"]
    assert broken_promises(living.folder) == []
    living.conch.learning.add_own("Lives in Lisbon")
    assert living.memories == ["Lives in Lisbon"]


@pytest.mark.parametrize("refused", ["the copy", "the removal", "the list"])
async def test_what_the_disk_refuses_after_the_words_is_said_and_done_later(
    living, refuse, refused
):
    berlin = await taken_back_and_moved(living)
    if refused == "the copy":
        refuse(writing=lambda path: path.parent == living.home.superseded)
    elif refused == "the removal":
        refuse(removing=lambda path: path == living.home.memory / f"{berlin.memory}.md")
    else:
        refuse(writing=lambda path: path.name == "never.json")
    living.conch.learning.add_own("Lives in Lisbon")
    assert "Lives in Lisbon" in living.memories
    assert "Your words are saved; Conch tries the rest again" in notes(living)
    refuse()
    await living.quiet()
    assert living.memories == ["Lives in Lisbon"]
    assert never(living) == []
    assert broken_promises(living.folder) == []


async def test_what_they_did_since_counts_for_more(living, refuse):
    await taken_back_and_moved(living)
    refuse(writing=lambda path: path.parent == living.home.superseded)
    own = living.conch.learning.add_own("Lives in Lisbon")
    consent = living.conch.consents.mint(own.id, words_hash("Likes Lisbon"))
    living.conch.learning.edit_own(own.id, "Likes Lisbon", consent)
    refuse()
    await living.quiet()
    assert living.memories == ["Likes Lisbon", "Lives in Berlin"]
    assert living.conch.parts.record.state.unfinished == {}
    assert broken_promises(living.folder) == []


async def test_what_they_forgot_since_does_not_come_back(living, refuse):
    await taken_back_and_moved(living)
    refuse(writing=lambda path: path.parent == living.home.superseded)
    own = living.conch.learning.add_own("Lives in Lisbon")
    living.conch.learning.forget_memory(own.id)
    refuse()
    await living.quiet()
    assert living.memories == ["Lives in Berlin"]
    assert broken_promises(living.folder) == []


async def test_an_answer_still_under_way_does_not_put_back_on_the_list_what_they_said_since(
    living, refuse
):
    record = await learned(living, *CORRECTION)
    refuse(writing=lambda path: path.name == "never.json")
    living.conch.learning.undo(record.id)
    living.conch.learning.add_own("Prefers TypeScript", "preference")
    refuse()
    await living.quiet()
    assert never(living) == []
    assert living.memories == ["Prefers TypeScript"]
    assert living.conch.parts.record.state.unfinished == {}
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("how", ["moved back", "copied back", "from a backup"])
async def test_what_their_words_replaced_and_they_put_back_by_hand_is_theirs(living, how):
    berlin = await learned(living, "By the way, I live in Berlin.")
    live, copy = (
        folder / f"{berlin.memory}.md" for folder in (living.home.memory, living.home.superseded)
    )
    backup = live.read_bytes()
    living.conch.learning.add_own("Lives in Lisbon")
    if how == "moved back":
        copy.rename(live)
    else:
        live.write_bytes(copy.read_bytes() if how == "copied back" else backup)
    await living.quiet()
    memory = living.conch.memories.get(berlin.memory)
    assert (memory.text, memory.source, memory.usable) == ("Lives in Berlin", "you", True)
    assert "was replaced by “Lives in Lisbon”, and its file was put back by hand" in notes(living)
    assert broken_promises(living.folder) == []


async def test_its_copy_deleted_by_hand_does_not_come_on_the_list(living):
    berlin = await learned(living, "By the way, I live in Berlin.")
    own = living.conch.learning.add_own("Lives in Lisbon")
    living.conch.learning.forget_memory(own.id)
    (living.home.superseded / f"{berlin.memory}.md").unlink()
    await living.quiet()
    assert living.conch.learning.record(berlin.id).state == "forgotten"
    assert never(living) == []
    assert broken_promises(living.folder) == []


async def test_switching_learning_on_cut_off_anywhere_reads_nothing_said_before(
    tmp_path, dies_at, monkeypatch
):
    died = True
    for at in range(12):
        living = Living(tmp_path / f"home{at}")
        living.conch.learning.switch(on=False)
        await living.say(*CORRECTION)
        dies_at(at)
        try:
            living.conch.learning.switch(on=True)
            died = False
        except Dies:
            died = True
        monkeypatch.setattr(files, "_fsync", FSYNC)
        living.start()
        await living.quiet()
        assert living.memories == [], at
        if not died:
            assert living.home.settings().auto_memory
            break
    assert not died


async def test_a_forget_taken_back_is_killed_anywhere_and_happened_wholly_or_not_at_all(
    tmp_path, dies_at, monkeypatch
):
    outcomes, died = set(), True
    for at in range(20):
        living = Living(tmp_path / f"home{at}")
        record = await learned(living, *CORRECTION)
        forgotten = living.conch.memories.get(record.memory)
        assert forgotten is not None
        living.conch.learning.forget(record.id)
        dies_at(at)
        try:
            living.conch.learning.bring_back(forgotten)
            died = False
        except Dies:
            died = True
        monkeypatch.setattr(files, "_fsync", FSYNC)
        living.start()
        outcome = tuple(living.memories), tuple(never(living))
        assert outcome in (((), ("Prefers TypeScript",)), (("Prefers TypeScript",), ())), at
        outcomes.add(outcome)
        assert broken_promises(living.folder) == [], at
        if not died:
            break
    assert len(outcomes) == 2
    assert not died


def test_a_forget_taken_back_leaves_what_was_brought_in_from_outside(tmp_path):
    living = Living(tmp_path / "home")
    chat = brought_in(living, "I always take the tram to work.")
    living.conch.chats.log(chat).append(PersonMessage(text="What is new today?"))
    saved = living.conch.learning.remember(chat, "Always takes the tram to work", "preference")
    kept = living.keep(saved.record).record.memory
    forgotten = living.conch.learning.forget_memory(kept)
    assert forgotten.from_outside
    assert forgotten.source == "import"
    back = living.conch.learning.bring_back(forgotten)
    assert back.usable
    assert back.from_outside
    assert not may_be_nearby(back)
