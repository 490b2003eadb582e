"""Clues weighed into a yes or no: a sum of weights, kept as a small JSON file.

The weights are learned from labelled messages by `tools/train_signals.py`; a file names every clue
in words, so that why something was or was not seen can be read off it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Weighing:
    """One question's weights. Undecided is a sum between `unsure_from` and `unsure_to`."""

    start: float
    clues: Mapping[str, float]
    cut: float = 0.0
    unsure_from: float = 0.0
    unsure_to: float = 0.0

    def weigh(self, clues: Mapping[str, float]) -> float:
        """The sum for the clues given (a clue nobody weighs counts nothing)."""
        weights = self.clues
        total = self.start
        for clue, value in clues.items():
            weight = weights.get(clue)
            if weight is not None:
                total += weight * value
        return total

    def says_yes(self, clues: Mapping[str, float]) -> bool:
        return self.weigh(clues) > self.cut

    def unsure(self, total: float) -> bool:
        return self.unsure_from < total < self.unsure_to


@cache
def load_weighing(package: str, name: str) -> Weighing:
    """Reads `weights/<name>.json` of a package ("conch.learning")."""
    raw = json.loads(files(package).joinpath("weights", f"{name}.json").read_text("utf-8"))
    return Weighing(
        raw["start"],
        raw["clues"],
        raw.get("cut", 0.0),
        raw.get("unsure_from", 0.0),
        raw.get("unsure_to", 0.0),
    )
