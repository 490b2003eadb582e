"""Errors a person can act on: each says what happened, what was kept and what to do.

```
ConchError
├── HomeBusy         another Conch writes this home at this moment
├── NobodyHome       no Conch is running for this home
├── Damaged          a file does not hold what it should, or its seal does not open
└── EngineFailed     a model did not answer (conch.engines.engine)
```
"""

from __future__ import annotations


class ConchError(Exception):
    """Something did not work out, told so that a person can act on it.

    `what` happened, what was `kept`, what to `do`: whole sentences, the last two may be empty.
    `str(error)` is all three in a row.
    """

    def __init__(self, what: str, kept: str = "", do: str = "") -> None:
        super().__init__(what, kept, do)
        self.what = what
        self.kept = kept
        self.do = do

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.kept, self.do) if part)

    def as_dict(self) -> dict[str, str]:
        """`{"what", "kept", "do"}`, for an answer in JSON."""
        return {"what": self.what, "kept": self.kept, "do": self.do}


class HomeBusy(ConchError):
    """Another Conch holds this home's writer lock."""


class NobodyHome(ConchError):
    """No Conch is running for this home, so nobody can be asked."""


class Damaged(ConchError):
    """A file, a key or a sealed value does not hold what it should."""
