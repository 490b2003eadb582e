"""A home with a clock that is stepped by hand, its chats, and a redactor that knows one word."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.chats.chats import Chats
from conch.home.clock import SteppedClock
from conch.home.home import Home

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


class Hides:
    """Takes one word out of any text, and what stands after "password: "."""

    def redact(self, text: str) -> str:
        if text.startswith("password: "):
            return "password: •••"
        return self.redact_known(text)

    def redact_known(self, text: str) -> str:
        return text.replace("hunter2", "•••")


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(NOON)


@pytest.fixture
def home(tmp_path: Path, clock: SteppedClock) -> Home:
    return Home.open(tmp_path / "home", clock)


@pytest.fixture
def redactor() -> Hides:
    return Hides()


@pytest.fixture
def chats(home: Home, redactor: Hides):
    opened = Chats(home, redactor)
    yield opened
    opened.close()
