"""Which memories matter for a message that does not mention them: nearness over the encoder's rows.

A message ("Where shall we eat in Naples?") and a memory ("Avoids chain restaurants") share a topic
and hardly a word. Their vectors are freed of how people ask and how preferences are put, compared
directly and by the topics they touch; whether a message calls for a memory at all is told apart
from questions that stand alone. The numbers are made by `tools/nearness/make_weights.py` from texts
of this project.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

TOPICS_WEIGHT = 0.3
"""What shared topics count, beside 1 for the texts' own closeness."""
LANGUAGE_WEIGHT = 0.25
"""What being in the same language counts: of two that fit, the one in the message's language."""
STORE_SHARE = 0.5
"""How much of what a store's memories share is taken out of each."""
SETTLED = 50
"""Memories at which half of that is."""
WEIGHTS = "weights/nearness.npz"


@dataclass(frozen=True)
class Nearness:
    """The numbers, for rows of the encoder named `encoder` (unit rows of `d` numbers).

    `asking`, `keeping`: mean rows of messages and of memories; the `_all` ones over all languages.
    `manner` (k, d): directions of how things are put. `tongue` (l, d): directions that tell
    languages apart. `topics` (t, d): rows of topics. `call`, `call_bias`: whether a message calls
    for a memory.
    """

    encoder: str
    asking: numpy.ndarray
    keeping: numpy.ndarray
    asking_all: numpy.ndarray
    keeping_all: numpy.ndarray
    manner: numpy.ndarray
    tongue: numpy.ndarray
    topics: numpy.ndarray
    call: numpy.ndarray
    call_bias: float

    def of_memories(
        self, rows: numpy.ndarray, shared: numpy.ndarray | None = None
    ) -> numpy.ndarray:
        """Rows (n, d) of memories as rows (n, m) to compare by dot product with `of_message`.

        `shared`: what the memories of the store share (`shared_by`), taken out where given.
        """
        return self._placed(rows, self.keeping, self.keeping_all, shared)

    def shared_by(self, rows: numpy.ndarray) -> numpy.ndarray:
        """What a store's memories share, shape (d,): most of it in a large store, of one topic."""
        share = STORE_SHARE * len(rows) / (len(rows) + SETTLED)
        return self._matter(rows, self.keeping).mean(0) * share

    def of_message(self, row: numpy.ndarray) -> numpy.ndarray:
        """The row (d,) of a message as a row (m,)."""
        return self._placed(row[None], self.asking, self.asking_all)[0]

    def tongue_width(self) -> int:
        """How many of the last numbers of a placed row tell only the language."""
        return len(self.tongue)

    def calls(self, row: numpy.ndarray) -> float:
        """How much a message calls for what is known about the person: above 0 rather yes."""
        return float(row @ self.call + self.call_bias)

    def _matter(self, rows: numpy.ndarray, mean: numpy.ndarray) -> numpy.ndarray:
        apart = rows - mean
        return _unit(apart - (apart @ self.manner.T) @ self.manner)

    def _placed(
        self,
        rows: numpy.ndarray,
        mean: numpy.ndarray,
        mean_all: numpy.ndarray,
        shared: numpy.ndarray | None = None,
    ) -> numpy.ndarray:
        import numpy

        matter = self._matter(rows, mean)
        by_topic = _unit(numpy.maximum(matter @ self.topics.T, 0.0) ** 2)
        spoken = _unit((rows - mean_all) @ self.tongue.T)
        if shared is not None:
            matter = _unit(matter - shared)
        placed = numpy.hstack(
            [matter, TOPICS_WEIGHT**0.5 * by_topic, LANGUAGE_WEIGHT**0.5 * spoken]
        )
        return (placed / (1.0 + TOPICS_WEIGHT + LANGUAGE_WEIGHT) ** 0.5).astype("float32")


def _unit(rows: numpy.ndarray) -> numpy.ndarray:
    import numpy

    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


@cache
def load_nearness(encoder: str) -> Nearness | None:
    """The numbers for this encoder, None when they were made for another one."""
    import numpy

    with (
        files("conch.memory").joinpath(WEIGHTS).open("rb") as file,
        numpy.load(file, allow_pickle=False) as kept,
    ):
        if str(kept["encoder"]) != encoder:
            return None
        rows = {
            name: kept[name].astype("float32")
            for name in (
                "asking", "keeping", "asking_all", "keeping_all", "manner", "tongue", "topics",
                "call",
            )
        }  # fmt: skip
        return Nearness(encoder, **rows, call_bias=float(kept["call_bias"]))
