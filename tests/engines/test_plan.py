"""Plan room (spec 0088 §1): a plan at least 80% used is left to the person; unknown is not room."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from conch.engines.engine import Ask, EngineFailed
from conch.engines.engines import Engines
from conch.engines.plan import PLAN_ROOM_PERCENT, PlanReadings, PlanRoom, windows_in
from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.home.store import Store
from wire.answers import rate_limited, says
from wire.server import StubServer

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def anthropic(share: float, week: float = 0.1, resets: datetime = NOW + timedelta(hours=3)):
    return {
        "anthropic-ratelimit-unified-status": "allowed",
        "anthropic-ratelimit-unified-5h-utilization": str(share),
        "anthropic-ratelimit-unified-5h-reset": str(int(resets.timestamp())),
        "anthropic-ratelimit-unified-7d-utilization": str(week),
        "anthropic-ratelimit-unified-7d-reset": str(int((NOW + timedelta(days=4)).timestamp())),
    }


def openai(used: int, resets: str = "6m0s"):
    return {
        "x-ratelimit-limit-requests": "100",
        "x-ratelimit-remaining-requests": str(100 - used),
        "x-ratelimit-reset-requests": resets,
        "x-ratelimit-limit-tokens": "10000",
        "x-ratelimit-remaining-tokens": "9999",
        "x-ratelimit-reset-tokens": "1ms",
    }


@pytest.mark.parametrize(("percent", "room"), [(79, True), (80, False), (81, False)])
@pytest.mark.parametrize("id", ["anthropic", "openai"])
async def test_room_by_the_headers_of_true_answers(tmp_path: Path, id, percent, room):
    home = Home.open(tmp_path / "home", SteppedClock(NOW))
    headers = anthropic(percent / 100) if id == "anthropic" else openai(percent)
    with StubServer() as server:
        server.engine(home, id, plan=True)
        engines = Engines(home, {}, ports={})
        engine = engines.get(id)
        assert engine is not None
        assert engine.billing == "plan"
        assert not engines.plan_room.room(id, NOW)
        server.answers(says("Fine.", headers=headers))
        completed = await engine.complete(Ask("s", "u", "chat"))
    assert completed.cost_usd == 0.0
    assert engines.plan_room.used_percent(id, NOW) == pytest.approx(percent)
    assert engines.plan_room.room(id, NOW) is room
    assert Engines(home, {}, ports={}).plan_room.room(id, NOW) is room


async def test_a_streamed_answer_tells_too(tmp_path: Path):
    from pydantic_ai import Agent

    home = Home.open(tmp_path / "home", SteppedClock(NOW))
    with StubServer() as server:
        server.engine(home, "anthropic", plan=True)
        engines = Engines(home, {}, ports={})
        engine = engines.get("anthropic")
        assert engine is not None
        server.answers(says("Fine.", headers=anthropic(0.42)))
        async with Agent(engine.model()).run_stream("hello") as run:
            assert await run.get_output() == "Fine."
    assert engines.plan_room.used_percent("anthropic", NOW) == pytest.approx(42)


async def test_a_rejected_request_tells_too(tmp_path: Path):
    home = Home.open(tmp_path / "home", SteppedClock(NOW))
    until = int((NOW + timedelta(hours=1)).timestamp())
    headers = {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": str(until),
    }
    with StubServer() as server:
        engine = server.engine(home, "anthropic", plan=True)
        server.answers(says("", status=429, headers=headers), rate_limited())
        with pytest.raises(EngineFailed):
            await engine.complete(Ask("s", "u", "chat"))
    room = Engines(home, {}, ports={}).plan_room
    assert room.used_percent("anthropic", NOW) == 100
    assert room.used_percent("anthropic", NOW + timedelta(hours=2)) == 0


def test_the_fullest_window_counts():
    room = PlanRoom()
    room.note("a", anthropic(0.1, week=0.9), NOW)
    assert room.used_percent("a", NOW) == pytest.approx(90)
    assert not room.room("a", NOW)
    assert room.used_percent("b", NOW) is None


def test_a_window_that_started_anew_is_unused_and_an_old_reading_tells_nothing():
    room = PlanRoom()
    room.note("a", anthropic(0.95), NOW)
    assert not room.room("a", NOW + timedelta(hours=2))
    assert room.used_percent("a", NOW + timedelta(hours=4)) == pytest.approx(10)
    assert room.used_percent("a", NOW + timedelta(hours=25)) is None
    assert room.used_percent("a", NOW - timedelta(hours=1)) is None


def test_headers_that_tell_nothing_change_nothing():
    room = PlanRoom()
    room.note("a", anthropic(0.5), NOW)
    room.note("a", {"content-type": "application/json"}, NOW)
    assert room.used_percent("a", NOW) == pytest.approx(50)


@pytest.mark.parametrize(
    "headers",
    [
        {"anthropic-ratelimit-unified-5h-utilization": "a lot"},
        {"anthropic-ratelimit-unified-5h-utilization": "nan"},
        {"anthropic-ratelimit-unified-5h-utilization": "-1"},
        {"x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0"},
        {"x-ratelimit-limit-requests": "100"},
        {"x-codex-primary-used-percent": ""},
        {},
    ],
)
def test_headers_that_say_nothing_sure_are_no_reading(headers):
    assert windows_in(headers, NOW) == {}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("6m0s", 360), ("1s", 1), ("250ms", 0.25), ("1h30m", 5400), ("30", 30), ("1d", 86400)],
)
def test_when_a_window_starts_anew(text, seconds):
    told = windows_in(openai(50, text), NOW)["requests"]
    assert told.resets == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["soon", "6x", "", "1e30", "999999d"])
def test_a_moment_that_cannot_be_read_is_none(text):
    assert windows_in(openai(50, text), NOW)["requests"].resets is None


def test_other_shapes_of_headers():
    told = windows_in(
        {
            "X-Codex-Primary-Used-Percent": "81.5",
            "x-codex-primary-reset-after-seconds": "600",
            "anthropic-ratelimit-requests-limit": "50",
            "anthropic-ratelimit-requests-remaining": "10",
            "anthropic-ratelimit-requests-reset": "2026-12-01T09:01:00Z",
        },
        NOW,
    )
    assert told["primary"].used_percent == 81.5
    assert told["primary"].resets == NOW + timedelta(minutes=10)
    assert told["requests"].used_percent == PLAN_ROOM_PERCENT
    assert told["requests"].resets == NOW + timedelta(minutes=1)


def test_a_damaged_file_is_no_room(tmp_path: Path):
    home = Home.open(tmp_path / "home", SteppedClock(NOW))
    path = home.root / "plan-room.json"
    store = Store(path, PlanReadings, home.notes)
    PlanRoom(store).note("a", anthropic(0.1), NOW)
    assert PlanRoom(store).room("a", NOW)
    path.write_bytes(path.read_bytes()[:-20])
    assert not PlanRoom(store).room("a", NOW)
