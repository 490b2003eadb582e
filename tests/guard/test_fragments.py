"""Pieces of known secrets in other spellings are hidden; ordinary text is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.guard import fragments
from conch.guard.fragments import Fragments
from conch.guard.redactor import MASK

TOKEN = "ghp_x7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5uXi"
PHRASE = "correct horse battery staple"


@pytest.mark.parametrize("at", range(0, len(TOKEN) - 14, 3))
def test_any_piece_long_enough_is_hidden(at):
    piece = TOKEN[at : at + 14]
    assert piece not in Fragments([TOKEN]).hide(f"it ends in {piece} here")


@pytest.mark.parametrize(
    "text",
    [
        "The correct answer is a horse.",
        "A battery of tests; a staple of the diet; correct it.",
        "def test_x7(): return 93",
        "0123456789abcdef0123456789abcdef",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "100 101 102 103 104 105",
        "aaaaaaaaaaaaaaaaaaaaaaaa",
        "SGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0",
        "x00x01x02x03",
        "",
    ],
)
def test_ordinary_text_is_left_alone(text):
    assert Fragments([TOKEN, PHRASE]).hide(text) == text


def test_what_stands_between_two_pieces_stays():
    hidden = Fragments([TOKEN]).hide(f"{TOKEN[:20]} and then {TOKEN[20:]}.")
    assert hidden == f"{MASK} and then {MASK}."


def test_nothing_is_spelled_out_before_there_is_a_text_to_hide_in(monkeypatch):
    spelled: list[str] = []
    forms = fragments._forms
    monkeypatch.setattr(fragments, "_forms", lambda value: spelled.append(value) or forms(value))
    made = Fragments([TOKEN])
    assert made.hide("") == ""
    assert spelled == []
    for _ in range(2):
        assert made.hide(f"it is {TOKEN}.") == f"it is {MASK}."
    assert spelled == [TOKEN]


def test_without_secrets_nothing_changes():
    assert Fragments([]).hide(TOKEN) == TOKEN


@settings(max_examples=60, deadline=None)
@given(
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=12,
            max_size=60),
    st.text(max_size=60),
)  # fmt: skip
def test_hiding_twice_is_hiding_once_and_never_fails(value, text):
    made = Fragments([value])
    once = made.hide(text + value)
    assert made.hide(once) == once
