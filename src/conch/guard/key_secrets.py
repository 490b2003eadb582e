"""Key-shaped secrets: what providers print when they hand out a key (`key_rules.toml`)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import tomli

from conch.guard.findings import Finding


@dataclass(frozen=True)
class _Rule:
    whose: str
    rest: re.Pattern[str]
    any_value: bool


@cache
def key_table() -> dict[str, Any]:
    """`key_rules.toml` as it stands."""
    text = files("conch.guard").joinpath("key_rules.toml").read_text(encoding="utf-8")
    return tomli.loads(text)


def key_secrets(text: str) -> list[Finding]:
    """Keys in `text` that give themselves away by how they are written; kinds "key:<whose>"."""
    found: list[Finding] = []
    starts, rules = _rules()
    for start in starts.finditer(text):
        for skipped, rule in rules[start.group()]:
            rest = rule.rest.match(text, start.start() + skipped)
            if rest and (rule.any_value or not is_placeholder(rest.group())):
                found.append(Finding(start.start(), rest.end(), f"key:{rule.whose}"))
                break
    for whose, inside, pattern in _shapes():
        if inside in text:
            for match in pattern.finditer(text):
                if not is_placeholder(match.group()):
                    found.append(Finding(match.start(), match.end(), f"key:{whose}"))
    return found


_BODY = re.compile(r"[\w-]{10,}")
_RUN = re.compile(r"abcdefg|1234567|0123456|\d[a-z]+\d", re.IGNORECASE)


def key_shaped(text: str) -> bool:
    """True when `text` holds what is written as a provider's key is: a placeholder too.

    Documents may show such a thing; a memory must not hold it (spec 0088 §4). It is one when a
    whole key's length follows the start, or, behind a start that is nobody's word ("sk-ant-",
    "ghp_"), ten letters or more with a run in them that only a key or its stand-in has ("1234567",
    "7k9"). A start that people also write in names ("api-", "test_", `said_in_names` in
    `key_rules.toml`) needs the whole key, and a start alone ("uses glpat- tokens") is none.

    >>> key_shaped("Key is sk-ant-1234567890"), key_shaped("Deploys the api-gateway-v1beta1")
    (True, False)
    """
    starts, rules = _rules()
    for start in starts.finditer(text):
        for skipped, rule in rules[start.group()]:
            if rule.rest.match(text, start.start() + skipped):
                return True
        body = _BODY.match(text, start.end())
        nobodys_word = start.group() not in key_table()["said_in_names"]
        if start.group()[-1] in "-_" and nobodys_word and body and _RUN.search(body.group()):
            return True
    return False


def is_placeholder(value: str) -> bool:
    """True when `value` stands in for a secret: "xxxx", "<your key>", "${TOKEN}", "****"."""
    if re.match(r"[<{$%\[`]|\(?\*{3}|…", value) or "${" in value or "{{" in value:
        return True
    value = value[:120]
    lowered = value.lower()
    letters = sum(map(str.isalnum, value))
    if not letters:
        return True
    if letters >= 10:
        most, times = Counter(lowered).most_common(1)[0]
        if times > 0.6 * len(value):
            return most in "x0*.#1a_-"
        if len(set(lowered)) < 6:
            return True
    return len(value) < 80 and any(word in lowered for word in key_table()["placeholders"])


@cache
def _rules() -> tuple[re.Pattern[str], dict[str, tuple[tuple[int, _Rule], ...]]]:
    """What finds a key's start, and for each start the rules to try, each after so many letters."""
    table: dict[str, list[_Rule]] = {}
    for whose, starts, rest, *flags in key_table()["rules"]:
        for start in starts.split():
            table.setdefault(start, []).append(_Rule(whose, re.compile(rest), "any" in flags))
    tried = {
        start: tuple(
            (len(shorter), rule)
            for shorter in sorted(table, key=len, reverse=True)
            if start.startswith(shorter)
            for rule in table[shorter]
        )
        for start in table
    }
    return re.compile(rf"(?<![A-Za-z0-9]){_trie(sorted(table))}"), tried


def _trie(words: list[str]) -> str:
    """One expression for many literal words, longest first, that never tries a letter twice."""
    if words == [""]:
        return ""
    branches: dict[str, list[str]] = {}
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
    parts = [re.escape(first) + _trie(rest) for first, rest in branches.items()]
    if len(parts) == 1 and "" not in words:
        return parts[0]
    return f"(?:{'|'.join(parts)}){'?' if '' in words else ''}"


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (whose, inside, re.compile(pattern)) for whose, inside, pattern in key_table()["shapes"]
    )
