"""A search about something else finds nothing; one in other words still finds its memory."""

from datetime import UTC, datetime

import numpy
import pytest

from conch.memory.memory import Memory
from conch.memory.ranking import ANSWER_FLOOR, answers
from conch.memory.search_index import SearchIndex
from conch.words.meaning import load_meaning

NOW = datetime(2026, 12, 2, tzinfo=UTC)
KNOWN = (
    "Prefers TypeScript over JavaScript",
    "Has a dog named Bruno",
    "Allergic to peanuts",
    "Drives an old Volvo",
    "Wohnt in Hamburg",
    "Mag keine Pilze",
    "Trabaja como profesora de historia",
    "Préfère le thé vert",
    "Живёт в Минске",
    "住在上海",
)


@pytest.fixture(scope="module")
def index():
    found = SearchIndex(None, load_meaning())
    found.set(
        Memory(id=f"m_{at}", text=text, kind="fact", source="you", created=NOW, updated=NOW)
        for at, text in enumerate(KNOWN)
    )
    while found.encode_some(32):
        pass
    return found


ELSEWHERE = (
    "nonsense", "asdfgh", "lorem ipsum dolor", "bêtises", "чепуха", "plutonium", "volcán",
    "wedding invitation", "Quatsch", "printer ink", "helicopter", "kubernetes ingress",
)  # fmt: skip


def test_most_of_what_nothing_speaks_of_finds_nothing(index):
    """Meaning alone can't tell all of it: words of one topic are close in any store."""
    answered = [query for query in ELSEWHERE if index.search(query, 8)]
    assert len(answered) <= len(ELSEWHERE) // 3, answered


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("pet", "Has a dog named Bruno"),
        ("programming language", "Prefers TypeScript over JavaScript"),
        ("empleo", "Trabaja como profesora de historia"),
        ("Stadt", "Wohnt in Hamburg"),
        ("城市", "住在上海"),
        ("Volvo", "Drives an old Volvo"),
    ],
)
def test_other_words_for_it_still_find_it(index, query, text):
    assert text in [hit.memory.text for hit in index.search(query, 8)]


def test_below_the_floor_only_a_shared_word_is_an_answer():
    half = numpy.array([ANSWER_FLOOR / 2 - 0.01] * 2, dtype=numpy.float32)
    words = numpy.array([1.0, 0.0], dtype=numpy.float32)
    assert answers(words, half, half).tolist() == [True, False]
