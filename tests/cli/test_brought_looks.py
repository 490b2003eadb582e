"""Reading what was brought in is told in one line, whatever came of it."""

from __future__ import annotations

from typing import Any

import pytest

from conch.cli.brought_looks import nothing_left, summary
from conch.learning.outcomes import IN_PLAIN_WORDS


def look(outcome: str, learned: int = 0) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "learned": [{}] * learned,
        "in_plain_words": IN_PLAIN_WORDS[outcome],
    }


NOTHING = look("nothing_to_learn")


@pytest.mark.parametrize(
    ("looks", "chats", "said"),
    [
        (
            [look("learned", 2), *[NOTHING] * 9, look("learned"), look("passed_over")],
            12,
            ["Looked at 12 chats: learned 2 things, 11 with nothing to learn."],
        ),
        ([look("learned", 1)], 1, ["Looked at 1 chat: learned 1 thing."]),
        ([NOTHING] * 3, 3, ["Looked at 3 chats: learned nothing."]),
        (
            [look("learned", 1), look("no_answer"), look("no_answer"), look("cap")],
            9,
            [
                "Looked at 1 chat: learned 1 thing, 8 not read yet.",
                f"Not read yet, 2 chats: {IN_PLAIN_WORDS['no_answer']}",
                f"Not read yet, 1 chat: {IN_PLAIN_WORDS['cap']}",
            ],
        ),
    ],
)
def test_one_line_for_all_looks_and_one_for_each_reason(looks, chats, said):
    assert summary(looks, chats) == said


def test_with_none_left_it_says_whether_there_were_any():
    assert nothing_left(0) == "No chat was brought in yet: conch bring PATH"
    assert "The chat you brought in was looked at already." in nothing_left(1)
    assert "All 12 chats you brought in were looked at already." in nothing_left(12)
