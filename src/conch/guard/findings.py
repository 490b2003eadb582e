"""One thing found in a text: what kind of thing it is, and where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """`text[start:end]` is a `kind`, for example "key:anthropic", "chat:pin" or "hidden:tag".

    Offsets are in characters of the text as it was given, not of a folded copy.
    """

    start: int
    end: int
    kind: str


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings in order, overlapping ones joined under the kind of the earliest and longest."""
    result: list[Finding] = []
    for finding in sorted(findings, key=lambda f: (f.start, -f.end, f.kind)):
        if result and finding.start < result[-1].end:
            last = result[-1]
            if finding.end > last.end:
                result[-1] = Finding(last.start, finding.end, last.kind)
            continue
        result.append(finding)
    return result
