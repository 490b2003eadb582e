"""Consents: a person's press, good once, for exactly the words they saw (design.md, promise 3).

Only a web route or a terminal prompt mints one; no tool does.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

from conch.home.errors import ConchError
from conch.home.home import Home

GOOD_FOR = timedelta(minutes=10)
"""A press is acted on at once; one that was not is no longer meant."""


class ConsentRefused(ConchError):
    """The press does not cover this: other words, another memory, or it was used already."""


@dataclass(frozen=True)
class Consent:
    """One press. `token` is only good with the `Consents` that minted it."""

    token: str


@dataclass(frozen=True)
class _Minted:
    subject: str
    words_hash: str
    at: datetime | None


class Consents:
    """The presses not yet acted on, in this process. With a home they end after ten minutes."""

    def __init__(self, home: Home | None = None) -> None:
        self._clock = home.clock if home else None
        self._minted: dict[str, _Minted] = {}
        self._lock = threading.Lock()

    def mint(self, subject: str, words_hash: str) -> Consent:
        """A consent for `subject` (a memory's id) with exactly the words of that hash."""
        token = secrets.token_urlsafe(24)
        at = self._clock.now() if self._clock else None
        with self._lock:
            self._minted[token] = _Minted(subject, words_hash, at)
        return Consent(token)

    def spend(self, consent: Consent, subject: str, words_hash: str) -> None:
        """Use a consent up. Raises ConsentRefused when it is not for this; it is used up then too.

        `words_hash` is that of the words as they stand now.
        """
        with self._lock:
            minted = self._minted.pop(consent.token, None)
        late = (
            minted is not None
            and minted.at is not None
            and self._clock is not None
            and self._clock.now() - minted.at > GOOD_FOR
        )
        if minted is None or late or minted.subject != subject:
            raise ConsentRefused(
                "This OK was used already or is for something else.",
                kept="Nothing changed.",
                do="Look at it again and press once more.",
            )
        if minted.words_hash != words_hash:
            raise ConsentRefused(
                "The words changed since you saw them.",
                kept="Nothing changed.",
                do="Look at them again and press once more.",
            )
