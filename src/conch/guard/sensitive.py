"""Is a text about somebody's health or money? Such a text is never learned (spec 0088 §4).

Two looks. The first goes by words, in every language: what names an illness, a treatment, an
income or a debt. The second goes by meaning, for wordings no list holds: a small learned weighing
over the text's vector (`tools/train_sensitive.py`). When in doubt it is one. Diet and allergies
are preferences; a person's trade ("works at a hospital", "is a loan officer") is a fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Literal

from conch.guard.amounts import telling_amount
from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.cues import Hit
from conch.words.meaning import Meaning, cosines

if TYPE_CHECKING:
    import numpy

Topic = Literal["health", "money"]

_TOPIC = "guard.sensitive"
DOUBT = -0.3
"""The score from which the second look stops a text; 1 is sure, -1 is sure of the contrary.

Set on `tests/cases/sensitive.jsonl`: 0.96 of what should stop does, 3% of ordinary memories do.
"""

EXPLAINED = 0.2
"""The same where the text tells of a trade, a diet or another harmless thing that sounds alike."""


def sensitive_topic(text: str, meaning: Meaning | None = None) -> Topic | None:
    """The topic `text` is about, None for neither. Without `meaning`: by words only.

    >>> sensitive_topic("Takes sertraline every morning")
    'health'
    >>> sensitive_topic("Is a Doctor Who fan") is None
    True
    """
    return by_words(text) or (by_meaning(text, meaning) if meaning is not None else None)


def by_words(text: str) -> Topic | None:
    """The first look: what the lexicons name.

    A word of a trade ("doctor", "loan") counts only where no trade is being told ("works for a
    bank", "translates books on debt"). An amount may tell it by itself ("18 an hour", "50mg").
    """
    hits = _hits(text)
    trades = [(hit.start, hit.end) for hit in hits if hit.group == "trade"]
    for hit in hits:
        topic = hit.group.removesuffix("_unless_trade")
        if topic not in ("health", "money"):
            continue
        in_a_trade = any(start <= hit.start <= end + 3 for start, end in trades)
        if topic == hit.group or not in_a_trade:
            return "health" if topic == "health" else "money"
    return telling_amount(text)


def _hits(text: str, harmless: bool = False) -> tuple[Hit, ...]:
    return in_its_language(phrases_in(_TOPIC, read_words(text), harmless), text)


def by_meaning(text: str, meaning: Meaning) -> Topic | None:
    """The second look; None where `meaning` is not the encoder the weights were learned with."""
    weighed = _weights()
    if meaning.name != weighed.encoder or not text.strip():
        return None
    health, money = weighed.scores(meaning.encode([text])[0])
    told = any(hit.group in ("harmless", "trade") for hit in _hits(text, harmless=True))
    if max(health, money) <= (EXPLAINED if told else DOUBT):
        return None
    return "health" if health >= money else "money"


@dataclass(frozen=True)
class _Weights:
    """Sentences as vectors, and how much each speaks for health and for money."""

    encoder: str
    rows: numpy.ndarray
    weights: numpy.ndarray
    sharpness: float

    def scores(self, vector: numpy.ndarray) -> tuple[float, float]:
        import numpy

        near = numpy.exp(self.sharpness * (cosines(self.rows, vector) - 1.0))
        health, money = (near @ self.weights).tolist()
        return health, money


@cache
def _weights() -> _Weights:
    import numpy

    raw = files("conch.guard").joinpath("weights", "sensitive.npz").read_bytes()
    with numpy.load(BytesIO(raw)) as kept:
        return _Weights(
            str(kept["encoder"]),
            kept["rows"].astype(numpy.float32) / float(kept["steps"]),
            kept["weights"],
            float(kept["sharpness"]),
        )
