"""Chat-shaped secrets: passwords, PINs, codes, phrases and keys that people say in words.

A text names the thing ("the password for the router"), something joins on ("is", ":", "，"), and a
value stands there. How much the value must look like a secret depends on how firmly it is joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conch.guard.assigned_secrets import harmless_names
from conch.guard.code_secrets import closely, code_end, counts_something, dialled, turned
from conch.guard.findings import Finding
from conch.guard.secret_joins import REACH, Join, after, joined_before
from conch.guard.secret_values import (
    digits_at,
    key_value_at,
    plain_password,
    secret_phrase,
    strength,
)
from conch.guard.secret_words import (
    NAMES,
    Mention,
    digit_words,
    folded,
    function_words,
    mentions,
    words_of,
)

_CLAUSE = re.compile(r"[^.;:!?\n()\"“”「」『』。；！？]{0,240}")
_LOGIN = re.compile(
    r"[^\W\d][\w.@+-]{1,40}\s{0,2}(?:[/|:,]|\s(?:and|und|et|y|e|en|i|ve|и|pass|pw|mit|with|con|avec)\s)"
    r"\s{0,2}(?P<value>[^\s\"`'<>{}\[\]()\\,;]{5,60})"
)
_PROMISING = re.compile(r"[\d\"“„«「『`@#$%^&*+=~|<>{}:：→']|->")
_LISTED = re.compile(r"(?:[^\W\d_]{1,8}[ 、，,　]{1,2}){7,24}[^\W\d_]{1,8}")
_ACCOUNT = re.compile(
    r"[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,30}\s{0,2}[/|]\s{0,2}(?P<value>\S{5,60})"
)
_CODE_BETWEEN = re.compile(r"[\[\]{}|<\\;]|\w\(")
_SAID = {
    "coded": "code",
    "loose_code": "code",
    "short_password": "password",
    "short_phrase": "phrase",
    "wifi": "password",
}
_NAMES = re.compile(r"[^\W\d_a-z][^\W\d_]{2,20}(?: [^\W\d_a-z][^\W\d_]{2,20}){1,2}(?=[.,;!]?\s*$)")
_ALL = (
    *NAMES,
    "not_secret",
    "sends",
    "coded",
    "lock",
    "wifi",
    "enter",
    "opens",
    "proves",
)
_NEAR = 80


def chat_secrets(text: str) -> list[Finding]:
    """Secrets said in words in `text`, which is read as it is seen; kinds "chat:<what>"."""
    low = folded(text)
    named = mentions(low, _ALL)
    found: list[Finding] = []
    if "@" in text:
        for pair in _ACCOUNT.finditer(text):
            if strength(pair.group("value")) >= 2:
                found.append(Finding(*pair.span("value"), "chat:password"))
    for at, mention in enumerate(named):
        if mention.name in {"not_secret", "card"}:
            continue
        near = frozenset(
            other.name
            for other in named[max(0, at - 6) : at + 7]
            if other is not mention and abs(other.start - mention.start) <= _NEAR
        )
        found += _around(text, low, mention, near)
    return found


def _worth_reading(text: str, low: str, mention: Mention) -> bool:
    """True when what follows `mention` could hold a value at all; most mentions have none."""
    if _PROMISING.search(text, mention.end, mention.end + REACH):
        return True
    words = low[mention.end : mention.end + REACH].split()[:12]
    if mention.name in {"password", "phrase", "short_phrase"}:
        return not words_of("is").isdisjoint(words)
    return sum(word in digit_words() for word in words) >= 3


def _around(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    """The secret beside one word: the first that stands after it, else one before it."""
    if mention.name in {"enter", "opens", "sends", "proves"}:
        yield from dialled(text, low, mention, near)
        return
    if mention.name == "lock":
        return
    joins = after(text, low, mention) if _worth_reading(text, low, mention) else ()
    found = next((f for j in joins if (f := _value(text, low, mention, j, near))), None)
    if found is None and mention.name == "coded":
        found = turned(low, mention)
    elif found is None and mention.name != "wifi":
        joins = joined_before(text, low, mention)
        found = next((f for j in joins if (f := _value(text, low, mention, j, near))), None)
    if found:
        yield found


def _value(
    text: str, low: str, mention: Mention, join: Join, near: frozenset[str]
) -> Finding | None:
    """The secret that stands where `join` points, if one does."""
    if not join.backward and _CODE_BETWEEN.search(text, mention.end, join.at):
        return None
    kind = mention.name
    if kind == "key":
        owner = re.search(r"([a-z0-9]+)[-_.]$", low[max(0, mention.start - 24) : mention.start])
        if owner and owner.group(1) in harmless_names():  # "csrf-token", "cache-key"
            return None
        return _key(text, join, near)
    if kind == "login":
        return _login(text, join)
    end: int | None = None
    if kind in {"code", "loose_code", "coded"}:
        end = code_end(text, low, mention, join, near)
    elif kind == "wifi":
        sure = join.directly and text[join.at - 1] == " " and re.search(r"[!$%&*^]", join.token)
        end = join.end if sure and strength(join.token) >= 2 else None
    elif kind == "short_password":
        end = join.end if join.directly and strength(join.token) >= 2 else None
    elif kind == "password":
        end = _password_end(text, low, mention, join, near) or _phrase_end(low, join, 4)
    elif kind == "phrase":
        end = _phrase_end(low, join, 3 if join.quoted else 4)
        if not end and strength(join.token) >= 2 and (join.linked or join.adjacent):
            end = join.end
    elif kind == "short_phrase":
        end = _phrase_end(low, join, 10)
    return Finding(join.at, end, f"chat:{_SAID.get(kind, kind)}") if end else None


def _password_end(
    text: str, low: str, mention: Mention, join: Join, near: frozenset[str]
) -> int | None:
    """Where a password ends that `join` points at; it may be digits alone."""
    found = strength(join.token)
    run = digits_at(text, join.at)
    digits = run if run and run[1] >= 4 and not counts_something(low, run[0]) else None
    if join.quoted:
        told = join.linked or join.adjacent
        return join.end if told and (found or plain_password(join.token)) else None
    if join.directly:
        code = text[join.at - 1] in "=(" and text[join.end : join.end + 1] in set("),;(.[")
        plain = join.ends_clause and plain_password(join.token) and not code
        if digits or found or plain:
            return digits[0] if digits else join.end
        return _capitalised_end(text, join)
    beside = join.adjacent or (bool(near & {"lock", "coded"}) and closely(low, mention, join))
    if beside and digits and digits[1] >= (4 if near & {"lock", "coded"} else 6):
        return digits[0]
    firm = join.linked or join.adjacent or join.after_comma
    firm = firm or _changed(low, mention, join) or _noted(low, mention, join)
    return join.end if found >= (2 if firm else 3) else None


def _capitalised_end(text: str, join: Join) -> int | None:
    """ "The secret answer is Maplewood Elementary": two or three names and nothing more."""
    words = _NAMES.match(text, join.at)
    return words.end() if words and plain_password(join.token) else None


def _changed(low: str, mention: Mention, join: Join) -> bool:
    """ "Changed the password to Kestrel99": small words between, a change before or behind."""
    between = low[mention.end : join.at].split()
    if not 1 <= len(between) <= 3 or not function_words().issuperset(between):
        return False
    around = low[max(0, mention.start - 50) : mention.start] + low[join.end : join.end + 30]
    return not words_of("changed", "use").isdisjoint(re.findall(r"\w+", around))


def _noted(low: str, mention: Mention, join: Join) -> bool:
    """ "Password for the mail kestrel99": a line that is a note of no more than what it opens."""
    line = low.rfind("\n", 0, mention.start) + 1
    between = low[mention.end : join.at].split()
    return (
        function_words().issuperset(re.findall(r"\w+", low[line : mention.start]))
        and 2 <= len(between) <= 4
        and between[0] in function_words()
        and not re.search(r"\w", low[join.end :].partition("\n")[0])
    )


def _phrase_end(low: str, join: Join, fewest: int) -> int | None:
    """Where a phrase of at least `fewest` words ends that makes no sentence."""
    if not join.token.isascii() and (listed := _LISTED.match(low, join.at)):
        return listed.end()
    if join.quoted:
        words = low[join.at : join.end]
        enough = len(words.split()) >= (3 if fewest <= 4 else fewest)
        return join.end if enough and secret_phrase(words) else None
    if not join.directly:
        return None
    clause = _CLAUSE.match(low, join.at)
    words = clause.group().rstrip() if clause else ""
    if len(re.findall(r"[^\W\d_]+", words)) < 10:
        words = words.split(",")[0].rstrip()
    enough = len(words.split()) >= fewest
    return join.at + len(words) if enough and secret_phrase(words) else None


def _key(text: str, join: Join, near: frozenset[str]) -> Finding | None:
    end = key_value_at(text, join.at, join.end)
    firmly = join.linked or join.adjacent or join.after_comma
    if end and (firmly or end - join.at >= 20):
        return Finding(join.at, end, "chat:key")
    if "wifi" in near and (join.linked or join.adjacent) and strength(join.token) >= 2:
        return Finding(join.at, join.end, "chat:password")
    return None


def _login(text: str, join: Join) -> Finding | None:
    """ "Login is anna / Kestrel99": a name, something between, and a password."""
    pair = _LOGIN.match(text, join.at)
    told = join.directly or join.adjacent or join.before in function_words()
    if not pair or join.backward or join.quoted or not told:
        return None
    between = text[pair.start() : pair.start("value")]
    if ":" in between and not text[join.at - 1].isspace():  # "spotify:track:…", not a login
        return None
    surely = re.search(r"\s[/|]\s|@.*[:\s]|\s(?:with|mit|con|avec|pass|pw)\s", between)
    surely = surely or (text[join.at - 1] == " " and re.fullmatch(r"[\w.@+-]+:", between))
    needed = 2 if surely or (join.linked and "," not in between and ":" not in between) else 3
    value = pair.group("value").rstrip(".,;)")
    if strength(value) < needed:
        return None
    start = pair.start("value")
    return Finding(start, start + len(value), "chat:password")
