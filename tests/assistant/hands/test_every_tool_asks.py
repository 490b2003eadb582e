"""No tool does anything before the one decision let it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from conch.assistant.tools import StepOutput, StepTool, TurnContext, tools_for
from conch.guard.steps import decide

NO = "Refused by the decision."


class Untouched:
    """Fails as soon as anything of it is used."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} was reached before the decision")


def turn_tools(worker, may):
    log = worker.conch.chats.log(worker.chat)
    steps = worker.conch.hands.for_turn(worker.chat, log).tools(lean=False)

    async def anything(given):
        raise AssertionError("a step of another room ran before the decision")

    steps.append(StepTool("mcp__app__do", "An app's tool.", {"type": "object"}, anything))
    context = TurnContext(
        worker.chat, worker.conch.learning, worker.conch.memories, may, lambda *_: None
    )
    tools = tools_for(context, steps, lean=False)
    untouched: Any = Untouched()
    context.learning = untouched
    return tools


def given_for(tool):
    properties = tool.function_schema.json_schema.get("properties", {})
    values = {"string": "x", "integer": 1, "array": []}
    given = {name: values.get(one.get("type"), "fact") for name, one in properties.items()}
    return given | ({"kind": "fact"} if "kind" in given else {})


class Call:
    tool_call_id = "c1"


async def test_a_tool_that_does_not_ask_fails_this_test(worker):
    asked = []

    async def refuse(step, call, summary):
        asked.append(step.tool)
        return NO

    memory = worker.conch.learning.add_own("Likes tea.")
    tools = turn_tools(worker, refuse)
    for tool in tools:
        given = given_for(tool)
        if tool.name == "forget":
            given = {"id": memory.id}
        function: Any = tool.function
        told = await (function(Call(), **given) if tool.takes_ctx else function(**given))
        assert "nothing was forgotten" in told or told == NO, tool.name
    assert asked == [tool.name for tool in tools]
    assert [one.text for one in worker.conch.memories.usable()] == ["Likes tea."]


async def test_every_tool_a_turn_sends_is_made_here(worker, monkeypatch):
    """The engine of a turn is given `tools_for`'s tools and no other."""
    import conch.assistant.preparing as preparing

    seen = []

    def counting(context, steps, *, lean):
        tools = tools_for(context, steps, lean=lean)
        seen.extend(tool.name for tool in tools)
        return tools

    sent = []

    class Seeing(type(worker.conch.engines.default())):
        def model(self, name=""):
            from pydantic_ai.models.function import FunctionModel

            async def stream(messages, info):
                sent.extend(tool.name for tool in info.function_tools)
                yield "Done."

            return FunctionModel(stream_function=stream)

    monkeypatch.setattr(preparing, "tools_for", counting)
    worker.conch.assistant.answered_by = Seeing()
    async for _ in worker.conch.assistant.turn(worker.chat, "Hello", with_hands=True):
        pass
    assert sorted(sent) == sorted(seen)
    assert "run_command" in sent


async def test_without_a_door_that_hands_them_over_there_are_no_hands(worker):
    took = await worker.does(("run_command", {"command": "echo x"}), allow=True, with_hands=False)
    assert not took.asked
    assert not any("x\n" in told for told in took.told)


def test_the_decision_takes_values_only():
    assert list(inspect.signature(decide).parameters) == ["step", "around"]


@pytest.mark.parametrize("lean", [True, False])
def test_a_lean_model_gets_few(worker, lean):
    log = worker.conch.chats.log(worker.chat)
    tools = worker.conch.hands.for_turn(worker.chat, log).tools(lean=lean)
    assert len(tools) == (3 if lean else 8)


async def test_what_a_step_cannot_do_is_told_to_the_engine(worker):
    took = await worker.does(("read_file", {"path": "not-there.txt"}))
    assert took.told == ["There is no not-there.txt. List the folder to see what there is."]


def test_a_step_output_says_it_went_well_unless_told():
    assert StepOutput("x").ok
