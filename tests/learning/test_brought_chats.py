"""Chats brought in: read only when the person says so; what is typed into them is their own."""

import pytest

from conch.cli.verbs import answer
from conch.home.errors import ConchError
from living import CORRECTION, brought_in
from wire.answers import adds, changes, says
from wire.server import StubServer

LIVE = ("Write me a script that prints the date.", "No, I meant Kotlin.")


async def done(living, verb, **args):
    return [item async for item in answer(living.conch, verb, args)]


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


@pytest.mark.parametrize("verb", ["chats.archive", "learn"])
async def test_no_verb_but_the_one_that_says_its_price_pays_for_what_was_brought(
    living, server, verb
):
    server.engine(living.home, "openai")
    chat = brought_in(living, *CORRECTION)
    items = await done(living, verb, chat=chat)
    assert [item["outcome"] for item in items if item["type"] == "look"] == ["brought"]
    assert server.completions() == []
    engine = living.conch.engines.get("openai")
    assert living.conch.learning.brought(engine).chats == (chat,)


async def test_what_is_typed_into_a_brought_chat_is_learned_and_said_there(living):
    chat = brought_in(living, *CORRECTION)
    await living.say(*LIVE, chat=chat)
    assert living.conch.learning.unread() == [chat]
    (result,) = await living.quiet()
    assert [(record.text, record.state) for record in result.records] == [
        ("Prefers Kotlin", "applied")
    ]
    assert len(living.lines(chat)) == 1
    assert await living.quiet() == []
    assert living.conch.learning.unread() == []


async def test_what_was_brought_stays_for_learn_brought_whatever_was_typed_after_it(living):
    chat = brought_in(living, *CORRECTION)
    await living.say(*LIVE, chat=chat)
    await living.quiet()
    engine = living.conch.engines.default()
    assert living.conch.learning.brought(engine).chats == (chat,)
    result = await living.conch.learning.look(chat, by=engine)
    assert [(record.text, record.state) for record in result.records] == [
        ("Prefers TypeScript", "waiting")
    ]
    assert living.conch.learning.brought(engine).chats == ()


async def test_a_brought_chat_that_grew_between_what_was_typed_gives_each_its_own_stretch(living):
    chat = brought_in(living, "Hello there.")
    await living.say(*LIVE, chat=chat)
    brought_in(living, *CORRECTION, chat=chat)
    await living.say("Print it in Rust.", "No, I meant Go.", chat=chat)
    living.clock.advance(minutes=11)
    for _ in range(3):
        await living.conch.learning.sweep.once()
    assert living.memories == ["Prefers Go", "Prefers Kotlin"]
    result = await living.conch.learning.look(chat, by=living.conch.engines.default())
    living.start()
    result = await living.conch.learning.look(chat, by=living.conch.engines.default())
    assert [record.text for record in result.records] == ["Prefers TypeScript"]


async def test_what_is_brought_never_reaches_the_review_of_what_was_typed(living, server):
    chat = brought_in(living, "I live in Berlin.", "My PIN code hint is BLUEBIRD.")
    server.engine(living.home, "openai")
    server.answers(says("print()"), says("Of course."))
    await living.say(*LIVE, chat=chat)
    server.answers(changes(adds("Prefers Kotlin", "No, I meant Kotlin.")))
    await living.quiet()
    review = server.completions()[-1]
    assert "Kotlin" in str(review)
    assert "BLUEBIRD" not in str(review)


async def test_a_named_engine_that_is_not_connected_leaves_it_to_a_local_model(living, server):
    brought_in(living, *CORRECTION)
    with pytest.raises(ConchError, match="isn't connected"):
        await done(living, "learn.brought", engine="anthropic")
    server.engine(living.home, "lmstudio")
    (plan,) = await done(living, "learn.brought", engine="anthropic")
    assert plan["instead_of"] == "anthropic"
    assert plan["worst_usd"] == 0
