"""Telling a chat in Conch's events, whoever's file it was read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from conch.chats.events import (
    AssistantMessage,
    Event,
    Outcome,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.steps import step_summary
from conch.doors.bring.outside import read_from_outside
from conch.doors.bring.shapes import capped, capped_input, readable
from conch.guard.taints import Taint


class Telling:
    """Gathers a chat's events in order; a reader tells it what it meets and takes them.

    A turn runs from a message of the person's to the next one. It ends as stopped when it was
    stopped, as failed when its last answer was an error, else as a success.
    """

    def __init__(self, door: str, engine: str = "") -> None:
        self.door = door
        self.engine = engine
        self._events: list[Event] = []
        self._pending: dict[str, tuple[Taint, ...]] = {}
        self._open = False
        self._error = ""
        self._model = ""
        self._at: datetime | None = None

    @property
    def failing(self) -> bool:
        """Whether the turn that is open has come to nothing but an error so far."""
        return self._open and bool(self._error)

    def take(self) -> list[Event]:
        """The events gathered since the last time."""
        events, self._events = self._events, []
        return events

    def person(self, text: str, at: datetime | None, who: str = "", door: str = "") -> None:
        """The person (or, with `who`, somebody else) wrote something; empty text is nothing."""
        text = readable(text).strip()
        if not text:
            return
        self.end()
        self._seen(at)
        if who:
            self._add(TaintMarked(at=self._at, kind="person", label=readable(who)))
        self._add(PersonMessage(at=self._at, text=text, door=door or self.door, who=readable(who)))
        self._open = True

    def assistant(self, text: str, at: datetime | None, model: str = "", engine: str = "") -> None:
        """The assistant said something; it takes back an error that came before it."""
        text = readable(text).strip()
        if not text:
            return
        self._seen(at)
        self._model, self.engine = readable(model) or self._model, engine or self.engine
        self._add(
            AssistantMessage(at=self._at, text=text, engine=self.engine, model=readable(model))
        )
        self._open, self._error = True, ""

    def started(self, call: str, tool: str, given: Mapping[str, Any], at: datetime | None) -> None:
        """A step begins. `given` is its whole input; what is kept of it is capped."""
        self._seen(at)
        tool = readable(tool) or "tool"
        self._add(
            ToolStarted(
                at=self._at,
                call=readable(call),
                tool=tool,
                summary=step_summary(tool, given),
                input=capped_input(dict(given)),
            )
        )
        self._pending[readable(call)] = read_from_outside(tool, given)
        self._open, self._error = True, ""

    def finished(
        self,
        call: str,
        ok: bool,
        output: str,
        at: datetime | None,
        exit: int | None = None,
        ran: bool = True,
        read: Sequence[Taint] = (),
    ) -> bool:
        """A step ended; False when no step of that call is open (nothing is told then).

        `ran` is False when it was refused before it did anything: nothing was read then. `read`:
        what its output shows it took in from outside, where the input alone does not say.
        """
        call = readable(call)
        if call not in self._pending:
            return False
        taints = self._pending.pop(call)
        self._seen(at)
        self._add(ToolFinished(at=self._at, call=call, ok=ok, output=capped(output), exit=exit))
        self._open = True
        if ran:
            for taint in dict.fromkeys(tuple(read) or taints):
                self.outside(taint, at, call)
        return True

    def outside(self, taint: Taint, at: datetime | None, call: str = "") -> None:
        """The chat took something in from outside."""
        self._seen(at)
        label = capped(readable(taint.label), 200)
        self._add(TaintMarked(at=self._at, kind=taint.kind, label=label, call=call))

    def is_pending(self, call: str) -> bool:
        """Whether a step of that call began and has not ended."""
        return readable(call) in self._pending

    def stopped(self, at: datetime | None) -> None:
        """The person stopped the answer."""
        self._seen(at)
        self._complete("stopped")

    def failed(self, error: str, at: datetime | None) -> None:
        """The answer came to an error. It counts unless something better follows in the turn."""
        self._seen(at)
        self._open, self._error = True, capped(error, 500) or "The answer failed."

    def carry_on(self) -> None:
        """The same message was sent again by the program itself: the turn goes on."""
        self._error = ""

    def end(self) -> None:
        """End the turn that is open, when one is."""
        if self._open:
            self._complete("failed" if self._error else "success")

    def _complete(self, outcome: Outcome) -> None:
        self._add(
            TurnCompleted(
                at=self._at,
                outcome=outcome,
                engine=self.engine,
                model=self._model,
                error=self._error if outcome == "failed" else "",
            )
        )
        self._open, self._error = False, ""

    def _seen(self, at: datetime | None) -> None:
        self._at = at or self._at

    def _add(self, event: Event) -> None:
        self._events.append(event)
