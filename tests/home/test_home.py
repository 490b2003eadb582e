"""A home: where things are, its clock, ids, notes, seals and its one writer."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from conch.home.clock import SteppedClock, SystemClock
from conch.home.errors import ConchError, Damaged, HomeBusy
from conch.home.home import Home
from conch.home.ids import new_id
from conch.home.notes import Notes
from conch.home.seal import Seal
from conch.home.writer import take_writer

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_everything_is_inside_the_home(tmp_path: Path):
    home = Home.open(tmp_path / "deep" / "home")
    assert home.root.stat().st_mode & 0o777 == 0o700
    places = [
        home.chats, home.memory, home.superseded, home.learning, home.keys, home.settings_file,
        home.usage_file, home.learning_spend_file, home.routine_spend_file, home.index_file,
        home.socket_file, home.lock_file,
    ]  # fmt: skip
    assert all(place.is_relative_to(home.root) for place in places)
    assert len(set(places)) == len(places)


def test_opening_a_folder_that_is_there_changes_nothing_of_it(tmp_path: Path):
    tmp_path.chmod(0o755)
    Home.open(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert list(tmp_path.iterdir()) == []


def test_clocks_give_utc():
    assert SystemClock().now().tzinfo is UTC
    clock = SteppedClock(datetime(2026, 12, 1, 14, tzinfo=timezone(timedelta(hours=2))))
    assert clock.now() == NOON
    clock.advance(days=1, minutes=-30)
    assert clock.now() == datetime(2026, 12, 2, 11, 30, tzinfo=UTC)
    clock.set(datetime(2026, 1, 1))
    assert clock.now() == datetime(2026, 1, 1, tzinfo=UTC)


def test_ids_are_unique_sort_by_when_they_were_made_and_are_plain():
    made = [new_id("m") for _ in range(2000)]
    assert len(set(made)) == 2000
    assert made == sorted(made)
    assert all(one.startswith("m_") and one[2:].isalnum() and one.islower() for one in made)


def test_an_error_says_what_happened_what_was_kept_and_what_to_do():
    error = HomeBusy("It is in use.", "Nothing was changed.", "Stop the other.")
    assert str(error) == "It is in use. Nothing was changed. Stop the other."
    assert str(ConchError("Only this.")) == "Only this."
    assert error.as_dict()["do"] == "Stop the other."


def test_notes_come_newest_first_and_the_same_is_said_once_a_day(tmp_path: Path):
    clock = SteppedClock(NOON)
    notes = Notes(tmp_path / "notes.jsonl", clock)
    notes.say("First.", where="a")
    clock.advance(hours=1)
    notes.say("Second\nwith “marks” \ud800.")
    notes.say("First.", where="a")
    Notes(tmp_path / "notes.jsonl", clock).say("First.", where="a")
    (tmp_path / "notes.jsonl").open("ab").write(b"\xff{ broken\n")
    recent = Notes(tmp_path / "notes.jsonl", clock).recent()
    assert [note.text[:6] for note in recent] == ["Second", "First."]
    assert recent[1].at == NOON
    assert Notes(tmp_path / "notes.jsonl", clock).recent(1) == recent[:1]
    clock.advance(hours=23)
    notes.say("First.", where="a")
    assert [note.text[:6] for note in notes.recent()] == ["First.", "Second", "First."]


def test_a_disk_that_refuses_a_note_stops_nothing(tmp_path: Path):
    (tmp_path / "notes.jsonl").mkdir()
    Notes(tmp_path / "notes.jsonl", SteppedClock(NOON)).say("Something.")


def test_a_seal_fits_only_the_bytes_and_the_home_it_was_made_for(tmp_path: Path):
    seal, other = Seal(tmp_path / "a"), Seal(tmp_path / "b")
    mark = seal.sign(b"words")
    assert seal.fits(b"words", mark)
    assert Seal(tmp_path / "a").fits(b"words", mark)
    assert not seal.fits(b"words!", mark)
    assert not other.fits(b"words", mark)
    assert not seal.fits(b"words", "")
    assert not seal.fits(b"words", "ü\ud800")
    assert (tmp_path / "a" / "seal.key").stat().st_mode & 0o777 == 0o600


def test_a_key_is_fresh_only_when_it_was_just_made(tmp_path: Path):
    assert Seal(tmp_path).fresh
    assert not Seal(tmp_path).fresh
    (tmp_path / "seal.key").write_bytes(b"short")
    assert Seal(tmp_path).fresh
    assert (tmp_path / "seal.key.damaged").read_bytes() == b"short"


def test_what_is_hidden_opens_here_and_nowhere_else(tmp_path: Path):
    seal = Seal(tmp_path / "a")
    hidden = seal.encrypt(b"sk-something")
    assert b"something" not in hidden
    assert seal.encrypt(b"sk-something") != hidden
    assert Seal(tmp_path / "a").decrypt(hidden) == b"sk-something"
    for wrong in (hidden[:-1], hidden[:10], b"", b"plain", hidden[:-1] + bytes([hidden[-1] ^ 1])):
        with pytest.raises(Damaged):
            seal.decrypt(wrong)
    with pytest.raises(Damaged):
        Seal(tmp_path / "b").decrypt(hidden)


def test_only_one_writes_at_a_time(tmp_path: Path):
    home = Home.open(tmp_path)
    with take_writer(home):
        with pytest.raises(HomeBusy, match="Nothing was changed"):
            take_writer(Home.open(tmp_path))
        taken = _in_another_process(tmp_path)
        assert "HomeBusy" in taken
    assert "taken" in _in_another_process(tmp_path)
    take_writer(home).close()


def test_a_writer_that_died_leaves_the_home_free(tmp_path: Path):
    died = "import os; os._exit(9)"
    assert "taken" in _in_another_process(tmp_path, died)
    take_writer(Home.open(tmp_path)).close()


def test_what_a_dead_process_left_half_written_is_taken_away(tmp_path: Path):
    home = Home.open(tmp_path)
    home.memory.mkdir()
    dies = (
        "import os\nfrom conch.home import files\n"
        "files._fsync = lambda fd: os._exit(9)\n"
        "files.write_atomic(writer.home.memory / 'm_1.md', b'half a memory')\n"
    )
    assert "taken" in _in_another_process(tmp_path, dies)
    assert len(list(home.memory.iterdir())) == 1
    beside = home.memory / ".m_2.md.1-abc.new"  # of a process that lives
    beside.write_bytes(b"x")
    with take_writer(home):
        assert list(home.memory.iterdir()) == [beside]


def _in_another_process(root: Path, then: str = "") -> str:
    code = (
        "import sys, pathlib\n"
        "from conch.home.home import Home\n"
        "from conch.home.writer import take_writer\n"
        "writer = take_writer(Home.open(pathlib.Path(sys.argv[1])))\n"
        f"print('taken', flush=True)\n{then}"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr
