"""Signals that words leave undecided, weighed again with what the message is about.

A small trained reading (`weights/<label>.meaning.json`, made by `tools/train_signals.py`): the
same clues, how close message, answer and the message before are in meaning, and in which direction
the message turns away from the two. It is asked only where the clues' sum is near its cut, and
only with the encoder it was trained with.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from conch.learning.echoes import Clues
from conch.learning.exchange import Exchange
from conch.words.weighing import Weighing

if TYPE_CHECKING:
    import numpy

    from conch.words.meaning import Meaning

READ = 300
"""Characters of each text that are encoded: the model's time grows with length."""
LIKENESS_SCALE, TURN_SCALE = 3.0, 3.0


@dataclass(frozen=True)
class Reading:
    """One label's weights over clues and meaning."""

    encoder: str
    unsure: float
    clues: Weighing
    likeness: numpy.ndarray
    from_answer: numpy.ndarray
    from_before: numpy.ndarray

    def says_yes(self, exchange: Exchange, clues: Clues, meaning: Meaning) -> bool:
        total = self.clues.weigh(clues)
        likeness, from_answer, from_before = places(exchange, meaning)
        total += float(likeness @ self.likeness)
        total += float(from_answer @ self.from_answer + from_before @ self.from_before)
        return total > 0


def decide(
    label: str, total: float, exchange: Exchange, clues: Clues, meaning: Meaning | None
) -> bool:
    """Whether a label holds: by the clues' sum, or where that is unsure by meaning."""
    if meaning is None:
        return total > 0
    reading = load_reading(label)
    if reading is None or abs(total) >= reading.unsure or meaning.name != reading.encoder:
        return total > 0
    return reading.says_yes(exchange, clues, meaning)


def places(
    exchange: Exchange, meaning: Meaning
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Three likenesses, and the message's vector less the answer's and less the one before's."""
    import numpy

    message, before, answer = meaning.encode(
        [exchange.prose[:READ], exchange.before_prose[:READ], (exchange.reply or "")[:READ]]
    )
    likeness = numpy.array([message @ before, message @ answer, answer @ before])
    return (
        LIKENESS_SCALE * likeness,
        TURN_SCALE**0.5 * (message - answer),
        TURN_SCALE**0.5 * (message - before),
    )


@cache
def load_reading(label: str) -> Reading | None:
    """The trained reading of a label; None where there is none."""
    import numpy

    path = files("conch.learning").joinpath("weights", f"{label}.meaning.json")
    if not path.is_file():
        return None
    raw = json.loads(path.read_text("utf-8"))

    def row(name: str) -> numpy.ndarray:
        return numpy.array(raw[name], dtype=numpy.float32) / raw["scale"]

    return Reading(
        raw["encoder"],
        raw["unsure"],
        Weighing(raw["start"], raw["clues"]),
        row("likeness"),
        row("from_answer"),
        row("from_before"),
    )
