"""The assistant's hands: its tools for one turn of one chat.

Nothing here decides whether a step may be taken: that is `conch.guard.steps`, asked by the turn
before any of these run. What each would touch is told by `reaches`, as real paths.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conch.assistant.apps.apps import Apps
from conch.assistant.hands import files
from conch.assistant.hands.copies import Copies, Snapshot
from conch.assistant.hands.folders import real_path, work_folder
from conch.assistant.hands.pages import LookUp, fetch, look_up
from conch.assistant.hands.running import (
    LONGEST_TIMEOUT_SECONDS,
    TIMEOUT_SECONDS,
    can_run,
    capped,
    downloaded,
    run,
)
from conch.assistant.hands.sealing import Sealed, can_seal
from conch.assistant.todo import todo_tool
from conch.assistant.tools import StepOutput, StepTool
from conch.assistant.vault import Vault
from conch.chats.events import FilesChanged
from conch.chats.log import ChatLog
from conch.chats.taints import taints_in
from conch.guard.redactor import Redactor
from conch.guard.shell import read_command
from conch.guard.steps import AppMode
from conch.guard.taints import Taint
from conch.guard.tool_inputs import secrets_named
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.ids import new_id

if TYPE_CHECKING:
    import httpx2

StepInput = dict[str, Any]
Run = Callable[[StepInput], Awaitable[StepOutput]]
FOR_LEAN = ("run_command", "read_file", "write_file")
"""The tools a model with a small window gets."""


class Hands:
    """What hands need of a home; `for_turn` gives the tools of one turn."""

    def __init__(
        self,
        home: Home,
        redactor: Redactor,
        environ: Mapping[str, str],
        *,
        lookup: LookUp = look_up,
        transport: httpx2.AsyncBaseTransport | None = None,
        vault: Vault | None = None,
    ) -> None:
        self.home = home
        self.copies = Copies(home)
        self.redactor = redactor
        self.vault = vault or Vault(home, redactor)
        self.environ = environ
        self.real_home = home.root.resolve()
        self.user_home = Path(environ.get("HOME") or home.root.parent).resolve()
        self.apps = Apps(home, self.vault, environ, self.user_home, self.clean)
        self.commands = 0
        """How many commands run now."""
        self.lookup = lookup
        self.transport = transport

    def clean(self, text: str) -> str:
        """What a step gave back, without a secret Conch holds or a piece of one."""
        return self.vault.hide(self.redactor.redact(text))

    @property
    def has_started(self) -> bool:
        """Whether something the assistant or a person started through it runs now."""
        return self.commands > 0 or self.apps.are_running

    @property
    def sealed(self) -> bool:
        """Whether commands are sealed here."""
        return can_seal()

    def folder(self, chat: str, log: ChatLog) -> Path:
        """The chat's folder, made when missing. Raises ConchError when a given one is unfit."""
        return work_folder(self.home, chat, log.events(), self.user_home)

    def for_turn(self, chat: str, log: ChatLog) -> TurnHands:
        """Raises ConchError as `folder`."""
        return TurnHands(self, chat, log, self.folder(chat, log))


class TurnHands:
    """The tools of one turn. `folder` is where they work, a real path."""

    def __init__(self, hands: Hands, chat: str, log: ChatLog, folder: Path) -> None:
        self._hands = hands
        self._chat = chat
        self._log = log
        self.folder = folder

    def tools(self, *, lean: bool) -> list[StepTool]:
        """Every tool, or the few a lean model gets."""
        every = [
            replace(tool, run=self._clean(tool.run))
            for tool in self._every()
            if tool.name != "run_command" or can_run()
        ]
        return [tool for tool in every if tool.name in FOR_LEAN] if lean else every

    async def app_tools(self) -> list[StepTool]:
        """The tools of the person's apps; those that don't start have none."""
        return await self._hands.apps.steps()

    @property
    def app_modes(self) -> Mapping[str, AppMode]:
        """What the person chose for their apps, as it stands now."""
        return self._hands.apps.modes()

    @property
    def sealed(self) -> bool:
        """Whether its commands are sealed."""
        return self._hands.sealed

    @property
    def told(self) -> str:
        """What the system prompt says of the folder and the hands; the same all chat long."""
        return (
            f"You work in the folder {self.folder}. Paths are relative to it. The person may be "
            "asked before a step; if they say no, don't try it another way. Do what was asked with "
            "as few steps as it takes, and say what you did."
        ) + self._told_of_secrets()

    def _told_of_secrets(self) -> str:
        """The names in the vault; what they stand for is told to nobody."""
        known = [f"{one.name} (${one.variable})" for one in self._hands.vault.secrets()]
        if not known:
            return ""
        return (
            "\n\nSecrets the person keeps, which you never see: "
            + ", ".join(known)
            + ". A command that needs one names it in `secrets` and finds it in that variable; the "
            "person is asked each time. Don't print one: it is hidden from what you are shown."
        )

    def _every(self) -> list[StepTool]:
        path = {"path": {"type": "string", "description": "A path in the chat's folder."}}
        return [
            _tool("run_command", "Run a shell command in the chat's folder.", self._run, {
                "command": {"type": "string"},
                "seconds": {"type": "integer", "description": "When to end it; 120 if not given."},
                "secrets": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Names of the person's secrets it needs.",
                },
            }, ["command"], self._reached_by_command),
            _tool("read_file", "Read a text file.", self._read, {
                **path,
                "first_line": {"type": "integer"},
                "lines": {"type": "integer"},
            }, ["path"], self._reached),
            _tool("write_file", "Write a whole text file.", self._write, {
                **path, "text": {"type": "string"},
            }, ["path", "text"], self._reached),
            _tool("edit_file", "Replace a piece of a text file that stands there once.",
                self._edit, {**path, "old": {"type": "string"}, "new": {"type": "string"}},
                ["path", "old", "new"], self._reached),
            _tool("list_files", "List a folder.", self._list, path, [], self._reached),
            _tool("search_files", "Find where a text or pattern stands in files.", self._search, {
                "query": {"type": "string"},
                **path,
                "names": {"type": "string", "description": "Which files, e.g. *.py"},
            }, ["query"], self._reached),
            _tool("fetch_page", "Read a web page as text.", self._fetch, {
                "url": {"type": "string"},
            }, ["url"], None),
            todo_tool(),
        ]  # fmt: skip

    def _real(self, given: StepInput) -> Path:
        return real_path(_text(given, "path") or ".", self.folder, self._hands.user_home)

    def _reached(self, given: StepInput) -> tuple[str, ...]:
        return (str(self._real(given)),)

    def _reached_by_command(self, given: StepInput) -> tuple[str, ...]:
        writes = read_command(_text(given, "command")).writes
        home = self._hands.user_home
        return tuple(
            str(real_path(path, self.folder, home)) for path in writes if path != "/dev/null"
        )

    async def _run(self, given: StepInput) -> StepOutput:
        command = _text(given, "command")
        if not command.strip():
            raise ConchError("There is no command.")
        secrets = self._hands.vault.for_command(secrets_named(given))
        network = not taints_in(self._log.events())
        seal = Sealed(self.folder, (self._hands.real_home,), self._hands.user_home, network)
        copies = self._hands.copies
        before = await asyncio.to_thread(copies.of_folder, self.folder)
        self._hands.commands += 1
        try:
            ran = await run(command, seal, self._hands.environ, _seconds(given), secrets)
        finally:
            self._hands.commands -= 1
            note = await asyncio.shield(asyncio.to_thread(self._changed_by_command, before))
        text = capped(ran.output)
        if ran.exit:
            text = f"{text}\n(exit status {ran.exit})".strip()
        text = "\n".join(part for part in (text, note) if part) or "(no output)"
        return StepOutput(text, ran.exit == 0, ran.exit, downloaded(command))

    def _changed_by_command(self, before: Snapshot | None) -> str:
        after = self._hands.copies.of_folder(self.folder) if before is not None else None
        if before is None or after is None:
            return "(The folder is too large for its changes to be undone.)"
        self._record(before, after)
        return ""

    async def _read(self, given: StepInput) -> StepOutput:
        path = self._real(given)
        text = await asyncio.to_thread(
            files.read_text, path, _number(given, "first_line", 1), _number(given, "lines", 0)
        )
        outside = self.folder not in (path, *path.parents)
        read = (Taint("download", path.name),) if outside else ()
        return StepOutput(capped(text), read=read)

    async def _write(self, given: StepInput) -> StepOutput:
        path, text = self._real(given), _text(given, "text")
        return await self._changing(path, lambda: files.write_text(path, text))

    async def _edit(self, given: StepInput) -> StepOutput:
        path, old, new = self._real(given), _text(given, "old"), _text(given, "new")
        return await self._changing(path, lambda: files.edit_text(path, old, new))

    async def _changing(self, path: Path, change: Callable[[], str]) -> StepOutput:
        def do() -> str:
            before = self._hands.copies.before([path])
            said = change()
            self._record(before, self._hands.copies.before([path]))
            return said

        # A change that has begun is carried through and written down, whatever is stopped.
        return StepOutput(await asyncio.shield(asyncio.to_thread(do)))

    def _record(self, before: Snapshot, after: Snapshot) -> None:
        id = new_id("fc")
        changed = self._hands.copies.record(self._chat, id, before, after)
        if changed:
            self._log.append(FilesChanged(change_set=id, files=changed))

    async def _list(self, given: StepInput) -> StepOutput:
        return StepOutput(capped(await asyncio.to_thread(files.list_folder, self._real(given))))

    async def _search(self, given: StepInput) -> StepOutput:
        path, query = self._real(given), _text(given, "query")
        names = _text(given, "names") or "*"
        return StepOutput(capped(await asyncio.to_thread(files.search, path, query, names)))

    async def _fetch(self, given: StepInput) -> StepOutput:
        hands = self._hands
        page = await fetch(_text(given, "url"), lookup=hands.lookup, transport=hands.transport)
        text = f"# {page.title}\n\n{page.text}" if page.title else page.text
        read = tuple(Taint("web", host) for host in page.hosts)
        return StepOutput(capped(text) or "(an empty page)", read=read)

    def _clean(self, run: Run) -> Run:
        """The same step, with no secret in what it gives back nor in what it says went wrong."""
        clean = self._hands.clean

        async def cleaned(given: StepInput) -> StepOutput:
            try:
                output = await run(given)
            except ConchError as error:
                raise ConchError(clean(error.what), clean(error.kept), clean(error.do)) from None
            except OSError as error:
                raise ConchError(clean(error.strerror or str(error))) from None
            return replace(output, text=clean(output.text))

        return cleaned


def _tool(
    name: str,
    description: str,
    run: Run,
    properties: dict[str, Any],
    required: Sequence[str],
    reaches: Callable[[StepInput], tuple[str, ...]] | None,
) -> StepTool:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return StepTool(name, description, schema, run, reaches)


def _text(given: StepInput, name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise ConchError(f"`{name}` must be text.")
    return value


def _number(given: StepInput, name: str, usual: int) -> int:
    value = given.get(name, usual)
    return value if isinstance(value, int) and value >= 0 else usual


def _seconds(given: StepInput) -> float:
    return min(max(_number(given, "seconds", TIMEOUT_SECONDS), 1), LONGEST_TIMEOUT_SECONDS)
