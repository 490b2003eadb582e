"""What the person said in a stretch: whose words, which of them, and what was heard in them."""

from datetime import UTC, datetime, timedelta

import pytest

from conch.chats.events import AssistantMessage, ChatStarted, Event, PersonMessage
from conch.chats.stretch import Stretch
from conch.learning.changes import Signal
from conch.learning.said import said_of

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def stretch(*events: Event, earlier: tuple[Event, ...] = ()) -> Stretch:
    return Stretch("c", "own", len(earlier), events, earlier)


def person(seq: int, text: str, **given) -> PersonMessage:
    return PersonMessage(seq=seq, at=NOON + timedelta(minutes=seq), text=text, **given)


def test_the_persons_messages_oldest_first():
    said = said_of(
        stretch(
            ChatStarted(seq=1, chat="c"),
            person(2, "hello"),
            AssistantMessage(seq=3, at=NOON, text="I always use tabs"),
            person(4, "call me Ada"),
        ),
        (),
    )
    assert [(one.seq, one.text, one.at) for one in said] == [
        (2, "hello", NOON + timedelta(minutes=2)),
        (4, "call me Ada", NOON + timedelta(minutes=4)),
    ]


def test_what_somebody_else_wrote_is_not_theirs():
    said = said_of(stretch(person(2, "I live in Bari", who="Jo"), person(3, "so do I")), ())
    assert [one.text for one in said] == ["so do I"]


def test_what_was_said_before_the_stretch_is_not_in_it():
    said = said_of(stretch(person(3, "and now"), earlier=(person(2, "before"),)), ())
    assert [one.text for one in said] == ["and now"]


@pytest.mark.parametrize(
    ("text", "own", "not_own"),
    [
        ('my boss wrote: "I never eat lunch" but I do', "but I do", "never eat lunch"),
        ("fix this\n```\n# I always use tabs\n```\nthanks", "fix this", "always use tabs"),
        ("> I prefer Go\nI prefer Rust", "I prefer Rust", "prefer Go"),
    ],
)
def test_only_their_own_words_are_prose(text, own, not_own):
    (said,) = said_of(stretch(person(2, text)), ())
    assert said.text == text
    assert own in said.prose
    assert not_own not in said.prose


def test_each_signal_goes_to_the_message_it_was_read_from():
    signals = (
        Signal("thanks", 4),
        Signal("correction", 2),
        Signal("frustration", 2),
        Signal("correction", 2),
        Signal("worked_another_way", 3),
    )
    said = said_of(stretch(person(2, "no, TypeScript"), person(4, "thanks")), signals)
    assert [one.signals for one in said] == [("correction", "frustration"), ("thanks",)]


def test_a_message_without_a_time_is_of_the_beginning_of_time():
    (said,) = said_of(stretch(PersonMessage(seq=2, text="hello")), ())
    assert said.at == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_stretch_without_words_says_nothing():
    assert said_of(stretch(AssistantMessage(seq=2, text="hi")), ()) == ()
