"""Which provider reads a stretch: the one that answered its last turn and was sent all of it."""

from datetime import UTC, datetime
from typing import cast

import pytest

from conch.chats.events import AssistantMessage, PersonMessage, TurnCompleted
from conch.cli.verbs import answer
from conch.engines.engines import Engines
from conch.learning.changes import Said
from conch.learning.record import Pointer
from conch.learning.reviewer import provider_that_saw, who_reads
from wire.relay import practised
from wire.server import StubServer

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


class Connected:
    """Who is connected, and whether a model runs here."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def get(self, id: str) -> str | None:
        return id if id in self._names else None

    def local(self) -> str | None:
        return "local" if "local" in self._names else None


def read_by(events, seqs, connected) -> tuple[str | None, int]:
    engines = cast(Engines, Connected(*connected))
    engine, count = who_reads(events, said(*seqs), engines)
    return cast("str | None", engine), count


FOR_BOTH = [*turn(2, "a"), *turn(4, "a"), *turn(6, "b", sent_from=6), *turn(8, "b", sent_from=6)]
FAILED_FIRST = [
    PersonMessage(seq=2, text="words 2"),
    TurnCompleted(seq=3, outcome="failed"),
    *turn(4, "a"),
]


@pytest.mark.parametrize(
    ("events", "seqs", "connected", "reader"),
    [
        (FOR_BOTH, (2, 4, 6, 8), ("a", "b"), ("a", 2)),
        (FOR_BOTH, (6, 8), ("a", "b"), ("b", 2)),
        (FOR_BOTH, (2, 4, 6, 8), ("a", "b", "local"), ("local", 4)),
        (FOR_BOTH, (2, 4, 6, 8), ("a",), ("a", 2)),
        (FOR_BOTH, (6, 8), ("a",), (None, 2)),
        (FOR_BOTH, (2, 4, 6, 8), ("b",), (None, 4)),
        (FOR_BOTH, (2, 4, 6, 8), (), (None, 4)),
        ([*turn(2, "a"), *turn(4, "b")], (2, 4), ("a", "b"), ("b", 2)),
        ([*turn(2, "a"), *turn(4, "b")], (2, 4), ("a",), ("a", 1)),
        ([*turn(2, "a"), *turn(4, "b")], (2, 4), ("b",), ("b", 2)),
        ([*turn(2, "a"), *turn(4, "b", 4), *turn(6, "a", 6)], (2, 4, 6), ("a", "b"), ("a", 1)),
        ([*turn(2, "a"), *turn(4, "b", 4), *turn(6, "a")], (2, 4, 6), ("a", "b"), ("a", 3)),
        (FAILED_FIRST, (2, 4), ("a",), ("a", 2)),
        (FAILED_FIRST, (2,), ("a",), (None, 1)),
    ],
    ids=[
        "each part goes to the provider that saw it: the first",
        "each part goes to the provider that saw it: the next",
        "a model on this computer reads all of it",
        "who is gone is no reason to leave the others' words unread",
        "the words of who is gone wait",
        "what comes first waits, and what comes after it waits behind it",
        "nobody is connected",
        "the second was sent all of it",
        "the second was sent all of it and is gone: the first reads its own",
        "the second was sent all of it: it reads what the first answered",
        "there and back, each sent its own only",
        "there and back, the first sent all of it",
        "words that went out with the next turn were seen by who answered that",
        "words that never went out were seen by nobody",
    ],
)
def test_how_far_a_stretch_is_read_and_by_whom(events, seqs, connected, reader):
    assert read_by(events, seqs, connected) == reader


@pytest.fixture
def server():
    with StubServer() as stub:
        stub.otherwise = practised
        yield stub


def answered(living, chat: str, words: str, engine: str, alone: bool = False) -> None:
    """A turn by `engine`; `alone` when it was sent nothing of what was said before."""
    log = living.conch.chats.log(chat)
    said = log.append(PersonMessage(text=words))
    log.append(AssistantMessage(text="Here it is.", engine=engine))
    sent_from = said.seq if alone else 0
    log.append(TurnCompleted(outcome="success", engine=engine, sent_from=sent_from))


async def test_two_providers_that_share_a_stretch_each_read_their_own_part(living, server):
    for id in ("openai", "anthropic"):
        server.engine(living.home, id)
    living.start()
    chat = living.conch.chats.new()
    answered(living, chat, "Write me a script.", "openai")
    answered(living, chat, "No, I meant TypeScript.", "openai")
    answered(living, chat, "Make me a drink.", "anthropic", alone=True)
    answered(living, chat, "No, I meant tea.", "anthropic", alone=True)
    (first,) = await living.quiet()
    assert [record.text for record in first.records] == ["Prefers TypeScript"]
    results = [await living.quiet(5) for _ in range(3)]
    assert living.memories == ["Prefers TypeScript", "Prefers tea"]
    asked = [(request.wire, "tea" in request.user) for request in server.completions()]
    assert asked == [("openai", False), ("anthropic", True)]
    assert results[-1] == []


@pytest.mark.not_behind("lmstudio", why="a model runs here then, which may read everything")
async def test_words_nobody_may_read_wait_are_said_and_keep_nobody_from_their_turn(living):
    waiting = []
    for number in range(3):
        chat = living.conch.chats.new(title=f"chat {number}")
        answered(living, chat, "Write me a script.", "gone")
        answered(living, chat, "No, I meant TypeScript.", "gone")
        waiting.append(chat)
    await living.quiet()
    await living.quiet()
    tried = living.conch.parts.record.state.tried
    assert {chat: last.reason for chat, last in tried.items()} == dict.fromkeys(waiting, "no_model")
    (said,) = [
        item
        async for item in answer(living.conch, "why", {"reference": waiting[0]})
        if item["type"] == "outcome"
    ]
    assert said["outcome"] == "no_model"
    assert "until the one that answered them is connected again" in said["in_plain_words"]

    mine = await living.say("Write me a script.", "No, I meant Rust.")
    results = await living.quiet(minutes=61)
    assert results[0].chat == mine
    assert living.memories == ["Prefers Rust"]
    pointers = living.conch.parts.record.state.pointers
    assert all(pointers.get(chat, Pointer()) == Pointer() for chat in waiting)
