"""Which chats a sweep looks at (spec 0088 §1), told in the spec's own words."""

from datetime import timedelta

import pytest

from conch.chats.chats import Chats
from conch.chats.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Archived,
    Event,
    LearningNoted,
    PersonMessage,
    QuietMark,
    Renamed,
    ToolStarted,
    TurnCompleted,
)
from conch.home.clock import SteppedClock

SAYS = PersonMessage(text="no, I meant TypeScript")
ENDS = TurnCompleted(outcome="success")
STOPS = TurnCompleted(outcome="stopped")
ASKS = ApprovalAsked(approval="a1", call="c1", tool="bash", summary="Run `rm x`")
ANSWERS = ApprovalAnswered(approval="a1", allowed=True)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)

ROWS: list[tuple[str, list[Event | timedelta], int, bool]] = [
    # What it says, the chat (events and time passing), where the last look stopped, due or not.
    ("whose last turn ended at least ten minutes ago", [SAYS, ENDS, 10 * MINUTE], 0, True),
    ("… not nine", [SAYS, ENDS, 10 * MINUTE - timedelta(seconds=1)], 0, False),
    ("idle is since the turn ended, not since it began", [SAYS, 30 * MINUTE, ENDS], 0, False),
    ("a new name is no turn", [SAYS, ENDS, 9 * MINUTE, Renamed(title="x"), MINUTE], 0, True),
    ("a stopped turn ended too", [SAYS, STOPS, 10 * MINUTE], 0, True),
    ("updated in the last week", [SAYS, ENDS, 7 * DAY], 0, True),
    ("… not longer ago", [SAYS, ENDS, 7 * DAY + MINUTE], 0, False),
    ("a new name is no update", [SAYS, ENDS, 8 * DAY, Renamed(title="x"), 10 * MINUTE], 0, False),
    (
        "the line a look leaves is no update",
        [SAYS, ENDS, 8 * DAY, LearningNoted(look="l", items=[]), 10 * MINUTE],
        0,
        False,
    ),
    ("not running", [SAYS, 30 * MINUTE], 0, False),
    ("not running again", [SAYS, ENDS, 20 * MINUTE, SAYS, 20 * MINUTE], 0, False),
    ("not waiting for anyone", [SAYS, ASKS, ENDS, 20 * MINUTE], 0, False),
    ("not waiting once answered", [SAYS, ASKS, ANSWERS, ENDS, 10 * MINUTE], 0, True),
    ("a stopped turn asks for nothing any more", [SAYS, ASKS, STOPS, 10 * MINUTE], 0, True),
    ("that have words from you", [PersonMessage(text="x", who="Bob"), ENDS, 20 * MINUTE], 0, False),
    ("past where the last look stopped", [SAYS, ENDS, 20 * MINUTE], 2, False),
    ("… and one before it", [SAYS, ENDS, 20 * MINUTE], 1, True),
    ("words said since", [SAYS, ENDS, SAYS, ENDS, 20 * MINUTE], 3, True),
    ("archiving a chat looks at it at once", [SAYS, ENDS, Archived()], 0, True),
    ("archived a month later", [SAYS, ENDS, 30 * DAY, Archived()], 0, True),
    ("archived long ago", [SAYS, ENDS, Archived(), 8 * DAY], 0, False),
    ("archived and read", [SAYS, ENDS, Archived()], 2, False),
    ("archived while running", [SAYS, Archived()], 0, False),
    ("archived while it waits for an answer", [SAYS, ASKS, ENDS, Archived()], 0, False),
    ("brought back from the archive", [SAYS, ENDS, Archived(), Archived(on=False)], 0, False),
    ("marked Don't learn from this chat", [SAYS, ENDS, QuietMark(on=True), 20 * MINUTE], 0, False),
    ("learn again", [SAYS, ENDS, QuietMark(on=True), QuietMark(on=False), 20 * MINUTE], 0, True),
    ("nothing said in it", [20 * MINUTE], 0, False),
]


@pytest.mark.parametrize(
    ("chat", "read_to", "due"), [row[1:] for row in ROWS], ids=[r[0] for r in ROWS]
)
def test_row(chats: Chats, clock: SteppedClock, chat: list[Event | timedelta], read_to, due):
    started = chats.new()
    for one in chat:
        if isinstance(one, timedelta):
            clock.advance(seconds=one.total_seconds())
        else:
            chats.log(started).append(one)
    assert chats.due(clock.now(), {started: read_to}) == ([started] if due else [])


@pytest.mark.parametrize(
    ("origin", "due"),
    [
        ("own", True),
        ("channel", True),
        ("client", True),
        ("guest", False),
        ("routine", False),
        ("task", False),
        ("page", False),
        ("imported", False),
    ],
)
def test_origin(chats: Chats, clock: SteppedClock, origin, due: bool):
    chat = chats.new(origin=origin)
    door = "chatgpt" if origin == "imported" else "terminal"
    chats.log(chat).append(SAYS.model_copy(update={"door": door}))
    chats.log(chat).append(ENDS)
    chats.log(chat).append(Archived())
    clock.advance(minutes=20)
    assert chats.due(clock.now(), {}) == ([chat] if due else [])


def test_words_typed_into_a_chat_that_was_brought_in_are_due(chats: Chats, clock: SteppedClock):
    chat = chats.new(origin="imported")
    chats.log(chat).append(SAYS.model_copy(update={"door": "chatgpt"}))
    chats.log(chat).append(ENDS)
    typed = chats.log(chat).append(SAYS)
    chats.log(chat).append(ENDS)
    clock.advance(minutes=20)
    assert chats.due(clock.now(), {}) == [chat]
    assert chats.due(clock.now(), {chat: typed.seq}) == []


def test_archived_ones_first_then_those_longest_quiet(chats: Chats, clock: SteppedClock):
    made = []
    for _ in range(4):
        chat = chats.new()
        chats.log(chat).append(SAYS)
        chats.log(chat).append(ENDS)
        clock.advance(minutes=20)
        made.append(chat)
    chats.log(made[1]).append(Archived())
    assert chats.due(clock.now(), {}) == [made[1], made[0], made[2], made[3]]


def test_a_chat_running_at_a_crash_ends_as_failed_and_is_looked_at_ten_minutes_on(
    chats: Chats, clock: SteppedClock
):
    cut, whole, bare = chats.new(), chats.new(), chats.new()
    chats.log(cut).append(SAYS)
    chats.log(cut).append(ToolStarted(call="c1", tool="bash"))
    chats.log(cut).append(ASKS)
    chats.log(whole).append(SAYS)
    chats.log(whole).append(ENDS)
    clock.advance(hours=1)
    assert chats.due(clock.now(), {}) == [whole]
    assert chats.close_open_turns() == [cut]
    last = chats.log(cut).events()[-1]
    assert isinstance(last, TurnCompleted)
    assert last.outcome == "failed"
    assert last.error == (
        "Conch stopped before this turn ended. "
        "The step that waited for your OK was not taken: ask for it again."
    )
    assert chats.close_open_turns() == []
    assert not chats.head(cut).running
    assert not chats.head(cut).waiting
    assert chats.due(clock.now(), {whole: 9}) == []
    clock.advance(minutes=10)
    assert chats.due(clock.now(), {whole: 9}) == [cut]
    assert chats.log(bare).last_seq == 1
