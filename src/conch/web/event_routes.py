"""The route of the event stream."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query

from conch.web.event_shapes import GatewayEvent
from conch.web.events import ServerSentEvents
from conch.web.gateway import Here

router = APIRouter(prefix="/api/events", tags=["events"])


@router.get(
    "",
    response_class=ServerSentEvents,
    responses={200: {"model": GatewayEvent, "description": "Server-sent events, each with an id"}},
)
async def follow_events(
    here: Here,
    last_event_id: Annotated[str, Header(max_length=60)] = "",
    after: Annotated[str, Query(max_length=60)] = "",
) -> ServerSentEvents:
    """Everything that changes, from the event after `Last-Event-ID` (or `after`) on.

    A `reset` says that too much was missed: read everything anew.
    """
    frames = here.events.frames(last_event_id or after)
    return ServerSentEvents(frames, headers={"cache-control": "no-cache, no-transform"})
