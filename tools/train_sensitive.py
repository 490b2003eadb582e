"""Learns the second look at health and money: which sentences are about either, by meaning.

    python tools/train_sensitive.py [SENTENCES.jsonl] [--out src/conch/guard/weights/sensitive.npz]

Each row of the sentences has `lang`, `topic` ("health", "money" or "none") and `text`. A kernel
ridge regression (exp(SHARPNESS * (cosine - 1))) over their vectors gives two scores; the file keeps
the vectors in eight bits, the two columns of weights and the encoder's name. Sentences made of
templates are in the data as they were filled in.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from conch.words.meaning import load_meaning

SHARPNESS = 2.0
RIDGE = 0.05
STEPS = 254.0
"""An eight-bit step: coordinates of the unit vectors lie within half a unit of nought."""


def train(rows: list[dict[str, str]]) -> dict[str, np.ndarray]:
    """The arrays of the weights file, from labelled sentences."""
    meaning = load_meaning()
    vectors = meaning.encode([row["text"] for row in rows])
    small = np.clip(np.round(vectors * STEPS), -127, 127).astype(np.int8)
    known = small.astype(np.float32) / STEPS
    kernel = np.exp(SHARPNESS * (known @ known.T - 1.0)).astype(np.float64)
    kernel += RIDGE * np.eye(len(rows))
    wanted = np.array(
        [[1.0 if row["topic"] == topic else -1.0 for topic in ("health", "money")] for row in rows]
    )
    weights = np.linalg.solve(kernel, wanted).astype(np.float32)
    return {
        "rows": small,
        "weights": weights,
        "sharpness": np.float32(SHARPNESS),
        "steps": np.float32(STEPS),
        "encoder": np.array(meaning.name),
    }


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default=here / "data" / "sensitive_sentences.jsonl")
    parser.add_argument(
        "--out", type=Path, default=here.parent / "src/conch/guard/weights/sensitive.npz"
    )
    given = parser.parse_args()
    rows = [json.loads(line) for line in Path(given.data).read_text("utf-8").splitlines()]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(given.out, **train(rows))
    print(f"{len(rows)} sentences, {given.out.stat().st_size} bytes: {given.out}")


if __name__ == "__main__":
    main()
