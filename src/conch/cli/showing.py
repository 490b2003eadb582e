"""How things look in the terminal: plain, short, one line where one is enough."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from rich.console import Console
from rich.markup import escape

from conch.home.errors import ConchError

_COLOURS: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
# With no colour system there is no escape code at all, bold and dim neither.
out = Console(highlight=False, soft_wrap=True, color_system=_COLOURS)
err = Console(stderr=True, highlight=False, soft_wrap=True, color_system=_COLOURS)

_STATES = {
    "applied": "",
    "waiting": "waits for you",
    "kept": "kept",
    "undone": "taken back",
    "forgotten": "forgotten",
}


def plain(text: str) -> str:
    """Text from a file, a model or a chat, made safe to print: no control codes, no markup."""
    shown = "".join(char if char.isprintable() or char in "\n\t" else "�" for char in text)
    return escape(shown.encode("utf-8", "replace").decode("utf-8"))


def error_line(error: ConchError) -> str:
    """The red line that says what happened, what was kept and what to do."""
    return f"[red]{plain(clipped(str(error)))}[/]"


def clipped(text: str) -> str:
    """The text with endless words cut: they were read by whoever typed them."""
    return re.sub(r"\S{160,}", lambda word: f"{word.group()[:60]}…", text)


def disk_refused(error: OSError) -> str:
    """The red line that says what the disk would not do, and where."""
    where = f" {error.filename}" if error.filename else ""
    said = clipped(f"The disk refused{where}: {error.strerror or error}.")
    return f"[red]{plain(said)}[/]"


def day(iso: str) -> str:
    """ "3 Aug 2026, 14:05" in the local time zone."""
    at = datetime.fromisoformat(iso).astimezone()
    return f"{at.day} {at:%b %Y, %H:%M}"


def date(iso: str) -> str:
    """ "3 March 2025" in the local time zone."""
    at = datetime.fromisoformat(iso).astimezone()
    return f"{at.day} {at:%B %Y}"


def counted(count: int, what: str) -> str:
    """ "1 chat", "2 chats"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def things(count: int) -> str:
    return counted(count, "thing")


def each_once(reasons: Iterable[str]) -> list[str]:
    """The reasons without those that another one already holds."""
    unlike = list(dict.fromkeys(filter(None, reasons)))
    return [one for one in unlike if not any(one != other and one in other for other in unlike)]


def learned_line(items: list[dict[str, Any]]) -> str:
    """The quiet line: "Learned 2 things", and how many wait."""
    waiting = sum(1 for item in items if item["state"] in ("waits", "waiting"))
    applied = len(items) - waiting
    parts = []
    if applied:
        parts.append(f"Learned {things(applied)}")
    if waiting:
        asks = "waits" if waiting == 1 else "wait"
        parts.append(f"{things(waiting)} {asks} for you")
    return " · ".join(parts)


def show_chat(chat: dict[str, Any], *, open_now: bool = False) -> None:
    """One chat of a list: its short id, when, its title, and what is special about it."""
    marks = [mark for mark in ("quiet", "archived") if chat[mark]]
    if chat["origin"] != "own":
        marks.append(chat["brought_from"] or chat["origin"])
    tail = f"  [dim]{plain(', '.join(marks))}[/]" if marks else ""
    mark = "* " if open_now else ""
    title = plain(chat["title"] or "(no title)")
    out.print(f"{mark}[dim]{chat['chat'][-6:]}  {day(chat['updated'])}[/]  {title}{tail}")


def show_record(item: dict[str, Any], *, number: bool = True) -> None:
    """One learned thing: number, words, what it replaced, and its state."""
    head = f"[dim]{item['number']:>3}[/] " if number and "number" in item else "  "
    state = " · ".join(filter(None, (_STATES[item["state"]], item.get("otherwise", ""))))
    tail = f"  [dim]{state}[/]" if state else ""
    out.print(f"{head}{plain(item['text'])}{tail}")
    if item.get("before_text"):
        out.print(f"     [dim]instead of: {plain(item['before_text'])}[/]")
    if item["state"] == "waiting":
        for reason in each_once(item.get("waits", ())):
            out.print(f"     [yellow]{plain(reason)}[/]")


def show_why(item: dict[str, Any]) -> None:
    """Why something was learned: the chat, the words and when they were said, or the steps that
    show it, the signals, who read them and when."""
    show_record(item, number=False)
    title = item.get("chat_title") or item["chat"]
    out.print(f"     [dim]in:[/] {plain(title)}")
    said = f"you said on {date(item['said_at'])}:" if item.get("said_at") else "you said:"
    for quote in item.get("quotes", ()):
        out.print(f"     [dim]{said}[/] “{plain(quote)}”")
    for step in item.get("steps", ()):
        went = "ok" if step["ok"] else "failed"
        out.print(f"     [dim]Conch saw:[/] {plain(step['summary'])}: {went}")
    signals = [signal.replace("_", " ") for signal in item.get("signals", ())]
    if signals:
        out.print(f"     [dim]signal:[/] {', '.join(signals)}")
    if item.get("why") and item["why"] not in item.get("waits", ()):
        out.print(f"     [dim]because:[/] {plain(item['why'])}")
    if item.get("trigger") == "tool":
        out.print(f"     [dim]the assistant saved it with[/] remember, {day(item['at'])}")
    else:
        by = f"{item['model']} ({item['engine']})" if item.get("model") else "no model, code alone"
        out.print(f"     [dim]read by:[/] {plain(by)}, {day(item['at'])}")
    if item.get("words_now") and item["words_now"] != item["text"]:
        out.print(f"     [dim]its words now:[/] {plain(item['words_now'])}")


def show_memory(item: dict[str, Any]) -> None:
    """One memory: its short id, words, and why it is not used when it isn't."""
    short = item["id"][-6:]
    when = ""
    if item.get("invalid_at"):
        at = datetime.fromisoformat(item["invalid_at"]).astimezone()
        when = f"  [dim]until {at:%B %Y}[/]"
    out.print(f"[dim]{short}[/]  {plain(item['text'])}  [dim]{item['kind']}[/]{when}")
    for reason in each_once((item["waits"], *item["held"])):
        out.print(f"        [yellow]not used: {plain(reason)}[/]")
    if item["same_as"]:
        out.print(f"        [yellow]same as {plain(item['same_as'][-6:])}, not used[/]")


def money(usd: float | None) -> str:
    """ "$0.0012", or that it is not known."""
    if usd is None:
        return "price not known"
    return f"${usd:.4f}" if 0 < usd < 0.1 else f"${usd:.2f}"
