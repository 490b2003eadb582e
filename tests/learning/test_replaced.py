"""Of many memories, the one a new statement says anew (issue 4: what replaces what)."""

from __future__ import annotations

import pytest

from conch.learning.replaced import most_replaced

KNOWN = [
    "Ada Brook plays the cello in a town orchestra.",
    "Ada Brook runs a bakery in Ghent.",
    "Ivo Marsh and Ada Brook met at a chess club.",
    "Ivo Marsh keeps bees behind his house.",
]


@pytest.mark.parametrize(
    ("statement", "replaces"),
    [
        ("Ada Brook runs a bookshop in Ghent.", 1),
        ("Ivo Marsh and Ada Brook met at a swimming course.", 2),
        ("Ivo Marsh gave up the bees behind his house.", 3),
    ],
)
def test_the_one_it_says_anew_is_found(statement: str, replaces: int) -> None:
    assert most_replaced(statement, KNOWN) == replaces


@pytest.mark.parametrize(
    "statement", ["Collects stamps from Malta", "Lena Fox repairs old radios.", ""]
)
def test_something_else_replaces_nothing(statement: str) -> None:
    assert most_replaced(statement, KNOWN) is None


def test_with_no_memories_nothing_is_replaced() -> None:
    assert most_replaced("Ada Brook runs a bookshop in Ghent.", []) is None
