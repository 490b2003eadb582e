"""One line a step, whatever the assistant calls its tools."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.chats.steps import LONGEST_SUMMARY, input_of, step_summary

PATCH = "*** Begin Patch\n*** Update File: src/app.ts\n@@\n-a\n+b\n*** End Patch"

ROWS: list[tuple[str, dict[str, Any], str]] = [
    ("bash", {"command": "npm test"}, "Run `npm test`"),
    ("Bash", {"command": "npm test", "description": "Runs tests"}, "Run `npm test`"),
    ("shell", {"command": ["bash", "-lc", "cargo build"]}, "Run `cargo build`"),
    ("shell", {"command": ["ls", "-la"]}, "Run `ls -la`"),
    ("local_shell_call", {"action": {"command": ["pwd"]}}, "Run `pwd`"),
    ("exec_command", {"cmd": "git status"}, "Run `git status`"),
    ("run_shell_command", {"command": "make"}, "Run `make`"),
    ("run_terminal_cmd", {"command": "make"}, "Run `make`"),
    ("runCommands", {"command": "make"}, "Run `make`"),
    ("container.exec", {"cmd": ["bash", "-lc", "make"]}, "Run `make`"),
    ("bash", {"command": "# first\nset -e\nnpm ci\nnpm test"}, "Run `npm ci …`"),
    ("bash", {"command": "echo `date`"}, "Run `echo 'date'`"),
    ("bash", {"command": "cat > x <<EOF\nsecret words\nEOF"}, "Run `cat > x <<EOF …`"),
    ("bash", {}, "Run a command"),
    ("shell", {"command": ["apply_patch", PATCH]}, "Edit src/app.ts"),
    ("apply_patch", {"input": PATCH}, "Edit src/app.ts"),
    ("apply_patch", {"text": PATCH + "\n*** Add File: b.md\n+x"}, "Edit src/app.ts, b.md"),
    ("Read", {"file_path": "/home/ada/work/notes.md"}, "Read notes.md"),
    ("read_file", {"path": "src/app.ts"}, "Read src/app.ts"),
    ("read_file", {"path": "C:\\Users\\ada\\notes.md"}, "Read notes.md"),
    ("read_many_files", {"paths": ["a.md", "b.md"]}, "Read a.md and 1 more"),
    ("view", {"path": "./notes.md"}, "Read notes.md"),
    ("Write", {"file_path": "notes.md", "content": "all of it"}, "Write notes.md"),
    ("write_file", {"path": "~/x/y.txt", "content": "all"}, "Write y.txt"),
    ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, "Edit a.py"),
    ("MultiEdit", {"file_path": "a.py", "edits": []}, "Edit a.py"),
    ("str_replace_based_edit_tool", {"command": "view", "path": "a.py"}, "Read a.py"),
    ("str_replace_editor", {"command": "create", "path": "a.py"}, "Write a.py"),
    ("replace", {"file_path": "a.py", "old_string": "x"}, "Edit a.py"),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, "Edit a.ipynb"),
    ("delete_file", {"target_file": "a.py"}, "Delete a.py"),
    ("LS", {"path": "/home/ada/work"}, "List work"),
    ("list_directory", {}, "List a folder"),
    ("Glob", {"pattern": "**/*.py"}, "Find files **/*.py"),
    ("Grep", {"pattern": "TODO", "path": "src"}, "Search files for “TODO”"),
    ("grep_search", {"query": "def main"}, "Search files for “def main”"),
    ("WebFetch", {"url": "https://www.a.example/x?q=1", "prompt": "times"}, "Fetch a.example"),
    ("fetch", {"url": "trains.example/times"}, "Fetch trains.example"),
    ("fetch", {"url": "http://[broken"}, "Fetch a page"),
    ("http_request", {"url": "https://user:pass@api.example:8080/v1"}, "Fetch api.example"),
    ("WebSearch", {"query": "trains to Lisbon"}, "Search the web for “trains to Lisbon”"),
    ("web_search_call", {"action": {"query": "trains"}}, "Search the web for “trains”"),
    ("google_web_search", {}, "Search the web"),
    ("mcp__linear__create_issue", {"title": "x"}, "Create issue with linear"),
    ("mcp__my_server__get__page", {}, "Get page with my server"),
    ("remember", {"text": "Prefers Python"}, "Remember"),
    ("TodoWrite", {"todos": []}, "Plan"),
    ("Task", {"description": "look for tests", "prompt": "…"}, "Ask a helper: look for tests"),
    ("use_skill", {"skill": "weekly-report"}, "Use the skill weekly-report"),
    ("execute_python", {"code": "print(1)"}, "Run code"),
    ("makeCoffee", {"strength": 3}, "Make coffee"),
    ("odd_tool", {"command": "ls"}, "Run `ls`"),
    ("", {}, "Use a tool"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "input", "line"), ROWS, ids=[f"{r[0]} → {r[2]}" for r in ROWS])
def test_row(tool: str, input: dict[str, Any], line: str):
    assert step_summary(tool, input) == line


def test_what_is_written_into_a_file_is_never_in_the_line():
    for tool in ("write_file", "edit_file", "create", "MultiEdit", "notebook_edit"):
        values = {"path": "a.md", "content": "ZEBRA", "new_string": "ZEBRA", "edits": ["ZEBRA"]}
        assert "ZEBRA" not in step_summary(tool, values)


inputs = st.dictionaries(
    st.sampled_from(["command", "cmd", "path", "url", "query", "pattern", "input", "file_path"]),
    st.recursive(
        st.none() | st.integers() | st.booleans() | st.text(st.characters(exclude_categories=[])),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
        max_leaves=5,
    ),
)
tools = st.sampled_from([row[0] for row in ROWS]) | st.text(st.characters(exclude_categories=[]))


@given(tools, inputs)
def test_any_input_at_all_gives_one_line(tool: str, input: dict[str, Any]):
    line = step_summary(tool, input)
    assert line
    assert line.splitlines() == [line]
    assert len(line) <= LONGEST_SUMMARY


@pytest.mark.parametrize(
    ("arguments", "input"),
    [
        ('{"command": "ls"}', {"command": "ls"}),
        ({"a": 1}, {"a": 1}),
        (None, {}),
        ("", {}),
        ("ls -la", {"text": "ls -la"}),
        ("[1]", {"text": "[1]"}),
        ('{"command": "l', {"text": '{"command": "l'}),
    ],
)
def test_an_input_as_a_provider_gives_it(arguments, input: dict[str, Any]):
    assert input_of(arguments) == input
