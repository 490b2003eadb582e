"""A press: good once, for exactly the words the person saw (design.md, promise 3)."""

from __future__ import annotations

import pytest

from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.memory.consents import Consent, ConsentRefused, Consents
from conch.memory.memory import words_hash

WORDS = words_hash("Lives in Berlin")


def test_it_is_good_once() -> None:
    consents = Consents()
    consent = consents.mint("m_1", WORDS)
    consents.spend(consent, "m_1", WORDS)
    with pytest.raises(ConsentRefused):
        consents.spend(consent, "m_1", WORDS)


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("m_2", WORDS),
        ("m_1", words_hash("Lives in Berlin.")),
        ("m_1", words_hash("lives in berlin")),
    ],
    ids=["another memory", "another full stop", "another case"],
)
def test_it_is_for_nothing_else_and_used_up_by_the_try(subject: str, words: str) -> None:
    consents = Consents()
    consent = consents.mint("m_1", WORDS)
    with pytest.raises(ConsentRefused):
        consents.spend(consent, subject, words)
    with pytest.raises(ConsentRefused):
        consents.spend(consent, "m_1", WORDS)


def test_nobody_makes_one_up() -> None:
    with pytest.raises(ConsentRefused):
        Consents().spend(Consent("m_1"), "m_1", WORDS)


def test_one_home_s_press_is_nothing_in_another() -> None:
    consent = Consents().mint("m_1", WORDS)
    with pytest.raises(ConsentRefused):
        Consents().spend(consent, "m_1", WORDS)


def test_with_a_home_it_ends_after_ten_minutes(home: Home, clock: SteppedClock) -> None:
    consents = Consents(home)
    fresh, old = consents.mint("m_1", WORDS), consents.mint("m_1", WORDS)
    clock.advance(minutes=10)
    consents.spend(fresh, "m_1", WORDS)
    clock.advance(seconds=1)
    with pytest.raises(ConsentRefused):
        consents.spend(old, "m_1", WORDS)
