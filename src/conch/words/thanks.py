"""Thanks: words that say that something went well (spec 0088 §2, 0058).

A message is read in the language it is in, by its clauses: a thank-you, praise or "it works", and
what takes it back - a complaint, a "but", a question, a request it was only a courtesy to.
"""

from __future__ import annotations

from conch.words.clauses import Clause, clauses_of, languages_of
from conch.words.cue_reading import CueReading, read_cues
from conch.words.cues import Hit

_LONGEST = 1500
_KINDS = ("thanks.thank", "thanks.praise", "thanks.works")
_EDGE = 15


def thanks(prose: str) -> bool:
    """Whether the person's own prose thanks for, or praises, what was done.

    "no errors now, thanks" and "spot on. now do march" do. Thanks in advance, "no thanks", thanks
    with a complaint after them, a question how to thank and mocking praise do not.
    """
    return are_thanks(read_cues(prose[:_LONGEST]))


def are_thanks(reading: CueReading) -> bool:
    """`thanks` for a message that has been read for cues already."""
    if not any(reading.has(group) for group in _KINDS):
        return False
    return _Thanks(reading, languages_of(reading, _KINDS)).meant()


class _Thanks:
    """The thanks of a message as one language (or two) has them."""

    def __init__(self, reading: CueReading, codes: frozenset[str]) -> None:
        self.reading, self.codes = reading, codes
        self.cues = sorted(
            {(hit.start, hit.end, group) for group in _KINDS for hit in self._hits(group)}
        )
        self.clauses = clauses_of(reading, codes, {start for start, _, _ in self.cues})
        self.spoils = [
            hit
            for hit in self._hits("thanks.spoils")
            if not any(start <= hit.start and hit.end <= end for start, end, _ in self.cues)
        ]
        self.requests = self._hits("thanks.asks")
        self.nexts = self._hits("thanks.next")

    def _hits(self, group: str) -> list[Hit]:
        return [hit for hit in self.reading.groups.get(group, ()) if hit.language in self.codes]

    def meant(self) -> bool:
        self.cues = [cue for cue in self.cues if self._stands(*cue)]
        if not self.cues or self._declined() or self._spoiled() or self._lukewarm():
            return False
        return not self._taken_back()

    def _stands(self, start: int, end: int, group: str) -> bool:
        """Whether a cue is said by the person, of what was done, and is not asked or asked for."""
        clause = next(one for one in self.clauses if one.start <= start < one.end)
        if clause.asks and not self._leads_on(clause, start, end, group):
            return False
        words = len(self.reading.words)
        edge = start < _EDGE or end > words - _EDGE
        if not edge and start != clause.start and end != clause.end:
            return False
        if self._spoken_of(clause, start):
            return False
        return not self._only_polite(clause, start, end, group)

    def _leads_on(self, clause: Clause, start: int, end: int, group: str) -> bool:
        """ "thanks can you also do march?": a question that opens with thanks and goes on."""
        return (
            group != "thanks.works"
            and start == clause.start
            and not clause.opens_asking
            and clause.end - end >= 3
        )

    def _spoken_of(self, clause: Clause, start: int) -> bool:
        for group in ("frames.reported", "frames.role", "frames.supposing"):
            if any(clause.sentence_start <= hit.start < start for hit in self._hits(group)):
                return True
        return start > clause.start and any(
            clause.start <= hit.start < clause.end for hit in self._hits("frames.words_about")
        )

    def _only_polite(self, clause: Clause, start: int, end: int, group: str) -> bool:
        """Thanks or praise at the end of a request: "make it look great", "now for May, thx"."""
        asked = [hit for hit in self.requests if hit.end <= start]
        if any(hit.start >= clause.sentence_start for hit in asked):
            return True
        if group != "thanks.thank":
            return False
        if any(other < start for other, _, _ in self.cues):
            return False
        nexts = [hit for hit in self.nexts if clause.sentence_start <= hit.start < start]
        asks = any(one.asks and one.end <= start for one in self.clauses)
        return bool(asked or nexts or asks) and len(self.reading.words) - end <= 4

    def _lukewarm(self) -> bool:
        """Only "nice." before the next thing, or a wonder that it works: no thanks in that."""
        if any(group == "thanks.thank" for _, _, group in self.cues):
            return False
        if all(group == "thanks.works" for _, _, group in self.cues):
            return bool(self._hits("thanks.surprise"))
        mild = {(hit.start, hit.end) for hit in self._hits("thanks.mild")}
        spans = {(start, end) for start, end, _ in self.cues}
        said = sum(clause.end - clause.start for clause in self.clauses)
        return spans <= mild and said > max(end - start for start, end in spans) + 1

    def _declined(self) -> bool:
        if self._only_answers():
            return True
        declines = self._hits("thanks.declines") + self._hits("thanks.ahead")
        if not declines:
            return False
        return not any(
            group != "thanks.thank"
            and not any(start < hit.end and hit.start < end for hit in declines)
            for start, end, group in self.cues
        )

    def _only_answers(self) -> bool:
        """ "No, thanks", "yes, please, thanks": an answer and a courtesy."""
        if any(group != "thanks.thank" for _, _, group in self.cues):
            return False
        first = self.clauses[0]
        spans = {(hit.start, hit.end) for hit in self._hits("thanks.answers")}
        said = sum(clause.end - clause.start for clause in self.clauses)
        if (first.start, first.end) in spans:
            return len(self.clauses) > 1 and said <= 6
        return False

    def _spoiled(self) -> bool:
        """Whether a complaint stands after the thanks, or before them and nothing made it good."""
        if not self.spoils:
            return False
        last = max(hit.start for hit in self.spoils)
        after = [(start, group) for start, _, group in self.cues if start > last]
        if not after:
            return True
        if any(group == "thanks.works" for _, group in after):
            return False
        turns = [hit.start for hit in self._buts() if hit.start > last]
        return not any(turn < start for turn in turns for start, _ in after)

    def _buts(self) -> list[Hit]:
        return self._hits("thanks.but")

    def _taken_back(self) -> bool:
        """ "thanks, but …": a "but" right after, with no praise behind it."""
        for hit in self._buts():
            before = [end for _, end, _ in self.cues if end <= hit.start]
            inside = [1 for start, end, _ in self.cues if start <= hit.start < end]
            if not before and not inside:
                continue
            if any(start >= hit.end and group != "thanks.thank" for start, _, group in self.cues):
                continue
            end = max(before, default=hit.start)
            if any(end <= ask.start < hit.start for ask in (*self.requests, *self.nexts)):
                continue
            if inside or self._same_breath(end, hit.start):
                return True
        return False

    def _same_breath(self, end: int, at: int) -> bool:
        """Whether `at` is in the sentence the cue ended in, or opens the next one."""
        clause = next(one for one in self.clauses if one.start <= end - 1 < one.end)
        if at < clause.sentence_end:
            return True
        later = [one for one in self.clauses if one.start >= clause.sentence_end]
        return bool(later) and at == later[0].start
