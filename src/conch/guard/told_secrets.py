"""Secrets told another way: letters parted, turns of a safe, digits in Chinese characters,
a birthday that is the code, and what somebody logs in with or uses everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from conch.guard.findings import Finding
from conch.guard.key_secrets import key_table
from conch.guard.secret_values import secret_phrase, strength
from conch.guard.secret_words import Mention, folded, function_words, mentions, words_of
from conch.words.lexicon import from_lexicons

_NAMED = ("password", "short_password", "code", "loose_code", "coded", "phrase", "not_secret")
_REACH = 60
_PARTED = re.compile(r"(?<![^\W_])[^\W_](?P<by>[ ._-])(?:[^\W_](?P=by)){3,40}[^\W_](?!\w)")
_HAN = re.compile(r"[零〇一幺二两三四五六七八九]{4,12}(?![年月日號号樓楼室十百千万])")
_HANGUL = re.compile(
    r"\S{0,2}?\s?[:：]?\s?(?P<value>[영공일이삼사오육칠팔구]{4,8}?)"
    r"(?=$|[\s.!,]|이야|이에요|예요|입니다|이다)"
)
_DATE_DIGITS = re.compile(r"\s?[,:(–—-]?\s?(?P<value>\d{4,8})(?![\w%])")
_VALUE = re.compile(r"[\s:]{1,3}[\"'“‘]?(?P<value>[^\s\"'”’,;]{5,60})")
_PHRASE = re.compile(
    r"[\s:]{1,3}[\"'“‘]?(?P<value>(?:[a-zà-ÿа-я]{2,14}[ -]){3,11}[a-zà-ÿа-я]{2,14})"
)
_PHRASE_AFTER_CJK = re.compile(
    r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{0,6}[：:]?\s?[「“\"]?"
    r"(?P<value>(?:[a-z]{2,14}[ -]){3,11}[a-z]{2,14})"
)
_NUMBERED = re.compile(
    r"[^:.;!?\n]{0,30}?:\s{1,2}[\"'“]?"
    r"(?P<value>(?P<words>[^\W\d_]{3,14}[ -][^\W\d_]{3,14})[ -]\d{2,4})"
    r"(?=[\"'”]?\s*(?:[.,;!)\n]|$))"
)
_ENDS = re.compile(r"[\"'”’」]?\s*(?:[.,;!?)。！\n]|$|(?:です|だ|이야|입니다)\b)")
_PRODUCT = re.compile(r"^#|^[A-Z][a-z]+\d$|^[A-Z]\w*[a-z][A-Z]|\d\.\d|\+\d+$|^[A-Z]\d[A-Z]|://")
_STOP = re.compile(r"[.;!?\n。！？]")


def told_secrets(text: str) -> list[Finding]:
    """Secrets in `text` (as it is seen) that are told another way; kinds "chat:<what>".

    "My password is h u n t e r 2", "the safe: 32 left, 14 right", "密码是四八二一", "I want the
    code to be my birthday, 0312", "logs in with correct horse battery staple", "uses hunter2
    everywhere".
    """
    low = folded(text)
    found: list[Finding] = []
    named = [m for m in mentions(low, _NAMED) if m.name != "not_secret"]
    for mention in named:
        found += _beside(text, low, mention)
    found += _logged_in(text, low)
    found += _reused(text, low)
    return found


def _beside(text: str, low: str, mention: Mention) -> Iterator[Finding]:
    """What stands within reach behind the word that names it, in the same sentence."""
    stop = _STOP.search(low, mention.end, mention.end + _REACH)
    last = stop.start() if stop else min(len(low), mention.end + _REACH)
    if mention.name in {"password", "short_password", "phrase"}:
        parted = _PARTED.search(text, mention.end, min(len(text), mention.end + 2 * _REACH))
        if parted and parted.start() < last:
            yield Finding(*parted.span(), "chat:password")
        yield from _words_behind(text, low, mention)
    if mention.name != "phrase":
        han = _HAN.search(text, mention.end, last)
        if han and han.start() - mention.end <= 10:
            yield Finding(*han.span(), "chat:code")
        spaced = _PHRASE_AFTER_CJK.match(text, mention.end)
        cjk = ord(low[mention.end - 1]) >= 0x3040
        if spaced and cjk and _ENDS.match(text, spaced.end()) and _no_device(spaced.group("value")):
            yield Finding(*spaced.span("value"), "chat:password")
        hangul = _HANGUL.match(text, mention.end, last)
        if hangul:
            yield Finding(*hangul.span("value"), "chat:code")
    if mention.name in {"code", "loose_code", "coded", "password"}:
        yield from _turns_behind(low, mention.end, last)
        yield from _own_date(low, mention.end, last)


def _words_behind(text: str, low: str, mention: Mention) -> Iterator[Finding]:
    """ "Passphrase correct horse battery staple", "pw for the zip: tulip garden 44"."""
    numbered = _NUMBERED.match(low, mention.end)
    about = re.findall(r"\w+", numbered.group()) if numbered else []
    if numbered and _no_device(numbered.group("words"), 2) and words_of("heads").isdisjoint(about):
        yield Finding(*numbered.span("value"), "chat:password")
    phrase = _PHRASE.match(text, mention.end)
    if phrase and low[: mention.end].endswith("phrase") and _ENDS.match(text, phrase.end()):
        first = phrase.group("value").split()[0]
        told_of = first.endswith(("s", "ed", "ing"))  # "passphrase protects backups well"
        if not told_of and _no_device(phrase.group("value"), 4):
            yield Finding(*phrase.span("value"), "chat:phrase")


def _turns_behind(low: str, start: int, last: int) -> Iterator[Finding]:
    """ "32 left, 14 right": two turns or more, both ways, one of them past nine."""
    turns = _turns().search(low, start, last + 40)
    if turns and not re.search(r"\d", low[start : turns.start()]) and _ENDS.match(low, turns.end()):
        ways = set(re.findall(r"[^\W\d_]+", turns.group())) & words_of("turns")
        if len(ways) >= 2 and re.search(r"\d\d", turns.group()):
            yield Finding(*turns.span(), "chat:code")


def _own_date(low: str, start: int, last: int) -> Iterator[Finding]:
    """ "The code is my birthday, 0312": a link, the date's name, then its digits."""
    for date in mentions(low[start:last], ("own_date",)):
        between = re.findall(r"[^\W\d_]+", low[start : start + date.start])
        small = function_words() | words_of("is")
        digits = _DATE_DIGITS.match(low, start + date.end)
        if digits and between and small.issuperset(between):
            yield Finding(*digits.span("value"), "chat:code")


def _logged_in(text: str, low: str) -> Iterator[Finding]:
    """What follows "I log in … with": words that make no sentence, or what looks like a password.

    Names of accounts, devices and services ("with my work account", "with Office365") are none.
    """
    for mention in mentions(low, ("logs_in",)):
        for word in re.finditer(r"[^\W\d_]+", low[mention.end : mention.end + 40]):
            if word.group() not in words_of("with"):
                continue
            at = mention.end + word.end()
            phrase = _PHRASE.match(text, at)
            if phrase and _ENDS.match(text, phrase.end()) and _no_device(phrase.group("value")):
                yield Finding(*phrase.span("value"), "chat:phrase")
            elif (token := _VALUE.match(text, at)) and _password_alone(token.group("value")):
                yield Finding(*token.span("value"), "chat:password")
            break


def _reused(text: str, low: str) -> Iterator[Finding]:
    """ "Uses hunter2 everywhere", unless it is a program with its version ("Python3")."""
    everywhere = mentions(low, ("everywhere",))
    if not everywhere:
        return
    for mention in mentions(low, ("reused",)):
        token = _VALUE.match(text, mention.end)
        if not token or not _password_alone(token.group("value")):
            continue
        if any(0 <= place.start - token.end() <= 3 for place in everywhere):
            yield Finding(*token.span("value"), "chat:password")


def _password_alone(token: str) -> bool:
    """True for what looks like a password where nothing calls it one."""
    token = token.rstrip(".!?)")
    if strength(token) < 2 or _PRODUCT.search(token) or not re.search(r"[^\W\d_]{3}", token):
        return False
    return not _software().fullmatch(folded(token)) and not token.isupper()


def _no_device(words: str, fewest: int = 3) -> bool:
    """True for words in a row that make no sentence and name no device, account or lock."""
    low = folded(words).replace("-", " ")
    if len(low.split()) < 3:  # too few for a phrase, so that no word may hold a sentence together
        sentence = function_words() | words_of("not_a_value", "is", "not_a_code")
        if len(low.split()) < fewest or not sentence.isdisjoint(low.split()):
            return False
    names = words_of("login", "key", "password", "card", "lock", "wifi", "heads")
    phrase = fewest < 3 or secret_phrase(low)
    return phrase and names.isdisjoint(
        form for word in low.split() for form in (word, word.removesuffix("s"))
    )


@cache
def _software() -> re.Pattern[str]:
    return re.compile("|".join(key_table()["versioned"]))


@from_lexicons
def _turns() -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(words_of("turns"), key=len, reverse=True)))
    one = rf"(?:\d{{1,3}}\s?(?:{words})|(?:{words})\s?(?:to\s)?\d{{1,3}})"
    return re.compile(rf"(?<!\w){one}(?:[\s,;/>→–-]{{1,4}}(?:\w{{1,5}}\s)?{one})+(?!\w)")
