"""JSON from a file, a program or a model: reading it ends in a value or in ValueError."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str | bytes) -> Any:
    """The JSON value `text` holds. Raises ValueError for anything else, nesting without end too."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
