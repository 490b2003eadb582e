"""The events of a chat's log: everything that happened in a chat, in the order it happened.

One event is one line of `chats/<id>/log.jsonl`. `seq` counts from 1 without gaps; `at` is UTC.
Unknown fields are ignored and an unknown `type` reads as `UnknownEvent`, so that a log written by
a later version still reads.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from conch.guard.taints import TaintKind

Origin = Literal["own", "guest", "routine", "task", "page", "channel", "client", "imported"]
"""Who a chat belongs to: the person's own; a guest's in a group; a routine's run; a task; a page
fetching its data; a chat app's (`channel`); another app through Conch (`client`); brought in."""

Outcome = Literal["success", "failed", "stopped"]


class _Event(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    seq: int = 0
    at: datetime | None = None


class ChatStarted(_Event):
    """The first line of every log. `host` and `folder` say where the chat's commands ran."""

    type: Literal["chat_started"] = "chat_started"
    chat: str
    origin: Origin = "own"
    title: str = ""
    engine: str = ""
    host: str = ""
    folder: str = ""
    brought_from: str = ""


class AttachedFile(BaseModel):
    """A file sent with a message: `text` of a text file, or the name of an image in `files/`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    media_type: str = "text/plain"
    text: str = ""
    image: str = ""


class PersonMessage(_Event):
    """What the person (or, with `who` set, somebody else) wrote. `door`: terminal, web, telegram…

    `learn` is False when learning was off as it was said: such words are never read by a look.
    """

    type: Literal["person_message"] = "person_message"
    text: str
    door: str = "terminal"
    who: str = ""
    """Empty for the owner of this home; a name when somebody else wrote it."""
    learn: bool = True
    files: tuple[AttachedFile, ...] = ()
    """Material sent with the words; never the person's own prose."""
    host: str = ""
    """The computer its turn ran on, where that is not the one the chat began on."""


class AssistantMessage(_Event):
    type: Literal["assistant_message"] = "assistant_message"
    text: str
    engine: str = ""
    model: str = ""


class ToolStarted(_Event):
    """A step begins. `summary` is the one line code makes of it ("Run `npm test`")."""

    type: Literal["tool_started"] = "tool_started"
    call: str
    tool: str
    summary: str = ""
    input: dict[str, Any] = Field(default_factory=dict)


class ToolFinished(_Event):
    """A step ended. `output` is capped and redacted, and never leaves the log for a review."""

    type: Literal["tool_finished"] = "tool_finished"
    call: str
    ok: bool
    output: str = ""
    exit: int | None = None


class TaintMarked(_Event):
    """The chat took something in from outside. `call` is the step that did, when one did."""

    type: Literal["taint"] = "taint"
    kind: TaintKind
    label: str
    call: str = ""


class ApprovalAsked(_Event):
    type: Literal["approval_asked"] = "approval_asked"
    approval: str
    call: str
    tool: str
    summary: str
    why: str = ""
    detail: str = ""
    """All that was shown beside the summary: the whole command, what would be written."""
    input: dict[str, Any] = Field(default_factory=dict)


class ApprovalAnswered(_Event):
    type: Literal["approval_answered"] = "approval_answered"
    approval: str
    allowed: bool
    by: str = "person"


class Usage(BaseModel):
    """Tokens of one turn or completion, as the provider counted them."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class TurnCompleted(_Event):
    """A turn ended. `sent_from` is the first event the engine was sent word for word (0: all)."""

    type: Literal["turn_completed"] = "turn_completed"
    outcome: Outcome
    engine: str = ""
    model: str = ""
    usage: Usage = Usage()
    cost_usd: float | None = None
    error: str = ""
    sent_from: int = 0


class FilesChanged(_Event):
    type: Literal["files_changed"] = "files_changed"
    change_set: str
    files: list[str]


class FilesRestored(_Event):
    type: Literal["files_restored"] = "files_restored"
    change_set: str
    direction: Literal["undo", "redo"]
    files: list[str]


class MemorySaved(_Event):
    """The assistant's `remember` wrote a memory; `waits` says why it waits, when it does."""

    type: Literal["memory_saved"] = "memory_saved"
    memory: str
    text: str
    waits: str = ""


class MemoryDecided(_Event):
    """The person's answer about a memory the assistant saved in this chat."""

    type: Literal["memory_decided"] = "memory_decided"
    memory: str
    decision: Literal["kept", "undone", "forgotten"]


class SkillUsed(_Event):
    type: Literal["skill_used"] = "skill_used"
    skill: str
    name: str
    title: str = ""
    by: Literal["person", "assistant", "carried"] = "person"
    permissions: list[str] | None = None
    """Its list as it was then, spelled; the chat is held to it. None: not known."""


class SkillStopped(_Event):
    """The person took a skill out of the chat: it is no longer held to its list."""

    type: Literal["skill_stopped"] = "skill_stopped"
    skill: str


class LearnedItem(BaseModel):
    """One thing in the line "Learned 2 things": the record it points at and its words then."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    record: str
    text: str
    state: Literal["applied", "waits"]
    waits: str = ""
    was: str = ""


class LearningNoted(_Event):
    """The quiet line a look leaves at the end of a chat; `look` makes it unique."""

    type: Literal["learning_noted"] = "learning_noted"
    look: str
    items: list[LearnedItem]


class LearningDecided(_Event):
    """The person's answer about something that was learned in this chat."""

    type: Literal["learning_decided"] = "learning_decided"
    record: str
    state: Literal["kept", "undone", "forgotten"]


class StartSummarised(_Event):
    """The chat outgrew the model's window: events before `before` are sent as `summary` now."""

    type: Literal["start_summarised"] = "start_summarised"
    before: int
    summary: str


class QuietMark(_Event):
    """Don't learn from this chat (`on`), or learn from it again."""

    type: Literal["quiet_mark"] = "quiet_mark"
    on: bool


class LeftOut(_Event):
    """What was said from `from_seq` to here is not sent on: the next message stands in for it.

    `edited`: the person changed their words, so the old ones are not learned from either.
    `retried`: the same words are sent again.
    """

    type: Literal["left_out"] = "left_out"
    from_seq: int
    why: Literal["edited", "retried"]


class Archived(_Event):
    type: Literal["archived"] = "archived"
    on: bool = True


class Renamed(_Event):
    type: Literal["renamed"] = "renamed"
    title: str


class UnknownEvent(_Event):
    """A line of a type this version does not know: kept, counted, never acted on."""

    type: str = "unknown"


KnownEvent = Annotated[
    ChatStarted
    | PersonMessage
    | AssistantMessage
    | ToolStarted
    | ToolFinished
    | TaintMarked
    | ApprovalAsked
    | ApprovalAnswered
    | TurnCompleted
    | FilesChanged
    | FilesRestored
    | MemorySaved
    | MemoryDecided
    | SkillUsed
    | SkillStopped
    | LearningNoted
    | LearningDecided
    | StartSummarised
    | QuietMark
    | LeftOut
    | Archived
    | Renamed,
    Field(discriminator="type"),
]
Event = KnownEvent | UnknownEvent

known_events: TypeAdapter[KnownEvent] = TypeAdapter(KnownEvent)
