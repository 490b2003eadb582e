"""Hides pieces of secrets Conch holds in what a step gave back: parts, reversed, as numbers, coded.

The redactor hides a whole value. A command that was given one could say it in pieces or in another
spelling; here every piece long enough to be no accident is hidden too. A program can always find a
coding nobody foresaw (encryption, arithmetic): that a secret is given to a command at all is the
person's own decision, each time.
"""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable, Iterable
from functools import cached_property

from conch.guard.redactor import MASK

SHORTEST_PIECE = 6
"""Letters and digits that give a piece away, where both are in it."""
_SHORTEST_OF_ONE_KIND = 10
"""The same for letters alone (they may be ordinary words) and for digits alone."""
_MOST_VALUE = 4_096


class Fragments:
    """Hides pieces of `values`. Comparing leaves out case and all but letters and digits.

    The pieces of a long key take half a second to spell out: that is done when first needed.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._values = tuple(values)

    def hide(self, text: str) -> str:
        """`text` with every piece, and what stands between its letters, replaced by one mask."""
        if not self._values or not text:
            return text
        letters, places = _letters(text)
        hidden = bytearray(len(letters))
        for length, known in self._pieces.items():
            for at in range(len(letters) - length + 1):
                if letters[at : at + length] in known:
                    hidden[at : at + length] = b"\1" * length
        return _masked(text, places, hidden)

    @cached_property
    def _pieces(self) -> dict[int, set[str]]:
        """Every piece to hide, by its length."""
        pieces: dict[int, set[str]] = {}
        for value in self._values:
            for form, length in _forms(value[:_MOST_VALUE]):
                known = pieces.setdefault(length, set())
                known |= {form[at : at + length] for at in range(len(form) - length + 1)}
        return pieces


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in small letters, and where each stood."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if letter.isalnum():
            for one in letter.casefold():
                letters.append(one)
                places.append(place)
    return "".join(letters), places


def _masked(text: str, places: list[int], hidden: bytearray) -> str:
    parts: list[str] = []
    last = at = 0
    while (start := hidden.find(1, at)) >= 0:
        end = hidden.find(0, start)
        end = len(hidden) if end < 0 else end
        parts += [text[last : places[start]], MASK]
        last, at = places[end - 1] + 1, end
    parts.append(text[last:])
    return "".join(parts)


def _forms(value: str) -> Iterable[tuple[str, int]]:
    """Every form a value may be given in, by letters and digits, with its shortest piece."""
    raw = value.encode("utf-8", "surrogatepass")
    plain = _letters(value)[0]
    for one in (plain, codecs.encode(plain, "rot13")):
        for form in (one, one[::-1]):
            yield from _mixed(form)
    for data in (raw, raw[::-1]):
        for coded, length in _coded(data):
            for form in (coded, coded[::-1]):
                yield form, length
    for coded in (base64.b64encode(raw), raw.hex().encode()):
        for again, length in _coded(coded):
            yield again, length + 4


def _mixed(form: str) -> Iterable[tuple[str, int]]:
    """A plain form: short pieces that mix letters and digits, and longer ones of any kind."""
    yield form, min(len(form), _SHORTEST_OF_ONE_KIND)
    for at in range(len(form) - SHORTEST_PIECE + 1):
        piece = form[at : at + SHORTEST_PIECE]
        if not piece.isalpha() and not piece.isdigit():
            yield piece, SHORTEST_PIECE


def _coded(data: bytes) -> Iterable[tuple[str, int]]:
    """Bytes in base64 and base32 at every alignment, in hexadecimal, and as numbers."""
    for coding, step in _CODINGS:
        for shift in range(step):
            yield _letters(coding(b"\0" * shift + data)[shift and 2 * shift :])[0], 10
    yield data.hex(), 12
    yield "".join(f"x{byte:02x}" for byte in data), 12
    yield "".join(f"u{byte:04x}" for byte in data), 20
    yield "".join(str(byte) for byte in data), 12
    yield "".join(f"{byte:03o}" for byte in data), 15
    yield "".join(f"{byte:o}" for byte in data), 15
    yield "".join(f"{byte:08b}" for byte in data), 40


_CODINGS: tuple[tuple[Callable[[bytes], str], int], ...] = (
    (lambda data: base64.b64encode(data).decode().rstrip("="), 3),
    (lambda data: base64.b32encode(data).decode().rstrip("="), 5),
)
