from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.words.prose import LONGEST_LINE, MOST_LINES, own_prose

CASES = Path(__file__).parent.parent / "cases"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def letters(text: str, spans: list[list[int]] | tuple[tuple[int, int], ...]) -> set[int]:
    return {at for start, end in spans for at in range(start, end) if not text[at].isspace()}


def share_right(name: str) -> float:
    """How many of the characters of a case file's messages are told right."""
    right = every = 0
    for row in rows(name):
        text = row["text"]
        own, got = letters(text, row["own"]), letters(text, own_prose(text).spans)
        all_of = letters(text, [[0, len(text)]])
        right += len(all_of) - len(own ^ got)
        every += len(all_of)
    return right / every


def test_own_words_are_told_from_pasted_ones() -> None:
    assert len(rows("prose.jsonl")) >= 150
    assert len({row["lang"] for row in rows("prose.jsonl")}) >= 5
    assert share_right("prose.jsonl") >= 0.95


def test_the_shape_of_the_answer_on_every_case() -> None:
    for row in rows("prose.jsonl"):
        prose = own_prose(row["text"])
        ends = [0, *(place for span in prose.spans for place in span), len(row["text"])]
        assert ends == sorted(ends), row["id"]
        pieces = [row["text"][start:end] for start, end in prose.spans]
        assert all(piece == piece.strip() and piece for piece in pieces), row["id"]
        assert prose.text == "\n".join(pieces)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        pytest.param("just a question, please", "just a question, please", id="plain"),
        pytest.param("  \n ", "", id="blank"),
        pytest.param("square = 1:1", "square = 1:1", id="one line with a sign"),
        pytest.param("print('a'); x = f(1)", "", id="one line of code"),
        pytest.param("look\n> I never eat fish\nyes", "look\nyes", id="quote marks"),
        pytest.param("why?\n```\nI = 1\n```\nthanks", "why?\nthanks", id="a fence"),
        pytest.param("why?\n```\nI = 1\n", "why?", id="a fence left open"),
        pytest.param(
            'my boss said: "I always eat at one" and I do',
            "my boss said:\nand I do",
            id="quoted speech",
        ),
        pytest.param('I said "use tabs" before', 'I said "use tabs" before', id="my own words"),
        pytest.param(
            "ok?\n\nOn Tue, 3 Mar 2026 Dana wrote:\n\nI never travel.\nDana",
            "ok?",
            id="a reply's tail",
        ),
        pytest.param(
            "passt das?\n\nVon: A\nBetreff: B\n\nIch mag Montage.", "passt das?", id="German mail"
        ),
        pytest.param(
            "2026-01-01 10:00:00 ERROR I always fail\nmy box is slow",
            "my box is slow",
            id="a log line",
        ),
        pytest.param("a,b,c\n1,2,3\nsum the rows", "sum the rows", id="CSV"),
        pytest.param('{"a": "I always"}\nwhat is it', "what is it", id="JSON"),
        pytest.param(
            "*bows* I am Sir Gall and never sleep\nyour turn", "your turn", id="role-play"
        ),
        pytest.param("Mira: I never fly\nJo: ok\nMira: so?\nhelp me", "help me", id="a chat"),
    ],
)
def test_own_prose(text: str, own: str) -> None:
    assert own_prose(text).text == own


def test_own_words_on_two_lines_stay_one_piece() -> None:
    prose = own_prose("I live in Hull\nand work in York.\n> no\nfine")
    assert prose.text == "I live in Hull\nand work in York.\nfine"
    assert len(prose.spans) == 2


M = 1_000_000
HOSTILE = {
    "one word": "a" * M,
    "blank lines": "\n" * M,
    "quotation marks": '"' * M,
    "quotes that never close": "“a\n" * (M // 3),
    "quotes and blanks": '"a ' * (M // 3),
    "apostrophes": "'a" * (M // 2),
    "colons": "he said: " * (M // 9),
    "mail headers": "From: a\nTo: b\n" * (M // 14),
    "salutations": "Dear a,\n" * (M // 8),
    "closings": "thanks\n" * (M // 7),
    "replies": "On 1 May x wrote:\n" * (M // 18),
    "chat lines": "a: b\n" * (M // 5),
    "fences": "```\n" * (M // 4),
    "braces": '{"a": ' * (M // 6),
    "stars": "*a " * (M // 3),
    "verse": "I live where rivers run\n" * (M // 24),
    "fields": "a,b,c\n" * (M // 6),
    "brackets of Japanese": "「あ" * (M // 2),
    "headings": "tell bob: " * (M // 10),
    "speakers": "Anna: hi\n" * (M // 9),
    "posts": "Anna Smith  10:32 AM\nhi\n" * (M // 24),
    "changed lines": "+ I like red tea\n- I like red wine\n" * (M // 36),
    "signatures": "--\nAnna\n" * (M // 8),
    "indented": "a\n\n    b\n" * (M // 9),
    "triple quotes": '"""' * (M // 3),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_of_anything_is_read(text: str) -> None:
    """Time is not asserted, but a blow-up of any pattern would never end here."""
    prose = own_prose(text)
    assert all(0 <= start < end <= len(text) for start, end in prose.spans)


def test_what_nobody_types_is_not_own() -> None:
    assert own_prose("word " * LONGEST_LINE).text == ""
    first, last = "start here please", "and end here please"
    lines = [first, *(f"line {place} of it" for place in range(MOST_LINES * 2)), last]
    text = "\n".join(lines)
    own = own_prose(text)
    assert own.text.startswith(first)
    assert own.text.endswith(last)
    assert f"line {MOST_LINES} of it" not in own.text


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab I.,:;\"'“”>`*|{}\n\t-—12「」。не", max_size=200))
def test_any_text_gives_spans_in_order(text: str) -> None:
    ends = [place for span in own_prose(text).spans for place in span]
    assert ends == sorted(ends)
    assert all(0 <= place <= len(text) for place in ends)
