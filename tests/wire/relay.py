"""The practice script behind the wire: a request of a true client, answered as the script would.

So every learning test that plays with the practice engine can also be played through the true
clients: bodies, streams, tool calls and usage go over HTTP in the provider's own format.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from conch.engines.engine import EngineFailed
from conch.engines.practice import PracticeEngine
from wire.answers import Answer, broken
from wire.server import Request

Block = dict[str, Any]


def practised(request: Request) -> Answer:
    """What the practice script says to this request; its failures as the provider's errors."""
    read: Callable[[Block], tuple[str, list[ModelMessage], list[str]]] = {
        "openai": _openai,
        "anthropic": _anthropic,
        "google": _google,
    }[request.wire]
    instructions, messages, tools = read(request.body)
    for message in messages:
        if isinstance(message, ModelRequest):
            message.instructions = instructions
    parameters = ModelRequestParameters(
        function_tools=[ToolDefinition(name=name, parameters_json_schema={}) for name in tools]
    )
    model = PracticeEngine().model()
    try:
        response = asyncio.run(model.request(messages, None, parameters))
    except EngineFailed:
        return broken()
    calls = [
        (part.tool_name, part.args_as_dict())
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    return Answer(text=response.text or "", tools=calls)


def _openai(body: Block) -> tuple[str, list[ModelMessage], list[str]]:
    instructions: list[str] = []
    messages: list[ModelMessage] = []
    names: dict[str, str] = {}
    for message in body["messages"]:
        words = _words(message.get("content"))
        match message["role"]:
            case "system" | "developer":
                instructions.append(words)
            case "user":
                messages.append(_said(words))
            case "tool":
                id = message["tool_call_id"]
                messages.append(_gave(names.get(id, ""), words, id))
            case _:
                asked = message.get("tool_calls") or []
                names |= {call["id"]: call["function"]["name"] for call in asked}
                messages.append(_answered(words, names.values() if asked else ()))
    tools = [tool["function"]["name"] for tool in body.get("tools") or []]
    return "\n\n".join(instructions), messages, tools


def _anthropic(body: Block) -> tuple[str, list[ModelMessage], list[str]]:
    messages: list[ModelMessage] = []
    names: dict[str, str] = {}
    for message in body["messages"]:
        content = message["content"]
        blocks: list[Block] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        )
        words = _words(blocks)
        if message["role"] == "assistant":
            asked = {block["id"]: block["name"] for block in blocks if block["type"] == "tool_use"}
            names |= asked
            messages.append(_answered(words, asked.values()))
            continue
        for block in blocks:
            if block["type"] == "tool_result":
                id = block["tool_use_id"]
                messages.append(_gave(names.get(id, ""), _words(block["content"]), id))
        if words:
            messages.append(_said(words))
    tools = [tool["name"] for tool in body.get("tools") or []]
    return _words(body.get("system")), messages, tools


def _google(body: Block) -> tuple[str, list[ModelMessage], list[str]]:
    messages: list[ModelMessage] = []
    for message in body["contents"]:
        parts = message["parts"]
        words = _words(parts)
        if message.get("role") == "model":
            asked = [part["functionCall"]["name"] for part in parts if "functionCall" in part]
            messages.append(_answered(words, asked))
            continue
        for part in parts:
            if "functionResponse" in part:
                given = part["functionResponse"]
                messages.append(_gave(given["name"], _returned(given["response"]), given["name"]))
        if words:
            messages.append(_said(words))
    system = body.get("systemInstruction") or body.get("system_instruction") or {}
    declared = [tool.get("functionDeclarations") or [] for tool in body.get("tools") or []]
    tools = [function["name"] for functions in declared for function in functions]
    return _words(system.get("parts")), messages, tools


def _words(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(block["text"] for block in content if isinstance(block.get("text"), str))


def _returned(response: Any) -> str:
    """Google's tool answers are objects; pydantic-ai puts text under one key."""
    if isinstance(response, dict) and len(response) == 1:
        (response,) = response.values()
    return response if isinstance(response, str) else json.dumps(response)


def _said(words: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(content=words)])


def _gave(tool: str, words: str, id: str) -> ModelRequest:
    return ModelRequest(parts=[ToolReturnPart(tool_name=tool, content=words, tool_call_id=id)])


def _answered(words: str, asked: Iterable[str]) -> ModelResponse:
    said = [TextPart(content=words)] if words else []
    return ModelResponse(parts=[*said, *(ToolCallPart(tool_name=name) for name in asked)])
