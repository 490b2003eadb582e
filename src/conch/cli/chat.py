"""A chat in the terminal: the prompt, the reply as it streams, Stop, and the quiet line."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from conch.cli.calling import Call, call
from conch.cli.interrupting import on_interrupt
from conch.cli.showing import disk_refused, err, error_line, learned_line, out, plain
from conch.cli.slash import Slash, is_command
from conch.cli.typed_before import typed_before
from conch.home.errors import ConchError, HomeBusy
from conch.home.home import Home
from conch.home.socket import HomeSocket
from conch.home.writer import take_writer

_NEWS_EVERY_SECONDS = 2.0
_PATIENCE_SECONDS = 60.0

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    from conch.app import Conch


@contextlib.asynccontextmanager
async def holding(root: Path) -> AsyncIterator[Call]:
    """How to have verbs done for as long as a chat is open.

    Where no Conch runs for this home, this process is the one: it holds the writer's lock, answers
    other terminals over the socket and sweeps. Otherwise the running one is asked.
    """
    home = Home.open(root)
    try:
        writer = take_writer(home)
    except HomeBusy:
        yield lambda verb, args: call(root, verb, args)
        return
    with writer:
        from conch.app import Conch
        from conch.cli.verbs import answer

        conch = Conch.open(root)
        async with contextlib.AsyncExitStack() as at_the_end:
            at_the_end.push_async_callback(conch.close)
            conch.begin()
            socket = await HomeSocket.start(home, lambda verb, args: answer(conch, verb, args))
            at_the_end.push_async_callback(_let_the_look_end, conch)
            at_the_end.push_async_callback(_let_others_end, socket)
            conch.run_in_background()
            yield lambda verb, args: answer(conch, verb, args)


async def _let_the_look_end(conch: Conch) -> None:
    """A look that has begun may have been paid: it is let end rather than thrown away."""
    if conch.learning.looking:
        err.print("[dim]A chat is being learned from. Ctrl-C leaves now.[/]")
    await conch.learning.end_looks(_PATIENCE_SECONDS)


async def _let_others_end(socket: HomeSocket) -> None:
    if socket.answers:
        err.print("[dim]Another terminal's answer is being finished. Ctrl-C leaves now.[/]")
    await socket.close(_PATIENCE_SECONDS)


class Reply:
    """Shows one turn as it happens; Ctrl-C stops it, a second one leaves."""

    def __init__(self, ask: Call, *, can_ask: bool, folder: str = "") -> None:
        self._ask = ask
        self._folder = folder
        self._can_ask = can_ask
        self.chat = ""
        self.outcome = "failed"
        self._interrupts = 0
        self._fresh_line = True

    async def show(self, chat: str, words: str, material: str = "") -> str:
        """Answer `words` in `chat` (a new one when empty); gives the chat's id."""
        self.chat = chat
        args = {
            "chat": chat,
            "words": words,
            "material": material,
            "can_ask": self._can_ask,
            "folder": self._folder,
        }
        loop = asyncio.get_running_loop()
        this = asyncio.current_task()
        assert this is not None
        stopping: set[asyncio.Task[None]] = set()

        def interrupted() -> None:
            self._interrupts += 1
            if self._interrupts == 1 and self.chat:
                stopping.add(asyncio.ensure_future(self._stop()))
            else:
                this.cancel()

        with on_interrupt(loop, interrupted):
            try:
                async with aclosing(self._ask("turn", args)) as items:
                    async for item in items:
                        await self._see(item)
            except asyncio.CancelledError:
                if self._interrupts:
                    self._end_line()
                    out.print("[dim](stopped)[/]")
                    raise KeyboardInterrupt from None
                raise
        return self.chat

    @property
    def interrupted(self) -> bool:
        """Whether the person stopped it here, by Ctrl-C."""
        return self._interrupts > 0

    async def _stop(self) -> None:
        with contextlib.suppress(ConchError, OSError):
            async for _ in self._ask("stop", {"chat": self.chat}):
                pass

    async def _see(self, item: dict[str, Any]) -> None:
        match item["type"]:
            case "chat":
                self.chat = item["chat"]
            case "text":
                self._write(item["text"])
            case "step_began":
                self._end_line()
                out.print(f"[dim]· {plain(item['summary'])}[/]")
            case "step_ended":
                if item["note"] or not item["ok"]:
                    out.print(f"[dim]  {plain(item['note'] or 'failed')}[/]")
            case "asks":
                await self._allow(item)
            case "ended":
                self._end_line()
                self.outcome = item["outcome"]
                if item["outcome"] == "failed":
                    out.print(f"[red]{plain(item['error'])}[/]")
                elif item["outcome"] == "stopped":
                    out.print("[dim](stopped)[/]")

    def say_error(self, error: ConchError) -> None:
        """Say why it broke off, on a line of its own."""
        self._end_line()
        out.print(error_line(error))

    def _write(self, text: str) -> None:
        shown = plain(text)
        out.print(shown, end="")
        sys.stdout.flush()
        self._fresh_line = shown.endswith("\n")

    def _end_line(self) -> None:
        if not self._fresh_line:
            out.print()
            self._fresh_line = True

    async def _allow(self, item: dict[str, Any]) -> None:
        from conch.cli.keys import one_key

        self._end_line()
        if item.get("detail"):
            out.print(plain(item["detail"]))
        out.print(f"[b]{plain(item['summary'])}[/] [dim]{plain(item['why'])}[/]  y / n")
        try:
            allowed = await one_key("yn") == "y"
        except KeyboardInterrupt:
            # In raw mode Ctrl-C is a key; here, too, it is Stop.
            self._interrupts += 1
            await self._stop()
            return
        args = {"chat": self.chat, "approval": item["approval"], "allowed": allowed}
        async for _ in self._ask("allow", args):
            pass


async def one_message(
    root: Path, words: str, chat: str, folder: str = "", material: str = ""
) -> bool:
    """Answer one message, or run one slash command, and leave; False when it wasn't answered.

    `material` (what was piped in beside the words) goes with them as a file does: whoever wrote
    it, it is not the person's own prose.
    Raises KeyboardInterrupt when Ctrl-C stopped it.
    """
    async with holding(root) as ask:
        if is_command(words):
            slash = Slash(ask)
            slash.chat = await _existing(ask, chat)
            ran = await slash.run(words)
            if ran != "send":
                return ran != "failed"
        reply = Reply(ask, can_ask=sys.stdin.isatty(), folder=folder)
        await reply.show(await _existing(ask, chat), words, material)
        if reply.interrupted:
            raise KeyboardInterrupt
        await _tell_offer(ask, reply.chat)
        return reply.outcome == "success"


async def piped_messages(root: Path, source: TextIO, chat: str, folder: str = "") -> bool:
    """Answer each line of piped input in one chat; slash commands work too.

    False when one wasn't answered. Raises KeyboardInterrupt when Ctrl-C stopped one: the lines
    after it are not read.
    """
    ended_well = True
    async with holding(root) as ask:
        slash = Slash(ask)
        slash.chat = await _existing(ask, chat)
        while line := await asyncio.to_thread(source.readline):
            words = line.strip()
            if not words:
                continue
            if is_command(words) and (ran := await slash.run(words)) != "send":
                if ran == "leave":
                    break
                continue
            out.print(f"[b]>[/] {plain(words)}")
            reply = Reply(ask, can_ask=False, folder=folder)
            slash.chat = await reply.show(slash.chat, words)
            if reply.interrupted:
                raise KeyboardInterrupt
            ended_well = ended_well and reply.outcome == "success"
        await _tell_offer(ask, slash.chat)
    return ended_well


async def _existing(ask: Call, chat: str) -> str:
    if not chat:
        return ""
    async for item in ask("chats.show", {"chat": chat}):
        return str(item["chat"])
    return ""


async def talk(root: Path, chat: str, folder: str = "") -> bool:
    """Talk until the person leaves."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.patch_stdout import patch_stdout

    from conch.assistant.beginning import GIVES_BACK

    async with holding(root) as ask:
        slash = Slash(ask)
        slash.chat = await _existing(ask, chat)
        session: PromptSession[str] = PromptSession(
            history=typed_before(root / "prompt-history"),
            completer=WordCompleter(slash.names(), sentence=True),
            complete_while_typing=False,
            key_bindings=_keys(),
        )
        await slash.greet()
        news = asyncio.create_task(_tell_news(ask, slash))
        given_back = ""
        loop = asyncio.get_running_loop()

        def leave_prompt() -> None:
            if (shown := session.app.future) is not None and not shown.done():
                session.app.exit(exception=KeyboardInterrupt())

        try:
            while True:
                try:
                    with patch_stdout(raw=True), on_interrupt(loop, leave_prompt):
                        words = await session.prompt_async(
                            "› ", default=given_back, handle_sigint=False
                        )
                except (EOFError, KeyboardInterrupt):
                    return True
                given_back, words = "", words.strip()
                if not words:
                    continue
                reply = Reply(ask, can_ask=True, folder=folder)
                try:
                    if is_command(words):
                        try:
                            ran = await slash.run(words)
                        except KeyboardInterrupt:
                            # At a card or a question: back to the prompt.
                            out.print()
                            continue
                        if ran == "leave":
                            return True
                        if ran != "send":
                            continue
                    slash.chat = await reply.show(slash.chat, words)
                except ConchError as error:
                    reply.say_error(error)
                    given_back = words if error.kept in GIVES_BACK else ""
                    slash.chat = slash.chat or reply.chat
                except OSError as error:
                    out.print(disk_refused(error))
                except KeyboardInterrupt:
                    return True
        finally:
            news.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await news


def _keys() -> KeyBindings:
    """Ctrl-C with words in the line clears them; on an empty line it leaves."""
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import Condition, is_searching
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()
    has_words = Condition(lambda: bool(get_app().current_buffer.text))

    @keys.add("c-c", filter=has_words & ~is_searching)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.reset()

    @keys.add("c-z")
    def _(event: KeyPressEvent) -> None:
        """Nothing: whoever else asks this home waits for this process."""

    return keys


async def _tell_offer(ask: Call, chat: str) -> None:
    """Before leaving: look whether the chat's work may be kept as a skill, and say so."""
    with contextlib.suppress(ConchError):
        async for offer in ask("skills.here", {"chat": chat, "now": True}):
            out.print(f"[dim]{offer_line(offer, 'conch skills save')}[/]")


def offer_line(offer: dict[str, Any], save: str = "/save") -> str:
    """ "That took 12 steps, and it worked." and what to press."""
    note = f" {plain(offer['note'])}" if offer["note"] else ""
    said = f"That took {offer['steps']} steps, and it worked.{note}"
    return f"{said} Save how I did this as a skill: {save} {offer['id'][-6:]}"


async def _tell_news(ask: Call, slash: Slash) -> None:
    """Print the quiet line when a look at the open chat has learned something, or its work may
    be kept as a skill."""
    seen: dict[str, int] = {}
    offered: set[str] = set()
    while True:
        await asyncio.sleep(_NEWS_EVERY_SECONDS)
        chat = slash.chat
        if not chat:
            continue
        try:
            async for offer in ask("skills.here", {"chat": chat}):
                if offer["id"] not in offered:
                    offered.add(offer["id"])
                    out.print(f"[dim]{offer_line(offer)}[/]")
            async for item in ask("chats.news", {"chat": chat, "after": seen.get(chat, 0)}):
                if item["type"] == "seq":
                    known = chat in seen
                    seen[chat] = item["seq"]
                    if not known:
                        break
                else:
                    out.print(f"[dim]{learned_line(item['items'])} · /learned[/]")
        except (ConchError, OSError):
            continue
