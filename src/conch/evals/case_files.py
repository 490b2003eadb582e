"""Labelled case files: one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conch.home.errors import ConchError
from conch.home.json_values import read_json

Row = dict[str, Any]


class UnreadableCase(ConchError):
    """A case file that cannot be read, with the line that is wrong."""


def read_cases(path: Path) -> list[Row]:
    """Every row of a case file. Empty lines are skipped.

    Raises UnreadableCase with the line number for a line that is no JSON object with an `id`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableCase(f"{path} can't be read: {error}.", do="Give a JSONL file.") from None
    return list(_rows(path, text))


def _rows(path: Path, text: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = read_json(line)
        except ValueError as error:
            raise UnreadableCase(f"{path}, line {number}: no JSON ({error}).") from None
        if not isinstance(row, dict) or "id" not in row:
            raise UnreadableCase(f"{path}, line {number}: a case is an object with an id.")
        row["_line"] = number
        yield row


def unusable_row(path: Path, row: Row, error: Exception) -> UnreadableCase:
    """The error for a row whose fields are not those of its kind."""
    what = f"lacks the field {error}" if isinstance(error, KeyError) else str(error)
    return UnreadableCase(f"{path}, line {row['_line']} ({row['id']}): {what}.")
