"""The true clients against the wire formats, each provider through the same questions."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from conch.engines.engine import Ask, EngineFailed
from conch.engines.prices import price, worst_price
from conch.home.clock import SteppedClock
from conch.home.home import Home
from wire.answers import (
    Answer,
    adds,
    after_thinking,
    broken,
    calls,
    changes,
    cut_off,
    fenced,
    hangs,
    hostile,
    out_of_credit,
    prose,
    rate_limited,
    rejected,
    says,
    truncated,
)
from wire.server import COMPANY_KEYS, StubServer

COMPANIES = ["openai", "anthropic", "google"]
EVERY = [*COMPANIES, "lmstudio"]
GOOD = changes(adds("Prefers TypeScript", "I meant TypeScript"))


class Item(BaseModel):
    op: str
    text: str = Field(max_length=300)
    quote: str


class Review(BaseModel):
    changes: list[Item]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(datetime(2026, 12, 1, 9, tzinfo=UTC)))


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


def review(timeout_s: float = 10) -> Ask:
    return Ask(
        "Answer JSON.",
        "<chat>no, I meant TypeScript</chat>",
        "learning",
        Review,
        timeout_s=timeout_s,
    )


@pytest.mark.parametrize("id", EVERY)
async def test_plain_answer_with_what_it_took(home, server, id):
    engine = server.engine(home, id)
    server.answers(says("Lisbon.", input_tokens=1000, output_tokens=200, cached_tokens=400))
    completed = await engine.complete(Ask("Be brief.", "The capital?", "summary", max_tokens=77))
    assert completed.text == "Lisbon."
    assert completed.parsed is None
    assert completed.usage.input_tokens == 1000
    assert completed.usage.output_tokens == 200
    assert completed.usage.cache_read_tokens == 400
    assert completed.cost_usd == price(engine, completed.model, completed.usage)
    request = server.requests[-1]
    assert request.model == engine.default_model
    assert "Be brief." in request.words
    assert "The capital?" in request.user
    assert "77" in request.words
    assert (completed.cost_usd == 0.0) == (id == "lmstudio")


@pytest.mark.parametrize("id", EVERY)
async def test_schema_goes_over_the_wire_and_comes_back(home, server, id):
    engine = server.engine(home, id)
    server.answers(GOOD)
    completed = await engine.complete(review())
    assert completed.parsed == Review(
        changes=[Item(op="add", text="Prefers TypeScript", quote="I meant TypeScript")]
    )
    assert len(server.completions()) == 1
    words = server.requests[-1].words
    assert "quote" in words
    assert any(
        mark in words for mark in ("json_schema", "responseJsonSchema", "responseSchema", "output_")
    )


@pytest.mark.parametrize("wrap", [fenced, after_thinking, lambda one: says(f"Well: {one.text}")])
@pytest.mark.parametrize("id", EVERY)
async def test_json_is_found_in_what_is_around_it(home, server, id, wrap):
    engine = server.engine(home, id)
    server.answers(wrap(GOOD))
    completed = await engine.complete(review())
    assert completed.parsed.changes[0].text == "Prefers TypeScript"
    assert completed.text == GOOD.text


@pytest.mark.parametrize("bad", [prose(), truncated(GOOD), says("")], ids=["prose", "cut", "empty"])
@pytest.mark.parametrize("id", EVERY)
async def test_unreadable_is_said_and_paid(home, server, id, bad):
    engine = server.engine(home, id)
    server.answers(bad)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(review())
    assert failed.value.kind == "unreadable"
    assert len(server.completions()) == 1
    if bad.text:
        assert failed.value.usage.input_tokens == 120
        assert failed.value.cost_usd == price(engine, failed.value.model, failed.value.usage)
    elif engine.billing == "metered":
        assert failed.value.cost_usd is None or failed.value.cost_usd > 0


@pytest.mark.parametrize("number", range(len(hostile())))
@pytest.mark.parametrize("id", EVERY)
async def test_hostile_answers_end_as_an_answer_or_a_failure(home, server, id, number):
    engine = server.engine(home, id)
    server.answers(hostile()[number])
    kind, completed = "", None
    try:
        completed = await engine.complete(review())
    except EngineFailed as failed:
        kind = failed.kind
    assert kind in ("unreadable", "no_answer") if completed is None else not kind
    assert completed is None or completed.parsed is None or isinstance(completed.parsed, Review)
    assert len(server.completions()) == 1


async def test_an_item_that_does_not_fit_leaves_the_text_to_who_can_use_a_part(home, server):
    engine = server.engine(home, "openai")
    server.answers(changes(adds("x" * 400, "said"), adds("Fine", "said")))
    completed = await engine.complete(review())
    assert completed.parsed is None
    assert "Fine" in completed.text


FAILURES = {
    "rate limit": (rate_limited(7), "limit", 0.0),
    "out of credit": (out_of_credit(), "limit", 0.0),
    "500": (broken(500), "no_answer", 0.0),
    "503": (broken(503), "no_answer", 0.0),
    "bad key": (Answer(status=401, error="invalid_api_key", message="Bad."), "auth", 0.0),
    "not allowed": (Answer(status=403, error="forbidden", message="No."), "auth", 0.0),
    "no such model": (Answer(status=404, error="model_not_found", message="No."), "refused", 0.0),
}


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("id", COMPANIES)
async def test_failures_by_kind_asked_once_and_not_billed(home, server, id, name):
    answer, kind, cost = FAILURES[name]
    engine = server.engine(home, id)
    server.answers(answer)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "u", "learning"))
    assert failed.value.kind == kind
    assert failed.value.cost_usd == cost
    assert failed.value.before_any_answer
    assert len(server.completions()) == 1
    if name == "rate limit":
        assert failed.value.retry_after_s == 7


TOO_LONG = {
    "openai": Answer(
        status=400,
        error="context_length_exceeded",
        message="This model's maximum context length is 8192 tokens.",
    ),
    "anthropic": Answer(status=400, message="prompt is too long: 210000 tokens > 200000 maximum"),
    "google": Answer(
        status=400,
        message="The input token count (1200000) exceeds the maximum number of tokens allowed "
        "(1048576).",
    ),
}


@pytest.mark.parametrize("id", COMPANIES)
async def test_more_than_the_window_is_said_and_not_asked_in_words(home, server, id):
    engine = server.engine(home, id)
    server.answers(TOO_LONG[id], GOOD)
    with pytest.raises(EngineFailed, match="window") as failed:
        await engine.complete(review())
    assert failed.value.kind == "refused"
    assert len(server.completions()) == 1


@pytest.mark.parametrize("id", COMPANIES)
async def test_nothing_of_a_key_or_a_provider_message_is_in_what_is_said(home, server, id):
    engine = server.engine(home, id)
    key = COMPANY_KEYS[id]
    server.answers(Answer(status=401, message=f"Incorrect key {key} for words: secret plan"))
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "secret plan", "learning"))
    told = f"{failed.value} {failed.value!r} {engine!r} {failed.value.__cause__}"
    assert key not in told
    assert "secret plan" not in told
    assert key not in repr(getattr(engine, "connection", ""))


@pytest.mark.parametrize("id", EVERY)
async def test_silence_ends_at_the_timeout(home, server, id):
    engine = server.engine(home, id)
    server.answers(hangs())
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(review(timeout_s=0.4))
    assert failed.value.kind == "timeout"
    assert len(server.completions()) == 1
    assert failed.value.cost_usd == (0.0 if id == "lmstudio" else None)


@pytest.mark.parametrize("id", COMPANIES)
async def test_cut_off_in_its_middle_may_have_been_billed(home, server, id):
    engine = server.engine(home, id)
    server.answers(cut_off("This will never be whole, however long it is."))
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "u", "learning"))
    assert failed.value.kind == "no_answer"
    assert failed.value.cost_usd is None
    assert len(server.completions()) == 1


@pytest.mark.parametrize("id", EVERY)
async def test_a_server_that_is_gone(home, id):
    with StubServer() as server:
        engine = server.engine(home, id)
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "u", "learning"))
    assert failed.value.kind == "no_connection"
    assert failed.value.cost_usd == 0.0


@pytest.mark.parametrize("id", ["openai", "google"])
async def test_an_answer_nobody_counted_has_no_known_cost(home, server, id):
    engine = server.engine(home, id)
    server.answers(says("Fine.", counts=False))
    assert (await engine.complete(Ask("s", "u", "learning"))).cost_usd is None


@pytest.mark.parametrize("id", COMPANIES)
async def test_a_filtered_answer_is_refused_and_paid(home, server, id):
    engine = server.engine(home, id)
    server.answers(says("I can", finish="content_filter"))
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "u", "learning"))
    assert failed.value.kind == "refused"
    assert failed.value.cost_usd is None or failed.value.cost_usd > 0


async def test_a_server_without_schemas_is_told_in_words_and_remembered(home, server):
    engine = server.engine(home, "lmstudio")
    server.answers(rejected("response_format is not supported"), fenced(GOOD), GOOD)
    assert (await engine.complete(review())).parsed is not None
    assert (await engine.complete(review())).parsed is not None
    asked = ["response_format" in request.body for request in server.completions()]
    first, second, third = server.completions()
    assert first.body["response_format"]["type"] == "json_schema"
    assert asked[0]
    assert all("json_schema" not in str(one.body.get("response_format")) for one in (second, third))
    assert "quote" in second.words


async def test_a_rejected_question_without_schema_is_not_asked_again(home, server):
    engine = server.engine(home, "lmstudio")
    server.answers(rejected("bad"), says("never"))
    with pytest.raises(EngineFailed) as failed:
        await engine.complete(Ask("s", "u", "summary"))
    assert failed.value.kind == "refused"
    assert len(server.completions()) == 1


@pytest.mark.parametrize("id", EVERY)
async def test_streamed_chat_with_a_tool_call(home, server, id):
    from pydantic_ai import Agent

    engine = server.engine(home, id)
    server.answers(calls("remember", content="Prefers tabs"), says("I'll keep that in mind."))
    agent = Agent(engine.model(), instructions="You are Conch.")
    kept: list[str] = []

    @agent.tool_plain
    def remember(content: str) -> str:
        """Save it."""
        kept.append(content)
        return "Saved."

    async with agent.run_stream_events("remember that I prefer tabs") as run:
        async for _ in run:
            pass
        assert run.usage.input_tokens == 240
    assert kept == ["Prefers tabs"]
    assert all(request.stream for request in server.completions())
    assert "Saved." in server.completions()[1].words


@pytest.mark.parametrize("id", EVERY)
async def test_stream_stopped_half_way(home, server, id):
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import RunCancelled
    from pydantic_ai.messages import PartDeltaEvent

    engine = server.engine(home, id)
    server.answers(says("word " * 400, pause_s=0.01))
    seen = 0
    async with Agent(engine.model()).run_stream_events("talk") as run:
        try:
            async for event in run:
                seen += isinstance(event, PartDeltaEvent)
                if seen == 3:
                    run.cancel()
        except RunCancelled:
            pass
    assert 3 <= seen < 100


@pytest.mark.parametrize("id", EVERY)
async def test_stream_cut_off_fails(home, server, id):
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError

    from conch.engines.failures import failure_of

    engine = server.engine(home, id)
    server.answers(cut_off("one two three four five six seven eight", after=4))

    async def talk() -> None:
        async with Agent(engine.model()).run_stream_events("talk") as run:
            async for _ in run:
                pass

    with pytest.raises(AgentRunError) as raised:
        await talk()
    failed = failure_of(raised.value, engine.name)
    assert failed.kind == "no_answer"
    assert not failed.before_any_answer


async def test_a_key_goes_to_its_provider_alone_and_is_checked(home):
    with StubServer(key="sk-the-right-one") as server:
        engine = server.engine(home, "openai")
        server.otherwise = says("Hello.")
        assert (await engine.complete(Ask("s", "u", "summary"))).text == "Hello."
        assert "sk-the-right-one" not in server.requests[-1].words


async def test_models_work_again_in_another_loop(home, server):
    engine = server.engine(home, "openai")
    server.otherwise = says("Hello.")

    def in_own_loop() -> str:
        return asyncio.run(engine.complete(Ask("s", "u", "summary"))).text

    assert await asyncio.to_thread(in_own_loop) == "Hello."
    assert await asyncio.to_thread(in_own_loop) == "Hello."
    assert (await engine.complete(Ask("s", "u", "summary"))).text == "Hello."


async def test_closed_connections_are_opened_again_when_asked(home, server):
    from conch.engines.engines import Engines

    server.engine(home, "openai")
    engines = Engines(home, {}, ports={})
    engine = engines.get("openai")
    assert engine is not None
    server.otherwise = says("Hello.")
    for _ in range(2):
        assert (await engine.complete(Ask("s", "u", "summary"))).text == "Hello."
        assert engine.model() is engine.model()
        await engines.close()


@pytest.mark.parametrize("id", COMPANIES)
async def test_no_answer_costs_more_than_the_worst_price(home, server, id):
    engine = server.engine(home, id)
    text = "日本語の言葉" * 200
    server.answers(says("x" * 300, input_tokens=len(text) + 500, output_tokens=1500))
    completed = await engine.complete(Ask("", text, "learning", max_tokens=1500))
    assert completed.cost_usd is not None
    assert completed.cost_usd <= worst_price(engine, "", len(text), 1500)
