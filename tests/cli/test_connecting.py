"""Connecting asks first and saves then: what stood before answers until the new key is checked."""

from __future__ import annotations

import asyncio

import pytest

from conch.cli.verbs.engine_verbs import VERBS
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings
from living import Living
from wire.answers import rejected, says
from wire.server import StubServer

OLD, NEW = "sk-old-0000000000000000", "sk-new-0000000000000000"


@pytest.fixture
def living(tmp_path):
    return Living(tmp_path / "home")


@pytest.fixture
def server():
    with StubServer() as stub:
        stub.otherwise = says("Hello.")
        yield stub


async def told(living, verb, **args):
    return [item async for item in VERBS[verb](living.conch, args)]


def key_of(living) -> str:
    engine = living.conch.engines.get("openai")
    return engine.connection.key if engine is not None else ""


async def connect(living, server, key):
    (item,) = await told(
        living, "engines.connect", engine="openai", key=key, url=server.url, check=True
    )
    return item


async def test_until_it_has_answered_the_old_key_stands(living, server):
    await connect(living, server, OLD)
    stood = []

    def answering(request):
        stood.append((key_of(living), request.headers["authorization"]))
        return says("Hello.")

    server.answers(answering)
    item = await connect(living, server, NEW)
    assert stood == [(OLD, f"Bearer {NEW}")]
    assert (item["id"], key_of(living)) == ("openai", NEW)
    living.start()
    assert key_of(living) == NEW


async def test_a_key_that_is_not_taken_changes_nothing(living, server):
    await connect(living, server, OLD)

    def refuses(request):
        # Set by the person in another window while the check runs.
        living.home.change_settings(
            lambda all: all.model_copy(
                update={
                    "engines": {
                        "openai": all.engines["openai"].model_copy(update={"window": 9_000})
                    }
                }
            )
        )
        return rejected()

    server.answers(refuses)
    with pytest.raises(ConchError, match="was not connected"):
        await connect(living, server, NEW)
    assert key_of(living) == OLD
    assert living.home.settings().engines["openai"].window == 9_000


async def test_a_check_that_is_broken_off_changes_nothing(living, server):
    await connect(living, server, OLD)
    server.answers(says("Hello.", hang_s=1.0))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await connect(living, server, NEW)
    assert key_of(living) == OLD


async def test_one_that_was_never_connected_is_not_after_a_failed_check(living, server):
    server.answers(rejected())
    with pytest.raises(ConchError, match="was not connected"):
        await connect(living, server, NEW)
    assert living.conch.engines.get("openai") is None
    assert "openai" not in living.home.settings().engines


async def test_a_full_disk_halfway_leaves_the_old_key(living, server, monkeypatch):
    await connect(living, server, OLD)

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(living.home, "change_settings", full)
    with pytest.raises(OSError, match="no space"):
        await connect(living, server, NEW)
    monkeypatch.undo()
    assert key_of(living) == OLD
    living.start()
    assert key_of(living) == OLD


async def test_what_was_set_stays_when_it_is_connected_again(living, server):
    await connect(living, server, OLD)
    await told(living, "engines.set", engine="openai", window=9_000)
    await connect(living, server, NEW)
    assert living.home.settings().engines["openai"] == EngineSettings(url=server.url, window=9_000)


async def test_what_the_check_took_is_counted_once(living, server):
    await connect(living, server, OLD)
    month = living.conch.parts.usage.month(living.clock.now(), "check")
    assert (month["answers"], month["input_tokens"]) == (1, 120)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("window", "wide"),
        ("window", -5),
        ("window", 0),
        ("window", 10**30),
        ("plan", "perhaps"),
        ("model", 7),
    ],
)
async def test_a_bad_value_is_said_by_its_field(living, server, field, value):
    await connect(living, server, OLD)
    before = living.home.settings()
    with pytest.raises(ConchError) as refused:
        await told(living, "engines.set", engine="openai", **{field: value})
    assert refused.value.what == f"That can't be set: {field}."
    assert refused.value.do.startswith(f"{field}: ")
    assert living.home.settings() == before
