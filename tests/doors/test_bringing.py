"""Bringing chats into a home: once each, with their own times, from files, folders and zips."""

from __future__ import annotations

import json
import os
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conch.chats.chats import Chats
from conch.chats.events import (
    ChatStarted,
    Event,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    TurnCompleted,
)
from conch.doors.bring.bring import bring
from conch.doors.bring.brought import Brought
from conch.doors.bring.into_chats import ELSEWHERE
from conch.guard.redactor import Redactor
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home

TRANSCRIPTS = Path(__file__).parent / "transcripts"
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class Bringing:
    """A home, and bringing into it."""

    def __init__(self, root: Path) -> None:
        self.clock = SteppedClock(NOW)
        self.home = Home.open(root, self.clock)
        self.chats = Chats(self.home, Redactor())
        self.ledger = self.home.root / "brought.json"
        self.seen: list[tuple[int, int]] = []

    def __call__(self, path: Path, here: str = "") -> Brought:
        return bring(path, self.chats, self.ledger, self.home.notes, self._progress, here=here)

    def _progress(self, read: int, total: int) -> None:
        self.seen.append((read, total))

    def logs(self) -> dict[str, list[Event]]:
        return {head.id: self.chats.log(head.id).events() for head in self.chats.heads()}

    def only(self) -> list[Event]:
        (events,) = self.logs().values()
        return events

    def said(self) -> list[str]:
        return [event.text for event in self.only() if isinstance(event, PersonMessage)]


@pytest.fixture
def bringing(tmp_path: Path) -> Bringing:
    return Bringing(tmp_path / "home")


def jsonl(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def user(text: str, minute: int, **more: Any) -> dict[str, Any]:
    return {
        "type": "user",
        "sessionId": "s1",
        "cwd": "/home/alex/demo",
        "timestamp": f"2026-01-02T03:{minute:02}:00Z",
        "message": {"role": "user", "content": text},
        **more,
    }


def assistant(text: str, minute: int) -> dict[str, Any]:
    return {
        "type": "assistant",
        "sessionId": "s1",
        "timestamp": f"2026-01-02T03:{minute:02}:30Z",
        "message": {"role": "assistant", "content": [{"type": "text", "text": text}]},
    }


def test_a_chat_keeps_its_origin_times_and_words(bringing: Bringing, tmp_path: Path):
    file = jsonl(tmp_path / "s1.jsonl", user("use pnpm here", 1), assistant("Right.", 1))
    brought = bringing(file)
    assert (brought.chats_new, brought.messages, brought.format) == (1, 1, "claude-code")
    started, *rest = bringing.only()
    assert isinstance(started, ChatStarted)
    assert (started.origin, started.brought_from, started.folder, started.engine) == (
        "imported",
        "claude-code",
        "/home/alex/demo",
        "anthropic",
    )
    assert [event.at for event in (started, *rest)] == [
        datetime(2026, 1, 2, 3, 1, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 1, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 1, 30, tzinfo=UTC),
        datetime(2026, 1, 2, 3, 1, 30, tzinfo=UTC),
    ]
    head = bringing.chats.heads()[0]
    assert (head.title, head.running) == ("use pnpm here", False)


def test_the_same_file_again_brings_nothing(bringing: Bringing):
    first = bringing(TRANSCRIPTS)
    before = bringing.logs()
    again = bringing(TRANSCRIPTS)
    assert first.chats_new > 50
    assert (again.chats_new, again.chats_grown, again.messages, again.steps) == (0, 0, 0, 0)
    assert bringing.logs() == before


def test_another_process_knows_what_was_brought(bringing: Bringing, tmp_path: Path):
    bringing(TRANSCRIPTS / "chatgpt")
    before = bringing.logs()
    other = Bringing(tmp_path / "home")
    assert other(TRANSCRIPTS / "chatgpt").chats_new == 0
    assert other.logs() == before


def test_a_file_that_grew_brings_only_what_is_new(bringing: Bringing, tmp_path: Path):
    file = tmp_path / "s1.jsonl"
    bringing(jsonl(file, user("one", 1), assistant("1", 1)))
    grown = bringing(
        jsonl(file, user("one", 1), assistant("1", 1), user("two", 2), assistant("2", 2))
    )
    assert (grown.chats_new, grown.chats_grown, grown.messages) == (0, 1, 1)
    assert bringing.said() == ["one", "two"]
    ends = [event for event in bringing.only() if isinstance(event, TurnCompleted)]
    assert len(ends) == 2


def test_a_turn_that_went_on_has_an_end_again(bringing: Bringing, tmp_path: Path):
    file = tmp_path / "s1.jsonl"
    bringing(jsonl(file, user("one", 1), assistant("looking", 1)))
    bringing(jsonl(file, user("one", 1), assistant("looking", 1), assistant("found", 2)))
    assert [event.type for event in bringing.only()][1:] == [
        "person_message",
        "assistant_message",
        "turn_completed",
        "assistant_message",
        "turn_completed",
    ]
    assert bringing.chats.heads()[0].running is False


def test_the_same_words_twice_are_both_brought_and_only_once(bringing: Bringing, tmp_path: Path):
    lines = [{"role": "user", "content": "continue"}, {"role": "assistant", "content": "ok"}] * 3
    file = jsonl(tmp_path / "20260101_000000_ab.jsonl", *lines)
    bringing(file)
    bringing(file)
    assert bringing.said() == ["continue"] * 3


def conversation(current: str) -> list[dict[str, Any]]:
    def node(name: str, parent: str | None, role: str, words: str) -> dict[str, Any]:
        message = {
            "id": name,
            "author": {"role": role},
            "create_time": 1_756_000_000,
            "content": {"content_type": "text", "parts": [words]},
        }
        return {"id": name, "parent": parent, "children": [], "message": message}

    nodes = [
        node("u1", None, "user", "a cake"),
        node("a1", "u1", "assistant", "With eggs."),
        node("u2", "a1", "user", "no eggs"),
        node("u2b", "a1", "user", "no milk"),
    ]
    mapping = {one["id"]: one for one in nodes}
    return [{"id": "c1", "title": "Cake", "mapping": mapping, "current_node": current}]


def test_an_edited_message_is_brought_beside_what_was_there(bringing: Bringing, tmp_path: Path):
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps(conversation("u2")))
    bringing(file)
    file.write_text(json.dumps(conversation("u2b")))
    grown = bringing(file)
    assert (grown.chats_grown, grown.messages) == (1, 1)
    assert bringing.said() == ["a cake", "no eggs", "no milk"]


def test_a_chat_that_was_deleted_does_not_come_back(bringing: Bringing, tmp_path: Path):
    file = jsonl(tmp_path / "s1.jsonl", user("one", 1), assistant("1", 1))
    bringing(file)
    bringing.chats.delete(bringing.chats.heads()[0].id)
    jsonl(file, user("one", 1), assistant("1", 1), user("two", 2))
    assert bringing(file).chats_new == 0
    assert bringing.logs() == {}


def test_what_the_person_added_in_conch_is_left_alone(bringing: Bringing, tmp_path: Path):
    file = jsonl(tmp_path / "s1.jsonl", user("one", 1), assistant("1", 1))
    bringing(file)
    log = bringing.chats.log(bringing.chats.heads()[0].id)
    log.append(PersonMessage(text="and now here"))
    bringing(file)
    assert bringing.said() == ["one", "and now here"]


@pytest.mark.parametrize("written", range(1, 9))
def test_a_bringing_that_was_cut_off_goes_on_where_it_was(tmp_path: Path, written: int):
    """The log holds some of a chat and the ledger nothing of it, as after a crash."""
    steps = [
        user("one", 1),
        assistant("1", 1),
        user("two", 2),
        assistant("2", 2),
        user("three", 3),
    ]
    file = jsonl(tmp_path / "s1.jsonl", *steps)
    whole = Bringing(tmp_path / "whole")
    whole(file)
    cut = Bringing(tmp_path / "cut")
    cut(file)
    chat = cut.chats.heads()[0].id
    path = cut.home.chats / chat / "log.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:written]))
    cut.ledger.unlink()
    after = Bringing(tmp_path / "cut")
    after(file)
    assert [event.model_dump() for event in after.only()] == [
        event.model_dump() for event in whole.only()
    ]


def test_a_growing_that_was_cut_off_goes_on_where_it_was(tmp_path: Path):
    file = tmp_path / "s1.jsonl"
    first = [user("one", 1), assistant("1", 1)]
    more = [*first, user("two", 2), assistant("2", 2), user("three", 3), assistant("3", 3)]
    bringing = Bringing(tmp_path / "home")
    bringing(jsonl(file, *first))
    kept = bringing.ledger.read_bytes()
    bringing(jsonl(file, *more))
    whole = bringing.only()
    begun = bringing.ledger.read_bytes()[len(kept) :].splitlines(keepends=True)[0]
    # The ledger as it was when the growing began, and the log with the first two new events.
    bringing.ledger.write_bytes(kept + begun)
    path = bringing.home.chats / bringing.chats.heads()[0].id / "log.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:6]))
    after = Bringing(tmp_path / "home")
    after(file)
    assert after.only() == whole


def test_a_zip_is_read_in_place(bringing: Bringing, tmp_path: Path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(2):
            archive.write(
                TRANSCRIPTS / "chatgpt" / ("chatgpt-tree.json", "chatgpt-export.json")[number],
                f"conversations-00{number}.json",
            )
        archive.writestr("user.json", '{"id": "user-1", "email": "alex@example.com"}')
        archive.writestr("pictures/a.png", b"\x89PNG")
        archive.writestr("../../evil.json", "{}")
    before = sorted(tmp_path.rglob("*"))
    brought = bringing(path)
    assert (brought.chats_new, brought.format, brought.set_aside) == (3, "chatgpt", 0)
    outside = [file for file in tmp_path.rglob("*") if "home" not in file.parts]
    assert sorted(outside) == [file for file in before if "home" not in file.parts]


def test_a_damaged_zip_is_said(bringing: Bringing, tmp_path: Path):
    path = tmp_path / "export.zip"
    path.write_bytes(b"PK\x03\x04 and nothing more")
    with pytest.raises(ConchError, match="is a damaged zip"):
        bringing(path)


def test_a_damaged_entry_of_a_zip_leaves_the_others(bringing: Bringing, tmp_path: Path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.write(TRANSCRIPTS / "chatgpt/chatgpt-export.json", "a.json")
        archive.write(TRANSCRIPTS / "chatgpt/chatgpt-tree.json", "b.json")
    data = bytearray(path.read_bytes())
    data[100_000:100_010] = b"\0" * 10
    path.write_bytes(data)
    brought = bringing(path)
    assert brought.set_aside == 1
    assert "Assist user with summary" in {head.title for head in bringing.chats.heads()}


def test_a_folder_is_walked_without_following_links(bringing: Bringing, tmp_path: Path):
    folder = tmp_path / "projects"
    jsonl(folder / "-home-alex/s1.jsonl", user("one", 1), assistant("1", 1))
    jsonl(folder / "node_modules/x/s2.jsonl", user("not this", 1, sessionId="s2"))
    jsonl(tmp_path / "elsewhere/s3.jsonl", user("nor this", 1, sessionId="s3"))
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "link.jsonl").symlink_to(tmp_path / "elsewhere/s3.jsonl")
    (folder / "settings.json").write_text("{}")
    assert bringing(folder).chats_new == 1
    assert bringing.said() == ["one"]


def test_a_sub_agents_file_is_no_chat_but_what_it_read_counts(bringing: Bringing, tmp_path: Path):
    call = {"type": "tool_use", "id": "t1", "name": "Task", "input": {"description": "look"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "It says so."}
    jsonl(
        tmp_path / "p/s1.jsonl",
        user("look it up", 1),
        {**assistant("", 1), "message": {"role": "assistant", "content": [call]}},
        {
            **user("", 2),
            "message": {"role": "user", "content": [result]},
            "toolUseResult": {"agentId": "a1"},
        },
        assistant("Done.", 3),
    )
    fetch = {
        "type": "tool_use",
        "id": "x",
        "name": "WebFetch",
        "input": {"url": "https://a.example"},
    }
    agent = {"isSidechain": True, "agentId": "a1"}
    lines = (
        user("You are a helper. Look up a.example", 1, **agent),
        {**assistant("", 1), **agent, "message": {"role": "assistant", "content": [fetch]}},
    )
    jsonl(tmp_path / "p/s1/subagents/agent-a1.jsonl", *lines)
    brought = bringing(tmp_path / "p")
    assert (brought.chats_new, brought.messages, brought.taints) == (1, 1, 1)
    assert bringing.said() == ["look it up"]
    assert [event.label for event in bringing.only() if isinstance(event, TaintMarked)] == [
        "a.example"
    ]


def test_secrets_are_hidden_in_the_log(bringing: Bringing, tmp_path: Path):
    key = "sk-ant-api03-" + "Ab3dEf6hIj" * 9 + "-QwErTyUiOpAA"
    bringing(jsonl(tmp_path / "s1.jsonl", user(f"my key is {key}", 1), assistant("Ok.", 1)))
    assert key not in (bringing.home.chats / bringing.chats.heads()[0].id / "log.jsonl").read_text()
    again = bringing(tmp_path / "s1.jsonl")
    assert again.messages == 0


def test_where_a_chat_ran(bringing: Bringing, tmp_path: Path):
    here = tmp_path / "demo"
    here.mkdir()
    jsonl(tmp_path / "in/a.jsonl", user("here", 1, sessionId="a", cwd=str(here)))
    jsonl(tmp_path / "in/b.jsonl", user("there", 1, sessionId="b", cwd="/home/nobody/demo"))
    jsonl(tmp_path / "in/c.jsonl", user("windows", 1, sessionId="c", cwd="C:\\Users\\a\\demo"))
    jsonl(tmp_path / "in/d.jsonl", user("unknown", 1, sessionId="d", cwd=""))
    jsonl(
        tmp_path / "in/e.jsonl",
        {"role": "chat", "id": "e", "host": "laptop", "folder": "/x"},
        {"role": "person", "text": "named"},
    )
    bringing(tmp_path / "in", here="desk")
    hosts = {}
    for events in bringing.logs().values():
        started, said = events[0], events[1]
        assert isinstance(started, ChatStarted)
        assert isinstance(said, PersonMessage)
        hosts[said.text] = started.host
    assert hosts == {
        "here": "desk",
        "there": ELSEWHERE,
        "windows": ELSEWHERE,
        "unknown": ELSEWHERE,
        "named": "laptop",
    }


def test_events_without_a_time_are_as_old_as_the_file(bringing: Bringing):
    bringing(TRANSCRIPTS / "librechat/chatbotui-export.json")
    for events in bringing.logs().values():
        assert {event.at for event in events} == {events[0].at}


def plain(path: Path, *lines: tuple[str, str, str]) -> Path:
    """A chat in the plain form: who, words, when ("" for no date)."""
    said = [{"role": who, "text": words, **({"at": at} if at else {})} for who, words, at in lines]
    return jsonl(path, {"role": "chat", "id": path.stem}, *said)


def of(file: Path, at: datetime) -> Path:
    os.utime(file, (at.timestamp(), at.timestamp()))
    return file


LATER = datetime(2026, 6, 1, tzinfo=UTC)


def test_a_chat_without_any_date_takes_its_files_and_says_so_once(
    bringing: Bringing, tmp_path: Path
):
    file = of(plain(tmp_path / "a.jsonl", ("person", "I like tea", "")), LATER)
    brought = bringing(file)
    assert (brought.undated, brought.nothing_new) == (1, False)
    assert {event.at for event in bringing.only()} == {LATER}
    (note,) = bringing.home.notes.recent()
    assert "a.jsonl carry no dates; the file's date was taken" in note.text
    assert bringing(file).undated == 0


@pytest.mark.parametrize("dated", ["2025-03-03T12:00:00Z", ""], ids=["with", "without"])
def test_the_files_date_is_never_later_than_one_that_is_known(
    bringing: Bringing, tmp_path: Path, dated: str
):
    lines = [("person", "I like tea", ""), ("assistant", "Good.", ""), ("person", "Go on", dated)]
    tomorrow = NOW + timedelta(days=1)
    brought = bringing(of(plain(tmp_path / "a.jsonl", *lines), tomorrow))
    known = datetime(2025, 3, 3, 12, tzinfo=UTC) if dated else NOW
    assert {event.at for event in bringing.only()} == {known}
    assert brought.undated == (0 if dated else 1)


def test_what_is_dated_keeps_its_dates_whatever_the_file_says(bringing: Bringing, tmp_path: Path):
    file = plain(tmp_path / "a.jsonl", ("person", "I like tea", "2026-01-02T03:04:00Z"))
    brought = bringing(of(file, datetime(2020, 1, 1, tzinfo=UTC)))
    assert {event.at for event in bringing.only()} == {datetime(2026, 1, 2, 3, 4, tzinfo=UTC)}
    assert brought.undated == 0
    assert bringing.home.notes.recent() == []


def test_progress_goes_up_to_the_whole(bringing: Bringing):
    bringing(TRANSCRIPTS)
    reads = [read for read, _ in bringing.seen]
    assert reads == sorted(reads)
    assert bringing.seen[-1][0] == bringing.seen[-1][1]


def test_what_is_set_aside_is_said(bringing: Bringing):
    brought = bringing(TRANSCRIPTS / "claude_code/agentsview_truncated.jsonl")
    assert brought.set_aside == 1
    (note,) = bringing.home.notes.recent()
    assert "1 × a line that is no JSON" in note.text


def test_the_same_path_again_has_nothing_new_to_say_on_another_day_either(bringing: Bringing):
    first = bringing(TRANSCRIPTS / "claude_code")
    notes = bringing.home.notes.recent(100)
    assert notes
    bringing.clock.advance(days=3)
    again = bringing(TRANSCRIPTS / "claude_code")
    assert (first.nothing_new, again.nothing_new) == (False, True)
    assert again.set_aside == first.set_aside
    assert bringing.home.notes.recent(100) == notes


def test_what_is_not_read_yet_is_said_plainly(bringing: Bringing):
    with pytest.raises(ConchError, match="aider chats, which Conch does not read yet"):
        bringing(TRANSCRIPTS / "aider/chat_history_slice.md")
    brought = bringing(TRANSCRIPTS)
    assert any("aider" in sentence for sentence in brought.not_read)


@pytest.mark.parametrize("content", ["", "hello", "{}", "[]", "[1, 2]", '{"a": 1}', "\0\0", "{"])
def test_a_file_that_is_no_chat_is_said(bringing: Bringing, tmp_path: Path, content: str):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ConchError, match="no chats that Conch knows"):
        bringing(tmp_path / "x.json")


def test_a_path_that_is_not_there_is_said(bringing: Bringing, tmp_path: Path):
    with pytest.raises(ConchError, match="There is nothing at"):
        bringing(tmp_path / "nowhere")


def test_outputs_are_capped_and_keep_their_end(bringing: Bringing, tmp_path: Path):
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}
    output = "x" * 50_000 + "make: gcc: No such file or directory"
    result = {"type": "tool_result", "tool_use_id": "t1", "content": output, "is_error": True}
    jsonl(
        tmp_path / "s1.jsonl",
        user("build", 1),
        {**assistant("", 1), "message": {"role": "assistant", "content": [call]}},
        {**user("", 2), "message": {"role": "user", "content": [result]}},
    )
    bringing(tmp_path / "s1.jsonl")
    (ended,) = [event for event in bringing.only() if isinstance(event, ToolFinished)]
    assert len(ended.output) <= 2_000
    assert ended.output.endswith("No such file or directory")


def test_nothing_brought_in_is_ever_due(bringing: Bringing, tmp_path: Path):
    fresh = (NOW - timedelta(hours=1)).isoformat()
    bringing(jsonl(tmp_path / "s1.jsonl", user("I live in Lyon", 1, timestamp=fresh)))
    assert bringing.chats.due(NOW, {}) == []
