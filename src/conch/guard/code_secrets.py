"""Codes people say: PINs, one-time codes, what opens a door, a safe or a lock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from conch.guard.findings import Finding
from conch.guard.secret_joins import Join, after
from conch.guard.secret_values import (
    digit_words_at,
    digits_at,
    is_year,
    looks_like_code,
    strength,
)
from conch.guard.secret_words import Mention, function_words, words_of

_SKIP = re.compile(r"(?:\s{0,2}[^\W\d_]{1,12}){0,2}\s{0,2}[\"“]?(?=[#*]?\d)")
_TOKEN = re.compile(r"\s{0,2}\S{1,40}")
_BEFORE = re.compile(r"(?<![\w.:/-])[#*]?\d{4,8}[#*]?\s{0,2}(?:\S{1,12}\s){0,1}$")
_THREE_GROUPS = re.compile(r"\d{1,2}[-–]\d{1,2}[-–]\d{1,2}(?![-\d])")
_TURN = re.compile(r"[^\W\d_]{1,14}\s{0,2}\d{1,2}|\d{1,2}\s{0,2}[^\W\d_]{1,14}")


def code_end(text: str, low: str, mention: Mention, join: Join, near: frozenset[str]) -> int | None:
    """Where the code ends that `join` points at, for a word of one of the lists of codes.

    `near` are the lists of the words around: a bare "code" is believed beside what it opens.
    """
    if mention.name == "coded":
        return _coded_end(text, low, mention, join)
    opens_something = bool(near & {"lock", "coded", "sends"}) or join.used
    if mention.name == "loose_code":
        if join.adjacent and _THREE_GROUPS.match(text, join.at):
            return join.end
        if not opens_something and not _plainly_the_code(low, mention, join):
            return None
        return _code_end(
            text, low, mention, join, firm=opens_something, fewest=3 if join.directly else 4
        )
    short = low[mention.start : mention.end] in words_of("card_extra")
    fewest = 3 if short or (opens_something and join.directly) else 4
    return _code_end(text, low, mention, join, firm=True, fewest=fewest)


def closely(low: str, mention: Mention, join: Join) -> bool:
    """True when only small words and names of locks, networks and cards stand between."""
    between = low[mention.end : join.at]
    if len(between) > 40 or re.search(r"[.;!?\n]", between):
        return False
    known = words_of("lock", "coded", "wifi", "card", "card_extra")
    return all(
        word in function_words() or word in known for word in re.findall(r"[\w'-]+", between)
    )


def counts_something(low: str, end: int) -> bool:
    """True when the number before `end` counts what follows it: "300 lines", "2010 mm"."""
    following = re.match(r"\s?([^\W\d_]+)", low[end : end + 30])
    if following is None:
        return False
    word = following.group(1)
    return word in words_of("not_a_code") or (
        not word.isascii() and any(word[:size] in words_of("not_a_code") for size in (1, 2))
    )


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


def _coded_end(text: str, low: str, mention: Mention, join: Join) -> int | None:
    """Where a code ends that stands right beside the lock it opens: "alarm: 4821"."""
    between = low[mention.end : join.at]
    if len(between) > 32 or re.search(r"[,;]", between):
        return None
    token = join.token
    if join.adjacent and looks_like_code(token) and len(re.findall(r"\d", token)) >= 4:
        return None if token.isdigit() else join.end
    told = words_of("with", "is", "enter")
    last_words = re.findall(r"\w+", between)[-2:]
    given = bool(last_words) and (
        last_words[-1] in told or (last_words[-1] in function_words() and last_words[0] in told)
    )
    if not join.directly and not given:
        run = digits_at(text, join.at)
        spelled = run and re.fullmatch(r"\d(?: \d){3,7}", text[join.at : run[0]])
        return run[0] if run and spelled else None
    end = _code_end(text, low, mention, join, firm=join.directly, fewest=3 if join.directly else 4)
    if not end or is_year(text[join.at : end]) or re.fullmatch(r"\d+00", text[join.at : end]):
        return None
    return end if len(re.findall(r"\d", text[join.at : end])) <= 8 else None


def _code_end(
    text: str, low: str, mention: Mention, join: Join, *, firm: bool, fewest: int = 4
) -> int | None:
    """Where the digits or letters of a code end that `join` points at.

    `firm`: it is sure that a code is meant, so that it need not be joined by a linking word.
    `fewest`: digits it must have.
    """
    run = digits_at(text, join.at) or digit_words_at(low, join.at)
    beside = join.adjacent or (firm and not join.backward and closely(low, mention, join))
    near = join.directly or (firm and (join.linked or beside or join.after_comma))
    if run is None:
        one_of_many = re.match(r" \d{2}", text[join.end : join.end + 3])
        return join.end if near and not one_of_many and looks_like_code(join.token) else None
    end, count = run
    if join.before in words_of("not_a_code") or counts_something(low, end):
        return None
    if join.directly or join.backward:
        grouped = "#" in low[join.at : end] or re.fullmatch(r"\d(?:-\d){2}", low[join.at : end])
        return end if count >= fewest or grouped else None
    if not fewest <= count <= 10:
        return None
    if is_year(low[join.at : end]):
        return end if firm and beside and not low[end : end + 2].strip() else None
    return end if near or _ends_clause(low, end) else None


def _ends_clause(low: str, end: int) -> bool:
    following = re.match(r"\s{0,3}([^\W\d_]+)", low[end : end + 30])
    return following is None or following.group(1) in function_words()


def dialled(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    """ "To get in dial 4821", "8337 opens the garage", "type letmein99 as the password"."""
    if mention.name == "enter":
        yield from _entered(text, low, mention, near)
    elif mention.name == "sends":
        for join in islice(after(text, low, mention), 2):
            run = digits_at(text, join.at)
            if run and run[1] == 6 and not counts_something(low, run[0]):
                yield Finding(join.at, run[0], "chat:code")
                return
    elif mention.name == "opens":
        for join in after(text, low, mention):
            if join.before not in words_of("with"):
                continue
            run = digits_at(text, join.at)
            if run and 4 <= run[1] <= 8 and near & {"lock", "coded"}:
                yield Finding(join.at, run[0], "chat:code")
                return
            if strength(join.token) >= 2:
                yield Finding(join.at, join.end, "chat:password")
                return
    if mention.name == "proves" or near & {"lock", "coded"}:
        start = max(0, mention.start - 30)
        run = _BEFORE.search(low, start, mention.start)
        told = run and words_of("use", "enter").intersection(low[start : run.start()].split())
        if run and (mention.name != "proves" or told):
            end = run.start() + len(run.group().split()[0])
            yield Finding(run.start(), end, "chat:code")


def turned(low: str, mention: Mention) -> Finding | None:
    """ "The safe: 12 right, 33 left, 7 right": three turns or more behind a lock's name."""
    turns = [
        turn
        for turn in _TURN.finditer(low, mention.end, mention.end + 70)
        if words_of("turns").intersection(re.findall(r"[^\W\d_]+", turn.group()))
    ]
    return Finding(turns[0].start(), turns[-1].end(), "chat:code") if len(turns) >= 3 else None


def _entered(text: str, low: str, mention: Mention, near: frozenset[str]) -> Iterator[Finding]:
    if near & {"lock", "coded"}:
        skip = _SKIP.match(low, mention.end)
        run = digits_at(text, skip.end()) if skip else None
        if skip and run and 4 <= run[1] <= 8 and not counts_something(low, run[0]):
            yield Finding(skip.end(), run[0], "chat:code")
            return
    token = _TOKEN.match(text, mention.end)
    if token is None:
        return
    shown = token.group().strip().rstrip(".,;:!?")
    start = token.end() - len(token.group().lstrip())
    if near & {"lock", "coded"} and len(shown) >= 5 and looks_like_code(shown):
        yield Finding(start, start + len(shown), "chat:code")
    elif near & {"password", "short_password"} and strength(shown) >= 2:
        yield Finding(start, start + len(shown), "chat:password")
