"""Timing two ways of doing one thing, in turn, so that a machine's mood meets both alike."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Doing = Callable[[], object]
"""One run of the work; called again for every run, so it brings its own fresh input."""


@dataclass(frozen=True)
class Spread:
    """Milliseconds of several runs."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)


@dataclass(frozen=True)
class Compared:
    """A work beside its baseline. `ratio` is the median of the ratios run by run."""

    work: str
    baseline: str
    conch: Spread
    beside: Spread
    ratio: float


def side_by_side(
    work: str, baseline: str, conch: Doing, beside: Doing, runs: int, warm_up: int = 1
) -> Compared:
    """Run `conch` and `beside` in turn, `runs` times each after `warm_up` uncounted ones."""
    for _ in range(warm_up):
        conch()
        beside()
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(runs):
        ours.append(_milliseconds(conch))
        theirs.append(_milliseconds(beside))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True) if other]
    ratio = statistics.median(ratios) if ratios else float("inf")
    return Compared(work, baseline, Spread(tuple(ours)), Spread(tuple(theirs)), ratio)


def _milliseconds(doing: Doing) -> float:
    began = time.perf_counter()
    doing()
    return (time.perf_counter() - began) * 1_000


def machine() -> str:
    """The facts figures depend on: processors, Python, system."""
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), Python {platform.python_version()}, "
        f"{platform.system()} {platform.release().split('-')[0]}"
    )


def as_table(compared: Sequence[Compared]) -> str:
    """A Markdown table: medians, the spread, and the ratio."""
    rows = [
        "| work | median ms | min to max | beside it | median ms | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for one in compared:
        low, high = min(one.conch.runs), max(one.conch.runs)
        rows.append(
            f"| {one.work} | {one.conch.median:.1f} "
            f"| {low:.1f} to {high:.1f} | {one.baseline} | {one.beside.median:.1f} "
            f"| {one.ratio:.1f} |"
        )
    return "\n".join(rows)
