"""Files: whole or not at all, and only the owner's."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.home import files
from conch.home.clock import SteppedClock


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch):
    """A disk that refuses to make anything lasting."""

    def refuse(fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def switch_on() -> None:
        monkeypatch.setattr(files, "_fsync", refuse)

    return switch_on


def test_a_new_file_is_the_owners_alone_in_folders_that_are(tmp_path: Path):
    path = tmp_path / "a" / "b" / "c.json"
    files.write_atomic(path, b"words")
    assert path.read_bytes() == b"words"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


def test_a_refused_write_leaves_what_was_there_and_nothing_else(tmp_path: Path, refusing):
    path = tmp_path / "c.json"
    files.write_atomic(path, b"old")
    refusing()
    with pytest.raises(OSError, match="No space"):
        files.write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["c.json"]


def test_a_refused_append_leaves_the_file_as_long_as_it_was(tmp_path: Path, refusing):
    path = tmp_path / "log"
    files.append_line(path, b"one\n")
    refusing()
    with pytest.raises(OSError, match="No space"):
        files.append_line(path, b"two\n")
    assert path.read_bytes() == b"one\n"


def test_a_line_written_only_in_part_is_taken_back(tmp_path: Path, monkeypatch):
    path = tmp_path / "log"
    files.append_line(path, b"one\n")
    write = os.write
    parts = iter([3])

    def half(fd: int, data) -> int:
        for size in parts:
            return write(fd, bytes(data[:size]))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        files.append_line(path, b"two\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"one\n"
    files.append_line(path, b"three\n")
    assert path.read_bytes() == b"one\nthree\n"


def test_every_write_goes_through_the_one_seam(tmp_path: Path, monkeypatch):
    synced: list[int] = []
    monkeypatch.setattr(files, "_fsync", synced.append)
    files.write_atomic(tmp_path / "a", b"x")
    assert len(synced) == 2  # the file, then its folder
    files.append_line(tmp_path / "b", b"x\n")
    assert len(synced) == 4
    files.append_line(tmp_path / "b", b"x\n")
    assert len(synced) == 5
    files.move(tmp_path / "a", tmp_path / "c")
    files.remove(tmp_path / "c")
    assert len(synced) == 7


def test_what_is_set_aside_never_lands_on_something(tmp_path: Path):
    clock = SteppedClock(datetime(2026, 12, 1, 9, 30, tzinfo=UTC))
    places = []
    for words in (b"one", b"two", b"three"):
        files.write_atomic(tmp_path / "x.json", words)
        places.append(files.set_aside(tmp_path / "x.json", clock))
    assert [place.read_bytes() for place in places] == [b"one", b"two", b"three"]
    assert places[0].name == "x.json.damaged-20261201T093000Z"
    assert not (tmp_path / "x.json").exists()


def test_removing_what_is_not_there_is_no_error(tmp_path: Path):
    files.remove(tmp_path / "nothing")
    assert files.read_bytes(tmp_path / "nothing") == b""
