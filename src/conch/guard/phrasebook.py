"""The lexicons' phrases about what is dangerous, looked for in what a reader sees.

Phrases are cues (`words/cues.py`: `^`, `$`, `*`, `_`, `...`) with one mark more: `(a|b|)` stands
for either, or (with an empty part) for nothing. In scripts written without blanks a `...` spans up
to six characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from conch.guard.characters import canonical
from conch.words.cues import Cue, Cues, Hit, cue_words
from conch.words.lexicon import from_lexicons, lexicons

_WITHOUT_BLANKS = frozenset({"Jpan", "Hans", "Hant", "Thai"})
_EITHER = re.compile(r"\(([^()]*)\)")


def written_out(phrase: str) -> list[str]:
    """A phrase with its brackets taken apart.

    >>> written_out("without (asking|confirm*)")
    ['without asking', 'without confirm*']
    """
    found = _EITHER.search(phrase)
    if found is None:
        return [" ".join(phrase.split())] if phrase.strip(" ^$") else []
    before, after = phrase[: found.start()], phrase[found.end() :]
    return [
        whole for part in found.group(1).split("|") for whole in written_out(before + part + after)
    ]


@lru_cache(maxsize=512)
def read_words(text: str) -> tuple[str, ...]:
    """The words of `text` as a reader sees them, with the marks that part clauses."""
    return tuple(cue_words(canonical(text)))


def phrases_in(topic: str, words: Sequence[str]) -> list[Hit]:
    """Every phrase of `[topic]` in `words`, whatever key it stands under (the hit's `group`).

    Those that lie within a phrase of the topic's `harmless` list are left out.
    """
    hits = _topics()[topic].find(words)
    harmless = [(hit.start, hit.end) for hit in hits if hit.group == "harmless"]
    return [
        hit
        for hit in hits
        if hit.group != "harmless"
        and not any(start <= hit.start and hit.end <= end for start, end in harmless)
    ]


class _Topics:
    """The compiled cues of each topic, made when first asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Cues] = {}

    def __getitem__(self, topic: str) -> Cues:
        if topic not in self._made:
            self._made[topic] = Cues(_cues(topic))
        return self._made[topic]


@from_lexicons
def _topics() -> _Topics:
    return _Topics()


def _cues(topic: str) -> list[Cue]:
    found: list[Cue] = []
    for lexicon in lexicons():
        table: object = lexicon.topics
        for part in topic.split("."):
            table = table.get(part, {}) if isinstance(table, dict) else {}
        keys = [key for key in table if not key.endswith("_sentences")] if isinstance(table, dict) else []
        for key in keys:
            for phrase in lexicon.phrases(topic, key):
                if lexicon.script in _WITHOUT_BLANKS:
                    phrase = phrase.replace("...", "... ...")
                found += [Cue(key, lexicon.code, whole) for whole in written_out(phrase)]
    return found
