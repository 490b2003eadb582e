"""Whatever a file holds: what can be read is, the rest is counted, nothing crashes or grows."""

from __future__ import annotations

import io
import json
import random
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conch.chats.events import Event, PersonMessage, known_events
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
from conch.doors.bring.bring import read_chats
from conch.doors.bring.brought import Aside
from conch.doors.bring.files import Source, bytes_source, sources_in
from conch.doors.bring.items import items
from conch.doors.bring.lines import objects
from conch.doors.bring.recognise import Read

TRANSCRIPTS = Path(__file__).parent / "transcripts"
READERS: dict[str, Read] = {
    "claude-code": claude_code.read,
    "claude-code-web": claude_code.read_web,
    "codex": codex.read,
    "chatgpt": chatgpt.read,
    "claude": claude_ai.read,
    "open-webui": open_webui.read,
    "librechat": librechat.read,
    "chatbot-ui": librechat.read_chatbot_ui,
    "hermes": hermes.read,
    "hermes-snapshot": hermes.read_snapshot,
    "openclaw": openclaw.read,
    "gemini-cli": gemini_cli.read,
    "plain": plain.read,
}
SAMPLES = sorted(
    (path for path in TRANSCRIPTS.rglob("*.json*") if path.stat().st_size < 60_000),
    key=lambda path: path.as_posix(),
)
FUZZED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def all_of(read: Read, data: bytes) -> tuple[list[Event], Aside]:
    """Every event of a file, each of which a log can hold."""
    aside = Aside()
    events = [event for chat in read(bytes_source("x.jsonl", data), aside) for event in chat.events]
    for event in events:
        known_events.validate_json(event.model_dump_json())
    return events, aside


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_cut_anywhere(path: Path):
    data = path.read_bytes()
    for seed in range(25):
        cut = random.Random(f"{path.name} {seed}").randrange(len(data))
        all_of(read_chats, data[:cut])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_bytes_changed_anywhere(path: Path):
    for seed in range(25):
        chance = random.Random(f"{path.name} {seed}")
        data = bytearray(path.read_bytes())
        for _ in range(chance.randint(1, 20)):
            data[chance.randrange(len(data))] = chance.choice(b'\0"{}[]:,\\n1\xff\xed\xa0\x80 ')
        all_of(read_chats, bytes(data))


_ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1e308,
    10**400,
    "",
    "\ud800",
    "x" * 3_000,
    [],
    {},
    [[]],
    [None],
]


def _mutated(value: Any, chance: random.Random, depth: int = 0) -> Any:
    """The same shape with some values put in place of others."""
    if chance.random() < 0.08 and depth:
        return chance.choice([*_ODD, [value], {"text": value}, {"type": value}])
    if isinstance(value, dict):
        return {
            key: _mutated(inner, chance, depth + 1)
            for key, inner in value.items()
            if chance.random() > 0.04
        }
    if isinstance(value, list):
        return [_mutated(inner, chance, depth + 1) for inner in value]
    return value


_STEP = {"id": "t", "name": "x_mcp_y", "args": {"a": 1}, "output": [{"text": "z"}]}
_DETAILS = '<details type="tool_calls" arguments="{}" result="x"></details>'
_HISTORY = {"u": {"role": "user", "content": "hi", "files": [{"type": "file", "name": "n"}]}}
# What the samples do not have: one line each, or one document.
RICH: list[list[Any]] = [
    [
        {
            "conversationId": "c",
            "messages": [
                {
                    "messageId": "1",
                    "isCreatedByUser": True,
                    "text": "hi",
                    "files": [{"filename": "f"}],
                },
                {
                    "messageId": "2",
                    "parentMessageId": "1",
                    "isCreatedByUser": False,
                    "content": [
                        {"type": "tool_call", "tool_call": _STEP},
                        {"type": "tool_call", "tool_call": {"function": _STEP}},
                        {"type": "text", "text": {"value": "v"}},
                        {"type": "error", "error": "e"},
                    ],
                    "unfinished": True,
                },
            ],
        }
    ],
    [
        {
            "id": "c",
            "chat": {
                "history": {
                    "currentId": "a",
                    "messages": {
                        **_HISTORY,
                        "a": {
                            "parentId": "u",
                            "role": "assistant",
                            "content": _DETAILS,
                            "statusHistory": [
                                {"action": "web_search", "urls": ["https://a.example"]}
                            ],
                            "sources": [{"source": {"name": "n"}, "metadata": [{"source": "s"}]}],
                            "error": {"content": "e"},
                        },
                    },
                }
            },
        }
    ],
    [
        {"type": "session_meta", "payload": {"id": "s", "cwd": "/x", "source": {"subagent": 1}}},
        {
            "type": "response_item",
            "payload": {"type": "local_shell_call", "action": {"command": ["ls"]}},
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "call_id": "c",
                "namespace": "mcp__x",
                "name": "y",
                "arguments": {"command": ["bash", "-lc", "ls"]},
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call_output",
                "call_id": "c",
                "output": {"content": "x", "success": False, "metadata": {"exit_code": 1}},
            },
        },
        {"type": "response_item", "payload": {"type": "web_search_call", "action": {"url": "u"}}},
        {"type": "event_msg", "payload": {"type": "error", "message": "m"}},
    ],
    [
        {
            "type": "assistant",
            "message": {
                "content": [
                    {"type": "tool_use", "id": "q", "name": "AskUserQuestion", "input": {"a": 1}},
                    {"type": "mcp_tool_use", "id": "m", "name": "x", "server_name": "y"},
                ]
            },
        },
        {
            "type": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": "q", "content": "x"}]},
            "toolUseResult": {
                "questions": [{"options": [{"label": "a"}]}],
                "answers": {"q": "b"},
                "agentId": "a",
                "url": "https://a.example",
                "interrupted": True,
            },
        },
        {"type": "user", "message": {"content": "x"}, "planContent": "p"},
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": [{"text": "x"}]}},
    ],
    [
        {"role": "chat", "id": "c", "host": "h"},
        {"role": "step", "tool": "t", "input": {"command": "ls"}, "exit": 1, "output": "x"},
        {"role": "read", "kind": "web", "label": "l"},
        {"role": "person", "text": "x", "who": "w"},
    ],
    [
        {
            "uuid": "c",
            "chat_messages": [
                {
                    "sender": "human",
                    "uuid": "1",
                    "text": "x",
                    "attachments": [{"extracted_content": "y"}],
                },
                {
                    "sender": "assistant",
                    "uuid": "2",
                    "parent_message_uuid": "1",
                    "content": [
                        {
                            "type": "tool_use",
                            "name": "s",
                            "integration_name": "i",
                            "input": {"a": 1},
                        },
                        {"type": "tool_result", "name": "s", "content": [{"text": "x"}]},
                    ],
                },
            ],
        }
    ],
]


@pytest.mark.parametrize("number", range(len(RICH)))
def test_values_of_other_kinds_in_rarer_parts(number: int):
    for seed in range(300):
        chance = random.Random(seed)
        data = "\n".join(json.dumps(_mutated(line, chance)) for line in RICH[number]).encode()
        for read in READERS.values():
            all_of(read, data)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_values_of_other_kinds(path: Path):
    text = path.read_text()
    try:
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        try:
            lines = [json.loads(text)]
        except ValueError:
            return
    for seed in range(25):
        chance = random.Random(f"{path.name} {seed}")
        data = "\n".join(json.dumps(_mutated(line, chance)) for line in lines).encode()
        for read in (read_chats, *READERS.values()):
            all_of(read, data)


_KEYS = re.findall(
    r"\w+",
    """type role message content text id mapping parent children author messages chat_messages
    sender payload tool_use_id history currentId cwd timestamp current_node uuid isSidechain
    tool_calls function arguments output call_id metadata toolCalls responses args""",
)
_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["user", "assistant", "message", "tool_result", "text", "session"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(_KEYS) | st.text(max_size=5),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@pytest.mark.parametrize("name", READERS)
@FUZZED
@given(values=st.lists(_JSON, max_size=5))
def test_any_json(name: str, values: list[Any]):
    all_of(READERS[name], "\n".join(json.dumps(value) for value in values).encode())
    all_of(READERS[name], json.dumps(values).encode())


@pytest.mark.parametrize("name", READERS)
@FUZZED
@given(data=st.binary(max_size=300))
def test_any_bytes(name: str, data: bytes):
    all_of(READERS[name], data)


@FUZZED
@given(data=st.binary(max_size=300))
def test_any_bytes_after_what_looks_like_a_chat(data: bytes):
    for start in (b'{"type":"user","message":{"content":"', b'[{"mapping":{"a":{"parent":'):
        all_of(read_chats, start + data)


def test_deep_nesting():
    for depth in (900, 100_000):
        nested = b"[" * depth + b"]" * depth
        for read in READERS.values():
            all_of(read, b'{"role":"user","type":"user","message":{"content":' + nested + b"}}\n")
            all_of(read, b'[{"mapping":' + nested + b"}]")


def test_damaged_lines_are_counted_and_the_others_read():
    good = json.dumps({"role": "person", "text": "hello"}).encode()
    data = b"\n".join([good, b'{"role":"per', b"[1]", b"\xff\xfe", good, b"7", b"", good])
    events, aside = all_of(plain.read, data)
    assert len([event for event in events if isinstance(event, PersonMessage)]) == 3
    assert aside.count == 4


def test_a_line_too_long_is_counted_and_the_next_read():
    aside = Aside()
    data = b'{"a": "' + b"x" * 5_000 + b'"}\n{"b": 1}\n' + b"y" * 5_000
    assert list(objects(io.BytesIO(data), aside, longest=1_000)) == [{"b": 1}]
    assert aside.count == 2


def test_what_stands_before_the_damage_in_one_array_is_read():
    aside = Aside()
    data = b'[{"a": 1}, {"a": [1, {"b": null}]}, {"a": tru'
    assert list(items(io.BytesIO(data), aside)) == [{"a": 1}, {"a": [1, {"b": None}]}]
    assert aside.count == 1


def test_a_conversation_too_large_is_left_out_and_the_next_read():
    aside = Aside()
    data = json.dumps([{"a": [[1] * 50] * 50}, {"b": 2}]).encode()
    assert list(items(io.BytesIO(data), aside, largest=500)) == [{"b": 2}]
    assert aside.count == 1


def test_lone_surrogates_and_nulls_in_words():
    data = b'{"role":"person","text":"a\\ud83d b\\u0000c \\ud83d\\ude00"}'
    events, _ = all_of(plain.read, data)
    assert isinstance(events[0], PersonMessage)
    assert events[0].text == "a� b\0c 😀"


class _Endless(io.RawIOBase):
    """A file that is made as it is read, so that none of it is in memory before."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._left:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._left = part
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


def _conversations(count: int) -> Iterator[bytes]:
    (sample,) = json.loads((TRANSCRIPTS / "chatgpt/chatgpt-tree.json").read_text())
    yield b"["
    for number in range(count):
        sample["conversation_id"] = f"c{number}"
        yield (b"," if number else b"") + json.dumps(sample).encode()
    yield b"]"


def _session(count: int) -> Iterator[bytes]:
    line = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "x" * 4_000}}
    for number in range(count):
        yield json.dumps({**line, "uuid": f"u{number}"}).encode() + b"\n"


@pytest.mark.parametrize(
    ("read", "parts"), [(chatgpt.read, _conversations), (claude_code.read, _session)]
)
def test_a_file_ten_times_as_large_takes_no_more_memory(read: Read, parts: Any):
    def peak(count: int) -> int:
        def begin() -> Any:
            return io.BufferedReader(_Endless(parts(count)), 65_536)

        source = Source("x", 0, None, begin)
        tracemalloc.start()
        for chat in read(source, Aside()):
            for _ in chat.events:
                pass
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(20)
    assert peak(2_000) < peak(200) + 1_000_000


def test_a_folder_of_everything_is_read_without_a_word_of_it_run():
    for source in sources_in(TRANSCRIPTS):
        for chat in read_chats(source, Aside()):
            assert chat.source
            for _ in chat.events:
                pass
