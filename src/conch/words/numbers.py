"""The numbers in a text, however they are written: digits, number words, CJK numerals."""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, lexicons

_CJK_DIGIT = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"两": 2, "零": 0}
_CJK_UNIT = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "億": 10**8, "亿": 10**8}
_CJK_NUMERALS = "".join((*_CJK_DIGIT, *_CJK_UNIT))
_CJK_COUNTERS = (
    "个個人名只隻匹頭条本冊册枚台回次度年月日号時时点分秒週周星期歳岁つ杯件軒階层層円元块公英里米キ倍種种杯台"
    "页頁节番目天夜晩晚口家位张張把双双辆辆"
)
_CJK = re.compile(
    rf"(?<=[星期周週第])[一二三四五六七八九十]|[{_CJK_NUMERALS}]{{2,}}"
    rf"|[{_CJK_NUMERALS}](?=[{_CJK_COUNTERS}])"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,' ]\d{3})+(?![\d.,]\d)")
_SPACED_OR_WORD = re.compile(
    "\\d+(?:[.,:]\\d+)*|[^\\W\\d_](?:[^\\W\\d_]|[\u0900-\u0963\u0300-\u036f])*"
)


def numbers(text: str) -> tuple[str, ...]:
    """The numbers said in `text`, in order, as plain digits.

    >>> numbers("twenty-one cats, 1,000 fish and 3.5 dogs")
    ('21', '1000', '3.5')
    """
    return tuple(part for part in in_digits(fold(text)) if part[:1].isdigit())


def in_digits(folded: str, language: str | None = None) -> list[str]:
    """The words and numbers of folded text in order, number words turned into digits."""
    language = language or likely_language(folded)
    if language in ("ja", "zh") or _CJK.search(folded):
        folded = _CJK.sub(lambda found: f" {cjk_number(found.group())} ", folded)
    folded = _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found.group()), folded)
    values = _values(language)
    found: list[str] = []
    sums: list[int] = []
    parts = _SPACED_OR_WORD.findall(folded)
    counted, counters = _counted().get(language or "", ({}, ()))
    for place, part in enumerate(parts):
        follows = parts[place + 1] if place + 1 < len(parts) else ""
        if part in counted and follows.startswith(counters):
            sums.append(counted[part])
            continue
        if part in values:
            sums.append(values[part])
            continue
        if sums and part in _AND and _can_grow(sums):
            continue
        if sums:
            found.extend(_added_up(sums))
            sums = []
        if part[0].isdigit():
            part = part.rstrip(".,:").replace(",", ".")
            part = part.lstrip("0") or "0" if part.isdigit() else part
        found.append(part)
    if sums:
        found.extend(_added_up(sums))
    return found


_AND = frozenset({"and", "und", "et", "y", "e", "en", "i", "و"})


def _can_grow(sums: list[int]) -> bool:
    return sums[-1] >= 20


def _added_up(values: list[int]) -> list[str]:
    """`[20, 1]` is 21, `[2, 100, 5]` is 205; `[2, 3]` stays two numbers."""
    found: list[int] = []
    for value in values:
        last = found[-1] if found else None
        if last is None:
            found.append(value)
        elif value in (100, 1000, 10**5, 10**6) and 0 < last < value:
            found[-1] = last * value
        elif (last, value) == (4, 20):
            found[-1] = 80
        elif _adds(last, value):
            found[-1] = last + value
        else:
            found.append(value)
    return [str(value) for value in found]


def _adds(last: int, value: int) -> bool:
    """Whether "last value" is one number: 100 and 5, 20 and 1, French 60 and 12, 2000 and 300."""
    if last in (60, 80) and value < 20:
        return True
    if 20 <= last < 100:
        return last % 10 == 0 and 0 < value < 10
    if last >= 1000 and last % 1000 == 0:
        return value < last
    return last >= 100 and last % 100 == 0 and value < 100


def cjk_number(numeral: str) -> str:
    """A Chinese or Japanese numeral in digits: 二十三 is 23, 二〇二六 is 2026."""
    if not any(char in _CJK_UNIT for char in numeral):
        return "".join(str(_CJK_DIGIT[char]) for char in numeral)
    total = section = digit = 0
    for char in numeral:
        if char in _CJK_DIGIT:
            digit = _CJK_DIGIT[char]
            continue
        unit = _CJK_UNIT[char]
        if unit >= 10_000:
            total = (total + section + digit) * unit if total else (section + digit or 1) * unit
            section = 0
        else:
            section += (digit or 1) * unit
        digit = 0
    return str(total + section + digit)


def _values(language: str | None) -> dict[str, int]:
    by_language = _all_values()
    return by_language.get(language or "", by_language[""])


@from_lexicons
def _all_values() -> dict[str, dict[str, int]]:
    """Number words by language code; under "" those that mean one number wherever they are used."""
    found: dict[str, dict[str, int]] = {"": {}}
    doubtful: set[str] = set()
    for lexicon in lexicons():
        values: dict[str, int] = {}
        for line in lexicon.phrases("words", "numbers"):
            value, *words = line.split()
            values.update({fold(word): int(value) for word in words})
        for joiner in lexicon.phrases("words", "number_joiner"):
            ones = {word: value for word, value in values.items() if 1 <= value <= 9}
            ones |= {"ein": 1, "een": 1}
            tens = {word: value for word, value in values.items() if value in range(20, 100, 10)}
            values.update(
                {
                    one + fold(joiner) + ten: small + large
                    for one, small in ones.items()
                    for ten, large in tens.items()
                }
            )
        found[lexicon.code] = values
        for word, value in values.items():
            if found[""].setdefault(word, value) != value:
                doubtful.add(word)
    small = _small_words()
    found[""] = {
        word: value
        for word, value in found[""].items()
        if word not in doubtful and word not in small
    }
    return found


@from_lexicons
def _counted() -> dict[str, tuple[dict[str, int], tuple[str, ...]]]:
    """Number words a language only uses before its counters, and those counters."""
    found: dict[str, tuple[dict[str, int], tuple[str, ...]]] = {}
    for lexicon in lexicons():
        lines = [line.split() for line in lexicon.phrases("words", "counted")]
        values = {fold(word): int(value) for value, *words in lines for word in words}
        if values:
            found[lexicon.code] = (values, lexicon.phrases("words", "counters"))
    return found


@from_lexicons
def _small_words() -> frozenset[str]:
    return frozenset(
        fold(word) for lexicon in lexicons() for word in lexicon.phrases("words", "function")
    )
