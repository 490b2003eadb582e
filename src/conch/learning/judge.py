"""The gate and the memory check together: the one verdict on a change (spec 0088 §4).

"Then it's written like any memory, through the memory check. If the check holds it, it waits with
the check's own reasons, whatever the gate said."
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from conch.guard.check import CheckContext, CheckVerdict, check_memory
from conch.learning.changes import Change, Decision, Situation
from conch.learning.gate import decide
from conch.words.meaning import Meaning

HELD = "the memory check holds it"


@dataclass(frozen=True)
class Judged:
    """The gate's decision with the check's say in it, and the check's own verdict."""

    decision: Decision
    check: CheckVerdict


def judge(
    change: Change, situation: Situation, context: CheckContext, meaning: Meaning | None = None
) -> Judged:
    """Decide `change`; what the check holds waits, with the check's reasons first.

    A dropped or known change is not checked again: nothing of it is written.
    """
    decision = decide(change, situation, meaning)
    if decision.verdict not in ("applied", "waits"):
        return Judged(decision, CheckVerdict("pass", (), True))
    check = check_memory(change.text, context)
    if check.verdict == "pass":
        return Judged(decision, check)
    reasons = tuple(dict.fromkeys([*(one.sentence for one in check.reasons), *decision.reasons]))
    row = HELD if decision.verdict == "applied" else decision.row
    return Judged(replace(decision, verdict="waits", row=row, reasons=reasons), check)
