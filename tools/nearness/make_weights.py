"""Makes `src/conch/memory/weights/nearness.npz` from the texts beside this file and our own cases.

    .venv/bin/python tools/nearness/make_weights.py

Run it again when the encoder changes (`conch.words.meaning`): the weights name the encoder they
were made for and are not used with another one. Held-out cases are not read.

- `phrases.toml`: ways to ask and ways to put a preference, filled with the same things: what
  differs between them is manner, not matter, and is taken out.
- `topics.txt`: topics, split at `;` and line ends.
- `calls.txt`, `stands_alone.txt`, with `tests/cases/nearby_*.jsonl`: messages that call for what is
  known about the person, and messages that stand alone; a regularised logistic fit tells them
  apart.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy

from conch.words.meaning import load_meaning

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
OUT = ROOT / "src" / "conch" / "memory" / "weights" / "nearness.npz"

MANNER = 40
"""Directions of manner taken out. 16 to 64 do about as well on even rows of PrefEval."""
TONGUE = 8
RIDGE = 0.2
FILLED_WEIGHT = 60.0
"""What all the filled phrases together weigh in the fit: as much as sixty real messages."""


def cases(name: str) -> list[dict[str, str]]:
    lines = (ROOT / "tests" / "cases" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def filled() -> Iterator[tuple[str, str, str, str]]:
    """(language, thing, "ask" or "keep", text); of English, every second one."""
    phrases = tomllib.loads((HERE / "phrases.toml").read_text(encoding="utf-8"))
    for language, of in phrases.items():
        for place, thing in enumerate(of["things"]):
            for way in ("ask", "keep"):
                for number, phrase in enumerate(of[way]):
                    if language != "en" or (place + number) % 2 == 0:
                        yield language, thing, way, phrase.format(thing)


def main() -> None:
    meaning = load_meaning()
    rows = {}

    def encode(texts: list[str]) -> numpy.ndarray:
        for start in range(0, len(texts), 256):
            part = texts[start : start + 256]
            for text, row in zip(part, meaning.encode(part), strict=True):
                rows[text] = row
        return numpy.stack([rows[text] for text in texts])

    some, none = cases("nearby_some.jsonl"), cases("nearby_none.jsonl")
    kept = encode([row["memory"] for row in some])
    asked = encode([row["message"] for row in some])
    calling = numpy.vstack([asked, encode(lines("calls.txt"))])
    alone = encode([row["message"] for row in none] + lines("stands_alone.txt"))
    names = [part.strip() for line in lines("topics.txt") for part in line.split(";")]
    topic_rows = encode(names)
    ways = list(filled())
    texts = encode([text for *_, text in ways])
    language = numpy.array([way[0] for way in ways])
    thing = numpy.array([way[1] for way in ways])
    is_ask = numpy.array([way[2] == "ask" for way in ways])

    english = language == "en"
    asking = (texts[english & is_ask].mean(0) + asked.mean(0)) / 2
    keeping = (texts[english & ~is_ask].mean(0) + kept.mean(0)) / 2
    codes = sorted(set(language))
    spoken = {
        way: numpy.stack([texts[(language == code) & (is_ask == way)].mean(0) for code in codes])
        for way in (True, False)
    }
    between = numpy.vstack([spoken[True], spoken[False]])
    between = between - between.mean(0)
    within = []
    for code in codes:
        for one in sorted(set(thing[language == code])):
            for way in (True, False):
                same = texts[(language == code) & (thing == one) & (is_ask == way)]
                within.append(same - same.mean(0))
    scatter = numpy.vstack(within)
    scatter = numpy.vstack([scatter, between * (len(scatter) / len(between)) ** 0.5])
    manner = directions(scatter, MANNER)
    topics = topic_rows - topic_rows.mean(0)
    topics = topics - (topics @ manner.T) @ manner
    topics /= numpy.linalg.norm(topics, axis=1, keepdims=True)

    filled_asks = texts[is_ask]
    call = logistic(
        numpy.vstack([calling, filled_asks, alone]),
        numpy.r_[numpy.ones(len(calling) + len(filled_asks)), numpy.zeros(len(alone))],
        numpy.r_[
            numpy.ones(len(calling)),
            numpy.full(len(filled_asks), FILLED_WEIGHT / len(filled_asks)),
            numpy.ones(len(alone)),
        ],
    )
    half = {
        "asking": asking,
        "keeping": keeping,
        "asking_all": spoken[True].mean(0),
        "keeping_all": spoken[False].mean(0),
        "manner": manner,
        "tongue": directions(between, TONGUE),
        "topics": topics,
        "call": call[:-1],
    }
    OUT.parent.mkdir(exist_ok=True)
    numpy.savez_compressed(
        OUT,
        encoder=numpy.array(meaning.name),
        call_bias=numpy.array(call[-1]),
        **{name: value.astype("float16") for name, value in half.items()},
    )
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size:,} bytes, for {meaning.name}")


def directions(scatter: numpy.ndarray, count: int) -> numpy.ndarray:
    """The `count` directions (unit rows) along which `scatter` varies most."""
    found, _, _ = numpy.linalg.svd(scatter.T @ scatter / len(scatter))
    return found[:, :count].T


def logistic(rows: numpy.ndarray, yes: numpy.ndarray, weight: numpy.ndarray) -> numpy.ndarray:
    """Weights of a ridge logistic regression, the bias last (Newton's method)."""
    rows = numpy.hstack([rows, numpy.ones((len(rows), 1))]).astype("float64")
    ridge = numpy.full(rows.shape[1], RIDGE)
    ridge[-1] = 1e-6
    found = numpy.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + numpy.exp(-(rows @ found)))
        slope = rows.T @ (weight * (chance - yes)) + ridge * found
        bend = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + numpy.diag(ridge)
        found -= numpy.linalg.solve(bend, slope)
    return found


if __name__ == "__main__":
    main()
