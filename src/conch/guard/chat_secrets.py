"""Chat-shaped secrets: passwords, PINs, codes, phrases and keys that people say in words.

A text names the thing ("the password for the router"), something joins on ("is", ":", "，"), and a
value stands there. How much the value must look like a secret depends on how firmly it is joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from conch.guard.findings import Finding
from conch.guard.secret_joins import Join, after, joined_before
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
from conch.guard.secret_words import NAMES, Mention, folded, function_words, mentions, words_of

_CLAUSE = re.compile(r"[^.;:!?\n()\"“”「」『』。；！？]{0,240}")
_LOGIN = re.compile(
    r"[\w.@+-]{2,40}\s{0,2}(?:[/|:,]|\s(?:and|und|et|y|e|en|i|ve|и|pass|mit|with)\s)\s{0,2}"
    r"(?P<value>\S{5,60})"
)
_NEAR = 80


def chat_secrets(text: str) -> list[Finding]:
    """Secrets said in words in `text`, which is read as it is seen; kinds "chat:<what>"."""
    low = folded(text)
    named = mentions(low, (*NAMES, "not_secret", "lock", "coded", "wifi", "enter", "opens"))
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


def _around(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    if mention.name in {"enter", "opens"}:
        yield from _dialled(text, low, mention, near)
        return
    if mention.name in {"lock", "coded"}:
        if mention.name == "coded":
            for join in after(text, low, mention):
                end = _code_end(text, low, join, loose=False)
                if end and join.linked and not join.fillers:
                    yield Finding(join.at, end, "chat:code")
                    return
        return
    for join in after(text, low, mention):
        found = _value(text, low, mention, join, near)
        if found:
            yield found
            break
    for join in joined_before(text, low, mention):
        found = _value(text, low, mention, join, near)
        if found:
            yield found
            break


def _value(
    text: str, low: str, mention: Mention, join: Join, near: frozenset[str]
) -> Finding | None:
    """The secret that stands where `join` points, if one does."""
    name = mention.name
    if name in {"code", "loose_code"}:
        if name == "loose_code" and not (near & {"lock", "coded"} or _plainly_the_code(low, join)):
            return None
        end = _code_end(text, low, join, loose=name == "loose_code")
        return Finding(join.at, end, "chat:code") if end else None
    if name == "password":
        end = _password_end(text, low, join) or _phrase_end(low, join, 4)
        return Finding(join.at, end, "chat:password") if end else None
    if name == "phrase":
        end = _phrase_end(low, join, 3 if join.quoted else 4)
        if not end and strength(join.token) >= 2 and (join.linked or join.adjacent):
            end = join.end
        return Finding(join.at, end, "chat:phrase") if end else None
    if name == "key":
        return _key(text, join, near)
    return _login(text, join)


def _password_end(text: str, low: str, join: Join) -> int | None:
    found = strength(join.token)
    if join.quoted:
        if join.linked or join.adjacent:
            return join.end if found or plain_password(join.token) else None
        return None
    if join.directly:
        digits = re.fullmatch(r"\d{4,16}", join.token)
        if found or digits:
            return join.end
        if plain_password(join.token) and join.ends_clause:
            return join.end
        return None
    needed = 2 if join.linked or join.adjacent or join.after_comma else 3
    if join.adjacent and re.fullmatch(r"\d{6,16}", join.token):
        return join.end
    return join.end if found >= needed else None


def _code_end(text: str, low: str, join: Join, *, loose: bool) -> int | None:
    """Where the digits or letters of a code end that `join` points at."""
    run = digits_at(text, join.at) or digit_words_at(low, join.at)
    if run is None:
        firmly = join.linked or join.adjacent or join.after_comma
        if firmly and not loose and looks_like_code(join.token):
            return join.end
        return join.end if join.directly and looks_like_code(join.token) else None
    end, count = run
    shown = low[join.at : end]
    if join.before in words_of("not_a_code") or _counts_something(low, end):
        return None
    if join.directly or join.backward:
        return end if count >= 3 else None
    if count < 4 or is_year(shown) or count > 10:
        return None
    if join.linked or join.after_comma or join.adjacent:
        return end if not loose or join.linked or join.after_comma else None
    return end if _ends_clause(low, end) and not loose else None


def _counts_something(low: str, end: int) -> bool:
    """True when the number before `end` counts what follows it: "300 lines", "2010 mm"."""
    following = re.match(r"\s?([^\W\d_]+)", low[end : end + 30])
    return following is not None and following.group(1) in words_of("not_a_code")


def _ends_clause(low: str, end: int) -> bool:
    following = re.match(r"\s{0,3}([^\W\d_]+)", low[end : end + 30])
    return following is None or following.group(1) in function_words()


def _plainly_the_code(low: str, join: Join) -> bool:
    """ "The code is 4821": directly joined, four or six digits, and nothing after it."""
    run = digits_at(low, join.at)
    return bool(
        run and join.directly and run[1] in {4, 6} and _ends_clause(low, run[0])
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
