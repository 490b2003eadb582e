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
    r"[^\W\d][\w.@+-]{1,40}\s{0,2}(?:[/|:,]|\s(?:and|und|et|y|e|en|i|ve|и|pass|pw|mit|with|con|avec)\s)"
    r"\s{0,2}(?P<value>[^\s\"`'<>{}\[\]()\\,;]{5,60})"
)
_PROMISING = re.compile(r"[\d\"“„«「『`@#$%^&*+=~|<>{}:：→']|->")
_LISTED = re.compile(r"(?:[^\W\d_]{1,8}[ 、，,　]{1,2}){7,24}[^\W\d_]{1,8}")
_ACCOUNT = re.compile(
    r"[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,30}\s{0,2}[/|]\s{0,2}(?P<value>\S{5,60})"
)
_CODE_BETWEEN = re.compile(r"[\[\]{}|<\\;]|\w\(")
_SAID = {"coded": "code", "loose_code": "code", "short_password": "password"}
_NEAR = 80


def chat_secrets(text: str) -> list[Finding]:
    """Secrets said in words in `text`, which is read as it is seen; kinds "chat:<what>"."""
    low = folded(text)
    named = mentions(low, (*NAMES, "not_secret", "coded", "lock", "wifi", "enter", "opens"))
    found: list[Finding] = []
    if "@" in text:
        for pair in _ACCOUNT.finditer(text):
            if strength(pair.group("value")) >= 2:
                found.append(Finding(*pair.span("value"), "chat:password"))
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
    if not join.backward and _CODE_BETWEEN.search(text, mention.end, join.at):
        return None
    end: int | None = None
    kind = mention.name
    if kind == "coded":
        near_by = re.fullmatch(r"[^,;]{0,32}", low[mention.end : join.at])
        end = _coded_end(text, low, join) if near_by else None
    elif kind == "loose_code":
        firm = bool(near & {"lock", "coded"})
        if firm or _plainly_the_code(low, mention, join):
            end = _code_end(text, low, join, firm=firm, fewest=3 if join.directly else 4)
    elif kind == "code":
        card = low[mention.start : mention.end] in words_of("card_extra")
        end = _code_end(text, low, join, firm=True, fewest=3 if card else 4)
    elif kind == "short_password":
        end = join.end if join.directly and strength(join.token) >= 2 else None
    elif kind == "password":
        end = _password_end(text, low, mention, join, near) or _phrase_end(low, join, 4)
    elif kind == "phrase":
        end = _phrase_end(low, join, 3 if join.quoted else 4)
        if not end and strength(join.token) >= 2 and (join.linked or join.adjacent):
            end = join.end
    elif kind == "key":
        return _key(text, join, near)
    else:
        return _login(text, join)
    said = _SAID.get(kind, kind)
    return Finding(join.at, end, f"chat:{said}") if end else None


def _password_end(
    text: str, low: str, mention: Mention, join: Join, near: frozenset[str]
) -> int | None:
    """Where a password ends that `join` points at; it may be digits alone."""
    found = strength(join.token)
    run = digits_at(text, join.at)
    digits = run if run and run[1] >= 4 and not _counts_something(low, run[0]) else None
    if join.quoted:
        told = join.linked or join.adjacent
        return join.end if told and (found or plain_password(join.token)) else None
    if join.directly:
        code = text[join.at - 1] in "=(" and text[join.end : join.end + 1] in set("),;(.[")
        plain = join.ends_clause and plain_password(join.token) and not code
        return digits[0] if digits else join.end if found or plain else None
    if join.adjacent and digits and digits[1] >= (4 if near & {"lock", "coded"} else 6):
        return digits[0]
    firm = join.linked or join.adjacent or join.after_comma or _changed(low, mention, join)
    return join.end if found >= (2 if firm else 3) else None


def _changed(low: str, mention: Mention, join: Join) -> bool:
    """ "Changed the password to Kestrel99": small words between, a change before or behind."""
    between = low[mention.end : join.at].split()
    if not 1 <= len(between) <= 3 or not function_words().issuperset(between):
        return False
    around = low[max(0, mention.start - 50) : mention.start] + low[join.end : join.end + 30]
    return not words_of("changed", "use").isdisjoint(re.findall(r"\w+", around))


def _coded_end(text: str, low: str, join: Join) -> int | None:
    """Where a code ends that stands right beside the lock it opens: "alarm: 4821"."""
    token = join.token
    if join.adjacent and looks_like_code(token) and len(re.findall(r"\d", token)) >= 4:
        return None if token.isdigit() else join.end
    if not join.directly and join.before not in words_of("with", "is"):
        run = digits_at(text, join.at)
        spelled = run and re.fullmatch(r"\d(?: \d){3,7}", text[join.at : run[0]])
        return run[0] if run and spelled else None
    end = _code_end(text, low, join, firm=join.directly, fewest=3 if join.directly else 4)
    round_number = end and re.fullmatch(r"\d+00", text[join.at : end])
    if end and len(re.findall(r"\d", text[join.at : end])) > 8:
        return None
    return end if end and not round_number and not is_year(text[join.at : end]) else None


def _code_end(text: str, low: str, join: Join, *, firm: bool, fewest: int = 4) -> int | None:
    """Where the digits or letters of a code end that `join` points at.

    `firm`: it is sure that a code is meant, so that it need not be joined by a linking word.
    `fewest`: digits it must have then.
    """
    run = digits_at(text, join.at) or digit_words_at(low, join.at)
    near = join.directly or (firm and (join.linked or join.adjacent or join.after_comma))
    if run is None:
        one_of_many = re.match(r" \d{2}", text[join.end : join.end + 3])
        return join.end if near and not one_of_many and looks_like_code(join.token) else None
    end, count = run
    if join.before in words_of("not_a_code") or _counts_something(low, end):
        return None
    if join.directly or join.backward:
        return end if count >= fewest or "#" in low[join.at : end] else None
    if not fewest <= count <= 10 or is_year(low[join.at : end]):
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


def _plainly_the_code(low: str, mention: Mention, join: Join) -> bool:
    """ "The code is 4821": directly joined, four or six digits, and nothing after it."""
    run = digits_at(low, join.at)
    words = re.findall(r"\w+", low[max(0, mention.start - 16) : mention.start])
    if not words or words[-1] not in function_words() or "=" in low[mention.end : join.at]:
        return False
    return bool(
        run
        and join.directly
        and run[1] in {4, 6}
        and _ends_clause(low, run[0])
        and not is_year(low[join.at : run[0]])
    )


def _phrase_end(low: str, join: Join, fewest: int) -> int | None:
    """Where a phrase of at least `fewest` words ends that makes no sentence."""
    if not join.token.isascii() and (listed := _LISTED.match(low, join.at)):
        return listed.end()
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
    told = join.directly or join.adjacent or join.before in function_words()
    if not pair or join.backward or join.quoted or not told:
        return None
    between = text[pair.start() : pair.start("value")]
    surely = re.search(r"\s[/|]\s|@.*[:\s]|\s(?:with|mit|con|avec|pass|pw)\s", between)
    needed = 2 if surely or (join.linked and "," not in between and ":" not in between) else 3
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
        token = re.compile(r"\S{0,12}").match(text, skip.end()) if skip else None
        if skip and run and 4 <= run[1] <= 8 and not _counts_something(low, run[0]):
            yield Finding(skip.end(), run[0], "chat:code")
            return
        if token and looks_like_code(token.group()) and len(token.group()) >= 5:
            yield Finding(token.start(), token.end(), "chat:code")
            return
    else:
        for join in after(text, low, mention):
            run = digits_at(text, join.at)
            if run and 4 <= run[1] <= 8 and join.before in words_of("with"):
                yield Finding(join.at, run[0], "chat:code")
                return
    run = re.compile(r"(?<![\w.:/-])[#*]?\d{4,8}[#*]?\s{0,2}(?:\S{1,12}\s){0,1}$").search(
        low, max(0, mention.start - 30), mention.start
    )
    if run:
        yield Finding(run.start(), run.start() + len(run.group().split()[0]), "chat:code")
