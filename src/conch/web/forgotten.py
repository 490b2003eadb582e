"""Forget with Undo: what a person forgot on the Memory page can be brought back for a while."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from conch.app import Conch
from conch.memory.memory import Memory
from conch.web.problems import Refused

BROUGHT_BACK_WITHIN = timedelta(minutes=10)
_KEPT = 50


@dataclass(frozen=True)
class _Gone:
    memory: Memory
    at: datetime


class Forgotten:
    """What was forgotten in this run of the gateway, for Undo."""

    def __init__(self, conch: Conch) -> None:
        self._conch = conch
        self._gone: OrderedDict[str, _Gone] = OrderedDict()

    def forget(self, memory_id: str) -> tuple[Memory, str]:
        """Forget a memory; gives it, and the word that brings it back."""
        memory = self._conch.learning.forget_memory(memory_id)
        undo = secrets.token_urlsafe(16)
        self._gone[undo] = _Gone(memory, self._conch.home.clock.now())
        while len(self._gone) > _KEPT:
            self._gone.popitem(last=False)
        return memory, undo

    def bring_back(self, undo: str) -> Memory:
        """Bring a forgotten memory back, as one the person chose to have.

        It has another id: what was learned stays told as forgotten. A wait, a hold and where it
        was read stay with it; its words leave the never-list. Raises Refused when it is too late.
        """
        gone = self._gone.pop(undo, None)
        now = self._conch.home.clock.now()
        if gone is None or now - gone.at > BROUGHT_BACK_WITHIN:
            raise Refused(
                409, "It is too late to undo that.", "It stays forgotten.", "Add it anew."
            )
        return self._conch.learning.bring_back(gone.memory)
