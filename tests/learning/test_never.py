"""What the person took back: the very same is dropped, what is only close waits (spec 0088 §6)."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.learning.changes import NeverItem
from conch.learning.never import NeverList, match_never
from conch.words.meaning import WordsOnly, load_meaning

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def matched(text: str, *taken_back: str) -> str | None:
    items = [NeverItem(f"nv{at}", one, NOON, "undo") for at, one in enumerate(taken_back)]
    found = match_never(text, items)
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "item", "match"),
    [
        ("prefers python!", "Prefers Python", "same"),
        ("Prefers the Python", "Prefers Python", "same"),
        ("Prefers TypeScript over Python", "Prefers Python", "close"),
        ("Likes Python best", "Prefers Python", "close"),
        ("Nutzt gern Vim", "Nutzt Vim", "close"),
        ("Lives in Lisbon", "Lives in Berlin", None),
        ("Has 3 kids", "Has 2 kids", None),
        ("Takes the tram", "Prefers Python", None),
        ("大阪に住んでいる", "札幌に住んでいる", None),
    ],
)
def test_what_comes_back(text: str, item: str, match: str | None):
    assert matched(text, item) == match


@pytest.mark.skipif(isinstance(load_meaning(), WordsOnly), reason="no encoder on this computer")
@pytest.mark.parametrize(
    ("text", "item", "match"),
    [
        ("Prefers green", "Prefers vegetarian", None),
        ("Mag Jazz", "Mag Oliven", None),
        ("Préfère le vert", "Préfère végétarien", None),
        ("緑を好む", "菜食を好む", None),
        ("Works as a physician", "Is a doctor", "close"),
        ("Quiere respuestas breves", "Prefiere respuestas cortas", "close"),
        ("短い回答を希望", "簡潔な答えを好む", "close"),
    ],
)
def test_being_put_alike_makes_nothing_close(text: str, item: str, match: str | None):
    found = match_never(text, [NeverItem("nv", item, NOON, "undo")], load_meaning())
    assert (found[0] if found else None) == match


def test_a_reversal_is_never_the_same():
    assert matched("Prefers dark over light", "Prefers light over dark") != "same"
    assert matched("Eats fish", "Doesn't eat fish") != "same"


def test_the_very_same_beats_what_is_close():
    assert matched("Likes Vim", "Likes Vim for notes", "Likes Vim") == "same"


def test_an_empty_list_matches_nothing():
    assert matched("Likes Vim") is None


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(NOON))


def test_the_list_is_kept_on_disk(home: Home):
    NeverList(home).add("Likes Vim", "undo")
    assert [(item.text, item.came_from, item.at) for item in NeverList(home).items()] == [
        ("Likes Vim", "undo", NOON)
    ]


def test_adding_twice_changes_nothing(home: Home):
    never = NeverList(home)
    first = never.add("Likes Vim", "undo", id="nv_1")
    assert never.add("Likes Vim", "undo", id="nv_1") == first
    assert never.add("likes  vim.", "forgot") == first
    assert len(never.items()) == 1


def test_remove_takes_one_off(home: Home):
    never = NeverList(home)
    kept = never.add("Likes Vim", "undo")
    gone = never.add("Likes Emacs", "dismissed")
    assert never.remove(gone.id)
    assert not never.remove(gone.id)
    assert never.items() == (kept,)


def test_a_damaged_list_is_set_aside_and_said(home: Home):
    never = NeverList(home)
    never.add("Likes Vim", "undo")
    (home.learning / "never.json").write_bytes(b"{ not json")
    assert never.items() == ()
    assert any("never.json" in note.text + note.where for note in home.notes.recent())
    assert list(home.learning.glob("never.json.damaged-*"))
