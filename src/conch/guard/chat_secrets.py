"""Chat-shaped secrets: passwords, PINs, codes, phrases and keys that people say in words.

A text names the thing ("the password for the router"), something joins on ("is", ":", "，"), and a
value stands there. How much the value must look like a secret depends on how firmly it is joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conch.guard.findings import Finding
from conch.guard.secret_joins import REACH, Join, after, joined_before
from conch.guard.secret_values import (
    digit_words_at,
    digits_at,
    is_year,
    key_value_at,
    looks_like_code,
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
    r"[\w.@+-]{2,40}\s{0,2}(?:[/|:,]|\s(?:and|und|et|y|e|en|i|ve|и|pass|mit|with)\s)\s{0,2}"
    r"(?P<value>\S{5,60})"
)
_PROMISING = re.compile(r"[\d\"“„«「『`@#$%^&*+=~|<>{}:：→']|->")
_NEAR = 80


def chat_secrets(text: str) -> list[Finding]:
    """Secrets said in words in `text`, which is read as it is seen; kinds "chat:<what>"."""
    low = folded(text)
    named = mentions(low, (*NAMES, "not_secret", "coded", "lock", "wifi", "enter", "opens"))
    found: list[Finding] = []
    for at, mention in enumerate(named):
        if mention.name in {"not_secret", "card", "wifi"}:
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
    if mention.name in {"password", "phrase"}:
        return not words_of("is").isdisjoint(words)
    return sum(word in digit_words() for word in words) >= 3


def _around(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    """The secret beside one word: the first that stands after it, else one before it."""
    if mention.name in {"enter", "opens"}:
        yield from _dialled(text, low, mention, near)
        return
    if mention.name == "lock":
        return
    joins = after(text, low, mention) if _worth_reading(text, low, mention) else ()
    found = next((f for j in joins if (f := _value(text, low, mention, j, near))), None)
    if found is None and mention.name != "coded":
        joins = joined_before(text, low, mention)
        found = next((f for j in joins if (f := _value(text, low, mention, j, near))), None)
    if found:
        yield found


def _value(
    text: str, low: str, mention: Mention, join: Join, near: frozenset[str]
) -> Finding | None:
    """The secret that stands where `join` points, if one does."""
    end: int | None = None
    kind = mention.name
    if kind == "coded":
        given = join.directly or join.before in words_of("with", "is")
        end = _code_end(text, low, join, firm=join.directly) if given else None
    elif kind == "loose_code":
        firm = bool(near & {"lock", "coded"})
        if firm or _plainly_the_code(low, join):
            end = _code_end(text, low, join, firm=firm)
    elif kind == "code":
        end = _code_end(text, low, join, firm=True)
    elif kind == "password":
        end = _password_end(low, mention, join) or _phrase_end(low, join, 4)
    elif kind == "phrase":
        end = _phrase_end(low, join, 3 if join.quoted else 4)
        if not end and strength(join.token) >= 2 and (join.linked or join.adjacent):
            end = join.end
    elif kind == "key":
        return _key(text, join, near)
    else:
        return _login(text, join)
    said = {"coded": "code", "loose_code": "code"}.get(kind, kind)
    return Finding(join.at, end, f"chat:{said}") if end else None


def _password_end(low: str, mention: Mention, join: Join) -> int | None:
    """Where a password ends that `join` points at."""
    found = strength(join.token)
    digits = re.fullmatch(r"\d{4,16}", join.token)
    if join.quoted:
        told = join.linked or join.adjacent
        return join.end if told and (found or plain_password(join.token)) else None
    if join.directly:
        plain = join.ends_clause and plain_password(join.token)
        return join.end if found or digits or plain else None
    if join.adjacent and digits and len(join.token) >= 6:
        return join.end
    near = join.linked or join.adjacent or join.after_comma or _changed(low, mention, join)
    return join.end if found >= (2 if near else 3) else None


def _changed(low: str, mention: Mention, join: Join) -> bool:
    """ "Changed the password to Kestrel99": one small word between, and a change before."""
    between = low[mention.end : join.at].split()
    if len(between) != 1 or between[0] not in function_words():
        return False
    earlier = low[max(0, mention.start - 50) : mention.start].split()
    return not words_of("changed").isdisjoint(earlier)


def _code_end(text: str, low: str, join: Join, *, firm: bool) -> int | None:
    """Where the digits or letters of a code end that `join` points at.

    `firm`: it is sure that a code is meant, so that it need not be joined by a linking word.
    """
    run = digits_at(text, join.at) or digit_words_at(low, join.at)
    near = join.directly or (firm and (join.linked or join.adjacent or join.after_comma))
    if run is None:
        return join.end if near and looks_like_code(join.token) else None
    end, count = run
    if join.before in words_of("not_a_code") or _counts_something(low, end):
        return None
    if join.directly or join.backward:
        return end
    if not 4 <= count <= 10 or is_year(low[join.at : end]):
        return None
    return end if near or _ends_clause(low, end) else None


def _counts_something(low: str, end: int) -> bool:
    """True when the number before `end` counts what follows it: "300 lines", "2010 mm"."""
    following = re.match(r"\s?([^\W\d_]+)", low[end : end + 30])
    if following is None:
        return False
    word = following.group(1)
    return word in words_of("not_a_code") or (
        not word.isascii() and any(word[:size] in words_of("not_a_code") for size in (1, 2))
    )


def _ends_clause(low: str, end: int) -> bool:
    following = re.match(r"\s{0,3}([^\W\d_]+)", low[end : end + 30])
    return following is None or following.group(1) in function_words()


def _plainly_the_code(low: str, join: Join) -> bool:
    """ "The code is 4821": directly joined, four or six digits, and nothing after it."""
    run = digits_at(low, join.at)
    return bool(
        run
        and join.directly
        and run[1] in {4, 6}
        and _ends_clause(low, run[0])
        and not is_year(low[join.at : run[0]])
    )


def _phrase_end(low: str, join: Join, fewest: int) -> int | None:
    """Where a phrase of at least `fewest` words ends that makes no sentence."""
    if join.quoted:
        words = low[join.at : join.end]
        enough = len(words.split()) >= min(fewest, 3)
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
    if "wifi" in near and join.linked and strength(join.token) >= 2:
        return Finding(join.at, join.end, "chat:password")
    return None


def _login(text: str, join: Join) -> Finding | None:
    """ "Login is anna / Kestrel99": a name, something between, and a password."""
    pair = _LOGIN.match(text, join.at)
    if not pair or join.backward:
        return None
    between = text[pair.start() : pair.start("value")]
    needed = 2 if re.search(r"[/|]", between) or join.linked else 3
    value = pair.group("value").rstrip(".,;)")
    if strength(value) < needed:
        return None
    start = pair.start("value")
    return Finding(start, start + len(value), "chat:password")


def _dialled(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    """ "To get in dial 4821", "8337 opens the garage"."""
    if not near & {"lock", "coded"}:
        return
    if mention.name == "enter":
        reach = re.compile(r"(?:\s{0,2}[^\W\d_]{1,12}){0,2}\s{0,2}[\"“]?(?=[#*]?\d)")
        skip = reach.match(low, mention.end)
        run = digits_at(text, skip.end()) if skip else None
        if skip and run and 4 <= run[1] <= 8 and not _counts_something(low, run[0]):
            yield Finding(skip.end(), run[0], "chat:code")
            return
    run = re.compile(r"(?<![\w.:/-])[#*]?\d{4,8}[#*]?\s{0,2}(?:\S{1,12}\s){0,1}$").search(
        low, max(0, mention.start - 30), mention.start
    )
    if run:
        yield Finding(run.start(), run.start() + len(run.group().split()[0]), "chat:code")
