"""The vault is a person's, at a terminal: kept without being shown, used when allowed."""

from __future__ import annotations

import shlex
import sys

from at_terminal import AtTerminal

VALUE = "glx-7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5"


def keep(terminal, name="deploy-key", value=VALUE):
    at = AtTerminal(terminal, "vault", "set", name)
    at.until("The secret")
    at.press(f"{value}\n")
    return at.ended()


def test_kept_unseen_listed_replaced_removed(terminal):
    assert "empty" in terminal.run("vault")
    said = keep(terminal)
    assert "$DEPLOY_KEY" in said
    assert VALUE not in said
    assert "Replaced" in keep(terminal, value=VALUE[::-1])
    (listed,) = terminal.json("vault")
    assert listed.keys() == {"type", "name", "variable", "added"}
    assert "Removed" in AtTerminal(terminal, "vault", "remove", "deploy-key").ended()
    assert terminal.json("vault") == []


def test_from_a_file(terminal, tmp_path):
    (tmp_path / "key").write_text(f"{VALUE}\n", "utf-8")
    said = AtTerminal(terminal, "vault", "set", "deploy-key", "--file", str(tmp_path / "key"))
    assert "Kept" in said.ended()
    assert "can't be read" in AtTerminal(terminal, "vault", "set", "x", "--file", "nope").ended()


def test_without_a_terminal_or_under_a_command_nothing_is_kept(terminal):
    assert "at a terminal" in terminal.run("vault", "set", "x", given=f"{VALUE}\n", status=1)
    assert "at a terminal" in terminal.run("vault", "remove", "x", status=1)
    terminal.environ["CONCH_STARTED"] = "1"
    inner = shlex.join(["env", "-u", "CONCH_STARTED", sys.executable, "-m", "conch", "vault"])
    assert "Nothing was kept" in _under_a_shell(terminal, f"{inner} set x")


def _under_a_shell(terminal, line):
    import subprocess

    done = subprocess.run(
        ["script", "-qec", line, "/dev/null"],
        input="", capture_output=True, text=True, env=terminal.environ, timeout=60,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_command_uses_it_and_the_terminal_shows_it_nowhere(terminal, tmp_path):
    keep(terminal)
    folder = tmp_path / "project"
    folder.mkdir()
    at = AtTerminal(
        terminal,
        "chat",
        "--folder",
        str(folder),
        "run `echo token $DEPLOY_KEY` with secret deploy-key",
    )
    shown = at.until("y / n")
    assert "your secret deploy-key" in shown
    at.press("y")
    assert "It gave: token •••" in at.ended()
    for file in (terminal.home / "chats").rglob("*"):
        assert not file.is_file() or VALUE.encode() not in file.read_bytes()
