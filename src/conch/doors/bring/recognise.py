"""Whose file this is, told from its first bytes and its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from conch.doors.bring import (
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    gemini_cli,
    hermes,
    librechat,
    open_webui,
    openclaw,
    plain,
)
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import HEAD_BYTES, Source
from conch.home.json_values import read_json

Read = Callable[[Source, Aside], Iterator[BroughtChat]]


@dataclass(frozen=True)
class Format:
    """A format: its `name`, how a person calls it, and its reader (None: not read yet)."""

    name: str
    called: str
    read: Read | None = None


_CLAUDE_CODE = Format(claude_code.NAME, "Claude Code sessions", claude_code.read)
_CODEX = Format(codex.NAME, "Codex sessions", codex.read)
_OPENCLAW = Format(openclaw.NAME, "OpenClaw sessions", openclaw.read)
_HERMES = Format(hermes.NAME, "Hermes sessions", hermes.read)
_PLAIN = Format(plain.NAME, "chats in the plain form", plain.read)
_CURSOR = Format("cursor", "Cursor chats")
_GEMINI = Format(gemini_cli.NAME, "Gemini CLI sessions", gemini_cli.read)

# Which keys of a JSON document, seen in its first bytes, say whose it is; the first that fits.
_DOCUMENTS: tuple[tuple[tuple[str, ...], Format], ...] = (
    (("loglines",), Format(claude_code.NAME, "Claude Code sessions", claude_code.read_web)),
    (("responses", "conversation"), Format("grok", "Grok conversations")),
    (("chat_messages",), Format(claude_ai.NAME, "a Claude export", claude_ai.read)),
    (("mapping", "current_node"), Format(chatgpt.NAME, "a ChatGPT export", chatgpt.read)),
    (("mapping", "parent", "children"), Format(chatgpt.NAME, "a ChatGPT export", chatgpt.read)),
    (("mapping", "conversation_id"), Format(chatgpt.NAME, "a ChatGPT export", chatgpt.read)),
    (("currentId", "history"), Format(open_webui.NAME, "Open WebUI chats", open_webui.read)),
    (
        ("history", "messages", "models"),
        Format(open_webui.NAME, "Open WebUI chats", open_webui.read),
    ),
    (("projectHash", "messages"), _GEMINI),
    (("session_id", "messages", "role"), Format(hermes.NAME, "Hermes", hermes.read_snapshot)),
    (("conversationId", "messages"), Format(librechat.NAME, "LibreChat", librechat.read)),
    (
        ("version", "history", "messages", "role"),
        Format(librechat.CHATBOT_UI, "Chatbot UI", librechat.read_chatbot_ui),
    ),
    (("chunkedPrompt",), Format("ai-studio", "Google AI Studio prompts")),
    (("messages", "startTime", "lastUpdated"), _GEMINI),
    (("messages", "sessionId", "lastUpdated"), _GEMINI),
    (("lastUpdated", "messages", "toolCalls"), _GEMINI),
)
_DATABASES = {
    "state.vscdb": Format("cursor", "Cursor's database"),
    "state.db": Format("hermes", "Hermes' database"),
    "webui.db": Format("open-webui", "Open WebUI's database (export the chats in its settings)"),
}
_AIDER = Format("aider", "aider chats")

_CLAUDE_CODE_KINDS = frozenset(
    [
        "user",
        "assistant",
        "system",
        "summary",
        "attachment",
        "progress",
        "file-history-snapshot",
        "queue-operation",
        "custom-title",
        "ai-title",
        "agent-name",
        "last-prompt",
        "permission-mode",
        "mode",
        "pr-link",
        "tag",
    ]
)
_CLAUDE_CODE_KEYS = frozenset(
    ["message", "uuid", "sessionId", "leafUuid", "snapshot", "operation", "attachment", "data"]
)
_CODEX_KINDS = frozenset(
    ["session_meta", "response_item", "event_msg", "turn_context", "compacted"]
)
_CODEX_ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "local_shell_call",
    ]
)
_OPENCLAW_KINDS = frozenset(
    ["message", "model_change", "thinking_level_change", "compaction", "custom"]
)
_KEY = re.compile(r'"(\w+)"\s*:')
_LINES_LOOKED_AT = 40


def recognised(source: Source) -> Format | None:
    """The format of a file, None when it is none that is known. Raises OSError."""
    head = source.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"SQLite format 3\0"):
        return _DATABASES.get(source.file_name)
    if head.startswith(b"# aider chat started at"):
        return _AIDER
    if not head.startswith((b"{", b"[")):
        return None
    return _by_lines(head) or _by_keys(head)


def _by_lines(head: bytes) -> Format | None:
    lines = head.split(b"\n")
    if len(head) >= HEAD_BYTES:
        lines = lines[:-1] or lines
    for line in lines[:_LINES_LOOKED_AT]:
        try:
            value = read_json(line)
        except ValueError:
            continue
        found = _by_line(value) if isinstance(value, dict) else None
        if found is not None:
            return found
    # A first line longer than what was looked at still says what it is by its first keys.
    first = lines[0][:4_096].decode("utf-8", "replace")
    if len(lines) == 1 and '"role"' in first and '"session_meta"' in first:
        return _HERMES
    if len(lines) == 1 and re.match(r'\{\s*"timestamp".*"session_meta"', first, re.S):
        return _CODEX
    return None


def _by_line(line: dict[str, Any]) -> Format | None:
    kind, role = line.get("type"), line.get("role")
    if isinstance(kind, str):
        if kind in _CODEX_KINDS and isinstance(line.get("payload"), dict):
            return _CODEX
        if kind == "session" and ("cwd" in line or "version" in line):
            return _OPENCLAW
        if kind in _OPENCLAW_KINDS and isinstance(line.get("message"), dict):
            return _OPENCLAW
        if kind in _CODEX_ITEMS and ("content" in line or "call_id" in line or "summary" in line):
            return _CODEX
        if kind in _CLAUDE_CODE_KINDS and _CLAUDE_CODE_KEYS & set(line):
            return _CLAUDE_CODE
        return None
    if line.get("record_type") == "state" or {"id", "timestamp", "instructions"} <= set(line):
        return _CODEX
    if not isinstance(role, str):
        return None
    if role == "session_meta":
        return _HERMES
    if isinstance(line.get("message"), dict):
        return _CURSOR
    if role in ("user", "assistant", "tool", "system") and "content" in line:
        return _HERMES
    if role in ("chat", "person", "user", "assistant", "step", "read"):
        return _PLAIN
    return None


def _by_keys(head: bytes) -> Format | None:
    keys = set(_KEY.findall(head.decode("utf-8", "replace")))
    return next((found for wanted, found in _DOCUMENTS if keys.issuperset(wanted)), None)
