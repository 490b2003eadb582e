"""The commands inside a chat: `/new`, `/learned`, `/undo` and the others."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from conch.cli.calling import Call
from conch.cli.cards import go_through, waiting_cards
from conch.cli.person import must_be_the_person
from conch.cli.showing import error_line, learned_line, out, plain, show_chat, show_record, show_why
from conch.cli.undoing_files import restore_files
from conch.engines.practice import PRACTICE
from conch.home.errors import ConchError

_COMMAND = re.compile(r"/[^\s/]+(\s|$)|/$")
_TAKES_NOTHING = frozenset(
    ("/new", "/archive", "/learned", "/folder", "/skills", "/help", "/quit", "/exit")
)


def is_command(line: str) -> bool:
    """Whether a line is a command, known or not; a path such as `/etc/hosts` is not."""
    return _COMMAND.match(line) is not None


class Slash:
    """Runs a line that starts with `/`. `chat` is the chat that is open, "" for a new one."""

    def __init__(self, ask: Call) -> None:
        self._ask = ask
        self.chat = ""
        self._commands: dict[str, tuple[str, Callable[[str], Awaitable[str]]]] = {
            "/new": ("begin a new chat", self._new),
            "/chats": ("your chats", self._chats),
            "/open": ("open a chat: /open TITLE", self._open),
            "/archive": ("archive this chat; it is learned from at once", self._archive),
            "/quiet": ("don't learn from this chat; /quiet off: learn again", self._quiet),
            "/learned": ("what Conch learned", self._learned),
            "/why": ("why: /why 1", self._why),
            "/undo": ("take back what was learned: /undo 1; or /undo files", self._undo),
            "/redo": ("do again what was undone: /redo files", self._redo),
            "/folder": ("where this chat works", self._folder),
            "/keep": ("go through what waits for you", self._keep),
            "/forget": ("forget something learned: /forget 1", self._forget),
            "/model": ("who answers: /model ENGINE [MODEL]", self._model),
            "/skills": ("your skills, and what may become one", self._skills),
            "/save": ("save how something was done as a skill: /save 1", self._save_skill),
            "/help": ("this list", self._help),
            "/quit": ("leave", self._quit),
            "/exit": ("leave", self._quit),
        }

    def names(self) -> list[str]:
        return list(self._commands)

    async def greet(self) -> None:
        """One line about who answers, and what waits."""
        async for engine in self._ask("engines.list", {}):
            if engine["default"]:
                out.print(f"[dim]{plain(engine['name'])} · {plain(engine['default_model'])}[/]")
                if engine["id"] == PRACTICE:
                    out.print(
                        "[dim]This is the practice engine: its answers are scripted. "
                        "For a real one: conch connect[/]"
                    )
        async for chosen in self._ask("settings", {}):
            if chosen.get("learning_note"):
                out.print(f"[yellow]{plain(chosen['learning_note'])}[/]")
        waiting = [item async for item in self._ask("learned", {"waiting": True})]
        if waiting:
            out.print(f"[dim]{learned_line(waiting)} · conch keep[/]")
        out.print("[dim]/help lists what you can do here.[/]")

    async def run(self, line: str) -> str:
        """Run one line; gives "leave" when the person wants to, "failed" when it didn't work."""
        name, _, rest = line.partition(" ")
        name = name.lower()
        if name not in self._commands:
            if await self._is_skill(name):
                return "send"
            out.print(f"There is no {plain(name)}. /help lists what there is.")
            return "failed"
        if rest.strip() and name in _TAKES_NOTHING:
            # Words after it may name something else than what it would be done to.
            out.print(f"[dim]{name} takes nothing after it. Nothing was done.[/]")
            return "failed"
        try:
            return await self._commands[name][1](rest.strip())
        except ConchError as error:
            out.print(error_line(error))
            return "failed"

    async def _new(self, rest: str) -> str:
        self.chat = ""
        out.print("[dim]A new chat.[/]")
        return ""

    async def _is_skill(self, name: str) -> bool:
        """Whether "/name" asks for a skill: the line then goes to the assistant as it is."""
        async for skill in self._ask("skills.list", {}):
            if skill["id"].casefold() == name[1:]:
                return True
        return False

    async def _skills(self, rest: str) -> str:
        any_at_all = False
        async for skill in self._ask("skills.list", {}):
            if skill["mode"] != "off":
                any_at_all = True
                told = f"/{skill['id']} · {skill['mode_in_words']}"
                out.print(f"{plain(skill['title'])} [dim]{plain(told)}[/]")
        async for offer in self._ask("skills.offers", {}):
            any_at_all = True
            number = offer["number"]
            out.print(f"[dim]{number}[/] {plain(offer['title'])} [dim]· /save {number}[/]")
        if not any_at_all:
            out.print("[dim]No skill is in use, and nothing waits to become one.[/]")
        return ""

    async def _save_skill(self, rest: str) -> str:
        from conch.cli.keys import one_key
        from conch.cli.skill_commands import show

        offers = [] if rest else [one async for one in self._ask("skills.offers", {})]
        if not rest and not offers:
            out.print("[dim]Nothing waits to become a skill.[/]")
            return ""
        async for offer in self._ask("skills.look", {"reference": rest or "1"}):
            if offer["type"] != "offer":
                out.print("[dim]That is a skill already.[/]")
                return ""
            show(offer)
            must_be_the_person("Nothing was saved.")
            out.print("Save it?  y / n")
            if await one_key("yn") != "y":
                out.print("[dim]Nothing was saved.[/]")
                return ""
            done = await self._answered("skills.save", reference=offer["id"])
            out.print(f"[dim]Saved: /{plain(done['id'])}[/]")
        return ""

    async def _chats(self, rest: str) -> str:
        found = [chat async for chat in self._ask("chats.list", {"query": rest})]
        for chat in found:
            show_chat(chat, open_now=chat["chat"] == self.chat)
        if not found:
            out.print(f"[dim]{'That was said in no chat.' if rest else 'No chats yet.'}[/]")
        return ""

    async def _open(self, rest: str) -> str:
        if not rest:
            await self._chats("")
            out.print("[dim]Which one? /open TITLE, or the six letters before it.[/]")
            return ""
        async for item in self._ask("chats.show", {"chat": rest}):
            if item["type"] == "chat":
                self.chat = item["chat"]
                out.print(f"[dim]{plain(item['title'])}[/]")
            else:
                mark = "› " if item["who"] == "you" else ""
                out.print(f"[dim]{mark}{plain(item['text'])}[/]")
        return ""

    async def _archive(self, rest: str) -> str:
        if not self._is_open():
            return ""
        async for item in self._ask("chats.archive", {"chat": self.chat}):
            if item["type"] == "archived":
                out.print("[dim]Archived. What you say next begins a new chat.[/]")
            elif item["learned"]:
                out.print(f"[dim]{learned_line(item['learned'])} · /learned[/]")
        self.chat = ""
        return ""

    async def _quiet(self, rest: str) -> str:
        wanted = {"on": True, "off": False}
        if rest and rest.lower() not in wanted:
            out.print("[dim]/quiet, /quiet on or /quiet off? Nothing was done.[/]")
            return "failed"
        if not self.chat:
            # Said before the first words, it counts from the first word on.
            async for begun in self._ask("chats.new", {}):
                self.chat = begun["chat"]
        args: dict[str, Any] = {"chat": self.chat}
        if rest:
            args["on"] = wanted[rest.lower()]
        async for item in self._ask("chats.quiet", args):
            text = "Nothing is learned from this chat." if item["on"] else "Learning from here on."
            out.print(f"[dim]{text}[/]")
        return ""

    def _is_open(self) -> bool:
        if not self.chat:
            out.print("[dim]No chat is open yet.[/]")
        return bool(self.chat)

    async def _learned(self, rest: str) -> str:
        found = [item async for item in self._ask("learned", {})]
        for item in found[:20]:
            show_record(item)
        if not found:
            out.print("[dim]Nothing was learned yet. A chat is read ten minutes after its end.[/]")
        return ""

    async def _why(self, rest: str) -> str:
        async for item in self._ask("why", {"reference": rest or "1"}):
            if item["type"] == "record":
                show_why(item)
        return ""

    async def _redo(self, rest: str) -> str:
        if self._is_open():
            await restore_files(self._ask, self.chat, "redo")
        return ""

    async def _folder(self, rest: str) -> str:
        if self._is_open():
            out.print(plain((await self._answered("files.folder", chat=self.chat))["folder"]))
        return ""

    async def _undo(self, rest: str) -> str:
        if rest.lower() == "files":
            if self._is_open():
                await restore_files(self._ask, self.chat, "undo")
            return ""
        done = await self._answered("undo", **({"reference": rest} if rest else {}))
        out.print(f"[dim]Taken back: {plain(done['text'])}. It won't be learned again.[/]")
        if done["note"]:
            out.print(f"[dim]{plain(done['note'])}[/]")
        return ""

    async def _forget(self, rest: str) -> str:
        if not rest:
            out.print("[dim]Which one? /forget 1[/]")
            return ""
        done = await self._answered("forget", reference=rest)
        out.print(f"[dim]Forgotten: {plain(done['text'])}[/]")
        return ""

    async def _keep(self, rest: str) -> str:
        await go_through(self._ask, await waiting_cards(self._ask, rest))
        return ""

    async def _answered(self, verb: str, **args: Any) -> dict[str, Any]:
        done: dict[str, Any] = {}
        async for item in self._ask(verb, args):
            done = item
        return done

    async def _model(self, rest: str) -> str:
        if not rest:
            async for engine in self._ask("engines.list", {}):
                mark = "*" if engine["default"] else " "
                out.print(f"{mark} {plain(engine['id'])}  [dim]{plain(engine['default_model'])}[/]")
            return ""
        words = [word for word in rest.split() if word != "--anyway"]
        engine, model = words[0] if words else "", " ".join(words[1:])
        args = {"engine": engine, "model": model, "anyway": "--anyway" in rest.split()}
        async for item in self._ask("engines.use", args):
            out.print(f"[dim]{plain(item['name'])} answers now, with {plain(item['model'])}.[/]")
        return ""

    async def _help(self, rest: str) -> str:
        for name, (what, _) in self._commands.items():
            out.print(f"{name:<10}[dim]{what}[/]")
        return ""

    async def _quit(self, rest: str) -> str:
        return "leave"
