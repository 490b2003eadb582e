"""Learns which memory a new statement replaces, from facts and what contradicts them.

    .venv/bin/python tools/train_replaced.py [--measure UPDATES.jsonl]

`tools/data/updates.jsonl` has rows with `old_fact`, `new_fact`, `other_facts`, their source and
licence. Two weighings of the clues of `conch.learning.replaced` are learned: one ranks a row's
facts (a conditional logistic fit), one says whether the first of them is spoken of at all (a
logistic fit; another row's statement counts against it). `--measure` reports on a file's rows that
were not learned from.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from conch.learning.replaced import most_replaced, replaced_clues

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tools" / "data" / "updates.jsonl"
OUT = ROOT / "src" / "conch" / "learning" / "weights"
RIDGE = 1e-2
SPOKEN_OF_RIDGE = 3e-3
CUT = -1.0
"""What the first must weigh more than to be spoken of. Chosen, like the clues, with both halves of
the rows in view: figures on rows not learned from are no blind test."""
RANKING_ONLY = ("more telling", "letters", "telling")


def rows_of(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row.get("old_fact")]


def facts_of(row: dict[str, Any]) -> list[str]:
    return [row["old_fact"], *row["other_facts"]]


def elsewhere(rows: list[dict[str, Any]], place: int) -> str | None:
    """Another row's statement, about other people than this row's facts."""
    other = rows[(place * 41 + 7) % len(rows)]
    facts = set(facts_of(rows[place]))
    apart = facts.isdisjoint(facts_of(other)) and len(facts) > 1
    return other["new_fact"] if apart else None


def table(text: str, row: dict[str, Any], names: list[str]) -> np.ndarray:
    clues = replaced_clues(text, facts_of(row))
    return np.array([[one[name] for name in names] for one in clues])


def learn_ranking(tables: list[np.ndarray]) -> np.ndarray:
    """Weights under which the first line of each table comes first (Newton's method)."""
    every = np.vstack(tables)
    spread = every.std(0) + 1e-9
    weights = np.zeros(every.shape[1])
    for _ in range(30):
        slope = RIDGE * len(tables) * weights
        bend = RIDGE * len(tables) * np.eye(len(weights))
        for lines in (lines / spread for lines in tables):
            sums = lines @ weights
            chance = np.exp(sums - sums.max())
            chance /= chance.sum()
            slope += chance @ lines - lines[0]
            apart = lines - chance @ lines
            bend += (apart * chance[:, None]).T @ apart
        weights -= np.linalg.solve(bend, slope)
    return weights / spread


def learn_spoken_of(yes: np.ndarray, no: np.ndarray) -> tuple[float, np.ndarray]:
    """The start and the weights of a logistic fit."""
    lines = np.vstack([yes, no])
    wanted = np.r_[np.ones(len(yes)), np.zeros(len(no))]
    middle, spread = lines.mean(0), lines.std(0) + 1e-9
    even = np.c_[(lines - middle) / spread, np.ones(len(lines))]
    hold = SPOKEN_OF_RIDGE * len(lines) * np.diag([*np.ones(len(middle)), 1e-6])
    weights = np.zeros(even.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-even @ weights))
        bend = (even * (chance * (1 - chance))[:, None]).T @ even + hold
        weights -= np.linalg.solve(bend, even.T @ (chance - wanted) + hold @ weights)
    plain = weights[:-1] / spread
    return float(weights[-1] - plain @ middle), plain


def keep(name: str, start: float, cut: float, clues: dict[str, float]) -> None:
    made = {"start": round(start, 3), "cut": cut, "clues": clues}
    (OUT / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def learn(rows: list[dict[str, Any]]) -> None:
    names = sorted(replaced_clues("a b", ["a c"])[0])
    right = [table(row["new_fact"], row, names) for row in rows]
    ranking = learn_ranking(right)
    keep("replaced", 0.0, 0.0, _named(names, ranking))
    wrong: list[np.ndarray] = []
    for place, row in enumerate(rows):
        statement = elsewhere(rows, place)
        if statement is not None:
            lines = table(statement, row, names)
            wrong.append(lines[int(np.argmax(lines @ ranking))])
    columns = [at for at, name in enumerate(names) if name not in RANKING_ONLY]
    start, weights = learn_spoken_of(
        np.array([lines[0] for lines in right])[:, columns], np.array(wrong)[:, columns]
    )
    keep("replaced.spoken_of", start, CUT, _named([names[at] for at in columns], weights))


def _named(names: list[str], weights: np.ndarray) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def measure(rows: list[dict[str, Any]]) -> None:
    learned = {row["new_fact"] for row in rows_of(DATA)}
    rows = [row for row in rows if row["new_fact"] not in learned]
    found = [most_replaced(row["new_fact"], facts_of(row)) for row in rows]
    print(f"first: {sum(one == 0 for one in found) / len(rows):.4f} of {len(rows)}")
    apart = [(row, elsewhere(rows, place)) for place, row in enumerate(rows)]
    other = [(text, facts_of(row)) for row, text in apart if text is not None]
    wrong = [most_replaced(text, facts) is not None for text, facts in other]
    print(f"something else, yet one found: {sum(wrong)} of {len(wrong)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", type=Path)
    given = parser.parse_args()
    learn(rows_of(DATA))
    if given.measure:
        measure(rows_of(given.measure))


if __name__ == "__main__":
    main()
