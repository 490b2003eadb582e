"""Whether a text says no to something."""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.tokens import spelled_out

_UNSPACED = frozenset({"Jpan", "Hans", "Hant", "Thai"})
_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0963]+[^\W\d_]*)*")


def negated(text: str) -> bool:
    """Whether `text` holds a word that says no, in its likely language or, in doubt, in any.

    >>> negated("I don't eat meat"), negated("Moro no Porto")
    (True, False)
    """
    folded = spelled_out(fold(text))
    pattern = negation_pattern(likely_language(text))
    return pattern is not None and pattern.search(folded) is not None


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
        bounded = lexicon.script not in _UNSPACED
        found[lexicon.code] = _any_of(words, bounded)
        # Without a known language only words no other language uses for something else.
        anywhere.extend(
            _any_of([word], bounded) for word in words if small.get(word, set()) <= {lexicon.code}
        )
    if anywhere:
        found[""] = "|".join(anywhere)
    return {code: re.compile(pattern) for code, pattern in found.items()}


def _any_of(words: list[str], bounded: bool) -> str:
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return rf"(?<!\w)(?:{either})(?!\w)" if bounded else either
