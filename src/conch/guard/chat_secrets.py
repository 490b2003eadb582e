"""Chat-shaped secrets: passwords, PINs, codes and phrases said in words."""

from __future__ import annotations

import re

from conch.guard.findings import Finding

_FIRST = re.compile(r"\b(?:password|passcode|pin)\b(?: is|:| =)? (\S*\d\S*)", re.IGNORECASE)


def chat_secrets(text: str) -> list[Finding]:
    """Secrets said in words in `text`."""
    return [Finding(m.start(1), m.end(1), "chat:password") for m in _FIRST.finditer(text)]
