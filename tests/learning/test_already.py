"""What is remembered already, found through the index: always what a scan of everything finds."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.learning.already import AlreadyRead
from conch.learning.changes import Add, Said, Situation
from conch.learning.conflict import conflicting
from conch.learning.gate import decide
from conch.memory.memory import Memory
from conch.words.lexicon import lexicons_beside
from conch.words.likeness import same

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
CASES = Path(__file__).parents[1] / "cases"
STORE = 120


def memories(texts: Sequence[str]) -> tuple[Memory, ...]:
    return tuple(
        Memory(f"m{at}", text, "fact", "learning", NOON, NOON) for at, text in enumerate(texts)
    )


def texts_of_the_cases() -> list[str]:
    found: dict[str, None] = {}
    for line in (CASES / "identity.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found |= {row["a"]: None, row["b"]: None}
    for name in ("gate.jsonl", "gate_own.jsonl"):
        for line in (CASES / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[row["change"]["text"]] = None
            found |= {one["text"]: None for one in row["situation"].get("memories") or ()}
    return list(found)


def with_their_turns(texts: Sequence[str], random_of: random.Random) -> list[str]:
    """Texts said a little otherwise: denied, counted otherwise, in other letters, cut, turned."""
    found: list[str] = []
    for text in texts:
        words = text.split()
        found += [
            text.upper(),
            f"{text}.",
            f"Not {text}",
            text.replace("2", "3"),
            " ".join(reversed(words)),
            " ".join(words[:-1]) or text,
        ]
        random_of.shuffle(words)
        found.append(" ".join(words))
    return found


def known_by_scan(text: str, store: Sequence[Memory]) -> list[str]:
    return [memory.id for memory in store if same(memory.text, text)]


def known_by_index(text: str, store: Sequence[Memory], already: AlreadyRead) -> list[str]:
    return [one.id for one in already.may_be_same(text, store) if same(one.text, text)]


@pytest.mark.parametrize("seed", range(6))
def test_random_stores_of_the_case_files_give_what_a_scan_gives(seed: int):
    chance = random.Random(seed)
    texts = texts_of_the_cases()
    already = AlreadyRead()
    turned = 0
    for _ in range(3):  # the same index over changing stores
        stored = chance.sample(texts, STORE)
        stored += with_their_turns(chance.sample(stored, 10), chance)
        chance.shuffle(stored)
        store = memories(stored)
        asked = [*chance.sample(texts, 60), *chance.sample(stored, 40)]
        asked += with_their_turns(chance.sample(asked, 15), chance)
        for text in asked:
            assert known_by_index(text, store, already) == known_by_scan(text, store), text
            found = conflicting(text, store, None, already)
            assert found == conflicting(text, store), text
            turned += found is not None
    assert turned > 10


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Lives in Lisbon", "Lives in Berlin"),
        ("Doesn't eat fish", "Eats fish"),
        ("Has three kids", "Has two kids"),
        ("Prefers dark over light", "Prefers light over dark"),
        ("Wohnt jetzt in Linz", "Wohnt in Graz"),
        ("住在上海", "住在成都"),
        ("Standup is at 10:00", "Standup is at 9:45"),
    ],
)
def test_what_cannot_both_be_true_is_found_among_many(text: str, old: str):
    store = memories([*(f"Keeps notebook {n} in drawer {n + 1}" for n in range(200)), old])
    found = conflicting(text, store, None, AlreadyRead())
    assert found is not None
    assert found.text == old
    assert known_by_index(text, store, AlreadyRead()) == []


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("prefers tabs, not spaces.", "Prefers tabs instead of spaces"),
        ("The dentist is at 7 pm", "The dentist is at 19:00"),
        ("!?", "!?"),
        ("Prefiere el té", "Prefiere el té"),
    ],
)
def test_what_is_known_is_found_among_many(text: str, old: str):
    store = memories([*(f"Keeps notebook {n} in drawer {n + 1}" for n in range(200)), old])
    assert known_by_index(text, store, AlreadyRead()) == known_by_scan(text, store) == ["m200"]


def test_the_first_of_several_is_the_one_as_in_a_scan():
    store = memories(["Likes tea", "Prefers Rust", "prefers rust", "Prefers Rust."])
    assert known_by_index("Prefers Rust", store, AlreadyRead()) == ["m1", "m2", "m3"]


def test_the_gate_decides_alike_with_and_without_it():
    store = memories(["Prefers Rust", "Lives in Berlin", "Has two kids"])
    for words, text in (
        ("I prefer Rust", "Prefers Rust"),
        ("I live in Lisbon now", "Lives in Lisbon"),
        ("I have three kids", "Has three kids"),
        ("I prefer tea", "Prefers tea"),
    ):
        change = Add(text, words, "fact")
        given = Situation((Said(1, NOON, words, words),), memories=store)
        indexed = Situation((Said(1, NOON, words, words),), memories=store, already=AlreadyRead())
        assert decide(change, given) == decide(change, indexed)


def test_memories_that_are_gone_are_not_found_and_not_kept_for_ever():
    already = AlreadyRead()
    first = memories([f"Owns bicycle number {n}" for n in range(1_500)])
    already.read(first)
    assert known_by_index("Owns bicycle number 7", first[:3], already) == []
    now = memories(["Owns bicycle number 2"])
    already.read(now)
    assert known_by_index("Owns bicycle number 2", now, already) == ["m0"]
    assert known_by_index("Owns bicycle number 7", first, already) == ["m7"]


def test_another_language_is_read_with_its_own_words(tmp_path: Path):
    store = memories(["Zu habbit omp Brool", "Lives in Berlin"])
    already = AlreadyRead()
    assert known_by_index("Zu woonit omp Brool", store, already) == []
    (tmp_path / "qz.toml").write_text(
        'language = "qz"\nname = "Zuntish"\nscript = "Latn"\n'
        '[words]\nfunction = ["zu", "omp"]\ncommon = ["brool"]\n'
        '[words.same]\nleave_out = ["zu"]\nalike = ["habbit | woonit"]\n',
        encoding="utf-8",
    )
    with lexicons_beside(tmp_path):
        assert known_by_scan("Zu woonit omp Brool", store) == ["m0"]
        assert known_by_index("Zu woonit omp Brool", store, already) == ["m0"]
    assert known_by_index("Zu woonit omp Brool", store, already) == []
