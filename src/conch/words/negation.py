"""Whether a text says no to something."""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.scripts import SCRIPTS
from conch.words.tokens import spelled_out


def negated(text: str) -> bool:
    """Whether `text` holds a word that says no, in its likely language or, in doubt, in any.

    >>> negated("I don't eat meat"), negated("Moro no Porto")
    (True, False)
    """
    folded = spelled_out(fold(text))
    language = likely_language(text)
    pattern = negation_pattern(language)
    if pattern is None or not pattern.search(folded):
        return False
    harmless = _harmless().get(language or "")
    return harmless is None or pattern.search(harmless.sub(" ", folded)) is not None


def negation_pattern(language: str | None) -> re.Pattern[str] | None:
    """What finds a negation in folded, spelled-out text of a language (None: of any language)."""
    by_language = _patterns()
    return by_language.get(language or "", by_language.get(""))


@from_lexicons
def _patterns() -> dict[str, re.Pattern[str]]:
    found: dict[str, str] = {}
    small: dict[str, set[str]] = {}
    for lexicon in lexicons():
        for word in lexicon.phrases("words", "function"):
            small.setdefault(fold(word), set()).add(lexicon.code)
    anywhere: list[str] = []
    for lexicon in lexicons():
        words = [fold(word) for word in lexicon.phrases("words", "negation")]
        if not words:
            continue
        bounded = lexicon.script not in SCRIPTS
        found[lexicon.code] = _any_of(words, bounded)
        # Without a known language only words no other language uses for something else.
        anywhere.extend(
            _any_of([word], bounded) for word in words if small.get(word, set()) <= {lexicon.code}
        )
    if anywhere:
        found[""] = "|".join(anywhere)
    return {code: re.compile(pattern) for code, pattern in found.items()}


@from_lexicons
def _harmless() -> dict[str, re.Pattern[str]]:
    """`[words] not_negation`: phrases that hold a negation and deny nothing ("no problem")."""
    found: dict[str, list[str]] = {}
    for lexicon in lexicons():
        phrases = [spelled_out(fold(word)) for word in lexicon.phrases("words", "not_negation")]
        if phrases:
            found[lexicon.code] = phrases
    found[""] = [phrase for phrases in found.values() for phrase in phrases]
    return {code: re.compile("|".join(map(re.escape, some))) for code, some in found.items()}


def _any_of(words: list[str], bounded: bool) -> str:
    either = "|".join(_pattern(word) for word in sorted(words, key=len, reverse=True))
    return rf"(?<!\w)(?:{either})(?!\w)" if bounded else either


def _pattern(word: str) -> str:
    """ "-mez" is an ending of a word of at least two letters, "않*" the beginning of one."""
    if word.startswith("-"):
        return rf"\w{{2,24}}{re.escape(word[1:])}"
    if word.endswith("*"):
        return rf"{re.escape(word[:-1])}\w{{0,24}}"
    return re.escape(word)
