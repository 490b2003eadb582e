"""A key is sent to the address it was given for and to no other, whatever happens in between."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conch.engines.connecting import connect
from conch.engines.engine import Ask
from conch.engines.engines import Engines
from conch.engines.keys import EngineKeys, same_place
from conch.engines.provider_engine import ProviderEngine
from conch.engines.usage import UsageLedger
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.settings import EngineSettings
from wire.answers import says
from wire.server import StubServer

OLD, NEW = "sk-old-0000000000000000", "sk-new-0000000000000000"


@pytest.fixture
def home(tmp_path):
    return Home.open(tmp_path / "home", SteppedClock(datetime(2026, 12, 1, tzinfo=UTC)))


@pytest.fixture
def servers():
    with StubServer() as one, StubServer() as other:
        for server in (one, other):
            server.otherwise = says("Hello.")
            server.pages = {"/v1/models": {"data": [{"id": "m"}]}}
        yield one, other


def opened(home: Home, **environ: str) -> Engines:
    return Engines(home, environ, ports={})


def sent(engines: Engines, id: str) -> str:
    engine = engines.get(id)
    return engine.connection.key if isinstance(engine, ProviderEngine) else ""


def address(home: Home, id: str, url: str) -> None:
    """What a person may write into settings.json, or a kill may leave there."""
    home.change_settings(
        lambda all: all.model_copy(update={"engines": {id: EngineSettings(url=url, model="m")}})
    )


async def test_a_new_address_without_a_key_is_not_sent_the_stored_one(home, servers):
    one, other = servers
    engines, ledger = opened(home), UsageLedger(home)
    first = await connect(engines, ledger, "mine", key=OLD, url=one.url)
    assert first.key == "given"
    second = await connect(engines, ledger, "mine", url=other.url)
    assert second.key == "none"
    await second.engine.complete(Ask("s", "u", "chat"))
    assert all(OLD not in request.headers.get("authorization", "") for request in other.requests)
    assert opened(home).secrets() == ()


async def test_the_same_address_keeps_its_key(home, servers):
    one, _ = servers
    engines, ledger = opened(home), UsageLedger(home)
    await connect(engines, ledger, "mine", key=OLD, url=one.url, model="a")
    again = await connect(engines, ledger, "mine", url=f"{one.url}/", model="b")
    assert (again.key, again.engine.default_model) == ("kept", "b")
    assert {request.headers["authorization"] for request in one.completions()} == {f"Bearer {OLD}"}


async def test_a_company_elsewhere_asks_for_its_key_again(home):
    engines = opened(home)
    engines.connect("openai", key=OLD)
    with pytest.raises(ConchError, match="another address and stays there"):
        engines.connect("openai", url="https://elsewhere.example/v1")
    assert sent(opened(home), "openai") == OLD


@pytest.mark.parametrize("id", ["openai", "mine"])
def test_a_kill_between_the_key_and_the_settings_leaves_what_stood(home, monkeypatch, id):
    before, after = "https://one.example/v1", "https://two.example/v1"
    opened(home).connect(id, key=OLD, url=before, model="m")

    class Killed(BaseException):
        pass

    def killed(*_):
        raise Killed

    engines = opened(home)
    prepared = engines.prepare(id, key=NEW, url=after, model="m")
    put = EngineKeys.put
    monkeypatch.setattr(home, "change_settings", killed)
    # A process that is killed puts nothing back.
    monkeypatch.setattr(
        EngineKeys, "put", lambda keys, id, at, key: put(keys, id, at, key) if key else None
    )
    with pytest.raises(Killed):
        engines.save(prepared)
    monkeypatch.undo()
    assert sent(opened(home), id) == OLD
    address(home, id, after)
    assert sent(opened(home), id) == NEW


def test_an_address_changed_by_hand_is_sent_nothing(home):
    opened(home).connect("mine", key=OLD, url="https://one.example/v1", model="m")
    address(home, "mine", "https://two.example/v1")
    assert sent(opened(home), "mine") == ""
    address(home, "mine", "https://one.example/v1")
    assert sent(opened(home), "mine") == OLD


def test_the_environments_key_goes_to_the_address_named_there(home, servers):
    _, other = servers
    environ = {"OPENAI_API_KEY": NEW}
    assert sent(opened(home, **environ), "openai") == NEW
    named = {**environ, "OPENAI_BASE_URL": "https://named.example/v1"}
    assert sent(opened(home, **named), "openai") == NEW
    opened(home, **environ).connect("openai", url=other.url, model="m")
    assert sent(opened(home, **environ), "openai") == ""


def test_a_connected_key_does_not_follow_the_environments_address(home):
    opened(home).connect("openai", key=OLD)
    moved = opened(home, OPENAI_BASE_URL="https://named.example/v1")
    assert sent(moved, "openai") == ""
    assert sent(opened(home), "openai") == OLD


def test_disconnecting_forgets_the_keys_of_every_address(home):
    keys = EngineKeys(home)
    keys.put("mine", "https://one.example/v1", OLD)
    keys.put("mine", "https://two.example/v1", NEW)
    opened(home).disconnect("mine")
    assert opened(home).secrets() == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example/v1", "HTTPS://A.example:443/v1/", True),
        ("http://127.0.0.1:80/v1", "http://127.0.0.1/v1", True),
        ("https://a.example/v1", "http://a.example/v1", False),
        ("https://a.example/v1", "https://a.example:8443/v1", False),
        ("https://a.example/one/v1", "https://a.example/two/v1", False),
        ("https://a.example/v1", "https://b.example/v1", False),
        ("https://a.example/v1?x=1", "https://a.example/v1?x=2", False),
    ],
)
def test_when_two_addresses_are_one(one, other, same):
    assert (same_place(one) == same_place(other)) is same
