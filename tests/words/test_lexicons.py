"""Every lexicon has the tables the words room reads, written so that they can be found."""

from __future__ import annotations

import pytest

from conch.words.fold import fold
from conch.words.lexicon import Lexicon, lexicons
from conch.words.tokens import tokens

LANGUAGES = (
    "en",
    "de",
    "fr",
    "es",
    "pt",
    "it",
    "nl",
    "pl",
    "tr",
    "ru",
    "ja",
    "zh",
    "ko",
    "hi",
    "ar",
)


def test_the_fifteen_languages_are_there() -> None:
    assert {lexicon.code for lexicon in lexicons()} >= set(LANGUAGES)


@pytest.mark.parametrize("lexicon", lexicons(), ids=lambda lexicon: lexicon.code)
class TestLexicon:
    @pytest.mark.parametrize(
        ("topic", "key"),
        [
            ("words", "function"),
            ("words", "negation"),
            ("words.prose", "headers"),
            ("words.prose", "wrote"),
            ("words.prose", "forwarded"),
            ("words.prose", "greeting"),
            ("words.prose", "closing"),
            ("words.prose", "said"),
            ("words.prose", "texts"),
            ("words.prose", "text_work"),
            ("words.prose", "asks"),
            ("words.prose", "self"),
            ("words.same", "leave_out"),
            ("words.same", "alike"),
            ("words.opposites", "pairs"),
        ],
        ids=lambda part: str(part),
    )
    def test_has(self, lexicon: Lexicon, topic: str, key: str) -> None:
        assert lexicon.phrases(topic, key)
        assert all(fold(phrase) for phrase in lexicon.phrases(topic, key))

    def test_negations_are_found(self, lexicon: Lexicon) -> None:
        from conch.words.negation import negation_pattern

        pattern = negation_pattern(lexicon.code)
        assert pattern is not None
        for word in lexicon.phrases("words", "negation"):
            plain = word.strip("*")
            plain = f"xy{plain[1:]}" if plain.startswith("-") else plain
            assert pattern.search(fold(plain)), word

    def test_numbers_say_what_they_count(self, lexicon: Lexicon) -> None:
        for line in lexicon.phrases("words", "numbers"):
            value, *words = line.split()
            assert value.isdigit()
            assert words, line
            assert all(tokens(word) for word in words)

    def test_opposites_have_two_sides(self, lexicon: Lexicon) -> None:
        for line in lexicon.phrases("words.opposites", "pairs"):
            left, bar, right = line.partition("|")
            assert bar, line
            assert set(left.split(",")).isdisjoint(right.split(",")), line

    def test_ways_of_saying_one_thing_are_not_opposites(self, lexicon: Lexicon) -> None:
        pairs = [
            tuple({fold(word) for word in side.split(",")} for side in line.split("|"))
            for line in lexicon.phrases("words.opposites", "pairs")
        ]
        for line in lexicon.phrases("words.same", "alike"):
            alike = {fold(word) for word in line.split("|")}
            for left, right in pairs:
                assert not (alike & left and alike & right), line
