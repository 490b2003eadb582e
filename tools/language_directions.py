"""Makes `src/conch/words/language_directions.f32`: the directions in which the encoder's vectors
differ by language alone.

Made from the same sentences in every language (`tests/cases/never_families.jsonl`): their mean
vector in each language, and the directions between those means; rows of float32, 384 wide. Run it
after changing the encoder or adding a language:

    .venv/bin/python tools/language_directions.py
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy

from conch.words.meaning import load_meaning

ROOT = Path(__file__).resolve().parent.parent
SENTENCES = ROOT / "tests" / "cases" / "never_families.jsonl"
OUT = ROOT / "src" / "conch" / "words" / "language_directions.f32"


def main() -> None:
    meaning = load_meaning()
    by_language: dict[str, list[str]] = defaultdict(list)
    for line in SENTENCES.read_text("utf-8").splitlines():
        row = json.loads(line)
        by_language[row["lang"]] += [row["text"], row["taken_back"]]
    means = numpy.stack([meaning.encode(texts).mean(0) for texts in by_language.values()])
    directions = numpy.linalg.svd(means - means.mean(0), full_matrices=False)[2]
    directions[: len(means) - 1].astype("<f4").tofile(OUT)
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
