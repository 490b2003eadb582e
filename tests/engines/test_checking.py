"""Whether an engine answers: one question for every door, and what it cost is counted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.engines.checking import check_answers, knows_model
from conch.engines.engine import EngineFailed
from conch.engines.prices import price
from conch.engines.usage import UsageLedger
from conch.home.clock import SteppedClock
from conch.home.home import Home
from wire.answers import Answer, broken, out_of_credit, rejected, says
from wire.server import StubServer

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(NOW))


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


@pytest.mark.parametrize("id", ["openai", "anthropic", "lmstudio"])
async def test_a_model_that_spends_its_tokens_on_thinking_does_answer(home, server, id):
    engine = server.engine(home, id)
    ledger = UsageLedger(home)
    server.answers(says("", finish="length", output_tokens=200))
    done = await check_answers(engine, ledger)
    assert (done.text, done.usage.output_tokens) == ("", 200)
    assert done.cost_usd == price(engine, done.model, done.usage)
    month = ledger.month(NOW, "check")
    assert (month["answers"], month["output_tokens"]) == (1, 200)
    assert month["usd"] == done.cost_usd


@pytest.mark.parametrize(
    "answer",
    [
        says("", counts=False),
        says("", output_tokens=0),
        rejected(),
        out_of_credit(),
        broken(),
        Answer(raw=b"<html>Sign in to this network</html>"),
        Answer(raw=b"{}"),
    ],
    ids=["uncounted", "nothing", "rejected", "no credit", "broken", "page", "empty object"],
)
async def test_nothing_said_and_nothing_thought_is_no_answer(home, server, answer):
    server.answers(answer)
    with pytest.raises(EngineFailed):
        await check_answers(server.engine(home), UsageLedger(home))


async def test_an_answer_nobody_counted_counts_at_its_worst(home, server):
    ledger = UsageLedger(home)
    server.answers(says("Hello.", counts=False))
    done = await check_answers(server.engine(home), ledger)
    assert done.cost_usd is None
    assert ledger.month(NOW, "check")["unknown"] == 1
    assert ledger.month_usd(NOW, "check") > 0


def test_where_nobody_can_tell_a_model_is_known_unless_one_wants_to_be_sure(home, server):
    engine = server.engine(home, "mine")
    assert knows_model(engine, "never-heard-of")
    assert not knows_model(engine, "never-heard-of", sure=True)
    assert knows_model(engine, "stub-model", sure=True)
    server.pages["/v1/models"] = {"data": [{"id": "told"}]}
    assert knows_model(engine, "told", sure=True)
    assert not knows_model(engine, "never-heard-of")
