"""What a later message stands in for (docs/adr/0005)."""

from conch.chats.events import AssistantMessage, LeftOut, PersonMessage, TaintMarked
from conch.chats.left_out import left_out, without_edited

EVENTS = [
    PersonMessage(seq=1, text="kept"),
    AssistantMessage(seq=2, text="a"),
    PersonMessage(seq=3, text="edited"),
    TaintMarked(seq=4, kind="web", label="trains.example"),
    AssistantMessage(seq=5, text="b"),
    LeftOut(seq=6, from_seq=3, why="edited"),
    PersonMessage(seq=7, text="tried"),
    AssistantMessage(seq=8, text="c"),
    LeftOut(seq=9, from_seq=7, why="retried"),
    PersonMessage(seq=10, text="tried"),
]


def test_a_span_goes_from_the_message_to_the_mark():
    spans = left_out(EVENTS)
    assert [seq for seq in range(1, 11) if seq in spans] == [3, 4, 5, 7, 8]
    assert [seq for seq in range(1, 11) if spans.was_edited(seq)] == [3, 4, 5]


def test_edited_words_go_and_what_the_chat_read_stays():
    kept = without_edited(EVENTS)
    assert [one.text for one in kept if isinstance(one, PersonMessage)] == [
        "kept",
        "tried",
        "tried",
    ]
    assert any(isinstance(one, TaintMarked) for one in kept)
    assert len(kept) == len(EVENTS) - 1


def test_a_message_edited_twice_is_left_out_twice():
    again = [*EVENTS, LeftOut(seq=11, from_seq=1, why="edited")]
    assert [one.text for one in without_edited(again) if isinstance(one, PersonMessage)] == []
    assert all(seq in left_out(again) for seq in range(1, 11))


def test_without_a_mark_nothing_is_left_out():
    plain = [one for one in EVENTS if not isinstance(one, LeftOut)]
    assert without_edited(plain) == plain
