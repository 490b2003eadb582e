"""Finding model servers on this computer, and asking a server which models it has.

Only servers known by their own interfaces are found: something else that listens on the same port
is left alone.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from conch.home.json_values import read_json

_PROBE_SECONDS = 0.6
_LIST_SECONDS = 5.0
_ANSWER_AT_MOST = 4_000_000

LOCAL_PORTS: Mapping[str, int] = {"ollama": 11434, "lmstudio": 1234, "llamacpp": 8080}
"""Where the servers listen by themselves, on 127.0.0.1."""


@dataclass(frozen=True)
class ListedModel:
    """A model a server has. `window` in tokens, None when it doesn't say.

    `elsewhere`: the server only passes it on to somebody else's computer.
    """

    name: str
    window: int | None = None
    elsewhere: bool = False


@dataclass(frozen=True)
class FoundServer:
    """A server on this computer, its address and its models, the likeliest to be used first."""

    id: str
    url: str
    models: tuple[ListedModel, ...]


def find_servers(ports: Mapping[str, int] = LOCAL_PORTS) -> list[FoundServer]:
    """The servers that answer on these ports of 127.0.0.1, in the order of `ports`.

    Waits at most about a second, for all of them together.
    """
    with ThreadPoolExecutor(max_workers=max(1, len(ports))) as pool:
        found = pool.map(lambda item: _probe(*item), ports.items())
        return [server for server in found if server is not None]


def models_at(
    id: str, url: str, key: str = "", patience: float = _LIST_SECONDS
) -> list[ListedModel]:
    """The models of an OpenAI-compatible server, [] when it can't be asked.

    `url` ends with the path the client uses ("…/v1"); `id` says whose own interface to try.
    """
    with _Asker(url, key, patience) as ask:
        if id == "ollama":
            return _of_ollama(ask)
        if id == "lmstudio":
            told = _of_lm_studio(ask)
            if told:
                return told
        return _of_openai_like(ask)


def _probe(id: str, port: int) -> FoundServer | None:
    try:
        # Where nothing listens, as is usual, no HTTP client need be loaded.
        socket.create_connection(("127.0.0.1", port), timeout=_PROBE_SECONDS).close()
    except OSError:
        return None
    url = f"http://127.0.0.1:{port}/v1"
    with _Asker(url, "", _PROBE_SECONDS) as ask:
        match id:
            case "ollama":
                models = _of_ollama(ask)
            case "lmstudio":
                models = _of_lm_studio(ask)
            case "llamacpp":
                models = _of_openai_like(ask) if _is_llama_cpp(ask) else []
            case _:
                models = _of_openai_like(ask)
    return FoundServer(id, url, tuple(models)) if models else None


def _of_ollama(ask: _Asker) -> list[ListedModel]:
    """`/api/tags` lists, newest first; `/api/ps` tells the window a running model really has."""
    running = {
        str(one.get("name")): _tokens(one.get("context_length"))
        for one in _dicts(ask.root("/api/ps"), "models")
    }
    found: list[ListedModel] = []
    for one in _dicts(ask.root("/api/tags"), "models"):
        name = str(one.get("name") or "")
        details = one.get("details")
        family = str(details.get("family", "")) if isinstance(details, dict) else ""
        if not name or "embed" in name or "bert" in family:
            continue
        elsewhere = bool(one.get("remote_host")) or is_passed_on(name)
        found.append(ListedModel(name, running.get(name), elsewhere))
    found.sort(key=lambda model: model.elsewhere)
    # Cold models' windows are asked for one at a time, the first alone: it is the one used.
    if found and found[0].window is None and not found[0].elsewhere:
        window = _window_set(ask.root("/api/show", {"model": found[0].name}))
        found[0] = ListedModel(found[0].name, window)
    return found


def _window_set(shown: Any) -> int | None:
    """The `num_ctx` a model's own file sets; its greatest possible window says nothing here."""
    parameters = str(shown.get("parameters") or "") if isinstance(shown, dict) else ""
    for line in parameters.splitlines():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and value.strip().isdigit():
            return int(value)
    return None


def _of_lm_studio(ask: _Asker) -> list[ListedModel]:
    found: list[tuple[bool, ListedModel]] = []
    for one in _dicts(ask.root("/api/v0/models"), "data"):
        if one.get("type") not in ("llm", "vlm") or not one.get("id"):
            continue
        loaded = one.get("state") == "loaded"
        window = _tokens(one.get("loaded_context_length")) if loaded else None
        found.append((not loaded, ListedModel(str(one["id"]), window)))
    return [model for _, model in sorted(found, key=lambda pair: pair[0])]


def _is_llama_cpp(ask: _Asker) -> bool:
    listed = _dicts(ask.path("/models"), "data")
    if any(one.get("owned_by") == "llamacpp" for one in listed):
        return True
    props = ask.root("/props")
    return isinstance(props, dict) and "default_generation_settings" in props


def _of_openai_like(ask: _Asker) -> list[ListedModel]:
    listed = _dicts(ask.path("/models"), "data")
    props = ask.root("/props") if any(one.get("owned_by") == "llamacpp" for one in listed) else None
    running = None
    if isinstance(props, dict):
        settings = props.get("default_generation_settings")
        running = _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None
    found: list[ListedModel] = []
    for one in listed:
        name = str(one.get("id") or "")
        if name and "embed" not in name:
            told = one.get("max_model_len") or one.get("context_length")
            found.append(ListedModel(name, running or _tokens(told), is_passed_on(name)))
    return found


def is_passed_on(model: str) -> bool:
    """Whether Ollama runs this model on its own computers and not on the person's."""
    return model.endswith((":cloud", "-cloud"))


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _dicts(answer: Any, key: str) -> list[dict[str, Any]]:
    items = answer.get(key) if isinstance(answer, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


class _Asker:
    """Asks one server for JSON; whatever goes wrong is None."""

    def __init__(self, url: str, key: str, patience: float) -> None:
        import httpx2

        parts = urlsplit(url)
        self._root = f"{parts.scheme}://{parts.netloc}"
        self._url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(timeout=patience, headers=headers, trust_env=False)
        self._given_up = False

    def __enter__(self) -> _Asker:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def root(self, path: str, body: dict[str, str] | None = None) -> Any:
        return self._ask(self._root + path, body)

    def path(self, path: str) -> Any:
        return self._ask(self._url + path, None)

    def _ask(self, url: str, body: dict[str, str] | None) -> Any:
        import httpx2

        if self._given_up:
            return None
        try:
            with self._client.stream("POST" if body else "GET", url, json=body) as response:
                if response.status_code != 200:
                    return None
                data = bytearray()
                for piece in response.iter_bytes():
                    data += piece
                    if len(data) > _ANSWER_AT_MOST:
                        return None
        except httpx2.TransportError:
            self._given_up = True
            return None
        with suppress(ValueError):
            return read_json(bytes(data))
        return None
