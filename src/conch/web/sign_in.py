"""Signing in: a one-time link that is printed at start, or a password; then a cookie.

Links and sessions are kept as hashes only; sessions live in the home, so that a restart of the
gateway signs nobody out.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from datetime import datetime, timedelta

from pydantic import BaseModel, ConfigDict, Field

from conch.home.clock import Clock
from conch.home.home import Home
from conch.home.store import Store
from conch.web.password import Password
from conch.web.problems import Refused

LINK_GOOD_FOR = timedelta(minutes=15)
SESSION_GOOD_FOR = timedelta(days=30)
TRIES_A_MINUTE = 10
_SESSIONS_KEPT = 20
_MINUTE = timedelta(minutes=1)


class _Sessions(BaseModel):
    model_config = ConfigDict(extra="allow")

    ends: dict[str, datetime] = Field(default_factory=dict)


class SignIn:
    """Who may use the gateway of one home. `clock` is the computer's own, whatever the home's."""

    def __init__(self, home: Home, clock: Clock) -> None:
        self._clock = clock
        self._store = Store(home.keys / "web-sessions.json", _Sessions, home.notes)
        self._ends = self._store.load().ends
        self._links: dict[str, datetime] = {}
        self._tries: dict[str, deque[datetime]] = {
            way: deque(maxlen=TRIES_A_MINUTE) for way in ("link", "password")
        }
        self.password = Password(home)

    def new_link(self) -> str:
        """A token for one sign-in, good once and for fifteen minutes."""
        token = secrets.token_urlsafe(32)
        now = self._clock.now()
        self._links = {hash: ends for hash, ends in self._links.items() if ends > now}
        self._links[_hash(token)] = now + LINK_GOOD_FOR
        return token

    def by_link(self, token: str) -> str | None:
        """A session for a link's token, used up by it; None when it isn't good (any more).

        Raises Refused (429) after too many tries in a minute.
        """
        self._count_try("link")
        ends = self._links.pop(_hash(token), None)
        if ends is None or ends <= self._clock.now():
            return None
        return self._new_session("link")

    def by_password(self, password: str) -> str | None:
        """A session for the password; None when it is another. Raises Refused (429)."""
        self._count_try("password")
        return self._new_session("password") if self.password.fits(password) else None

    def knows(self, session: str) -> bool:
        """Whether this cookie is a session that hasn't ended."""
        ends = self._ends.get(_hash(session)) if session else None
        return ends is not None and ends > self._clock.now()

    def end(self, session: str) -> None:
        """Sign out."""
        self._ends.pop(_hash(session), None)
        self._store.save(_Sessions(ends=self._ends))

    def _new_session(self, way: str) -> str:
        session = secrets.token_urlsafe(32)
        now = self._clock.now()
        live = sorted(
            ((hash, ends) for hash, ends in self._ends.items() if ends > now),
            key=lambda pair: pair[1],
        )
        self._ends = dict(live[-(_SESSIONS_KEPT - 1) :])
        self._ends[_hash(session)] = now + SESSION_GOOD_FOR
        self._store.save(_Sessions(ends=self._ends))
        if self._tries[way]:
            self._tries[way].pop()
        return session

    def _count_try(self, way: str) -> None:
        now = self._clock.now()
        tries = self._tries[way]
        if len(tries) == TRIES_A_MINUTE and now - tries[0] < _MINUTE:
            raise Refused(
                429, "Too many tries to sign in.", "Nobody was signed in.", "Wait a minute."
            )
        tries.append(now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
