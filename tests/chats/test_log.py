"""The log: only grows, redacted, numbered, and readable whatever happened to it."""

import errno
import json
import threading
from datetime import datetime, timedelta, timezone
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.chats.chats import Chats
from conch.chats.events import (
    AssistantMessage,
    ChatStarted,
    Event,
    KnownEvent,
    LearnedItem,
    LearningNoted,
    PersonMessage,
    QuietMark,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
    UnknownEvent,
    Usage,
)
from conch.chats.lines import DAMAGED, may_be_quiet_mark, read_events, redacted, written
from conch.chats.log import ChatLog
from conch.chats.stretch import read_stretch
from conch.chats.taints import taints_in
from conch.guard.taints import Taint
from conch.home import files
from conch.home.errors import ConchError
from conch.home.home import Home

SOME: list[Event] = [
    PersonMessage(text="no, I meant TypeScript\nand “naïve” 東京"),
    ToolStarted(call="c1", tool="bash", summary="Run `npm test`", input={"command": "npm test"}),
    ToolFinished(call="c1", ok=False, output="failed", exit=1),
    AssistantMessage(text="", engine="practice"),
    TurnCompleted(outcome="success", usage=Usage(input_tokens=3), cost_usd=0.0),
]


@pytest.fixture
def log(home: Home, redactor) -> ChatLog:
    return ChatLog(home.chats / "c_1" / "log.jsonl", redactor, home.notes, home.clock)


def again(log: ChatLog, home: Home, redactor) -> ChatLog:
    return ChatLog(log.path, redactor, home.notes, home.clock)


def test_events_are_numbered_dated_and_read_back_as_they_were(log: ChatLog, home: Home, redactor):
    appended = [log.append(event) for event in SOME]
    assert [event.seq for event in appended] == [1, 2, 3, 4, 5]
    assert all(event.at == home.clock.now() for event in appended)
    assert log.events() == appended
    assert again(log, home, redactor).events() == appended
    assert [event.model_copy(update={"seq": 0, "at": None}) for event in appended] == SOME
    assert log.last_seq == again(log, home, redactor).last_seq == 5


def test_many_at_once_are_what_they_are_one_by_one(log: ChatLog, monkeypatch):
    log.append(SOME[0])
    synced: list[int] = []
    monkeypatch.setattr(files, "_fsync", synced.append)
    assert log.extend(SOME) == log.events(after=1)
    assert log.extend([]) == []
    assert len(synced) == 1
    assert [event.seq for event in log.events()] == [1, 2, 3, 4, 5, 6]


def test_after_and_before(log: ChatLog):
    for event in SOME:
        log.append(event)
    assert [event.seq for event in log.events(after=2)] == [3, 4, 5]
    assert [event.seq for event in log.events(after=1, before=4)] == [2, 3]
    assert log.events(after=5) == []


def test_an_event_that_has_its_time_keeps_it_in_utc(log: ChatLog):
    east = timezone(timedelta(hours=9))
    given_at = datetime(2026, 11, 30, 9, tzinfo=east)
    assert log.append(PersonMessage(text="a", at=given_at)).at == given_at
    naive = log.append(PersonMessage(text="b", at=datetime(2026, 11, 30, 9))).at
    assert naive is not None
    assert naive.utcoffset() == timedelta(0)
    assert [event.at and event.at.utcoffset() for event in log.events()] == [timedelta(0)] * 2


NO_TEXT = ("QuietMark", "Archived", "LeftOut")


def _every_type() -> list[type[Event]]:
    return list(get_args(get_args(KnownEvent)[0]))


@pytest.mark.parametrize("model", _every_type(), ids=lambda model: model.__name__)
def test_every_string_of_every_event_is_redacted(model, redactor):
    """Built by the model's own fields, so that a field added later is held to it too."""
    values = {}
    for name, field in model.model_fields.items():
        if field.annotation is str:
            values[name] = "my hunter2"
        elif field.annotation == list[str]:
            values[name] = ["hunter2"]
        elif name == "input":
            values[name] = {"hunter2": ["a", {"b": "hunter2"}], "n": 1}
        elif name == "items":
            values[name] = [LearnedItem(record="hunter2", text="hunter2", state="applied")]
        elif name == "kind":
            values[name] = "web"
        elif name in ("outcome", "decision", "state", "direction", "why"):
            values[name] = get_args(field.annotation)[0]
        elif field.annotation is bool or field.annotation is int:
            values[name] = 1
    event = model(**values)
    assert "hunter2" in event.model_dump_json() or model.__name__ in NO_TEXT
    clean = redacted(event, redactor)
    assert "hunter2" not in written(clean).decode()
    assert read_events([written(clean)[:-1]]) == [clean]


def test_the_name_of_an_input_may_give_its_value_away(log: ChatLog):
    log.append(ToolStarted(call="c", tool="login", input={"password": "x9", "user": "ada", "n": 3}))
    log.append(ToolStarted(call="c", tool="login", input={"inner": {"password": 1234}, "ok": True}))
    first, second = log.events()
    assert isinstance(first, ToolStarted)
    assert isinstance(second, ToolStarted)
    assert first.input == {"password": "•••", "user": "ada", "n": 3}
    assert second.input == {"inner": {"password": "•••"}, "ok": True}


def test_a_lone_surrogate_is_replaced_not_fatal(log: ChatLog):
    said = log.append(PersonMessage(text="a\ud800b 😀"))
    assert isinstance(said, PersonMessage)
    assert said.text == "a\ufffdb 😀"
    started = ToolStarted(call="c", tool="t", input={"k\udc00": ["\ud83d"]})
    assert log.append(started) == log.events()[1]
    assert log.events()[0] == said


@given(st.text(st.characters(exclude_categories=[]), max_size=60))
def test_any_text_at_all_is_kept(text: str):
    class Same:
        def redact(self, text: str) -> str:
            return text

    event = redacted(PersonMessage(text=text), Same())
    line = written(event)
    assert line.count(b"\n") == 1
    assert read_events([line[:-1]]) == [event]
    if text.isascii():
        assert event == PersonMessage(text=text)


def test_cut_at_every_byte_the_rest_reads_and_goes_on(
    log: ChatLog, home: Home, redactor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(files, "_fsync", lambda fd: None)  # no power is lost here
    ends = []
    for event in SOME:
        log.append(event)
        ends.append(log.path.stat().st_size)
    data, whole_events = log.path.read_bytes(), log.events()
    for cut in range(len(data) + 1):
        path = home.chats / f"cut_{cut}" / "log.jsonl"
        path.parent.mkdir()
        path.write_bytes(data[:cut])
        whole = [n for n, end in enumerate(ends) if end <= cut]
        torn = data[ends[whole[-1]] if whole else 0 : cut]
        one = ChatLog(path, redactor, home.notes, home.clock)
        held = [QuietMark] if whole and torn and may_be_quiet_mark(torn) else []
        if cut % 2:
            assert one.events()[: len(whole)] == whole_events[: len(whole)]
        assert one.append(PersonMessage(text="next")).seq == len(whole) + len(held) + 1
        read = one.events()[:-1]
        assert read[: len(whole)] == whole_events[: len(whole)]
        assert [type(event) for event in read[len(whole) :]] == held
        aside = list(path.parent.glob("log.jsonl.damaged-*"))
        assert [path.read_bytes() for path in aside] == ([torn] if torn else [])
    said = home.notes.path.read_text().count("The last line of")
    assert said == len(data) - len(ends)


def test_an_unknown_type_is_kept_counted_and_never_acted_on(log: ChatLog):
    log.append(SOME[0])
    later = b'{"seq":2,"at":"2027-01-01T00:00:00+00:00","type":"mood","mood":"sunny"}\n'
    files.append_line(log.path, later)
    files.append_line(log.path, b'{"seq":3,"at":null,"type":"turn_completed","outcome":"paused"}\n')
    assert log.append(SOME[3]).seq == 4
    events = log.events()
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert isinstance(events[1], UnknownEvent)
    assert (events[1].type, events[1].at and events[1].at.year) == ("mood", 2027)
    assert isinstance(events[2], UnknownEvent)
    assert later in log.path.read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"",
        b"[]",
        b"\xff\xfe",
        b'"x"',
        b"null",
        b'{"seq":2}',
        b"\x00" * 40,
        b'{"seq":2,"type":"person_message"}',
        b'{"a":' * 3000,
    ],
    ids=repr,
)
def test_a_damaged_line_in_the_middle_is_passed_over(log: ChatLog, line: bytes, home, redactor):
    log.append(SOME[0])
    files.append_line(log.path, line + b"\n")
    assert again(log, home, redactor).append(SOME[0]).seq == 3
    events = again(log, home, redactor).events()
    assert [type(event) for event in events] == [PersonMessage, UnknownEvent, PersonMessage]
    assert [event.seq for event in events] == [1, 2, 3]


def test_what_cannot_be_read_counts_as_read_from_outside(log: ChatLog):
    log.append(PersonMessage(text="hello"))
    assert taints_in(log.events()) == ()
    files.append_line(log.path, b'{"seq":2,"type":"taint","kind":"dream","label":"x"}\n')
    files.append_line(log.path, b"#######\n")
    log.append(TaintMarked(kind="web", label="a.example"))
    log.append(PersonMessage(text="hi", who="Bob"))
    assert log.events()[2] == UnknownEvent(seq=3, type=DAMAGED)
    taints = taints_in(log.events())
    assert [seq for seq, _ in taints] == [2, 3, 4, 5]
    assert [taint.kind for _, taint in taints] == ["app", "app", "web", "person"]
    assert taints[2][1] == Taint("web", "a.example")


def test_a_refused_append_leaves_the_log_as_it_was(log: ChatLog, monkeypatch):
    log.append(SOME[0])

    def refuse(fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "_fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        log.append(SOME[0])
    monkeypatch.undo()
    assert [event.seq for event in log.events()] == [1]
    assert log.append(SOME[0]).seq == 2


def test_logs_open_on_one_file_number_on_from_each_other(log: ChatLog, home: Home, redactor):
    others = [again(log, home, redactor) for _ in range(2)]

    def work(one: ChatLog) -> None:
        for _ in range(20):
            one.append(SOME[0])

    threads = [threading.Thread(target=work, args=(one,)) for one in (log, *others, log)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in log.events()] == list(range(1, 81))


def test_an_append_does_not_read_the_log_again(log: ChatLog, monkeypatch):
    for _ in range(3):
        log.append(SOME[0])
    read: list[int] = []
    reading = files.Appending.read

    def counted(self: files.Appending, start: int, length: int = -1) -> bytes:
        data = reading(self, start, length)
        read.append(len(data))
        return data

    monkeypatch.setattr(files.Appending, "read", counted)
    log.append(SOME[0])
    assert sum(read) <= 1  # the newline at its end


def test_a_deleted_chat_does_not_come_back_by_an_append(chats: Chats):
    chat = chats.new()
    log = chats.log(chat)
    chats.delete(chat)
    with pytest.raises(ConchError, match="deleted"):
        log.append(SOME[0])
    assert not log.path.parent.exists()


def test_a_log_is_readable_json_line_by_line(log: ChatLog):
    for event in SOME:
        log.append(event)
    lines = [json.loads(line) for line in log.path.read_text().splitlines()]
    assert lines[0]["text"].endswith("東京")
    assert [line["type"] for line in lines] == [event.type for event in SOME]
    assert list(lines[2]) == ["seq", "at", "type", "call", "ok", "output", "exit"]
    assert log.path.stat().st_mode & 0o777 == 0o600


def test_a_stretch_holds_what_is_past_the_pointer_and_all_before(chats: Chats):
    chat = chats.new(origin="channel")
    log = chats.log(chat)
    for event in SOME:
        log.append(event)
    stretch = read_stretch(log, chat, after=3, before=6)
    assert (stretch.chat, stretch.origin, stretch.after) == (chat, "channel", 3)
    assert [event.seq for event in stretch.events] == [4, 5]
    assert [event.seq for event in stretch.earlier] == [1, 2, 3]
    assert read_stretch(log, chat, after=6).events == ()
    assert len(read_stretch(log, chat, after=0).events) == 6


def test_a_chat_whose_start_cannot_be_read_is_nobodys_to_learn_from(chats: Chats):
    chat = chats.new(origin="guest")
    log = chats.log(chat)
    log.append(SOME[0])
    log.path.write_bytes(log.path.read_bytes().replace(b'"guest"', b'"ghost"'))
    assert read_stretch(log, chat, after=0).origin == "guest"
    assert chats.head(chat).origin == "guest"


def test_a_quiet_mark_and_a_start_read_back(log: ChatLog):
    started = log.append(ChatStarted(chat="c_1", origin="own", host="ada-laptop"))
    mark = log.append(QuietMark(on=False))
    noted = log.append(LearningNoted(look="l_1", items=[]))
    assert log.events() == [started, mark, noted]
