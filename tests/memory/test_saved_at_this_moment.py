"""What a person saves or deletes by hand between reading and moving a file is not lost."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.home import files
from conch.home.home import Home
from conch.memory import retiring
from conch.memory.copies import copy_of, original_of
from conch.memory.memories import Memories
from memory.conftest import MakeMemory

ENDED = datetime(2026, 8, 31, 22, 0, tzinfo=UTC)


@pytest.fixture
def berlin(memories: Memories, put: MakeMemory, home: Home) -> Path:
    put("m_1", "Lives in Berlin")
    put("m_2", "Lives in Lisbon")
    return home.memory / "m_1.md"


def at_the_last_moment(monkeypatch: pytest.MonkeyPatch, happens) -> None:
    """`happens` between the reading of a file and its removal."""
    real = files.remove

    def remove(path: Path, *rest: bytes) -> None:
        if rest:
            happens(path)
        real(path, *rest)

    monkeypatch.setattr(files, "remove", remove)


def goes(memories: Memories, act: str) -> None:
    if act == "retire":
        memories.retire("m_1", ENDED, "m_2")
    else:
        memories.remove("m_1")


def saves(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"Berlin", b"Bern"))


@pytest.mark.parametrize("act", ["retire", "remove"])
def test_words_saved_in_between_stay(
    memories: Memories, berlin: Path, home: Home, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    at_the_last_moment(monkeypatch, saves)
    with pytest.raises(files.ChangedMeanwhile, match="changed at this moment"):
        goes(memories, act)
    memory = memories.get("m_1")
    assert memory is not None
    assert (memory.text, memory.source) == ("Lives in Bern", "you")
    assert memories.earlier() == []
    assert sorted(path.name for path in home.memory.glob("*.md")) == ["m_1.md", "m_2.md"]


@pytest.mark.parametrize("act", ["retire", "remove"])
def test_what_is_saved_while_it_goes_stays_too(
    memories: Memories, berlin: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    real = Path.rename

    def rename(path: Path, to: Path) -> Path:
        done = real(path, to)
        path.write_bytes(to.read_bytes().replace(b"Berlin", b"Bern"))
        return done

    monkeypatch.setattr(Path, "rename", rename)
    goes(memories, act)
    memory = memories.get("m_1")
    assert memory is not None
    assert memory.text == "Lives in Bern"


def test_a_file_deleted_in_between_leaves_no_empty_copy(
    memories: Memories, berlin: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = retiring.files.read_bytes

    def read(path: Path) -> bytes:
        if path == berlin:
            path.unlink(missing_ok=True)
        return real(path)

    memories.refresh()
    monkeypatch.setattr(memories, "refresh", lambda: False)
    monkeypatch.setattr(retiring.files, "read_bytes", read)
    memories.retire("m_1", ENDED, "m_2")
    monkeypatch.undo()
    assert memories.get("m_1") is None
    assert list(home.superseded.glob("*.md")) == []


@pytest.mark.parametrize(
    "own",
    [
        "sealBefore: mine",
        "invalidAt: 2020-01-01",
        "fileName: mine.md",
        "own-fileName: mine.md",
        "own-own-sealBefore: x\nsealBefore: y\n# a comment",
        '"sealBefore": quoted',
    ],
)
def test_own_keys_called_as_those_of_a_copy_come_back_to_the_byte(
    memories: Memories, berlin: Path, own: str
) -> None:
    head, words = berlin.read_text().split("---\n", 2)[1:]
    berlin.write_text(f"---\n{own}\n{head}---\n{words}")
    memories.refresh()
    before = memories.raw("m_1")
    assert memories.retire("m_1", ENDED, "m_2")
    (earlier,) = memories.earlier()
    assert (earlier.text, earlier.invalid_at) == ("Lives in Berlin", ENDED)
    memories.unretire("m_1", "m_2")
    assert memories.raw("m_1") == before


def test_a_copy_of_any_such_file_gives_it_back(home: Home) -> None:
    own = b"fileName: a\ninvalidAt: b\nsupersededBy: c\nsealBefore: d\n"
    data = b"---\nid: m_1\n" + own + b"seal: e\n---\nx\n"
    copy = copy_of(data, ENDED, "m_2", home.seal, "name.md")
    assert original_of(copy) == data
