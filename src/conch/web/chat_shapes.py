"""What the chat routes take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.chats.events import Origin, Outcome

ITEMS_AT_MOST = 200
"""Entries, chats or records one answer holds at most."""


class Strict(BaseModel):
    """A request's body: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class Chat(BaseModel):
    """A chat as a list shows it. Times are UTC. `running`: a reply is being written.

    `watched`: what was learned in it is said at its end. `seq` and `snippet`: where the searched
    words were said, when that is why it is listed.
    """

    id: str
    title: str
    origin: Origin
    started: datetime | None
    updated: datetime | None
    last_seq: int
    running: bool
    waiting: bool
    quiet: bool
    archived: bool
    engine: str
    brought_from: str
    seq: int | None = None
    snippet: str = ""


class ChatPage(BaseModel):
    """Chats, newest first (best match first when searched); `total` counts all of them."""

    chats: list[Chat]
    total: int
    next_offset: int | None


class Step(BaseModel):
    """A tool call, as one line. `ok` is null while it runs or when it never ended."""

    call: str
    tool: str
    summary: str
    ok: bool | None


class FileChip(BaseModel):
    """A file that was sent with a message; `image` when it is one."""

    name: str
    media_type: str
    characters: int = 0
    image: str = ""
    """Where an image is fetched from, empty for text."""


class Said(BaseModel):
    """What the person (or `who`) wrote. `left_out`: it was edited or tried again since."""

    type: Literal["said"] = "said"
    seq: int
    at: datetime | None
    text: str
    who: str = ""
    door: str = ""
    files: list[FileChip] = []
    left_out: bool = False


class Reply(BaseModel):
    """What the assistant did and said in one turn, its steps folded.

    `outcome` is null while it runs. `seq` is the turn's last event; `turn` the message it answers.
    `cost_usd` is null when the price is not known.
    """

    type: Literal["reply"] = "reply"
    seq: int
    turn: int
    at: datetime | None
    text: str
    steps: list[Step] = []
    outcome: Outcome | None
    error: str = ""
    engine: str = ""
    model: str = ""
    cost_usd: float | None = None
    left_out: bool = False


Otherwise = Literal["", "earlier", "unreadable", "gone"]
"""What became of a learned thing's memory: replaced since, its file can't be read, or is gone."""


class LearnedThing(BaseModel):
    """One thing of a quiet line, as it stands now. `record` is what Why? and Undo are asked with.

    `state`: applied, waiting, kept, undone, forgotten.
    """

    record: str
    text: str
    state: Literal["applied", "waiting", "kept", "undone", "forgotten"]
    was: str = ""
    """The words it replaced, for the diff."""
    waits: list[str] = []
    words_hash: str = ""
    """Send it with an answer: what is kept or undone is exactly what was shown."""
    otherwise: Otherwise = ""


class LearnedLine(BaseModel):
    """ "Learned 2 things": the quiet line a look leaves at the end of a chat."""

    type: Literal["learned"] = "learned"
    seq: int
    at: datetime | None
    things: list[LearnedThing]


class Marked(BaseModel):
    """Learning was turned off or on for this chat, or it was archived or taken back out."""

    type: Literal["marked"] = "marked"
    seq: int
    at: datetime | None
    what: Literal["quiet", "unquiet", "archived", "unarchived", "summarised"]


Entry = Annotated[Said | Reply | LearnedLine | Marked, Field(discriminator="type")]


class OpenAsk(BaseModel):
    """The assistant may go on only if the person allows this one step.

    `detail`: the whole command, or what would be written, where the summary leaves some of it out.
    """

    approval: str
    summary: str
    why: str
    detail: str


class ChatView(BaseModel):
    """A chat and a page of its entries, the oldest first.

    `before`: ask with it for the page before this one; null at the chat's beginning.
    """

    chat: Chat
    entries: list[Entry]
    before: int | None
    asks: list[OpenAsk]


class ChatCost(BaseModel):
    """What a chat cost in US dollars. `unknown`: answers without a known price."""

    chat: str
    replies_usd: float
    learning_usd: float
    answers: int
    unknown: int
    input_tokens: int
    output_tokens: int


class NewChat(Strict):
    title: Annotated[str, Field(max_length=200)] = ""


class Title(Strict):
    title: Annotated[str, Field(min_length=1, max_length=200)]


class Switch(Strict):
    on: bool


class AttachedText(Strict):
    """A text file sent with a message. It is material, never the person's own words."""

    kind: Literal["text"] = "text"
    name: Annotated[str, Field(min_length=1, max_length=200)]
    media_type: Annotated[str, Field(max_length=100)] = "text/plain"
    text: Annotated[str, Field(max_length=200_000)]


class AttachedImage(Strict):
    """An image, base64; only where the engine takes images."""

    kind: Literal["image"] = "image"
    name: Annotated[str, Field(min_length=1, max_length=200)]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: Annotated[str, Field(max_length=7_000_000)]


AttachedFile = Annotated[AttachedText | AttachedImage, Field(discriminator="kind")]


class TurnAsked(Strict):
    """A message to answer. `edits`: the seq of the message these words stand in for from now on;
    `keep_files`: which of that message's files go along again, by their place."""

    words: Annotated[str, Field(max_length=400_000)]
    files: Annotated[list[AttachedFile], Field(max_length=8)] = []
    edits: int | None = None
    keep_files: Annotated[list[Annotated[int, Field(ge=0, lt=8)]], Field(max_length=8)] = []


class Allowed(Strict):
    approval: Annotated[str, Field(max_length=100)]
    allowed: bool


class Stopped(BaseModel):
    was_running: bool
