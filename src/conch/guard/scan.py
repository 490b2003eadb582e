"""Text shaped like an attack: orders to an assistant, hiding, carrying off, dangerous shell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ScanFinding:
    """`text[start:end]` is what `sentence` says; `code` is stable, for tables and tests."""

    level: Literal["warning", "danger"]
    code: str
    sentence: str
    start: int
    end: int


_FIRST = re.compile(r"ignore (?:all |any )?(?:previous|prior) instructions", re.IGNORECASE)


def scan_text(text: str) -> list[ScanFinding]:
    """What in `text` is shaped like an attack, in order."""
    return [
        ScanFinding("danger", "override", "It tells an assistant to ignore its orders.", *m.span())
        for m in _FIRST.finditer(text)
    ]
