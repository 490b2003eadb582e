"""Chats brought in are learned from like any other, and everything learned from them waits."""

from pathlib import Path

import pytest

from conch.doors.bring.bring import bring
from conch.evals.promises import broken_promises
from conch.evals.worst_case import WorstCaseEngine
from conch.guard.secrets import has_secret
from real_model import real_server

__all__ = ["real_server"]

TRANSCRIPTS = Path(__file__).parent / "transcripts"


def bring_all(living):
    home = living.home
    ledger = home.root / "brought.jsonl"
    brought = bring(TRANSCRIPTS, living.conch.chats, ledger, home.notes, here=living.host)
    assert brought.chats_new > 40
    return brought


async def learn_all(living, engine):
    """One look after the other, the newest chat first, until nothing is left to read."""
    outcomes: dict[str, int] = {}
    for _ in range(5):
        chats = living.conch.learning.brought(engine).chats
        for chat in chats:
            result = await living.conch.learning.look(chat, by=engine)
            outcomes[result.outcome] = outcomes.get(result.outcome, 0) + 1
        living.clock.advance(hours=2)
        if not chats:
            break
    return outcomes


def nothing_unsafe(living, outcomes):
    assert set(outcomes) <= {
        "learned",
        "nothing_to_learn",
        "nothing_new",
        "someone_else",
        "unreadable",
        "no_answer",
    }
    assert living.memories == []
    assert all(record.state == "waiting" for record in living.conch.learning.records())
    assert not any(has_secret(memory.text) for memory in living.conch.memories.all())
    assert broken_promises(living.folder) == []


async def test_with_the_practice_engine(living):
    bring_all(living)
    engine = living.conch.engines.default()
    outcomes = await learn_all(living, engine)
    nothing_unsafe(living, outcomes)
    print(outcomes, len(living.conch.learning.records()))


async def test_with_the_worst_model(living):
    bring_all(living)
    outcomes = await learn_all(living, WorstCaseEngine())
    nothing_unsafe(living, outcomes)


@pytest.mark.slow
@pytest.mark.real_model
async def test_with_a_real_small_model(living, real_server):
    bring_all(living)
    engine = real_server.engine(living.home)
    outcomes = await learn_all(living, engine)
    nothing_unsafe(living, outcomes)
    print(outcomes, len(living.conch.learning.records()))
