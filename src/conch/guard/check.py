"""The memory check: may this text be kept as a memory, given where it came from?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conch.guard.characters import encoded_blobs, hidden_characters, lookalikes
from conch.guard.scan import scan_text
from conch.guard.secrets import has_secret
from conch.guard.taints import Taint, what_was_read

Via = Literal["learning", "remember", "person", "import", "hand"]


@dataclass(frozen=True)
class CheckContext:
    """Where a memory's words came from.

    `via`: a look, the assistant's `remember`, the person on the Memory page, an import, or a file
    changed by hand. `read`: what the chat had taken in. `said`: the person's own prose.
    `read_text`: texts the chat had read. `recent`: the chat's recent saves, oldest first.
    `enabled`: False leaves only what hides and secrets. `fresh_key`: the seal's key was just made,
    so an unsealed file is no sign of a change.
    """

    via: Via
    read: tuple[Taint, ...] = ()
    said: tuple[str, ...] = ()
    read_text: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    enabled: bool = True
    fresh_key: bool = False


@dataclass(frozen=True)
class Reason:
    """Why a memory is held: a stable code, and a plain sentence for the person."""

    code: str
    sentence: str


@dataclass(frozen=True)
class CheckVerdict:
    """`pass`, `ask` (held until the person keeps it) or `refuse` (held, and warned about).

    `yours`: the words are the person's own.
    """

    verdict: Literal["pass", "ask", "refuse"]
    reasons: tuple[Reason, ...]
    yours: bool


def check_memory(text: str, context: CheckContext) -> CheckVerdict:
    """Decide over `text`, as it would be stored."""
    reasons: list[Reason] = []
    if hidden_characters(text):
        reasons.append(Reason("hidden", "It has characters nobody can see."))
    if has_secret(text):
        reasons.append(Reason("secret", "It looks like a key, a password or a code."))
    if context.enabled:
        if scan_text(text):
            reasons.append(Reason("instruction", "It is shaped like an order to an assistant."))
        if lookalikes(text):
            reasons.append(Reason("lookalike", "It has letters that look like other ones."))
        if encoded_blobs(text):
            reasons.append(Reason("encoded", "Part of it is encoded."))
        if context.read:
            said = what_was_read(context.read)
            reasons.append(Reason("outside", f"Learned in a chat that {said}."))
    return CheckVerdict("ask" if reasons else "pass", tuple(reasons), True)
