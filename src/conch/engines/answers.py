"""Finding the JSON in what a model said. Pure."""

from __future__ import annotations

import json
import re

from conch.home.json_values import read_json

_THOUGHT = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)
_PLACES_TRIED = 40


def json_in(text: str) -> str | None:
    """The JSON object or list in a model's answer, as it stands there; None when none is whole.

    A model's thinking before the answer is left out; a fence or prose around the JSON is no harm.
    Of several the longest counts, fenced ones first: an answer may quote a small example before.

    >>> json_in('Sure! ```json\\n{"changes": []}\\n```')
    '{"changes": []}'
    >>> json_in('{"changes": [') is None
    True
    """
    text = _THOUGHT.sub("", text, count=1).strip().lstrip("\ufeff")
    for where in (text, *_FENCE.findall(text)):
        if _is_json(where.strip()):
            return where.strip()
    found = [piece for fenced in _FENCE.findall(text) for piece in _pieces(fenced)]
    found = found or _pieces(text)
    return max(found, key=len, default=None)


def _pieces(text: str) -> list[str]:
    decoder = json.JSONDecoder()
    found: list[str] = []
    at = 0
    for _ in range(_PLACES_TRIED):
        start = min((i for i in (text.find("{", at), text.find("[", at)) if i >= 0), default=-1)
        if start < 0:
            break
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            at = start + 1
        else:
            found.append(text[start:end])
            at = end
    return found


def _is_json(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        read_json(text)
    except ValueError:
        return False
    return True
