"""The same thing said twice in other words, and another thing in nearly the same: 15 languages."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from conch.words.likeness import same

CASES = Path(__file__).parents[1] / "cases"


def rows(name: str) -> list[dict[str, str]]:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


OPEN = rows("said_twice.jsonl")
APART = [row for row in (*OPEN, *rows("held/said_twice.jsonl")) if row["want"] == "different"]


@pytest.mark.parametrize("row", APART, ids=lambda row: row["id"])
def test_another_thing_is_never_taken_for_the_same(row):
    assert not same(row["a"], row["b"])
    assert not same(row["b"], row["a"])


def test_in_every_language_most_of_what_is_said_twice_is_known():
    right: dict[str, list[bool]] = defaultdict(list)
    for row in OPEN:
        if row["want"] == "same":
            right[row["lang"]].append(same(row["a"], row["b"]))
    assert len(right) == 15
    few = {lang: found for lang, found in right.items() if sum(found) * 2 < len(found)}
    assert few == {}
    everything = [one for found in right.values() for one in found]
    assert sum(everything) >= 0.75 * len(everything)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Likes tea better than coffee", "Prefers tea over coffee"),
        ("Mag Tee lieber als Kaffee", "Bevorzugt Tee gegenüber Kaffee"),
        ("Aime mieux le thé que le café", "Préfère le thé au café"),
        ("Le gusta más el té que el café", "Prefiere el té al café"),
        ("Prefere chá do que café", "Gosta mais de chá do que de café"),
        ("Ist gegen Nüsse allergisch", "Hat eine Allergie gegen Nüsse"),
    ],
)
def test_what_is_better_than_what_is_the_same_however_it_is_said(a, b):
    assert same(a, b)
    assert same(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Likes tea better than coffee", "Prefers coffee over tea"),
        ("Likes to go to Rome", "Prefers to go to Rome"),
        ("Mag Tee lieber als Kaffee", "Bevorzugt Kaffee gegenüber Tee"),
        ("Mag Tee", "Bevorzugt Tee"),
        ("Aime mieux le thé que le café", "Préfère le café au thé"),
        ("Le gusta más el té que el café", "Prefiere el café al té"),
        ("Likes tea more than coffee", "Likes tea and coffee"),
        ("Ist gegen Nüsse allergisch", "Ist gegen Milch allergisch"),
    ],
)
def test_what_is_turned_round_or_less_is_another_thing(a, b):
    assert not same(a, b)
