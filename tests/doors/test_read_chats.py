"""What the exports of ChatGPT, Claude, Open WebUI and LibreChat mean, by small files."""

from __future__ import annotations

import json
from typing import Any

from conch.doors.bring import (
    chatgpt,
    claude_ai,
    librechat,
    open_webui,
)
from conch.doors.bring.brought import Aside
from conch.doors.bring.files import bytes_source
from doors.reading import brief, read

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
