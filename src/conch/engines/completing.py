"""One short answer from a model: asked once, within its time, read tolerantly, always priced."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from conch.chats.events import Usage
from conch.engines.answers import json_in
from conch.engines.engine import Ask, Completed, Engine, EngineFailed
from conch.engines.failures import failure_of, is_too_long
from conch.engines.prices import price

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters


class TokenCounts(Protocol):
    """What pydantic-ai counts, for a request or a run."""

    @property
    def input_tokens(self) -> int: ...
    @property
    def output_tokens(self) -> int: ...
    @property
    def cache_read_tokens(self) -> int: ...
    @property
    def cache_write_tokens(self) -> int: ...


def usage_of(counted: TokenCounts) -> Usage:
    """pydantic-ai's count as ours."""
    return Usage(
        input_tokens=counted.input_tokens or 0,
        output_tokens=counted.output_tokens or 0,
        cache_read_tokens=counted.cache_read_tokens or 0,
        cache_write_tokens=counted.cache_write_tokens or 0,
    )


async def complete_with(
    engine: Engine, model: Model, model_name: str, ask: Ask, prompted: set[str]
) -> Completed:
    """`ask` answered by `model` of `engine`, in one request.

    `prompted` holds the models that take no JSON schema on the wire: they are told it in words. A
    server that turns a schema down is added to it and asked in words at once; that refusal is not
    an answer and costs nothing. Nothing else is asked twice.
    Raises EngineFailed; what the failed call cost is on it.
    """
    try:
        async with asyncio.timeout(ask.timeout_s):
            response = await _ask(model, model_name, ask, prompted)
    except Exception as error:
        failed = failure_of(error, engine.name, model_name)
        if engine.billing != "metered":
            failed.cost_usd = 0.0
        raise failed from None
    usage = usage_of(response.usage)
    cost = price(engine, model_name, usage)
    counted = usage.input_tokens or usage.output_tokens
    if cost is not None and engine.billing == "metered" and not counted:
        cost = None  # It was billed, and the provider did not say for what.
    text = response.text or ""
    paid: dict[str, Any] = {
        "usage": usage,
        "model": model_name,
        "cost_usd": cost,
        "before_any_answer": not text,
    }
    if response.finish_reason == "content_filter":
        raise EngineFailed("refused", f"{engine.name} would not answer this.", **paid)
    if ask.schema is None:
        if not text.strip():
            raise EngineFailed("no_answer", f"{engine.name} answered nothing.", **paid)
        return Completed(text, None, model_name, usage, cost)
    found = json_in(text)
    if found is None:
        why = " It was cut off." if response.finish_reason == "length" else ""
        raise EngineFailed(
            "unreadable", f"{engine.name} did not answer in the shape asked for.{why}", **paid
        )
    try:
        parsed = ask.schema.model_validate_json(found)
    except ValueError:
        parsed = None
    return Completed(found, parsed, model_name, usage, cost)


async def _ask(model: Model, model_name: str, ask: Ask, prompted: set[str]) -> ModelResponse:
    from pydantic_ai.exceptions import (
        ModelAuthenticationError,
        ModelNotFoundError,
        ModelRequestRejectedError,
    )

    native = bool(model.profile.get("supports_json_schema_output")) and model_name not in prompted
    try:
        return await _request(model, ask, native)
    except (ModelAuthenticationError, ModelNotFoundError):
        raise
    except ModelRequestRejectedError as rejected:
        if ask.schema is None or not native or is_too_long(rejected):
            raise
        prompted.add(model_name)
        return await _request(model, ask, native=False)


async def _request(model: Model, ask: Ask, native: bool) -> ModelResponse:
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest, UserPromptPart
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(
        max_tokens=ask.max_tokens,
        timeout=ask.timeout_s,
        max_retries=0,
        cache=False,
        thinking=False,
    )
    return await model_request(
        model,
        [ModelRequest(parts=[UserPromptPart(content=ask.user)], instructions=ask.system)],
        model_settings=settings,
        model_request_parameters=_parameters(ask, native),
    )


def _parameters(ask: Ask, native: bool) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if ask.schema is None:
        return ModelRequestParameters()
    asked_for = OutputObjectDefinition(
        json_schema=ask.schema.model_json_schema(), name=ask.schema.__name__
    )
    return ModelRequestParameters(
        output_mode="native" if native else "prompted", output_object=asked_for
    )
