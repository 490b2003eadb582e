"""What may be paid is written down before it is asked: cut off, it counts and the chat waits."""

import asyncio
import shutil

import pytest

from conch.evals.promises import broken_promises
from living import CORRECTION, Living
from webbing import every_moment
from wire.answers import Answer, adds, changes, says
from wire.server import StubServer

GOOD = changes(adds("Prefers TypeScript", "No, I meant TypeScript."))


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


async def due_chat(living, server):
    server.engine(living.home, "openai")
    server.answers(says("print()"), says("Of course."))
    chat = await living.say(*CORRECTION)
    living.clock.advance(minutes=11)
    return chat


class CutOff:
    """Stands before a home's engines: what is asked of them is cut off on the way."""

    def __init__(self, engine, at_asking) -> None:
        self._engine = engine
        self._at_asking = at_asking

    def __getattr__(self, name):
        return getattr(self._engine, name)

    async def complete(self, ask):
        self._at_asking()
        await asyncio.sleep(30)


def cut_off(living, monkeypatch, at_asking=lambda: None):
    engines = living.conch.engines
    real = engines.get
    monkeypatch.setattr(engines, "get", lambda id: CutOff(real(id), at_asking))


async def test_a_look_that_is_cancelled_counts_as_the_worst_and_waits_its_hour(
    living, server, monkeypatch
):
    await due_chat(living, server)
    begun = asyncio.Event()
    cut_off(living, monkeypatch, begun.set)
    sweeping = asyncio.create_task(living.conch.learning.sweep.once())
    await begun.wait()
    sweeping.cancel()
    await asyncio.gather(sweeping, return_exceptions=True)
    now = living.clock.now()
    assert living.conch.parts.spend.spent(now) > 0
    assert living.conch.parts.usage.month(now, "learning")["unknown"] == 1
    assert living.conch.parts.spend.set_asides() == {}
    living.start()
    assert await living.quiet(minutes=1) == []
    server.answers(GOOD)
    await living.quiet(minutes=61)
    assert living.memories == ["Prefers TypeScript"]


async def test_killed_mid_review_the_next_process_counts_it_once_and_asks_nothing_for_an_hour(
    living, server, monkeypatch, tmp_path
):
    await due_chat(living, server)
    begun = asyncio.Event()

    def killed() -> None:
        shutil.copytree(living.folder, tmp_path / "after")
        begun.set()

    cut_off(living, monkeypatch, killed)
    sweeping = asyncio.create_task(living.conch.learning.sweep.once())
    await begun.wait()
    sweeping.cancel()
    await asyncio.gather(sweeping, return_exceptions=True)
    asked = len(server.completions())
    after = Living(tmp_path / "after", clock=living.clock)
    spent = after.conch.parts.spend.spent(after.clock.now())
    assert spent > 0
    assert await after.quiet(minutes=1) == []
    assert len(server.completions()) == asked
    after.start()
    now = after.clock.now()
    assert after.conch.parts.spend.spent(now) == spent
    assert after.conch.parts.usage.month_usd(now, "learning") == pytest.approx(spent)
    assert after.conch.parts.usage.month(now, "learning")["answers"] == 1
    server.answers(GOOD)
    await after.quiet(minutes=61)
    assert after.memories == ["Prefers TypeScript"]
    assert broken_promises(after.folder) == []


async def test_what_it_did_cost_stands_in_the_purse_once_it_is_known(living, server):
    await due_chat(living, server)
    server.answers(GOOD)
    (result,) = await living.conch.learning.sweep.once()
    assert result.outcome == "learned"
    assert living.conch.parts.spend.spent(living.clock.now()) == pytest.approx(result.cost_usd)


async def test_archiving_again_and_again_asks_once_an_hour(living, server):
    chat = await due_chat(living, server)
    server.answers(Answer(status=500), Answer(status=500))
    for _ in range(3):
        assert (await living.conch.learning.look(chat, "archived")).outcome == "no_answer"
    assert len(server.completions()) == 4


async def test_closing_waits_for_the_look_that_runs_and_begins_no_other(living, server):
    await due_chat(living, server)
    server.answers(GOOD)
    living.conch.run_in_background()
    async for _ in every_moment():
        if living.conch.learning.looking:
            break
    await living.conch.close(patience=20)
    assert living.memories == ["Prefers TypeScript"]
    chat = await living.say("Hello.")
    assert (await living.conch.learning.look(chat)).outcome == "cut_off"
