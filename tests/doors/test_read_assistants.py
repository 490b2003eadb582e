"""What the files of Hermes and OpenClaw mean, and the plain form, by small files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conch.doors.bring import (
    hermes,
    openclaw,
    plain,
)
from doors.reading import brief, chats, read

# Hermes


@pytest.mark.parametrize(
    ("words", "platform", "want"),
    [
        ("[Ana] hello", "telegram", "Ana: hello"),
        ("[Ana] hello", "cli", "person: [Ana] hello"),
        ("[TODO] tidy up", "telegram", "person: [TODO] tidy up"),
        ("[x] done", "telegram", "person: [x] done"),
        ("hello", "telegram", "person: hello"),
    ],
)
def test_hermes_who_wrote(words: str, platform: str, want: str):
    events = read(
        hermes.read,
        {"role": "session_meta", "platform": platform},
        {"role": "user", "content": words},
    )
    assert want in brief(events)


def test_hermes_arguments_in_any_shape():
    for call in (
        {"id": "a", "function": {"name": "terminal", "arguments": {"command": "ls"}}},
        {"id": "a", "name": "terminal", "input": {"command": "ls"}},
        {"call_id": "a", "name": "terminal", "arguments": '{"command": "ls"}'},
    ):
        events = read(
            hermes.read,
            {"role": "user", "content": "list"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": '{"output": "x", "exit_code": 0}'},
        )
        assert brief(events) == ["person: list", "Run `ls`", "ok", "end success"]


# OpenClaw


def claw(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": content, **more}}


def wrapped(about: dict[str, Any], words: str, sender: str = "Ana") -> str:
    return (
        f"Conversation info (untrusted metadata):\n```json\n{json.dumps(about)}\n```\n\n"
        f'Sender (untrusted metadata):\n```json\n{{"name": "{sender}"}}\n```\n\n'
        f"[Sun 2026-03-08 22:03 GMT+9] {words}"
    )


SESSION = {"type": "session", "version": 3, "id": "s", "cwd": "/x"}


def test_openclaw_a_group_has_others_words():
    events = read(
        openclaw.read, SESSION, claw("user", wrapped({"is_group_chat": True}, "I live in Rome"))
    )
    assert brief(events)[:2] == ["read person Ana", "Ana: I live in Rome"]


def test_openclaw_a_direct_message_is_the_persons():
    events = read(openclaw.read, SESSION, claw("user", wrapped({}, "I live in Rome")))
    assert brief(events)[0] == "person: I live in Rome"


def test_openclaw_the_programs_own_prompts_are_not_theirs():
    events = read(
        openclaw.read,
        SESSION,
        claw("user", "Read HEARTBEAT.md if it exists. If nothing needs attention, reply OK."),
        claw("user", "[cron:1 daily] Say good morning"),
        claw("user", "A new session was started via /new or /reset."),
    )
    assert events == []


def test_openclaw_a_person_who_asks_again_after_an_error_said_it_twice():
    failed = claw("assistant", [], stopReason="error", errorMessage="terminated")
    events = read(openclaw.read, SESSION, claw("user", "go on"), failed, claw("user", "go on"))
    assert brief(events) == ["person: go on", "end failed", "person: go on", "end success"]


def test_openclaw_a_step_of_a_broken_answer_never_began():
    call = {"type": "toolCall", "id": "t", "name": "bash", "arguments": {"command": "ls"}}
    failed = claw("assistant", [call], stopReason="aborted")
    assert brief(read(openclaw.read, SESSION, claw("user", "go"), failed)) == [
        "person: go",
        "end stopped",
    ]


# The plain form


def test_plain_says_everything():
    events = read(
        plain.read,
        {"role": "chat", "id": "c", "title": "T", "at": "2026-01-02T03:04:05Z"},
        {"role": "person", "text": "hello", "at": "2026-01-02T03:04:06Z"},
        {"role": "step", "tool": "bash", "input": {"command": "ls"}, "exit": 0, "output": "x"},
        {"role": "step", "tool": "bash", "input": {"command": "sleep 9"}},
        {"role": "read", "kind": "web", "label": "a.example"},
        {"role": "assistant", "text": "Hi.", "model": "m"},
        {"role": "person", "text": "hi all", "who": "Ana"},
        {"role": "stop"},
        {"role": "error", "text": "no answer"},
    )
    assert brief(events) == [
        "person: hello",
        "Run `ls`",
        "ok",
        "Run `sleep 9`",
        "read web a.example",
        "assistant: Hi.",
        "end success",
        "read person Ana",
        "Ana: hi all",
        "end stopped",
        "end failed",
    ]


def test_plain_chats_follow_one_another():
    found = chats(plain.read, {"role": "person", "text": "alone"})
    assert [chat.id for chat in found] == ["x"]
