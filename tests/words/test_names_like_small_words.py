"""Names that look like small words once folded count as words that say something."""

import pytest

from conch.words.tokens import content_tokens, names_like_small_words, shares_a_word


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("I prefer Go", {"go"}),
        ("no, I meant R", {"r"}),
        ("wir nehmen hier C, nicht Rust", {"c"}),
        ("I live with Will", {"will"}),
        ("my sister May is here", {"may"}),
        ("works in IT", {"it"}),
        ("we're on go 1.22, so Go 1.22 it is", {"go"}),
        ("我说的是Go", {"go"}),
        ("いや、Goです", {"go"}),
        ("Uses Go, Rust and Zig", {"go"}),
    ],
)
def test_a_name_that_looks_like_a_small_word(text, named):
    assert names_like_small_words(text) == named
    assert named <= set(content_tokens(text))


@pytest.mark.parametrize(
    "text",
    [
        "I think I will go",
        "Go on. It is late. May I?",
        "csv NOT json",
        "GO AWAY IT IS LATE",
        "Können Sie mir sagen, ob Ihr Plan gilt?",
        "the Lord Of The Rings",
        "أنا في البيت",
    ],
)
def test_a_small_word_stays_one(text):
    assert names_like_small_words(text) == frozenset()


@pytest.mark.parametrize(
    ("said", "memory", "shared"),
    [
        ("no, I meant Go", "Prefers Go", True),
        ("no i meant go", "Prefers Go", True),
        ("nein, ich meinte R", "Bevorzugt R", True),
        ("I always go there", "Prefers Go", False),
        ("It is late", "Works in IT", False),
    ],
)
def test_a_quote_shares_a_name_that_looks_like_a_small_word(said, memory, shared):
    assert shares_a_word(said, memory) is shared
