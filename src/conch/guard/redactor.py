"""Hides secrets in anything that is logged, shown, stored or sent: the ones Conch holds, exactly,
and whatever looks like one."""

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


class Redactor:
    """Replaces secrets with `MASK`. Redacting twice changes nothing more.

    `values` are secrets Conch holds (keys, vault values): each is hidden wherever it stands as it
    is, URL-encoded, JSON- or HTML-escaped, in hexadecimal or base64 (also inside a longer base64
    run), and broken over lines or by spaces. Values shorter than four characters are ignored,
    since hiding them would hide ordinary text; short ones are hidden as whole words only.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Hide `value` from now on; too short or blank ones are ignored."""
        value = value.strip()
        if len(value) >= _SHORTEST and value not in self._values and set(value) != {"•"}:
            self._values[value] = None
            self._pattern = None

    def redact(self, text: str) -> str:
        """`text` with known values and everything that looks like a secret hidden."""
        text = self.redact_known(text)
        found = find_secrets(text)
        for finding in reversed(found):
            if text[finding.start : finding.end] != MASK:
                text = text[: finding.start] + MASK + text[finding.end :]
        return text

    def redact_known(self, text: str) -> str:
        """`text` with the known values hidden, and nothing else."""
        if not self._values:
            return text
        if self._pattern is None:
            self._pattern = _pattern(self._values)
        return self._pattern.sub(MASK, text)


def _pattern(values: Iterable[str]) -> re.Pattern[str]:
    forms: set[str] = set()
    for value in values:
        forms.update(_forms(value))
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(ordered))


def _forms(value: str) -> set[str]:
    """Regular expressions for every form in which `value` may stand in a text."""
    if len(value) < 8:
        spaced = re.escape(value)
        return {rf"(?<!\w){spaced}(?!\w)" if re.match(r"\w.*\w$", value) else spaced}
    forms = {r"\s*".join(re.escape(character) for character in "".join(value.split()))}
    written = {
        quote(value, safe=""),
        quote(value),
        quote_plus(value),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        html.escape(value),
        value.encode().hex(),
        value.encode().hex().upper(),
    }
    forms |= {re.escape(form) for form in written - {value}}
    forms |= {re.escape(form) for form in _base64_cores(value.encode())}
    return forms


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
