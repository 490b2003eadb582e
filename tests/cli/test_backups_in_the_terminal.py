"""Backups, restore, doctor and repair as a person does them in the terminal."""

from __future__ import annotations

import time

import pytest

from at_terminal import AtTerminal
from terminal import Terminal

PASSPHRASE = "correct horse battery"


def set_up(terminal, *words: str, passphrase: str = PASSPHRASE) -> str:
    person = AtTerminal(terminal, "backup", "setup", *words)
    person.until("Passphrase: ")
    person.press(f"{passphrase}\r")
    if len(passphrase) >= 10:
        person.until("The same again: ")
        person.press(f"{passphrase}\r")
    return person.ended()


@pytest.fixture
def backed_up(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    terminal.run("chat", "Hello there")
    set_up(terminal)
    return terminal


def test_set_up_makes_the_first_one(terminal):
    assert "No backups are made yet" in terminal.run("backup")
    terminal.run("memory", "add", "Lives in Berlin")
    shown = set_up(terminal)
    assert "Backed up: " in shown
    assert PASSPHRASE not in shown
    listed = terminal.json("backup")
    assert (listed["set_up"], listed["has_passphrase"], len(listed["backups"])) == (True, True, 1)
    assert "opened by a passphrase" in terminal.run("backup", "list")
    assert "Backed up: " in terminal.run("backup", "now")


def test_a_made_passphrase_is_shown_once_and_opens_it(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    person = AtTerminal(terminal, "backup", "setup")
    person.until("Passphrase: ")
    person.press("\r")
    shown = person.until("Press Enter")
    made = shown.split("shown this once:")[1].split()[0]
    person.press("\r")
    assert "Backed up" in person.ended()
    looking = AtTerminal(terminal, "backup", "check", "1")
    looking.until("Passphrase: ")
    looking.press(f"{made}\r")
    assert "1 memory" in looking.ended()


def test_a_short_passphrase_is_refused(terminal):
    assert "at least 10 characters" in set_up(terminal, passphrase="short")
    assert terminal.json("backup")["set_up"] is False


def test_it_is_restored_on_another_computer_and_taken_back(backed_up, tmp_path):
    AtTerminal(backed_up, "settings", "set", "learning-cap", "7").ended()
    backed_up.run("backup", "now")
    path = backed_up.json("backup")["backups"][0]["path"]
    other = Terminal(tmp_path / "other" / "home")
    other.run("memory", "add", "Lives in Lisbon")
    person = AtTerminal(other, "restore", path)
    person.until("Passphrase: ")
    person.press(f"{PASSPHRASE}\r")
    shown = person.until("Restore it?")
    assert "1 chat, 1 memory, 0 skills" in shown
    assert "set aside: 0 chats, 1 memory" in shown
    assert "Learning may spend $7.00 a month." in shown
    person.press("y")
    assert "Restored." in person.ended()
    assert "Berlin" in other.run("memory", "list")
    assert "Lisbon" not in other.run("memory", "list")
    assert "Hello there" in other.run("chats", "show")
    assert "is undone" in AtTerminal(other, "restore", "--undo").ended()
    assert "Lisbon" in other.run("memory", "list")
    assert other.json("settings")["learning_cap_usd"] == 1.0


@pytest.mark.parametrize("key", ["n", "\x03"], ids=["n", "Ctrl-C"])
def test_no_leaves_everything_as_it_was(backed_up, key):
    backed_up.run("memory", "add", "Likes tea")
    person = AtTerminal(backed_up, "restore", "1")
    person.until("Passphrase: ")
    person.press(f"{PASSPHRASE}\r")
    person.until("Restore it?")
    time.sleep(1)  # This terminal is nobody's, so a Ctrl-C counts only as a key.
    person.press(key)
    assert "Traceback" not in person.ended()
    assert "tea" in backed_up.run("memory", "list")
    assert not [path for path in backed_up.home.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("restore",), "Give a backup to restore, or --undo."),
        (("restore", "1", "--undo"), "Give a backup to restore, or --undo."),
        (("restore", "--undo"), "No restore can be undone."),
        (("restore", "7"), "There is no backup 7."),
        (("restore", "nowhere.tar"), "There is no file nowhere.tar."),
        (("backup", "check"), "Which backup? Give its number or its file."),
        (("backup", "check", "/etc/hostname"), "This is no backup of Conch's."),
        (("backup", "setup", "--recipient", "age1x"), "That is no key backups can be made for."),
        (("backup", "setup", "--recipient", "x", "--folder", "/proc/x"), "can't be written to"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_said(terminal, words, says):
    person = AtTerminal(terminal, *words)
    shown = person.ended()
    assert says in shown
    assert person.status == 1


@pytest.mark.parametrize("words", [("restore", "1"), ("backup", "setup"), ("backup", "check", "1")])
def test_only_a_person_restores(terminal, words):
    assert "needs a person at a terminal" in terminal.run(*words, status=1)


def test_a_restore_does_not_run_beside_another_conch(backed_up):
    chat = AtTerminal(backed_up, "chat")
    chat.until("/help lists")
    chat.until("›")
    chat.press("Hi\r")
    chat.until("You said: Hi")
    person = AtTerminal(backed_up, "restore", "1")
    assert "Another Conch is using" in person.ended()
    chat.press("/quit\r")
    chat.ended()


def test_doctor_looks_and_repair_mends(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    assert "mend " not in terminal.run("doctor")
    (terminal.home / "settings.json").write_text("{")
    said = terminal.run("doctor", status=1)
    assert "mend    settings.json can't be read." in said
    assert (terminal.home / "settings.json").read_text() == "{"
    said = terminal.run("repair")
    assert "mended  settings.json can't be read." in said
    assert "Learning is off: settings.json was damaged" in said
    assert "mend " not in terminal.run("doctor")
    assert terminal.json("repair")["mended"] == []
