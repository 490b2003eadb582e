"""What a chat took in from outside: a taint says what kind of source it was, and which one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TaintKind = Literal["web", "download", "file", "app", "person"]


@dataclass(frozen=True)
class Taint:
    """One thing from outside that a chat read.

    `kind`: `web` (a page, a search), `download` (a file that was fetched), `file` (one the
    person attached), `app` (another app's content: mail, a tracker, an MCP tool) or `person`
    (somebody else's words).
    `label`: the host, app or person's name, as a person would say it.
    """

    kind: TaintKind
    label: str


_SAID = {
    "web": "read {}",
    "download": "downloaded {}",
    "file": "was given {}",
    "app": "read things in {}",
    "person": "got a message from {}",
}


def what_was_read(taints: tuple[Taint, ...]) -> str:
    """ "read a.example, downloaded b.zip and 2 more", or "" for none; at most three are named."""
    unique = list(dict.fromkeys(taints))
    named = [_SAID[taint.kind].format(taint.label) for taint in unique[:3]]
    more = len(unique) - len(named)
    if more > 0:
        return f"{', '.join(named)} and {more} more"
    if len(named) > 1:
        return f"{', '.join(named[:-1])} and {named[-1]}"
    return "".join(named)
