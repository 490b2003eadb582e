"""What stands before every route: Host and Origin, the cookie, the size of a body, the headers.

A page of another site can make a browser ask this gateway, under a name that it points at this
computer (DNS rebinding) or straight away (cross-site posts); neither gets an answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from conch.home.errors import ConchError
from conch.web.peers import comes_from_below
from conch.web.problems import answer_of
from conch.web.sign_in import SignIn

BODY_AT_MOST = 1_000_000
TURN_BODY_AT_MOST = 24_000_000
"""Bytes; a turn may carry files, and so may a skill that is brought in."""
_CARRIES_FILES = ("/turn", "/api/skills/import")
OPEN = frozenset(("/api/session", "/api/sign-in"))
"""The only routes of the API that need no cookie."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri "
    "'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))


class Hosts:
    """The names this gateway answers to. Loopback: only loopback's own; beyond it also bare
    addresses (nobody can rebind those) and this computer's `names`."""

    def __init__(self, *, loopback: bool, names: Iterable[str] = ()) -> None:
        self._loopback = loopback
        self._names = {"localhost", *(name.lower() for name in names if name)}

    def knows(self, host: str) -> bool:
        """Whether a Host header names this gateway."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self._names
        return address.is_loopback or not self._loopback


class Guarded:
    """The gateway's app behind its checks."""

    def __init__(
        self,
        app: ASGIApp,
        sign_in: SignIn,
        hosts: Hosts,
        cookie: str,
        has_started: Callable[[], bool] = lambda: False,
    ) -> None:
        """`has_started`: whether a command or an app runs now, which may reach no route."""
        self._has_started = has_started
        self._app = app
        self._sign_in = sign_in
        self._hosts = hosts
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        path = scope["path"]
        is_api = path.startswith("/api/") or path == "/api"

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if is_api:
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        session = session_of(headers, self._cookie)
        scope.setdefault("state", {})["session"] = session
        refused = self._refused(scope["method"], path, headers, session if is_api else None)
        if self._has_started() and await asyncio.to_thread(_comes_from_below, scope):
            refused = 403, ConchError("A command that Conch runs can't use Conch itself.")
        body = b""
        if refused is None and scope["method"] not in _SAFE:
            limit = TURN_BODY_AT_MOST if path.endswith(_CARRIES_FILES) else BODY_AT_MOST
            read = await _body(headers, receive, limit)
            if read is None:
                refused = 413, ConchError("That is too large.", "Nothing was done.", "Send less.")
            else:
                body = read
        if refused is not None:
            await answer_of(*refused)(scope, receive, with_headers)
            return
        given = False

        async def whole_body() -> Message:
            nonlocal given
            if given or scope["method"] in _SAFE:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, whole_body, with_headers)

    def _refused(
        self, method: str, path: str, headers: Headers, session: str | None
    ) -> tuple[int, ConchError] | None:
        """Why a request gets no answer; `session` is None for what needs no cookie."""
        host = headers.get("host", "")
        if not self._hosts.knows(host):
            return 403, ConchError(f"This gateway doesn't answer to “{host[:100]}”.")
        origin = headers.get("origin")
        elsewhere = origin is not None and not _is_origin_of(origin, host)
        site = headers.get("sec-fetch-site", "")
        # A link may lead here from anywhere; nothing else of another site's page may.
        leads_here = session is None and headers.get("sec-fetch-mode") == "navigate"
        if elsewhere or (site in ("cross-site", "same-site") and not leads_here):
            return 403, ConchError("Another site asked for this.", "Nothing was done.")
        if session is None or path in OPEN:
            unsafe = method not in _SAFE and origin is None and site != "same-origin"
            return (403, _NO_ORIGIN) if unsafe else None
        if not self._sign_in.knows(session):
            do = "Open the link that conch serve printed, or run: conch link"
            return 401, ConchError("You aren't signed in here.", "Nothing was done.", do)
        if method not in _SAFE and origin is None and site != "same-origin":
            return 403, _NO_ORIGIN
        return None


_NO_ORIGIN = ConchError("The request doesn't say which page it comes from.", "Nothing was done.")


def _comes_from_below(scope: Scope) -> bool:
    peer, here = scope.get("client"), scope.get("server")
    if not peer or not here or here[1] is None:
        return False
    return comes_from_below((peer[0], peer[1]), (here[0], here[1]))


def session_of(headers: Headers, cookie: str) -> str:
    """The session a request's cookie names, "" for none."""
    try:
        jar = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[cookie].value if cookie in jar else ""


def _is_origin_of(origin: str, host: str) -> bool:
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


async def _body(headers: Headers, receive: Receive, limit: int) -> bytes | None:
    """The whole body, None when it is larger than `limit` bytes."""
    declared = headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > limit:
        return None
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)
