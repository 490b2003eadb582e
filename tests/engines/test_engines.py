"""Who can answer: keys, addresses, servers on this computer, and who answers by default."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from conch.engines.engine import Ask, Engine
from conch.engines.engines import Engines
from conch.engines.provider_engine import UNKNOWN_LOCAL_WINDOW, UNKNOWN_WINDOW
from conch.engines.providers import at_home, on_this_computer, whole_address
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.settings import EngineSettings
from wire.answers import says
from wire.server import StubServer

KEY = "sk-ant-api03-do-not-show-this-anywhere"

OLLAMA = {
    "/api/tags": {
        "models": [
            {"name": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}},
            {"name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com"},
            {"name": "qwen3:8b", "details": {"family": "qwen3"}},
        ]
    },
    "/api/ps": {"models": []},
    "/api/show": {"parameters": "stop  <|im_end|>\nnum_ctx   16384"},
}
LLAMA_CPP = {
    "/v1/models": {
        "data": [{"id": "tiny.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 32768}}]
    },
    "/props": {"default_generation_settings": {"n_ctx": 2048}},
}
LM_STUDIO = {
    "/api/v0/models": {
        "data": [
            {"id": "cold", "type": "llm", "state": "not-loaded", "max_context_length": 131072},
            {"id": "text-embed", "type": "embeddings", "state": "loaded"},
            {"id": "warm", "type": "vlm", "state": "loaded", "loaded_context_length": 12000},
        ]
    }
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(datetime(2026, 12, 1, tzinfo=UTC)))


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


def nowhere(home: Home, **environ: str) -> Engines:
    return Engines(home, environ, ports={})


def set_engine(home: Home, id: str, **values: Any) -> None:
    home.change_settings(
        lambda all: all.model_copy(
            update={"engines": {**all.engines, id: EngineSettings(**values)}}
        )
    )


def choose(home: Home, id: str) -> None:
    home.change_settings(lambda all: all.model_copy(update={"engine": id}))


def test_with_nothing_the_practice_engine_answers_and_is_no_local_model(home):
    engines = nowhere(home)
    assert [engine.id for engine in engines.connected()] == ["practice"]
    assert engines.default().id == "practice"
    assert engines.local() is None
    assert engines.get("anthropic") is None
    assert isinstance(engines.default(), Engine)


def test_keys_of_the_environment_that_is_handed_in(home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-process")
    engines = nowhere(home, ANTHROPIC_API_KEY=KEY, GEMINI_API_KEY=" ")
    assert [engine.id for engine in engines.connected()] == ["anthropic", "practice"]
    assert engines.secrets() == (KEY,)
    anthropic = engines.default()
    assert isinstance(anthropic, Engine)
    assert anthropic.billing == "metered"
    assert not anthropic.local
    assert anthropic.cheapest_model != anthropic.default_model


def test_a_connected_key_is_sealed_owner_only_and_in_no_other_file(home):
    engine = nowhere(home).connect("anthropic", key=KEY)
    assert engine.id == "anthropic"
    sealed = home.keys / "engines.sealed"
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.keys.stat().st_mode) == 0o700
    for path in home.root.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
    again = nowhere(home)
    assert again.secrets() == (KEY,)
    assert again.get("anthropic") is not None


def test_a_connected_key_goes_before_the_environment(home):
    nowhere(home).connect("openai", key="sk-connected-000000")
    engines = nowhere(home, OPENAI_API_KEY="sk-from-environment")
    assert set(engines.secrets()) == {"sk-connected-000000", "sk-from-environment"}
    engine = engines.get("openai")
    assert engine is not None
    assert engine.connection.key == "sk-connected-000000"  # pyright: ignore[reportAttributeAccessIssue]


def test_keys_that_do_not_open_are_set_aside_and_said(home):
    nowhere(home).connect("anthropic", key=KEY)
    (home.keys / "engines.sealed").write_bytes(b"conch1:not this home's")
    engines = nowhere(home)
    assert engines.default().id == "practice"
    assert any("connect your engines again" in note.text for note in home.notes.recent())
    assert engines.connect("anthropic", key=KEY).id == "anthropic"


def test_disconnect_forgets_key_address_and_choice(home):
    engines = nowhere(home)
    engines.connect("anthropic", key=KEY)
    choose(home, "anthropic")
    engines.disconnect("anthropic")
    assert engines.secrets() == ()
    assert home.settings().engine == ""
    assert nowhere(home).default().id == "practice"
    with pytest.raises(ConchError, match="isn't connected"):
        engines.disconnect("anthropic")


def test_disconnect_says_when_the_environment_still_has_a_key(home):
    with pytest.raises(ConchError, match="ANTHROPIC_API_KEY"):
        nowhere(home, ANTHROPIC_API_KEY=KEY).disconnect("anthropic")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"id": "anthropic"}, "needs a key"),
        ({"id": "skynet"}, "doesn't know"),
        ({"id": "../keys", "url": "http://127.0.0.1:1/v1"}, "name"),
        ({"id": "mine", "url": "not an address"}, "no address"),
        ({"id": "openai", "key": "sk-ключ-12345"}, "plain letters"),
        ({"id": "openai", "key": "sk-12345678\nX-Other: 1"}, "plain letters"),
        ({"id": "mine", "url": "[::1"}, "no address"),
        ({"id": "mine", "url": "http://a\x00b/v1", "model": "m"}, "no address"),
        ({"id": "mine", "url": "http://\x80/v1", "model": "m"}, "no address"),
        ({"id": "mine", "url": "http://a..b/v1", "model": "m"}, "no address"),
        ({"id": "mine", "url": "http://far.example/v1", "key": "k", "model": "m"}, "read it"),
        ({"id": "mine", "url": "http://me:secret@far.example", "model": "m"}, "no address"),
        ({"id": "mine", "url": "http://127.0.0.1:1/v1"}, "Nothing answers"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_connected_changes_nothing(home, given, says):
    with pytest.raises(ConchError, match=says) as refused:
        nowhere(home).connect(**given)
    assert refused.value.kept == "Nothing changed."
    assert not home.settings_file.exists()
    assert not (home.keys / "engines.sealed").exists()


async def test_any_openai_compatible_server_by_its_address(home, server):
    server.pages = {"/v1/models": {"data": [{"id": "qwen", "max_model_len": 40_000}]}}
    server.otherwise = says("Here.")
    engine = nowhere(home).connect("my-vllm", url=f"127.0.0.1:{server.port}")
    assert (engine.id, engine.default_model, engine.window()) == ("my-vllm", "qwen", 40_000)
    assert engine.local
    assert engine.billing == "free"
    assert (await engine.complete(Ask("s", "u", "chat"))).text == "Here."
    assert server.requests[-1].path == "/v1/chat/completions"


def test_a_company_at_a_local_address_is_a_relay_not_a_local_model(home, server):
    engine = server.engine(home, "anthropic")
    assert not engine.local
    assert engine.billing == "metered"
    assert nowhere(home).local() is None


async def test_ollama_is_found_and_what_it_passes_on_is_not_local(home, server):
    server.pages = OLLAMA
    engines = Engines(home, {}, ports={"ollama": server.port})
    assert engines.local() is None
    (found,) = await engines.find_local()
    assert (found.id, found.default_model, found.window()) == ("ollama", "qwen3:8b", 16384)
    assert found.local
    assert found.billing == "free"
    assert engines.local() is found
    assert engines.default() is found
    set_engine(home, "ollama", model="gpt-oss:120b-cloud")
    passed_on = engines.get("ollama")
    assert passed_on is not None
    assert not passed_on.local
    assert passed_on.billing == "metered"
    assert engines.local() is None


async def test_ollama_tells_the_window_of_a_running_model(home, server):
    server.pages = {**OLLAMA, "/api/ps": {"models": [{"name": "qwen3:8b", "context_length": 8000}]}}
    (found,) = await Engines(home, {}, ports={"ollama": server.port}).find_local()
    assert found.window() == 8000


async def test_ollama_where_the_environment_says_it_listens(home, server):
    server.pages = OLLAMA
    engines = Engines(home, {"OLLAMA_HOST": f"127.0.0.1:{server.port}"}, ports={"ollama": 1})
    assert [engine.id for engine in await engines.find_local()] == ["ollama"]


async def test_llama_cpp_and_lm_studio_are_found_by_their_own_interfaces(home):
    with StubServer() as llama, StubServer() as studio:
        llama.pages, studio.pages = LLAMA_CPP, LM_STUDIO
        engines = Engines(home, {}, ports={"llamacpp": llama.port, "lmstudio": studio.port})
        found = {engine.id: engine for engine in await engines.find_local()}
        assert (found["llamacpp"].default_model, found["llamacpp"].window()) == ("tiny.gguf", 2048)
        assert (found["lmstudio"].default_model, found["lmstudio"].window()) == ("warm", 12000)
        assert found["lmstudio"].window("cold") == UNKNOWN_LOCAL_WINDOW


@pytest.mark.parametrize("id", ["ollama", "llamacpp", "lmstudio"])
@pytest.mark.parametrize(
    "pages",
    [
        {},
        {"/v1/models": {"data": [{"id": "of-something-else", "owned_by": "me"}]}},
        {"/api/tags": [], "/v1/models": "hello", "/api/v0/models": {"data": [1, None]}},
        {"/api/tags": {"models": {"name": "x"}}, "/props": []},
    ],
    ids=["nothing", "another server", "odd JSON", "other odd JSON"],
)
async def test_something_else_on_the_port_is_left_alone(home, server, id, pages):
    server.pages = pages
    assert await Engines(home, {}, ports={id: server.port}).find_local() == []


async def test_a_port_that_hangs_is_given_up(home):
    import socket

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        found = await Engines(home, {}, ports={"ollama": port, "lmstudio": port}).find_local()
    assert found == []


def test_a_chosen_local_server_stays_the_choice_while_it_is_not_running(home):
    choose(home, "ollama")
    engines = nowhere(home, ANTHROPIC_API_KEY=KEY)
    assert engines.default().id == "ollama"
    assert engines.local() is None


def test_a_choice_that_is_gone_leaves_the_first_connected(home):
    choose(home, "groq")
    assert nowhere(home, ANTHROPIC_API_KEY=KEY).default().id == "anthropic"
    assert nowhere(home).default().id == "practice"


def test_a_connected_server_that_comes_up_later_tells_its_models_then(home):
    clock = home.clock
    assert isinstance(clock, SteppedClock)
    with StubServer() as server:
        server.pages = OLLAMA
        nowhere(home).connect("ollama", url=server.url)
        engines = nowhere(home)
        pages, server.pages = server.pages, {}
        before = engines.get("ollama")
        assert before is not None
        assert before.default_model == ""
        server.pages = pages
        clock.advance(minutes=1)
        after = engines.get("ollama")
        assert after is not None
        assert after.default_model == "qwen3:8b"


def test_settings_go_before_the_table(home):
    set_engine(home, "anthropic", model="big", cheap_model="small", plan=True, window=12_345)
    engine = nowhere(home, ANTHROPIC_API_KEY=KEY).get("anthropic")
    assert engine is not None
    assert (engine.default_model, engine.cheapest_model) == ("big", "small")
    assert engine.billing == "plan"
    assert engine.window() == 12_345


@pytest.mark.parametrize("window", [-5, 0, 10**12])
def test_a_window_that_can_be_none_is_as_if_never_set(home, window):
    set_engine(home, "anthropic", window=window)
    engine = nowhere(home, ANTHROPIC_API_KEY=KEY).get("anthropic")
    assert engine is not None
    assert engine.window() == 1_000_000


def test_windows_from_the_price_list_and_cautious_guesses(home):
    engines = nowhere(home, ANTHROPIC_API_KEY=KEY)
    set_engine(home, "far", url="https://far.example/v1", model="m")
    set_engine(home, "near", url="http://127.0.0.1:1/v1", model="m")
    set_engine(home, "ollama", url="http://127.0.0.1:1/v1", model="m")
    windows = {engine.id: engine.window() for engine in engines.connected()}
    assert windows["anthropic"] == 1_000_000
    assert windows["far"] == UNKNOWN_WINDOW
    assert windows["near"] == UNKNOWN_LOCAL_WINDOW == 8192
    assert windows["ollama"] == 4096


@pytest.mark.parametrize(
    ("address", "computer", "at_home_"),
    [
        ("http://127.0.0.1:1", True, True),
        ("http://[::1]:8080/v1", True, True),
        ("http://localhost", True, True),
        ("http://192.168.1.7:11434", False, True),
        ("http://nas.local", False, True),
        ("https://api.openai.com/v1", False, False),
        ("http://localhost.evil.example", False, False),
        ("http://127.0.0.1.evil.example", False, False),
        ("http://8.8.8.8", False, False),
    ],
)
def test_where_an_address_is(address, computer, at_home_):
    assert on_this_computer(address) is computer
    assert at_home(address) is at_home_


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("localhost:8080", "http://localhost:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("far.example", "https://far.example/v1"),
        ("https://far.example/api/v3/", "https://far.example/api/v3"),
    ],
)
def test_addresses_as_people_write_them(written, whole):
    assert whole_address(written) == whole


@pytest.mark.parametrize(
    ("environ", "proxy"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"all_proxy": "http://proxy:3128"}, "http://proxy:3128"),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": ".anthropic.com"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "*"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "other.example"}, "http://proxy:3128"),
    ],
)
def test_the_proxy_is_the_handed_in_environments(home, environ, proxy):
    engine = nowhere(home, ANTHROPIC_API_KEY=KEY, **environ).get("anthropic")
    assert engine is not None
    assert engine.connection.proxy == proxy  # pyright: ignore[reportAttributeAccessIssue]


async def test_a_proxy_never_stands_between_conch_and_this_computer(home, server, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv(name.lower(), "http://127.0.0.1:9")
    engine = server.engine(home, "lmstudio")
    server.otherwise = says("Direct.")
    assert (await engine.complete(Ask("s", "u", "chat"))).text == "Direct."


@pytest.mark.parametrize("url", ["http://", "nonsense", "ftp://x", ""])
def test_a_broken_address_in_the_settings_breaks_nothing(home, url):
    set_engine(home, "ollama", url=url)
    set_engine(home, "mine", url=url, model="m")
    engines = Engines(home, {"OLLAMA_HOST": "http://[broken"}, ports={})
    assert "practice" in [engine.id for engine in engines.connected()]


def test_nothing_heavy_is_imported_before_a_model_is_asked():
    import subprocess
    import sys

    script = (
        "import sys, tempfile, pathlib\n"
        "from conch.engines.engines import Engines\n"
        "from conch.home.home import Home\n"
        "engines = Engines(Home.open(pathlib.Path(tempfile.mkdtemp())),"
        " {'ANTHROPIC_API_KEY': 'k'}, ports={})\n"
        "engines.default().cheapest_model\n"
        "heavy = {'pydantic_ai', 'openai', 'anthropic', 'google.genai', 'httpx2', 'genai_prices'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environ, check=True
    )
    assert done.stdout.strip() == "[]"
