"""The apps of one home: set up, started when a turn needs them, their tools as steps.

An app's tools pass the one decision like any other step. What a tool says of itself comes from
outside: it is shortened, cleaned and scanned, and a tool that was set free asks again once it says
something else.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conch.assistant.apps.kept import App, KeptApps, app_of, modes_of, plainly
from conch.assistant.apps.running import RunningApp, StartedWith
from conch.assistant.apps.said import ToolSaid
from conch.assistant.hands.running import capped
from conch.assistant.hands.sealing import environment
from conch.assistant.tools import StepOutput, StepTool
from conch.assistant.vault import Vault
from conch.guard.needs import needs
from conch.guard.steps import AppMode
from conch.guard.taints import Taint
from conch.guard.tool_inputs import strings_in
from conch.guard.tool_kinds import plain_name
from conch.home.errors import ConchError
from conch.home.home import Home

LONGEST_DESCRIPTION = 1_000
_AGAIN_SECONDS = 120.0
_STRICTEST: tuple[AppMode, ...] = ("off", "ask", "free")


@dataclass(frozen=True)
class AppTool:
    """One tool of an app. `called` is its name for the model; `why_off`: why it isn't there."""

    app: str
    name: str
    called: str
    description: str
    schema: dict[str, Any]
    mode: AppMode
    hash: str
    why_off: str = ""


class Apps:
    """Sets up, starts and ends the apps of one home. `clean` takes secrets out of what they say."""

    def __init__(
        self,
        home: Home,
        vault: Vault,
        environ: Mapping[str, str],
        user_home: Path,
        clean: Callable[[str], str],
    ) -> None:
        self.kept = KeptApps(home)
        self._home = home
        self._vault = vault
        self._environ = environ
        self._user_home = user_home
        self._clean = clean
        self._running: dict[str, RunningApp] = {}
        self._choosing: dict[str, asyncio.Lock] = {}
        self._starting: dict[str, asyncio.Lock] = {}
        self._being_started: dict[str, RunningApp] = {}
        self._again: dict[str, float] = {}
        self._closing = False

    async def add(
        self,
        name: str,
        command: Sequence[str] = (),
        url: str = "",
        secrets: Mapping[str, str] | None = None,
    ) -> list[AppTool]:
        """Set an app up; it is started first, and not kept when that fails. Gives its tools.

        Raises ConchError for what can't be an app, or doesn't start.
        """
        name = plainly(name)
        async with self._chosen_alone(name), self._started_alone(name):
            name, app = app_of(name, command, url, secrets or {}, list(self.kept.all()))
            await self._end(name)
            running = await self._start(name, app)
            try:
                self.kept.add(name, app)
            except BaseException:
                await running.stop()
                raise
            self._running[name] = running
            self._again.pop(name, None)
            return self._tools_of(name, app, running)

    async def remove(self, name: str) -> None:
        """End an app and forget it. Raises ConchError where there is none of this name."""
        name = plainly(name)
        async with self._chosen_alone(name):
            # Forgotten before a start that is under way has ended: what has started ends then.
            self.kept.remove(name)
            async with self._started_alone(name):
                await self._end(name)

    async def set_mode(self, name: str, tool: str, mode: AppMode) -> None:
        """Choose off, ask or free for an app, or for one tool of it.

        A tool is set free as it says it is now. What is chosen last stays, however long an earlier
        choice took to start the app. Raises ConchError for what isn't there.
        """
        name = plainly(name)
        async with self._chosen_alone(name):
            seen: dict[str, str] = {}
            if tool or mode == "free":
                known = await self.tools_of(name)
                wanted = [one for one in known if not tool or one.name == tool]
                if not wanted:
                    raise ConchError(
                        f"{name} has no tool “{tool[:60]}”.",
                        "Nothing changed.",
                        f"conch apps tools {name}",
                    )
                seen = {one.name: one.hash for one in wanted if mode == "free"}

            def chosen(app: App) -> App:
                update: dict[str, Any] = {"seen": {**app.seen, **seen}}
                update |= {"tools": {**app.tools, tool: mode}} if tool else {"mode": mode}
                return app.model_copy(update=update)

            self.kept.change(name, chosen)

    async def tools_of(self, name: str) -> list[AppTool]:
        """An app's tools as they are now. Raises ConchError where it doesn't start."""
        name = plainly(name)
        running = await self._started(name)
        return self._tools_of(name, self.kept.get(name), running)

    async def steps(self) -> list[StepTool]:
        """The tools a turn may have. An app that doesn't start has none, and is no error."""
        wanted = {name: app for name, app in self.kept.all().items() if _is_on(app)}
        if not wanted:
            return []
        now = asyncio.get_running_loop().time()
        trying = [name for name in wanted if now >= self._again.get(name, 0.0)]
        found = await asyncio.gather(
            *(self.tools_of(name) for name in trying), return_exceptions=True
        )
        for name, came in zip(trying, found, strict=True):
            if isinstance(came, BaseException):
                # One that doesn't start must not hold up every turn.
                self._again[name] = now + _AGAIN_SECONDS
        steps: dict[str, StepTool] = {}
        for tools in found:
            for tool in tools if isinstance(tools, list) else ():
                if tool.mode != "off":
                    steps.setdefault(tool.called, self._step(tool))
        return list(steps.values())

    def modes(self) -> dict[str, AppMode]:
        """What the decision reads. A tool that says something else than when it was set free asks
        again."""
        apps, told = self.kept.all(), set[str]()
        modes = modes_of(apps)
        for name, app in apps.items():
            running = self._running.get(name)
            for said in running.tools if running else ():
                key = f"{name}.{plain_name(said.called.split('__', 2)[2])}"
                now = _mode_of(app, said)
                # Two tools that read as one name get the stricter of their modes.
                both = (modes[key] if key in told else now, now)
                modes[key] = next(mode for mode in _STRICTEST if mode in both)
                told.add(key)
        return modes

    @property
    def are_running(self) -> bool:
        return any(one.lives for one in self._running.values())

    async def close(self) -> None:
        """End every app that runs or is being started; what waits to start one doesn't."""
        self._closing = True
        try:
            names = {*self._running, *self._starting}
            await asyncio.gather(*map(self._end_even_starting, names), return_exceptions=True)
        finally:
            self._closing = False

    async def _end_even_starting(self, name: str) -> None:
        if (starting := self._being_started.get(name)) is not None:
            await starting.stop()
        async with self._started_alone(name):
            await self._end(name)

    async def _start(self, name: str, app: App) -> RunningApp:
        """Start an app; held by `_started_alone`. Raises ConchError where it doesn't start."""
        if self._closing:
            raise ConchError("Conch is stopping.", f"{name} was not started.")
        running = self._being_started[name] = RunningApp(name, app, self._given(app))
        try:
            await running.start()
        finally:
            self._being_started.pop(name, None)
        return running

    async def _started(self, name: str) -> RunningApp:
        async with self._started_alone(name):
            app = self.kept.get(name)
            running = self._running.get(name)
            if running is None or not running.lives:
                running = self._running[name] = await self._start(name, app)
            try:
                self.kept.get(name)
            except ConchError:
                # Removed while it started.
                await self._end(name)
                raise
            return running

    async def _end(self, name: str) -> None:
        running = self._running.pop(name, None)
        if running is not None:
            await running.stop()

    def _chosen_alone(self, name: str) -> asyncio.Lock:
        """Held while something is chosen for an app: what is chosen meanwhile comes after."""
        return self._choosing.setdefault(name, asyncio.Lock())

    def _started_alone(self, name: str) -> asyncio.Lock:
        """Held while an app starts or ends; taken after `_chosen_alone`, where both are."""
        return self._starting.setdefault(name, asyncio.Lock())

    def _given(self, app: App) -> StartedWith:
        secrets = {
            variable: self._vault.value_for_app(name) for variable, name in app.secrets.items()
        }
        return StartedWith(
            environment(dict(self._environ), self._user_home), self._user_home, secrets
        )

    def _tools_of(self, name: str, app: App, running: RunningApp) -> list[AppTool]:
        return [
            AppTool(
                app=name,
                name=said.name,
                called=said.called,
                description=self._clean(said.description[:LONGEST_DESCRIPTION]),
                schema=said.schema,
                mode=_mode_of(app, said),
                hash=said.hash,
                why_off=said.why_off,
            )
            for said in running.tools
        ]

    def _step(self, tool: AppTool) -> StepTool:
        browser = any(one.capability in ("browser", "web") for one in needs(tool.called, {}, ""))
        read = (Taint("web" if browser else "app", tool.app),)

        async def run(given: dict[str, Any]) -> StepOutput:
            self.kept.get(tool.app)
            try:
                running = await self._started(tool.app)
                if not any(one.hash == tool.hash for one in running.tools):
                    raise ConchError(f"{tool.name} of {tool.app} changed.", "Nothing was done.")
                came = await running.call(tool.name, given)
            except ConchError as error:
                # It may have read by then, and what it says went wrong, even with starting, is
                # its own words.
                return StepOutput(self._clean(str(error)), ok=False, read=read)
            return StepOutput(self._clean(capped(came.text)), ok=came.ok, read=read)

        return StepTool(tool.called, tool.description, tool.schema, run, self._reached)

    def _reached(self, given: dict[str, Any]) -> tuple[str, ...]:
        """The real paths among what an app is given: none of them may be Conch's own."""
        found: list[str] = []
        for text in strings_in(given):
            path = text.removeprefix("file://")
            if path.startswith(("/", "~")) and len(path) < 4_096 and "\0" not in path:
                expanded = re.sub(r"^~(?=/|$)", str(self._user_home), path)
                found.append(os.path.realpath(expanded))
        return tuple(found)


def _mode_of(app: App, said: ToolSaid) -> AppMode:
    """What a tool may do as it speaks now: set free, it was for what it said then."""
    if said.why_off:
        return "off"
    mode = app.tools.get(said.name, app.mode)
    return "ask" if mode == "free" and app.seen.get(said.name) != said.hash else mode


def _is_on(app: App) -> bool:
    return app.mode != "off" or any(mode != "off" for mode in app.tools.values())
