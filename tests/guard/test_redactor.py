"""The redactor: known values in whatever form, and what looks like a secret; twice is once."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.guard.redactor import MASK, Redactor

VALUE = 'Kestrel/"99" +x=&ü'


def _spread(value: str) -> str:
    return value[:5] + "\n   " + value[5:9] + "\r\n" + value[9:]


@pytest.mark.parametrize(
    "written",
    [
        VALUE,
        quote(VALUE, safe=""),
        quote(VALUE, safe="")
        .replace("%2F", "%2f")
        .replace("%2B", "%2b")
        .replace("%3D", "%3d")
        .replace("%C3%BC", "%c3%bc"),
        quote_plus(VALUE),
        json.dumps(VALUE)[1:-1],
        json.dumps(VALUE, ensure_ascii=False)[1:-1],
        html.escape(VALUE),
        VALUE.encode().hex(),
        VALUE.encode().hex().upper(),
        _spread(VALUE),
        VALUE[:4] + "\u200b" + VALUE[4:],
    ],
)
def test_a_known_value_is_hidden_however_it_is_written(written: str) -> None:
    assert Redactor([VALUE]).redact_known(f"a {written} b") == f"a {MASK} b"


@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("after", ["", "x", "xy"])
def test_base64_hides_it_wherever_it_starts(before: str, after: str) -> None:
    known = Redactor(["Kestrel-and-Otter-99"])
    coded = base64.b64encode(f"{before}Kestrel-and-Otter-99{after}".encode()).decode()
    hidden = known.redact_known(f"Basic {coded}.")
    assert MASK in hidden
    left = hidden.replace("Basic ", "").replace(MASK, "").rstrip(".=")
    assert b"Kestr" not in base64.b64decode(left + "=" * (-len(left) % 4) if left else "")
    assert len(left) <= len(before) * 2 + 6


def test_short_values_are_hidden_as_whole_words_only() -> None:
    known = Redactor(["4821", "abc"])
    assert known.redact_known("4821, 48210 and x4821; abc") == f"{MASK}, 48210 and x4821; abc"


def test_what_looks_like_a_secret_is_hidden_too() -> None:
    text = "token ghp_x7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5uXi and the pin is 4821."
    assert Redactor().redact(text) == f"token {MASK} and the pin is {MASK}."
    assert Redactor().redact_known(text) == text


def test_a_value_added_later_is_hidden_from_then_on() -> None:
    redactor = Redactor()
    assert redactor.redact("the word is tulipfield") == "the word is tulipfield"
    redactor.add("tulipfield")
    assert redactor.redact("the word is tulipfield") == f"the word is {MASK}"


@pytest.mark.parametrize("value", ["", "   ", "abc", MASK, "•••••"])
def test_values_that_would_hide_ordinary_text_are_ignored(value: str) -> None:
    assert Redactor([value]).redact("abc     • ordinary") == "abc     • ordinary"


_PIECES = st.sampled_from(
    [
        "the password is ",
        "Fjord2Fjord",
        "pin ",
        "4821",
        " = ",
        ": ",
        " and ",
        "login ",
        "anna / ",
        "Xk4!pLm0q",
        "api_key=",
        "AKIAQ7ZP3WXN5TLM2RDU",
        "Kestrel-99",
        ", ",
        "\n",
        "'",
        "密码是",
        "code ",
        "door ",
        "use ",
        " as the password",
        "user:",
        "@host",
        "postgres://",
        "•••",
        "card ",
        "4111 1111 1111 1111",
        "is my ",
        "\u200b",
        "sk-proj-a8Kd73hGq0ZxT5nLwPv2bYmR",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_PIECES, max_size=14))
def test_twice_is_once(pieces: list[str]) -> None:
    redactor = Redactor(["Kestrel-99", "4821"])
    once = redactor.redact("".join(pieces))
    assert redactor.redact(once) == once


@settings(deadline=None)
@given(st.text(max_size=120), st.text(min_size=8, max_size=30))
def test_no_known_value_is_left(text: str, value: str) -> None:
    redactor = Redactor([value])
    hidden = redactor.redact_known(f"{text} {value} {text}")
    if len(value.strip()) >= 8 and "•" not in value:
        assert value.strip() not in hidden
    assert redactor.redact_known(hidden) == hidden


@pytest.mark.parametrize("piece", ["Secret-Value-", "aaaa", "a ", "\n"])
def test_a_long_hostile_text_ends(piece: str) -> None:
    redactor = Redactor([f"Secret-Value-{number}" for number in range(20)] + ["a" * 40])
    redactor.redact(piece * (200_000 // len(piece)))
