"""Quiet learning end to end: a chat goes quiet and is learned from (spec 0088 §1 to §6)."""

import pytest

from conch.chats.events import (
    Archived,
    AssistantMessage,
    PersonMessage,
    QuietMark,
    TaintMarked,
    TurnCompleted,
)
from conch.evals.promises import broken_promises
from conch.home.errors import ConchError
from conch.memory.memory import words_hash
from living import CORRECTION, brought_in


async def test_a_correction_is_learned_said_once_and_known_in_the_next_chat(living):
    chat = await living.say(*CORRECTION)
    (result,) = await living.quiet()
    assert result.outcome == "learned"
    assert living.memories == ["Prefers TypeScript"]
    (line,) = living.lines(chat)
    assert [item.text for item in line.items] == ["Prefers TypeScript"]
    await living.quiet()
    assert len(living.lines(chat)) == 1
    record = living.conch.learning.records()[0]
    assert record.quotes == ("No, I meant TypeScript.",)
    assert record.signals == ("correction",)
    assert record.chat == chat


async def test_the_last_turn_must_have_ended_ten_minutes_ago(living):
    await living.say(*CORRECTION)
    assert await living.quiet(minutes=9) == []
    assert len(await living.quiet(minutes=2)) == 1


async def test_a_chat_about_nothing_costs_nothing(living):
    await living.say("What is the capital of France?", "And of Spain?")
    (result,) = await living.quiet()
    assert result.outcome == "nothing_to_learn"
    assert not result.asked
    assert await living.quiet() == []


async def test_what_changed_is_superseded_and_undo_brings_back_the_bytes(living):
    await living.say("I live in Berlin. What is the weather like?")
    await living.quiet()
    assert living.memories == ["Lives in Berlin"]
    (old,) = living.conch.memories.usable()
    before = living.conch.memories.raw(old.id)
    await living.say("I moved to Lisbon. What should I see?")
    await living.quiet()
    assert living.memories == ["Lives in Lisbon"]
    (earlier,) = living.conch.memories.earlier()
    assert earlier.text == "Lives in Berlin"
    assert earlier.invalid_at is not None
    record = living.conch.learning.records()[0]
    assert record.change == "superseded"
    living.conch.learning.undo(record.id)
    assert living.memories == ["Lives in Berlin"]
    assert living.conch.memories.raw(old.id) == before
    assert living.conch.memories.earlier() == []


async def test_what_was_undone_is_not_learned_again(living):
    await living.say(*CORRECTION)
    await living.quiet()
    living.conch.learning.undo(living.conch.learning.records()[0].id)
    assert living.memories == []
    chat = await living.say(*CORRECTION)
    (result,) = await living.quiet()
    assert [dropped.row for dropped in result.dropped] == ["you told Conch not to learn it"]
    assert living.memories == []
    assert living.lines(chat) == []


async def test_archiving_a_chat_looks_at_it_at_once(living):
    chat = await living.say(*CORRECTION)
    living.conch.chats.log(chat).append(Archived())
    result = await living.conch.learning.look(chat, "archived")
    assert result.outcome == "learned"
    assert living.memories == ["Prefers TypeScript"]


async def test_two_chats_a_sweep_one_at_a_time(living):
    for language in ("TypeScript", "Rust", "Kotlin"):
        await living.say("Write me a script.", f"No, I meant {language}.")
    assert [len(await living.quiet()) for _ in range(3)] == [2, 1, 0]


async def test_learning_off_nothing_is_looked_at_and_never_read_later(living):
    living.conch.learning.switch(on=False)
    chat = await living.say(*CORRECTION)
    assert await living.quiet() == []
    living.conch.learning.switch(on=True)
    await living.say("Now say hello.", chat=chat)
    await living.quiet()
    assert living.memories == []


async def test_turning_learning_on_starts_from_there_also_for_words_said_before(living):
    chat = await living.say(*CORRECTION)
    living.conch.learning.switch(on=False)
    living.conch.learning.switch(on=True)
    await living.say("Now say hello.", chat=chat)
    await living.quiet()
    assert living.memories == []


async def test_a_quiet_chat_is_not_looked_at_and_never_read_later(living):
    chat = await living.say("Hello.")
    living.conch.chats.log(chat).append(QuietMark(on=True))
    await living.say(*CORRECTION, chat=chat)
    assert await living.quiet() == []
    assert (await living.conch.learning.look(chat)).outcome == "quiet"
    living.conch.chats.log(chat).append(QuietMark(on=False))
    await living.say("Now say hello.", chat=chat)
    await living.quiet()
    assert living.memories == []


@pytest.mark.parametrize("origin", ["guest", "routine", "task", "page"])
async def test_a_chat_that_is_never_looked_at(living, origin):
    chat = living.conch.chats.new(origin=origin)
    await living.say(*CORRECTION, chat=chat)
    assert await living.quiet() == []
    assert (await living.conch.learning.look(chat)).outcome == "not_yours"
    assert living.memories == []


@pytest.mark.parametrize("origin", ["channel", "client"])
async def test_where_nobody_sees_the_chat_it_waits_and_no_line_is_written(living, origin):
    chat = living.conch.chats.new(origin=origin)
    await living.say(*CORRECTION, chat=chat)
    (result,) = await living.quiet()
    assert [record.state for record in result.records] == ["waiting"]
    assert living.memories == []
    assert living.lines(chat) == []


async def test_chats_brought_in_are_looked_at_only_when_asked_and_wait(living):
    chat = brought_in(living, *CORRECTION)
    assert await living.quiet() == []
    engine = living.conch.engines.default()
    assert living.conch.learning.brought(engine).chats == (chat,)
    result = await living.conch.learning.look(chat, by=engine)
    assert [record.state for record in result.records] == ["waiting"]
    assert living.memories == []


async def test_someone_elses_words_in_the_chat_nothing_is_learned(living):
    chat = await living.say(*CORRECTION)
    living.conch.chats.log(chat).append(TaintMarked(kind="person", label="Ada"))
    await living.say("Thanks.", chat=chat)
    (result,) = await living.quiet()
    assert result.outcome == "someone_else"
    assert living.memories == []
    assert await living.quiet() == []


async def test_after_reading_something_from_outside_it_waits_and_says_where(living):
    chat = await living.say("Hello.")
    living.conch.chats.log(chat).append(TaintMarked(kind="web", label="trains.example"))
    await living.say(*CORRECTION, chat=chat)
    (result,) = await living.quiet()
    (record,) = result.records
    assert record.state == "waiting"
    assert record.waits == ("Learned in a chat that read trains.example.",)
    (line,) = living.lines(chat)
    assert line.items[0].state == "waits"
    assert living.memories == []
    living.keep(record.id)
    assert living.memories == ["Prefers TypeScript"]


async def test_words_said_before_the_chat_read_anything_are_free_of_it(living):
    chat = await living.say(*CORRECTION)
    living.conch.chats.log(chat).append(TaintMarked(kind="web", label="trains.example"))
    await living.say("Thank you.", chat=chat)
    await living.quiet()
    assert living.memories == ["Prefers TypeScript"]


async def test_keep_is_for_exactly_the_words_the_person_saw(living):
    chat = living.conch.chats.new(origin="channel")
    await living.say(*CORRECTION, chat=chat)
    (result,) = await living.quiet()
    (record,) = result.records
    conch = living.conch
    other = conch.consents.mint(record.memory, words_hash("Prefers Python"))
    with pytest.raises(ConchError, match="changed since you saw them"):
        conch.learning.keep(record.id, other)
    consent = conch.consents.mint(record.memory, words_hash("Prefers TypeScript"))
    conch.learning.keep(record.id, consent)
    with pytest.raises(ConchError):
        conch.learning.keep(record.id, consent)
    assert living.memories == ["Prefers TypeScript"]


async def test_replacing_what_you_wrote_yourself_waits_and_keep_swaps_them(living):
    living.conch.learning.add_own("Lives in Berlin")
    await living.say("By the way, I moved to Lisbon.")
    (result,) = await living.quiet()
    (record,) = result.records
    assert record.state == "waiting"
    assert living.memories == ["Lives in Berlin"]
    living.keep(record.id)
    assert living.memories == ["Lives in Lisbon"]
    assert [memory.text for memory in living.conch.memories.earlier()] == ["Lives in Berlin"]


async def test_a_replacement_that_waits_retires_nothing_when_the_old_one_changed_since(living):
    own = living.conch.learning.add_own("Lives in Berlin")
    await living.say("By the way, I moved to Lisbon.")
    await living.quiet()
    consent = living.conch.consents.mint(own.id, words_hash("Lives in Berlin, Mitte"))
    living.conch.memories.edit(own.id, "Lives in Berlin, Mitte", consent)
    done = living.keep(living.conch.learning.records()[0].id)
    assert "changed since" in done.note
    assert living.memories == ["Lives in Berlin, Mitte", "Lives in Lisbon"]


async def test_more_than_three_in_one_look_the_rest_wait(living):
    await living.say(
        "I prefer tea over coffee. I prefer Vim over Emacs. I prefer trains over planes. "
        "I prefer mornings over evenings."
    )
    (result,) = await living.quiet()
    assert [record.state for record in result.records] == ["applied"] * 3 + ["waiting"]
    assert "3 things" in result.records[3].waits[0]


async def test_more_than_eight_in_a_day_the_rest_wait(living):
    pairs = ["tea", "Vim", "trains", "rain", "cats", "jazz", "bread", "chess", "fog"]
    for start in range(0, 9, 3):
        a, b, c = pairs[start : start + 3]
        await living.say(f"I prefer {a} in winter. I love {b} at home. I really like {c} a lot.")
        await living.quiet()
    states = [record.state for record in reversed(living.conch.learning.records())]
    assert states == ["applied"] * 8 + ["waiting"]
    living.clock.advance(days=1)
    await living.say(*CORRECTION)
    await living.quiet()
    assert "Prefers TypeScript" in living.memories


async def test_already_known_is_counted_as_seen_again(living):
    await living.say(*CORRECTION)
    await living.quiet()
    await living.say(*CORRECTION)
    results = await living.quiet()
    assert results[0].seen_again == (living.conch.memories.usable()[0].id,)
    assert living.memories == ["Prefers TypeScript"]
    assert living.conch.learning.records()[0].seen == 2


async def test_a_provider_that_did_not_answer_keeps_the_place_and_waits_an_hour(living):
    chat = await living.say("No, I meant review-fail.", "I always use TypeScript.")
    (result,) = await living.quiet()
    assert result.outcome == "no_answer"
    assert await living.quiet(minutes=40) == []
    (again,) = await living.quiet(minutes=21)
    assert again.outcome == "no_answer"
    assert living.conch.parts.record.state.tried[chat].reason == "no_answer"


async def test_an_answer_that_cannot_be_read_twice_is_passed_over(living):
    await living.say("Hello.", "No, I meant review-garble.")
    assert (await living.quiet())[0].outcome == "unreadable"
    assert (await living.quiet(minutes=61))[0].outcome == "passed_over"
    assert await living.quiet(minutes=61) == []


@pytest.mark.not_behind("lmstudio", why="a model runs here then, which may read everything")
async def test_no_engine_that_saw_the_words_and_none_here_keeps_the_place(living):
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    for words in CORRECTION:
        log.append(PersonMessage(text=words))
        log.append(AssistantMessage(text="Yes."))
        log.append(TurnCompleted(outcome="success", engine="gone", model="m"))
    (result,) = await living.quiet()
    assert result.outcome == "no_model"
    assert await living.quiet() == []


async def test_what_happens_while_the_model_reads_counts(living):
    learning, chats = living.conch.learning, living.conch.chats

    async def looked_at(happens, outcome):
        chat = await living.say(*CORRECTION)
        living.clock.advance(minutes=11)
        result = await learning.look(chat, by=living.meanwhile(lambda _: happens(chat)))
        assert result.outcome == outcome
        assert living.memories == []

    await looked_at(lambda chat: learning.switch(on=False), "off")
    learning.switch(on=True)
    await looked_at(lambda chat: chats.log(chat).append(QuietMark(on=True)), "quiet")
    await looked_at(
        lambda chat: (
            chats.log(chat).append(QuietMark(on=True)),
            chats.log(chat).append(QuietMark(on=False)),
        ),
        "quiet",
    )
    await looked_at(lambda chat: chats.delete(chat), "gone")
    never = living.conch.parts.never
    await looked_at(lambda chat: never.add("Prefers TypeScript", "undo"), "nothing_to_learn")


async def test_a_memory_edited_while_the_model_reads_is_not_replaced(living):
    learning, memories = living.conch.learning, living.conch.memories
    await living.say("By the way, I live in Berlin.")
    await living.quiet()
    (old,) = memories.usable()

    def edit():
        consent = living.conch.consents.mint(old.id, words_hash("Lives in Berlin and Bonn"))
        memories.edit(old.id, "Lives in Berlin and Bonn", consent)

    chat = await living.say("By the way, I moved to Lisbon.")
    result = await learning.look(chat, by=living.meanwhile(lambda _: edit()))
    assert [record.state for record in result.records] == ["waiting"]
    assert living.memories == ["Lives in Berlin and Bonn"]


async def test_an_unforeseen_error_neither_blocks_others_nor_is_tried_twice_an_hour(living):
    bad = await living.say(*CORRECTION)
    good = await living.say("Write me a script.", "No, I meant Rust.")
    calls = []

    def breaks(ask):
        calls.append(ask.user)
        if "TypeScript" in ask.user:
            raise KeyError("unforeseen")

    living.always(breaks)
    outcomes = {result.chat: result.outcome for result in await living.quiet()}
    assert outcomes == {bad: "error", good: "learned"}
    assert await living.quiet() == []
    assert len(calls) == 2
    assert "tried again in an hour" in living.home.notes.recent()[0].text
    assert [result.chat for result in await living.quiet(minutes=61)] == [bad]


async def test_words_past_six_thousand_characters_are_the_next_sweeps(living):
    about = "We talked about the garden and the weather for a while, and it was nice. "
    chat = await living.say(f"I prefer tea. {about * 75}")
    await living.say(f"I prefer trains. {about * 75}", chat=chat)
    assert [len(await living.quiet()) for _ in range(3)] == [1, 1, 0]
    assert living.memories == ["Prefers tea", "Prefers trains"]


async def test_a_crash_after_deciding_is_carried_through_and_said_once(living, monkeypatch):
    chat = await living.say(*CORRECTION)

    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("conch.learning.look.apply_look", crash)
    with pytest.raises(KeyboardInterrupt):
        await living.quiet()
    assert living.memories == []
    monkeypatch.undo()
    living.start()
    assert living.memories == ["Prefers TypeScript"]
    assert await living.quiet() == []
    assert len(living.lines(chat)) == 1
    living.start()
    await living.quiet()
    assert len(living.lines(chat)) == 1
    assert broken_promises(living.folder) == []


async def test_what_the_assistant_saves_can_be_undone_and_is_not_saved_again(living):
    chat = await living.say("Please remember that I use pnpm.")
    (record,) = living.conch.learning.records()
    assert record.trigger == "tool"
    assert len(living.memories) == 1
    living.conch.learning.undo(record.id)
    assert living.memories == []
    await living.say("Please remember that I use pnpm.", chat=chat)
    assert living.memories == []
    assert living.conch.learning.records()[0].state == "waiting"


async def test_remember_refuses_a_secret(living):
    saved = living.conch.learning.remember(
        living.conch.chats.new(), "Their password is hunter2butlonger"
    )
    assert saved.outcome == "refused"
    assert living.conch.memories.all() == []


async def test_undo_leaves_words_that_became_the_persons_own(living):
    await living.say(*CORRECTION)
    await living.quiet()
    (memory,) = living.conch.memories.usable()
    consent = living.conch.consents.mint(memory.id, words_hash("Prefers TypeScript, strict"))
    living.conch.memories.edit(memory.id, "Prefers TypeScript, strict", consent)
    with pytest.raises(ConchError, match="yours now"):
        living.conch.learning.undo(living.conch.learning.records()[0].id)
    assert living.memories == ["Prefers TypeScript, strict"]


async def test_a_masked_secret_becomes_no_memory(living):
    await living.say("Hello.", "No, I meant my password is Tr0ub4dor&3x.")
    await living.quiet()
    assert living.conch.memories.all() == []
