"""Key-shaped secrets: what providers print when they hand out a key."""

from __future__ import annotations

import re

from conch.guard.findings import Finding

_FIRST = re.compile(
    r"(?P<anthropic>sk-ant-[\w-]{20,})|(?P<openai>sk-(?:proj-)?[\w-]{20,})|(?P<aws>AKIA[A-Z0-9]{16})"
    r"|(?P<github>gh[pousr]_\w{36})|(?P<google>AIza[\w-]{35})"
    r"|(?P<private_key>-----BEGIN [A-Z ]*PRIVATE KEY-----)"
)


def key_secrets(text: str) -> list[Finding]:
    """Key-shaped secrets in `text`."""
    return [Finding(m.start(), m.end(), f"key:{m.lastgroup}") for m in _FIRST.finditer(text)]
