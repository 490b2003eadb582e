"""Apps are set up by a person at a terminal, and used in a chat when allowed."""

from __future__ import annotations

import sys

import mcp_notes
from at_terminal import AtTerminal

SERVER = (sys.executable, mcp_notes.__file__)


def test_set_up_used_chosen_removed(terminal):
    assert "There is none" in terminal.run("apps")
    said = AtTerminal(terminal, "apps", "add", "notes", "--", *SERVER).ended()
    assert "add_note ask" in said
    assert [one["name"] for one in terminal.json("apps")] == ["notes"]
    tools = {one["name"]: one["mode"] for one in terminal.json("apps", "tools", "notes")}
    assert tools["add_note"] == "ask"
    said = AtTerminal(terminal, "apps", "set", "notes", "free", "--tool", "list_notes").ended()
    assert "free" in said
    tools = {one["name"]: one["mode"] for one in terminal.json("apps", "tools", "notes")}
    assert (tools["list_notes"], tools["add_note"]) == ("free", "ask")
    assert "Removed" in AtTerminal(terminal, "apps", "remove", "notes").ended()
    assert terminal.json("apps") == []


def test_only_a_person_at_a_terminal_may(terminal):
    for words in (("add", "x", "--", *SERVER), ("set", "x", "free"), ("remove", "x")):
        assert "at a terminal" in terminal.run("apps", *words, status=1)
    assert terminal.json("apps") == []


def test_what_does_not_start_is_not_kept(terminal):
    said = AtTerminal(terminal, "apps", "add", "x", "--", "no-such-program-here").ended()
    assert "no program no-such-program-here" in said
    said = AtTerminal(terminal, "apps", "add", "x", "--secret", "A", "--", *SERVER).ended()
    assert "VARIABLE=NAME" in said
    assert terminal.json("apps") == []
