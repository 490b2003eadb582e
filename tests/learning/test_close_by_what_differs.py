"""Close to what was taken back: what differs decides, and how it is put does not (spec 0088 §6)."""

import pytest

from conch.learning.likeness import close_to
from conch.words.meaning import load_meaning

CLOSE = [
    ("Goes to the office by bike", "Cycles to work"),
    ("Radelt zur Arbeit", "Fährt mit dem Fahrrad ins Büro"),
    ("自転車で通勤している", "会社まで自転車で行く"),
    ("Prefers coffee over tea", "Prefers tea over coffee"),
    ("Doesn't like swimming", "Likes swimming"),
    ("Prefers Python for scripts", "Prefers Python"),
]
APART = [
    ("Works with Anna", "Works with Tomas"),
    ("The sister lives in Rome", "The brother lives in Rome"),
    ("L'équipe se réunit le mardi", "L'équipe se réunit le jeudi"),
    ("Has a cat", "Has a boat"),
    ("收集邮票", "收集黑胶唱片"),
    ("Has 3 kids", "Has 2 kids"),
    ("Doesn't own a car", "Doesn't like olives"),
]


@pytest.mark.parametrize(("text", "taken_back"), CLOSE)
def test_close(text: str, taken_back: str) -> None:
    assert close_to(text, [taken_back], load_meaning()) == 0


@pytest.mark.parametrize(("text", "taken_back"), APART)
def test_another_fact(text: str, taken_back: str) -> None:
    assert close_to(text, [taken_back], load_meaning()) is None


def test_the_one_that_is_close_is_found_among_many() -> None:
    items = [taken_back for _, taken_back in APART] + ["Cycles to work"]
    assert close_to("Goes to the office by bike", items, load_meaning()) == len(APART)
