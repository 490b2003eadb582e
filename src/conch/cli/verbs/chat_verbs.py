"""Verbs about chats: turns, Stop, the list, quiet marks, archiving."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from conch.app import Conch
from conch.assistant.attached import Attachment
from conch.assistant.beginning import not_kept
from conch.assistant.hands.folders import fit_folder
from conch.chats.events import (
    Archived,
    AssistantMessage,
    LearningNoted,
    PersonMessage,
    QuietMark,
    Renamed,
)
from conch.chats.heads import ChatHead
from conch.cli.verbs import files_verbs
from conch.cli.verbs.table import Items, Verb, flag, text, the_chat

_TITLE_AT_MOST = 60


async def turn(conch: Conch, args: dict[str, Any]) -> Items:
    """Answer one message; a new chat is begun when none is named. `material` came with it."""
    words = text(args, "words")
    material = text(args, "material", "")
    files = [Attachment("piped text", "text/plain", material)] if material.strip() else []
    chat = text(args, "chat", "")
    try:
        if not chat:
            chat = conch.chats.new(title=_title_of(words), folder=_folder_of(conch, args))
        elif (head := conch.chats.find(chat)) is not None and not head.title:
            conch.chats.log(chat).append(Renamed(title=_title_of(words)))
    except OSError as error:
        raise not_kept(error) from error
    yield {"type": "chat", "chat": chat}
    turn = conch.assistant.turn(
        chat,
        words,
        door=text(args, "door", "terminal"),
        can_ask=flag(args, "can_ask"),
        files=files,
        with_hands=True,
    )
    async with aclosing(turn) as happenings:
        async for happening in happenings:
            yield happening.model_dump(mode="json")


def _folder_of(conch: Conch, args: dict[str, Any]) -> str:
    """The folder a new chat is to work in, "" for one of its own in the home."""
    folder = text(args, "folder", "")
    return str(fit_folder(folder, conch.home, conch.hands.user_home)) if folder else ""


def _title_of(words: str) -> str:
    line = next((line.strip() for line in words.splitlines() if line.strip()), "")
    return line if len(line) <= _TITLE_AT_MOST else f"{line[: _TITLE_AT_MOST - 1].rstrip()}…"


async def stop(conch: Conch, args: dict[str, Any]) -> Items:
    yield {"type": "stopped", "was_running": conch.assistant.stop(text(args, "chat"))}


async def allow(conch: Conch, args: dict[str, Any]) -> Items:
    conch.assistant.answer(text(args, "chat"), text(args, "approval"), flag(args, "allowed"))
    yield {"type": "answered"}


async def new(conch: Conch, args: dict[str, Any]) -> Items:
    yield {"type": "chat", "chat": conch.chats.new(title=text(args, "title", ""))}


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    """Chats, newest first; with `query` those in which it was said."""
    query = text(args, "query", "")
    if query:
        for chat, seq, snippet in conch.chats.search(query):
            head = conch.chats.find(chat)
            if head is not None:
                yield {**_item(head), "seq": seq, "snippet": snippet}
        return
    for head in conch.chats.heads():
        yield _item(head)


async def show(conch: Conch, args: dict[str, Any]) -> Items:
    """What was said in a chat, in order."""
    head = the_chat(conch, text(args, "chat", ""))
    yield _item(head)
    for event in conch.chats.log(head.id).events():
        if isinstance(event, PersonMessage):
            yield {"type": "said", "who": event.who or "you", "text": event.text}
        elif isinstance(event, AssistantMessage):
            yield {"type": "said", "who": "conch", "text": event.text}


async def quiet(conch: Conch, args: dict[str, Any]) -> Items:
    """Don't learn from this chat, or learn from it again (from there on)."""
    head = the_chat(conch, text(args, "chat", ""))
    on = not head.quiet if "on" not in args else flag(args, "on")
    if on != head.quiet:
        conch.chats.log(head.id).append(QuietMark(on=on))
    yield {"type": "quiet", "chat": head.id, "title": head.title, "on": on}


async def archive(conch: Conch, args: dict[str, Any]) -> Items:
    """Archive a chat; it is looked at at once (spec 0088 §1)."""
    head = the_chat(conch, text(args, "chat", ""))
    if not head.archived:
        conch.chats.log(head.id).append(Archived())
    yield {"type": "archived", "chat": head.id, "title": head.title}
    result = await conch.learning.look(head.id, "archived")
    yield {
        "type": "look",
        "chat": head.id,
        "outcome": result.outcome,
        "learned": [record.model_dump(mode="json") for record in result.records],
    }


async def rename(conch: Conch, args: dict[str, Any]) -> Items:
    head = the_chat(conch, text(args, "chat", ""))
    conch.chats.log(head.id).append(Renamed(title=text(args, "title")))
    yield {"type": "chat", "chat": head.id}


async def delete(conch: Conch, args: dict[str, Any]) -> Items:
    """Delete a chat. What was learned in it stays, and says so."""
    head = the_chat(conch, text(args, "chat"))
    conch.chats.delete(head.id)
    yield {"type": "deleted", "chat": head.id, "title": head.title}


async def news(conch: Conch, args: dict[str, Any]) -> Items:
    """The quiet lines of a chat after event `after`."""
    after = args.get("after", 0)
    chat = text(args, "chat")
    if conch.chats.find(chat) is None:
        return
    log = conch.chats.log(chat)
    yield {"type": "seq", "seq": log.last_seq}
    for event in log.events(after=after if isinstance(after, int) else 0):
        if isinstance(event, LearningNoted):
            yield {"type": "learned", "items": [item.model_dump() for item in event.items]}


def _item(head: ChatHead) -> dict[str, Any]:
    return {
        "type": "chat",
        "chat": head.id,
        "title": head.title,
        "origin": head.origin,
        "updated": head.updated.isoformat() if head.updated else "",
        "quiet": head.quiet,
        "archived": head.archived,
        "brought_from": head.brought_from,
    }


VERBS: dict[str, Verb] = {
    **files_verbs.VERBS,
    "turn": turn,
    "stop": stop,
    "allow": allow,
    "chats.new": new,
    "chats.list": listing,
    "chats.show": show,
    "chats.quiet": quiet,
    "chats.archive": archive,
    "chats.rename": rename,
    "chats.delete": delete,
    "chats.news": news,
}
