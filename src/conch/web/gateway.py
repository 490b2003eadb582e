"""What every route is handed: one home's Conch, the turns that run, the event stream, sign-in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends, Request

from conch.app import Conch
from conch.web.events import EventStream
from conch.web.forgotten import Forgotten
from conch.web.reading import ChatReader
from conch.web.running import RunningTurns
from conch.web.sign_in import SignIn


@dataclass
class Gateway:
    """One home, as the web app reaches it. `address` is where it listens."""

    conch: Conch
    sign_in: SignIn
    address: str = "http://127.0.0.1:4317"
    events: EventStream = field(default_factory=EventStream)

    def __post_init__(self) -> None:
        self.turns = RunningTurns(self.conch)
        self.reader = ChatReader(self.conch.chats)
        self.forgotten = Forgotten(self.conch)


def _gateway(request: Request) -> Gateway:
    return cast(Gateway, request.app.state.gateway)


Here = Annotated[Gateway, Depends(_gateway)]
"""A route's parameter: the gateway it belongs to."""
