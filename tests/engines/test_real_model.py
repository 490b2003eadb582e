"""The true provider path against a real small model on this computer."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from conch.engines.engine import Ask, EngineFailed
from conch.engines.engines import Engines
from conch.engines.failures import failure_of
from conch.home.clock import SteppedClock
from conch.home.home import Home
from real_model import WINDOW, real_server, running_model

__all__ = ["real_server"]

pytestmark = pytest.mark.real_model


class Topic(BaseModel):
    topic: Literal["food", "travel", "work"]
    sure: bool


class Long(BaseModel):
    items: list[str] = Field(min_length=40)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(datetime(2026, 12, 1, tzinfo=UTC)))


async def test_a_question_with_a_schema_is_answered_in_it_and_costs_nothing(home, real_server):
    engine = real_server.engine(home)
    completed = await engine.complete(
        Ask("Answer in JSON.", "I need a hotel in Rome.", "learning", Topic, max_tokens=60)
    )
    assert isinstance(completed.parsed, Topic)
    assert completed.usage.input_tokens > 0
    assert completed.usage.output_tokens > 0
    assert completed.cost_usd == 0.0
    assert engine.local
    assert engine.window() == WINDOW


@pytest.mark.slow
async def test_it_is_found_on_its_port(home, real_server):
    engines = Engines(home, {}, ports={"llamacpp": real_server.port})
    (found,) = await engines.find_local()
    assert found.local
    assert found.window() == WINDOW
    assert engines.default() is found


@pytest.mark.slow
async def test_chat_and_stream(home, real_server):
    from pydantic_ai import Agent
    from pydantic_ai.settings import ModelSettings

    agent = Agent(
        real_server.engine(home).model(),
        instructions="You are brief.",
        model_settings=ModelSettings(max_tokens=24),
    )
    async with agent.run_stream("Name a fruit.") as run:
        pieces = [piece async for piece in run.stream_text(delta=True, debounce_by=None)]
        history = run.all_messages()
    assert len(pieces) > 1
    assert "".join(pieces).strip()
    again = await agent.run("And another one?", message_history=history)
    assert again.output.strip()
    assert again.usage.output_tokens <= 24


@pytest.mark.slow
async def test_stop(home, real_server):
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import RunCancelled
    from pydantic_ai.messages import PartDeltaEvent

    engine = real_server.engine(home)
    seen = 0
    async with Agent(engine.model()).run_stream_events("Tell a very long story.") as run:
        try:
            async for event in run:
                seen += isinstance(event, PartDeltaEvent)
                if seen == 5:
                    run.cancel()
        except RunCancelled:
            pass
    assert 5 <= seen < 20
    completed = await engine.complete(Ask("Be brief.", "Hello", "chat", max_tokens=8))
    assert completed.usage.output_tokens <= 8


@pytest.mark.slow
async def test_an_answer_that_does_not_fit_its_tokens_is_unreadable_and_counted(home, real_server):
    engine = real_server.engine(home)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("JSON.", "List forty fruits.", "learning", Long, max_tokens=30))
    assert failed.value.kind == "unreadable"
    assert failed.value.usage.output_tokens > 0
    assert failed.value.cost_usd == 0.0


@pytest.mark.slow
async def test_a_timeout(home, real_server):
    engine = real_server.engine(home)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(
            Ask("s", "Tell a very long story.", "chat", timeout_s=0.3, max_tokens=1500)
        )
    assert failed.value.kind == "timeout"
    assert (await engine.complete(Ask("s", "Hello", "chat", max_tokens=4))).text


@pytest.mark.slow
async def test_more_than_its_window_is_said(home, real_server):
    engine = real_server.engine(home)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "many words " * WINDOW, "chat"))
    assert failed.value.kind == "refused"
    assert "window" in str(failed.value)


@pytest.mark.slow
async def test_a_server_that_dies_in_the_middle_of_an_answer(home):
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError
    from pydantic_ai.messages import PartDeltaEvent

    with running_model() as dying:
        engine = dying.engine(home)
        asking = asyncio.create_task(
            engine.complete(Ask("s", "Tell a very long story.", "chat", max_tokens=1500))
        )
        await asyncio.sleep(0.5)
        dying.die()
        with pytest.raises(EngineFailed) as failed:
            await asking
        assert failed.value.kind == "no_answer"
        with pytest.raises(EngineFailed) as gone:
            await engine.complete(Ask("s", "Hello", "chat"))
        assert gone.value.kind == "no_connection"

    with running_model() as dying:
        engine = dying.engine(home)

        async def talk() -> None:
            seen = 0
            async with Agent(engine.model()).run_stream_events("Tell a long story.") as run:
                async for event in run:
                    seen += isinstance(event, PartDeltaEvent)
                    if seen == 5:
                        dying.die()

        with pytest.raises(AgentRunError) as raised:
            await talk()
        assert failure_of(raised.value, engine.name).kind == "no_answer"
