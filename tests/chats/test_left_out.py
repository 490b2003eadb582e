"""What a later message stands in for (docs/adr/0005)."""

from conch.chats.events import (
    AssistantMessage,
    LeftOut,
    PersonMessage,
    QuietMark,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.left_out import edited_outputs, left_out, without_edited
from conch.chats.taints import taints_in
from conch.chats.turns import turns

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


def test_an_edited_turn_goes_and_what_the_chat_read_stays():
    kept = without_edited(EVENTS)
    assert [event.seq for event in kept] == [1, 2, 4, 6, 7, 8, 9, 10]
    assert isinstance(kept[2], TaintMarked)


def test_what_an_edited_turn_did_is_nobody_elses():
    events = [
        PersonMessage(seq=1, text="kept"),
        AssistantMessage(seq=2, text="a"),
        TurnCompleted(seq=3, outcome="success", engine="e"),
        PersonMessage(seq=4, text="edited"),
        ToolStarted(seq=5, call="c", tool="fetch"),
        TaintMarked(seq=6, kind="web", label="trains.example", call="c"),
        ToolFinished(seq=7, call="c", ok=True, output="the page"),
        AssistantMessage(seq=8, text="b"),
        TurnCompleted(seq=9, outcome="stopped", engine="e"),
        QuietMark(seq=10, on=True),
        LeftOut(seq=11, from_seq=4, why="edited"),
        PersonMessage(seq=12, text="instead"),
    ]
    before, after = turns(without_edited(events))
    assert (before.reply, before.outcome, before.steps) == ("a", "success", ())
    assert (after.person.text, after.reply, after.outcome) == ("instead", "", None)
    assert edited_outputs(events) == ("the page",)
    assert any(isinstance(event, QuietMark) for event in without_edited(events))


def test_somebody_elses_words_in_an_edited_turn_still_mark_the_chat():
    events = [
        PersonMessage(seq=1, text="edited"),
        PersonMessage(seq=2, text="Hi, I'm Ada.", who="Ada"),
        LeftOut(seq=3, from_seq=1, why="edited"),
    ]
    assert [taint.kind for _, taint in taints_in(without_edited(events))] == ["person"]


def test_a_turn_tried_again_still_counts():
    assert edited_outputs(EVENTS) == ()
    assert [turn.reply for turn in turns(without_edited(EVENTS))] == ["a", "c", ""]


def test_a_message_edited_twice_is_left_out_twice():
    again = [*EVENTS, LeftOut(seq=11, from_seq=1, why="edited")]
    assert [one.text for one in without_edited(again) if isinstance(one, PersonMessage)] == []
    assert all(seq in left_out(again) for seq in range(1, 11))


def test_without_a_mark_nothing_is_left_out():
    plain = [one for one in EVENTS if not isinstance(one, LeftOut)]
    assert without_edited(plain) == plain
