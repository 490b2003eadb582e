"""A chat as the web app shows it: its log folded into entries, page by page from the end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from conch.chats.chats import Chats
from conch.chats.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Archived,
    AttachedFile,
    Event,
    LearningNoted,
    LeftOut,
    PersonMessage,
    QuietMark,
    StartSummarised,
    TurnCompleted,
)
from conch.chats.heads import ChatHead
from conch.chats.left_out import LeftOutSpans, left_out
from conch.chats.turns import Turn, turns
from conch.web.chat_shapes import (
    Chat,
    Entry,
    FileChip,
    LearnedLine,
    Marked,
    OpenAsk,
    Reply,
    Said,
    Step,
)

_CHATS_KEPT = 4
_TOLD_ANEW = 400
"""Events before what is new in which the two last turns are looked for."""
Line = Callable[[LearningNoted], LearnedLine]


@dataclass
class _Read:
    """What was read of one chat."""

    events: list[Event] = field(default_factory=list)
    entries: list[Entry | LearningNoted] = field(default_factory=list)

    def take(self, chat: str, fresh: Sequence[Event]) -> None:
        """Fold more events in; only the last turns are told anew, unless some are left out now."""
        begins = [
            at
            for at in range(max(0, len(self.events) - _TOLD_ANEW), len(self.events))
            if isinstance(self.events[at], PersonMessage)
        ]
        self.events += fresh
        anew = any(isinstance(event, LeftOut) for event in fresh)
        start = 0 if anew or len(begins) < 2 else begins[-2]
        if start == 0:
            self.entries = entries_of(chat, self.events, left_out(self.events))
            return
        first = self.events[start].seq
        kept = [entry for entry in self.entries if entry.seq < first]
        self.entries = kept + entries_of(chat, self.events[start:], left_out(self.events))


class ChatReader:
    """Reads chats for the web app. The last few stay read, so that a page costs what is new."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._read: OrderedDict[str, _Read] = OrderedDict()

    def entries(
        self, chat: str, line: Line, before: int | None, limit: int
    ) -> tuple[list[Entry], int | None]:
        """At most `limit` entries whose seq is below `before` (None: the last ones), oldest first,
        and what to ask the page before them with."""
        entries = self._of(chat).entries
        end = len(entries)
        if before is not None:
            end = next((at for at, one in enumerate(entries) if one.seq >= before), end)
        start = max(0, end - limit)
        shown = [
            line(entry) if isinstance(entry, LearningNoted) else entry
            for entry in entries[start:end]
        ]
        return shown, entries[start].seq if start else None

    def events(self, chat: str) -> Sequence[Event]:
        """Every event of a chat."""
        return self._of(chat).events

    def message(self, chat: str, seq: int) -> PersonMessage | None:
        """The person's own message with this seq."""
        for event in self.events(chat):
            if event.seq == seq and isinstance(event, PersonMessage) and not event.who:
                return event
        return None

    def _of(self, chat: str) -> _Read:
        log = self._chats.log(chat)
        read = self._read.setdefault(chat, _Read())
        self._read.move_to_end(chat)
        last = read.events[-1].seq if read.events else 0
        now = log.last_seq
        if now < last:
            read, last = _Read(), 0
            self._read[chat] = read
        if now > last:
            read.take(chat, log.events(after=last))
        while len(self._read) > _CHATS_KEPT:
            self._read.popitem(last=False)
        return read


def entries_of(
    chat: str, events: Sequence[Event], gone: LeftOutSpans
) -> list[Entry | LearningNoted]:
    """A log as entries, in the order of their seq. Quiet lines stay events: they say how things
    stand when they are shown."""
    entries: list[Entry | LearningNoted] = []
    for turn in turns(events):
        entries.append(_said(chat, turn.person, gone))
        if turn.reply or turn.steps or turn.completed or not _is_over(turn):
            entries.append(_reply(turn, gone))
    for event in events:
        match event:
            case LearningNoted() if event.items:
                entries.append(event)
            case QuietMark():
                what = "quiet" if event.on else "unquiet"
                entries.append(Marked(seq=event.seq, at=event.at, what=what))
            case Archived():
                what = "archived" if event.on else "unarchived"
                entries.append(Marked(seq=event.seq, at=event.at, what=what))
            case StartSummarised():
                entries.append(Marked(seq=event.seq, at=event.at, what="summarised"))
            case _:
                pass
    entries.sort(key=lambda entry: entry.seq)
    return entries


def _is_over(turn: Turn) -> bool:
    return turn.completed is not None


def _said(chat: str, person: PersonMessage, gone: LeftOutSpans) -> Said:
    return Said(
        seq=person.seq,
        at=person.at,
        text=person.text,
        who=person.who,
        door=person.door,
        files=[_chip(chat, file) for file in person.files],
        left_out=person.seq in gone,
    )


def _chip(chat: str, file: AttachedFile) -> FileChip:
    image = f"/api/chats/{chat}/files/{file.image}" if file.image else ""
    return FileChip(
        name=file.name, media_type=file.media_type, characters=len(file.text), image=image
    )


def _reply(turn: Turn, gone: LeftOutSpans) -> Reply:
    completed = turn.completed
    steps = [
        Step(call=step.call, tool=step.tool, summary=step.summary, ok=step.ok)
        for step in turn.steps
    ]
    # What came after the turn's end (a quiet line, a mark) is told by itself.
    seq = completed.seq if completed else turn.first_seq
    return Reply(
        seq=seq,
        turn=turn.first_seq,
        at=completed.at if completed else turn.person.at,
        text=turn.reply,
        steps=steps,
        outcome=turn.outcome,
        error=completed.error if completed else "",
        engine=completed.engine if completed else "",
        model=completed.model if completed else "",
        cost_usd=completed.cost_usd if completed else None,
        left_out=turn.first_seq in gone,
    )


def open_asks(events: Sequence[Event], head: ChatHead) -> list[OpenAsk]:
    """What the assistant asked and waits for an answer to."""
    if not head.open_approvals:
        return []
    answered = {event.approval for event in events if isinstance(event, ApprovalAnswered)}
    return [
        OpenAsk(approval=event.approval, summary=event.summary, why=event.why, detail=event.detail)
        for event in events
        if isinstance(event, ApprovalAsked)
        and event.approval in head.open_approvals
        and event.approval not in answered
    ]


def chat_of(head: ChatHead, seq: int | None = None, snippet: str = "") -> Chat:
    """A chat as lists show it."""
    return Chat(
        id=head.id,
        title=head.title,
        origin=head.origin,
        started=head.started,
        updated=head.updated,
        last_seq=head.last_seq,
        running=head.running,
        waiting=head.waiting,
        quiet=head.quiet,
        archived=head.archived,
        engine=head.engine,
        brought_from=head.brought_from,
        seq=seq,
        snippet=snippet,
    )


def costs(events: Sequence[Event]) -> list[TurnCompleted]:
    """The ends of a chat's turns, which say what each cost."""
    return [event for event in events if isinstance(event, TurnCompleted)]
