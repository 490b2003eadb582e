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
            ("words.headings", "handles"),
            ("words.headings", "addresses"),
            ("words.headings", "sources"),
            ("words.headings", "speakers"),
            ("words.headings", "against"),
            ("words.headings", "sent_from"),
            ("words.headings", "given"),
            ("words.same", "leave_out"),
            ("words.same", "alike"),
            ("words.opposites", "pairs"),
        ],
        ids=lambda part: str(part),
    )
    def test_has(self, lexicon: Lexicon, topic: str, key: str) -> None:
        assert lexicon.phrases(topic, key)
        assert all(fold(phrase) for phrase in lexicon.phrases(topic, key))

    @pytest.mark.parametrize(
        ("topic", "least"),
        [("signals.correction", 25), ("signals.thanks", 25), ("durable", 30)],
        ids=["25 correction cues", "25 thanks cues", "30 durable cues"],
    )
    def test_has_enough_cues(self, lexicon: Lexicon, topic: str, least: int) -> None:
        lists = _lists(lexicon, topic)
        counter = {fold(cue) for cue in lists.pop("against")}
        assert counter
        cues = {fold(cue) for some in lists.values() for cue in some}
        assert len(cues - counter) >= least

    def test_has_words_of_lessons_and_standing_rules(self, lexicon: Lexicon) -> None:
        for kind in ("lesson", "rule"):
            assert len(set(lexicon.phrases("durable", kind))) >= 8, kind

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


def _lists(lexicon: Lexicon, topic: str) -> dict[str, list[str]]:
    table = lexicon.topics
    for part in topic.split("."):
        table = table[part]
    return {key: value for key, value in table.items() if isinstance(value, list)}
