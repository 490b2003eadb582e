"""What a person does to the files of memories that were taken back or replaced, and Undo then."""

from __future__ import annotations

import shutil

import pytest

from conch.chats.events import LeftOut, PersonMessage, TaintMarked, TurnCompleted
from conch.evals.promises import broken_promises
from conch.home.errors import ConchError
from conch.memory.by_hand import STILL_WAITS
from living import CORRECTION


async def learned(living, *messages, chat=""):
    """Say these, let the chat go quiet; gives the newest record."""
    await living.say(*messages, chat=chat)
    await living.quiet()
    return living.conch.learning.records()[0]


async def moved(living):
    first = await learned(living, "By the way, I live in Berlin.")
    return first, await learned(living, "By the way, I moved to Lisbon.")


def file_of(living, record):
    return living.home.memory / f"{record.memory}.md"


def crash_at(monkeypatch, where, name):
    def crash(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(where, name, crash)


def notes(living):
    return " ".join(note.text for note in living.home.notes.recent())


@pytest.mark.parametrize("taken_back", ["undo", "forget"])
@pytest.mark.parametrize("noticed", ["by the sweep", "at a start", "while it is watched"])
async def test_what_was_taken_back_and_is_put_back_by_hand_is_the_persons_own(
    living, taken_back, noticed
):
    record = await learned(living, *CORRECTION)
    file = file_of(living, record).read_bytes()
    getattr(living.conch.learning, taken_back)(record.id)
    file_of(living, record).write_bytes(file)
    if noticed == "by the sweep":
        await living.quiet()
    elif noticed == "at a start":
        living.start()
    else:
        assert living.conch.learning.notice_what_is_put_back() == 1
    memory = living.conch.memories.get(record.memory)
    assert memory is not None
    assert (memory.text, memory.source, memory.learned, memory.usable) == (
        "Prefers TypeScript",
        "you",
        "",
        True,
    )
    assert "was taken back, and its file was put back by hand, so it is yours now" in notes(living)
    assert f"conch memory forget {record.memory}" in notes(living)
    assert living.conch.learning.notice_what_is_put_back() == 0
    assert broken_promises(living.folder) == []
    for answer in (living.conch.learning.undo, living.conch.learning.forget):
        with pytest.raises(ConchError, match="put back by hand since") as refused:
            answer(record.id)
        assert refused.value.do == f"To remove it: conch memory forget {record.memory}"
    living.conch.learning.forget_memory(record.memory)
    assert living.memories == []
    assert len(living.conch.parts.never.items()) == 1
    assert broken_promises(living.folder) == []


async def test_undo_says_so_before_anything_noticed_it(living):
    record = await learned(living, *CORRECTION)
    file = file_of(living, record).read_bytes()
    living.conch.learning.undo(record.id)
    file_of(living, record).write_bytes(file)
    with pytest.raises(ConchError, match="put back by hand since"):
        living.conch.learning.undo(record.id)


async def test_what_waited_when_it_was_forgotten_waits_when_it_is_put_back(living):
    chat = living.conch.chats.new(origin="channel")
    record = await learned(living, *CORRECTION, chat=chat)
    file = file_of(living, record).read_bytes()
    living.conch.learning.forget(record.id)
    file_of(living, record).write_bytes(file)
    living.start()
    memory = living.conch.memories.get(record.memory)
    assert memory is not None
    assert memory.source == "you"
    assert memory.waits.startswith("It was said in a chat app")
    assert living.memories == []
    assert broken_promises(living.folder) == []


async def test_one_put_back_with_other_words_is_checked_like_any_hand_edit(living):
    chat = living.conch.chats.new(origin="channel")
    record = await learned(living, *CORRECTION, chat=chat)
    file = file_of(living, record).read_text()
    living.conch.learning.forget(record.id)
    secret = "The router password is hunter2-correct-horse"
    file_of(living, record).write_text(file.replace("Prefers TypeScript", secret))
    living.start()
    memory = living.conch.memories.get(record.memory)
    assert memory is not None
    assert memory.held is not None
    assert memory.waits == STILL_WAITS
    assert secret not in notes(living)
    assert living.memories == []


@pytest.mark.parametrize("at", ["remove", "unretire"])
async def test_an_undo_on_its_way_makes_nothing_the_persons(living, monkeypatch, at):
    first, record = await moved(living)
    crash_at(monkeypatch, living.conch.memories, at)
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(record.id)
    monkeypatch.undo()
    assert living.conch.parts.record.state.unfinished
    assert living.conch.learning.notice_what_is_put_back() == 0
    assert living.conch.memories.get(record.memory).source == "learning"
    living.start()
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.memories.get(first.memory).source == "learning"
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("how", ["moved back", "copied back", "from a backup"])
async def test_what_was_replaced_and_is_put_back_by_hand_is_the_persons_own(living, how):
    first = await learned(living, "By the way, I live in Berlin.")
    backup = file_of(living, first).read_bytes()
    second = await learned(living, "By the way, I moved to Lisbon.")
    copy = living.home.superseded / f"{first.memory}.md"
    if how == "moved back":
        copy.rename(file_of(living, first))
    elif how == "copied back":
        shutil.copy(copy, file_of(living, first))
    else:
        file_of(living, first).write_bytes(backup)
    await living.quiet()
    assert living.memories == ["Lives in Berlin", "Lives in Lisbon"]
    assert living.conch.memories.get(first.memory).source == "you"
    assert "was replaced by “Lives in Lisbon”, and its file was put back by hand" in notes(living)
    assert not copy.exists()
    assert broken_promises(living.folder) == []
    living.conch.learning.undo(second.id)
    assert living.memories == ["Lives in Berlin"]
    living.start()
    assert broken_promises(living.folder) == []
    with pytest.raises(ConchError, match="changed or put back by hand"):
        living.conch.learning.undo(first.id)


async def test_putting_back_is_noticed_though_it_is_cut_off_halfway(living, monkeypatch):
    from conch.home import files

    first = await learned(living, "By the way, I live in Berlin.")
    backup = file_of(living, first).read_bytes()
    await learned(living, "By the way, I moved to Lisbon.")
    file_of(living, first).write_bytes(backup)
    crash_at(monkeypatch, files, "remove")
    with pytest.raises(KeyboardInterrupt):
        living.start()
    monkeypatch.undo()
    assert (living.home.superseded / f"{first.memory}.md").exists()
    living.start()
    assert not (living.home.superseded / f"{first.memory}.md").exists()
    assert living.conch.memories.get(first.memory).source == "you"
    assert broken_promises(living.folder) == []


async def test_a_disk_that_refuses_is_asked_again_with_the_next_sweep(living, monkeypatch):
    record = await learned(living, *CORRECTION)
    file = file_of(living, record).read_bytes()
    living.conch.learning.undo(record.id)
    file_of(living, record).write_bytes(file)

    from conch.home import files

    def refuses(path, data, mode=0o600):
        if path == file_of(living, record):
            raise OSError(28, "No space left on device")
        return writes(path, data, mode)

    writes = files.write_atomic
    monkeypatch.setattr(files, "write_atomic", refuses)
    await living.quiet()
    assert living.conch.memories.get(record.memory).source == "learning"
    monkeypatch.undo()
    await living.quiet()
    assert living.conch.memories.get(record.memory).source == "you"


@pytest.mark.parametrize("swept", [False, True], ids=["at once", "after a sweep"])
async def test_undo_brings_back_what_a_deleted_file_had_replaced(living, swept):
    first = await learned(living, "By the way, I live in Berlin.")
    before = file_of(living, first).read_bytes()
    second = await learned(living, "By the way, I moved to Lisbon.")
    file_of(living, second).unlink()
    if swept:
        await living.quiet()
        assert f"To have back “Lives in Berlin”: conch undo {second.id}" in notes(living)
    done = living.conch.learning.undo(second.id)
    assert done.note == "Back as it was: Lives in Berlin"
    assert file_of(living, first).read_bytes() == before
    assert living.conch.learning.record(second.id).state == "undone"
    assert living.conch.memories.earlier() == []
    living.start()
    assert broken_promises(living.folder) == []
    with pytest.raises(ConchError, match="taken back already"):
        living.conch.learning.undo(second.id)


async def test_undo_of_a_deleted_file_is_cut_off_and_carried_through(living, monkeypatch):
    _, second = await moved(living)
    file_of(living, second).unlink()
    await living.quiet()
    crash_at(monkeypatch, living.conch.memories, "unretire")
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(second.id)
    monkeypatch.undo()
    living.start()
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.learning.record(second.id).state == "undone"
    assert broken_promises(living.folder) == []


async def test_what_something_else_replaced_since_does_not_come_back_beside_it(living):
    _, second = await moved(living)
    third = await learned(living, "By the way, I moved to Porto.")
    (living.home.superseded / f"{second.memory}.md").unlink()
    with pytest.raises(ConchError, match="its file is gone"):
        living.conch.learning.undo(second.id)
    await living.quiet()
    with pytest.raises(ConchError, match="taken back already"):
        living.conch.learning.undo(second.id)
    assert living.memories == ["Lives in Porto"]
    assert living.conch.learning.record(third.id).state == "applied"


async def test_a_copy_that_was_forgotten_and_put_back_is_brought_back_by_undo(living):
    first, second = await moved(living)
    copy = living.home.superseded / f"{first.memory}.md"
    kept = copy.read_bytes()
    living.conch.learning.forget_earlier(first.memory)
    copy.write_bytes(kept)
    living.conch.learning.undo(second.id)
    assert living.memories == ["Lives in Berlin"]
    await living.quiet()
    assert living.conch.memories.get(first.memory).source == "you"
    assert broken_promises(living.folder) == []


async def test_taking_back_words_the_person_wrote_too_says_that_they_are_still_used(living):
    record = await learned(living, *CORRECTION)
    (living.home.memory / "mine.md").write_text("Prefers TypeScript\n")
    (own,) = living.conch.memories.usable()
    note = living.conch.learning.undo(record.id).note
    assert "Another memory says the same and is still used" in note
    assert f"conch memory forget {own.id}" in note
    assert living.memories == ["Prefers TypeScript"]
    assert broken_promises(living.folder) == []


async def test_a_copy_of_its_file_does_not_outlive_an_undo(living):
    record = await learned(living, *CORRECTION)
    shutil.copy(file_of(living, record), living.home.memory / "a copy.md")
    living.conch.learning.undo(record.id)
    living.start()
    assert living.conch.memories.all() == []
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize(("why", "saved"), [("edited", False), ("retried", False), (None, True)])
async def test_words_that_no_longer_stand_make_no_saved_memory(living, why, saved):
    chat = living.conch.chats.new(title="a chat")
    log = living.conch.chats.log(chat)
    said = log.append(PersonMessage(text="I always take the tram to work."))
    log.append(TurnCompleted(outcome="success", engine=living.answering.id))
    if why is not None:
        log.append(LeftOut(from_seq=said.seq, why=why))
        log.append(PersonMessage(text="What is new today?"))
    log.append(TaintMarked(kind="web", label="page.example"))
    remembered = living.conch.learning.remember(chat, "Always takes the tram to work")
    memory = living.conch.memories.get(remembered.memory)
    assert (memory is not None and memory.provenance.yours) is saved
    assert remembered.outcome == ("waits" if saved else "refused")


async def test_words_tried_again_still_stand(living):
    chat = living.conch.chats.new(title="a chat")
    log = living.conch.chats.log(chat)
    said = log.append(PersonMessage(text="I always take the tram to work."))
    log.append(LeftOut(from_seq=said.seq, why="retried"))
    log.append(PersonMessage(text="I always take the tram to work."))
    saved = living.conch.learning.remember(chat, "Always takes the tram to work")
    assert living.conch.memories.get(saved.memory).provenance.yours


async def test_the_file_of_before_its_keep_waits_again_and_can_be_kept_again(living):
    chat = living.conch.chats.new(origin="channel")
    record = await learned(living, *CORRECTION, chat=chat)
    before = file_of(living, record).read_bytes()
    living.keep(record.id)
    file_of(living, record).write_bytes(before)
    living.start()
    memory = living.conch.memories.get(record.memory)
    assert (memory.source, memory.usable, bool(memory.waits)) == ("you", False, True)
    assert broken_promises(living.folder) == []
    consent = living.conch.consents.mint(memory.id, memory.words_hash)
    living.conch.memories.keep(memory.id, consent)
    assert living.memories == ["Prefers TypeScript"]
    assert broken_promises(living.folder) == []
