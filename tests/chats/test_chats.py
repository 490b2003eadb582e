"""All chats of a home: heads, search, delete, and an index that may be lost at any time."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conch.chats.chats import Chats
from conch.chats.events import (
    Archived,
    AssistantMessage,
    PersonMessage,
    QuietMark,
    Renamed,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home


def said(chats: Chats, *texts: str, by: str = "person") -> str:
    chat = chats.new()
    for text in texts:
        if by == "person":
            chats.log(chat).append(PersonMessage(text=text))
        else:
            chats.log(chat).append(AssistantMessage(text=text))
    return chat


def test_a_head_is_what_happened(chats: Chats, clock: SteppedClock):
    started = clock.now()
    chat = chats.new(origin="channel", engine="practice", brought_from="codex")
    log = chats.log(chat)
    clock.advance(minutes=1)
    log.append(PersonMessage(text="Where do trains to Lisbon leave?"))
    assert chats.head(chat).running
    clock.advance(minutes=1)
    log.append(TurnCompleted(outcome="success", engine="anthropic"))
    log.append(QuietMark(on=True))
    log.append(Archived())
    head = chats.head(chat)
    assert head.id == chat
    assert head.title == "Where do trains to Lisbon leave?"
    assert (head.origin, head.engine, head.brought_from) == ("channel", "anthropic", "codex")
    assert head.started == started
    assert head.updated == head.last_turn_ended == clock.now()
    assert (head.last_seq, head.last_person_seq) == (5, 2)
    assert (head.running, head.waiting, head.quiet, head.archived) == (False, False, True, True)
    log.append(Renamed(title="Trains"))
    assert chats.head(chat).title == "Trains"


def test_heads_come_newest_first(chats: Chats, clock: SteppedClock):
    made = []
    for _ in range(3):
        made.append(said(chats, "hello"))
        clock.advance(minutes=1)
    chats.log(made[0]).append(PersonMessage(text="again"))
    assert [head.id for head in chats.heads()] == [made[0], made[2], made[1]]
    assert [head.id for head in chats.heads(limit=1)] == [made[0]]


def test_a_long_first_message_makes_a_short_title(chats: Chats):
    chat = said(chats, "Please help me with\n the following rather long thing " * 40)
    title = chats.head(chat).title
    assert title == "Please help me with the following rather long thing Please…"


@pytest.mark.parametrize("chat", ["c_none", "..", "../x", "", ".hidden", "a/b", "a\x00", "x" * 200])
def test_a_chat_that_is_not_there_is_said(chats: Chats, chat: str):
    with pytest.raises(ConchError, match="There is no chat"):
        chats.head(chat)
    with pytest.raises(ConchError, match="There is no chat"):
        chats.log(chat)


def test_no_chat_is_begun_twice(chats: Chats):
    chats.new(chat="c_1", title="first")
    with pytest.raises(ConchError, match="already"):
        chats.new(chat="c_1", title="second")
    assert chats.head("c_1").title == "first"


FOUND = [
    ("a word", "trains", "The trains to Lisbon"),
    ("case", "LISBON", "The trains to Lisbon"),
    ("the start of a word", "tra", "The trains to Lisbon"),
    ("several words, in any order", "lisbon trains", "The trains to Lisbon"),
    ("accents left out", "uber", "Über uns"),
    ("accents put in", "café", "a cafe near here"),
    ("sharp s", "strasse", "Die Straße dort"),
    ("an apostrophe", "don't", "I don’t know"),
    ("two letters of Chinese", "北京", "我昨天在北京吃饭"),
    ("one letter of Chinese", "猫", "我有两只猫"),
    ("Japanese", "東京", "今は東京に住んでいます"),
    ("katakana", "コーヒー", "毎朝コーヒーを飲む"),
    ("half width", "ｺｰﾋｰ", "毎朝コーヒーを飲む"),
    ("Thai", "กาแฟ", "ฉันชอบกาแฟดำ"),
    ("Korean, the start of a word", "서울", "저는 서울에 살아요"),
    ("Hindi", "हिन्दी", "मुझे हिन्दी पसंद है"),
    ("Arabic", "القهوة", "أحب القهوة كثيرا"),
    ("Russian", "москве", "Я живу в Москве"),
    ("a number", "42", "the answer is 42 today"),
    ("mixed", "python 北京", "我在北京学 Python 语言"),
    ("any word when not all are there", "trains to Porto", "The trains to Lisbon"),
]


@pytest.mark.parametrize(
    ("query", "text"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND]
)
@pytest.mark.parametrize("by", ["person", "assistant"])
def test_found(chats: Chats, query: str, text: str, by: str):
    said(chats, "Nothing of the sort, 別の話, คนละเรื่อง", by=by)
    chat = said(chats, "hi", text, by=by)
    assert [(found.chat, found.seq) for found in chats.search(query)] == [(chat, 3)]
    assert chats.search(query)[0].snippet == text


@pytest.mark.parametrize(
    ("query", "text"),
    [("rain", "The trains"), ("京北", "我在北京"), ("東都", "東京都"), ("", "x"), ("… !?", "x …")],
)
def test_not_found(chats: Chats, query: str, text: str):
    said(chats, text)
    assert chats.search(query) == []


def test_only_words_of_people_and_assistants_are_searched(chats: Chats):
    chat = chats.new(title="zebra")
    log = chats.log(chat)
    log.append(ToolStarted(call="c", tool="bash", input={"command": "zebra"}))
    log.append(ToolFinished(call="c", ok=True, output="zebra"))
    log.append(TurnCompleted(outcome="failed", error="zebra"))
    assert chats.search("zebra") == []


def test_a_snippet_shows_the_words_around(chats: Chats):
    said(chats, "so many words before it " * 20 + "a naïve idea " + "and many after it " * 20)
    snippet = chats.search("naive")[0].snippet
    assert "a naïve idea" in snippet
    assert snippet.startswith("…")
    assert snippet.endswith("…")
    assert len(snippet) < 220


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(exclude_categories=[]), max_size=30))
def test_no_query_breaks_the_search(chats: Chats, query: str):
    if not chats.heads():
        said(chats, 'words "AND" NEAR * ( NOT : ^')
    chats.search(query)
    chats.search(f'"{query}* OR ({query}')
    assert len(chats.search("words")) == 1


def test_deleting_the_index_loses_nothing(chats: Chats, home: Home):
    for text in ("one apple", "two pears", "three 梨"):
        said(chats, text)
    heads, found = chats.heads(), chats.search("梨")
    chats.close()
    for path in home.root.glob("index.db*"):
        path.unlink()
    assert chats.heads() == heads
    assert chats.search("梨") == found


@pytest.mark.parametrize("damage", [b"not a database at all" * 100, b"", b"SQLite format 3\x00xx"])
def test_a_damaged_index_is_made_again(chats: Chats, home: Home, damage: bytes):
    said(chats, "one apple")
    heads = chats.heads()
    chats.close()
    for path in home.root.glob("index.db-*"):
        path.unlink()
    home.index_file.write_bytes(damage)
    assert chats.heads() == heads
    assert len(chats.search("apple")) == 1


def test_an_index_damaged_inside_is_made_again(chats: Chats, home: Home):
    for n in range(200):
        said(chats, f"apple number {n} " * 20)
    heads = chats.heads()
    chats.close()
    data = bytearray(home.index_file.read_bytes())
    for start in range(8192, len(data), 8192):
        data[start : start + 2000] = os.urandom(2000)
    home.index_file.write_bytes(data)
    assert chats.heads() == heads
    assert len(chats.search("apple")) == 20


def test_an_index_of_another_version_is_made_again(chats: Chats, home: Home):
    said(chats, "one apple")
    heads = chats.heads()
    chats.close()
    db = sqlite3.connect(home.index_file)
    db.execute("UPDATE chat_index SET version = 99")
    db.execute("ALTER TABLE chat_logs DROP COLUMN head")
    db.commit()
    db.close()
    assert chats.heads() == heads


def test_while_another_process_holds_the_index_everything_still_reads(
    chats: Chats, home: Home, monkeypatch: pytest.MonkeyPatch
):
    said(chats, "one apple")
    chats.heads()
    chats.close()
    connect = sqlite3.connect

    def impatient(where: str, **options):
        return connect(where, **{**options, "timeout": 0.01})

    monkeypatch.setattr(sqlite3, "connect", impatient)
    db = connect(home.index_file, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    chat = said(chats, "two pears")
    assert chats.head(chat).title == "two pears"
    assert len(chats.search("apple")) == 1
    db.execute("COMMIT")
    db.close()
    assert len(chats.search("pears")) == 1


def test_only_what_was_appended_is_read(chats: Chats, monkeypatch: pytest.MonkeyPatch):
    from conch.chats import index

    chat = said(chats, "one", "two")
    chats.heads()
    read: list[int] = []
    reading = index.read_lines

    def counted(path, start=0):
        lines, end, torn = reading(path, start)
        read.append(len(lines))
        return lines, end, torn

    monkeypatch.setattr(index, "read_lines", counted)
    chats.log(chat).append(PersonMessage(text="three"))
    chats.heads()
    chats.heads()
    chats.search("three")
    assert read == [1]


def test_a_log_put_in_place_of_another_is_read_anew(chats: Chats, home: Home):
    chat, other = said(chats, "old words"), said(chats, "restored words", "and more of them")
    chats.heads()
    files.write_atomic(
        home.chats / chat / "log.jsonl", (home.chats / other / "log.jsonl").read_bytes()
    )
    chats.delete(other)
    assert [found.chat for found in chats.search("restored")] == [chat]
    assert chats.search("old") == []
    assert chats.head(chat).last_seq == 3


def test_a_log_written_anew_in_its_own_place_is_read_anew(chats: Chats):
    chat = said(chats, "old words")
    assert len(chats.search("old")) == 1
    path = chats.log(chat).path
    data = path.read_bytes().replace(b"old words", b"quite other words")
    path.write_bytes(data)
    chats.log(chat).append(PersonMessage(text="more"))
    assert chats.search("old") == []
    assert len(chats.search("other")) == 1
    assert chats.head(chat).last_seq == 3


def test_a_torn_last_line_is_indexed_once_it_is_whole(chats: Chats, home: Home):
    chat = said(chats, "first words")
    path = home.chats / chat / "log.jsonl"
    line = path.read_bytes().splitlines(keepends=True)[-1]
    more = line.replace(b'"seq":2', b'"seq":3').replace(b"first", b"later")
    with path.open("ab") as file:
        file.write(more[:30])
    assert chats.head(chat).last_seq == 2
    with path.open("ab") as file:
        file.write(more[30:])
    assert chats.head(chat).last_seq == 3
    assert len(chats.search("later")) == 1


def test_a_deleted_chat_is_gone_with_every_word_of_it(chats: Chats, home: Home):
    keep, chat = said(chats, "kept words"), said(chats, "xylophone lessons on Friday")
    (home.chats / chat / "sent").mkdir()
    (home.chats / chat / "sent" / "practice.jsonl").write_text("xylophone")
    assert len(chats.search("xylophone")) == 1
    chats.delete(chat)
    assert [head.id for head in chats.heads()] == [keep]
    assert chats.search("xylophone") == []
    chats.close()
    for path in home.root.rglob("*"):
        assert path.is_dir() or b"xylophone" not in path.read_bytes(), path
    chats.delete(chat)


def test_what_a_crash_left_of_a_deleted_chat_is_taken_away(chats: Chats, home: Home):
    chat = said(chats, "words")
    (home.chats / chat).rename(home.chats / f".{chat}.deleted")
    assert chats.heads() == []
    chats.close_open_turns()
    assert list(home.chats.iterdir()) == []


def test_another_process_sees_what_this_one_wrote(chats: Chats, home: Home, redactor):
    other = Chats(home, redactor)
    chat = said(chats, "hello there")
    assert other.head(chat) == chats.head(chat)
    chats.log(chat).append(PersonMessage(text="more words"))
    assert len(other.search("more")) == 1
    assert other.head(chat).last_seq == chats.head(chat).last_seq == 3
    other.close()


def _a_folder(log: Path) -> None:
    log.unlink()
    log.mkdir()


def _a_number_no_index_holds(log: Path) -> None:
    event = '{"seq":%d,"type":"person_message","text":"Lisbon"}\n'
    log.write_text(event % 10**30)


def _a_number_without_end(log: Path) -> None:
    log.write_text('{"seq":' + "9" * 5_000 + ',"type":"person_message","text":"Lisbon"}\n')


@pytest.mark.parametrize("damage", [_a_folder, _a_number_no_index_holds, _a_number_without_end])
def test_one_bad_log_hides_no_other_chat(chats: Chats, home: Home, damage: Callable[[Path], None]):
    first, bad, last = (said(chats, f"Lisbon {at}") for at in range(3))
    assert len(chats.heads()) == 3
    damage(home.chats / bad / "log.jsonl")
    for _ in range(2):
        assert {head.id for head in chats.heads()} == {first, last}
        assert {found.chat for found in chats.search("Lisbon")} == {first, last}
    notes = [note for note in home.notes.recent() if bad in note.text]
    assert len(notes) == 1
    assert "could not be read" in notes[0].text
    assert chats.close_open_turns() == [last, first]


def test_a_bad_log_counts_again_once_it_can_be_read(chats: Chats, home: Home):
    chat = said(chats, "Lisbon")
    log = home.chats / chat / "log.jsonl"
    whole = log.read_bytes()
    _a_folder(log)
    assert chats.heads() == []
    log.rmdir()
    log.write_bytes(whole)
    assert [head.id for head in chats.heads()] == [chat]


def test_a_head_damaged_in_the_index_is_folded_again(chats: Chats, home: Home):
    one, other = said(chats, "Lisbon"), said(chats, "Porto")
    chats.heads()
    chats.close()
    with sqlite3.connect(home.index_file) as db:
        db.execute("UPDATE chat_logs SET head = '{}' WHERE chat = ?", (one,))
    db.close()
    assert chats.head(one).title == "Lisbon"
    with sqlite3.connect(home.index_file) as db:
        db.execute("UPDATE chat_logs SET head = 'nothing' WHERE chat = ?", (one,))
    db.close()
    assert {head.id: head.title for head in chats.heads()} == {one: "Lisbon", other: "Porto"}


def test_folders_that_are_no_chats_are_passed_over(chats: Chats, home: Home):
    chat = said(chats, "hello")
    (home.chats / "empty").mkdir()
    (home.chats / "notes.txt").write_text("x")
    assert [head.id for head in chats.heads()] == [chat]
