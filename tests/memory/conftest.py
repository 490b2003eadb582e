"""A home in a temporary folder, and memories in two lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.guard.check import CheckContext
from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.memory.memories import Memories
from conch.memory.memory import Memory

START = datetime(2026, 8, 20, 9, 0, tzinfo=UTC)
LEARNING = CheckContext(via="learning")

MakeMemory = Callable[..., Memory]


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(START)


@pytest.fixture
def home(tmp_path: Path, clock: SteppedClock) -> Home:
    return Home.open(tmp_path / "home", clock)


@pytest.fixture
def memories(home: Home, clock: SteppedClock) -> Memories:
    return Memories(home, clock)


@pytest.fixture
def make() -> MakeMemory:
    def memory(memory_id: str = "m_1", text: str = "Lives in Berlin", **given: object) -> Memory:
        values: dict[str, object] = {"kind": "fact", "source": "learning", "created": START}
        values |= {"updated": START, **given}
        return Memory(id=memory_id, text=text, **values)  # type: ignore[arg-type]

    return memory


@pytest.fixture
def put(memories: Memories, make: MakeMemory) -> MakeMemory:
    """Add a memory learned in a chat; gives it as it is kept."""

    def added(memory_id: str = "m_1", text: str = "Lives in Berlin", **given: object) -> Memory:
        return memories.add(make(memory_id, text, **given), LEARNING)

    return added
