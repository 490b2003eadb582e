"""Which provider reads a stretch: the one that answered its last turn and was sent all of it."""

from datetime import UTC, datetime

from conch.chats.events import PersonMessage, TurnCompleted
from conch.learning.changes import Said
from conch.learning.reviewer import provider_that_saw

AT = datetime(2026, 12, 1, 12, tzinfo=UTC)


def turn(seq: int, engine: str, sent_from: int = 0):
    return [
        PersonMessage(seq=seq, text=f"words {seq}"),
        TurnCompleted(seq=seq + 1, outcome="success", engine=engine, sent_from=sent_from),
    ]


def said(*seqs: int) -> list[Said]:
    return [Said(seq, AT, f"words {seq}", f"words {seq}") for seq in seqs]


def test_who_answers_after_the_stretch_has_no_say():
    events = [*turn(2, "a"), *turn(4, "a"), *turn(6, "b", sent_from=6)]
    assert provider_that_saw(events, said(2, 4)) == "a"


def test_the_turn_of_the_last_words_of_the_stretch_names_it():
    events = [*turn(2, "a"), *turn(4, "b"), *turn(6, "a")]
    assert provider_that_saw(events, said(2, 4)) == "b"


def test_who_was_not_sent_every_word_of_the_stretch_does_not_read_it():
    events = [*turn(2, "a"), *turn(4, "b", sent_from=4)]
    assert provider_that_saw(events, said(2, 4)) == ""


def test_what_went_out_again_with_a_later_turn_was_sent():
    events = [*turn(2, "a"), *turn(4, "b", sent_from=4), *turn(6, "b", sent_from=2)]
    assert provider_that_saw(events, said(2, 4)) == "b"
