"""Signals that a plain sum of clues leaves undecided, weighed again more closely.

Two trained readings (`weights/<label>.undecided.json`, made by `tools/train_signals.py`). The first
weighs clues two by two: a "no" counts for less where the answer asked. The second, asked only where
the first is unsure too and only with the encoder it was trained with, also weighs how close
message, answer and the message before are in meaning, and which way the message turns from them.
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
LIKENESS_SCALE, TURN_SCALE = 3.0, 3.0


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
        seen = sorted(
            (self.place[clue], value) for clue, value in clues.items() if clue in self.place
        )
        total = self.start + sum(self.single[at] * value for at, value in seen)
        if self.pairs:
            for upto, (at, value) in enumerate(seen, start=1):
                row = self.pairs[at]
                total += value * sum(row[other] * theirs for other, theirs in seen[:upto])
        return total


@dataclass(frozen=True)
class WithMeaning:
    """Weights over clues and meaning. `unsure`: how near its cut the sum before leaves a label."""

    encoder: str
    unsure: float
    clues: ByTwos
    likeness: numpy.ndarray
    from_answer: numpy.ndarray
    from_before: numpy.ndarray

    def weigh(self, exchange: Exchange, clues: Clues, meaning: Meaning) -> float:
        likeness, from_answer, from_before = places(exchange, meaning)
        total = self.clues.weigh(clues) + float(likeness @ self.likeness)
        return total + float(from_answer @ self.from_answer + from_before @ self.from_before)


@dataclass(frozen=True)
class Readings:
    """One label's readings. `unsure`: how near its cut a plain sum leaves the label undecided."""

    unsure: float
    by_twos: ByTwos | None
    raw: Mapping[str, Any]


def decide(
    label: str, total: float, exchange: Exchange, clues: Clues, meaning: Meaning | None
) -> bool:
    """Whether a label holds: by the sum of its clues, or where that is unsure more closely."""
    readings = load_readings(label)
    if abs(total) >= readings.unsure:
        return total > 0
    if readings.by_twos is not None:
        total = readings.by_twos.weigh(clues)
    if meaning is not None:
        closer = load_with_meaning(label)
        if closer.encoder == meaning.name and abs(total) < closer.unsure:
            total = closer.weigh(exchange, clues, meaning)
    return total > 0


def places(
    exchange: Exchange, meaning: Meaning
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Three likenesses, and the message's vector less the answer's and less the one before's."""
    import numpy

    message, before, answer = meaning.encode(texts_of(exchange))
    likeness = numpy.array([message @ before, message @ answer, answer @ before])
    return (
        LIKENESS_SCALE * likeness,
        TURN_SCALE**0.5 * (message - answer),
        TURN_SCALE**0.5 * (message - before),
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
        raw["encoder"],
        raw["unsure"],
        _by_twos(raw, scale),
        row("likeness"),
        row("from_answer"),
        row("from_before"),
    )


def _by_twos(raw: Mapping[str, Any], scale: float) -> ByTwos:
    return ByTwos(
        raw["start"] / scale,
        {clue: place for place, clue in enumerate(raw["clues"])},
        [weight / scale for weight in raw["single"]],
        [[weight / scale for weight in row] for row in raw["pairs"]],
    )
