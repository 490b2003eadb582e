"""Routes about a chat's files: what undoing or redoing a change would do, and doing it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from conch.assistant.hands.copies import said_from
from conch.chats.events import FilesRestored
from conch.web.chat_routes import the_head
from conch.web.chat_shapes import Strict
from conch.web.gateway import Here
from conch.web.problems import Refused

router = APIRouter(prefix="/api/chats/{chat}/files", tags=["files"])
Direction = Literal["undo", "redo"]


class FileShown(BaseModel):
    """What will be done to one file. `changed_since`: it is not as the step left it."""

    path: str
    what: Literal["put back", "changed back", "removed", "as it is"]
    changed_since: bool


class FilesShown(BaseModel):
    """One change of files; `change` names it."""

    change: str
    files: list[FileShown]


class Restore(Strict):
    """A file changed since is left alone unless `over_changes`."""

    change: Annotated[str, Field(max_length=100)]
    direction: Direction
    over_changes: bool = False


class Restored(BaseModel):
    """How many files were changed, of how many in the change."""

    files: int
    of: int


@router.get("")
async def show_files(here: Here, chat: str, direction: Direction = "undo") -> FilesShown:
    """What undoing the last change of files (or doing it again) will do, file by file."""
    head = the_head(here, chat)
    hands = here.conch.hands
    one = hands.copies.find(head.id, direction)
    folder = str(hands.folder(head.id, here.conch.chats.log(head.id)))
    return FilesShown(
        change=one.id,
        files=[
            FileShown(
                path=said_from(shown.path, folder),
                what=shown.what,
                changed_since=shown.changed_since,
            )
            for shown in hands.copies.preview(one, direction)
        ],
    )


@router.post("")
async def restore_files(here: Here, chat: str, asked: Restore) -> Restored:
    """Undo a change of files, or do it again."""
    head = the_head(here, chat)
    if head.running:
        raise Refused(
            409, "A reply is being written in this chat.", "No file was changed.", "Stop it first."
        )
    copies = here.conch.hands.copies
    one = copies.find(head.id, asked.direction, asked.change)
    files = copies.restore(head.id, one, asked.direction, over_changes=asked.over_changes)
    if files:
        event = FilesRestored(change_set=one.id, direction=asked.direction, files=files)
        here.conch.chats.log(head.id).append(event)
    return Restored(files=len(files), of=len(one.files))
