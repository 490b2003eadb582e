"""A message read for cues: its words, and every cue of every language's lexicon found in them.

The cue tables are `[signals.correction]`, `[signals.rephrasing]`, `[signals.frustration]`,
`[signals.thanks]`, `[durable]` and `[frames]`; a list `no = […]` in `[signals.correction]` is the
group `correction.no`. What stands under a topic's `against` takes back the topic's cues it lies
over: "no problem" is no "no".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conch.words.cues import Cue, Cues, Hit, cue_words, is_boundary
from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, lexicons

_TOPICS = {
    "correction": "signals.correction",
    "rephrasing": "signals.rephrasing",
    "frustration": "signals.frustration",
    "thanks": "signals.thanks",
    "durable": "durable",
    "frames": "frames",
}
_SENTENCE_ENDS = frozenset(".!?…¶।؟。！？;；")


@dataclass(frozen=True)
class CueReading:
    """What was found in one text. `groups` gives a group's hits ("correction.no"), in order."""

    words: tuple[str, ...]
    groups: Mapping[str, Sequence[Hit]] = field(default_factory=dict)

    def has(self, group: str) -> bool:
        return group in self.groups

    def opens_with(self, group: str) -> bool:
        """Whether a cue of the group is the very beginning of the text."""
        return any(hit.start == 0 for hit in self.groups.get(group, ()))

    def sentences(self) -> tuple[CueReading, ...]:
        """The same reading sentence by sentence (a question mark stays with its sentence)."""
        spans = list(_sentence_spans(self.words))
        if len(spans) == 1:
            return (self,)
        return tuple(self._part(start, end) for start, end in spans)

    def _part(self, start: int, end: int) -> CueReading:
        groups: dict[str, list[Hit]] = {}
        for group, hits in self.groups.items():
            inside = [
                hit._replace(start=hit.start - start, end=hit.end - start)
                for hit in hits
                if start <= hit.start < end
            ]
            if inside:
                groups[group] = inside
        return CueReading(self.words[start:end], groups)


def read_cues(prose: str) -> CueReading:
    """Reads a text for every cue. Give it own prose only: quoted words are nobody's cue."""
    words = cue_words(prose)
    groups: dict[str, list[Hit]] = {}
    for hit in _of_the_language(words, _all_cues().find(words)):
        groups.setdefault(hit.group, []).append(hit)
    for topic in _TOPICS:
        against = groups.get(f"{topic}.against")
        if against:
            _take_back(groups, topic, against)
    return CueReading(tuple(words), groups)


def read_answer(text: str) -> CueReading:
    """Reads an answer for the frames that say what came of it: `frames.failed`, `frames.done`."""
    words = cue_words(text)
    groups: dict[str, list[Hit]] = {}
    for hit in _of_the_language(words, _answer_cues().find(words)):
        groups.setdefault(hit.group, []).append(hit)
    return CueReading(tuple(words), groups)


def _of_the_language(words: Sequence[str], hits: list[Hit]) -> list[Hit]:
    """The hits without those that only look like a cue: Italian "come" in an English sentence.

    A cue of one Latin word counts only where the text can be in its language; English ones always
    do, since people mix English in. Japanese and Chinese are told apart by kana.
    """
    weight = dict.fromkeys((hit.language for hit in hits), 0)
    if len(weight) <= 1:
        return hits
    small = _small_words()
    for word in words:
        for code in small.get(word, ()):
            if code in weight:
                weight[code] += 1
    for hit in hits:
        if hit.end - hit.start > 1:
            weight[hit.language] += 1
    least = max(weight.values()) / 2
    other = ""
    if "ja" in weight and "zh" in weight:
        other = "zh" if any("\u3041" <= word[0] <= "\u30fa" for word in words) else "ja"
    return [
        hit
        for hit in hits
        if hit.language != other
        and (
            hit.end - hit.start > 1
            or hit.language == "en"
            or weight[hit.language] >= least
            or words[hit.start][0] >= "\u0250"
        )
    ]


def _take_back(groups: dict[str, list[Hit]], topic: str, against: Sequence[Hit]) -> None:
    for group in [group for group in groups if group.startswith(f"{topic}.")]:
        if group.endswith(".against"):
            continue
        left = [
            hit
            for hit in groups[group]
            if not any(hit.start < other.end and other.start < hit.end for other in against)
        ]
        if left:
            groups[group] = left
        else:
            del groups[group]


def _sentence_spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, word in enumerate(words):
        if word in _SENTENCE_ENDS and any(not is_boundary(other) for other in words[start:at]):
            yield start, at + 1
            start = at + 1
    if start < len(words) or start == 0:
        yield start, len(words)


@from_lexicons
def _small_words() -> dict[str, tuple[str, ...]]:
    """The languages each small word is of."""
    found: dict[str, list[str]] = {}
    for lexicon in lexicons():
        listed = (*lexicon.phrases("words", "function"), *lexicon.phrases("words", "negation"))
        for word in {fold(word) for word in listed}:
            found.setdefault(word, []).append(lexicon.code)
    return {word: tuple(codes) for word, codes in found.items()}


@from_lexicons
def _answer_cues() -> Cues:
    return Cues(
        Cue(f"frames.{group}", lexicon.code, phrase)
        for lexicon in lexicons()
        for group in ("failed", "done")
        for phrase in lexicon.phrases("frames", group)
    )


@from_lexicons
def _all_cues() -> Cues:
    return Cues(
        Cue(f"{topic}.{group}", lexicon.code, str(phrase))
        for lexicon in lexicons()
        for topic, path in _TOPICS.items()
        for group, phrases in _lists(lexicon.topics, path).items()
        for phrase in phrases
    )


def _lists(topics: Mapping[str, Any], path: str) -> Mapping[str, Sequence[str]]:
    table: Any = topics
    for part in path.split("."):
        table = table.get(part, {})
    return {key: value for key, value in table.items() if isinstance(value, list)}
