"""Quiet learning through the true clients: good, bad, fenced, cut off and hostile answers."""

import pytest

from conch.evals.promises import broken_promises
from wire.answers import (
    Answer,
    adds,
    after_thinking,
    changes,
    cut_off,
    fenced,
    hostile,
    planting,
    prose,
    rate_limited,
    rejected,
    says,
    supersedes,
    truncated,
)
from wire.server import StubServer

CORRECTION = ("Write me a script that prints the date.", "No, I meant TypeScript.")
GOOD = changes(adds("Prefers TypeScript", "No, I meant TypeScript."))
EVERY = ["openai", "anthropic", "google", "lmstudio"]


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


async def corrected(living, server, engine="openai", **settings):
    """A chat with a correction, answered by the stub; it went quiet."""
    answering = server.engine(living.home, engine, **settings)
    server.answers(says("console.log(1)"), says("Of course."))
    chat = await living.say(*CORRECTION)
    assert living.last.outcome == "success"
    return chat, answering


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize("shaped", [lambda answer: answer, fenced, after_thinking])
async def test_a_good_answer_is_learned_with_the_cheapest_model(living, server, engine, shaped):
    _, answering = await corrected(living, server, engine)
    server.answers(shaped(GOOD))
    (result,) = await living.quiet()
    assert result.outcome == "learned"
    assert living.memories == ["Prefers TypeScript"]
    assert server.completions()[-1].model == answering.cheapest_model
    assert len(server.completions()) == 3


@pytest.mark.parametrize("engine", EVERY)
@pytest.mark.parametrize(
    "bad",
    [truncated(GOOD), cut_off(GOOD.text), prose(), rate_limited(), Answer(status=500)],
    ids=["truncated", "cut off", "prose", "429", "500"],
)
async def test_a_bad_answer_gets_one_retry_with_the_default_model(living, server, engine, bad):
    _, answering = await corrected(living, server, engine)
    server.answers(bad, GOOD)
    (result,) = await living.quiet()
    assert result.outcome == "learned"
    assert [request.model for request in server.completions()[2:]] == [
        answering.cheapest_model,
        answering.default_model,
    ]


@pytest.mark.parametrize("engine", EVERY)
async def test_a_server_that_takes_no_schema_is_asked_in_words(living, server, engine):
    await corrected(living, server, engine)
    server.answers(rejected(), GOOD)
    (result,) = await living.quiet()
    assert result.outcome == "learned"


async def test_two_bad_answers_keep_the_place_for_an_hour(living, server):
    await corrected(living, server)
    server.answers(Answer(status=500), Answer(status=500))
    (result,) = await living.quiet()
    assert result.outcome == "no_answer"
    assert len(server.completions()) == 4
    assert await living.quiet() == []
    server.answers(GOOD)
    await living.quiet(minutes=61)
    assert living.memories == ["Prefers TypeScript"]


@pytest.mark.parametrize("engine", EVERY)
async def test_a_hostile_answer_keeps_nothing_unsafe(living, server, engine):
    await corrected(living, server, engine)
    living.conch.learning.add_own("Lives in Berlin")
    for answer in hostile():
        server.otherwise = answer
        await living.quiet(minutes=61)
        server.otherwise = says("Of course.")
        await living.say("Hello.", "No, I meant TypeScript, always TypeScript.")
    allowed = {"Lives in Berlin", "Prefers TypeScript"}
    assert set(living.memories) <= allowed
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("engine", EVERY)
async def test_a_well_formed_answer_plants_nothing(living, server, engine):
    await corrected(living, server, engine)
    for answer in planting(CORRECTION[1]):
        server.otherwise = answer
        (result, *_) = await living.quiet(minutes=61)
        server.otherwise = says("Of course.")
        assert result.asked
        assert living.memories == []
        await living.say("Write it again.", CORRECTION[1])
    assert broken_promises(living.folder) == []


async def test_only_ids_that_were_shown_are_replaced(living, server):
    living.conch.learning.add_own("Has a cat named Miro")
    await corrected(living, server)
    (own,) = living.conch.memories.usable()
    server.answers(changes(supersedes(own.id, "Prefers TypeScript", "No, I meant TypeScript.")))
    (result,) = await living.quiet()
    assert result.records == ()
    assert len(result.dropped) == 1
    assert living.memories == ["Has a cat named Miro"]


async def test_words_not_all_sent_to_the_provider_are_not_sent_for_review(living, server):
    chat, _ = await corrected(living, server)
    log = living.conch.chats.log(chat)
    events = log.events()
    spans = [event for event in events if getattr(event, "sent_from", None) is not None]
    assert all(event.sent_from == 0 for event in spans)
    other = living.conch.chats.new()
    living.conch.chats.log(other).extend(
        event.model_copy(update={"seq": 0, "sent_from": 99})
        if event.type == "turn_completed"
        else event.model_copy(update={"seq": 0})
        for event in events[1:]
    )
    living.clock.advance(minutes=11)
    assert (await living.conch.learning.look(other)).outcome == "no_model"
    assert len(server.completions()) == 2


async def test_at_the_cap_learning_pauses_until_the_first(living, server):
    await corrected(living, server)
    living.conch.parts.spend.set_cap(0.0)
    (result,) = await living.quiet()
    assert result.outcome == "cap"
    assert len(server.completions()) == 2
    living.conch.parts.spend.set_cap(1.0)
    server.answers(GOOD)
    (result,) = await living.quiet(minutes=61)
    assert result.outcome == "learned"
    assert living.conch.parts.spend.spent(living.clock.now()) > 0


async def test_a_price_that_is_not_known_counts_as_dear(living, server):
    chat, _ = await corrected(living, server, cheap_model="unheard-of", model="unheard-of")
    living.conch.parts.spend.set_cap(0.02)
    result = await living.conch.learning.look(chat)
    assert result.outcome == "cap"


async def test_an_answer_cut_off_counts_in_the_months_budget_as_in_the_cap(living, server):
    await corrected(living, server)
    server.answers(cut_off(GOOD.text), cut_off(GOOD.text))
    (result,) = await living.quiet()
    assert result.outcome == "no_answer"
    now = living.clock.now()
    spent = living.conch.parts.spend.spent(now)
    assert spent > 0
    assert living.conch.parts.usage.month_usd(now, "learning") == pytest.approx(spent)
    assert living.conch.parts.usage.month(now, "learning")["unknown"] == 2


async def test_the_months_budget_holds_for_learning_too(living, server):
    await corrected(living, server)
    living.home.change_settings(lambda all: all.model_copy(update={"month_budget_usd": 0.0}))
    (result,) = await living.quiet()
    assert result.outcome == "budget"
    assert len(server.completions()) == 2


@pytest.mark.parametrize(
    ("percent", "outcome"), [(79, "learned"), (80, "plan_room"), (81, "plan_room")]
)
async def test_a_plan_at_least_80_percent_used_is_left_to_the_person(
    living, server, percent, outcome
):
    server.engine(living.home, "anthropic", plan=True)
    headers = {
        "anthropic-ratelimit-unified-5h-utilization": str(percent / 100),
        "anthropic-ratelimit-unified-7d-utilization": "0.2",
    }
    server.answers(says("console.log(1)", headers=headers), says("Yes.", headers=headers), GOOD)
    await living.say(*CORRECTION)
    (result,) = await living.quiet()
    assert result.outcome == outcome
    assert living.conch.parts.spend.spent(living.clock.now()) == 0


async def test_a_plan_that_does_not_say_how_much_is_used_has_no_room(living, server):
    await corrected(living, server, "anthropic", plan=True)
    (result,) = await living.quiet()
    assert result.outcome == "plan_room"


async def test_tool_output_and_keys_never_reach_the_review(living, server):
    await corrected(living, server)
    server.answers(GOOD)
    await living.quiet()
    review = server.completions()[-1].words
    assert "No, I meant TypeScript." in review
    assert "console.log" not in review
    assert "sk-stub" not in review
