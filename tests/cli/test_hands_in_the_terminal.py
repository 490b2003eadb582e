"""The assistant's hands, by a person at a terminal: asked before, undone after."""

from __future__ import annotations

import re

import pytest

from at_terminal import AtTerminal, typed


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "projects" / "trip"
    folder.mkdir(parents=True)
    return folder


def begin(terminal, folder, words):
    return AtTerminal(terminal, "chat", "--folder", str(folder), words)


def test_a_command_is_asked_for_run_shown_and_logged(terminal, folder):
    (folder / "notes.txt").write_text("pears\n", "utf-8")
    conch = begin(terminal, folder, "run `cat notes.txt`")
    shown = conch.until("y / n")
    assert "Run `cat notes.txt`" in shown
    conch.press("y")
    assert "It gave: pears" in conch.ended()
    (log,) = (terminal.home / "chats").glob("*/log.jsonl")
    text = log.read_text("utf-8")
    assert '"approval_asked"' in text
    assert re.search(r'"tool_finished".*pears', text)


def test_a_command_that_is_not_allowed_is_not_run(terminal, folder):
    conch = begin(terminal, folder, "run `touch made.txt`")
    conch.until("y / n")
    conch.press("n")
    assert "didn't allow" in conch.ended()
    assert list(folder.iterdir()) == []


def test_a_whole_command_is_shown_before_it_is_allowed(terminal, folder):
    conch = begin(terminal, folder, "run `echo one\necho two`")
    assert "echo two" in conch.until("y / n")
    conch.press("n")
    conch.ended()


def test_a_change_of_files_is_undone_and_done_again(terminal, folder):
    conch = begin(terminal, folder, "write hello to a.txt")
    conch.until("y / n")
    conch.press("y")
    assert "Wrote a.txt" in conch.ended()
    chat = terminal.json("chats", "list")[0]["chat"]
    for command, there in (("/undo files", False), ("/redo files", True)):
        conch = AtTerminal(terminal, "chat", "--open", chat, command)
        assert "a.txt" in conch.until("y / n")
        conch.press("y")
        assert "1 of 1 files" in conch.ended()
        assert (folder / "a.txt").exists() is there
    (folder / "a.txt").write_text("the person's own", "utf-8")
    conch = AtTerminal(terminal, "chat", "--open", chat, "/undo files")
    assert "changed since" in conch.until("q: leave")
    conch.press("n")
    conch.ended()
    assert (folder / "a.txt").read_text("utf-8") == "the person's own"


def test_nobody_at_the_terminal_means_nothing_acts(terminal, folder):
    told = terminal.run("chat", "--folder", str(folder), given="write hello to a.txt\n")
    assert "Nobody is there to ask" in told
    assert list(folder.iterdir()) == []


def test_the_long_way_takes_the_real_path(terminal, folder):
    typed(terminal, "settings", "set", "mode", "full trust")
    told = terminal.run("chat", "--folder", str(folder), given="the long way\n")
    assert told.count("· Run ") == 12
    assert "two of them false starts" in told
    if "Nobody is there to ask" not in told:  # Where nothing seals, commands always ask.
        assert told.count("command not found") == 2
        assert (folder / "report" / "notes.md").read_text("utf-8") == "pears\napples\nplums\n"


@pytest.mark.parametrize("where", ["home", "above", "root", "person", "missing"])
def test_a_chat_works_in_no_folder_that_is_too_wide(terminal, where):
    folder = {
        "home": terminal.home,
        "above": terminal.home.parent,
        "root": "/",
        "person": terminal.environ["HOME"],
        "missing": terminal.home.parent / "missing",
    }[where]
    told = terminal.run("chat", "--folder", str(folder), given="list the files\n", status=1)
    assert "Nothing was done" in told


def test_a_command_that_conch_runs_cannot_use_conch(terminal):
    terminal.environ["CONCH_STARTED"] = "1"
    for words in (["keep"], ["settings", "set", "mode", "full_trust"], ["chat", "hello"]):
        assert "can't use Conch" in terminal.run(*words, status=1)


def test_an_unknown_mode_is_refused(terminal):
    told = terminal.run("settings", "set", "mode", "yolo", status=1)
    assert "ask, accept_edits, full_trust" in told
    assert terminal.json("settings")["mode"] == "ask"
