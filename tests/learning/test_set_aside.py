"""What a person sets aside, denies, takes back or says for somebody else grounds nothing, however
little of it is quoted (spec 0088 §4)."""

from datetime import UTC, datetime

import pytest

from conch.learning.changes import Said
from conch.learning.grounding import grounded


def rests(text: str, quote: str, words: str) -> bool:
    return grounded(quote, text, (Said(1, datetime(2026, 12, 1, tzinfo=UTC), words, words),)).ok


@pytest.mark.parametrize(
    ("words", "quote", "text"),
    [
        ("Indent with 2 spaces, not 4", "Indent with 2 spaces", "Uses 4 spaces"),
        ("I live in Oslo. Just kidding.", "I live in Oslo", "Lives in Oslo"),
        ("As a joke, I collect traffic cones", "I collect traffic cones", "Collects traffic cones"),
        ("I am always late, she says.", "I am always late", "Is always late"),
        ("For this exercise, I am a pilot", "I am a pilot", "Is a pilot"),
        ("I live with Tom, who works at Aker", "who works at Aker", "Works at Aker"),
        ("I use Emacs, scratch that, I use Vim", "I use Vim", "Uses Emacs"),
        ("To nieprawda, że mieszkam w Krakowie", "że mieszkam w Krakowie", "Mieszka w Krakowie"),
        ("Meine Mutter sagt, ich mag Opern", "ich mag Opern", "Mag Opern"),
    ],
)
def test_a_short_quote_does_not_hide_it(words: str, quote: str, text: str):
    assert not rests(text, quote, words)


@pytest.mark.parametrize(
    ("words", "quote", "text"),
    [
        ("Indent with 2 spaces, not 4", "Indent with 2 spaces", "Uses 2 spaces"),
        ("I doubt it matters, but I live in Oslo", "I live in Oslo", "Lives in Oslo"),
        ("I use Emacs, scratch that, I use Vim", "I use Vim", "Uses Vim"),
        ("I live with Tom, who works at Aker", "I live with Tom", "Lives with Tom"),
        ("No kidding, I live by a lighthouse", "I live by a lighthouse", "Lives by a lighthouse"),
        ("I can't live without coffee", "I can't live without coffee", "Loves coffee"),
    ],
)
def test_what_is_meant_beside_it_is_still_learned(words: str, quote: str, text: str):
    assert rests(text, quote, words)
