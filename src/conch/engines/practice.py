"""The practice engine: scripted answers on the real path, for a first look, tours and tests.

It is no model. It streams, calls tools, reviews from the review's own frame and fails when asked
to, through the same pydantic-ai face as a provider. All its phrases stand in this file and
`practice_review.py`; nothing else knows them.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from conch.engines.completing import complete_with
from conch.engines.engine import Ask, Billing, Completed, EngineFailed
from conch.engines.practice_draft import draft, is_work
from conch.engines.practice_hands import Answer, Call, long_way, run_or_read
from conch.engines.practice_review import is_review, review
from conch.words.tokens import content_tokens

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart
    from pydantic_ai.models import Model
    from pydantic_ai.models.function import AgentInfo, DeltaToolCall
    from pydantic_ai.tools import ToolDefinition

PRACTICE = "practice"
PRACTICE_MODEL = "practice-script"
_WINDOW = 200_000
_PACE_SECONDS = 0.03

_KNOWN = "# What you know about the person"
_NEARBY = re.compile(r"<conch-nearby>(.*?)</conch-nearby>\s*", re.DOTALL)
_REMEMBER = re.compile(
    r"(?<!\byou )\b(?:please )?remember:? (?:that )?(?P<what>.+)", re.IGNORECASE | re.DOTALL
)
_RECALL = re.compile(
    r"\b(?:what (?:do|did) you (?:know|remember|have)|(?:do|did) you (?:still )?remember)\b"
    r"(?: of| about)?\s*(?P<what>.*)",
    re.IGNORECASE | re.DOTALL,
)
_FORGET = re.compile(r"^\s*(?:please )?forget (?:that |about )?(?P<what>.+)", re.IGNORECASE)
_COUNT = re.compile(r"\bcount (?:slowly )?to (?P<what>\d{1,4})\b", re.IGNORECASE)
_SKILL = re.compile(r"\A\s*<skill name=.*?</skill>\n[^\n]*\n", re.DOTALL)
_FAIL = re.compile(r"\bturn-fail\b", re.IGNORECASE)


class PracticeEngine:
    """The scripted engine. It costs nothing, and nothing leaves this computer."""

    id = PRACTICE
    name = "Practice engine"
    billing: Billing = "free"
    local = True
    default_model = PRACTICE_MODEL
    cheapest_model = PRACTICE_MODEL
    priced_as = ""

    def model(self, name: str = "") -> Model:
        from pydantic_ai.models.function import FunctionModel

        return FunctionModel(
            _respond, stream_function=_stream, model_name=name or self.default_model
        )

    def window(self, model: str = "") -> int:
        return _WINDOW

    async def complete(self, ask: Ask) -> Completed:
        name = ask.model or self.default_model
        return await complete_with(self, self.model(name), name, ask, set())


async def _respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

    move = _next_move(messages, info.function_tools)
    if isinstance(move, Call):
        return ModelResponse(parts=[ToolCallPart(tool_name=move.tool, args=move.given)])
    return ModelResponse(parts=[TextPart(content=move.text)])


async def _stream(
    messages: list[ModelMessage], info: AgentInfo
) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
    from pydantic_ai.models.function import DeltaToolCall

    move = _next_move(messages, info.function_tools)
    if isinstance(move, Call):
        yield {0: DeltaToolCall(name=move.tool, json_args=json.dumps(move.given))}
        return
    for word in re.findall(r"\S+\s*|\s+", move.text):
        await asyncio.sleep(move.pause_s)
        yield word


def _next_move(messages: Sequence[ModelMessage], tools: Sequence[ToolDefinition]) -> Call | Answer:
    """What the script does next: the person's last words and the steps since decide."""
    words, results = _last_words(messages)
    if is_review(words):
        return Answer(review(words))
    if is_work(words):
        return Answer(draft(words))
    if words.startswith("<chat>"):
        return Answer(_summary(words))
    given_nearby = _NEARBY.findall(words)
    said = _SKILL.sub("", _NEARBY.sub("", words)).strip()
    if _FAIL.search(said):
        raise EngineFailed("no_answer", "The practice engine fails here, as its script says.")
    for moves in (long_way, run_or_read, _forget, _remember, _recall, _count):
        move = moves(said, results, tools)
        if move is not None:
            return move
    return Answer(_echo(said, [*given_nearby, _known(messages, said)]))


def _last_words(messages: Sequence[ModelMessage]) -> tuple[str, list[ToolReturnPart]]:
    """The person's last message, and what the tools called since gave back."""
    from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart

    words = ""
    results: list[ToolReturnPart] = []
    for message in messages:
        if not isinstance(message, ModelRequest):
            continue
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                content = part.content
                words = (
                    content
                    if isinstance(content, str)
                    else " ".join(item for item in content if isinstance(item, str))
                )
                results = []
            elif isinstance(part, ToolReturnPart):
                results.append(part)
    return words, results


def _known(messages: Sequence[ModelMessage], said: str) -> str:
    """Three preferences of what the system prompt tells of the person, those about `said` first."""
    prompts = [getattr(message, "instructions", None) or "" for message in messages]
    _, found, known = (prompts[-1] if prompts else "").partition(_KNOWN)
    preferences = re.findall(r"^- .*\b(?:prefer|always|never|like|love)\w*.*$", known, re.M | re.I)
    asked = set(content_tokens(said))
    preferences.sort(key=lambda line: -len(asked.intersection(content_tokens(line))))
    return "\n".join(preferences[:3]) if found else ""


def _tool(tools: Sequence[ToolDefinition], *names: str) -> ToolDefinition | None:
    return next((tool for tool in tools if tool.name in names), None)


def _remember(
    said: str, results: Sequence[ToolReturnPart], tools: Sequence[ToolDefinition]
) -> Call | Answer | None:
    found = _REMEMBER.search(said)
    if found is None or _RECALL.search(said) or _tool(tools, "remember") is None:
        return None
    if results:
        return Answer(str(results[-1].content))
    text, kind = _third_person(found["what"])
    return Call("remember", {"content": text, "kind": kind})


def _recall(
    said: str, results: Sequence[ToolReturnPart], tools: Sequence[ToolDefinition]
) -> Call | Answer | None:
    found = _RECALL.search(said)
    if found is None or _tool(tools, "recall") is None:
        return None
    if results:
        return Answer(str(results[-1].content))
    return Call("recall", {"query": found["what"].strip(" ?.!") or said})


def _forget(
    said: str, results: Sequence[ToolReturnPart], tools: Sequence[ToolDefinition]
) -> Call | Answer | None:
    found = _FORGET.search(said)
    if found is None or _tool(tools, "forget") is None or _tool(tools, "recall") is None:
        return None
    if not results:
        return Call("recall", {"query": found["what"].strip(" ?.!")})
    if len(results) == 1:
        listed = re.search(r"\[(m_\w+)\]", str(results[0].content))
        if listed:
            return Call("forget", {"id": listed[1]})
    return Answer(str(results[-1].content))


def _count(
    said: str, results: Sequence[ToolReturnPart], tools: Sequence[ToolDefinition]
) -> Answer | None:
    found = _COUNT.search(said)
    if found is None:
        return None
    numbers = " ".join(str(number) for number in range(1, int(found["what"]) + 1))
    return Answer(numbers, pause_s=_PACE_SECONDS)


def _echo(said: str, nearby: Sequence[str]) -> str:
    lines = [line for block in nearby for line in block.strip().splitlines() if "- " in line]
    given = "".join(f"\nKept in mind: {line.split('- ', 1)[1].strip()}" for line in lines)
    shown = said if len(said) <= 200 else f"{said[:200]}…"
    return f"(Practice engine: a script, no model.) You said: {shown}{given}"


def _summary(words: str) -> str:
    asked = re.findall(r"^Person: (.+)$", words, re.MULTILINE)
    return "The person asked for: " + "; ".join(line[:120] for line in asked[-10:])


_THIRD_PERSON = (
    (re.compile(r"^I (?:am|'m) ", re.IGNORECASE), "Is ", "fact"),
    (re.compile(r"^I have ", re.IGNORECASE), "Has ", "fact"),
    (re.compile(r"^I (prefer|like|love|hate|use|want) ", re.IGNORECASE), None, "preference"),
    (re.compile(r"^I ([a-z]+) ", re.IGNORECASE), None, "fact"),
    (re.compile(r"^my ", re.IGNORECASE), "Their ", "fact"),
)


def _third_person(what: str) -> tuple[str, str]:
    """ "I prefer tabs" as "Prefers tabs", and the kind of memory it is."""
    what = " ".join(what.replace("’", "'").strip().rstrip(".!").split())
    for pattern, instead, kind in _THIRD_PERSON:
        found = pattern.match(what)
        if found is None:
            continue
        start = instead or f"{_with_s(found[1]).capitalize()} "
        return start + what[found.end() :], kind
    return what[:1].upper() + what[1:], "fact"


def _with_s(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
