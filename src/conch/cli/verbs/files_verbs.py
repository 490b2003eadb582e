"""Verbs about a chat's files: its folder, what can be undone, and undoing it."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.assistant.hands.copies import Direction, said_from
from conch.chats.events import FilesRestored
from conch.cli.verbs.table import Items, Verb, flag, text, the_chat
from conch.home.errors import ConchError


async def folder(conch: Conch, args: dict[str, Any]) -> Items:
    """Where a chat works."""
    head = the_chat(conch, text(args, "chat", ""))
    yield {"type": "folder", "folder": str(conch.hands.folder(head.id, conch.chats.log(head.id)))}


async def preview(conch: Conch, args: dict[str, Any]) -> Items:
    """What undoing the last change of files (or doing it again) will do, file by file."""
    head, direction = the_chat(conch, text(args, "chat", "")), _direction(args)
    one = conch.hands.copies.find(head.id, direction, text(args, "change", ""))
    where = str(conch.hands.folder(head.id, conch.chats.log(head.id)))
    for shown in conch.hands.copies.preview(one, direction):
        yield {
            "type": "file",
            "change": one.id,
            "path": said_from(shown.path, where),
            "what": shown.what,
            "changed_since": shown.changed_since,
        }


async def restore(conch: Conch, args: dict[str, Any]) -> Items:
    """Do it. A file changed since is left alone unless `over_changes`."""
    head, direction = the_chat(conch, text(args, "chat", "")), _direction(args)
    if head.running:
        raise ConchError(
            "A reply is being written in this chat.", "No file was changed.", "Wait, or stop it."
        )
    one = conch.hands.copies.find(head.id, direction, text(args, "change"))
    files = conch.hands.copies.restore(
        head.id, one, direction, over_changes=flag(args, "over_changes")
    )
    if files:
        event = FilesRestored(change_set=one.id, direction=direction, files=files)
        conch.chats.log(head.id).append(event)
    yield {"type": "restored", "change": one.id, "files": len(files), "of": len(one.files)}


def _direction(args: dict[str, Any]) -> Direction:
    match text(args, "direction", "undo"):
        case "undo":
            return "undo"
        case "redo":
            return "redo"
        case other:
            raise ConchError(f"Files can be undone or redone, not “{other}”.", "Nothing was done.")


VERBS: dict[str, Verb] = {
    "files.folder": folder,
    "files.preview": preview,
    "files.restore": restore,
}
