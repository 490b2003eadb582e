"""Runs the gateway of one home: the server, the watcher, and the note where it listens."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import os
import socket as sockets
from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from conch.app import Conch
from conch.home.clock import SystemClock
from conch.home.errors import ConchError
from conch.home.files import read_bytes, remove, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json
from conch.web import pages
from conch.web.application import COOKIE, application
from conch.web.gateway import Gateway
from conch.web.guarding import Hosts
from conch.web.sign_in import SignIn
from conch.web.watching import Watcher

PORT = 4317
_CLOSED_WITHIN_SECONDS = 3


@dataclass(frozen=True)
class Listening:
    """Where a gateway listens. `port` 0 is any free one. `names`: of a proxy before it."""

    host: str = "127.0.0.1"
    port: int = PORT
    names: tuple[str, ...] = ()

    @property
    def loopback(self) -> bool:
        """Whether only this computer can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def note_of(home: Home) -> Path:
    """The file that says where the gateway of a home listens, while it runs."""
    return home.root / "gateway.json"


def where_it_listens(home: Home) -> str:
    """The address of the gateway that runs for this home, "" when the note doesn't say."""
    try:
        return str(read_json(read_bytes(note_of(home)))["address"])
    except (ValueError, KeyError, TypeError, OSError):
        return ""


def must_be_an_address(host: str) -> None:
    """Raise ConchError where `host` is no address and no name of one."""
    try:
        # A bare number is an address to the resolver, and to nobody else.
        if host.isdecimal():
            raise OSError
        sockets.getaddrinfo(host, None, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE)
    except (OSError, ValueError):
        raise ConchError(
            f"“{host}” is no address of this computer.",
            "Nothing was started.",
            "--host 127.0.0.1 is for this computer only, --host 0.0.0.0 for the others too.",
        ) from None


def bound(listening: Listening) -> sockets.socket:
    """A socket that listens there. Raises ConchError when the port is taken."""
    wrong = "Nothing was started."
    try:
        family, *_, address = sockets.getaddrinfo(
            listening.host, listening.port, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE
        )[0]
    except OSError:
        raise ConchError(f"“{listening.host}” is no address of this computer.", wrong) from None
    bound = sockets.socket(family, sockets.SOCK_STREAM)
    bound.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        bound.bind(address)
    except OSError:
        bound.close()
        raise ConchError(
            f"Something else listens on {listening.host}:{listening.port}.",
            wrong,
            "Give another port: conch serve --port 4318",
        ) from None
    return bound


@contextlib.asynccontextmanager
async def serving(
    conch: Conch, listening: Listening, dist: Path = pages.DIST
) -> AsyncIterator[Gateway]:
    """The gateway, answering, for as long as this is open.

    Raises ConchError when the port is taken, or when others could reach it and there is no
    password.
    """
    sign_in = SignIn(conch.home, SystemClock())
    if (listening.names or not listening.loopback) and not sign_in.password.is_set:
        at = ", ".join(listening.names) or listening.host
        raise ConchError(
            f"At {at} others can reach Conch, and it has no password.",
            "Nothing was started.",
            "Set one first: conch password",
        )
    listens = bound(listening)
    host, port = listens.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    gateway = Gateway(conch, sign_in, address=f"http://{shown}:{port}")
    hosts = Hosts(
        loopback=listening.loopback,
        names=(*listening.names, *(() if listening.loopback else _names(listening.host))),
    )
    # Cookies don't know ports: two homes on one computer must not sign each other out.
    app = application(gateway, hosts, cookie=f"{COOKIE}-{port}", dist=dist)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_CLOSED_WITHIN_SECONDS,
    )
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[listens]))
    watching = asyncio.create_task(Watcher(gateway).run())
    note = {"address": gateway.address, "pid": os.getpid()}
    try:
        answers = asyncio.create_task(server.answers.wait())
        await asyncio.wait((answers, running), return_when=asyncio.FIRST_COMPLETED)
        write_atomic(note_of(conch.home), json.dumps(note).encode())
        yield gateway
    finally:
        remove(note_of(conch.home))
        watching.cancel()
        await gateway.close()
        server.should_exit = True
        await asyncio.gather(running, watching, return_exceptions=True)
        listens.close()


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it, and says when it answers."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


def _names(host: str) -> tuple[str, ...]:
    name = sockets.gethostname().lower()
    return host, name, name.split(".")[0], f"{name.split('.')[0]}.local"
