"""Cues are read over the whole of a very long message, not only in its start."""

import pytest

from conch.learning.signals import labels_of

PLAIN = (
    "The garden lies behind the house and runs down to a small river with two old willows. "
    "We counted nine beds, four of them in the shade from noon on. "
    "There is a shed for the tools and a path of gravel along the wall. "
)
BEFORE = [("user", "Write me a script that prints the date."), ("assistant", "import datetime")]


@pytest.mark.parametrize("room", [10, 40, 80])
@pytest.mark.parametrize("joined", [" ", "\n\n"])
def test_a_correction_after_much_else_is_found(room, joined):
    words = f"{PLAIN * room}{joined}No, I meant TypeScript, not Python."
    assert "correction" in labels_of([*BEFORE, ("user", words)])


def test_a_correction_amid_much_else_is_found():
    words = f"{PLAIN * 12}\nNo, I meant TypeScript, not Python.\n{PLAIN * 12}"
    assert "correction" in labels_of([*BEFORE, ("user", words)])


@pytest.mark.parametrize("room", [10, 40, 80])
def test_a_long_message_that_corrects_nothing_is_no_correction(room):
    assert not {"correction", "frustration"} & {*labels_of([*BEFORE, ("user", PLAIN * room)])}


def test_pasted_words_far_down_correct_nothing():
    words = f"{PLAIN * 12}\n```\nNo, I meant TypeScript, not Python.\n```\n"
    assert "correction" not in labels_of([*BEFORE, ("user", words)])
