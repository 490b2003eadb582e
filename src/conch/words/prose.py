"""A message's own prose: the person's own words, told from what they quoted or pasted."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)")
_QUOTED = re.compile(r"^[ \t]*>")


@dataclass(frozen=True)
class OwnProse:
    """The person's own words in a message.

    `spans`: character spans of the message, in order, not overlapping. `text`: those spans, each
    on its own line.
    """

    spans: tuple[tuple[int, int], ...]
    text: str


def own_prose(text: str) -> OwnProse:
    """The parts of `text` the person says themself: no quotes, mail, code, logs, tables, pastes."""
    spans: list[tuple[int, int]] = []
    fence = ""
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = ""
            continue
        if mark:
            fence = mark.group(1)
            continue
        if _QUOTED.match(line) or not line.strip():
            continue
        spans.append((start, start + len(line.rstrip())))
    return OwnProse(tuple(spans), "\n".join(text[start:end] for start, end in spans))
