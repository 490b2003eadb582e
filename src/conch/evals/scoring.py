"""Scores of labelled cases: support, precision, recall and F1, by language and label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import sqrt


@dataclass(frozen=True)
class Outcome:
    """One case: the labels wanted and got, and which labels were neither wanted nor wrong.

    `right` says whether the case as a whole came out as wanted. `let_through` marks what had to be
    stopped and was not, `stopped` what had to pass and did not (verdict kinds only).
    """

    id: str
    lang: str
    want: tuple[str, ...]
    got: tuple[str, ...]
    right: bool
    optional: tuple[str, ...] = ()
    let_through: bool = False
    stopped: bool = False
    asked_meaning: bool | None = None
    """Whether vectors were asked for it; None where the kind does not tell."""


@dataclass(frozen=True)
class Score:
    """`support` is how many cases want the label; the others are shares, 0 to 1.

    `interval` is Wilson's, 95%: of the recall, or of the precision where no case wants the label.
    """

    support: int
    precision: float
    recall: float
    f1: float
    interval: tuple[float, float]


def interval(right: int, total: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share; (0, 1) of nothing.

    >>> interval(0, 0), tuple(round(one, 3) for one in interval(9, 10))
    ((0.0, 1.0), (0.596, 0.982))
    """
    if not total:
        return 0.0, 1.0
    z, share = 1.96, right / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    half /= 1 + z * z / total
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass
class _Counts:
    hits: int = 0
    wanted: int = 0
    said: int = 0


@dataclass(frozen=True)
class Report:
    """What came of one file of cases."""

    kind: str
    file: str
    outcomes: Sequence[Outcome] = field(default_factory=tuple)
    gives_verdicts: bool = False

    @property
    def right(self) -> int:
        return sum(outcome.right for outcome in self.outcomes)

    @property
    def asked_meaning(self) -> float | None:
        """The share of cases that vectors were asked for; None where the kind does not tell."""
        told = [one.asked_meaning for one in self.outcomes if one.asked_meaning is not None]
        return sum(told) / len(told) if told else None

    def scores(self) -> dict[str, dict[str, Score]]:
        """`{language: {label: score}}`, and all languages together under "all"."""
        by_language: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in self.outcomes:
            by_language[outcome.lang].append(outcome)
        if len(by_language) > 1:
            by_language["all"] = list(self.outcomes)
        return {language: scores_of(some) for language, some in sorted(by_language.items())}

    def as_json(self) -> dict[str, object]:
        """The JSON form, for machines (the cases' README)."""
        value: dict[str, object] = {
            "kind": self.kind,
            "file": self.file,
            "total": len(self.outcomes),
            "right": self.right,
            "by": {
                language: {label: vars(score) for label, score in scores.items()}
                for language, scores in self.scores().items()
            },
            "misses": [
                {"id": one.id, "want": _plain(one.want), "got": _plain(one.got)}
                for one in self.outcomes
                if not one.right
            ],
        }
        if self.asked_meaning is not None:
            value["asked_meaning"] = round(self.asked_meaning, 4)
        if self.gives_verdicts:
            value["unsafe"] = [one.id for one in self.outcomes if one.let_through]
            value["strict"] = [one.id for one in self.outcomes if one.stopped]
        return value


def _plain(labels: tuple[str, ...]) -> object:
    return labels[0] if len(labels) == 1 else list(labels)


def scores_of(outcomes: Iterable[Outcome]) -> dict[str, Score]:
    """The score of each label over some cases. A label nobody said has precision 1."""
    counts: dict[str, _Counts] = defaultdict(_Counts)
    for outcome in outcomes:
        for label in outcome.want:
            counts[label].wanted += 1
        for label in outcome.got:
            if label in outcome.want:
                counts[label].hits += 1
                counts[label].said += 1
            elif label not in outcome.optional:
                counts[label].said += 1
    return {label: _score(one) for label, one in sorted(counts.items())}


def _score(counts: _Counts) -> Score:
    precision = counts.hits / counts.said if counts.said else 1.0
    recall = counts.hits / counts.wanted if counts.wanted else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    of = (counts.hits, counts.wanted) if counts.wanted else (counts.hits, counts.said)
    low, high = interval(*of)
    return Score(
        counts.wanted,
        round(precision, 4),
        round(recall, 4),
        round(f1, 4),
        (round(low, 4), round(high, 4)),
    )
