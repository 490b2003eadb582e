"""What each format means, by small files written for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conch.chats.events import (
    AssistantMessage,
    Event,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.doors.bring import (
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    hermes,
    librechat,
    open_webui,
    openclaw,
    plain,
)
from conch.doors.bring.brought import Aside, BroughtChat
from conch.doors.bring.files import bytes_source
from conch.doors.bring.recognise import Read, recognised


def read(reader: Read, *lines: Any) -> list[Event]:
    data = "\n".join(json.dumps(line) for line in lines).encode()
    return [
        event for chat in reader(bytes_source("x.jsonl", data), Aside()) for event in chat.events
    ]


def chats(reader: Read, value: Any) -> list[BroughtChat]:
    return list(reader(bytes_source("x.json", json.dumps(value).encode()), Aside()))


def brief(events: list[Event]) -> list[str]:
    """The events in a few words each."""
    found: list[str] = []
    for event in events:
        if isinstance(event, PersonMessage):
            found.append(f"{event.who or 'person'}: {event.text}")
        elif isinstance(event, ToolFinished):
            found.append("ok" if event.ok else "failed")
        elif isinstance(event, TaintMarked):
            found.append(f"read {event.kind} {event.label}")
        elif isinstance(event, TurnCompleted):
            found.append(f"end {event.outcome}")
        elif isinstance(event, ToolStarted):
            found.append(event.summary)
        elif isinstance(event, AssistantMessage):
            found.append(f"assistant: {event.text}")
    return found


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


# ChatGPT


def tree(*messages: dict[str, Any], current: str = "") -> list[dict[str, Any]]:
    nodes: dict[str, Any] = {}
    parent = None
    for number, message in enumerate(messages):
        name = f"n{number}"
        nodes[name] = {"id": name, "parent": parent, "children": [], "message": message}
        if parent:
            nodes[parent]["children"].append(name)
        parent = name
    return [{"id": "c", "mapping": nodes, "current_node": current or parent}]


def said(role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = more.pop("content", {"content_type": "text", "parts": list(parts)})
    name = more.pop("name", None)
    return {"author": {"role": role, "name": name}, "content": content, **more}


def test_chatgpt_what_is_hidden_or_weighs_nothing_is_not_said():
    events = read(
        chatgpt.read,
        tree(
            said("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
            said("user", "dropped", weight=0),
            said("user", content={"content_type": "user_editable_context", "parts": ["I bake"]}),
            said("user", "spoken and shown"),
        ),
    )
    assert brief(events) == ["person: spoken and shown", "end success"]


def test_chatgpt_voice_is_words():
    spoken = {"content_type": "audio_transcription", "text": "good morning", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "x"}
    content = {"content_type": "multimodal_text", "parts": [spoken, sound]}
    assert brief(read(chatgpt.read, tree(said("user", content=content))))[0] == (
        "person: good morning"
    )


def test_chatgpt_an_answer_that_was_stopped():
    stopped = {"finish_details": {"type": "interrupted"}}
    events = read(
        chatgpt.read, tree(said("user", "tell me"), said("assistant", "Once", metadata=stopped))
    )
    assert brief(events)[-1] == "end stopped"


def test_chatgpt_an_answer_with_citations_read_the_web():
    cites = {"content_references": [{"type": "webpage", "url": "https://a.example"}]}
    events = read(
        chatgpt.read,
        tree(
            said("user", "news?"),
            said("assistant", "Rain. \ue200cite\ue202turn0search0\ue201", metadata=cites),
        ),
    )
    assert brief(events)[1:3] == ["assistant: Rain.", "read web web search"]


def test_chatgpt_a_file_that_was_searched_and_an_app():
    quote = {"content_type": "tether_quote", "url": "file-1", "title": "plan.pdf", "text": "x"}
    events = read(
        chatgpt.read,
        tree(
            said("user", "read it"),
            said("assistant", "x", recipient="myfiles_browser", id="a"),
            said("tool", content=quote, name="myfiles_browser"),
            said("assistant", "{}", recipient="api_tool.call_tool", id="b"),
            said("tool", "mail", name="api_tool", metadata={"connector_name": "Gmail"}),
        ),
    )
    assert [line for line in brief(events) if line.startswith("read")] == [
        "read download plan.pdf",
        "read app Gmail",
    ]


def test_chatgpt_a_circle_ends():
    nodes = {
        "a": {"parent": "b", "message": said("user", "one")},
        "b": {"parent": "a", "message": said("user", "two")},
    }
    events = read(chatgpt.read, [{"id": "c", "mapping": nodes, "current_node": "a"}])
    assert [line for line in brief(events) if line.startswith("person")] == [
        "person: two",
        "person: one",
    ]


# Claude


def test_claude_a_connected_app_and_a_stray_result():
    aside = Aside()
    content = [
        {"type": "tool_use", "name": "search", "integration_name": "Google Drive", "input": {}},
        {"type": "tool_result", "name": "search", "content": [{"type": "text", "text": "x"}]},
        {"type": "tool_result", "name": "search", "content": "again"},
    ]
    messages = [
        {"sender": "human", "text": "find it", "uuid": "1"},
        {"sender": "assistant", "content": content, "uuid": "2"},
    ]
    data = json.dumps([{"uuid": "c", "chat_messages": messages}]).encode()
    (chat,) = claude_ai.read(bytes_source("x", data), aside)
    assert brief(list(chat.events))[1:4] == [
        "Search with Google Drive",
        "ok",
        "read app Google Drive",
    ]
    assert aside.count == 1


# Open WebUI


def test_open_webui_tools_stand_in_the_answer():
    content = (
        'Let me look. <details type="tool_calls" done="true" id="c1" name="web_search" '
        'arguments="{&quot;query&quot;:&quot;rain&quot;}" result="&quot;wet&quot;">'
        "<summary>Done</summary>\n</details>\nIt rains."
    )
    history = {
        "currentId": "a",
        "messages": {
            "u": {"id": "u", "role": "user", "content": "rain?"},
            "a": {"id": "a", "parentId": "u", "role": "assistant", "content": content},
        },
    }
    events = read(open_webui.read, [{"id": "c", "chat": {"history": history}}])
    assert brief(events) == [
        "person: rain?",
        "assistant: Let me look.",
        "Search the web for “rain”",
        "ok",
        "read web web search",
        "assistant: It rains.",
        "end success",
    ]


def test_open_webui_quotes_of_a_true_export_stay():
    history = {"messages": {"u": {"id": "u", "role": "user", "content": "print('')"}}}
    events = read(open_webui.read, [{"id": "c", "chat": {"history": history}}])
    assert brief(events)[0] == "person: print('')"


# LibreChat


def test_librechat_steps_of_newer_answers():
    call = {"id": "t", "name": "get_issue_mcp_linear", "args": '{"id":"E-1"}', "output": "text"}
    messages = [
        {"messageId": "1", "isCreatedByUser": True, "text": "look"},
        {
            "messageId": "2",
            "parentMessageId": "1",
            "isCreatedByUser": False,
            "text": "",
            "content": [
                {"type": "think", "think": "hm"},
                {"type": "tool_call", "tool_call": call},
                {"type": "text", "text": {"value": "Here."}},
            ],
            "unfinished": True,
        },
    ]
    events = read(librechat.read, {"conversationId": "c", "messages": messages})
    assert brief(events) == [
        "person: look",
        "Get issue with linear",
        "ok",
        "read app Linear",
        "assistant: Here.",
        "end stopped",
    ]


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


# Recognising


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ({"role": "person", "text": "x"}, "plain"),
        ({"role": "user", "text": "x"}, "plain"),
        ({"role": "user", "content": "x"}, "hermes"),
        ({"role": "user", "message": {"content": []}}, "cursor"),
        ({"type": "user", "message": {"content": "x"}}, "claude-code"),
        ({"type": "summary", "summary": "x", "leafUuid": "y"}, "claude-code"),
        (META, "codex"),
        (SESSION, "openclaw"),
        ({"type": "FeatureCollection", "features": []}, None),
        ({"name": "a-package", "version": "1.0.0"}, None),
        ([{"id": "1", "conversation_id": "2", "title": "shared"}], None),
        ([{"uuid": "1", "full_name": "Alex", "email_address": "x"}], None),
        ([{"id": "c", "chat": {"history": {"currentId": "", "messages": {}}}}], "open-webui"),
        ({"conversationId": "c", "messages": []}, "librechat"),
        (tree(said("user", "x")), "chatgpt"),
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
        (tree(said("user", "x")), "chatgpt"),
        ([{"uuid": "c", "chat_messages": []}], "claude"),
        ({"name": "a-package", "type": "module"}, None),
    ],
)
def test_recognising_a_document_over_many_lines(data: Any, name: str | None):
    found = recognised(bytes_source("x.json", json.dumps(data, indent=2).encode()))
    assert (found.name if found else None) == name
