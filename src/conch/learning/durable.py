"""Durable words: something about the person that will still be true in the next chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from conch.words.clauses import Clause, clauses_of, languages_of
from conch.words.cue_reading import CueReading, read_cues
from conch.words.cues import Hit
from conch.words.weighing import load_weighing

_LONGEST = 40_000
_FIXED = ("lives", "called", "am")
"""What somebody is stays true beside a "today" or an error in the same sentence."""
_LOOSE = ("likes", "works", "has", "changed")
_SAID_ONCE = ("lesson", "rule")
"""What was learned from a dead end, and how it is to be from now on: true without an "I"."""
_CUES = tuple(
    f"durable.{kind}"
    for kind in (*_FIXED, *_LOOSE, *_SAID_ONCE, "always", "people", "things", "aside", "tells")
)
_TELLS_FROM, _TELLS_TO = 3, 25
_NAMED = 2
_UPSET = ("frustration.strong", "frustration.again")
_SPEAKS_OTHERWISE = ("frames.words_about", "frames.role", "frames.supposing", "frames.reported")


def durable(prose: str) -> bool:
    """Whether the person's own prose says something durable about them (spec 0088 §2).

    "I live in Utrecht", "call me Jo", "we use pnpm here"; not a question, a wish for now, a
    supposition, a part that is played or what somebody else likes. One such sentence is enough,
    however long the message; each is weighed by itself, so that a pronoun in one and a cue in
    another do not add up.
    """
    reading = read_cues(prose[:_LONGEST])
    if not any(group in reading.groups for group in _CUES):
        return False
    weighing = load_weighing("conch.learning", "durable")
    return any(weighing.says_yes(clues) for clues in durable_clues(reading))


def durable_clues(reading: CueReading) -> list[dict[str, float]]:
    """The clues of each sentence of a message, in order.

    Their weights (`weights/durable.json`) are set by hand, not learned: a kind of cue says about
    as much in every language, and most languages have too few labelled messages to learn from.
    """
    codes = languages_of(reading, _CUES, only=True)
    hits = _Hits(reading, codes)
    found: list[dict[str, float]] = []
    made_up = False
    stated = {
        hit.start
        for kind in ("first", *_FIXED, *_LOOSE)
        for hit in reading.groups.get(f"durable.{kind}", ())
        if hit.language in codes
    }
    clauses = clauses_of(reading, codes, stated)
    plain = not any(clause.asks for clause in clauses) and not any(
        reading.has(group) for group in _UPSET
    )
    for _, group in groupby(clauses, key=lambda clause: clause.sentence_start):
        sentence = _Sentence(list(group), reading, hits)
        if sentence.has("aside"):
            made_up = False
        clues = sentence.clues(plain)
        if made_up:
            clues["made up before"] = 1.0
        made_up = made_up or sentence.makes_up()
        found.append(clues)
    return found


class _Hits:
    """The hits of the message's languages, by the word they start at."""

    def __init__(self, reading: CueReading, codes: frozenset[str]) -> None:
        self._at: dict[int, list[Hit]] = {}
        for group, hits in reading.groups.items():
            if group.startswith(("durable.", "frames.")):
                for hit in hits:
                    if hit.language in codes:
                        self._at.setdefault(hit.start, []).append(hit)

    def between(self, start: int, end: int) -> Iterable[Hit]:
        return [hit for at in range(start, end) for hit in self._at.get(at, ())]


class _Sentence:
    """One sentence: what it says of the person, and what keeps it from counting."""

    def __init__(self, clauses: list[Clause], reading: CueReading, hits: _Hits) -> None:
        self.clauses, self.words = clauses, reading.words
        self.start, self.end = clauses[0].sentence_start, clauses[0].sentence_end
        self.by_kind: dict[str, list[Hit]] = {}
        for hit in hits.between(self.start, self.end):
            name = hit.group if hit.group.startswith("frames.") else hit.group.split(".")[1]
            self.by_kind.setdefault(name, []).append(hit)

    def has(self, kind: str) -> bool:
        return kind in self.by_kind

    def hits(self, kind: str) -> list[Hit]:
        return self.by_kind.get(kind, [])

    def makes_up(self) -> bool:
        """Whether it sets up what follows: "Imagine you are my doctor.", "Translate this:"."""
        opening = self.clauses[0]
        return not opening.asks and any(
            hit.start <= opening.start + 1 for hit in self.hits("unreal")
        )

    def clues(self, plain: bool) -> dict[str, float]:
        kinds: dict[str, int] = {}
        for clause in self.clauses:
            for kind, at in self._kinds(clause):
                kinds[kind] = min(at, kinds.get(kind, at))
        if not kinds.keys() - {"first", "aside"} and plain and self._tells():
            kinds["tells"] = self.clauses[0].start
        clues = dict.fromkeys(sorted(kinds), 1.0)
        telling = {kind: at for kind, at in kinds.items() if kind not in ("first", "aside")}
        if not telling:
            return clues
        if len(telling) >= 2:
            clues["two kinds"] = 1.0
        rule_alone = telling.keys() == {"rule"}
        if self._otherwise(min(telling.values()), ("unreal",), ahead=rule_alone):
            clues["unreal"] = 1.0
        if self._otherwise(min(telling.values()), _SPEAKS_OTHERWISE):
            clues["speaks otherwise"] = 1.0
        if self.has("trouble") and not telling.keys() & set(_FIXED):
            clues["trouble"] = 1.0
        return clues

    def _tells(self) -> bool:
        """A plain "I …" or "we …" in the present, with nothing passing or wished about it."""
        first = self.clauses[0]
        begins = self._inside("tells", first)
        if self.has("aside"):
            begins = begins + [
                hit for clause in self.clauses for hit in self._inside("first", clause)
            ]
        if not any(self._leads(hit, self._clause_of(hit)) for hit in begins):
            return False
        if any(
            self.has(kind)
            for kind in ("wants", "this_once", "fleeting", "trouble", "against", "others")
        ):
            return False
        return _TELLS_FROM <= sum(one.end - one.start for one in self.clauses) <= _TELLS_TO

    def _clause_of(self, hit: Hit) -> Clause:
        return next(one for one in self.clauses if one.start <= hit.start < one.end)

    def _otherwise(self, first: int, kinds: Iterable[str], *, ahead: bool = False) -> bool:
        """Whether it is not said of the person's own life: before the cue, or in its clause.

        `ahead`: only before it. A rule may go on to say what would be a task by itself ("from now
        on answer in French").
        """
        clause = next(one for one in self.clauses if one.start <= first < one.end)
        return any(
            hit.start <= first or (not ahead and hit.start < clause.end and kind == "unreal")
            for kind in kinds
            for hit in self.hits(kind)
        )

    def _kinds(self, clause: Clause) -> Iterator[tuple[str, int]]:
        """The kinds of durable cue a clause has and where, after what takes them back."""
        said = self._said_until(clause)
        if said <= clause.start:
            return
        passing = bool(self._inside("this_once", clause))
        for kind in (*_FIXED, *_LOOSE):
            for hit in self._inside(kind, clause):
                if hit.start >= said or self._wished(hit) or self._anothers(hit, clause):
                    continue
                if passing and kind in _LOOSE:
                    continue
                if not self._own(hit):
                    yield kind, hit.start
                elif self._leads(hit, clause):
                    if kind == "called" or hit.end - hit.start > _NAMED:
                        yield kind, hit.start
                    elif self._says_of(hit, said):
                        yield "of theirs", hit.start
        for kind in self._habit(clause, said, passing):
            yield kind, clause.start
        for kind in _SAID_ONCE:
            for hit in self._inside(kind, clause):
                # "From today on" says today and means every day.
                once = any(
                    not (hit.start <= other.start < hit.end)
                    for other in self._inside("this_once", clause)
                )
                if hit.start < said and not once and not self._wished(hit):
                    yield kind, hit.start
        for kind in ("people", "things"):
            for hit in self._inside(kind, clause):
                if hit.start < said and self._leads(hit, clause) and self._says_of(hit, said):
                    once = (
                        passing or self._anothers(hit, clause) or self._inside("fleeting", clause)
                    )
                    yield ("people, once" if once else "people"), hit.start
        for kind in ("aside", "first"):
            for hit in self._inside(kind, clause):
                yield kind, hit.start

    def _says_of(self, hit: Hit, said: int) -> bool:
        """Whether something is said of what the cue names: its verb, two words or three letters."""
        if hit.end - hit.start > _NAMED:
            return True
        return sum(0.67 if word[0] >= "\u3040" else 1 for word in self.words[hit.end : said]) >= 2

    def _habit(self, clause: Clause, said: int, passing: bool) -> set[str]:
        always = [hit for hit in self._inside("always", clause) if hit.start < said]
        if not always or passing or self._inside("wants", clause):
            return set()
        others = self._inside("others", clause)
        if others and others[0].start <= always[0].start:
            return set()
        if self._inside("first", clause):
            return {"habit"}
        if any(self._inside("first", other) for other in self.clauses if other.start < said):
            return {"habit beside"}
        return {"habit of something"} if self._inside("mine", clause) else set()

    def _said_until(self, clause: Clause) -> int:
        """Up to where a clause states something: all of it, or to its question word."""
        if clause.opens_asking:
            return clause.start
        asked = [
            hit.start
            for hit in self._inside("frames.question", clause)
            if hit.start > clause.start + 1
        ]
        if asked:
            return min(asked)
        return clause.start if clause.asks else clause.end

    def _inside(self, kind: str, clause: Clause) -> list[Hit]:
        return [hit for hit in self.hits(kind) if clause.start <= hit.start < clause.end]

    def _wished(self, hit: Hit) -> bool:
        """Whether a wish or a task is what the cue belongs to: "i have a question"."""
        return any(other.start < hit.end and hit.start < other.end for other in self.hits("wants"))

    def _anothers(self, hit: Hit, clause: Clause) -> bool:
        """Whether somebody else is the one a cue without an "I" speaks of."""
        others = [other for other in self._inside("others", clause) if other.start < hit.start]
        return bool(others) and not any(
            others[0].end <= own.start < hit.end for own in self._inside("first", clause)
        )

    def _own(self, hit: Hit) -> bool:
        """Whether a cue begins with "my" or "our": it only names something, so far."""
        return any(other.start == hit.start for other in self.hits("mine"))

    def _leads(self, hit: Hit, clause: Clause) -> bool:
        """Whether it is what the clause is about, not who a task is for ("email my team")."""
        at = clause.start
        while at < hit.start:
            nexts = [
                other.end
                for kind in ("joins", "aside", "first", "mine", "frames.but", "frames.yes")
                for other in self.hits(kind)
                if other.start == at
            ]
            if not nexts:
                return False
            at = max(nexts)
        return True
