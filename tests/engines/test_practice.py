"""The practice engine takes the real path, and says plainly that it is a script."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic_ai import Agent, RunCancelled
from pydantic_ai.messages import PartDeltaEvent, ToolCallPart

from conch.chats.turns import Step
from conch.engines.engine import Ask, EngineFailed
from conch.engines.practice import PracticeEngine
from conch.learning.changes import Add, Said, SignalKind, Supersede
from conch.learning.review import ReviewAnswer, frame, parse_review, system_text
from conch.memory.memory import Memory

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def framed(*said: tuple[str, tuple[SignalKind, ...]], memories: tuple[str, ...] = ()) -> str:
    """The review's true frame of these messages."""
    shown = [
        Memory(f"m_{number}", text, "fact", "learning", NOW, NOW)
        for number, text in enumerate(memories)
    ]
    step = Step("c", "run", "Run `npm test`", {}, False, 1, "", 1, 2)
    messages = [
        Said(seq=number, at=NOW, text=text, prose=text, signals=signals)
        for number, (text, signals) in enumerate(said, start=1)
    ]
    return frame(messages, [(1, step)], shown, [], date(2026, 12, 1), "en")


async def changes_for(*said: tuple[str, tuple[SignalKind, ...]], memories: tuple[str, ...] = ()):
    ask = Ask(system_text("English"), framed(*said, memories=memories), "learning", ReviewAnswer)
    completed = await PracticeEngine().complete(ask)
    assert completed.parsed is not None
    assert completed.cost_usd == 0.0
    return list(parse_review(completed.text).changes)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("No, I meant TypeScript", "Prefers TypeScript"),
        ("no, I meant tabs, not spaces.", "Prefers tabs"),
        ("Hm. I said the blue one! Thanks", "Prefers the blue one"),
    ],
)
async def test_a_correction_becomes_a_preference_with_its_quote(said, text):
    (change,) = await changes_for((said, ("correction",)))
    assert isinstance(change, Add)
    assert (change.text, change.memory_kind) == (text, "preference")
    assert change.quote in said


async def test_what_was_meant_without_a_correction_is_nothing():
    assert await changes_for(("I meant TypeScript", ())) == []


@pytest.mark.parametrize(
    "said",
    ["I moved to Lisbon", "I live in Lisbon now.", "By the way, I’ve just moved to Lisbon!"],
)
async def test_where_they_live_replaces_the_memory_shown(said):
    (change,) = await changes_for((said, ()), memories=("Prefers tabs", "Lives in Berlin"))
    assert isinstance(change, Supersede)
    assert (change.replaces, change.text) == ("m_1", "Lives in Lisbon")
    assert change.quote in said


async def test_where_they_live_is_new_when_no_memory_says():
    (change,) = await changes_for(("I moved to Lisbon", ()), memories=("Prefers tabs",))
    assert isinstance(change, Add)
    assert change.text == "Lives in Lisbon"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I always use pnpm here", "Always uses pnpm here"),
        ("Please never push to main.", "Never pushes to main"),
        ("I prefer short answers", "Prefers short answers"),
        ("I'd rather have tea", "Would rather have tea"),
        ("I work at Acme now", "Works at Acme"),
    ],
)
async def test_lasting_words_are_added(said, text):
    (change,) = await changes_for((said, ()))
    assert isinstance(change, Add)
    assert change.text == text


@pytest.mark.parametrize("said", ["What is 2 + 2?", "It always fails", "I don't always do that"])
async def test_other_words_are_nothing(said):
    assert await changes_for((said, ())) == []


async def test_at_most_five():
    lasting = [(f"I always use tool {number}", ()) for number in range(9)]
    assert len(await changes_for(*lasting)) == 5


async def test_review_fail_fails_and_review_garble_is_unreadable():
    for words, kind in (("review-fail", "no_answer"), ("review-garble", "unreadable")):
        with pytest.raises(EngineFailed) as failed:
            await changes_for((f"I always use tabs. {words}", ()))
        assert failed.value.kind == kind
        assert failed.value.cost_usd == 0.0


def agent_with(calls: list[tuple[str, dict[str, Any]]], **outputs: str) -> Agent[None, str]:
    """An agent with the assistant's tools, which note how they are called."""
    agent = Agent(PracticeEngine().model())

    def noted(tool: str, **given: Any) -> str:
        calls.append((tool, given))
        return outputs.get(tool, "done")

    @agent.tool_plain
    def remember(content: str, kind: str = "fact") -> str:
        return noted("remember", content=content, kind=kind)

    @agent.tool_plain
    def recall(query: str) -> str:
        return noted("recall", query=query)

    @agent.tool_plain
    def forget(id: str) -> str:
        return noted("forget", id=id)

    @agent.tool_plain
    def run_command(command: str) -> str:
        return noted("run_command", command=command)

    @agent.tool_plain
    def fetch(url: str) -> str:
        return noted("fetch", url=url)

    return agent


@pytest.mark.parametrize(
    ("words", "content", "kind"),
    [
        ("Remember that I prefer tabs.", "Prefers tabs", "preference"),
        ("please remember that my sister is Ana", "Their sister is Ana", "fact"),
        ("remember: the gate has two keys", "The gate has two keys", "fact"),
        ("Remember I have two cats", "Has two cats", "fact"),
    ],
)
async def test_remember(words, content, kind):
    calls: list[tuple[str, dict[str, Any]]] = []
    reply = await agent_with(calls, remember="Saved: it").run(words)
    assert calls == [("remember", {"content": content, "kind": kind})]
    assert reply.output == "Saved: it"


async def test_recall_and_forget():
    calls: list[tuple[str, dict[str, Any]]] = []
    agent = agent_with(calls, recall="- [m_01ab] Lives in Lisbon", forget="Forgotten.")
    asked = await agent.run("What do you know about where I live?")
    assert "Lisbon" in asked.output
    gone = await agent.run("forget where I live")
    assert gone.output == "Forgotten."
    assert calls == [
        ("recall", {"query": "where I live"}),
        ("recall", {"query": "where I live"}),
        ("forget", {"id": "m_01ab"}),
    ]


async def test_runs_and_reads_what_it_is_told_to():
    calls: list[tuple[str, dict[str, Any]]] = []
    reply = await agent_with(calls, fetch="trains").run(
        "run `ls -l`, then read https://a.example/x."
    )
    assert calls == [
        ("run_command", {"command": "ls -l"}),
        ("fetch", {"url": "https://a.example/x"}),
    ]
    assert "trains" in reply.output


async def test_the_long_way_is_twelve_commands():
    calls: list[tuple[str, dict[str, Any]]] = []
    reply = await agent_with(calls).run("Make the report the long way")
    assert len(calls) == 12
    assert {tool for tool, _ in calls} == {"run_command"}
    assert "two of them false starts" in reply.output


async def test_without_tools_it_answers_and_says_it_is_a_script():
    reply = await Agent(PracticeEngine().model()).run("remember that I prefer tabs, the long way")
    assert "a script, no model" in reply.output


async def test_it_says_what_was_put_beside_the_words_and_keeps_the_block_out_of_them():
    block = "<conch-nearby>How they like things.\n- Prefers TypeScript\n</conch-nearby>"
    reply = await Agent(PracticeEngine().model()).run(f"{block}\n\nWrite a loop")
    assert "Kept in mind: Prefers TypeScript" in reply.output
    assert "You said: Write a loop" in reply.output


async def test_it_streams_and_stops():
    seen = 0
    async with Agent(PracticeEngine().model()).run_stream_events("count to 500") as run:
        try:
            async for event in run:
                seen += isinstance(event, PartDeltaEvent)
                if seen == 4:
                    run.cancel()
        except RunCancelled:
            pass
    assert 4 <= seen < 20


async def test_turn_fail_fails_the_turn():
    with pytest.raises(EngineFailed):
        await Agent(PracticeEngine().model()).run("turn-fail please")


async def test_streamed_tool_calls_are_the_same():
    calls: list[tuple[str, dict[str, Any]]] = []
    async with agent_with(calls).run_stream("remember that I prefer tabs") as run:
        await run.get_output()
        messages = run.all_messages()
    parts = [part for message in messages for part in message.parts]
    (call,) = [part for part in parts if isinstance(part, ToolCallPart)]
    assert call.args_as_dict() == calls[0][1]


async def test_a_summary_lists_what_was_asked():
    user = "<chat>\nPerson: Plan a trip\nAssistant: Sure.\nPerson: To Porto\n</chat>"
    completed = await PracticeEngine().complete(Ask("Summarise.", user, "summary"))
    assert completed.text == "The person asked for: Plan a trip; To Porto"


def test_nothing_outside_its_files_knows_its_phrases():
    from pathlib import Path

    import conch

    root = Path(conch.__file__).parent
    phrases = ("review-fail", "review-garble", "turn-fail", "the long way")
    for path in root.rglob("*.py"):
        if not path.name.startswith("practice"):
            text = path.read_text(encoding="utf-8")
            assert not [phrase for phrase in phrases if json.dumps(phrase)[1:-1] in text], path
