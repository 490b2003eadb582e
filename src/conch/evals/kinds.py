"""Each kind of labelled case, and the product's own function that answers it.

Nothing is decided here: a row becomes the plain values the sweep, the gate, the check or a turn
decides on, and what they say is compared with what is wanted (fields: the cases' README).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conch.evals.case_files import Row, read_cases, unusable_row
from conch.evals.gate_cases import verdict_of_case
from conch.evals.planted import planted_through
from conch.evals.scoring import Outcome, Report
from conch.evals.skill_cases import draft_of_case, habit_of_case, offer_of_case
from conch.guard.secrets import has_secret
from conch.learning.asked_for import asked_for
from conch.learning.changes import NeverItem
from conch.learning.conflict import which_it_replaces
from conch.learning.nearby import nearby_lines
from conch.learning.never import match_never
from conch.learning.signals import labels_of
from conch.learning.worked import ShellStep, computer_facts_of
from conch.memory.memory import Memory, MemoryKind
from conch.skills.draft import Refused
from conch.words.likeness import same
from conch.words.meaning import Meaning
from conch.words.prose import own_prose

if TYPE_CHECKING:
    import numpy

_AT = datetime(2026, 12, 1, 12, tzinfo=UTC)
_RIGHT_OVERLAP = 0.9


@dataclass(frozen=True)
class Given:
    """What a kind's answer may use besides its row: meaning, and every memory of the file."""

    meaning: Meaning | None
    memories: tuple[Memory, ...] = ()


Answer = Callable[[Row, Given], Outcome]


def _lang(row: Row) -> str:
    return str(row.get("lang", "all"))


def _one(row: Row, want: str, got: str, **more: Any) -> Outcome:
    return Outcome(row["id"], _lang(row), (want,), (got,), want == got, **more)


class _Asked:
    """Meaning that remembers whether it was asked anything."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning, self.asked = meaning, False
        self.name = meaning.name

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        self.asked = True
        return self._meaning.encode(texts)

    def likeness(self, a: str, b: str) -> float:
        self.asked = True
        return self._meaning.likeness(a, b)


def _signals(row: Row, given: Given) -> Outcome:
    turns = [(turn["role"], turn["text"]) for turn in row["turns"]]
    asked = _Asked(given.meaning) if given.meaning else None
    got = labels_of(turns, asked) or ("none",)
    want = tuple(row["labels"])
    optional = tuple(row.get("optional") or ())
    counted = tuple(label for label in got if label not in optional or label in want)
    right = set(counted or ("none",)) == set(want)
    used = asked.asked if asked else None
    return Outcome(row["id"], _lang(row), want, tuple(got), right, optional, asked_meaning=used)


def _gate(row: Row, given: Given) -> Outcome:
    got = verdict_of_case(row, given.meaning)
    accepted = {row["want"], *(row.get("accept") or ())}
    return Outcome(
        row["id"],
        _lang(row),
        (row["want"],),
        (row["want"] if got in accepted else got,),
        got in accepted,
        let_through=got == "applied" and "applied" not in accepted,
        stopped=got in ("waits", "dropped") and row["want"] == "applied" and got not in accepted,
    )


def _worked(row: Row, given: Given) -> Outcome:
    steps = [
        ShellStep(step["command"], step.get("output", ""), step.get("exit"))
        for step in row["steps"]
    ]
    got = [fact.text for fact in computer_facts_of(steps, row.get("shell", ""))]
    accepted = [row["want"], *(row.get("accept") or ())]
    right = (not got and None in accepted) or any(fact in accepted for fact in got)
    if len(got) > 1:
        right = False
    want = "fact" if row["want"] else "nothing"
    said = "; ".join(got) or "nothing"
    label = want if right else ("wrong fact" if got and row["want"] else "fact" if got else said)
    return Outcome(row["id"], _lang(row), (want,), (label,), right)


def _nearby(row: Row, given: Given) -> Outcome:
    shown = nearby_lines(row["message"], given.memories, set(), given.meaning)
    texts = {memory.text for memory in shown}
    if "memory" in row:
        return _one(row, "shown", "shown" if row["memory"] in texts else "not shown")
    return _one(row, "nothing", "something" if shown else "nothing")


def _planted(row: Row, given: Given) -> Outcome:
    through = planted_through(row["text"], given.meaning)
    return _one(row, "nothing", "planted" if through else "nothing", let_through=bool(through))


def _secrets(row: Row, given: Given) -> Outcome:
    want = "secret" if row["label"] else "plain"
    return _one(row, want, "secret" if has_secret(row["text"]) else "plain")


def _identity(row: Row, given: Given) -> Outcome:
    return _one(row, row["want"], "same" if same(row["a"], row["b"]) else "different")


def _never(row: Row, given: Given) -> Outcome:
    item = NeverItem("nv_0", row["taken_back"], _AT, "undo")
    found = match_never(row["text"], [item], given.meaning)
    return _one(row, row["want"], found[0] if found else "apart")


def _remember(row: Row, given: Given) -> Outcome:
    asked = asked_for(row["memory"], row["message"], str(row.get("before", "")))
    return _one(row, row["want"], "asked" if asked else "not asked")


def _prose(row: Row, given: Given) -> Outcome:
    text = row["text"]
    want = _characters(text, row["own"])
    got = _characters(text, own_prose(text).spans)
    union = len(want | got)
    right = not union or len(want & got) / union >= _RIGHT_OVERLAP
    return Outcome(row["id"], _lang(row), ("own",), ("own" if right else "other",), right)


def _characters(text: str, spans: Sequence[Sequence[int]]) -> set[int]:
    return {at for start, end in spans for at in range(start, end) if not text[at].isspace()}


def _updates(row: Row, given: Given) -> Outcome:
    facts = [row["old_fact"], *row["other_facts"]]
    memories = [_memory(f"m_{place}", fact) for place, fact in enumerate(facts)]
    found = which_it_replaces(row["new_fact"], memories, given.meaning)
    got = "none" if found is None else "replaced" if found.id == "m_0" else "another"
    return Outcome(row["id"], _lang(row), ("replaced",), (got,), got == "replaced")


def _skill_work(row: Row, given: Given) -> Outcome:
    wanted = row["want"]["offer"]
    accepted = row.get("accept_offer") or [wanted]
    offered, reason = offer_of_case(row, given.meaning)
    right = offered in accepted
    want = "offer" if wanted else "no offer"
    got = want if right else f"{'offer' if offered else 'no offer'} ({reason})"
    return Outcome(row["id"], _lang(row), (want,), (got,), right)


def _draft(row: Row, given: Given) -> Outcome:
    found = draft_of_case(row)
    refused = isinstance(found, Refused)
    right = refused == (row["want"] == "refused")
    got = row["want"] if right else f"refused ({found.why})" if isinstance(found, Refused) else "ok"
    return Outcome(
        row["id"],
        _lang(row),
        (row["want"],),
        (got,),
        right,
        let_through=not right and not refused,
        stopped=not right and refused,
    )


def _asks_nothing(kind: str, row: Row) -> bool:
    """Whether a row of an `updates` file has a question only, and no facts to decide on."""
    return kind == "updates" and row.get("new_fact", "") is None


def _memory(id: str, text: str, kind: MemoryKind = "fact") -> Memory:
    return Memory(id=id, text=text, kind=kind, source="learning", created=_AT, updated=_AT)


def _habits(row: Row, given: Given) -> Outcome:
    return _one(row, row["want"], "habit" if habit_of_case(row, given.meaning) else "none")


KINDS: dict[str, Answer] = {
    "signals": _signals,
    "gate": _gate,
    "worked": _worked,
    "nearby": _nearby,
    "planted": _planted,
    "secrets": _secrets,
    "identity": _identity,
    "never": _never,
    "prose": _prose,
    "remember": _remember,
    "updates": _updates,
    "skill-work": _skill_work,
    "draft": _draft,
    "habits": _habits,
}
VERDICT_KINDS = frozenset(("gate", "planted", "draft"))


def run_cases(
    kind: str, path: Path, memories: Path | None = None, meaning: Meaning | None = None
) -> Report:
    """Answer every case of a file with the product's own functions.

    `memories` is the file whose memories are stored together for `nearby` (by default the file
    itself). Raises UnreadableCase with the line number for a file or row it cannot read.
    """
    rows = [row for row in read_cases(path) if not _asks_nothing(kind, row)]
    stored: tuple[Memory, ...] = ()
    if kind == "nearby":
        source = read_cases(memories) if memories else rows
        texts = dict.fromkeys(str(row["memory"]) for row in source if "memory" in row)
        stored = tuple(
            _memory(f"m_{place}", text, "preference") for place, text in enumerate(texts)
        )
    given = Given(meaning, stored)
    outcomes: list[Outcome] = []
    for row in rows:
        try:
            outcomes.append(KINDS[kind](row, given))
        except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
            raise unusable_row(path, row, error) from error
    return Report(kind, str(path), outcomes, kind in VERDICT_KINDS)
