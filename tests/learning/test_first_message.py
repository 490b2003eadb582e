"""A chat's first message: frustration needs nothing before it, the other signals do."""

import pytest

from conch.learning.signals import labels_of


@pytest.mark.parametrize(
    "words",
    ["ugh this is so frustrating, the build broke AGAIN", "this is driving me crazy!!"],
)
def test_a_first_message_can_be_upset(words):
    assert labels_of([("user", words)]) == ("frustration",)


@pytest.mark.parametrize(
    "words",
    [
        'is "come on" rude in british english',
        "what does ugh mean",
        "No, I meant TypeScript.",
        "Thanks, that works!",
        "Write me a script that prints the date.",
    ],
)
def test_a_first_message_gives_nothing_else(words):
    assert labels_of([("user", words)]) == ()
