"""How much one look reads: up to 6,000 characters of words, and no word is marked read unread."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from conch.chats.events import PersonMessage, QuietMark
from conch.learning.changes import Said
from conch.learning.reading import first_readable, what_to_read
from conch.learning.record import Pointer

AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


def said(*texts: str, first: int = 2, step: int = 3) -> list[Said]:
    return [
        Said(seq=first + place * step, at=AT, text=text, prose=text)
        for place, text in enumerate(texts)
    ]


def test_everything_that_fits_is_read_to_the_end():
    reading = what_to_read(said("one", "two"), Pointer(0), last_seq=9)
    assert [message.prose for message in reading.said] == ["one", "two"]
    assert reading.reached == Pointer(9)
    assert reading.until is None


def test_a_message_that_does_not_fit_is_the_next_looks():
    reading = what_to_read(said("a" * 60, "b" * 60), Pointer(0), last_seq=9, limit=100)
    assert [message.prose for message in reading.said] == ["a" * 60]
    assert reading.reached == Pointer(4)
    assert reading.until == 5


def test_a_message_longer_than_a_review_reads_is_cut_at_a_space_and_read_on():
    text = " ".join(f"word{number}" for number in range(100))
    message = said(text)
    pointer, read = Pointer(0), ""
    for _ in range(50):
        reading = what_to_read(message, pointer, last_seq=2, limit=100)
        read += "".join(one.prose for one in reading.said)
        pointer = reading.reached
        if reading.until is None:
            break
    assert read == text
    assert pointer == Pointer(2)


@given(st.lists(st.text(min_size=0, max_size=120), max_size=6), st.integers(10, 80))
def test_no_word_is_marked_read_unread(texts, limit):
    messages = said(*texts)
    last_seq = messages[-1].seq if messages else 1
    pointer, read = Pointer(0), []
    for _ in range(200):
        left = [message for message in messages if message.seq > pointer.seq]
        reading = what_to_read(left, pointer, last_seq, limit)
        assert sum(len(one.prose) for one in reading.said) <= limit
        read += [one.prose for one in reading.said]
        assert reading.reached > pointer or reading.until is None
        pointer = reading.reached
        if reading.until is None:
            break
    assert "".join("".join(read).split()) == "".join("".join(texts).split())


def test_what_was_said_while_a_chat_was_quiet_is_never_read():
    events = [
        PersonMessage(seq=1, at=AT, text="before"),
        QuietMark(seq=2, at=AT, on=True),
        PersonMessage(seq=3, at=AT, text="meanwhile"),
        QuietMark(seq=4, at=AT, on=False),
        PersonMessage(seq=5, at=AT, text="after"),
    ]
    assert first_readable(events, None) == 4


def test_what_was_said_while_learning_was_off_is_never_read():
    events = [
        PersonMessage(seq=1, at=AT, text="off", learn=False),
        PersonMessage(seq=2, at=AT, text="on again"),
    ]
    assert first_readable(events, None) == 1


def test_turning_learning_on_starts_from_there():
    events = [
        PersonMessage(seq=1, at=AT, text="before it was turned on"),
        PersonMessage(seq=2, at=AT.replace(hour=14), text="after"),
    ]
    assert first_readable(events, AT.replace(hour=13)) == 1
