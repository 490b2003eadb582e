"""What an answer costs, from the price list that comes with genai-prices; nothing is looked up.

What is not in the list has no known price. That is said (None), and where money is at stake it is
counted as dear.
"""

from __future__ import annotations

from functools import lru_cache

from conch.chats.events import Usage
from conch.engines.engine import Engine

DEAR_INPUT_USD = 10.0
DEAR_OUTPUT_USD = 50.0
"""What a million tokens of a model with no known price are counted as."""

_TOKENS_AROUND = 1_000
"""Tokens a provider may add of its own: the schema, the chat template."""


def price(engine: Engine, model: str, usage: Usage) -> float | None:
    """What `usage` of `model` cost, in US dollars: 0.0 for a plan or what nobody bills.

    None when the price list does not know the model.
    """
    if engine.billing != "metered":
        return 0.0
    return _listed(
        engine.priced_as,
        model or engine.default_model,
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    )


def worst_price(engine: Engine, model: str, input_chars: int, max_output_tokens: int) -> float:
    """The most one completion can cost, in US dollars; a price that isn't known counts as dear.

    A character is counted as a token, which holds for every script.
    """
    if engine.billing != "metered":
        return 0.0
    tokens = input_chars + _TOKENS_AROUND
    listed = _listed(
        engine.priced_as, model or engine.default_model, tokens, max_output_tokens, 0, 0
    )
    return listed if listed is not None else dear_price(tokens, max_output_tokens)


def dear_price(input_tokens: int, output_tokens: int) -> float:
    """What so many tokens are counted as when nobody knows their price, in US dollars."""
    return (input_tokens * DEAR_INPUT_USD + output_tokens * DEAR_OUTPUT_USD) / 1_000_000


def price_per_million(engine: Engine, model: str) -> tuple[float, float] | None:
    """US dollars for a million tokens in and out of a short request; None when not known."""
    if engine.billing != "metered":
        return 0.0, 0.0
    into = _listed(engine.priced_as, model, 1_000, 0, 0, 0)
    out = _listed(engine.priced_as, model, 0, 1_000, 0, 0)
    if into is None or out is None:
        return None
    return round(into * 1_000, 6), round(out * 1_000, 6)


def is_listed(priced_as: str, model: str) -> bool:
    """Whether the price list has this model of this provider."""
    return _known(priced_as, model) is not None


def listed_window(priced_as: str, model: str) -> int | None:
    """How many tokens the price list says `model` reads at once; None when it doesn't say."""
    known = _known(priced_as, model)
    return known[1] if known else None


def _listed(
    priced_as: str, model: str, input_tokens: int, output_tokens: int, read: int, written: int
) -> float | None:
    known = _known(priced_as, model)
    if known is None or not known[0]:
        return None
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(
        input_tokens=max(input_tokens, read + written),
        output_tokens=output_tokens,
        cache_read_tokens=read or None,
        cache_write_tokens=written or None,
    )
    try:
        return float(calc_price(tokens, model, provider_id=priced_as).total_price)
    except (LookupError, ValueError):
        return None


@lru_cache(maxsize=512)
def _known(priced_as: str, model: str) -> tuple[bool, int | None] | None:
    """Whether the list prices both words in and out of this model, and its window."""
    if not priced_as or not model:
        return None
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    try:
        found = calc_price(Tokens(input_tokens=1, output_tokens=1), model, provider_id=priced_as)
    except (LookupError, ValueError):
        return None
    rates = found.model_price
    priced = rates.input_mtok is not None and rates.output_mtok is not None
    return priced, found.model.context_window
