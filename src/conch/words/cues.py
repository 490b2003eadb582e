"""Cues: the short phrases of the lexicons, found in a message in one pass over its words.

A cue is written as people write it, with six marks:

- `^` at its start: it opens a clause; `$` at its end: it closes one;
- `word*`: any word that begins so ("frustrat*"); `*word`: any that ends so ("*라고");
- `_`: any one word; `...`: none to three words of the same clause;
- `(a|b c|)`: any one of these, or nothing.

Case, accents, apostrophes ("dont") and letters drawn out ("nooo") make no difference. Scripts
written without blanks are read letter by letter, so a cue in them is found inside running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from conch.words.fold import fold
from conch.words.scripts import LETTERS as UNSPACED_LETTERS

_LETTERS = rf"(?:(?![{UNSPACED_LETTERS}])[\w\u0900-\u0963\u0970-\u0dff\u0300-\u036f])"
_TOKEN = re.compile(
    rf"\d+(?:[.,:]\d+)+|{_LETTERS}+(?:'{_LETTERS}+)*|[{UNSPACED_LETTERS}ー]"
    "|[.,;:!?…¶।؟،؛。、，！？；：·()]|(?<= )-+(?= )"
    "|[\u2190-\u2bff\U0001f000-\U0001faff]"
)
_BOUNDARIES = frozenset(".,;:!?…¶।؟،؛。、，！？；：·()") | {"-", "--", "---"}
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")
_ONE_OF = re.compile(r"\(([^()]*\|[^()]*)\)")
_GAP = 3
_REMEMBERED = 20_000


def cue_words(text: str) -> list[str]:
    """The folded words of `text` and the marks that part its clauses ("¶" for a new line)."""
    folded = fold(text.replace("\n", " ¶ ") if "\n" in text else text)
    if "'" in folded or '"' in folded:
        folded = folded.replace('"', " ")
    words = _TOKEN.findall(folded)
    if _DRAWN_OUT.search(folded):
        words = [_DRAWN_OUT.sub(r"\1", word) for word in words]
    if "'" in folded:
        words = [word.replace("'", "") for word in words]
    return words


def is_boundary(word: str) -> bool:
    """Whether a word of `cue_words` is a mark that parts clauses."""
    return word in _BOUNDARIES


class Hit(NamedTuple):
    """A cue found: the group it belongs to, its language, and the words it covers."""

    group: str
    language: str
    start: int
    end: int


class _Node:
    __slots__ = (
        "any",
        "begins",
        "closes",
        "ends",
        "finishes",
        "gap",
        "last_lengths",
        "lengths",
        "next",
    )

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.begins: dict[str, _Node] = {}
        self.lengths: tuple[int, ...] = ()
        self.finishes: dict[str, _Node] = {}
        self.last_lengths: tuple[int, ...] = ()
        self.any: _Node | None = None
        self.gap: _Node | None = None
        self.ends: tuple[tuple[str, str], ...] = ()
        self.closes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Cue:
    """One cue as the lexicon has it, with the group and language it is of."""

    group: str
    language: str
    phrase: str


class Cues:
    """Many cues compiled together; finding them takes time linear in the words of the message."""

    def __init__(self, cues: Iterable[Cue]) -> None:
        self._anywhere, self._opening = _Node(), _Node()
        for cue in cues:
            for phrase in _spelled_out(cue.phrase):
                self._add(cue, phrase)
        for root in (self._anywhere, self._opening):
            _measure(root)
        self._led: tuple[dict[str, tuple[_Node, ...]], dict[str, tuple[_Node, ...]]] = ({}, {})

    def _add(self, cue: Cue, phrase: str) -> None:
        opens, closes = phrase.startswith("^"), phrase.endswith("$")
        node = self._opening if opens else self._anywhere
        for part in phrase.strip("^$").split():
            if part == "...":
                node.gap = node.gap or _Node()
                node = node.gap
                continue
            if part == "_":
                node.any = node.any or _Node()
                node = node.any
                continue
            words = _words_of(part)
            for place, word in enumerate(words):
                ways = node.next
                if part.endswith("*") and place == len(words) - 1:
                    ways = node.begins
                elif part.startswith("*") and place == 0:
                    ways = node.finishes
                after = ways.get(word)
                if after is None:
                    after = ways[word] = _Node()
                node = after
        if node in (self._anywhere, self._opening):
            raise ValueError(f"a cue without a word: {cue.phrase!r} in {cue.language} {cue.group}")
        found = ((cue.group, cue.language),)
        if closes:
            node.closes += found
        else:
            node.ends += found

    def find(self, words: Sequence[str]) -> list[Hit]:
        """Every cue in the words of a message (`cue_words`), by where it starts."""
        hits: list[Hit] = []
        opens = True
        for at, word in enumerate(words):
            if word in _BOUNDARIES:
                opens = True
                continue
            for node in self._first(word, opens):
                _walk(node, words, at + 1, at, hits)
            opens = False
        return hits

    def _first(self, word: str, opens: bool) -> tuple[_Node, ...]:
        """Where a word leads as the first of a cue; remembered, since words come again."""
        known = self._led[opens]
        nodes = known.get(word)
        if nodes is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            roots = (self._anywhere, self._opening) if opens else (self._anywhere,)
            nodes = known[word] = tuple(node for root in roots for node in _next(root, word))
        return nodes


@lru_cache(maxsize=16384)
def _words_of(part: str) -> tuple[str, ...]:
    return tuple(cue_words(part))


def _spelled_out(phrase: str) -> list[str]:
    """A cue without its `(a|b)`: one phrase for each way to read it."""
    found = _ONE_OF.search(phrase)
    if found is None:
        return [" ".join(phrase.split())]
    before, after = phrase[: found.start()], phrase[found.end() :]
    return [
        spelled for way in found[1].split("|") for spelled in _spelled_out(f"{before}{way}{after}")
    ]


def _measure(node: _Node) -> None:
    node.lengths = tuple(sorted({len(word) for word in node.begins}))
    node.last_lengths = tuple(sorted({len(word) for word in node.finishes}))
    for child in (
        *node.next.values(),
        *node.begins.values(),
        *node.finishes.values(),
        node.any,
        node.gap,
    ):
        if child is not None:
            _measure(child)


def _next(node: _Node, word: str) -> Iterator[_Node]:
    """The nodes a word leads to: as itself, by how it begins and by how it ends."""
    child = node.next.get(word)
    if child is not None:
        yield child
    if word in _BOUNDARIES:
        return
    for length in node.lengths:
        if length > len(word):
            break
        child = node.begins.get(word[:length])
        if child is not None:
            yield child
    for length in node.last_lengths:
        if length >= len(word):
            break
        child = node.finishes.get(word[-length:])
        if child is not None:
            yield child


def _walk(node: _Node, words: Sequence[str], at: int, start: int, hits: list[Hit]) -> None:
    """Follow the tree from `at`; whatever ends on the way is a hit that began at `start`."""
    last = at >= len(words)
    for group, language in node.ends:
        hits.append(Hit(group, language, start, at))
    if node.closes and (last or words[at] in _BOUNDARIES):
        for group, language in node.closes:
            hits.append(Hit(group, language, start, at))
    if last:
        return
    word = words[at]
    for child in _next(node, word):
        _walk(child, words, at + 1, start, hits)
    if word in _BOUNDARIES:
        return
    if node.any is not None:
        _walk(node.any, words, at + 1, start, hits)
    if node.gap is not None:
        for skipped in range(_GAP + 1):
            if at + skipped > len(words) or _BOUNDARIES.intersection(words[at : at + skipped]):
                break
            _walk(node.gap, words, at + skipped, start, hits)
