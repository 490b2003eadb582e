"""Text shaped like an attack: orders to an assistant, hiding, carrying off, dangerous shell.

What an attack looks like is `scan_rules.toml`. Many attacks look like nothing: what a chat read
from outside is told by its taints, and the scan only adds to that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import tomli

from conch.guard.characters import hidden_characters
from conch.guard.secret_words import folded
from conch.guard.seen import seen

Level = Literal["warning", "danger"]

_SMUGGLING = {"hidden:tag", "hidden:direction", "hidden:selector"}
_LONG_RUN = re.compile(r"[A-Za-z0-9+/=]{400,}")


@dataclass(frozen=True)
class ScanFinding:
    """`text[start:end]` is what `sentence` says; `code` is stable, for tables and tests."""

    level: Level
    code: str
    sentence: str
    start: int
    end: int


@dataclass(frozen=True)
class _Rule:
    level: Level
    code: str
    sentence: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def scan_text(text: str) -> list[ScanFinding]:
    """What in `text` is shaped like an attack, in order; one finding a rule at most.

    Danger is what no ordinary text of a skill or a memory holds; a warning is worth a look.
    """
    found = [_smuggled(text)] if not text.isascii() else []
    shown = seen(text)
    low = folded(shown.text)
    for rule in _rules():
        if any(hint in low for hint in rule.hints):
            match = rule.pattern.search(low)
            if match:
                place = shown.finding(*match.span(), rule.code)
                found.append(
                    ScanFinding(rule.level, rule.code, rule.sentence, place.start, place.end)
                )
    run = _LONG_RUN.search(text)
    if run:
        sentence = "It has a long stretch that only a program can read."
        found.append(ScanFinding("warning", "long_run", sentence, *run.span()))
    return sorted((one for one in found if one), key=lambda one: (one.start, one.end, one.code))


def _smuggled(text: str) -> ScanFinding | None:
    hidden = hidden_characters(text)
    if not hidden:
        return None
    smuggling = next((finding for finding in hidden if finding.kind in _SMUGGLING), None)
    first = smuggling or hidden[0]
    sentence = "It has characters that nobody can see."
    return ScanFinding(
        "danger" if smuggling else "warning", "hidden", sentence, first.start, first.end
    )


@cache
def _rules() -> tuple[_Rule, ...]:
    text = files("conch.guard").joinpath("scan_rules.toml").read_text(encoding="utf-8")
    return tuple(
        _Rule(level, code, sentence, tuple(hints.split("|")), re.compile(pattern))
        for level, code, sentence, hints, pattern in tomli.loads(text)["rules"]
    )
