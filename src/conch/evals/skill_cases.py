"""A labelled case of work that went well, or of a draft, as what the skills room decides on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from conch.chats.events import (
    AssistantMessage,
    ChatStarted,
    Event,
    Outcome,
    PersonMessage,
    QuietMark,
    SkillUsed,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.turns import Step
from conch.guard.redactor import Redactor
from conch.skills.draft import Draft, DraftContext, Refused, check_draft
from conch.skills.habits import find_habits, requests_in
from conch.skills.standing import Standing, may_be_offered
from conch.skills.work import Ending, NotKept, TaskEnd, Work, assess
from conch.words.meaning import Meaning

_NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def offer_of_case(row: Mapping[str, Any], meaning: Meaning | None = None) -> tuple[bool, str]:
    """Whether one row of a `skill-work` file is offered, and the reason.

    Raises KeyError for a row that lacks a field.
    """
    chat = row["chat"]
    found = assess(_events(row), _ending(chat), meaning)
    if isinstance(found, Work):
        refused = may_be_offered(found, _standing(chat), meaning)
        return (False, refused.reason) if refused else (True, found.signal)
    return False, found.reason if isinstance(found, NotKept) else ""


def habit_of_case(row: Mapping[str, Any], meaning: Meaning | None = None) -> bool:
    """Whether one row of a `habits` file holds a habit. Raises KeyError for a missing field."""
    logs: dict[str, list[Event]] = {}
    for request in row["requests"]:
        origin = request.get("origin", "own")
        chat = request["chat"]
        log = logs.setdefault(chat, [ChatStarted(seq=1, chat=chat, origin=origin)])
        if request.get("taint"):
            log.append(TaintMarked(seq=len(log) + 1, kind=request["taint"], label="somebody"))
        if request.get("quiet"):
            log.append(QuietMark(seq=len(log) + 1, on=True))
        log.append(
            PersonMessage(
                seq=len(log) + 1,
                at=_NOW - timedelta(days=request["days_ago"]),
                text=request["text"],
                who=request.get("who", ""),
                learn=request.get("learn", True),
            )
        )
    requests = [one for chat, log in logs.items() for one in requests_in(chat, log)]
    known = [*(row.get("skills") or ()), *(row.get("turned_down") or ())]
    return bool(find_habits(requests, _NOW, known=known, meaning=meaning))


def _events(row: Mapping[str, Any]) -> list[Event]:
    chat = row["chat"]
    events: list[Event] = []

    def add(event: Event) -> None:
        events.append(event.model_copy(update={"seq": len(events) + 1}))

    add(ChatStarted(chat=str(row["id"]), origin=chat.get("origin", "chat").replace("chat", "own")))
    for taint in chat.get("taint") or ():
        add(TaintMarked(kind=taint["kind"], label=taint.get("label", "")))
    for turn in row["turns"]:
        add(PersonMessage(text=turn["user"], who=turn.get("who", "")))
        if turn.get("skill_used"):
            add(SkillUsed(skill=turn["skill_used"], name=turn["skill_used"]))
        for place, step in enumerate(turn.get("steps") or ()):
            call = f"{len(events)}-{place}"
            add(ToolStarted(call=call, tool=step.get("tool", step["step"]), summary=step["step"]))
            add(ToolFinished(call=call, ok=bool(step["ok"])))
        if turn.get("reply"):
            add(AssistantMessage(text=turn["reply"]))
        if turn.get("end"):
            add(TurnCompleted(outcome=cast(Outcome, turn["end"])))
    return events


def _ending(chat: Mapping[str, Any]) -> Ending:
    task, routine = chat.get("task"), chat.get("routine")
    return Ending(
        TaskEnd(task["status"], task.get("verification")) if task else None,
        routine.get("succeeded") if routine else None,
    )


def _standing(chat: Mapping[str, Any]) -> Standing:
    return Standing(
        offered=bool(chat.get("offered_before")),
        waiting=int(chat.get("offers_waiting") or 0),
        skills=tuple(f"{one['title']}. {one['description']}" for one in chat.get("skills") or ()),
        turned_down=tuple(
            one["text"] for one in chat.get("turned_down") or () if one.get("for_good", True)
        ),
    )


def draft_of_case(row: Mapping[str, Any]) -> Draft | Refused:
    """What `check_draft` says of one row of a `draft` file. Raises KeyError for a missing field."""
    steps = [
        Step(f"s{place}", "step", str(text), {}, True, None, "", 0, 0)
        for place, text in enumerate(row["steps"])
    ]
    context = DraftContext(
        said=row["asked"],
        steps=steps,
        folder=str(row.get("folder", "")),
        tainted=bool(row["tainted"]),
        redact=Redactor(row.get("vault") or ()).redact_known,
    )
    draft = row["draft"]
    answer = draft if isinstance(draft, str) else json.dumps(draft, ensure_ascii=False)
    return check_draft(answer, context)
