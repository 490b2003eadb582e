"""Routes about what was learned: the list, Why?, the person's answers, the never-list."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from conch.app import Conch
from conch.home.errors import ConchError
from conch.learning.outcomes import IN_PLAIN_WORDS
from conch.learning.record import STANDING
from conch.web.chat_routes import Limit, Offset, the_head
from conch.web.gateway import Here
from conch.web.learning_shapes import (
    Answered,
    Answering,
    Filter,
    Learned,
    LearningPage,
    LookedAt,
    Looks,
    LooksAsked,
    NeverPage,
    Why,
)
from conch.web.problems import Refused, changed_meanwhile, not_there
from conch.web.telling import (
    counts,
    dropped,
    filtered,
    learned,
    learned_all,
    never_items,
    paused,
    standing,
    the_record,
    week,
    why,
)

router = APIRouter(prefix="/api/learning", tags=["learning"])


@router.get("")
async def get_learning(
    here: Here,
    show: Filter = "all",
    chat: Annotated[str, Query(max_length=100)] = "",
    offset: Offset = 0,
    limit: Limit = 50,
) -> LearningPage:
    """Recent learnings, newest first, with the week, what was dropped, and the never-list."""
    conch = here.conch
    records = [one for one in filtered(conch, show) if not chat or one.chat == chat]
    return LearningPage(
        on=conch.home.settings().auto_memory,
        items=learned_all(conch, records[offset : offset + limit]),
        total=len(records),
        next_offset=offset + limit if offset + limit < len(records) else None,
        counts=counts(conch),
        dropped=dropped(conch),
        week=week(conch),
        never=never_items(conch),
        paused=paused(conch),
    )


@router.get("/never")
async def get_never(here: Here) -> NeverPage:
    """Things Conch won't learn again, newest first."""
    return NeverPage(items=never_items(here.conch))


@router.delete("/never/{item}", status_code=204)
async def remove_never(here: Here, item: str) -> Response:
    """Let Conch learn this again."""
    if not await here.pressed(lambda: here.conch.parts.never.remove(item)):
        raise not_there("entry")
    return Response(status_code=204)


@router.post("/look")
async def look_now(here: Here, asked: LooksAsked) -> Looks:
    """Look now: at one chat, or at every one that has words past where the last look stopped."""
    conch = here.conch
    chats = [the_head(here, asked.chat).id] if asked.chat else conch.learning.unread()
    looks = []
    for chat in chats:
        result = await conch.learning.look(chat, "asked")
        head = conch.chats.find(chat)
        looks.append(
            LookedAt(
                chat=chat,
                title=head.title if head else "",
                outcome=result.outcome,
                in_plain_words=IN_PLAIN_WORDS[result.outcome],
                learned=len(result.records),
                cost_usd=result.cost_usd,
            )
        )
    return Looks(looks=looks)


@router.post("/answer")
async def answer_learned(here: Here, asked: Answering) -> Answered:
    """The person's press on Undo, Keep or Forget, for exactly the words they saw.

    409 when the words or the state are others by now; `now` says which.
    """
    return await here.pressed(lambda: _answer(here.conch, asked))


def _answer(conch: Conch, asked: Answering) -> Answered:
    record = the_record(conch, asked.record)
    stands = standing(conch, record)
    if record.state in STANDING and asked.words_hash != stands.words_hash:
        raise changed_meanwhile(stands)
    try:
        match asked.answer:
            case "undo":
                done = conch.learning.undo(record.id)
            case "forget":
                done = conch.learning.forget(record.id)
            case "keep":
                consent = conch.consents.mint(record.memory, asked.words_hash)
                done = conch.learning.keep(record.id, consent)
    except ConchError as error:
        now = standing(conch, the_record(conch, record.id))
        raise Refused(409, error.what, error.kept, error.do, now=now) from None
    return Answered(learned=learned(conch, done.record), note=done.note)


@router.get("/{record}")
async def get_learned(here: Here, record: str) -> Learned:
    """One thing that was learned, as it stands now."""
    return learned(here.conch, the_record(here.conch, record))


@router.get("/{record}/why")
async def get_why(here: Here, record: str) -> Why:
    """Why it was learned: the chat, the words in their message, the signals, the model."""
    return why(here.conch, the_record(here.conch, record))
