"""Text folded for comparing: the same letters, however they were typed.

Nothing here is meant to be shown to a person; it is what two texts are compared on.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_APOSTROPHES = "'’‘ʼʹ`´′＇‛"
_QUOTES = '"“”„‟«»‹›「」『』〝〞〟＂″'
_DASHES = "-‐‑‒–—―−﹣－"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
)

_UNIFIED: dict[int, str | None] = {
    **{ord(mark): "'" for mark in _APOSTROPHES},
    **{ord(mark): '"' for mark in _QUOTES},
    **{ord(mark): "-" for mark in _DASHES},
    **dict.fromkeys(map(ord, _INVISIBLE)),
    **dict.fromkeys(range(0x202A, 0x202F)),  # bidirectional embeddings
    **dict.fromkeys(range(0x2066, 0x206A)),  # bidirectional isolates
    **dict.fromkeys(range(0xFE00, 0xFE10)),  # variation selectors
    **dict.fromkeys(range(0xE0000, 0xE0080)),  # tag characters
    ord("ø"): "o",
    ord("đ"): "d",
    ord("ł"): "l",
    ord("ı"): "i",
    ord("æ"): "ae",
    ord("œ"): "oe",
    # Arabic: short vowels and stretching are optional in writing, and alefs are often unmarked.
    **dict.fromkeys(range(0x064B, 0x0653)),
    **dict.fromkeys((0x0640, 0x0670)),
    ord("أ"): "ا",
    ord("إ"): "ا",
    ord("آ"): "ا",
    ord("ٱ"): "ا",
    ord("ى"): "ي",
    ord("ک"): "ك",
    ord("ی"): "ي",
    # Arabic-Indic and Devanagari digits.
    **{0x0660 + digit: str(digit) for digit in range(10)},
    **{0x06F0 + digit: str(digit) for digit in range(10)},
    **{0x0966 + digit: str(digit) for digit in range(10)},
    0x093C: None,  # the Devanagari nukta, left out by many keyboards
    **dict.fromkeys(range(0x0591, 0x05BE)),  # Hebrew points
}

_MARKED = re.compile("[\u00c0-\u024f\u0370-\u04ff\u1e00-\u1fff]")
_COMBINING = re.compile("[\u0300-\u036f]+")
_BLANK = re.compile(r"\s+")


def fold(text: str) -> str:
    """`text` with case, width, accents, invisible characters, quote marks and blanks evened out.

    Accents are taken off Latin, Greek and Cyrillic letters only; marks other scripts need to be
    read (Devanagari vowels, Thai tones, Japanese voicing) stay. Lone surrogates are dropped.

    >>> fold("  “Café”\\u200b  — don’t ")
    '"cafe" - don\\'t'
    """
    if text.isascii():
        return _ascii(text)
    return _fold(text) if len(text) <= 2000 else _folded(text)


def _ascii(text: str) -> str:
    return " ".join(text.lower().replace("`", "'").split())


def _folded(text: str) -> str:
    # A spacing accent used as an apostrophe would come apart under NFKC.
    text = unicodedata.normalize("NFKC", text.replace("´", "'").replace("｀", "'")).casefold()
    # Casefolding can leave what NFKC would compose, and the Turkish capital dotted I a loose dot.
    if _MARKED.search(text) or _COMBINING.search(text):
        text = unicodedata.normalize("NFC", _MARKED.sub(_without_marks, text))
        text = _COMBINING.sub("", text)
    text = text.translate(_UNIFIED)
    if not text.isascii():
        text = re.sub("[\ud800-\udfff]", "", text)
    return _BLANK.sub(" ", text).strip()


_fold = lru_cache(maxsize=8192)(_folded)


def _without_marks(found: re.Match[str]) -> str:
    return _COMBINING.sub("", unicodedata.normalize("NFD", found.group()))


def strip_marks(word: str) -> str:
    """`word` without Latin, Greek and Cyrillic accents, its case kept."""
    return _COMBINING.sub("", _MARKED.sub(_without_marks, word))
