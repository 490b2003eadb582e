"""Hides secrets in anything that is logged, shown, stored or sent.

Two kinds are hidden: the ones Conch holds, exactly, in whatever form they stand; and whatever looks
like a secret.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from conch.guard.secrets import find_secrets

MASK = "•••"

_SHORTEST = 4
_WHOLE_WORD_BELOW = 8
_MOST_PASSES = 6
_BETWEEN = re.compile(r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+")
_REST_OF_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{0,3}={0,2}(?![A-Za-z0-9+/_=-])")


class Redactor:
    """Replaces secrets with `MASK`. Redacting twice changes nothing more.

    `values` are secrets Conch holds (keys, vault values): each is hidden wherever it stands as it
    is, URL-encoded, JSON- or HTML-escaped, in hexadecimal or base64 (also inside a longer run), and
    with blanks, line breaks or hidden characters put in between. Values shorter than four
    characters are ignored, since hiding them would hide ordinary text; those shorter than eight are
    hidden as whole words only.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: dict[str, None] = {}
        self._forms: tuple[_Form, ...] | None = None
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Hide `value` from now on; too short or blank ones are ignored."""
        value = value.strip()
        if len(value) >= _SHORTEST and value not in self._values and "•" not in value:
            self._values[value] = None
            self._forms = None

    def redact(self, text: str) -> str:
        """`text` with known values and everything that looks like a secret hidden."""
        for _ in range(_MOST_PASSES):  # what is hidden can bring the next value beside its name
            known = self.redact_known(text)
            hidden = _masked(known, [(one.start, one.end) for one in find_secrets(known)])
            if hidden == text:
                break
            text = hidden
        return text

    def redact_known(self, text: str) -> str:
        """`text` with the known values hidden, and nothing else."""
        if not self._values or not text:
            return text
        if self._forms is None:
            self._forms = tuple(form for value in tuple(self._values) for form in _forms(value))
        for _ in range(_MOST_PASSES):
            hidden = _masked(text, _known(text, self._forms))
            if hidden == text:
                break
            text = hidden
        return text


class _Form:
    """One way a value may be written: `text` with blanks taken out, and how it is looked for."""

    __slots__ = ("base64", "text", "whole_word")

    def __init__(self, text: str, *, whole_word: bool = False, base64: bool = False) -> None:
        self.text = text
        self.whole_word = whole_word
        self.base64 = base64


def _known(text: str, forms: Iterable[_Form]) -> list[tuple[int, int]]:
    compact, places = _without_blanks(text)
    spans: list[tuple[int, int]] = []
    for form in forms:
        at = compact.find(form.text)
        while at >= 0:
            last = at + len(form.text) - 1
            start, end = places[at], places[last] + 1
            if not form.whole_word or _stands_alone(text, start, end):
                if form.base64:
                    rest = _REST_OF_BASE64.match(text, end)
                    end = rest.end() if rest else end
                spans.append((start, end))
            at = compact.find(form.text, at + 1)
    return spans


def _without_blanks(text: str) -> tuple[str, range | list[int]]:
    """`text` without blanks and hidden characters, and where each letter left stood."""
    if not _BETWEEN.search(text):
        return text, range(len(text))
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for gap in _BETWEEN.finditer(text):
        parts.append(text[last : gap.start()])
        places.extend(range(last, gap.start()))
        last = gap.end()
    parts.append(text[last:])
    places.extend(range(last, len(text)))
    return "".join(parts), places


def _stands_alone(text: str, start: int, end: int) -> bool:
    if _BETWEEN.search(text, start, end):
        return False
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` with the spans, joined where they overlap, each replaced by one mask."""
    if not spans:
        return text
    joined: list[list[int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        elif start < end:
            joined.append([start, end])
    parts: list[str] = []
    last = 0
    for start, end in joined:
        parts += [text[last:start], MASK]
        last = end
    parts.append(text[last:])
    return "".join(parts)


def _forms(value: str) -> list[_Form]:
    """Every form in which `value` may stand in a text."""
    if len(value) < _WHOLE_WORD_BELOW:
        return [_Form(_BETWEEN.sub("", value), whole_word=True)]
    raw = value.encode("utf-8", "surrogatepass")
    quoted = {quote(value, safe="", errors="replace"), quote(value, errors="replace")}
    quoted |= {quote_plus(value, errors="replace")}
    quoted |= {re.sub("%[0-9A-F]{2}", lambda code: code.group().lower(), one) for one in quoted}
    escaped = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    escaped |= {html.escape(value), html.escape(value, quote=False)}
    written = {value, raw.hex(), raw.hex().upper(), *quoted, *escaped}
    forms = {_BETWEEN.sub("", form) for form in written}
    return [_Form(form) for form in sorted(forms) if form] + [
        _Form(core, base64=True) for core in sorted(_base64_cores(raw))
    ]


def _base64_cores(raw: bytes) -> set[str]:
    """The part of `raw`'s base64 that is the same whatever stands around it, at each alignment."""
    cores: set[str] = set()
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + raw).decode()
        first = (shift * 8 + 5) // 6
        last = (shift + len(raw)) * 8 // 6
        core = encoded[first:last]
        if len(core) >= 8:
            cores |= {core, core.replace("+", "-").replace("/", "_")}
    return cores
