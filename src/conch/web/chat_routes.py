"""Routes about chats: the list, one chat, its name, marks and cost."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import FileResponse, Response

from conch.chats.events import Archived, LearningNoted, QuietMark, Renamed
from conch.chats.heads import ChatHead
from conch.web.chat_shapes import (
    ITEMS_AT_MOST,
    Chat,
    ChatCost,
    ChatPage,
    ChatView,
    LearnedLine,
    NewChat,
    Switch,
    Title,
)
from conch.web.gateway import Gateway, Here
from conch.web.problems import not_there
from conch.web.reading import chat_of, costs, open_asks
from conch.web.telling import quiet_line

router = APIRouter(prefix="/api/chats", tags=["chats"])

Limit = Annotated[int, Query(ge=1, le=ITEMS_AT_MOST)]
_IMAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An image",
        "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Offset = Annotated[int, Query(ge=0, le=1_000_000)]


def the_head(here: Gateway, chat: str) -> ChatHead:
    """A chat's head. Raises Refused (404) when there is no such chat."""
    head = here.conch.chats.find(chat)
    if head is None:
        raise not_there("chat")
    return head


@router.get("")
async def list_chats(
    here: Here,
    query: Annotated[str, Query(max_length=400)] = "",
    archived: bool = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> ChatPage:
    """Chats, newest first; with `query` those whose title or messages hold the words."""
    chats = here.conch.chats
    if not query.strip():
        heads = [head for head in chats.heads() if head.archived == archived]
        found = [chat_of(head) for head in heads]
    else:
        said = {one.chat: one for one in reversed(chats.search(query, ITEMS_AT_MOST))}
        wanted = query.strip().casefold()
        titled = [head for head in chats.heads() if wanted in head.title.casefold()]
        ids = list(dict.fromkeys([*(head.id for head in titled), *reversed(said)]))
        found = []
        for id in ids:
            head = chats.find(id)
            if head is not None:
                one = said.get(id)
                found.append(chat_of(head, one.seq, one.snippet) if one else chat_of(head))
    more = offset + limit if offset + limit < len(found) else None
    return ChatPage(chats=found[offset : offset + limit], total=len(found), next_offset=more)


@router.post("", status_code=201)
async def new_chat(here: Here, given: NewChat) -> Chat:
    """Begin a chat; without a title it is called by its first words."""
    return chat_of(here.conch.chats.head(here.conch.chats.new(title=given.title.strip())))


@router.get("/{chat}")
async def get_chat(
    here: Here,
    chat: str,
    before: Annotated[int | None, Query(ge=1)] = None,
    limit: Limit = 100,
) -> ChatView:
    """A chat and its last entries, or those before `before`."""
    head = the_head(here, chat)

    def line(event: LearningNoted) -> LearnedLine:
        return quiet_line(here.conch, event)

    entries, earlier = here.reader.entries(chat, line, before, limit)
    asks = open_asks(here.reader.events(chat), head)
    return ChatView(chat=chat_of(head), entries=entries, before=earlier, asks=asks)


@router.post("/{chat}/rename")
async def rename_chat(here: Here, chat: str, given: Title) -> Chat:
    the_head(here, chat)
    here.conch.chats.log(chat).append(Renamed(title=" ".join(given.title.split())))
    return chat_of(the_head(here, chat))


@router.post("/{chat}/archive")
async def archive_chat(here: Here, chat: str) -> Chat:
    """Archive a chat; it is looked at at once (spec 0088 §1), behind the answer."""
    if not the_head(here, chat).archived:
        here.conch.chats.log(chat).append(Archived())
    here.behind(here.conch.learning.look(chat, "archived"))
    return chat_of(the_head(here, chat))


@router.post("/{chat}/unarchive")
async def unarchive_chat(here: Here, chat: str) -> Chat:
    if the_head(here, chat).archived:
        here.conch.chats.log(chat).append(Archived(on=False))
    return chat_of(the_head(here, chat))


@router.post("/{chat}/quiet")
async def quiet_chat(here: Here, chat: str, given: Switch) -> Chat:
    """Don't learn from this chat (`on`), or learn from it again, from here on."""
    if the_head(here, chat).quiet != given.on:
        here.conch.chats.log(chat).append(QuietMark(on=given.on))
    return chat_of(the_head(here, chat))


@router.delete("/{chat}", status_code=204)
async def delete_chat(here: Here, chat: str) -> Response:
    """Delete a chat. What was learned in it stays, and says so."""
    the_head(here, chat)
    here.conch.assistant.stop(chat)
    here.conch.chats.delete(chat)
    return Response(status_code=204)


@router.get("/{chat}/cost")
async def chat_cost(here: Here, chat: str) -> ChatCost:
    """What this chat cost: its replies, and what learning from it cost."""
    the_head(here, chat)
    ends = costs(here.reader.events(chat))
    looks = here.conch.parts.record.state.looks.get(chat, [])
    known = [end.cost_usd for end in ends if end.cost_usd is not None]
    return ChatCost(
        chat=chat,
        replies_usd=sum(known),
        learning_usd=sum(look.cost_usd or 0.0 for look in looks),
        answers=len(ends),
        unknown=len(ends) - len(known),
        input_tokens=sum(end.usage.input_tokens for end in ends),
        output_tokens=sum(end.usage.output_tokens for end in ends),
    )


@router.get("/{chat}/files/{name}", response_class=FileResponse, responses={**_IMAGE})
async def chat_file(here: Here, chat: str, name: str) -> FileResponse:
    """An image that was sent with a message."""
    the_head(here, chat)
    folder = here.conch.home.chats / chat / "files"
    found = {path.name: path for path in folder.glob("*")} if folder.is_dir() else {}
    if name not in found:
        raise not_there("file")
    return FileResponse(found[name], headers={"cache-control": "private, max-age=86400"})
