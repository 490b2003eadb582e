"""Where a text names a password, a code, a key or a card, in every language's words.

The words are `[guard.secrets]` in `words/lexicons/<code>.toml`. A text is read folded: small
letters, accents off Latin, Greek and Cyrillic letters, one letter for one letter, so that places
stay the same.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass, replace
from functools import cache

from conch.words.lexicon import from_lexicons, lexicons, phrases

NAMES = (
    "password",
    "short_password",
    "code",
    "loose_code",
    "phrase",
    "short_phrase",
    "key",
    "login",
    "card",
)
"""Lists whose words name something that a secret may follow."""

_TABLE = "guard.secrets"
_SPACELESS = {"Jpan", "Hans", "Hant", "Thai"}
_ENDINGS = 4
"""Letters that may be joined on to a word in Korean: particles."""
_WORD = re.compile(r"\w+")
_KEY = 4
_SHORT_KEY = 2
"""Letters a word is looked up by; where endings are joined on, fewer are sure."""
_ASCII_WORD = re.compile(r"[a-z0-9]")
_ASCII_END = re.compile(r"(?![a-z0-9])")
_WORD_END = re.compile(r"(?!\w)")
_NO_END = re.compile("")


@dataclass(frozen=True)
class Mention:
    """`text[start:end]` is a word of the list `name`; `spaceless` where no spaces part words.

    `next_start`: where the next word of the same list starts, which is read for itself.
    """

    start: int
    end: int
    name: str
    spaceless: bool
    next_start: int = sys.maxsize


def folded(text: str) -> str:
    """`text` in small letters without accents, letter for letter."""
    text = text.replace("İ", "i").lower()
    return text if text.isascii() else text.translate(_plain_letters())


def mentions(low: str, names: tuple[str, ...]) -> list[Mention]:
    """Every word of the lists `names` in the folded text `low`; of overlapping ones the longest."""
    finder = _finder(names)
    found: list[Mention] = []
    by_start = finder.by_start
    for word in _WORD.finditer(low):
        letters = word.group()
        patterns = by_start.get(letters[:_KEY])
        if patterns is None:
            patterns = () if letters.isascii() else by_start.get(letters[:_SHORT_KEY], ())
        for name, phrase, endings in patterns:
            if low.startswith(phrase, word.start()):
                end = _word_end(low, word.start() + len(phrase), endings)
                if end:
                    found.append(Mention(word.start(), end, name, False))
    anywhere = finder.anywhere_in_ascii if low.isascii() else finder.anywhere
    for name, phrase, spaceless, ending in anywhere:
        at = low.find(phrase)
        while at >= 0:
            end = at + len(phrase)
            rest = ending.match(low, end)
            inside = spaceless and at > 0 and phrase[0].isascii() and _ASCII_WORD.match(low[at - 1])
            if rest and not inside:
                found.append(Mention(at, rest.end(), name, spaceless))
            at = low.find(phrase, end)
    return _longest(found)


def _word_end(low: str, end: int, endings: int) -> int:
    """Where the word that reaches to `end` ends, with up to `endings` letters more; 0 for later."""
    if not low[end - 1].isalnum():
        return end
    while endings and end < len(low) and low[end].isalnum():
        end, endings = end + 1, endings - 1
    return 0 if end < len(low) and (low[end].isalnum() or low[end] == "_") else end


def words_of(*names: str) -> frozenset[str]:
    """The folded words of some lists, over every language."""
    made = _word_sets()
    if names not in made:
        made[names] = frozenset(
            folded(phrase)
            for name in names
            for words in phrases(_TABLE, name).values()
            for phrase in words
        )
    return made[names]


@from_lexicons
def function_words() -> frozenset[str]:
    """Words that only hold a sentence together, over every language."""
    listed = phrases("words", "function").values()
    return frozenset(folded(word) for words in listed for word in words)


@from_lexicons
def digit_words() -> dict[str, str]:
    """`{"four": "4", …}` over every language."""
    digits: dict[str, str] = {}
    for words in phrases(_TABLE, "digits").values():
        for digit, spellings in enumerate(words):
            for spelling in folded(spellings).split():
                digits.setdefault(spelling, str(digit))
    return digits


@from_lexicons
def _word_sets() -> dict[tuple[str, ...], frozenset[str]]:
    return {}


@dataclass(frozen=True)
class _Finder:
    """Words to look up by their first letters, and those to look for anywhere."""

    by_start: dict[str, tuple[tuple[str, str, int], ...]]
    anywhere: tuple[tuple[str, str, bool, re.Pattern[str]], ...]
    anywhere_in_ascii: tuple[tuple[str, str, bool, re.Pattern[str]], ...]


@from_lexicons
def _finders() -> dict[tuple[str, ...], _Finder]:
    return {}


def _finder(names: tuple[str, ...]) -> _Finder:
    made = _finders()
    if names not in made:
        made[names] = _made_finder(names)
    return made[names]


def _made_finder(names: tuple[str, ...]) -> _Finder:
    by_start: dict[str, list[tuple[str, str, int]]] = {}
    anywhere: list[tuple[str, str, bool, re.Pattern[str]]] = []
    known: set[tuple[str, str, bool]] = set()
    for lexicon in lexicons():
        spaceless = lexicon.script in _SPACELESS
        for name in names:
            for phrase in lexicon.phrases(_TABLE, name):
                low = folded(phrase)
                somewhere = spaceless or low.startswith("*")
                if (name, low, somewhere) in known:
                    continue
                known.add((name, low, somewhere))
                if somewhere:
                    ending = _ASCII_END if spaceless and low.isascii() else _NO_END
                    ending = ending if spaceless else _WORD_END
                    anywhere.append((name, low.lstrip("*"), spaceless, ending))
                    continue
                first = _WORD.search(low)
                if not first or first.start() > 0:
                    continue
                endings = _ENDINGS if lexicon.script == "Kore" and not low.isascii() else 0
                key = first.group()[: _SHORT_KEY if endings else _KEY]
                by_start.setdefault(key, []).append((name, low, endings))
    starts = {start: tuple(some) for start, some in by_start.items()}
    in_ascii = tuple(some for some in anywhere if some[1].isascii())
    return _Finder(starts, tuple(anywhere), in_ascii)


def _longest(found: list[Mention]) -> list[Mention]:
    """Of overlapping mentions the longest; of equally long ones the first list named."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if kept and mention.start < kept[-1].end:
            if mention.end - mention.start > kept[-1].end - kept[-1].start:
                kept[-1] = mention
            continue
        kept.append(mention)
    later: dict[str, int] = {}
    for at in range(len(kept) - 1, -1, -1):
        mention = kept[at]
        if mention.name in later:
            kept[at] = replace(mention, next_start=later[mention.name])
        later[mention.name] = mention.start
    return kept


@cache
def _plain_letters() -> dict[int, str]:
    table = {0x131: "i", 0x142: "l", 0xF8: "o", 0x111: "d", 0x451: "е"}
    ranges = ((0xC0, 0x250), (0x1E00, 0x1F00), (0x386, 0x3CF), (0x1F00, 0x2000))
    for start, end in ranges:
        for code in range(start, end):
            plain = unicodedata.normalize("NFD", chr(code))[0]
            if plain != chr(code):
                table.setdefault(code, plain)
    table |= {ord(alef): "ا" for alef in "أإآٱ"} | {ord("ى"): "ي", ord("ة"): "ه"}
    return table | {ord(mark): "'" for mark in "’‘ʼ´`"} | {0xA0: " ", 0x3000: " "}
