"""The home's local socket: other processes ask the one that writes (design.md, "One writer").

One connection is one question. The question is a line `{"verb", "args", "key"}`; the answer is
lines `{"item": {…}}`, then `{"end": true}` or `{"error": {"what", "kept", "do"}}`. Only the owner
can connect: the socket is 0600 in a folder that is 0700, and who asks looks whether it is
(`socket_place.py`). The key lies in the home: a command whose files are fenced in could connect all
the same, but can't read that. When who asked goes away, the handler is cancelled.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from hmac import compare_digest
from pathlib import Path
from secrets import token_hex
from typing import Any

from conch.home.errors import ConchError, HomeBusy, NobodyHome
from conch.home.files import read_bytes, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json
from conch.home.lines import json_line
from conch.home.socket_place import must_be_own_end, new_address, standing_address

Handler = Callable[[str, dict[str, Any]], AsyncIterator[dict[str, Any]]]

_LONGEST_LINE = 64 * 1024 * 1024
_log = logging.getLogger(__name__)


class HomeSocket:
    """The answering end. Start one only while holding the home's writer lock."""

    def __init__(self, home: Home, handler: Handler) -> None:
        self._home = home
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._closing = False
        self._made: list[Path] = []
        self._key = ""

    @classmethod
    async def start(cls, home: Home, handler: Handler) -> HomeSocket:
        """Listen. A socket left by a process that died is cleaned away.

        Raises HomeBusy when another process still answers there.
        """
        self = cls(home, handler)
        address = await self._free_address()
        self._key = _key(home) or _new_key(home)
        self._server = await asyncio.start_unix_server(
            self._connected, path=str(address), limit=_LONGEST_LINE
        )
        address.chmod(0o600)
        self._made.append(address)
        if address != home.socket_file:
            write_atomic(home.socket_file, os.fsencode(address))
            self._made += [home.socket_file, address.parent]
        return self

    @property
    def answers(self) -> bool:
        """Whether something is being answered now."""
        return bool(self._answering)

    async def close(self, patience: float = 0) -> None:
        """Stop listening and take the socket away.

        What is being answered has `patience` seconds to come to its end, and is cancelled then.
        Until it ended, more is answered too: a reply may wait for its *Allow*.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        try:
            while self._answering and (left := until - loop.time()) > 0:
                await asyncio.wait(
                    set(self._answering), timeout=left, return_when=asyncio.FIRST_COMPLETED
                )
        finally:
            await self._close_now()

    async def _close_now(self) -> None:
        self._closing = True
        if self._server is not None:
            self._server.close()
        for task in list(self._answering):
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
        for path in self._made:
            with contextlib.suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        self._made = []

    async def _free_address(self) -> Path:
        standing = _own_address(self._home)
        if standing is not None and await _answers(standing):
            raise HomeBusy(
                f"Another Conch already answers for {self._home.root}.",
                "Nothing was changed.",
                "Use that one, or stop it first.",
            )
        file = self._home.socket_file
        if standing is not None and standing != file:
            with contextlib.suppress(OSError):
                standing.unlink()
                standing.parent.rmdir()
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
        return new_address(self._home)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answering = asyncio.ensure_future(self._answer(reader, writer))
        self._answering.add(answering)
        try:
            await answering
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._answering.discard(answering)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = await reader.readline()
        except ValueError:
            await _send(writer, {"error": _unreadable("It is too long.").as_dict()})
            return
        if not line.strip() or self._closing:
            return
        this = asyncio.current_task()
        assert this is not None
        gone = asyncio.ensure_future(_until_gone(reader))

        def cancel(_: asyncio.Future[None]) -> None:
            this.cancel()

        gone.add_done_callback(cancel)
        verb = ""
        try:
            verb, args = _question(line, self._key)
            await _send(writer, {"taken": True})
            items = self._handler(verb, args)
            try:
                async for item in items:
                    await _send(writer, {"item": item})
            finally:
                if isinstance(items, AsyncGenerator):
                    await items.aclose()
            await _send(writer, {"end": True})
        except ConchError as error:
            await _send(writer, {"error": error.as_dict()})
        except ConnectionError:
            raise
        except Exception as error:
            _log.exception("The home's socket could not answer %r", verb)
            await _send(writer, {"error": _failed(error).as_dict()})
        finally:
            gone.remove_done_callback(cancel)
            gone.cancel()


async def ask(home: Home, verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    """Ask the Conch that runs for this home; gives its answer item by item.

    Raises NobodyHome when none runs, or it ended before it took the question: asking again is safe
    then. Raises ConchError as the other side raised it, when the other side stopped in the middle
    of its answer, or when another user may be who answers: nothing is sent then.
    """
    address = standing_address(home)
    try:
        if address is None:
            raise FileNotFoundError
        reader, writer = await asyncio.open_unix_connection(str(address), limit=_LONGEST_LINE)
    except OSError:
        raise _nobody(home) from None
    taken = False
    try:
        must_be_own_end(home, writer.get_extra_info("socket"))
        await _send(writer, {"verb": verb, "args": args, "key": _key(home)})
        while line := await reader.readline():
            answer = read_json(line)
            taken = True
            if "item" in answer:
                yield answer["item"]
            elif "error" in answer:
                raise ConchError(**answer["error"])
            elif "end" in answer:
                return
        raise ConnectionError
    except ConnectionError:
        if not taken:
            raise _nobody(home) from None
        raise ConchError(
            "The running Conch stopped in the middle of its answer.",
            "What it had acknowledged is kept.",
            "Ask again.",
        ) from None
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def _nobody(home: Home) -> NobodyHome:
    return NobodyHome(
        f"No Conch is running for {home.root}.", do="Start it, or run the command by itself."
    )


def _own_address(home: Home) -> Path | None:
    """Where a socket of this user's stands for the home. Another's is no reason not to start."""
    try:
        return standing_address(home)
    except ConchError:
        return None


async def _answers(address: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(str(address))
    except OSError:
        return False
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return True


async def _until_gone(reader: asyncio.StreamReader) -> None:
    """Ends when who asked has gone. Nothing more is expected from them."""
    with contextlib.suppress(ConnectionError):
        while await reader.read(4096):
            pass


async def _send(writer: asyncio.StreamWriter, value: dict[str, Any]) -> None:
    writer.write(json_line(value).encode() + b"\n")
    await writer.drain()


def _question(line: bytes, key: str) -> tuple[str, dict[str, Any]]:
    try:
        raw = read_json(line)
        verb, args, given = raw["verb"], raw.get("args", {}), raw.get("key", "")
    except (ValueError, TypeError, KeyError, AttributeError):
        raise _unreadable('Send one line of JSON: {"verb": "…", "args": {…}}.') from None
    if not isinstance(verb, str) or not isinstance(args, dict) or not isinstance(given, str):
        raise _unreadable('Send one line of JSON: {"verb": "…", "args": {…}}.')
    if not compare_digest(given.encode(), key.encode()):
        raise ConchError(
            "Only who can read this home may ask.",
            "Nothing was done.",
            "If you updated Conch just now: stop the one that runs, and start it again.",
        )
    return verb, args


def _key(home: Home) -> str:
    """What a question must carry, "" where there is none yet or it can't be read."""
    try:
        return read_bytes(_key_file(home)).decode("ascii", "replace").strip()
    except OSError:
        return ""


def _new_key(home: Home) -> str:
    key = token_hex(32)
    write_atomic(_key_file(home), key.encode())
    return key


def _key_file(home: Home) -> Path:
    return home.keys / "socket.key"


def _unreadable(why: str) -> ConchError:
    return ConchError("The question could not be read.", "Nothing was done.", why)


def _failed(error: Exception) -> ConchError:
    return ConchError(
        f"Something went wrong inside Conch ({type(error).__name__}).",
        "What was acknowledged before is kept.",
        "Try again; if it happens again, run `conch repair`.",
    )
