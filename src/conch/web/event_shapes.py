"""What the event stream tells: that something changed, never more than a page could ask for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, RootModel

from conch.web.chat_shapes import Chat, LearnedLine


class ChatChanged(BaseModel):
    """A chat has new events, or a new name, mark or state."""

    type: Literal["chat"] = "chat"
    chat: Chat


class ChatGone(BaseModel):
    type: Literal["chat_gone"] = "chat_gone"
    chat: str


class LineCame(BaseModel):
    """A look left its quiet line at the end of a chat."""

    type: Literal["learned"] = "learned"
    chat: str
    line: LearnedLine


class LearningChanged(BaseModel):
    """Something was learned, answered, or taken off the never-list."""

    type: Literal["learning"] = "learning"


class MemoryChanged(BaseModel):
    type: Literal["memory"] = "memory"


class SkillsChanged(BaseModel):
    """Skills, how they are used, or what is offered."""

    type: Literal["skills"] = "skills"


class SkillsOffered(BaseModel):
    """A chat earned an offer."""

    type: Literal["skills.offered"] = "skills.offered"
    chat: str
    offer: str


class SettingsChanged(BaseModel):
    """Settings, engines or what was spent."""

    type: Literal["settings"] = "settings"


class Reset(BaseModel):
    """What came since the last event seen is no longer known: read everything anew."""

    type: Literal["reset"] = "reset"


class GatewayEvent(
    RootModel[
        Annotated[
            ChatChanged
            | ChatGone
            | LineCame
            | LearningChanged
            | MemoryChanged
            | SkillsChanged
            | SkillsOffered
            | SettingsChanged
            | Reset,
            Field(discriminator="type"),
        ]
    ]
):
    """One message of the event stream, in its `data`."""
