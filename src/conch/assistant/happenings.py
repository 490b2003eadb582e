"""What happens in a turn, as it happens: for the terminal, the web app and the home's socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter

from conch.chats.events import Outcome


class TextCame(BaseModel):
    """Some more of the reply."""

    type: Literal["text"] = "text"
    text: str


class StepBegan(BaseModel):
    type: Literal["step_began"] = "step_began"
    call: str
    summary: str


class StepEnded(BaseModel):
    type: Literal["step_ended"] = "step_ended"
    call: str
    ok: bool
    note: str = ""


class Asks(BaseModel):
    """The assistant may go on only if the person allows this one step.

    `detail` is the whole command, address or path, where the summary leaves some of it out.
    """

    type: Literal["asks"] = "asks"
    approval: str
    summary: str
    why: str = ""
    detail: str = ""


class TurnEnded(BaseModel):
    """The turn is over. `error` is a sentence for the person when it failed.

    `cost_usd` is None when the price is not known.
    """

    type: Literal["ended"] = "ended"
    chat: str
    outcome: Outcome
    reply: str = ""
    error: str = ""
    engine: str = ""
    model: str = ""
    cost_usd: float | None = None


Happening = TextCame | StepBegan | StepEnded | Asks | TurnEnded

happenings: TypeAdapter[Happening] = TypeAdapter(Annotated[Happening, Field(discriminator="type")])
