"""A local server that speaks the providers' wire formats, so the true clients can be driven.

```python
with StubServer() as server:
    server.answers(changes(adds("Prefers TypeScript", "I meant TypeScript")), rate_limited())
    engine = server.engine(home, "anthropic")
    ...
    assert server.requests[0].model == "claude-haiku-5-5"
```

Answers are given in turn; with none left, `otherwise` answers (a value or a function of the
request). It never talks to anybody but whoever asks it.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from conch.engines.engine import Engine
from conch.engines.engines import Engines
from conch.home.home import Home
from conch.home.settings import EngineSettings
from wire import formats
from wire.answers import Answer

Answering = Answer | Callable[["Request"], Answer]

COMPANY_KEYS = {
    "anthropic": "sk-ant-stub-0000000000000000",
    "openai": "sk-stub-0000000000000000",
    "google": "AIzaStub0000000000000000",
}


@dataclass(frozen=True)
class Request:
    """One request that came in. `wire` is openai, anthropic, google or "" for other paths."""

    wire: str
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    model: str = ""
    stream: bool = False

    @property
    def words(self) -> str:
        """Everything the request says, as text."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def user(self) -> str:
        """The last message of the person's, in whichever format it came."""
        messages = self.body.get("messages") or self.body.get("contents") or []
        for message in reversed(messages):
            if message.get("role") == "user":
                return _text_of(message.get("content") or message.get("parts"))
        return ""


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or [] if isinstance(part, dict))


class StubServer:
    """The server, on a free port of 127.0.0.1 from `with` to its end.

    `key`: when set, requests with another key get a 401. `pages`: JSON for plain paths
    (`{"/api/tags": {...}}`), for the interfaces local servers have.
    """

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.requests: list[Request] = []
        self.pages: dict[str, Any] = {}
        self.otherwise: Answering = Answer(status=500, message="The stub has no answer left.")
        self._answers: list[Answering] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._connections: set[socket.socket] = set()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.stub = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> StubServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, dropping whatever is open: what a server that dies looks like."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address for OpenAI-compatible clients."""
        return f"{self.root}/v1"

    def answers(self, *answers: Answering) -> None:
        """Queue answers, given in turn."""
        with self._lock:
            self._answers += answers

    def engine(self, home: Home, id: str = "openai", **settings: Any) -> Engine:
        """`id` connected to this server in `home`: a company by its key, anything else as an
        OpenAI-compatible server with the model "stub-model". `settings` are its EngineSettings."""
        engines = Engines(home, {}, ports={})
        url = self.root if id in ("anthropic", "google") else self.url
        engines.connect(
            id,
            key=self.key or COMPANY_KEYS.get(id, ""),
            url=url,
            model="" if id in COMPANY_KEYS else "stub-model",
        )
        if settings:
            before = home.settings().engines[id]
            after = EngineSettings.model_validate({**before.model_dump(), **settings})
            home.change_settings(
                lambda all: all.model_copy(update={"engines": {**all.engines, id: after}})
            )
        engine = engines.get(id)
        assert engine is not None
        return engine

    def completions(self) -> list[Request]:
        """The requests that asked a model."""
        return [request for request in self.requests if request.wire]

    def _next(self, request: Request) -> Answer:
        with self._lock:
            answering = self._answers.pop(0) if self._answers else self.otherwise
        return answering(request) if callable(answering) else answering


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stub: StubServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no error of the stub's."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        with self.server.stub._lock:
            self.server.stub._connections.add(self.connection)

    def finish(self) -> None:
        with self.server.stub._lock:
            self.server.stub._connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""

    def do_GET(self) -> None:
        stub = self.server.stub
        stub.requests.append(Request("", "GET", self.path, self._heads(), {}))
        if self.path in stub.pages:
            self._json(200, stub.pages[self.path])
        else:
            self._json(404, {"error": {"message": "not found"}})

    def do_POST(self) -> None:
        stub = self.server.stub
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(data or b"{}")
        except ValueError:
            self._json(400, {"error": {"message": "no JSON"}})
            return
        path = self.path.partition("?")[0]
        if path in stub.pages:
            stub.requests.append(Request("", "POST", self.path, self._heads(), body))
            self._json(200, stub.pages[path])
            return
        request = self._read(path, body)
        stub.requests.append(request)
        if not request.wire:
            self._json(404, {"error": {"message": "not found"}})
            return
        if stub.key and stub.key not in self._given_key():
            self._say(request, Answer(status=401, error="invalid_api_key", message="Bad key."))
            return
        self._say(request, stub._next(request))

    def _read(self, path: str, body: dict[str, Any]) -> Request:
        heads = self._heads()
        if path.endswith("/chat/completions"):
            model, stream = str(body.get("model")), bool(body.get("stream"))
            return Request("openai", "POST", self.path, heads, body, model, stream)
        if path.endswith("/v1/messages"):
            model, stream = str(body.get("model")), bool(body.get("stream"))
            return Request("anthropic", "POST", self.path, heads, body, model, stream)
        model, _, verb = path.rpartition("/models/")[2].partition(":")
        if verb in ("generateContent", "streamGenerateContent"):
            stream = verb == "streamGenerateContent"
            return Request("google", "POST", self.path, heads, body, model, stream)
        return Request("", "POST", self.path, heads, body)

    def _heads(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _given_key(self) -> str:
        heads = self._heads()
        names = ("authorization", "x-api-key", "x-goog-api-key")
        return " ".join(heads.get(name, "") for name in names)

    def _say(self, request: Request, answer: Answer) -> None:
        if self.server.stub._closing.wait(answer.hang_s):
            self.close_connection = True
            return
        if answer.raw is not None:
            self._send(answer.status, answer.raw, dict(answer.headers), "application/json")
        elif answer.status != 200:
            error = {
                "openai": formats.openai_error,
                "anthropic": formats.anthropic_error,
                "google": formats.google_error,
            }[request.wire](answer)
            self._json(answer.status, error, dict(answer.headers))
        elif request.stream:
            self._stream(answer, self._events(request, answer))
        else:
            body = {
                "openai": formats.openai_body,
                "anthropic": formats.anthropic_body,
                "google": formats.google_body,
            }[request.wire](answer, request.model)
            data = json.dumps(body).encode("utf-8", "surrogatepass")
            cut = len(data) // 2 if answer.cut_after is not None else None
            self._send(200, data, dict(answer.headers), "application/json", cut)

    def _events(self, request: Request, answer: Answer) -> Iterator[bytes]:
        match request.wire:
            case "anthropic":
                return formats.anthropic_stream(answer, request.model)
            case "google":
                return formats.google_stream(answer, request.model)
            case _:
                options = request.body.get("stream_options") or {}
                with_usage = bool(options.get("include_usage"))
                return formats.openai_stream(answer, request.model, with_usage)

    def _stream(self, answer: Answer, events: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for number, piece in enumerate(events):
            if answer.cut_after is not None and number >= answer.cut_after:
                self.wfile.flush()
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()
            if answer.pause_s and self.server.stub._closing.wait(answer.pause_s):
                self.close_connection = True
                return
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), headers or {}, "application/json")

    def _send(
        self,
        status: int,
        data: bytes,
        headers: dict[str, str],
        kind: str,
        cut: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:cut])
        self.wfile.flush()
        if cut is not None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
