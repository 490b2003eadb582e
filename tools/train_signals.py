"""Learns the weights signals are weighed with, from labelled messages.

    python tools/train_signals.py CASES.jsonl... [--out src/conch/learning/weights]

Each label is a logistic regression over the clues of `conch.learning.clues` (and, for durable
words, over each sentence's clues, the best sentence of a message standing for it). Only clues seen
in at least three messages are kept; weights are rounded to two places.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from conch.learning.clues import TOGETHER, clues_of
from conch.learning.durable import durable_clues
from conch.learning.exchange import Exchange, exchange_of
from conch.learning.repeats import says_the_same
from conch.learning.undecided import places
from conch.words.cue_reading import read_cues
from conch.words.meaning import Meaning, load_meaning

LABELS = ("correction", "rephrasing", "frustration")
SEEN_AT_LEAST = 3
SCALE = 1000
UNSURE = {"correction": 1.5, "rephrasing": 2.5, "frustration": 1.5}
"""How near its cut a sum of clues leaves a label undecided."""
AGAINST = frozenset(
    (
        "correction.against",
        "correction.actually",
        "correction.points",
        "rephrasing.follow_up",
        "rephrasing.asks",
        "frustration.against",
    )
)
"""Groups of a label's lexicon that may count against it."""
_PLACES = ("frames.repeatable", "frames.go_on", "frames.failed", "frames.done")
BESIDE = {
    "correction": frozenset((*_PLACES, "frames.words_about", "thanks.spoils")),
    "rephrasing": frozenset((*_PLACES, "thanks.spoils", "frustration.mild", "exclaims twice")),
    "frustration": frozenset(
        (
            *_PLACES,
            "no correction",
            "no new words",
            "all new words",
            "shares no word",
            "some words shared",
            "only adds",
            "only leaves out",
            "half the frame",
            "short",
            "very short",
            "long",
            "told",
            "answer:done",
            "correction.points",
            "durable.first",
            "opens:rephrasing.asks",
            "opens:frames.question",
        )
    ),
}
"""Clues a label does not hang on; in few cases they would only fit by chance."""
Row = Mapping[str, Any]


def read_rows(paths: Sequence[Path]) -> list[Row]:
    return [
        json.loads(line)
        for path in paths
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


def exchange_for(row: Row) -> Exchange:
    exchange = exchange_of([(turn["role"], turn["text"]) for turn in row["turns"]])
    if exchange is None:
        raise ValueError(f"{row['id']} has no message")
    return exchange


def bags_for(label: str, exchange: Exchange) -> list[dict[str, float]]:
    """The clue sets of a message: one, or for durable words one a sentence."""
    if label == "durable":
        return durable_clues(read_cues(exchange.prose[:6000]))
    if not exchange.answered or says_the_same(exchange):
        return []
    return [clues_of(exchange)]


def fit(
    bags: Sequence[Sequence[Mapping[str, float]]],
    wanted: Sequence[bool],
    strength: float,
    rounds: int = 4,
    leaving_out: frozenset[str] = frozenset(),
) -> tuple[float, dict[str, float]]:
    """A start and weights; each message counts by its best bag."""
    seen = Counter(clue for message in bags for clue in {c for bag in message for c in bag})
    names = sorted(
        clue for clue, times in seen.items() if times >= SEEN_AT_LEAST and clue not in leaving_out
    )
    place = {name: at for at, name in enumerate(names)}
    rows = [[_vector(bag, place) for bag in message] for message in bags]
    start, weights = 0.0, np.zeros(len(names))
    for turn in range(rounds):
        chosen, goal, importance = [], [], []
        for message, want in zip(rows, wanted, strict=True):
            if not message:
                continue
            if turn == 0 and len(message) > 1:
                picked = message
            elif want:
                picked = [max(message, key=lambda vector: float(vector @ weights))]
            else:
                picked = message
            for vector in picked:
                chosen.append(vector)
                goal.append(float(want))
                importance.append(1.0 / len(picked) if want else 1.0)
        start, weights = _logistic(np.array(chosen), np.array(goal), np.array(importance), strength)
        if all(len(message) <= 1 for message in rows):
            break
    return start, {name: float(weights[at]) for name, at in place.items()}


def fit_for(
    label: str,
    bags: Sequence[Sequence[Mapping[str, float]]],
    wanted: Sequence[bool],
    strength: float,
) -> tuple[float, dict[str, float]]:
    """`fit` in which no cue of the label's own lexicon counts against it.

    Such a weight would only say that a cue seldom stands alone in the cases at hand.
    """
    leaving_out = beside_the_point(label)
    while True:
        start, weights = fit(bags, wanted, strength, leaving_out=leaving_out)
        odd = {clue for clue, weight in weights.items() if weight < 0 and speaks_for(clue, label)}
        if not odd:
            return start, weights
        leaving_out |= odd


def beside_the_point(label: str) -> frozenset[str]:
    """Clues that are not asked about a label: what counts together for others, other places."""
    own = {" & ".join(together) for together in TOGETHER.get(label, ())}
    others = {" & ".join(together) for some in TOGETHER.values() for together in some}
    return frozenset(others - own) | BESIDE.get(label, frozenset())


def speaks_for(clue: str, label: str) -> bool:
    """Whether a clue is a cue of the label's own lexicon."""
    cue = clue.removeprefix("opens:").removeprefix("early:")
    return cue.startswith(f"{label}.") and cue not in AGAINST and "&" not in cue


def _vector(bag: Mapping[str, float], place: Mapping[str, int]) -> np.ndarray:
    vector = np.zeros(len(place))
    for clue, value in bag.items():
        if clue in place:
            vector[place[clue]] = value
    return vector


def _logistic(
    x: np.ndarray, y: np.ndarray, importance: np.ndarray, strength: float
) -> tuple[float, np.ndarray]:
    """Newton's method; the start is not held back, the weights are."""
    x1 = np.hstack([x, np.ones((len(x), 1))])
    held = np.full(x1.shape[1], strength)
    held[-1] = 1e-3
    w = np.zeros(x1.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x1 @ w, -30, 30)))
        gradient = x1.T @ (importance * (p - y)) + held * w
        curvature = (x1 * (importance * p * (1 - p))[:, None]).T @ x1 + np.diag(held)
        step = np.linalg.solve(curvature, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return float(w[-1]), w[:-1]


def fit_with_meaning(
    label: str,
    exchanges: Sequence[Exchange],
    bags: Sequence[Mapping[str, float]],
    wanted: Sequence[bool],
    strength: float,
    meaning: Meaning,
) -> dict[str, Any]:
    """A reading as `conch.learning.undecided` loads it: weights over clues and meaning together."""
    beside = beside_the_point(label)
    seen = Counter(clue for bag in bags for clue in bag)
    names = sorted(clue for clue, times in seen.items() if times >= SEEN_AT_LEAST)
    place = {name: at for at, name in enumerate(name for name in names if name not in beside)}
    by_clues = np.array([_vector(bag, place) for bag in bags])
    told = [np.concatenate(places(exchange, meaning)) for exchange in exchanges]
    x = np.hstack([by_clues, np.array(told)])
    start, weights = _logistic_by_likeness(x, np.array(wanted, dtype=float), strength)
    clues, rest = weights[: len(place)], weights[len(place) :]
    width = (len(rest) - 3) // 2
    return {
        "encoder": meaning.name,
        "unsure": UNSURE[label],
        "start": round(start, 2),
        "clues": {
            n: round(float(clues[at]), 2) for n, at in place.items() if abs(clues[at]) >= 0.05
        },
        "scale": SCALE,
        "likeness": _whole(rest[:3]),
        "from_answer": _whole(rest[3 : 3 + width]),
        "from_before": _whole(rest[3 + width :]),
    }


def _whole(weights: np.ndarray) -> list[int]:
    return [round(float(weight) * SCALE) for weight in weights]


def _logistic_by_likeness(
    x: np.ndarray, y: np.ndarray, strength: float
) -> tuple[float, np.ndarray]:
    """The same regression where there are more weights than messages: over their likenesses."""
    likeness = x @ x.T
    ones, over, start = np.ones(len(y)), np.zeros(len(y)), 0.0
    for _ in range(25):
        total = likeness @ over + start
        p = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        spread = np.maximum(p * (1 - p), 1e-4)
        goal = total + (y - p) / spread
        held = likeness + strength * np.diag(1 / spread)
        for_ones, for_goal = np.linalg.solve(held, np.stack([ones, goal], axis=1)).T
        start = float((ones @ for_goal) / (ones @ for_ones))
        over = for_goal - start * for_ones
    return start, x.T @ over


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("src/conch/learning/weights"))
    parser.add_argument("--strength", type=float, default=1.0)
    parser.add_argument("--labels", nargs="+", choices=LABELS, default=LABELS[:3])
    parser.add_argument("--meaning", action="store_true", help="train the undecided's reading too")
    given = parser.parse_args()
    rows = read_rows(given.cases)
    exchanges = [exchange_for(row) for row in rows]
    given.out.mkdir(parents=True, exist_ok=True)
    for label in given.labels:
        kept_exchanges = [
            exchange
            for row, exchange in zip(rows, exchanges, strict=True)
            if label not in row.get("optional", [])
        ]
        used = [
            (bags_for(label, exchange), label in row["labels"])
            for row, exchange in zip(rows, exchanges, strict=True)
            if label not in row.get("optional", [])
        ]
        start, weights = fit_for(
            label, [bags for bags, _ in used], [want for _, want in used], given.strength
        )
        kept = {clue: round(weight, 2) for clue, weight in weights.items() if abs(weight) >= 0.05}
        data = {"start": round(start, 2), "clues": kept}
        path = given.out / f"{label}.json"
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if given.meaning and label in UNSURE:
            answered = [
                (exchange, bags[0], want)
                for exchange, (bags, want) in zip(kept_exchanges, used, strict=True)
                if bags
            ]
            reading = fit_with_meaning(
                label,
                [one for one, _, _ in answered],
                [bag for _, bag, _ in answered],
                [want for _, _, want in answered],
                given.strength,
                load_meaning(),
            )
            (given.out / f"{label}.meaning.json").write_text(json.dumps(reading) + "\n", "utf-8")
        print(f"{label}: {sum(want for _, want in used)} of {len(used)}, {len(kept)} clues")


if __name__ == "__main__":
    main()
