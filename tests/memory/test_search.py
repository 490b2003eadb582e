"""Search: by words in every script, forgiving slips, and by meaning; derived and never needed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy
import pytest

from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.memory import Held
from conch.memory.ranking import near_terms
from conch.memory.search_index import SearchIndex
from conch.words.meaning import Meaning, WordsOnly, load_meaning
from memory.conftest import START, MakeMemory

KEPT = {
    "m_tea": "Drinks green tea in the morning",
    "m_berlin": "Lives in Berlin",
    "m_kids": "Has 3 children",
    "m_uni": "Studiert Maschinenbau in München",
    "m_ja": "京都に住んでいる",
    "m_zh": "对花生过敏",
    "m_th": "ชอบกินอาหารเผ็ด",
    "m_ru": "Живёт в Казани",
    "m_ar": "يسكن في الرباط",
    "m_hi": "जयपुर में रहता है",
    "m_ko": "부산에 살아요",
    "m_cpp": "Writes C++ at work",
}


@pytest.fixture
def index(make: MakeMemory) -> SearchIndex:
    index = SearchIndex(None)
    index.set([make(memory_id, text) for memory_id, text in KEPT.items()])
    return index


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("tea", "m_tea"),
        ("Where in Berlin?", "m_berlin"),
        ("berln", "m_berlin"),
        ("Brelin", "m_berlin"),
        ("childern", "m_kids"),
        ("3", "m_kids"),
        ("munchen", "m_uni"),
        ("MASCHINENBAU", "m_uni"),
        ("京都", "m_ja"),
        ("花生", "m_zh"),
        ("อาหารเผ็ด", "m_th"),
        ("казань", "m_ru"),
        ("الرباط", "m_ar"),
        ("जयपुर", "m_hi"),
        ("부산", "m_ko"),
        ("c++", "m_cpp"),
    ],
)
def test_by_words_in_every_script_and_with_slips(
    index: SearchIndex, query: str, wanted: str
) -> None:
    hits = index.search(query, 3)
    assert hits
    assert hits[0].memory.id == wanted
    assert 0 < hits[0].score <= 1


@pytest.mark.parametrize("query", ["", "   ", "zebra", '" OR NOT (', "tea*", "NEAR(tea)", "'; --"])
def test_odd_queries_neither_fail_nor_find_everything(index: SearchIndex, query: str) -> None:
    assert {hit.memory.id for hit in index.search(query, 8)} <= {"m_tea"}


def test_a_rare_word_weighs_more_than_a_common_one(make: MakeMemory) -> None:
    index = SearchIndex(None)
    texts = [f"Likes music of kind {number}" for number in range(30)]
    index.set([make(f"m_{n}", text) for n, text in enumerate([*texts, "Likes fado"])])
    assert index.search("likes fado", 1)[0].memory.id == "m_30"


def test_a_slip_is_nearer_than_another_word() -> None:
    assert near_terms("berln", ["bern", "berlin", "merlin"]) == ["berlin", "bern"]
    assert near_terms("cat", ["car", "cut"]) == []
    assert near_terms("京都", ["京阪"]) == []


def test_what_waits_or_is_held_is_not_found_and_the_earlier_only_when_asked_for(
    make: MakeMemory,
) -> None:
    index = SearchIndex(None)
    index.set(
        [
            make("m_1", "Likes tea", waits="Nobody was there."),
            make("m_2", "Likes tea a lot", held=Held("ask", ("A page.",))),
            make("m_3", "Liked tea once", invalid_at=START),
        ]
    )
    assert index.search("tea", 8) == []
    assert [hit.memory.id for hit in index.search("tea", 8, include_earlier=True)] == ["m_3"]


def test_cues_help_to_find_it(make: MakeMemory) -> None:
    index = SearchIndex(None)
    index.set([make("m_1", "Avoids gluten", cues=("baking", "restaurants")), make("m_2", "x y")])
    assert [hit.memory.id for hit in index.search("a restaurant", 8)] == ["m_1"]


def test_what_changed_is_found_anew_and_what_is_gone_is_not(make: MakeMemory) -> None:
    index = SearchIndex(None)
    index.set([make("m_1", "Lives in Berlin"), make("m_2", "Likes tea")])
    index.set([make("m_1", "Lives in Lisbon")])
    assert [hit.memory.id for hit in index.search("Lisbon", 8)] == ["m_1"]
    assert index.search("Berlin", 8) == []
    assert index.search("tea", 8) == []


class Counting:
    """An encoder that counts what it is asked for."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._inner = WordsOnly()

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        self.asked.extend(texts)
        return self._inner.encode(texts)

    def likeness(self, a: str, b: str) -> float:
        return self._inner.likeness(a, b)


def test_a_restart_encodes_nothing_anew(tmp_path: Path, make: MakeMemory) -> None:
    memories = [make(memory_id, text) for memory_id, text in KEPT.items()]
    first = Counting()
    index = SearchIndex(tmp_path / "index.db", first)
    index.set(memories)
    assert index.encode_some(5) == len(KEPT) - 5
    assert index.encode_some(100) == 0
    again = Counting()
    restarted = SearchIndex(tmp_path / "index.db", again)
    restarted.set([*memories, make("m_new", "Plays chess")])
    assert restarted.encode_some(100) == 0
    assert again.asked == ["Plays chess"]
    before, after = index.search("tea in Berlin", 5), restarted.search("tea in Berlin", 5)
    assert [hit.memory.id for hit in before] == [hit.memory.id for hit in after]


def test_meaning_finds_what_shares_no_word(make: MakeMemory) -> None:
    meaning = load_meaning()
    if isinstance(meaning, WordsOnly):
        pytest.skip("needs the encoder, which has no wheel for this machine")
    index = SearchIndex(None, meaning)
    index.set([make(memory_id, text) for memory_id, text in KEPT.items()])
    cities = {"m_berlin", "m_ja", "m_ru", "m_ar", "m_hi", "m_ko"}
    assert index.search("Which city is home?", 3)[0].memory.id in cities
    assert "m_tea" in [hit.memory.id for hit in index.search("what I like to drink", 3)]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 99])
def test_a_damaged_or_deleted_index_loses_nothing(
    home: Home, clock: SteppedClock, memories: Memories, put: MakeMemory, damage: bytes
) -> None:
    put()
    memories.search("Berlin")
    home.index_file.write_bytes(damage)
    again = Memories(home, clock)
    assert [hit.memory.id for hit in again.search("Berlin")] == ["m_1"]


def test_an_index_that_fails_while_it_is_used_starts_anew(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put()
    with sqlite3.connect(home.index_file) as db:
        db.execute("DROP TABLE memory_rows")
    put("m_2", "Likes tea")
    assert [hit.memory.id for hit in memories.search("tea")] == ["m_2"]
    assert [hit.memory.id for hit in memories.search("Berlin")] == ["m_1"]


def test_what_is_forgotten_leaves_no_words_in_the_index(
    home: Home, memories: Memories, put: MakeMemory
) -> None:
    put("m_1", "Owns a xylophonebox")
    put("m_2", "Likes tea")
    memories.search("tea")
    memories.remove("m_1")
    memories.search("tea")
    assert b"xylophonebox" not in home.index_file.read_bytes()


@pytest.mark.parametrize("meaning", [None, WordsOnly()], ids=["no encoder", "words only"])
def test_the_folder_is_searched_with_or_without_an_encoder(
    home: Home, clock: SteppedClock, make: MakeMemory, meaning: Meaning | None, put: MakeMemory
) -> None:
    put("m_1", "Lives in Berlin")
    put("m_2", "Prefers trains")
    memories = Memories(home, clock, meaning)
    assert memories.search("Berlin")[0].memory.id == "m_1"
