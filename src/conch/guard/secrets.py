"""Secrets in a text, one detector for the gate, the memory check, drafts, logs and exports."""

from __future__ import annotations

from conch.guard.assigned_secrets import assigned_secrets
from conch.guard.card_secrets import card_secrets
from conch.guard.chat_secrets import chat_secrets
from conch.guard.findings import Finding, merged
from conch.guard.key_secrets import key_secrets
from conch.guard.seen import seen
from conch.guard.told_secrets import told_secrets

__all__ = ["Finding", "find_secrets", "has_secret"]


def find_secrets(text: str) -> list[Finding]:
    """Every secret in `text`, in order, not overlapping.

    Kinds are "key:<whose>" for keys, tokens and private keys, and "chat:<what>" for what people
    write in words: "chat:password", "chat:pin", "chat:code", "chat:phrase", "chat:card".
    """
    shown = seen(text)
    found = key_secrets(shown.text) + assigned_secrets(shown.text)
    found += chat_secrets(shown.text) + card_secrets(shown.text)
    found += told_secrets(shown.text)
    return merged([shown.finding(finding.start, finding.end, finding.kind) for finding in found])


def has_secret(text: str) -> bool:
    """True when `text` holds at least one secret."""
    return bool(find_secrets(text))
