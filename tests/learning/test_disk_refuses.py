"""The disk refuses an answer: what is said of a memory stays what is done with it (§5, §6)."""

import errno

import pytest

from conch.evals.promises import broken_promises
from conch.home.errors import ConchError
from disk_refusing import refusing
from living import CORRECTION


@pytest.fixture
def refuse(monkeypatch):
    """Makes the disk refuse to remove or write what a test of the path says."""
    return refusing(
        monkeypatch, lambda path: PermissionError(errno.EPERM, "Operation not permitted", str(path))
    )


def memory_file(path):
    return path.suffix == ".md"


async def learned(living, *messages, origin="own"):
    chat = living.conch.chats.new(title=messages[0], origin=origin)
    await living.say(*messages, chat=chat)
    await living.quiet()
    return living.conch.learning.records()[0]


def never(living):
    return [item.text for item in living.conch.parts.never.items()]


def decisions(living, chat):
    return [one for one in living.conch.chats.log(chat).events() if "Decided" in type(one).__name__]


async def stays_as_it_was(living, record, memories):
    """Told, used and in the journal as before, now and after a start, and no promise broken."""
    for _ in range(2):
        now = living.conch.learning.record(record.id)
        assert now.state == record.state
        assert now.before == record.before
        assert living.memories == memories
        assert never(living) == []
        assert decisions(living, record.chat) == []
        assert broken_promises(living.folder) == []
        living.start()
        await living.quiet()


@pytest.mark.parametrize("answer", ["undo", "forget"])
async def test_an_answer_the_disk_refuses_changes_nothing_and_can_be_given_again(
    living, refuse, answer
):
    record = await learned(living, *CORRECTION)
    refuse(removing=memory_file, writing=memory_file)
    with pytest.raises(ConchError) as told:
        getattr(living.conch.learning, answer)(record.id)
    assert told.value.what == "Your disk refused it: Operation not permitted."
    assert told.value.kept == "Nothing changed: it is still used."
    assert told.value.do.endswith("and try again.")
    await stays_as_it_was(living, record, ["Prefers TypeScript"])
    refuse()
    getattr(living.conch.learning, answer)(record.id)
    assert living.memories == []
    assert never(living) == ["Prefers TypeScript"]
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("refused", ["write back", "remove new", "remove copy"])
async def test_an_undo_refused_halfway_leaves_the_new_one_and_its_copy(living, refuse, refused):
    old = await learned(living, "By the way, I live in Berlin.")
    new = await learned(living, "By the way, I moved to Lisbon.")
    live = living.home.memory / f"{new.memory}.md"
    if refused == "write back":
        refuse(writing=lambda path: path.parent == living.home.memory)
    elif refused == "remove new":
        refuse(removing=lambda path: path == live)
    else:
        refuse(removing=lambda path: path.parent == living.home.superseded)
    with pytest.raises(ConchError, match="Nothing changed: it is still used"):
        living.conch.learning.undo(new.id)
    await stays_as_it_was(living, new, ["Lives in Lisbon"])
    refuse()
    living.conch.learning.undo(new.id)
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.learning.record(old.id).state == "applied"
    assert broken_promises(living.folder) == []


async def test_both_are_left_when_neither_can_be_removed_and_that_is_said(living, refuse):
    await learned(living, "By the way, I live in Berlin.")
    new = await learned(living, "By the way, I moved to Lisbon.")
    refuse(removing=lambda path: path.parent == living.home.memory)
    with pytest.raises(ConchError, match="what it replaced is back beside it"):
        living.conch.learning.undo(new.id)
    assert living.memories == ["Lives in Berlin", "Lives in Lisbon"]
    assert living.conch.learning.record(new.id).state == "applied"
    assert never(living) == []
    assert broken_promises(living.folder) == []


async def test_a_keep_the_disk_refuses_still_waits(living, refuse):
    record = await learned(living, *CORRECTION, origin="channel")
    refuse(writing=memory_file)
    with pytest.raises(ConchError, match="Nothing changed: it still waits"):
        living.keep(record.id)
    await stays_as_it_was(living, record, [])
    refuse()
    living.keep(record.id)
    assert living.memories == ["Prefers TypeScript"]


async def test_a_keep_that_cannot_retire_the_old_one_waits_again(living, refuse):
    own = living.conch.learning.add_own("Lives in Berlin")
    record = await learned(living, "By the way, I moved to Lisbon.")
    assert record.state == "waiting"
    refuse(removing=lambda path: path == living.home.memory / f"{own.id}.md")
    with pytest.raises(ConchError, match="Nothing changed: it still waits"):
        living.keep(record.id)
    await stays_as_it_was(living, record, ["Lives in Berlin"])
    refuse()
    living.keep(record.id)
    assert living.memories == ["Lives in Lisbon"]
    assert broken_promises(living.folder) == []


async def test_what_waits_and_cannot_be_forgotten_still_waits(living, refuse):
    record = await learned(living, *CORRECTION, origin="channel")
    refuse(removing=memory_file)
    with pytest.raises(ConchError, match="Nothing changed: it still waits"):
        living.conch.learning.forget(record.id)
    await stays_as_it_was(living, record, [])


async def test_a_memory_of_the_persons_own_that_cannot_be_removed_is_still_there(living, refuse):
    own = living.conch.learning.add_own("Has a cat")
    refuse(removing=memory_file)
    with pytest.raises(ConchError, match="Nothing changed: it is still there"):
        living.conch.learning.forget_memory(own.id)
    assert living.conch.parts.record.state.forgotten == set()
    assert living.conch.parts.record.state.unfinished == {}
    living.start()
    assert living.memories == ["Has a cat"]
    assert living.conch.parts.record.state.forgotten == set()
    assert broken_promises(living.folder) == []


async def test_a_copy_that_cannot_be_removed_stays_and_can_be_given_back(living, refuse):
    old = await learned(living, "By the way, I live in Berlin.")
    new = await learned(living, "By the way, I moved to Lisbon.")
    refuse(removing=memory_file)
    with pytest.raises(ConchError, match="kept among what used to be true"):
        living.conch.learning.forget_earlier(old.memory)
    assert living.conch.learning.record(old.id).state == "applied"
    assert broken_promises(living.folder) == []
    refuse()
    living.conch.learning.undo(new.id)
    assert living.memories == ["Lives in Berlin"]


@pytest.mark.parametrize("answer", ["undo", "forget_memory"])
async def test_what_comes_after_the_files_is_done_once_the_disk_lets_it(living, refuse, answer):
    record = await learned(living, *CORRECTION)
    refuse(writing=lambda path: path.name == "never.json")
    reference = record.id if answer == "undo" else record.memory
    getattr(living.conch.learning, answer)(reference)
    assert living.memories == []
    assert living.conch.parts.record.state.unfinished
    refuse()
    await living.quiet()
    assert never(living) == ["Prefers TypeScript"]
    assert len(decisions(living, record.chat)) == 1
    assert broken_promises(living.folder) == []


async def test_an_answer_that_cannot_even_be_given_up_is_carried_out_later(
    living, refuse, monkeypatch
):
    record = await learned(living, *CORRECTION)
    refuse(removing=memory_file)
    writes = living.conch.parts.record.write

    def all_but_done(kind, value=None):
        if kind == "done":
            raise OSError(errno.ENOSPC, "No space left on device")
        writes(kind, value)

    monkeypatch.setattr(living.conch.parts.record, "write", all_but_done)
    with pytest.raises(ConchError, match=r"For now it is still used. Conch tries again by itself"):
        living.conch.learning.undo(record.id)
    monkeypatch.undo()
    living.start()
    assert living.memories == []
    assert never(living) == ["Prefers TypeScript"]
    assert broken_promises(living.folder) == []


async def test_an_answer_cut_off_and_then_refused_is_given_up_and_said(living, refuse):
    record = await learned(living, *CORRECTION)

    def die(path):
        raise KeyboardInterrupt

    refuse(removing=die)
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(record.id)
    refuse(removing=memory_file)
    living.start()
    assert any("refused to carry out" in note.text for note in living.home.notes.recent())
    await stays_as_it_was(living, record, ["Prefers TypeScript"])


async def test_a_journal_that_cannot_be_written_is_said_the_same_way(living, monkeypatch):
    record = await learned(living, *CORRECTION)

    def refuses(kind, value=None):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(living.conch.parts.record, "write", refuses)
    with pytest.raises(ConchError, match=r"Read-only file system. Nothing changed"):
        living.conch.learning.undo(record.id)
