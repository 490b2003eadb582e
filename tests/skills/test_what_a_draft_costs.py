"""What a skill's draft may cost is written down before it is asked for, and counted however it
ends."""

from __future__ import annotations

import asyncio
import errno

import pytest

from conch.chats.events import (
    AssistantMessage,
    PersonMessage,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from living import Living
from webbing import every_moment
from wire.answers import says
from wire.server import StubServer


@pytest.fixture
def living(tmp_path) -> Living:
    return Living(tmp_path / "home")


@pytest.fixture
def server(living):
    """OpenAI, metered, at a stub."""
    with StubServer() as stub:
        stub.engine(living.home, "openai")
        living.start()
        yield stub


def worked(living: Living) -> str:
    """A chat in which OpenAI took twelve steps, and they worked."""
    chat = living.conch.chats.new(title="Report")
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text="Turn my notes into a report"))
    for at in range(12):
        summary, given = f"Run `step {at}`", {"command": f"step {at}"}
        log.append(ToolStarted(call=f"c{at}", tool="run", summary=summary, input=given))
        log.append(ToolFinished(call=f"c{at}", ok=True, output="fine"))
    log.append(AssistantMessage(text="Here it is.", engine="openai"))
    log.append(TurnCompleted(outcome="success", engine="openai", model="m"))
    return chat


async def asked(server: StubServer) -> None:
    async for _ in every_moment():
        if server.completions():
            return


def counted(living: Living) -> tuple[float, float, dict]:
    """What the month counts for skills, what learning's purse counts, and what is still open."""
    now = living.clock.now()
    parts = living.conch.parts
    return parts.usage.month_usd(now, "skill"), parts.spend.spent(now), parts.spend.set_asides()


async def test_one_that_is_cancelled_counts_as_the_worst_it_can_have_cost(living, server):
    server.otherwise = says("Late.", hang_s=20)
    chat = worked(living)
    task = asyncio.ensure_future(living.conch.skills.proposing.consider(chat))
    await asked(server)
    (held,) = living.conch.parts.spend.set_asides().values()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert held.worst > 0
    assert counted(living) == (held.worst, 0.0, {})


async def test_one_that_a_crash_cut_off_is_counted_at_the_next_start(living, server):
    server.otherwise = says("Late.", hang_s=20)
    chat = worked(living)
    task = asyncio.ensure_future(living.conch.skills.proposing.consider(chat))
    await asked(server)
    (held,) = living.conch.parts.spend.set_asides().values()
    assert (held.purpose, held.chat) == ("skill", chat)
    again = Living(living.folder, clock=living.clock)
    assert counted(again) == (held.worst, 0.0, {})
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(("status", "costs"), [(200, True), (500, False)])
async def test_one_that_ended_counts_once_and_leaves_nothing_open(living, server, status, costs):
    server.otherwise = says("no draft", status=status)
    await living.conch.skills.proposing.consider(worked(living))
    usd, learning, open_still = counted(living)
    assert (usd > 0, learning, open_still) == (costs, 0.0, {})


async def test_where_it_cannot_be_written_down_nothing_is_asked(living, server, monkeypatch):
    def full(path, *_):
        raise OSError(errno.ENOSPC, "No space left on device")

    chat = worked(living)
    monkeypatch.setattr(
        living.conch.parts.spend, "_store", _Full(living.conch.parts.spend._store, full)
    )
    assert (await living.conch.skills.proposing.consider(chat)).why == "no answer"
    assert server.completions() == []


class _Full:
    """A store on a disk that takes nothing more."""

    def __init__(self, store, full) -> None:
        self.load, self.change = store.load, full
