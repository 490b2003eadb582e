"""Trust is a person's, at a terminal: sign, verify, trust, trusted, forget, edit."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from at_terminal import AtTerminal
from conch.skills.folders import SIGNATURE, read_folder
from conch.skills.signatures import new_secret, public_key, signed

DOCUMENT = "---\nname: tidy\ndescription: Tidies a thing.\n---\n\n# Tidy\n\n1. Look.\n2. {}\n"


@pytest.fixture
def theirs(terminal):
    """A skill somebody signed, brought in, and their key."""
    path = Path(terminal.environ["HOME"]) / "download" / "tidy"
    path.mkdir(parents=True)
    (path / "SKILL.md").write_text(DOCUMENT.format("Say."), encoding="utf-8")
    secret = new_secret()
    (path / SIGNATURE).write_bytes(signed("tidy", read_folder(path), "Mara", secret))
    terminal.run("skills", "import", str(path))
    return public_key(secret)


def trusted(terminal, *words: str, answer: str = "y") -> str:
    at = AtTerminal(terminal, "skills", "trust", *words)
    at.until("Trust this key?")
    at.press(f"{answer}\n")
    return at.ended()


def test_from_unknown_to_trusted_and_back(terminal, theirs):
    assert "unknown signer" in terminal.run("skills", "verify", "tidy")
    assert "Nobody was trusted" in trusted(terminal, "tidy", answer="n")
    assert terminal.json("skills", "trusted") == []
    assert "Trusted: Mara" in trusted(terminal, "tidy")
    assert "verified" in terminal.run("skills", "verify", "tidy")
    (mara,) = terminal.json("skills", "trusted")
    assert mara["key"] == theirs
    assert "No longer" in AtTerminal(terminal, "skills", "forget", "Mara").ended()
    assert terminal.json("skills", "verify", "tidy")["state"] == "unknown"


def test_a_broken_signature_is_said_and_status_1(terminal, theirs):
    file = terminal.home / "skills" / "tidy" / "SKILL.md"
    file.write_text(DOCUMENT.format("Say more."), encoding="utf-8")
    assert "broken signature" in terminal.run("skills", "verify", "tidy", status=1)


def test_signing_shows_the_key_to_hand_out(terminal):
    (terminal.home / "skills" / "tidy").mkdir(parents=True)
    (terminal.home / "skills" / "tidy" / "SKILL.md").write_text(DOCUMENT.format("Say."))
    said = AtTerminal(terminal, "skills", "sign", "tidy", "--as", "Ana").ended()
    assert terminal.json("skills", "trusted")[0]["key"] in said
    assert terminal.json("skills", "verify", "tidy")["by"] == "Ana"


@pytest.mark.parametrize(
    "words",
    [
        ("trust", "conch-key:" + "A" * 43, "--as", "Evil"),
        ("trust", "tidy"),
        ("forget", "Mara"),
        ("sign", "tidy", "--as", "Evil"),
        ("edit", "tidy"),
    ],
    ids=lambda words: words[0],
)
class TestRefused:
    def test_without_a_terminal(self, terminal, theirs, words):
        assert "at a terminal" in terminal.run("skills", *words, given="y\n", status=1)
        assert terminal.json("skills", "trusted") == []

    def test_under_a_process_conch_started(self, terminal, theirs, words):
        terminal.environ["CONCH_STARTED"] = "1"
        said = AtTerminal(terminal, "skills", *words).ended()
        assert "A command that Conch runs" in said

    def test_also_where_the_mark_is_taken_out_of_the_environment(self, terminal, theirs, words):
        inner = "import pty, sys; pty.spawn(sys.argv[1:])"
        conch = [sys.executable, "-m", "conch", "skills", *words]
        away = shlex.join(["env", "-u", "CONCH_STARTED", sys.executable, "-c", inner, *conch])
        done = subprocess.run(
            ["/bin/sh", "-c", f"{away}; true"],
            env=terminal.environ | {"CONCH_STARTED": "1"},
            input="y\n",
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "A command that Conch runs" in done.stdout, done.stdout + done.stderr


def test_editing_opens_the_editor_and_reads_what_it_made(terminal):
    (terminal.home / "skills" / "tidy").mkdir(parents=True)
    file = terminal.home / "skills" / "tidy" / "SKILL.md"
    file.write_text(DOCUMENT.format("Say."), encoding="utf-8")
    terminal.environ["EDITOR"] = "sed -i s/Say/Tell/"
    assert "Changed: Tidy" in AtTerminal(terminal, "skills", "edit", "tidy").ended()
    assert "Tell" in file.read_text()
    terminal.environ["EDITOR"] = "sed -i s/^description.*//"
    assert "as it was" in AtTerminal(terminal, "skills", "edit", "tidy").ended()
    terminal.environ["EDITOR"] = "no-such-editor"
    assert "can't be started" in AtTerminal(terminal, "skills", "edit", "tidy").ended()
    assert "Tell" in file.read_text()
