"""What may be a secret when a text says that one follows: passwords, digits, phrases."""

from __future__ import annotations

import re
from functools import cache

from conch.guard.assigned_secrets import looks_random
from conch.guard.key_secrets import is_placeholder, key_table
from conch.guard.secret_words import digit_words, folded, function_words, words_of

_QUOTES = "\"'`“”„‟«»‹›「」『』‘’"
_TRIM = _QUOTES + ".,;:!?()[]{}<>…。、，！？：；（）"
_LINKISH = re.compile(r"://|^www\.|^[\w.+-]+@[\w-]+\.\w|^~?/\w|\.[a-z]{2,4}$|^#[0-9a-f]{3,8}$")
_MEASURE = re.compile(
    r"^[~≈]?\d+([.,]\d+)?(px|pt|em|rem|k?m|cm|mm|mi|ft|k?g|mg|[kmgt]i?b|m?s|min|h|hz|[ap]m|x|k|th|st|"
    r"nd|rd|°c?|%|€|\$|£|ern?|er|ème|ª|º)$|^\d{1,2}[:.]\d{2}([:.]\d{2})?(uhr|h|am|pm)?$"
    r"|^v?\d+(\.\d+)+([-+][\w.]+)?$|^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|^[$€£]\d|^\d+/\d+$"
)
_CODE_OR_MARKUP = re.compile(
    r"[\\\"`]|</|><|^[A-Za-z_][\w.]*[\[(]|^[A-Za-z_][\w.]*=|^[<({\[].*[>)}\]]$|\d{4}-\d\d-\d\dT|/.*/|^--?[a-z]|^\$"
)
_SYMBOL = re.compile(r"[!@#$%^&*+=~|?<>{}\[\]§]")
_SPELLED = re.compile(r"[^\W\d_]+(?:[ ,-]{1,2}|$|(?=[.!?;]))")
_DIGITS = re.compile(r"[#*]?\d(?:[ \t]?[-–#*]?[ \t]?\d){2,15}[#*]?")


def strength(token: str) -> int:
    """How much `token` looks like a password by itself: 0 not, 1 a little, 2 well, 3 surely.

    1: inner capitals or several hyphens; 2: letters with digits or signs; 3: letters, digits and
    signs, or random-looking.
    """
    token = token.strip(_QUOTES).rstrip(_TRIM.replace("!", "").replace("?", ""))
    if not 4 <= len(token) <= 80 or is_placeholder(token):
        return 0
    low = folded(token)
    if (
        _CODE_OR_MARKUP.search(token)
        or _LINKISH.search(low)
        or _MEASURE.match(low)
        or _technical().fullmatch(low)
    ):
        return 0
    letters = sum(character.isalpha() for character in token)
    digits = sum(character.isdigit() for character in token)
    signs = len(_SYMBOL.findall(token.rstrip("!?.")))
    if letters and digits and (signs or looks_random(token)) and len(token) >= 6:
        return 3
    if letters and (digits or signs) and len(token) >= 5:
        return 2 if digits or len(token) >= 6 else 1
    if letters >= 6 and (re.search(r"[a-z][A-Z]", token) or token.count("-") >= 2):
        return 1
    if token.endswith("!") and letters >= 6 and digits:
        return 3
    return 0


def digits_at(text: str, at: int) -> tuple[int, int] | None:
    """Where a run of three to twelve digits that starts at `at` ends, and how many they are.

    Groups may be parted by a space or a hyphen; dates, times, prices and versions are none.
    """
    run = _DIGITS.match(text, at)
    if not run:
        return None
    shown = run.group().strip("#* ")
    count = sum(character.isdigit() for character in shown)
    if not 3 <= count <= 12:
        return None
    after = text[run.end() : run.end() + 3]
    if re.match(r"[,.]\d|[A-Za-z_%€$£°]|[:/]\d", after) or _date_like(shown):
        return None
    if at and re.match(r"[A-Za-z0-9_$€£+/.:@]", text[at - 1]) and text[at - 1] != ":":
        return None
    return run.end(), count


def digit_words_at(low: str, at: int) -> tuple[int, int] | None:
    """The same for digits that are written as words: "four eight two one"."""
    known = digit_words()
    count, end = 0, at
    for word in _SPELLED.finditer(low, at, at + 90):
        if word.start() != end or word.group().strip(" ,-") not in known:
            break
        count, end = count + 1, word.end()
    while end > at and low[end - 1] in " ,-":
        end -= 1
    return (end, count) if count >= 4 else None


def plain_password(token: str) -> bool:
    """True when `token`, a plain word, could be a password that somebody was told.

    Not the words that are said of passwords ("wrong", "required"), nor those that only hold a
    sentence together.
    """
    word = folded(token.strip(_TRIM))
    if not word.isalpha() or not 4 <= len(word) <= 30 or is_placeholder(word):
        return False
    return word not in function_words() and word not in words_of("not_a_value", "heads", "is")


def secret_phrase(low: str) -> bool:
    """True when a folded stretch is words in a row that make no sentence, as in a seed phrase."""
    words = re.findall(r"[^\W\d_]+", low)
    if len(words) < 3 or len(words) > 30:
        return False
    holding = sum(word in function_words() for word in words)
    said = sum(word in words_of("not_a_value") for word in words)
    if len(words) >= 10:
        return holding + said <= len(words) // 6
    return holding == 0 and said <= (1 if len(words) >= 4 else 0)


def is_year(digits: str) -> bool:
    """True for 1900 to 2039, which are more often years than codes."""
    return re.fullmatch(r"19\d\d|20[0-3]\d", digits) is not None


def _date_like(shown: str) -> bool:
    return (
        re.fullmatch(
            r"(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d", shown
        )
        is not None
    )


@cache
def _technical() -> re.Pattern[str]:
    """Names of things that mix letters and digits: "sha256", "OAuth2", "utf-8"."""
    return re.compile("|".join(key_table()["technical"]))


_CODE = re.compile(
    r"[#*]?(?=[A-Za-zА-Яа-я-]*\d)[A-Za-zА-Яа-я0-9]{3,8}"
    r"(?:-[A-Za-z0-9]{3,8}){0,6}[#*]?"
)
_BASE32 = re.compile(r"(?:[A-Z2-7]{4}[ -]){3,9}[A-Z2-7]{2,4}(?!\w)|[A-Z2-7]{16,64}(?![\w])")
_KEY = re.compile(r"[\w.~+/=|-]{10,400}")


def looks_like_code(token: str) -> bool:
    """True for "47K291", "G-518204", "8fk2-9dmq": letters with digits, short, maybe in groups."""
    token = token.strip(_TRIM)
    low = folded(token)
    if (
        re.fullmatch(r"#[0-9a-f]{3,8}", low)
        or _MEASURE.match(low)
        or _technical().fullmatch(low)
        or not _CODE.fullmatch(token)
    ):
        return False
    return sum(character.isdigit() for character in token) >= 2 or "-" in token


def key_value_at(text: str, at: int, end: int) -> int | None:
    """Where a random-looking key that starts at `at` ends; None when there is none."""
    groups = _BASE32.match(text, at)
    if groups and re.search(r"[2-7]", groups.group()):
        return groups.end()
    run = _KEY.match(text, at)
    if not run:
        return None
    value = run.group().rstrip(".-=")
    if len(value) < 12 or not looks_random(value[:80]):
        return None
    if is_placeholder(value) or _LINKISH.search(value):
        return None
    return max(end, at + len(value))
