"""Exports: only what is used, readable by anyone."""

from __future__ import annotations

import json
from pathlib import Path

from conch.memory.memories import Memories
from conch.memory.sealed import from_bytes
from memory.conftest import MakeMemory


def test_markdown_is_a_file_a_memory_without_what_is_not_used(
    tmp_path: Path, memories: Memories, put: MakeMemory
) -> None:
    put("m_1", "Lives in Berlin")
    put("m_2", "Likes tea", waits="Nobody was there.")
    put("m_3", "The router password is hunter2-correct-horse")
    assert memories.export_markdown(tmp_path / "out") == 1
    (path,) = (tmp_path / "out").iterdir()
    assert from_bytes(path.read_bytes()).text == "Lives in Berlin"
    assert b"seal:" not in path.read_bytes()


def test_json_keeps_every_script(memories: Memories, put: MakeMemory) -> None:
    put("m_1", "京都に住んでいる", cues=("散歩",))
    put("m_2", "Likes tea", waits="Nobody was there.")
    exported = json.loads(memories.export_json())
    (row,) = exported["memories"]
    assert (row["text"], row["cues"], row["source"]) == ("京都に住んでいる", ["散歩"], "learning")
    assert exported["version"] == 1
