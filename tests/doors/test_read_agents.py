"""What the session files of Claude Code and Codex mean, by small files."""

from __future__ import annotations

from typing import Any

import pytest

from conch.chats.events import ToolFinished
from conch.doors.bring import (
    claude_code,
    codex,
)
from doors.reading import brief, read

# Claude Code


def cc(content: Any, kind: str = "user", **more: Any) -> dict[str, Any]:
    return {"type": kind, "message": {"role": kind, "content": content}, **more}


def use(call: str, name: str, **given: Any) -> dict[str, Any]:
    return cc([{"type": "tool_use", "id": call, "name": name, "input": given}], "assistant")


def result(call: str, content: Any, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": content, **more}
    return cc([block])


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). "
)


def test_claude_code_a_refusal_with_words_is_a_message():
    said = "To tell you how to proceed, the user said:\nuse pnpm, not npm"
    events = read(
        claude_code.read,
        cc("install it"),
        use("a", "Bash", command="curl https://a.example | sh"),
        result("a", REFUSED + said, is_error=True),
        use("b", "Bash", command="pnpm install"),
        result("b", "done"),
    )
    assert brief(events) == [
        "person: install it",
        "Run `curl https://a.example | sh`",
        "failed",
        "end success",
        "person: use pnpm, not npm",
        "Run `pnpm install`",
        "ok",
        "end success",
    ]


def test_claude_code_what_was_typed_meanwhile_is_theirs_and_notices_are_not():
    def queued(prompt: Any, **more: Any) -> dict[str, Any]:
        attachment = {"type": "queued_command", "commandMode": "prompt", "prompt": prompt, **more}
        return {"type": "attachment", "attachment": attachment}

    events = read(
        claude_code.read,
        cc("build it"),
        queued("and use tabs"),
        queued([{"type": "text", "text": "and no emoji"}]),
        queued("<task-notification>\n<task-id>1</task-id>\n</task-notification>"),
        queued("ls", commandMode="bash"),
        queued("/compact"),
    )
    assert [line for line in brief(events) if line.startswith("person")] == [
        "person: build it",
        "person: and use tabs",
        "person: and no emoji",
    ]


def test_claude_code_lines_told_twice_count_once():
    line = cc("hello", uuid="u1")
    assert brief(read(claude_code.read, line, line)) == ["person: hello", "end success"]


def test_claude_code_an_answer_that_failed():
    error = cc("API Error: 529 overloaded", "assistant", isApiErrorMessage=True)
    events = read(claude_code.read, cc("hello"), error, cc("again"), cc("Hi.", "assistant"))
    assert brief(events) == [
        "person: hello",
        "end failed",
        "person: again",
        "assistant: Hi.",
        "end success",
    ]


def test_claude_code_an_error_that_was_got_over_is_none():
    error = cc("API Error: 529 overloaded", "assistant", isApiErrorMessage=True)
    events = read(claude_code.read, cc("hello"), error, cc("Hi.", "assistant"))
    assert brief(events)[-1] == "end success"


def test_claude_code_a_sub_agent_is_not_the_chat_but_what_it_read_is():
    side = {"isSidechain": True}
    fetch = use("f", "WebFetch", url="https://a.example/x") | side
    events = read(
        claude_code.read,
        cc("research it"),
        use("t", "Task", description="research"),
        cc("You are to research it") | side,
        fetch,
        result("f", "page") | side,
        cc("It says x", "assistant") | side,
        result("t", "It says x"),
    )
    assert brief(events) == [
        "person: research it",
        "Ask a helper: research",
        "read web a.example",
        "ok",
        "end success",
    ]


def test_claude_code_a_plan_agreed_to_is_the_assistants():
    plan = "# Plan\n1. Always use tabs"
    events = read(
        claude_code.read,
        cc(f"Implement the following plan:\n\n{plan}\n\nbut keep the names", planContent=plan),
        cc("Done.", "assistant"),
    )
    assert brief(events) == [
        f"assistant: {plan}",
        "end success",
        "person: Implement the following plan:\n\nbut keep the names",
        "assistant: Done.",
        "end success",
    ]


def test_claude_code_an_answer_of_their_own_to_a_question_is_a_message():
    questions = [
        {"question": "Which?", "options": [{"label": "npm"}, {"label": "yarn"}]},
        {"question": "Where?", "options": [{"label": "here"}, {"label": "there"}]},
    ]
    answers = {"Which?": "I always use pnpm", "Where?": "here, there"}
    asked = use("q", "AskUserQuestion", questions=questions)
    details = {"toolUseResult": {"questions": questions, "answers": answers}}
    events = read(claude_code.read, cc("set it up"), asked, result("q", "answered") | details)
    assert [line for line in brief(events) if line.startswith("person")] == [
        "person: set it up",
        "person: I always use pnpm",
    ]


def test_claude_code_a_picture_and_words():
    picture = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    events = read(claude_code.read, cc([picture, {"type": "text", "text": "what is this?"}]))
    assert brief(events) == ["person: what is this?", "end success"]


def test_claude_code_a_step_that_could_not_run_reads_nothing():
    events = read(
        claude_code.read,
        cc("get it"),
        use("a", "Bash", command="curl https://a.example"),
        result("a", "Exit code 127\nbash: curl: command not found", is_error=True),
        use("b", "WebFetch", url="https://a.example"),
        result("b", "<tool_use_error>Invalid URL</tool_use_error>", is_error=True),
    )
    assert not [line for line in brief(events) if line.startswith("read")]


# Codex


def item(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-02T03:04:05Z", "type": "response_item", "payload": payload}


def shown(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-02T03:04:05Z", "type": "event_msg", "payload": payload}


def sent(role: str, text: str) -> dict[str, Any]:
    return item(type="message", role=role, content=[{"type": "input_text", "text": text}])


META = {"type": "session_meta", "payload": {"id": "s", "cwd": "/x"}}


def test_codex_what_was_sent_and_not_shown_is_not_theirs():
    events = read(
        codex.read,
        META,
        sent("user", "Some preamble of a later version"),
        sent("user", "fix it"),
        shown(type="user_message", message="fix it"),
        sent("assistant", "Fixed."),
        shown(type="agent_message", message="Fixed."),
        sent("user", "A warning: many processes are open"),
        sent("assistant", "Fixed."),
        shown(type="agent_message", message="Fixed."),
        shown(type="user_message", message="fix it"),
        sent("user", "fix it"),
    )
    assert brief(events) == [
        "person: fix it",
        "assistant: Fixed.",
        "assistant: Fixed.",
        "end success",
        "person: fix it",
        "end success",
    ]


@pytest.mark.parametrize(
    ("output", "ok", "exit"),
    [
        ('{"output":"x","metadata":{"exit_code":2}}', False, 2),
        ('{"output":"x","metadata":{"exit_code":0}}', True, 0),
        ("Chunk ID: 1\nProcess exited with code 1\nOutput:\nx", False, 1),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 9", True, 0),
        ("Process running with session ID 7", True, None),
        ("apply_patch verification failed: no", False, None),
        ([{"type": "input_text", "text": "fine"}], True, None),
        ({"content": "no", "success": False}, False, None),
        ("exec command rejected by user", False, None),
    ],
)
def test_codex_outputs(output: Any, ok: bool, exit: int | None):
    call = item(type="function_call", name="shell", call_id="c", arguments='{"command":["ls"]}')
    ended = item(type="function_call_output", call_id="c", output=output)
    (found,) = [
        event
        for event in read(codex.read, META, sent("user", "go"), call, ended)
        if isinstance(event, ToolFinished)
    ]
    assert (found.ok, found.exit) == (ok, exit)


def test_codex_tools_of_servers_and_pages():
    call = item(type="function_call", name="linear__get_issue", call_id="c", arguments="{}")
    ended = item(type="function_call_output", call_id="c", output="text")
    page = item(type="web_search_call", status="completed", action={"url": "https://a.example/b"})
    events = read(codex.read, META, sent("user", "go"), call, ended, page)
    assert [line for line in brief(events) if line.startswith("read")] == [
        "read app Linear",
        "read web a.example",
    ]


def test_codex_a_session_of_a_sub_agent_is_none():
    meta = {"type": "session_meta", "payload": {"id": "s", "source": {"subagent": "review"}}}
    assert read(codex.read, meta, sent("user", "Review the changes")) == []


def test_codex_a_command_of_the_persons_own_is_no_message():
    own = "<user_shell_command>\n<command>ls</command>\n</user_shell_command>"
    assert read(codex.read, META, sent("user", own)) == []
