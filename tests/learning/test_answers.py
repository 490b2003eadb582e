"""Undo, Keep and Forget in any order, and what the person does to the files by hand (§5, §6)."""

import pytest

from conch.chats.events import MemorySaved
from conch.evals.promises import broken_promises
from conch.home.errors import ConchError
from conch.learning import answers, apply
from conch.learning.record import Done, Forgot
from conch.learning.whereabouts import otherwise, where_memories_are
from conch.memory.memory import words_hash
from living import CORRECTION


async def learned(living, *messages):
    """Say these in a chat of their own, let it go quiet; gives the newest record."""
    await living.say(*messages)
    await living.quiet()
    return living.conch.learning.records()[0]


async def moves(living, *cities):
    first = await learned(living, f"By the way, I live in {cities[0]}.")
    return [
        first,
        *[await learned(living, f"By the way, I moved to {city}.") for city in cities[1:]],
    ]


def file_of(living, memory):
    return living.home.memory / f"{memory}.md"


def by_hand(living, memory, old, new):
    path = file_of(living, memory)
    path.write_text(path.read_text().replace(old, new))


def crash_at(monkeypatch, where, name):
    def crash(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(where, name, crash)


async def test_a_chain_is_taken_back_from_its_end_byte_for_byte(living):
    a, b, c = await moves(living, "Berlin", "Lisbon", "Porto")
    kept = {one.id: one for one in living.conch.memories.earlier()}
    assert living.memories == ["Lives in Porto"]
    assert {one.text for one in kept.values()} == {"Lives in Berlin", "Lives in Lisbon"}
    with pytest.raises(ConchError, match="replaced since, by “Lives in Porto”"):
        living.conch.learning.undo(b.id)
    with pytest.raises(ConchError, match="replaced since, by"):
        living.conch.learning.forget(a.id)
    living.conch.learning.undo(c.id)
    assert living.memories == ["Lives in Lisbon"]
    living.conch.learning.undo(b.id)
    assert living.memories == ["Lives in Berlin"]
    living.conch.learning.undo(a.id)
    assert living.conch.memories.all() == living.conch.memories.earlier() == []
    never = [item.text for item in living.conch.parts.never.items()]
    assert never == ["Lives in Porto", "Lives in Lisbon", "Lives in Berlin"]
    assert broken_promises(living.folder) == []


async def test_a_chain_undone_to_its_start_is_undone_and_not_forgotten_as_well(living):
    a, b = await moves(living, "Berlin", "Lisbon")
    living.conch.learning.undo(b.id)
    living.conch.learning.undo(a.id)
    await living.quiet()
    assert living.conch.learning.record(a.id).state == "undone"
    assert living.conch.parts.record.state.forgotten == set()
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("first", ["undo", "forget"])
@pytest.mark.parametrize("then", ["undo", "forget"])
async def test_what_was_taken_back_is_not_answered_again(living, first, then):
    record = await learned(living, *CORRECTION)
    getattr(living.conch.learning, first)(record.id)
    taken_back = living.conch.learning.record(record.id)
    journal = (living.home.learning / "record.jsonl").read_bytes()
    with pytest.raises(ConchError, match="taken back already"):
        getattr(living.conch.learning, then)(record.id)
    living.start()
    assert living.conch.learning.record(record.id) == taken_back
    assert (living.home.learning / "record.jsonl").read_bytes() == journal


async def test_a_file_put_back_by_hand_is_forgotten_and_its_record_stays_undone(living):
    record = await learned(living, *CORRECTION)
    file = file_of(living, record.memory).read_bytes()
    living.conch.learning.undo(record.id)
    file_of(living, record.memory).write_bytes(file)
    assert living.memories == ["Prefers TypeScript"]
    living.conch.learning.forget_memory(record.memory)
    assert living.memories == []
    assert living.conch.learning.record(record.id).state == "undone"
    assert broken_promises(living.folder) == []


async def test_a_copy_put_back_by_hand_is_forgotten_and_its_record_stays_undone(living):
    a, b = await moves(living, "Berlin", "Lisbon")
    copy = living.home.superseded / f"{a.memory}.md"
    kept = copy.read_bytes()
    living.conch.learning.undo(b.id)
    living.conch.learning.undo(a.id)
    copy.write_bytes(kept)
    living.conch.learning.forget_earlier(a.memory)
    await living.quiet()
    assert not copy.exists()
    assert living.conch.learning.record(a.id).state == "undone"
    assert broken_promises(living.folder) == []


async def test_two_answers_for_one_thing_break_a_promise(living):
    record = await learned(living, *CORRECTION)
    living.conch.learning.undo(record.id)
    twice = Forgot(id="forgot_twice", memory=record.memory, earlier=True)
    living.conch.parts.record.write("forgot", twice)
    living.conch.parts.record.write("done", Done(id=twice.id))
    assert broken_promises(living.folder) == [f"record {record.id} was undone and then forgotten"]


async def test_forgetting_the_end_of_a_chain_brings_nothing_back(living):
    _, b, c = await moves(living, "Berlin", "Lisbon", "Porto")
    living.conch.learning.forget(c.id)
    assert living.memories == []
    assert len(living.conch.memories.earlier()) == 2
    with pytest.raises(ConchError, match="no longer there"):
        living.conch.learning.undo(b.id)
    assert broken_promises(living.folder) == []


async def test_of_two_kept_in_place_of_one_only_the_first_gives_it_back(living):
    own = living.conch.learning.add_own("Lives in Berlin")
    first = await learned(living, "By the way, I moved to Lisbon.")
    second = await learned(living, "By the way, I moved to Porto.")
    assert [first.state, second.state] == ["waiting", "waiting"]
    living.keep(first.id)
    assert "“Lives in Lisbon” says otherwise" in living.keep(second.id).note
    assert living.memories == ["Lives in Lisbon", "Lives in Porto"]
    living.conch.learning.undo(second.id)
    assert living.memories == ["Lives in Lisbon"]
    living.conch.learning.undo(first.id)
    assert [memory.id for memory in living.conch.memories.usable()] == [own.id]
    assert broken_promises(living.folder) == []


async def test_keeping_what_is_known_by_now_replaces_nothing(living):
    living.conch.learning.add_own("Lives in Berlin")
    waiting = await learned(living, "By the way, I moved to Lisbon.")
    living.conch.learning.add_own("Lives in Lisbon")
    assert "knew that already" in living.keep(waiting.id).note
    assert "Lives in Berlin" in living.memories


async def test_a_copy_that_is_forgotten_touches_nothing_live(living):
    a, b = await moves(living, "Berlin", "Lisbon")
    living.conch.learning.forget_earlier(a.memory)
    assert living.memories == ["Lives in Lisbon"]
    assert living.conch.parts.never.items() == ()
    assert living.conch.learning.record(a.id).state == "forgotten"
    living.conch.learning.undo(b.id)
    assert living.conch.memories.all() == []
    assert broken_promises(living.folder) == []
    with pytest.raises(ConchError, match="no such earlier"):
        living.conch.learning.forget_earlier(a.memory)


async def test_a_persons_own_copy_that_is_forgotten_is_not_missed(living):
    own = living.conch.learning.add_own("Lives in Berlin")
    waiting = await learned(living, "By the way, I moved to Lisbon.")
    living.keep(waiting.id)
    living.conch.learning.forget_earlier(own.id)
    assert broken_promises(living.folder) == []


async def test_forgetting_what_was_edited_by_hand_ends_its_record_too(living):
    record = await learned(living, *CORRECTION)
    by_hand(living, record.memory, "Prefers TypeScript", "Prefers Rust")
    assert living.memories == ["Prefers Rust"]
    living.conch.learning.forget_memory(record.memory)
    assert living.conch.learning.record(record.id).state == "forgotten"
    assert living.conch.parts.never.items() == ()
    assert broken_promises(living.folder) == []


async def test_a_file_deleted_by_hand_counts_as_forgotten(living):
    record = await learned(living, *CORRECTION)
    file_of(living, record.memory).unlink()
    await living.quiet()
    assert living.conch.learning.record(record.id).state == "forgotten"
    assert [item.text for item in living.conch.parts.never.items()] == ["Prefers TypeScript"]
    await living.say(*CORRECTION)
    await living.quiet()
    assert living.memories == []
    assert broken_promises(living.folder) == []


async def test_a_file_set_aside_as_damaged_is_not_forgotten(living):
    record = await learned(living, *CORRECTION)
    path = file_of(living, record.memory)
    path.write_bytes(path.read_bytes().replace(b"kind: preference", b"kind: [unclosed"))
    await living.quiet()
    assert living.memories == []
    assert living.conch.learning.record(record.id).state == "applied"
    assert living.conch.parts.never.items() == ()
    with pytest.raises(ConchError, match="can't be read and was set aside"):
        living.conch.learning.undo(record.id)
    where = where_memories_are(living.conch.parts)
    assert "set aside" in otherwise(living.conch.learning.record(record.id), where)


async def test_what_was_learned_says_when_its_memory_is_not_there(living):
    a, b = await moves(living, "Berlin", "Lisbon")
    c = await learned(living, *CORRECTION)
    file_of(living, c.memory).unlink()
    records = living.conch.learning.records()
    where = where_memories_are(living.conch.parts)
    said = {record.id: otherwise(record, where) for record in records}
    assert said == {a.id: "replaced since", b.id: "", c.id: "its file is gone"}
    with pytest.raises(ConchError, match="its file is gone"):
        living.conch.learning.undo(c.id)
    await living.quiet()
    with pytest.raises(ConchError, match="taken back already"):
        living.conch.learning.undo(c.id)
    assert broken_promises(living.folder) == []


async def test_a_folder_that_is_gone_forgets_nothing(living):
    record = await learned(living, *CORRECTION)
    living.home.memory.rename(living.home.root / "elsewhere")
    living.start()
    assert living.conch.learning.record(record.id).state == "applied"
    assert living.conch.parts.never.items() == ()


async def test_the_copy_is_deleted_by_hand_and_undo_leaves_one_of_the_two(living):
    a, b = await moves(living, "Berlin", "Lisbon")
    (living.home.superseded / f"{a.memory}.md").unlink()
    with pytest.raises(ConchError, match="copy of what used to be true is missing"):
        living.conch.learning.undo(b.id)
    assert living.memories == ["Lives in Lisbon"]
    await living.quiet()
    assert broken_promises(living.folder) == []
    assert living.conch.parts.never.items() == ()


async def test_undo_is_cut_off_and_the_person_edits_the_memory_before_the_restart(
    living, monkeypatch
):
    record = await learned(living, *CORRECTION)
    crash_at(monkeypatch, living.conch.memories, "remove")
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(record.id)
    monkeypatch.undo()
    by_hand(living, record.memory, "Prefers TypeScript", "Prefers Rust")
    living.start()
    assert living.memories == ["Prefers Rust"]
    assert living.conch.learning.record(record.id).state == "applied"
    assert broken_promises(living.folder) == []


async def test_undo_is_cut_off_after_the_old_one_is_back(living, monkeypatch):
    _, b = await moves(living, "Berlin", "Lisbon")
    crash_at(monkeypatch, living.conch.memories, "remove")
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(b.id)
    monkeypatch.undo()
    living.start()
    assert living.memories == ["Lives in Berlin"]
    assert broken_promises(living.folder) == []


async def test_undo_is_cut_off_and_the_copy_deleted_one_of_the_two_is_left(living, monkeypatch):
    a, b = await moves(living, "Berlin", "Lisbon")
    crash_at(monkeypatch, living.conch.memories, "unretire")
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(b.id)
    monkeypatch.undo()
    (living.home.superseded / f"{a.memory}.md").unlink()
    living.start()
    assert living.memories == ["Lives in Lisbon"]
    assert living.conch.learning.record(b.id).state == "applied"
    assert broken_promises(living.folder) == []


async def test_keep_is_cut_off_and_the_words_changed_it_still_waits_and_retires_nothing(
    living, monkeypatch
):
    living.conch.learning.add_own("Lives in Berlin")
    record = await learned(living, "By the way, I moved to Lisbon.")
    crash_at(monkeypatch, answers, "carry_out")
    with pytest.raises(KeyboardInterrupt):
        living.keep(record.id)
    monkeypatch.undo()
    by_hand(living, record.memory, "Lives in Lisbon", "Lives in Lisbon, sometimes")
    living.start()
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.learning.record(record.id).state == "waiting"
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("at", ["write_planned", "rewrite_planned", "retire"])
async def test_a_look_is_cut_off_and_the_old_memory_edited_before_the_restart(
    living, monkeypatch, at
):
    first = await learned(living, "By the way, I live in Berlin.")
    await living.say("By the way, I moved to Lisbon.")
    if at == "rewrite_planned":
        # Cut off twice: the second time after the new one was made to wait.
        crash_at(monkeypatch, living.conch.memories, "retire")
    else:
        crash_at(monkeypatch, living.conch.memories, at)
    with pytest.raises(KeyboardInterrupt):
        await living.quiet()
    monkeypatch.undo()
    by_hand(living, first.memory, "Lives in Berlin", "Lives in Berlin and Bonn")
    if at == "rewrite_planned":
        crash_at(monkeypatch, apply, "Done")
        with pytest.raises(KeyboardInterrupt):
            living.start()
        monkeypatch.undo()
    living.start()
    record = living.conch.learning.records()[0]
    assert living.memories == ["Lives in Berlin and Bonn"]
    assert record.state == "waiting"
    assert "changed meanwhile" in record.waits[0]
    assert broken_promises(living.folder) == []


async def test_what_was_undone_before_its_look_was_done_does_not_come_back(living, monkeypatch):
    await living.say(*CORRECTION)
    writes = living.conch.parts.record.write

    def all_but_done(kind, value=None):
        if kind == "done":
            raise OSError("no space left")
        writes(kind, value)

    monkeypatch.setattr(living.conch.parts.record, "write", all_but_done)
    await living.quiet()
    monkeypatch.undo()
    record = living.conch.learning.records()[0]
    living.conch.learning.undo(record.id)
    living.start()
    assert living.memories == []
    assert broken_promises(living.folder) == []


async def test_what_the_assistant_saved_is_noted_once_when_cut_off(living, monkeypatch):
    chat = await living.say("I use pnpm.")
    crash_at(monkeypatch, apply, "_note_saved")
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.remember(chat, "Uses pnpm")
    monkeypatch.undo()
    for _ in range(2):
        living.start()
    saved = [one for one in living.conch.chats.log(chat).events() if isinstance(one, MemorySaved)]
    assert [one.text for one in saved] == ["Uses pnpm"]
    assert living.memories == ["Uses pnpm"]


async def test_what_waits_is_not_known_already_when_the_assistant_saves_it_again(living):
    chat = living.conch.chats.new(origin="channel")
    await living.say("I use pnpm.", chat=chat)
    assert living.conch.learning.remember(chat, "Uses pnpm").outcome == "waits"
    again = living.conch.learning.remember(chat, "Uses pnpm")
    assert again.outcome == "waits"
    assert "Nobody was there" in again.why


async def test_a_deleted_chat_takes_nothing_learned_with_it(living):
    chat = await living.say(*CORRECTION)
    await living.quiet()
    living.conch.chats.delete(chat)
    record = living.conch.learning.records()[0]
    assert broken_promises(living.folder) == []
    living.conch.learning.undo(record.id)
    assert living.memories == []
    assert broken_promises(living.folder) == []


async def test_edited_words_that_were_kept_are_the_persons(living):
    chat = living.conch.chats.new(origin="channel")
    await living.say(*CORRECTION, chat=chat)
    await living.quiet()
    record = living.conch.learning.records()[0]
    consent = living.conch.consents.mint(record.memory, words_hash("Prefers TypeScript, strict"))
    living.conch.memories.edit(record.memory, "Prefers TypeScript, strict", consent)
    assert living.memories == []
    living.keep(record.id)
    assert living.memories == ["Prefers TypeScript, strict"]
    with pytest.raises(ConchError, match="yours now"):
        living.conch.learning.undo(record.id)
    assert broken_promises(living.folder) == []
