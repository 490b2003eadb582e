from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.words.likeness import closeness, find_same, same

CASES = Path(__file__).parent.parent / "cases"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


PAIRS = rows("identity.jsonl")


def test_same_or_not_is_right_on_the_pairs() -> None:
    assert len(PAIRS) >= 200
    assert len({row["lang"] for row in PAIRS}) >= 5
    right = sum(same(row["a"], row["b"]) == (row["want"] == "same") for row in PAIRS)
    assert right / len(PAIRS) >= 0.98


@pytest.mark.parametrize(
    "row", [row for row in PAIRS if row["want"] == "different"], ids=lambda row: row["id"]
)
def test_no_opposites_are_ever_the_same(row: dict[str, Any]) -> None:
    assert not same(row["a"], row["b"])
    assert not same(row["b"], row["a"])


@pytest.mark.parametrize("row", PAIRS, ids=lambda row: row["id"])
def test_same_is_the_same_both_ways_round(row: dict[str, Any]) -> None:
    assert same(row["a"], row["b"]) == same(row["b"], row["a"])
    assert same(row["a"], row["a"].upper()) or not row["a"].isascii()
    assert same(row["a"], f"  {row['a']}  ")


SIDES = (
    ("en", "Prefers {} over {}", ("tea", "coffee", "trains", "long mails", "Python")),
    ("en", "Moved from {} to {}", ("Berlin", "Lisbon", "New York", "Hull")),
    ("en", "{} manages {}", ("Anna", "Ben", "her sister", "the new boss")),
    ("en", "Wants {}, not {}", ("lists", "tables", "short mails")),
    ("de", "Trinkt lieber {} als {}", ("Tee", "Kaffee", "Wasser")),
    ("de", "Zog von {} nach {}", ("Bonn", "Kiel", "Jena")),
    ("fr", "Préfère {} à {}", ("Lyon", "Metz", "Nice")),
    ("es", "Prefiere {} a {}", ("Vigo", "Lugo", "Soria")),
    ("it", "{} aiuta {}", ("Marco", "Anna", "Sara")),
    ("pt", "Mudou de {} para {}", ("Natal", "Recife", "Belém")),
    ("ru", "Вместо {} выбирает {}", ("чай", "кофе", "сок")),
    ("ja", "{}より{}が好き", ("紅茶", "海", "猫")),
    ("zh", "从{}搬到{}", ("北京", "上海", "成都")),
    ("ko", "{}보다 {}를 좋아한다", ("커피", "녹차", "우유")),
)
REVERSALS = [
    pytest.param(pattern.format(one, other), pattern.format(other, one), id=f"{code}:{one}/{other}")
    for code, pattern, things in SIDES
    for place, one in enumerate(things)
    for other in things[place + 1 :]
]


@pytest.mark.parametrize(("a", "b"), REVERSALS)
def test_a_reversal_is_never_the_same(a: str, b: str) -> None:
    assert not same(a, b)


CHANGED = (
    ("Has {} children", [str(number) for number in range(1, 13)]),
    ("Hat {} Kinder", ["zwei", "drei", "zwölf", "einundzwanzig"]),
    ("A {} enfants", ["deux", "trois", "dix"]),
    ("Gets up at {}", ["6 am", "6 pm", "6:30", "7", "noon"]),
    ("Lives in {}", ["Berlin", "Lisbon", "Bern", "Berlin-Mitte"]),
    ("{} olives", ["Likes", "Dislikes", "Hates", "Never eats", "Always eats", "Avoids"]),
    ("Eats {} running", ["before", "after", "while", "without"]),
    ("Free on {}", ["Monday", "Tuesday", "Wednesday", "weekends", "weekdays"]),
    ("肉を{}", ["食べる", "食べない", "食べた", "やめた"]),
    ("{}吃肉", ["不", "总是", "从不", "偶尔"]),
)
CHANGES = [
    pytest.param(pattern.format(one), pattern.format(other), id=f"{pattern}:{one}/{other}")
    for pattern, things in CHANGED
    for place, one in enumerate(things)
    for other in things[place + 1 :]
]


@pytest.mark.parametrize(("a", "b"), CHANGES)
def test_another_number_time_place_or_verb_is_never_the_same(a: str, b: str) -> None:
    assert not same(a, b)


TRIVIAL = (
    "Prefers tabs instead of spaces",
    "Has two cats and a dog",
    "Doesn't eat meat on Fridays",
    "Lives in Łódź with her sister",
)


@pytest.mark.parametrize("text", TRIVIAL)
def test_how_it_is_typed_makes_no_difference(text: str) -> None:
    for other in (
        text.lower(),
        text + ".",
        f"“{text}”",
        text.replace("'", "’"),
        text.replace(" ", "  "),
        text.replace("two", "2"),
        text.replace("Doesn't", "does not"),
        text.replace("ź", "z"),
        "\u200b" + text,
    ):
        assert same(text, other), other


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_two_texts_are_compared_both_ways(a: str, b: str) -> None:
    assert same(a, b) == same(b, a)
    assert same(a, a)
    assert 0.0 <= closeness(a, b) <= 1.0
    assert closeness(a, b) == closeness(b, a)


def test_nothing_is_not_the_same_as_something() -> None:
    assert not same("", "Prefers tea")
    assert not same("the", "a")


def test_find_same_names_the_place() -> None:
    known = ["Has a van", "Prefers tea over coffee", "Prefers tea"]
    assert find_same("prefers tea.", known) == 2
    assert find_same("Prefers coffee over tea", known) is None


def test_closeness_grows_with_the_words_shared() -> None:
    tea = "Prefers green tea in the morning"
    assert closeness(tea, "Prefers green tea in the evening") > closeness(tea, "Likes green cars")
    assert closeness(tea, "Has two dogs") < 0.35
    assert closeness(tea, tea) == 1.0
    assert closeness("札幌に住んでいる", "札幌在住") > closeness("札幌に住んでいる", "猫が好き")
