"""What the skill routes take and give."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from conch.guard.permissions import May
from conch.guard.scan import Level
from conch.guard.skill_scan import Verdict
from conch.skills.choices import Mode
from conch.skills.signatures import State
from conch.skills.usage import Origin
from conch.skills.uses import Came
from conch.web.chat_shapes import Strict

WordsHash = Annotated[str, Field(max_length=64)]
Spelled = Annotated[str, Field(max_length=200)]


class MayDo(BaseModel):
    """A line of what a skill may do: a code and names for any language, and the English words."""

    may: May
    names: list[str]
    in_words: str


class SkillFinding(BaseModel):
    """One finding of the scan; `line` counts from 1 (0: the file as a whole)."""

    level: Level
    code: str
    sentence: str
    file: str
    line: int


class SkillLine(BaseModel):
    """A skill as a list shows it. `source`: "own", or the app whose folder it is in.

    `chosen` is what the person chose, `mode` what counts; `why_off` says why they differ.
    """

    source: str
    name: str
    id: str
    title: str
    description: str
    chosen: Mode
    mode: Mode
    why_off: str
    verdict: Verdict
    signed: State
    used: datetime | None
    times: int
    origin: Origin | None


class SkillView(SkillLine):
    """One skill. `words_hash` stands for exactly this version, and goes back with a press."""

    instructions: str
    document: str
    words_hash: str
    declares: bool
    permissions: list[str]
    may: list[MayDo]
    findings: list[SkillFinding]
    problems: list[str]
    signature: str
    files: list[str]


class SkillUse(BaseModel):
    """One use that is over, and how it went."""

    at: datetime | None
    chat: str
    chat_title: str
    came: Came
    went_well: bool


class SkillUses(BaseModel):
    uses: list[SkillUse]


class ComparedLine(BaseModel):
    """A step the skill says, and whether the chat did it."""

    text: str
    done: bool


class ComparedStep(BaseModel):
    """A step the chat took; whether the skill says it and whether its list allows it."""

    summary: str
    ok: bool
    in_skill: bool
    in_list: bool


class SkillCompared(BaseModel):
    """A skill beside the chat that used it last; `same` when it was done as it says."""

    chat: str
    chat_title: str
    same: bool
    lines: list[ComparedLine]
    steps: list[ComparedStep]


class SkillsPage(BaseModel):
    """The person's own skills, and other apps', which are read-only."""

    own: list[SkillLine]
    others: list[SkillLine]


class OfferItem(BaseModel):
    """A draft that waits. `words_hash` stands for exactly these words and this list.

    `note` says what the chat had read. `chats`: in how many the same was asked for, for a habit
    (`signal` "habit"). `written_since`: the person wrote in its chat after it.
    """

    id: str
    chat: str
    chat_title: str
    chat_there: bool
    at: datetime
    ended_seq: int
    signal: str
    steps: int
    chats: int
    title: str
    description: str
    instructions: str
    permissions: list[str]
    may: list[MayDo]
    note: str
    written_since: bool
    words_hash: str


class OffersPage(BaseModel):
    offers: list[OfferItem]


class SkillWords(Strict):
    """A skill as a person writes it. `permissions` null: it declares none.

    `offer`: the draft it was made from; saving settles it.
    """

    title: Annotated[str, Field(max_length=120)]
    description: Annotated[str, Field(max_length=1_024)]
    instructions: Annotated[str, Field(max_length=60_000)]
    permissions: Annotated[list[Spelled], Field(max_length=100)] | None = None


class SkillPreviewAsked(SkillWords):
    """`skill`: the name of the own skill these words would replace, "" for a new one."""

    skill: Annotated[str, Field(max_length=100)] = ""


class SkillPreview(BaseModel):
    """What saving would write, and what is said of it. `words_hash` goes back with Save."""

    name: str
    document: str
    words_hash: str
    problems: list[str]
    may: list[MayDo]
    verdict: Verdict
    findings: list[SkillFinding]


class NewSkill(SkillWords):
    """`words_hash` is that of the preview the person saw."""

    mode: Mode = "manual"
    offer: Annotated[str, Field(max_length=100)] = ""
    words_hash: WordsHash


class SkillEdit(SkillWords):
    """`seen` is the version these words were made from, `words_hash` the preview's."""

    seen: WordsHash
    words_hash: WordsHash


class SkillMode(Strict):
    """`looked_at`: the person has seen what is said of exactly this version."""

    mode: Mode
    words_hash: WordsHash
    looked_at: bool = False


class SkillSeen(Strict):
    words_hash: WordsHash


class BroughtFile(Strict):
    path: Annotated[str, Field(min_length=1, max_length=400)]
    data: Annotated[str, Field(max_length=7_000_000)]


class SkillImport(Strict):
    """A zip (base64), or a folder's files (each base64)."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    zip: Annotated[str, Field(max_length=20_000_000)] = ""
    files: list[BroughtFile] = Field(default_factory=list, max_length=400)


class ShelfPage(BaseModel):
    """Skills Conch put there that were not used in two months; what a press did to them."""

    skills: list[SkillLine]


class ShelfAnswer(Strict):
    action: Literal["off", "keep"]
    skills: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=500)]


class SkillInChat(BaseModel):
    id: str
    title: str
    by: Literal["person", "assistant", "carried"]
    may: list[MayDo]


class ChatSkills(BaseModel):
    """The skills a chat is held to, and what all of them allow."""

    skills: list[SkillInChat]
    may: list[MayDo]


class ChatSkillStopped(Strict):
    skill: Annotated[str, Field(min_length=1, max_length=200)]
