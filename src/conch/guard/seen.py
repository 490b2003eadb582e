"""A text as it is seen, with the way back to where each letter stood."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from conch.guard.characters import hidden_characters
from conch.guard.findings import Finding
from conch.guard.lookalikes import fold_lookalikes

_CLUSTER = re.compile(r"[\x20-\x7e]+|.[\u0300-\u036f\u3099\u309a]*", re.DOTALL)


@dataclass(frozen=True)
class Seen:
    """`text` without hidden characters, in NFKC, disguised words in Latin letters.

    `places[i]` is where `text[i]` stood in the text that was given, with its length at the end;
    None when nothing was changed.
    """

    text: str
    places: tuple[int, ...] | None

    def finding(self, start: int, end: int, kind: str) -> Finding:
        """`text[start:end]` as a finding in the text that was given."""
        if self.places is None:
            return Finding(start, end, kind)
        return Finding(self.places[start], self.places[end], kind)


def seen(text: str) -> Seen:
    """`text` as a reader sees it, and where each letter stood; linear in its length."""
    hidden = hidden_characters(text)
    if not hidden and (text.isascii() or unicodedata.is_normalized("NFKC", text)):
        return Seen(fold_lookalikes(text), None)  # folding swaps letter for letter
    letters: list[str] = []
    places: list[int] = []
    last = 0
    for start, end in [*((f.start, f.end) for f in hidden), (len(text), len(text))]:
        for cluster in _CLUSTER.finditer(text, last, start):
            folded = cluster.group()
            if not folded.isascii():
                folded = unicodedata.normalize("NFKC", folded)
            letters.append(folded)
            if cluster.end() - cluster.start() == len(folded):
                places.extend(range(cluster.start(), cluster.end()))
            else:
                places.extend([cluster.start()] * len(folded))
        last = end
    places.append(len(text))
    return Seen(fold_lookalikes("".join(letters)), tuple(places))
