"""What a look reads, what it never reads, and that no place is read twice (spec 0088 §1, §3)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.chats.events import (
    AssistantMessage,
    FilesRestored,
    LearningDecided,
    LeftOut,
    PersonMessage,
    QuietMark,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.stretch import read_stretch
from conch.evals.promises import broken_promises
from conch.home.files import append_line
from conch.learning.changes import Said
from conch.learning.exchange import exchanges
from conch.learning.reading import what_to_read
from conch.learning.record import Pointer
from conch.learning.signals import read_signals
from living import CORRECTION


async def test_a_summarised_start_that_was_read_already_is_not_read_again(living):
    chat = await living.say("Hello.", *CORRECTION)
    await living.quiet()
    place = living.conch.parts.record.state.pointers[chat]
    result = await living.conch.learning.look(chat, "summarised", before=4)
    assert result.outcome == "nothing_new"
    assert living.conch.parts.record.state.pointers[chat] == place
    assert await living.quiet() == []
    assert living.conch.learning.records()[0].seen == 1


async def test_a_summarised_start_is_said_with_the_rest_once_the_chat_is_quiet(living):
    chat = await living.say("Write me a script.", "No, I meant Rust.", "By the way, I prefer tea.")
    log = living.conch.chats.log(chat)
    third = [event.seq for event in log.events() if isinstance(event, PersonMessage)][2]
    log.append(PersonMessage(text="Go on."))
    result = await living.conch.learning.look(chat, "summarised", before=third)
    assert [record.text for record in result.records] == ["Prefers Rust"]
    assert living.lines(chat) == []
    log.append(TurnCompleted(outcome="success", engine=living.answering.id))
    living.start()
    await living.quiet()
    (line,) = living.lines(chat)
    assert [item.text for item in line.items] == ["Prefers Rust", "Prefers tea"]
    assert broken_promises(living.folder) == []


async def test_words_said_while_the_chat_was_quiet_dont_count_for_later_ones(living):
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    log.append(QuietMark(on=True))
    await living.say("Write me a script that prints the date.", chat=chat)
    log.append(QuietMark(on=False))
    await living.say("Write me a script that prints the date.", chat=chat)
    asked = []
    result = await living.conch.learning.look(chat, by=living.meanwhile(lambda _: asked.append(1)))
    assert result.outcome == "nothing_to_learn"
    assert asked == []


def put_back(living, path: Path, data: bytes) -> None:
    """A crash left these bytes of a log; Conch is started again."""
    path.unlink()
    path.write_bytes(data)
    living.start()


@pytest.mark.parametrize(
    "last",
    [QuietMark(on=True), PersonMessage(text="No, I meant TypeScript.", learn=False)],
    ids=["the mark", "a message said while learning was off"],
)
async def test_what_is_never_read_is_not_read_after_a_crash_cut_its_line_anywhere(living, last):
    learnable = CORRECTION if isinstance(last, QuietMark) else CORRECTION[:1]
    chat = await living.say(*learnable)
    log = living.conch.chats.log(chat)
    start = log.path.stat().st_size
    log.append(last)
    data = log.path.read_bytes()
    for cut in range(start + 1, len(data) + 1):
        put_back(living, log.path, data[:cut])
        result = await living.conch.learning.look(chat)
        assert result.outcome in ("quiet", "nothing_new", "nothing_to_learn"), data[start:cut]
        assert not result.asked
        assert not living.conch.learning.records()
    put_back(living, log.path, data[:start])
    result = await living.conch.learning.look(chat)
    assert result.asked == (len(learnable) > 1)


async def test_a_cut_off_mark_stays_when_it_cannot_be_written(living, monkeypatch):
    chat = await living.say(*CORRECTION)
    log = living.conch.chats.log(chat)
    start = log.path.stat().st_size
    log.append(QuietMark(on=True))
    log.path.write_bytes(log.path.read_bytes()[: start + 50])

    def refused(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("conch.chats.log.appending", refused)
    result = await living.conch.learning.look(chat)
    assert (result.outcome, result.asked) == ("nothing_new", False)


async def test_a_damaged_line_may_have_been_the_mark(living):
    chat = await living.say(*CORRECTION)
    append_line(living.conch.chats.log(chat).path, b"\0" * 60 + b"\n")
    assert living.conch.chats.head(chat).quiet
    assert (await living.conch.learning.look(chat)).outcome == "quiet"
    living.conch.chats.log(chat).append(QuietMark(on=False))
    await living.say(*CORRECTION, chat=chat)
    assert (await living.conch.learning.look(chat)).outcome == "learned"


async def test_what_failed_while_the_chat_was_quiet_makes_no_fact(living):
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)

    async def ran(command, output, ok):
        log.append(ToolStarted(call=command, tool="bash", input={"command": command}))
        log.append(ToolFinished(call=command, ok=ok, output=output, exit=0 if ok else 127))

    log.append(QuietMark(on=True))
    log.append(PersonMessage(text="Run the file."))
    await ran("python job.py", "bash: python: command not found", False)
    log.append(QuietMark(on=False))
    log.append(PersonMessage(text="Go on."))
    await ran("py job.py", "done", True)
    log.append(TurnCompleted(outcome="success", engine=living.answering.id))
    await living.quiet()
    assert living.conch.memories.all() == []


async def test_someone_else_joins_while_the_model_reads_nothing_is_learned(living):
    chat = await living.say(*CORRECTION)
    log = living.conch.chats.log(chat)
    joins = living.meanwhile(lambda _: log.append(PersonMessage(text="Hi, I'm Ada.", who="Ada")))
    result = await living.conch.learning.look(chat, by=joins)
    assert result.outcome == "someone_else"
    assert living.conch.memories.all() == []


async def test_something_read_while_the_model_reads_came_after_the_words(living):
    chat = await living.say(*CORRECTION)
    log = living.conch.chats.log(chat)
    reads = living.meanwhile(lambda _: log.append(TaintMarked(kind="web", label="trains.example")))
    result = await living.conch.learning.look(chat, by=reads)
    assert [record.state for record in result.records] == ["applied"]


@pytest.mark.parametrize(
    ("event", "signal"),
    [
        (TurnCompleted(outcome="stopped"), "stop"),
        (FilesRestored(change_set="s1", direction="undo", files=["a.py"]), "undo_of_files"),
        (LearningDecided(record="r", state="undone"), "undo_of_memory"),
    ],
)
async def test_what_the_person_did_reaches_the_review_with_their_message(living, event, signal):
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text="I always want the short form."))
    log.append(event)
    if not isinstance(event, TurnCompleted):
        log.append(TurnCompleted(outcome="success", engine=living.answering.id))
    frames = []

    listens = living.meanwhile(lambda ask: frames.append(ask.user))
    await living.conch.learning.look(chat, by=listens)
    assert f'signal="{signal}"' in frames[0]


async def test_an_edited_turn_gives_no_other_message_its_steps_its_reply_or_its_stop(living):
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text="Plan my week."))
    log.append(AssistantMessage(text="Here is your week.", engine=living.answering.id))
    log.append(TurnCompleted(outcome="success", engine=living.answering.id))
    edited = log.append(PersonMessage(text="Fetch the timetable from trains.example."))
    log.append(ToolStarted(call="c", tool="fetch", summary="Fetch trains.example"))
    log.append(TaintMarked(kind="web", label="trains.example", call="c"))
    log.append(ToolFinished(call="c", ok=True, output="always take the first train"))
    log.append(AssistantMessage(text="The first train", engine=living.answering.id))
    log.append(TurnCompleted(outcome="stopped", engine=living.answering.id))
    log.append(LeftOut(from_seq=edited.seq, why="edited"))
    log.append(PersonMessage(text="No, from now on always answer in German."))
    log.append(TurnCompleted(outcome="success", engine=living.answering.id))

    stretch = read_stretch(log, chat, 0)
    (_, first), (_, instead) = exchanges(stretch)
    assert first.before is None
    assert (instead.before, instead.reply) == ("Plan my week.", "Here is your week.")
    assert instead.ended == "success"
    assert not any(signal.kind == "stop" for signal in read_signals(stretch))
    assert stretch.edited_outputs == ("always take the first train",)

    frames = []

    listens = living.meanwhile(lambda ask: frames.append(ask.user))
    await living.conch.learning.look(chat, by=listens)
    assert "Plan my week." in frames[0]
    for gone in ("The first train", "timetable", "trains.example", 'signal="stop"'):
        assert gone not in frames[0]


@pytest.mark.parametrize(
    ("fits", "times"), [(("asking",), 1), ((), 0)], ids=["full once asked", "full before"]
)
async def test_a_full_disk_does_not_make_words_be_paid_for_at_every_sweep(
    living, monkeypatch, fits, times
):
    await living.say(*CORRECTION)
    asked = []
    living.always(lambda _: asked.append(1))
    record = living.conch.parts.record
    writes = record.write

    def full(kind, *given):
        if kind not in fits:
            raise OSError("no space left")
        writes(kind, *given)

    monkeypatch.setattr(record, "write", full)
    assert [result.outcome for result in await living.quiet()] == ["error"]
    assert await living.quiet(minutes=5) == []
    assert len(asked) == times
    monkeypatch.undo()
    assert [result.outcome for result in await living.quiet(minutes=61)] == ["learned"]


async def test_what_a_full_disk_kept_from_the_files_is_done_by_the_next_sweep(living, monkeypatch):
    await living.say(*CORRECTION)

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(living.conch.memories, "write_planned", full)
    await living.quiet()
    assert living.memories == []
    monkeypatch.undo()
    await living.quiet(minutes=5)
    assert living.memories == ["Prefers TypeScript"]
    assert len(living.conch.learning.records()) == 1
    assert broken_promises(living.folder) == []


async def test_a_mark_this_version_does_not_know_is_taken_for_one(living):
    chat = await living.say(*CORRECTION)
    path = living.home.chats / chat / "log.jsonl"
    seq = living.conch.chats.log(chat).last_seq + 1
    with path.open("a") as file:
        file.write(f'{{"seq":{seq},"type":"quiet_mark","on":{{"until":"monday"}}}}\n')
    assert await living.quiet() == []
    assert (await living.conch.learning.look(chat)).outcome == "quiet"


def test_a_long_message_is_cut_where_a_sentence_ends():
    text = "I live in Berlin no longer. " * 30
    said = [Said(seq=2, at=datetime(2026, 12, 1, tzinfo=UTC), text=text, prose=text)]
    pointer, parts = Pointer(0), []
    while True:
        reading = what_to_read(said, pointer, last_seq=2, limit=100)
        parts += [one.prose.strip() for one in reading.said]
        pointer = reading.reached
        if reading.until is None:
            break
    assert all(part.endswith("no longer.") for part in parts)
