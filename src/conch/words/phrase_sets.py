"""Sets of phrases from the lexicons, looked for in folded text quickly.

Phrases of scripts with blanks match whole words; those of Chinese and Japanese match anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.scripts import SCRIPTS

WORD = re.compile("[^\\W_]+(?:[\u0900-\u0963\u0300-\u036f]+[^\\W_]*)*")
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\u0e01-\u0e4e]")
_ATTACHING = re.compile("[\uac00-\ud7a3]")


class PhraseSet:
    """Phrases to look for. `spaced` match whole words, `unspaced` match anywhere."""

    def __init__(self, spaced: Iterable[str], unspaced: Iterable[str]) -> None:
        self._single: set[str] = set()
        self._several: dict[str, list[tuple[str, ...]]] = {}
        loose = set(unspaced)
        for phrase in spaced:
            words = tuple(WORD.findall(phrase))
            if not words:
                continue
            if _ATTACHING.search(phrase):
                loose.add(phrase)  # Korean endings follow the word without a blank
            elif len(words) == 1:
                self._single.add(words[0])
            else:
                self._several.setdefault(words[0], []).append(words)
        longest = sorted((phrase for phrase in loose if phrase), key=len, reverse=True)
        self._firsts = frozenset(self._single) | frozenset(self._several)
        self._loose = re.compile("|".join(map(re.escape, longest))) if longest else None

    def at(self, folded: str, words: list[str]) -> int | None:
        """How many words stand before the first phrase in folded text; None when none is there.

        `words` are the `WORD`s of `folded`. A phrase of an unspaced script counts as at 0 when
        the text starts with it, else as at 9.
        """
        if not self._firsts.isdisjoint(words):
            for place, word in enumerate(words):
                if word in self._single:
                    return place
                for phrase in self._several.get(word, ()):
                    if tuple(words[place : place + len(phrase)]) == phrase:
                        return place
        if self._loose and _is_loose(folded):
            found = self._loose.search(folded)
            if found:
                return 0 if found.start() == 0 else 9
        return None

    def last(self, folded: str, words: list[str]) -> int | None:
        """How many words stand after the last phrase; None when none is there."""
        for back in range(0 if self._firsts.isdisjoint(words) else len(words)):
            place = len(words) - 1 - back
            if words[place] in self._single:
                return back
            for phrase in self._several.get(words[place], ()):
                if tuple(words[place : place + len(phrase)]) == phrase:
                    return back - len(phrase) + 1
        if self._loose and _is_loose(folded):
            ends = [found.end() for found in self._loose.finditer(folded)]
            if ends:
                return 0 if len(folded) - ends[-1] <= 4 else 9
        return None

    def opens(self, folded: str, words: list[str]) -> bool:
        """Whether folded text starts with one of the phrases."""
        return self.at(folded[:200], words[:6]) == 0


def _is_loose(folded: str) -> bool:
    return not folded.isascii() and bool(_UNSPACED.search(folded) or _ATTACHING.search(folded))


def phrase_set(topic: str, key: str) -> Callable[..., PhraseSet]:
    """A getter of the cues under `[topic]` `key`: of all languages, or of those named by code."""

    @from_lexicons
    def known() -> dict[tuple[str, ...], PhraseSet]:
        return {}

    def current(*codes: str) -> PhraseSet:
        built = known()
        if codes not in built:
            built[codes] = _built(topic, key, codes)
        return built[codes]

    return current


def _built(topic: str, key: str, codes: tuple[str, ...]) -> PhraseSet:
    spaced: list[str] = []
    unspaced: list[str] = []
    for lexicon in lexicons():
        if codes and lexicon.code not in codes:
            continue
        into = unspaced if lexicon.script in SCRIPTS else spaced
        into.extend(fold(phrase) for phrase in lexicon.phrases(topic, key))
    return PhraseSet(spaced, unspaced)
