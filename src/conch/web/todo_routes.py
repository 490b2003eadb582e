"""The route about a chat's to-do list."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from conch.assistant.todo import State, todos_in
from conch.web.chat_routes import the_head
from conch.web.gateway import Here

router = APIRouter(prefix="/api/chats/{chat}/todos", tags=["chats"])


class TodoItem(BaseModel):
    text: str
    state: State


class TodoList(BaseModel):
    todos: list[TodoItem]


@router.get("")
async def list_todos(here: Here, chat: str) -> TodoList:
    """What the assistant set out to do in this chat, and how far it is."""
    the_head(here, chat)
    found = todos_in(here.reader.events(chat))
    return TodoList(todos=[TodoItem(text=one.text, state=one.state) for one in found])
