"""One app that runs: an MCP session kept open by a task of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from conch.assistant.apps.kept import BEARER, App
from conch.assistant.apps.said import ToolSaid, read_tools
from conch.home.errors import ConchError

if TYPE_CHECKING:
    from mcp import ClientSession
    from mcp.types import Tool

START_SECONDS = 30.0
CALL_SECONDS = 120.0
MOST_TOOLS = 128
_PING_SECONDS = 5.0
_MOST_PAGES = 20


@dataclass(frozen=True)
class StartedWith:
    """What an app is started with: its environment, its folder, the secrets it was set up with."""

    environ: Mapping[str, str]
    folder: Path
    secrets: Mapping[str, str]


@dataclass(frozen=True)
class Came:
    """What a call gave back, as text."""

    text: str
    ok: bool


class RunningApp:
    """An app's session. `start` before anything else; `stop` ends it and what it started."""

    def __init__(self, name: str, app: App, given: StartedWith) -> None:
        self.name = name
        self._app = app
        self._given = given
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._session: ClientSession | None = None
        self.tools: list[ToolSaid] = []

    @property
    def lives(self) -> bool:
        return self._session is not None and self._task is not None and not self._task.done()

    async def start(self) -> None:
        """Raises ConchError where it doesn't start, or doesn't speak MCP, in thirty seconds."""
        ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(ready))
        try:
            async with asyncio.timeout(START_SECONDS):
                await ready
        except TimeoutError:
            await self.stop()
            raise ConchError(
                f"{self.name} didn't answer within {START_SECONDS:g} seconds.", "Nothing was done."
            ) from None
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            if self._session is None:
                # It is still starting: nothing would hear the word to stop.
                self._task.cancel()
            done, _ = await asyncio.wait([self._task], timeout=5)
            if not done:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)
        self._session = None

    async def call(self, tool: str, arguments: dict[str, Any]) -> Came:
        """Call a tool by the app's own name for it. Raises ConchError where it does not answer."""
        if self._session is None or not self.lives:
            raise ConchError(f"{self.name} isn't running any more.", "Nothing is known to be done.")
        try:
            result = await self._session.call_tool(
                tool, arguments, read_timeout_seconds=CALL_SECONDS
            )
        except Exception as error:
            if not await self._answers():
                await self.stop()
            raise ConchError(
                f"{self.name} failed: {_said(error)}.", "Whether it did anything isn't known."
            ) from None
        return Came(_text_of(result), not getattr(result, "is_error", False))

    async def _answers(self) -> bool:
        try:
            async with asyncio.timeout(_PING_SECONDS):
                await self._session.send_ping()  # type: ignore[union-attr]
        except Exception:
            return False
        return True

    async def _live(self, ready: asyncio.Future[None]) -> None:
        from mcp import ClientSession

        try:
            async with (
                self._streams() as (read, write),
                ClientSession(read, write, read_timeout_seconds=START_SECONDS) as session,
            ):
                await session.initialize()
                tools = await _every_tool(session)
                self.tools = await asyncio.to_thread(read_tools, self.name, tools)
                self._session = session
                ready.set_result(None)
                await self._stop.wait()
        except asyncio.CancelledError:
            if not ready.done():
                ready.set_exception(
                    ConchError(f"{self.name} was stopped while it started.", "Nothing was done.")
                )
            raise
        except BaseException as error:
            if not ready.done():
                problem = ConchError(
                    f"{self.name} couldn't be started: {_said(error)}.", "Nothing was done."
                )
                ready.set_exception(problem)
        finally:
            self._session = None

    @asynccontextmanager
    async def _streams(self) -> AsyncGenerator[tuple[Any, Any]]:
        given, app = self._given, self._app
        if app.url:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client

            token = given.secrets.get(BEARER, "")
            headers = {BEARER: f"Bearer {token}"} if token else {}
            # A token is for this address and follows no redirect.
            async with (
                httpx2.AsyncClient(headers=headers, follow_redirects=False) as client,
                streamable_http_client(app.url, http_client=client) as streams,
            ):
                yield streams[0], streams[1]
            return
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        program, *rest = app.command
        server = StdioServerParameters(
            command=program,
            args=rest,
            env={**given.environ, **given.secrets},
            cwd=str(given.folder),
        )
        # What it says beside its answers may hold anything, and is kept nowhere.
        with _nowhere() as nowhere:
            async with stdio_client(server, errlog=nowhere) as (read, write):
                yield read, write


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


async def _every_tool(session: ClientSession) -> list[Tool]:
    from mcp.types import PaginatedRequestParams

    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        params = PaginatedRequestParams(cursor=cursor) if cursor else None
        page = await session.list_tools(params=params)
        found += page.tools
        cursor = page.next_cursor
        if not cursor or len(found) >= MOST_TOOLS:
            break
    return found[:MOST_TOOLS]


def _text_of(result: Any) -> str:
    parts: list[str] = []
    for block in getattr(result, "content", None) or []:
        text = getattr(block, "text", None) or getattr(
            getattr(block, "resource", None), "text", None
        )
        parts.append(text if isinstance(text, str) else f"({getattr(block, 'type', 'something')})")
    structured = getattr(result, "structured_content", None)
    if not parts and structured is not None:
        with contextlib.suppress(TypeError, ValueError):
            parts.append(json.dumps(structured, ensure_ascii=False))
    return "\n".join(parts) or "(nothing came back)"


def _said(error: BaseException) -> str:
    """The innermost reason, on one line."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename or ''}".strip()
    return " ".join(str(error).split())[:200] or type(error).__name__
