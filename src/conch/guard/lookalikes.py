"""Letters that stand in for Latin ones: found in mixed words, link names and styled alphabets."""

from __future__ import annotations

import re
import unicodedata

from conch.guard.findings import Finding, merged

_PAIRS = (
    # Cyrillic
    "аa вb сc ԁd еe һh іi јj кk ӏl мm оo рp ԛq гr ѕs тt ѵv ԝw хx уy АA ВB СC ЕE ԌG НH ІI ЈJ КK МM "
    "ОO РP ԚQ ЅS ТT ѴV ԜW ХX УY ҮY ӀI ьb ѡw ёe ЁE ҁc ґr "
    # Greek
    "αa ϲc ιi κk νv οo ρp σo τt υu χx γy ωw ηn ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ɑa "
    # Armenian, Cherokee and others
    "օo ոn սu հh ցg զq ԱU ՍU ՏS Օo ᎪA ᏴB ᏟC ᎠD ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᎡR ᏚS ᎢT ᏙV ᎳW ᏃZ ᴏo ᴠv ᴡw ᴢz "
    "ɡg ɩi ʏy ꓐB ꓚC ꓓD ꓰE ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ"
)
_LATIN_FOR = {pair[0]: pair[1] for pair in _PAIRS.split()}
_FOLD = str.maketrans(_LATIN_FOR)
_STRANGE = re.compile(f"[{''.join(_LATIN_FOR)}]")
_WORD = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f][^\W\d_]*)*")
_LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u24b6-\u24e9\U0001f130-\U0001f189\u1d00-\u1d22]{3,}")
_WIDE = re.compile("[\uff21-\uff3a\uff41-\uff5a]{3,}")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_HOST = re.compile(r"(?<![\w@.-])(?:[\w-]+\.)+[a-zA-Z]{2,12}(?![\w-])")
_PUNYCODE = re.compile(r"(?<![\w-])xn--[a-z0-9-]{2,59}(?![\w])", re.IGNORECASE)


def lookalikes(text: str) -> list[Finding]:
    """Words that pretend to be written in Latin letters.

    Kinds: "lookalike:mixed" (letters of two scripts in one word), "lookalike:host" (a link name
    whose letters all stand in for Latin ones, or punycode), "lookalike:styled" (mathematical,
    circled or, outside East Asian text, full-width letters).
    """
    found = [Finding(m.start(), m.end(), "lookalike:host") for m in _PUNYCODE.finditer(text)]
    if text.isascii():
        return found
    if _STRANGE.search(text):
        distinctive = _has_distinctive_letters(text)
        for match in _WORD.finditer(text):
            if _disguised(match.group(), distinctive):
                found.append(Finding(match.start(), match.end(), "lookalike:mixed"))
        for match in _HOST.finditer(text):
            if any(_all_strange(label) for label in match.group().split(".")[:-1]):
                found.append(Finding(match.start(), match.end(), "lookalike:host"))
    found += [Finding(m.start(), m.end(), "lookalike:styled") for m in _STYLED.finditer(text)]
    if not _CJK.search(text):
        found += [Finding(m.start(), m.end(), "lookalike:styled") for m in _WIDE.finditer(text)]
    return merged(found)


def fold_lookalikes(text: str) -> str:
    """`text` with the letters of disguised words in Latin; other words keep their letters.

    A text in Latin letters whose few foreign words could all be Latin ("аlwауs trust") is folded
    whole: it is for deciding, never for storing.
    """
    if text.isascii() or not _STRANGE.search(text):
        return text
    distinctive = _has_distinctive_letters(text)
    latin = _LATIN_LETTER.search(text) is not None

    def fold(match: re.Match[str]) -> str:
        word = match.group()
        if _disguised(word, distinctive) or (latin and not distinctive and _all_strange(word)):
            return word.translate(_FOLD)
        return word

    return _WORD.sub(fold, text)


def as_latin(name: str) -> str:
    """`name` with every letter that can pass for a Latin one in Latin, whatever its script."""
    return name.translate(_FOLD)


def _disguised(word: str, distinctive: bool) -> bool:
    if not _STRANGE.search(word) or not _LATIN_LETTER.search(word):
        return False
    scripts = [("L" if _LATIN_LETTER.match(c) else "S") for c in word if c.isalpha()]
    runs = "".join(s for i, s in enumerate(scripts) if i == 0 or scripts[i - 1] != s)
    strange = [c for c in word if c.isalpha() and not _LATIN_LETTER.match(c)]
    if not all(c in _LATIN_FOR for c in strange):
        return len(runs) > 2
    latin = "".join(c for c in word if _LATIN_LETTER.match(c))
    if latin.isupper() and len(strange) <= 2 and len(runs) == 2 and "".join(strange).islower():
        return not all("\u0370" <= c <= "\u03ff" for c in strange) and not distinctive
    return runs != "LS" or not distinctive  # a foreign stem, a native ending: "PDFка"


def _all_strange(word: str) -> bool:
    letters = [c for c in word if c.isalpha()]
    return bool(letters) and all(c in _LATIN_FOR for c in letters)


def _has_distinctive_letters(text: str) -> bool:
    """True when some word is plainly of another alphabet: it has a letter Latin cannot show."""
    return any(
        character.isalpha()
        and character not in _LATIN_FOR
        and unicodedata.name(character, "").startswith(("CYRILLIC", "GREEK", "ARMENIAN"))
        for character in text
        if character > "\u036f"
    )
