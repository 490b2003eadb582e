"""The journal: no acknowledged entry is lost, and nothing is guessed."""

import errno
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.journal import Entry, Journal
from conch.home.notes import Notes

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
SAID: list[tuple[str, dict[str, Any]]] = [
    ("decided", {"text": "Prefers Python", "quotes": ["no, I meant Python"]}),
    ("done", {}),
    ("decided", {"text": "東京に住んでいる — “naïve”", "deep": {"n": [1, 2.5, None, True]}}),
    ("said", {"words": "two\nlines\tand \u2028 a separator"}),
]


def a_journal(folder: Path) -> Journal:
    clock = SteppedClock(NOON)
    return Journal(folder / "record.jsonl", Notes(folder / "notes.jsonl", clock))


def told(folder: Path) -> list[str]:
    return [note.text for note in Notes(folder / "notes.jsonl", SteppedClock(NOON)).recent()]


def plain(entries: list[Entry]) -> list[tuple[int, str, dict[str, Any]]]:
    return [(entry.seq, entry.kind, entry.data) for entry in entries]


def written(folder: Path) -> tuple[bytes, list[int]]:
    """A journal's bytes, and where each of its entries ended when it was acknowledged."""
    journal = a_journal(folder)
    ends = []
    for kind, data in SAID:
        journal.append(kind, data)
        ends.append(journal.path.stat().st_size)
    return journal.path.read_bytes(), ends


def test_entries_read_back_as_they_were(tmp_path: Path):
    written(tmp_path)
    entries = a_journal(tmp_path).entries()
    assert plain(entries) == [(n + 1, kind, data) for n, (kind, data) in enumerate(SAID)]
    assert entries[0].at == NOON
    assert told(tmp_path) == []


def test_only_those_after_are_given(tmp_path: Path):
    written(tmp_path)
    journal = a_journal(tmp_path)
    assert [entry.seq for entry in journal.entries(after=2)] == [3, 4]
    assert journal.entries(after=4) == []
    journal.append("more", {})
    assert [entry.seq for entry in journal.entries(after=4)] == [5]


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for, in tests that write thousands of times and lose no power."""
    monkeypatch.setattr(files, "_fsync", lambda fd: None)


@pytest.mark.usefixtures("no_waiting")
def test_cut_at_every_byte_no_acknowledged_entry_is_lost_and_none_is_guessed(tmp_path: Path):
    data, ends = written(tmp_path / "whole")
    for cut in range(len(data) + 1):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "record.jsonl").write_bytes(data[:cut])
        whole = [n for n, end in enumerate(ends) if end <= cut]
        expected = [(n + 1, *SAID[n]) for n in whole]
        journal = a_journal(folder)
        assert plain(journal.entries()) == expected

        torn = data[ends[whole[-1]] if whole else 0 : cut]
        aside = list(folder.glob("record.jsonl.damaged-*"))
        assert [path.read_bytes() for path in aside] == ([torn] if torn else [])
        assert len(told(folder)) == (1 if torn else 0)

        assert journal.append("after", {"cut": cut}) == len(whole) + 1
        again = [*expected, (len(whole) + 1, "after", {"cut": cut})]
        assert plain(journal.entries()) == plain(a_journal(folder).entries()) == again


def test_appending_mends_a_torn_tail_without_reading_first(tmp_path: Path):
    data, ends = written(tmp_path)
    (tmp_path / "record.jsonl").write_bytes(data[: ends[2] + 7])
    assert a_journal(tmp_path).append("after", {}) == 4
    assert [entry.kind for entry in a_journal(tmp_path).entries()][-2:] == ["decided", "after"]
    assert len(told(tmp_path)) == 1


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("value", [0x00, 0x20, 0x31, 0x0A, 0xFF])
def test_any_byte_changed_costs_only_the_entry_it_is_in(tmp_path: Path, value: int):
    data, ends = written(tmp_path)
    originals = [(n + 1, *said) for n, said in enumerate(SAID)]
    path = tmp_path / "record.jsonl"
    for place in range(len(data)):
        if data[place] == value:
            continue
        path.write_bytes(data[:place] + bytes([value]) + data[place + 1 :])
        entries = plain(a_journal(tmp_path).entries())
        # A newline that is gone glues the next entry on; nothing else may be missing.
        hurt = next(n for n, end in enumerate(ends) if place < end)
        lost = {hurt, hurt + 1} if data[place] == 0x0A else {hurt}
        assert entries == [entry for n, entry in enumerate(originals) if n not in lost]


def test_a_damaged_line_in_the_middle_is_said_once_and_left_in_the_file(tmp_path: Path):
    data, ends = written(tmp_path)
    path = tmp_path / "record.jsonl"
    damaged = data[: ends[0] + 20] + b"#" + data[ends[0] + 21 :]
    path.write_bytes(damaged)
    for _ in range(3):
        assert [entry.seq for entry in a_journal(tmp_path).entries()] == [1, 3, 4]
    assert len(told(tmp_path)) == 1
    assert "entry 1" in told(tmp_path)[0]
    assert a_journal(tmp_path).append("after", {}) == 5
    assert path.read_bytes().startswith(damaged)


def test_an_entry_that_stands_twice_counts_once(tmp_path: Path):
    data, ends = written(tmp_path)
    (tmp_path / "record.jsonl").write_bytes(data + data[ends[0] : ends[1]])
    assert [entry.seq for entry in a_journal(tmp_path).entries()] == [1, 2, 3, 4]


def test_a_refused_entry_is_not_read_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = a_journal(tmp_path)
    journal.append("one", {})

    def refuse(fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "_fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        journal.append("two", {})
    monkeypatch.undo()
    assert [entry.kind for entry in a_journal(tmp_path).entries()] == ["one"]
    assert journal.append("three", {}) == 2
    assert [entry.kind for entry in journal.entries()] == ["one", "three"]


def test_journals_open_on_one_file_see_each_others_entries(tmp_path: Path):
    one, other = a_journal(tmp_path), a_journal(tmp_path)
    assert [one.append("a", {}), other.append("b", {}), one.append("c", {})] == [1, 2, 3]
    assert plain(one.entries()) == plain(other.entries())
    assert [entry.kind for entry in other.entries(after=1)] == ["b", "c"]


def test_appends_at_the_same_time_each_get_a_seq_of_their_own(tmp_path: Path):
    journals = [a_journal(tmp_path) for _ in range(3)]
    seqs: list[int] = []

    def work(journal: Journal) -> None:
        seqs.extend(journal.append("x", {}) for _ in range(25))

    threads = [threading.Thread(target=work, args=(one,)) for one in (*journals, journals[0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seqs) == list(range(1, 101))
    assert [entry.seq for entry in a_journal(tmp_path).entries()] == list(range(1, 101))


def test_another_file_at_the_path_is_read_anew(tmp_path: Path):
    written(tmp_path / "old")
    journal = a_journal(tmp_path / "old")
    journal.entries()
    other = a_journal(tmp_path / "new")
    for n in range(40):
        other.append("restored", {"n": n})
    other.path.replace(journal.path)
    assert [entry.data for entry in journal.entries()] == [{"n": n} for n in range(40)]
    assert journal.append("after", {}) == 41


def test_a_lone_surrogate_neither_fails_nor_changes(tmp_path: Path):
    a_journal(tmp_path).append("said", {"text": "a\ud800b"})
    assert a_journal(tmp_path).entries()[0].data == {"text": "a\ud800b"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(st.text(), json_values, max_size=4), max_size=5))
def test_whatever_is_appended_reads_back(tmp_path_factory, data: list[dict[str, Any]]):
    folder = tmp_path_factory.mktemp("journal")
    journal = a_journal(folder)
    for one in data:
        journal.append("x", one)
    assert [entry.data for entry in a_journal(folder).entries()] == data


def test_the_time_is_the_homes(tmp_path: Path):
    clock = SteppedClock(NOON)
    journal = Journal(tmp_path / "j", Notes(tmp_path / "n", clock))
    journal.append("a", {})
    clock.advance(hours=1)
    journal.append("b", {})
    assert [entry.at - NOON for entry in journal.entries()] == [timedelta(0), timedelta(hours=1)]
