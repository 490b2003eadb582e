"""The lexicons' phrases about what is dangerous, looked for in what a reader sees.

A phrase is written with the marks of a cue (`words/cues.py`): `^` opens a clause, `$` closes one,
`word*` any ending, `_` any one word, `...` up to three words of the same clause (six characters
where blanks are not written). One mark more keeps long lists short: `(a|b)` is either, `(a|b|)`
either or nothing. Tables named `…_sentences` are no phrases.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from conch.guard.characters import canonical
from conch.words.cues import Hit, cue_words, is_boundary
from conch.words.language import likely_language
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.scripts import SCRIPTS

_MARK = re.compile(r"\.\.\.|(?<!\w)_(?!\w)|[()|*]|\s+|(?:(?!\.\.\.)[^()|*\s])+")
_STOP = r"(?:[.,;:!?…¶।؟،؛。、，！？；：·()]|-{1,3}) "
_WORD = rf"(?!{_STOP})\S+ "
_CLOSES = rf"(?={_STOP}|\Z)"
_LONGEST_KEY = 4


@lru_cache(maxsize=1024)
def read_words(text: str) -> tuple[str, ...]:
    """The words of `text` as a reader sees them, with the marks that part clauses."""
    return tuple(cue_words(canonical(text)))


def phrases_in(topic: str, words: Sequence[str], with_harmless: bool = False) -> tuple[Hit, ...]:
    """Every phrase of `[topic]` in `words`, by where it starts; the hit's `group` is its key.

    Those that lie within a phrase of the topic's `harmless` list are left out, and that phrase is
    given only `with_harmless`.
    """
    hits = _books()[topic].find(tuple(words))
    harmless = [(hit.start, hit.end) for hit in hits if hit.group == "harmless"]
    if not harmless:
        return hits
    return tuple(
        hit
        for hit in hits
        if (hit.group == "harmless" and with_harmless)
        or not any(start <= hit.start and hit.end <= end for start, end in harmless)
    )


_FAMILIES = (frozenset({"es", "pt", "it", "fr"}), frozenset({"de", "nl"}))


def in_its_language(hits: Sequence[Hit], text: str) -> tuple[Hit, ...]:
    """The hits that count in `text` where its language shows: "pain" is bread in French.

    Languages of a family stand in for each other, since short texts are easily taken for one
    another; scripts that only one language uses here never mislead.
    """
    language = likely_language(canonical(text))
    if language is None or language not in _latin():
        return tuple(hits)
    near = next((family for family in _FAMILIES if language in family), frozenset({language}))
    return tuple(hit for hit in hits if hit.language in near or hit.language not in _latin())


@from_lexicons
def _latin() -> frozenset[str]:
    return frozenset(lexicon.code for lexicon in lexicons() if lexicon.script == "Latn")


class _Books:
    """The compiled phrases of each topic, made when first asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Phrasebook] = {}

    def __getitem__(self, topic: str) -> Phrasebook:
        if topic not in self._made:
            self._made[topic] = Phrasebook(_listed(topic))
        return self._made[topic]


@from_lexicons
def _books() -> _Books:
    return _Books()


def _listed(topic: str) -> list[tuple[str, str, str, bool]]:
    found: list[tuple[str, str, str, bool]] = []
    for lexicon in lexicons():
        table: object = lexicon.topics
        for part in topic.split("."):
            table = table.get(part, {}) if isinstance(table, dict) else {}
        for key in table if isinstance(table, dict) else ():
            if not key.endswith("_sentences"):
                tight = lexicon.script in SCRIPTS
                for phrase in lexicon.phrases(topic, key):
                    found.append((key, lexicon.code, phrase, tight))
    return found


class Phrasebook:
    """Phrases compiled together: (key, language, phrase, written without blanks).

    >>> book = Phrasebook([("power", "en", "without (asking|confirm*)", False)])
    >>> book.find(("run", "without", "confirmation"))
    (Hit(group='power', language='en', start=1, end=3),)
    """

    def __init__(self, phrases: Sequence[tuple[str, str, str, bool]]) -> None:
        self._by_start: dict[str, list[_Phrase]] = {}
        for key, language, phrase, tight in phrases:
            bare = phrase.strip().removeprefix("^").removesuffix("$")
            parts = _read(bare, tight)
            closes = _CLOSES if phrase.strip().endswith("$") else ""
            opens = phrase.strip().startswith("^")
            made = _Phrase(f"{_regex(parts, tight)}(?: |(?<= )){closes}", key, language, opens)
            for start in _starts(parts):
                self._by_start.setdefault(start, []).append(made)

    @lru_cache(maxsize=2048)  # noqa: B019 - the books live as long as the process
    def find(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        """Every phrase in `words`, each at its shortest, by where it starts."""
        joined = " ".join(words) + " "
        offsets: list[int] = []
        at = 0
        for word in words:
            offsets.append(at)
            at += len(word) + 1
        places = {offset: number for number, offset in enumerate(offsets)}
        places[at] = len(words)
        found: list[Hit] = []
        for number, offset in enumerate(offsets):
            opening = number == 0 or is_boundary(words[number - 1])
            for length in range(1, _LONGEST_KEY + 1):
                for phrase in self._by_start.get(joined[offset : offset + length], ()):
                    if phrase.opens and not opening:
                        continue
                    match = phrase.match(joined, offset)
                    if match and match.end() in places:
                        end = places[match.end()]
                        found.append(Hit(phrase.key, phrase.language, number, end))
        return tuple(dict.fromkeys(found))


class _Phrase:
    """One phrase; its pattern is compiled when a text first starts like it."""

    __slots__ = ("_source", "key", "language", "match", "opens")

    def __init__(self, source: str, key: str, language: str, opens: bool) -> None:
        self._source, self.key, self.language, self.opens = source, key, language, opens
        self.match = self._compile_and_match

    def _compile_and_match(self, joined: str, offset: int) -> re.Match[str] | None:
        self.match = re.compile(self._source).match
        return self.match(joined, offset)


@dataclass(frozen=True)
class _Part:
    """A piece of a phrase: `word` (with `text`), `blank`, `ending`, `gap`, `any` or `either`."""

    kind: str
    text: str = ""
    ways: tuple[tuple[_Part, ...], ...] = ()
    optional: bool = False


def _read(phrase: str, tight: bool) -> tuple[_Part, ...]:
    """The pieces of a phrase. Raises ValueError for a bracket without its other half."""
    parts, left = _read_until_closed(_MARK.findall(phrase.strip()), tight, phrase)
    if left:
        raise ValueError(f"a bracket is closed that was never opened: {phrase!r}")
    if not any(part.kind in ("word", "either") for part in parts):
        raise ValueError(f"a phrase without a word: {phrase!r}")
    return parts


def _read_until_closed(
    marks: list[str], tight: bool, phrase: str
) -> tuple[tuple[_Part, ...], list[str]]:
    ways: list[list[_Part]] = [[]]
    while marks and marks[0] != ")":
        mark, marks = marks[0], marks[1:]
        if mark == "|":
            ways.append([])
        elif mark == "(":
            inner, marks = _read_until_closed(marks, tight, phrase)
            if not marks:
                raise ValueError(f"a bracket is opened and never closed: {phrase!r}")
            marks = marks[1:]
            ways[-1].append(inner[0] if len(inner) == 1 else _Part("either", ways=(inner,)))
        elif mark in _MARKS:
            ways[-1].append(_Part(_MARKS[mark]))
        elif mark.isspace():
            if not tight:
                ways[-1].append(_Part("blank"))
        else:
            words = cue_words(mark)
            text = "".join(f"{word} " for word in words) if tight else " ".join(words)
            ways[-1].append(_Part("word", text))
    filled = tuple(tuple(way) for way in ways if way)
    if len(ways) == 1:
        return tuple(ways[0]), marks
    return (_Part("either", ways=filled, optional=len(filled) < len(ways)),), marks


_MARKS = {"...": "gap", "_": "any", "*": "ending"}


def _regex(parts: Sequence[_Part], tight: bool) -> str:
    """What finds the pieces in folded words that are each followed by a blank."""
    out = ""
    for at, part in enumerate(parts):
        following = parts[at + 1].kind if at + 1 < len(parts) else ""
        if part.kind == "blank":
            # What stands before may have brought its own blank along, or be left out.
            before = parts[at - 1] if at else None
            out += "" if before and before.kind in ("gap", "any") else "(?: |(?<= ))"
        elif part.kind == "gap":
            out += f"(?:{_WORD}){{0,{6 if tight else 3}}}?"
        elif part.kind == "any":
            out += _WORD
        elif part.kind == "ending":
            out += "" if tight else r"\S*"
        elif part.kind == "either":
            ways = "|".join(_regex(way, tight) for way in part.ways)
            blank = " " if part.optional and following == "blank" else ""
            out += f"(?:(?:{ways}){blank})?" if part.optional else f"(?:{ways})"
        else:
            out += re.escape(part.text).replace(r"\ ", " ")
    return out


def _starts(parts: Sequence[_Part]) -> set[str]:
    """What a text that matches the pieces can start with, cut to the length of a key."""
    first, *rest = parts
    if first.kind == "either":
        found = {start for way in first.ways for start in _starts(way)}
        return found | _starts(rest) if first.optional and rest else found
    if first.kind == "blank":
        return _starts(rest)
    if first.kind != "word":
        raise ValueError(f"a phrase must start with a word, not with {first.kind!r}")
    whole = not rest or rest[0].kind == "blank"
    return {(first.text + " " if whole else first.text)[:_LONGEST_KEY]}
