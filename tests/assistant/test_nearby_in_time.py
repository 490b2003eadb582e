"""Nearby has one deadline over the whole of it, then none: the turn goes on unharmed (§7)."""

from __future__ import annotations

import asyncio
import threading

import pytest

from conch.assistant.happenings import TurnEnded
from conch.home.in_time import InTime
from living import Living
from wire.answers import says
from wire.server import StubServer

ASKED = "What tea should I drink?"
BLOCK = "<conch-nearby>"


class Slow:
    """Stands in the way of a function of the product until `released`, and counts who came."""

    def __init__(self, function) -> None:
        self.function = function
        self.released = threading.Event()
        self.came = 0
        self.ended = threading.Semaphore(0)

    def __call__(self, *given, **named):
        if threading.current_thread().name != "in-time":
            return self.function(*given, **named)  # other parts of a turn read them too
        self.came += 1
        assert self.released.wait(60)
        try:
            return self.function(*given, **named)
        finally:
            self.ended.release()


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


@pytest.fixture
def alone(tmp_path, server, monkeypatch) -> Living:
    living = Living(tmp_path / "home")
    server.engine(living.home)
    living.conch.learning.add_own("Prefers green tea to coffee", "preference")
    # Nothing is in the prompt's section, so that what is near stands beside the words.
    monkeypatch.setattr("conch.assistant.preparing.SECTION_CHARACTERS", 0)
    living.conch.memories.index.encode_some(100)
    return living


async def sent(living: Living, server: StubServer) -> str:
    server.answers(says("Sencha."))
    await living.say(ASKED)
    assert isinstance(living.last, TurnEnded)
    assert living.last.outcome == "success"
    return server.completions()[-1].body["messages"][-1]["content"]


async def test_in_time_it_stands_beside_the_words(alone, server):
    alone.conch.parts.nearby.deadline = 60
    assert BLOCK in await sent(alone, server)


@pytest.mark.parametrize("what", ["the index", "reading the memories"])
async def test_too_late_there_is_none_and_the_turn_goes_on(alone, server, monkeypatch, what):
    memories = alone.conch.memories
    owner, name = (memories.index, "near") if what == "the index" else (memories, "usable")
    slow = Slow(getattr(owner, name))
    monkeypatch.setattr(owner, name, slow)
    # Whatever has to be read first belongs to the same deadline, so it is waited for beside the
    # loop: on it, nobody could give up waiting.
    assert BLOCK not in await sent(alone, server)
    assert slow.came == 1
    assert not slow.released.is_set()
    slow.released.set()
    assert await asyncio.to_thread(slow.ended.acquire, timeout=60)


async def test_late_work_does_not_pile_up_and_what_comes_late_is_in_no_turn(
    alone, server, monkeypatch
):
    slow = Slow(alone.conch.memories.index.near)
    monkeypatch.setattr(alone.conch.memories.index, "near", slow)
    for _ in range(3):
        assert BLOCK not in await sent(alone, server)
    assert slow.came == 1
    slow.released.set()
    assert await asyncio.to_thread(slow.ended.acquire, timeout=60)
    monkeypatch.undo()
    monkeypatch.setattr("conch.assistant.preparing.SECTION_CHARACTERS", 0)
    alone.conch.parts.nearby.deadline = 60
    for _ in range(100):
        if BLOCK in await sent(alone, server):
            break
    else:
        pytest.fail("once the late one has ended, nearby is looked for again")


async def test_one_that_fails_harms_no_turn(alone, server, monkeypatch):
    def broken(*_):
        raise ValueError("no index today")

    monkeypatch.setattr(alone.conch.memories.index, "near", broken)
    assert BLOCK not in await sent(alone, server)


async def test_cancelled_while_it_waits_it_begins_anew_later():
    in_time = InTime(deadline=60)
    begun, go_on = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert go_on.wait(60)
        return "late"

    waiting = asyncio.create_task(in_time.do(work, "none"))
    assert await asyncio.to_thread(begun.wait, 60)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await in_time.do(lambda: "second", "none") == "none"
    go_on.set()
    for _ in range(10_000):
        if await in_time.do(lambda: "third", "none") == "third":
            return
        await asyncio.sleep(0.001)
    pytest.fail("nothing is begun any more")
