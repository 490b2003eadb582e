"""Which language a text is probably in: a hint, never a reason to skip another language's words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from conch.words.fold import fold
from conch.words.lexicon import Lexicon, from_lexicons, lexicons

_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("kana", re.compile("[\u3041-\u3096\u30a1-\u30fa]")),
    ("Kore", re.compile("[\uac00-\ud7a3\u1100-\u11ff\u3131-\u318e]")),
    ("Hani", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("Arab", re.compile("[\u0620-\u064a\u066e-\u06d3]")),
    ("Deva", re.compile("[\u0904-\u0939]")),
    ("Cyrl", re.compile("[\u0400-\u04ff]")),
    ("Thai", re.compile("[\u0e01-\u0e30]")),
    ("Grek", re.compile("[\u0370-\u03ff]")),
    ("Hebr", re.compile("[\u05d0-\u05ea]")),
    ("Latn", re.compile("[A-Za-z\u00c0-\u024f]")),
)
_OF_SCRIPT = {
    "kana": "ja",
    "Kore": "ko",
    "Hani": "zh",
    "Arab": "ar",
    "Deva": "hi",
    "Cyrl": "ru",
    "Thai": "th",
    "Grek": "el",
    "Hebr": "he",
}
_NEIGHBOURS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("ar", "fa", re.compile("[گچپژ]")),
    ("ru", "uk", re.compile("[іїєґІЇЄҐ]")),
)
_TELLING: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("de", re.compile("[ßẞ]|[äöü](?!.*[ğışİ])", re.IGNORECASE)),
    ("es", re.compile("[ñ¿¡]", re.IGNORECASE)),
    ("pt", re.compile("[ãõ]", re.IGNORECASE)),
    ("fr", re.compile("[œêèâîûëù]|ç(?=[ao])", re.IGNORECASE)),
    ("pl", re.compile("[łąęśźżńć]", re.IGNORECASE)),
    ("tr", re.compile("[ğışİ]")),
    ("it", re.compile("[ìò]|(?:è|à|ù)\\b", re.IGNORECASE)),
)
_WORD = re.compile(r"[^\W\d_]+")


def likely_language(text: str) -> str | None:
    """The ISO 639-1 code `text` is probably in, or None when it does not show.

    By script first; between languages of one script by their small words and telling letters.
    Looks at the first 2,000 characters.

    >>> likely_language("Ich wohne jetzt in Köln"), likely_language("札幌に住んでいる")
    ('de', 'ja')
    """
    codes = likely_languages(text)
    return codes[0] if len(codes) == 1 else None


def likely_languages(text: str) -> tuple[str, ...]:
    """The codes that fit `text` equally well; none when nothing shows."""
    return _languages(text[:2000], lexicons())


@lru_cache(maxsize=2048)
def _languages(text: str, _of: tuple[Lexicon, ...]) -> tuple[str, ...]:
    if text.isascii():
        return _by_small_words(text, _of_script().get("Latn", ()))
    counts = {script: len(pattern.findall(text)) for script, pattern in _SCRIPTS}
    if not any(counts.values()):
        return ()
    cjk = counts["kana"] + counts["Hani"]
    if cjk and cjk * 3 >= counts["Latn"]:
        if counts["Kore"] > cjk:
            return ("ko",)
        return ("ja",) if counts["kana"] else ("zh",)
    script = max(
        (name for name in counts if name not in ("kana", "Hani")), key=lambda name: counts[name]
    )
    several = _of_script().get(script, ())
    if len(several) <= 1:
        code = _OF_SCRIPT.get(script) or (several[0] if several else None)
        for usual, neighbour, letters in _NEIGHBOURS:
            if code == usual and letters.search(text):
                return (neighbour,)
        return (code,) if code else ()
    return _by_small_words(text, several)


def _by_small_words(text: str, among: tuple[str, ...]) -> tuple[str, ...]:
    scores: dict[str, int] = defaultdict(int)
    small, other = _small_words(), _other_words()
    words = _WORD.findall(fold(text))
    for word in words:
        codes = small.get(word, ())
        for code in codes:
            scores[code] += 12 // len(codes) if len(codes) < 4 else 2
        codes = other.get(word, ())
        for code in codes:
            scores[code] += 8 // len(codes)
    for code, letters in () if text.isascii() else _TELLING:
        if code in among and (found := len(letters.findall(text))):
            scores[code] += 8 * min(3, found)
    most = max((score for code, score in scores.items() if code in among), default=0)
    return tuple(
        code for code, score in scores.items() if score == most and code in among and score
    )


@from_lexicons
def _small_words() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for lexicon in lexicons():
        words = {*lexicon.phrases("words", "function"), *lexicon.phrases("words", "negation")}
        for word in {fold(word) for word in words}:
            found.setdefault(word, []).append(lexicon.code)
    return {word: tuple(codes) for word, codes in found.items()}


@from_lexicons
def _other_words() -> dict[str, tuple[str, ...]]:
    """Every other word of the lexicons' phrases, by the languages that use it."""
    small = _small_words()
    found: dict[str, set[str]] = {}
    for lexicon in lexicons():
        for phrase in _phrases_in(_telling(lexicon.topics)):
            for word in _WORD.findall(fold(phrase)):
                if len(word) > 2 and lexicon.code not in small.get(word, ()):
                    found.setdefault(word, set()).add(lexicon.code)
    return {word: tuple(codes) for word, codes in found.items() if len(codes) <= 3}


def _telling(topics: Mapping[str, object]) -> Iterator[object]:
    """The topics whose words are the language's own: headings are names and brands of anywhere."""
    for name, topic in topics.items():
        if name == "words" and isinstance(topic, Mapping):
            yield {key: value for key, value in topic.items() if key != "headings"}
        else:
            yield topic


def _phrases_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _phrases_in(inner)
    elif isinstance(value, list | Iterator):
        for inner in value:
            yield from _phrases_in(inner)


@from_lexicons
def _of_script() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for lexicon in lexicons():
        found.setdefault(lexicon.script, []).append(lexicon.code)
    return {script: tuple(codes) for script, codes in found.items()}
