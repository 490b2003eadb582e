"""Whose file it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conch.doors.bring.files import bytes_source
from conch.doors.bring.recognise import recognised

CHATGPT = [{"id": "c", "mapping": {"a": {"parent": None, "children": []}}, "current_node": "a"}]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ({"role": "person", "text": "x"}, "plain"),
        ({"role": "user", "text": "x"}, "plain"),
        ({"role": "user", "content": "x"}, "hermes"),
        ({"role": "user", "message": {"content": []}}, "cursor"),
        ({"type": "user", "message": {"content": "x"}}, "claude-code"),
        ({"type": "summary", "summary": "x", "leafUuid": "y"}, "claude-code"),
        ({"type": "session_meta", "payload": {"id": "s"}}, "codex"),
        ({"type": "session", "version": 3, "id": "s", "cwd": "/x"}, "openclaw"),
        ({"type": "FeatureCollection", "features": []}, None),
        ({"name": "a-package", "version": "1.0.0"}, None),
        ([{"id": "1", "conversation_id": "2", "title": "shared"}], None),
        ([{"uuid": "1", "full_name": "Alex", "email_address": "x"}], None),
        ([{"id": "c", "chat": {"history": {"currentId": "", "messages": {}}}}], "open-webui"),
        ({"conversationId": "c", "messages": []}, "librechat"),
        (CHATGPT, "chatgpt"),
        ([{"uuid": "c", "chat_messages": []}], "claude"),
    ],
)
def test_recognising(data: Any, name: str | None):
    for text in (json.dumps(data), "\ufeff" + json.dumps(data)):
        found = recognised(bytes_source("x.json", text.encode()))
        assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ([{"id": "c", "chat": {"history": {"currentId": "", "messages": {}}}}], "open-webui"),
        ({"conversationId": "c", "messages": []}, "librechat"),
        (CHATGPT, "chatgpt"),
        ([{"uuid": "c", "chat_messages": []}], "claude"),
        ({"name": "a-package", "type": "module"}, None),
    ],
)
def test_recognising_a_document_over_many_lines(data: Any, name: str | None):
    found = recognised(bytes_source("x.json", json.dumps(data, indent=2).encode()))
    assert (found.name if found else None) == name
