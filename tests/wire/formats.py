"""The wire formats, as the providers document them: an `Answer` as bodies and stream events.

OpenAI: platform.openai.com/docs/api-reference/chat. Anthropic: docs.claude.com/en/api/messages.
Google: ai.google.dev/api/generate-content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from wire.answers import Answer

_CREATED = 1_790_000_000


def event(data: Any, name: str = "") -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def openai_body(answer: Answer, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.tools:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(given)},
            }
            for number, (name, given) in enumerate(answer.tools)
        ]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": "tool_calls" if answer.tools else answer.finish,
    }
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": _CREATED,
        "model": model,
        "choices": [choice],
        **({"usage": _openai_usage(answer)} if answer.counts else {}),
    }


def openai_stream(answer: Answer, model: str, with_usage: bool) -> Iterator[bytes]:
    def chunk(delta: dict[str, Any] | None, finish: str | None = None) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        data: dict[str, Any] = {
            "id": "chatcmpl-stub",
            "object": "chat.completion.chunk",
            "created": _CREATED,
            "model": model,
            "choices": choices,
        }
        if delta is None:
            data["usage"] = _openai_usage(answer)
        return event(data)

    yield chunk({"role": "assistant", "content": ""})
    for piece in answer.pieces():
        yield chunk({"content": piece})
    for number, (name, given) in enumerate(answer.tools):
        start = {"name": name, "arguments": ""}
        yield chunk(
            {
                "tool_calls": [
                    {
                        "index": number,
                        "id": f"call_{number}",
                        "type": "function",
                        "function": start,
                    }
                ]
            }
        )
        arguments = json.dumps(given)
        for at in range(0, len(arguments), 8):
            part = {"arguments": arguments[at : at + 8]}
            yield chunk({"tool_calls": [{"index": number, "function": part}]})
    yield chunk({}, "tool_calls" if answer.tools else answer.finish)
    if with_usage and answer.counts:
        yield chunk(None)
    yield event("[DONE]")


def openai_error(answer: Answer) -> dict[str, Any]:
    kind = "insufficient_quota" if answer.error == "insufficient_quota" else "invalid_request_error"
    return {"error": {"message": answer.message, "type": kind, "param": None, "code": answer.error}}


def _openai_usage(answer: Answer) -> dict[str, Any]:
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
        "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


_ANTHROPIC_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def anthropic_body(answer: Answer, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}
        for number, (name, given) in enumerate(answer.tools)
    ]
    return {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if answer.tools else _ANTHROPIC_STOPS[answer.finish],
        "stop_sequence": None,
        "usage": _anthropic_usage(answer, answer.output_tokens),
    }


def anthropic_stream(answer: Answer, model: str) -> Iterator[bytes]:
    def told(data: dict[str, Any]) -> bytes:
        return event(data, data["type"])

    message = {**anthropic_body(answer, model), "content": [], "stop_reason": None}
    message["usage"] = _anthropic_usage(answer, 1)
    yield told({"type": "message_start", "message": message})
    index = 0
    if answer.text:
        block: dict[str, Any] = {"type": "text", "text": ""}
        yield told({"type": "content_block_start", "index": index, "content_block": block})
        yield told({"type": "ping"})
        for piece in answer.pieces():
            delta = {"type": "text_delta", "text": piece}
            yield told({"type": "content_block_delta", "index": index, "delta": delta})
        yield told({"type": "content_block_stop", "index": index})
        index += 1
    for number, (name, given) in enumerate(answer.tools):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        yield told({"type": "content_block_start", "index": index, "content_block": block})
        arguments = json.dumps(given)
        for at in range(0, len(arguments), 8):
            delta = {"type": "input_json_delta", "partial_json": arguments[at : at + 8]}
            yield told({"type": "content_block_delta", "index": index, "delta": delta})
        yield told({"type": "content_block_stop", "index": index})
        index += 1
    stop = "tool_use" if answer.tools else _ANTHROPIC_STOPS[answer.finish]
    yield told(
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": answer.output_tokens},
        }
    )
    yield told({"type": "message_stop"})


def anthropic_error(answer: Answer) -> dict[str, Any]:
    kind = _ANTHROPIC_ERRORS.get(answer.status, "api_error")
    if answer.error == "insufficient_quota":
        kind = "billing_error"
    error = {"type": kind, "message": answer.message}
    return {"type": "error", "error": error, "request_id": "req_stub"}


def _anthropic_usage(answer: Answer, output: int) -> dict[str, Any]:
    """Anthropic's `input_tokens` leave out what was read from the cache."""
    return {
        "input_tokens": answer.input_tokens - answer.cached_tokens,
        "output_tokens": output,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": answer.cached_tokens,
    }


_GOOGLE_STOPS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_GOOGLE_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def google_body(answer: Answer, model: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": answer.text}] if answer.text else []
    parts += [{"functionCall": {"name": name, "args": given}} for name, given in answer.tools]
    return _google_piece(answer, model, parts, _GOOGLE_STOPS[answer.finish])


def google_stream(answer: Answer, model: str) -> Iterator[bytes]:
    for piece in answer.pieces():
        yield event(_google_piece(answer, model, [{"text": piece}], None))
    calls = [{"functionCall": {"name": name, "args": given}} for name, given in answer.tools]
    last = _google_piece(answer, model, calls or [{"text": ""}], _GOOGLE_STOPS[answer.finish])
    yield event(last)


def google_error(answer: Answer) -> dict[str, Any]:
    status = _GOOGLE_STATUSES.get(answer.status, "INTERNAL")
    return {"error": {"code": answer.status, "message": answer.message, "status": status}}


def _google_piece(
    answer: Answer, model: str, parts: list[dict[str, Any]], finish: str | None
) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    piece: dict[str, Any] = {
        "candidates": [candidate],
        "modelVersion": model,
        "responseId": "stub",
    }
    if answer.counts:
        piece["usageMetadata"] = {
            "promptTokenCount": answer.input_tokens,
            "candidatesTokenCount": answer.output_tokens,
            "totalTokenCount": answer.input_tokens + answer.output_tokens,
            "cachedContentTokenCount": answer.cached_tokens,
        }
    return piece
