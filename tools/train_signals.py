"""Learns the weights the signals in words are weighed with, from labelled messages.

    python tools/train_signals.py CASES.jsonl... [--out src/conch/learning/weights]

For each label a logistic regression over the clues of `conch.learning.clues`
(`<label>.json`), and for what it leaves undecided a regression over pairs of clues and over
meaning (`<label>.undecided.json`, see `conch.learning.undecided`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from conch.learning.clues import TOGETHER, clues_of
from conch.learning.exchange import Exchange, exchange_of
from conch.learning.repeats import says_the_same
from conch.learning.undecided import ENCODER, places, texts_of
from conch.words.meaning import Meaning, load_meaning

LABELS = ("correction", "rephrasing", "frustration")
SEEN_AT_LEAST = 3
SEEN_FOR_PAIRS = 15
"""In how many messages a clue has to be seen to be weighed at all, and two by two."""
SCALE = 1000
PAIRS = 5.0
"""How little pairs count beside single clues: a pair is worth 1/25, a clue 2/5."""
UNSURE = {"correction": 2.0, "rephrasing": 0.0, "frustration": 0.0}
UNSURE_WITH_MEANING = {"correction": 4.0, "rephrasing": 4.0, "frustration": 3.0}
"""How near its cut a plain sum has pairs asked, and meaning where there is some."""
SURER = {"correction": 0.6, "rephrasing": 0.3}
"""What is taken off a label's sum with meaning: better to miss one than to see one in vain. Chosen
by cross-validation over families, never on held messages."""
IN_PAIRS = frozenset(("correction",))
_FRAMES = ("frames.repeatable", "frames.go_on", "frames.failed", "frames.done")
_ECHOES = (
    "no correction",
    "no new words",
    "all new words",
    "shares no word",
    "some words shared",
    "only adds",
    "only leaves out",
    "half the frame",
)
_SHAPE = ("short", "very short", "long", "told", "answer:done")
_OTHERS = ("correction.points", "durable.first", "opens:rephrasing.asks", "opens:frames.question")
BESIDE = {
    "correction": frozenset((*_FRAMES, "frames.words_about", "thanks.spoils")),
    "rephrasing": frozenset((*_FRAMES, "thanks.spoils", "frustration.mild", "exclaims twice")),
    "frustration": frozenset((*_FRAMES, *_ECHOES, *_SHAPE, *_OTHERS)),
}
"""Clues a label does not hang on; in few cases they would only fit by chance."""
MAY_COUNT_AGAINST = frozenset(
    (
        "correction.against",
        "correction.actually",
        "correction.points",
        "rephrasing.follow_up",
        "rephrasing.asks",
        "frustration.against",
        "frustration.mock",
        "opens:frustration.mock",
    )
)
"""Groups of a label's own lexicon that may count against it."""
Row = Mapping[str, Any]
Bag = Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """A labelled message that words can decide."""

    exchange: Exchange
    clues: Bag
    labels: frozenset[str]
    optional: frozenset[str]


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """The messages of case files that answer something and say something new."""
    found = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            if not line.strip():
                continue
            row: Row = json.loads(line)
            exchange = exchange_of([(turn["role"], turn["text"]) for turn in row["turns"]])
            if exchange is None or not exchange.answered or says_the_same(exchange):
                continue
            labels, optional = frozenset(row["labels"]), frozenset(row.get("optional") or ())
            found.append(Case(exchange, clues_of(exchange), labels, optional))
    return found


def weighed_about(label: str, bags: Sequence[Bag], seen_at_least: int) -> list[str]:
    """The clues a label is weighed by: seen often enough and not beside the point."""
    own = {" & ".join(together) for together in TOGETHER.get(label, ())}
    others = {" & ".join(together) for some in TOGETHER.values() for together in some}
    beside = (others - own) | BESIDE.get(label, frozenset())
    seen = Counter(clue for bag in bags for clue in bag)
    return sorted(n for n, times in seen.items() if times >= seen_at_least and n not in beside)


def fit_for(
    label: str, bags: Sequence[Bag], wanted: Sequence[bool], strength: float
) -> tuple[float, dict[str, float]]:
    """A start and weights in which no cue of the label's own lexicon counts against it.

    Such a weight would only say that a cue seldom stands alone in the cases at hand.
    """
    names = weighed_about(label, bags, SEEN_AT_LEAST)
    while True:
        start, weights = logistic(matrix(bags, names), np.array(wanted, dtype=float), strength)
        odd = {
            name
            for name, weight in zip(names, weights, strict=True)
            if weight < 0 and speaks_for(name, label)
        }
        if not odd:
            return start, dict(zip(names, map(float, weights), strict=True))
        names = [name for name in names if name not in odd]


def speaks_for(clue: str, label: str) -> bool:
    """Whether a clue is a cue of the label's own lexicon."""
    cue = clue.removeprefix("opens:").removeprefix("early:")
    return cue.startswith(f"{label}.") and cue not in MAY_COUNT_AGAINST and "&" not in cue


def matrix(bags: Sequence[Bag], names: Sequence[str]) -> np.ndarray:
    """Shape (messages, names)."""
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(bags), len(names)))
    for row, bag in zip(rows, bags, strict=True):
        for clue, value in bag.items():
            if clue in place:
                row[place[clue]] = value
    return rows


def logistic(x: np.ndarray, y: np.ndarray, strength: float) -> tuple[float, np.ndarray]:
    """Newton's method; the start is not held back, the weights are."""
    x1 = np.hstack([x, np.ones((len(x), 1))])
    held = np.full(x1.shape[1], strength)
    held[-1] = 1e-3
    w = np.zeros(x1.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x1 @ w, -30, 30)))
        gradient = x1.T @ (p - y) + held * w
        curvature = (x1 * (p * (1 - p))[:, None]).T @ x1 + np.diag(held)
        step = np.linalg.solve(curvature, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return float(w[-1]), w[:-1]


def logistic_by_likeness(
    likeness: np.ndarray, y: np.ndarray, strength: float
) -> tuple[float, np.ndarray]:
    """The same where there are more weights than messages: a start, and a weight a message."""
    ones, over, start = np.ones(len(y)), np.zeros(len(y)), 0.0
    for _ in range(25):
        total = likeness @ over + start
        p = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        spread = np.maximum(p * (1 - p), 1e-4)
        goal = total + (y - p) / spread
        held = likeness + strength * np.diag(1 / spread)
        for_ones, for_goal = np.linalg.solve(held, np.stack([ones, goal], axis=1)).T
        start = float((ones @ for_goal) / (ones @ for_ones))
        before, over = over, for_goal - start * for_ones
        if np.abs(over - before).max() < 1e-5:
            break
    return start, over


def undecided_for(
    label: str, cases: Sequence[Case], wanted: Sequence[bool], strength: float, meaning: Meaning
) -> dict[str, Any]:
    """What `conch.learning.undecided` loads for a label."""
    bags = [case.clues for case in cases]
    y = np.array(wanted, dtype=float)
    in_pairs = label in IN_PAIRS
    names = weighed_about(label, bags, SEEN_FOR_PAIRS if in_pairs else SEEN_AT_LEAST)
    x = matrix(bags, names)
    by_clues = (x @ x.T / PAIRS + 1) ** 2 if in_pairs else x @ x.T
    told = [places(case.exchange, meaning) for case in cases]
    parts = [np.array([one[part] for one in told]) for part in range(4)]
    by_meaning = sum(part @ part.T for part in parts)
    by_twos = None
    if in_pairs:
        start, over = logistic_by_likeness(by_clues, y, strength)
        by_twos = _weights(names, x, start, over, in_pairs)
    start, over = logistic_by_likeness(by_clues + by_meaning, y, strength)
    start -= SURER.get(label, 0.0)
    likeness, from_answer, from_before, message = (part.T @ over for part in parts)
    return {
        "scale": SCALE,
        "unsure": UNSURE[label],
        "by_twos": by_twos,
        "with_meaning": {
            "unsure": UNSURE_WITH_MEANING[label],
            **_weights(names, x, start, over, in_pairs),
            "likeness": _whole(likeness),
            "from_answer": _whole(from_answer),
            "from_before": _whole(from_before),
            "message": _whole(message),
        },
    }


def _weights(
    names: Sequence[str], x: np.ndarray, start: float, over: np.ndarray, in_pairs: bool
) -> dict[str, Any]:
    """Weights a clue and a pair of clues, from weights a message."""
    if not in_pairs:
        single, pairs = x.T @ over, []
    else:
        start += float(over.sum())
        single = (2 / PAIRS) * (x.T @ over)
        both = (x.T * over) @ x / PAIRS**2
        both = both * 2 - np.diag(np.diag(both))
        pairs = [_whole(both[at, : at + 1]) for at in range(len(names))]
    return {
        "start": round(start * SCALE),
        "clues": list(names),
        "single": _whole(single),
        "pairs": pairs,
    }


def _whole(weights: np.ndarray) -> list[int]:
    return [round(float(weight) * SCALE) for weight in weights]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("src/conch/learning/weights"))
    parser.add_argument("--strength", type=float, default=1.0)
    given = parser.parse_args()
    cases = read_cases(given.cases)
    meaning = load_meaning()
    if meaning.name != ENCODER:
        raise SystemExit(f"meaning is {meaning.name}; the weights are for {ENCODER}")
    meaning.encode([text for case in cases for text in texts_of(case.exchange)])
    given.out.mkdir(parents=True, exist_ok=True)
    for label in LABELS:
        used = [case for case in cases if label not in case.optional]
        wanted = [label in case.labels for case in used]
        start, weights = fit_for(label, [case.clues for case in used], wanted, given.strength)
        kept = {clue: round(weight, 2) for clue, weight in weights.items() if abs(weight) >= 0.05}
        plain = {"start": round(start, 2), "clues": kept}
        _write(given.out / f"{label}.json", json.dumps(plain, indent=1, ensure_ascii=False))
        closer = undecided_for(label, used, wanted, given.strength, meaning)
        _write(given.out / f"{label}.undecided.json", json.dumps(closer, separators=(",", ":")))
        print(f"{label}: {sum(wanted)} of {len(used)}, {len(kept)} clues")


def _write(path: Path, text: str) -> None:
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
