"""Every command of `conch --help` with wrong input: one helpful answer, a status, nothing changed.

The commands and what they take are read from the command line itself: a new one is walked without
being named here. `TAKEN` names what looks wrong and is right.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from conch.cli import commands
from terminal import Terminal

for module in commands._COMMAND_MODULES:
    import_module(f"conch.cli.{module}")

TEXT = {
    "unknown": "no-such-thing",
    "number": "9" * 30,
    "minus": "-1",
    "long": "x" * 50_000,
    "no UTF-8": "a\udcff",
}
NOTHING = {"empty": "", "spaces": "   "}
PATHS = {"a folder": "FOLDER", "missing": "FOLDER/nope", "unreadable": "FOLDER/loop"}
NUMBERS = {"below": "-1", "above": "9" * 20, "a word": "abc"}
PATH_NAMES = ("path", "file", "folder", "to", "memories")
GOOD = {
    "id": "MEMORY",
    "text": "Has a red bicycle",
    "kind": "secrets",
    "file": "CASES",
    "path": "CASES",
    "engine": "practice",
    "name": "name",
    "value": "Ada",
    "reference": "1",
    "query": "bicycle",
    "chat": "script",
    "who": "somebody",
    "words": "Hello there",
}
"""What the other arguments are given meanwhile."""
FIRST = {"chat": ("Hello there",), "learn": ("--brought",)}
"""What a command is given beside the option that is wrong."""

ANY_TEXT = frozenset(TEXT)
TAKEN: dict[tuple[str, str], frozenset[str]] = {
    ("chat", "words"): ANY_TEXT,
    ("chat", "folder"): frozenset(("a folder",)),
    ("memory search", "query"): ANY_TEXT,
    ("memory add", "text"): frozenset(("unknown", "number")),
    ("memory edit", "text"): ANY_TEXT - {"long"},
    ("memory export", "to"): frozenset((*TEXT, *PATHS)) - {"long", "unreadable"},
    ("chats", "query"): ANY_TEXT,
    ("chats list", "query"): ANY_TEXT,
    ("settings set", "value"): frozenset((*TEXT, *NOTHING)) - {"long"},
}
"""By command and input, the kinds that are no mistake there."""


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with what it takes."""
    inside = getattr(command, "commands", None)
    if inside is None or (path and command.invoke_without_command):
        yield path, command
    for name, one in (inside or {}).items():
        yield from leaves(one, (*path, name))


COMMANDS = dict(leaves(typer.main.get_command(commands.app)))


def inputs(command: Any) -> list[Any]:
    return [one for one in command.params if one.name != "help" and not is_flag(one)]


def is_flag(one: Any) -> bool:
    return bool(getattr(one, "is_flag", False))


def wrong_kinds(one: Any) -> dict[str, str]:
    """The wrong values for an input, by what is wrong with them."""
    takes = str(one.type_descriptor.annotation)
    if "int" in takes or "float" in takes:
        return NUMBERS | NOTHING
    return TEXT | NOTHING | (PATHS if "Path" in takes or one.name in PATH_NAMES else {})


def row(path: tuple[str, ...], wrong: Any, value: str) -> list[str]:
    """The command line with this value for this input and good ones for the others."""
    options: list[str] = []
    arguments: list[str] = []
    for one in inputs(COMMANDS[path]):
        if one.param_type_name == "argument":
            if one is wrong:
                arguments.append(value)
            elif one.required:
                arguments.append(GOOD.get(one.name, "x"))
        elif one is wrong:
            options.append(f"{one.opts[0]}={value}")
    if wrong.param_type_name != "argument":
        first = FIRST.get(" ".join(path), ())
        options += [one for one in first if one.startswith("-")]
        arguments += [one for one in first if not one.startswith("-")]
    return [*path, *options, "--", *arguments]


def rows() -> Iterator[Any]:
    for path, command in COMMANDS.items():
        name = " ".join(path)
        for one in inputs(command):
            for kind, value in wrong_kinds(one).items():
                words = row(path, one, value)
                taken = kind in TAKEN.get((name, one.name), frozenset())
                yield pytest.param(words, taken, id=f"{name}, {one.name}: {kind}")


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory) -> Path:
    """A home in which things were remembered, learned, wait and were taken back."""
    folder = tmp_path_factory.mktemp("lived-in")
    terminal = Terminal(folder / "home")
    terminal.run("memory", "add", "Lives in Berlin")
    for said in ("No, I meant TypeScript.", "By the way, I moved to Lisbon.", "No, I meant Rust."):
        terminal.run("chat", given=f"Write me a script.\n{said}\n/archive\n")
    terminal.run("undo")
    (folder / "memory").write_text(terminal.json("memory", "list")[0]["id"])
    return folder


class Written(io.TextIOWrapper):
    """A standard stream that keeps what is written."""

    def __init__(self) -> None:
        self._kept = io.BytesIO()
        super().__init__(self._kept, "utf-8")

    def text(self) -> str:
        self.flush()
        return self._kept.getvalue().decode()


@pytest.fixture
def home(tmp_path) -> Path:
    return tmp_path / "user" / "home"


@pytest.fixture
def conch(lived_in, home, tmp_path, monkeypatch):
    """Runs the command line in this process; gives its status, what it said and what it warned."""
    shutil.copytree(lived_in / "home", home)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "loop").symlink_to(folder / "loop")
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "text": "my PIN is 4711", "label": 1}\n')
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for name, value in Terminal(home).environ.items():
        monkeypatch.setenv(name, value)
    places = {
        "FOLDER": str(folder),
        "CASES": str(tmp_path / "cases.jsonl"),
        "MEMORY": (lived_in / "memory").read_text(),
    }

    def run(words: list[str]) -> tuple[Any, str, str]:
        for name, place in places.items():
            words = [word.replace(name, place) for word in words]
        said, warned = Written(), Written()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["conch", *words])
            patch.setattr(sys, "stdin", io.StringIO(""))
            patch.setattr(sys, "stdout", said)
            patch.setattr(sys, "stderr", warned)
            status: Any = 0
            try:
                commands.run()
            except SystemExit as ended:
                status = ended.code or 0
        return status, said.text(), warned.text()

    return run


def kept(home: Path) -> dict[str, bytes]:
    """Everything that is the person's, by its path."""
    derived = ("index.db", "notes.jsonl", "writer.lock", "embeddings", "sent")
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and not any(name in str(path) for name in derived)
    }


@pytest.mark.parametrize(("words", "taken"), list(rows()))
def test_wrong_input_is_answered_and_changes_nothing(conch, home, words, taken):
    before = kept(home)
    status, said, warned = conch(words)
    assert "Traceback" not in said + warned
    if taken:
        assert status == 0, warned
        return
    assert status in (1, 2)
    assert warned.strip()
    assert len(warned) < 1_500
    assert said == ""
    assert kept(home) == before


@pytest.mark.parametrize(
    "path", [path for path, one in COMMANDS.items() if any(put.required for put in inputs(one))]
)
def test_what_a_command_needs_is_named_when_it_is_not_given(conch, path):
    status, said, warned = conch([*path])
    assert (status, said) == (2, "")
    assert "Missing argument" in warned
    assert "--help" in warned


@pytest.mark.parametrize(
    "path",
    [path for path, one in COMMANDS.items() if any("--json" in put.opts for put in one.params)],
)
def test_with_json_what_is_wrong_is_said_beside_it(conch, path):
    wrong = next((one for one in inputs(COMMANDS[path]) if one.param_type_name == "argument"), None)
    words = [*path, "--json", *([] if wrong is None else ["no-such-thing"])]
    for other in inputs(COMMANDS[path]):
        if other is not wrong and other.required:
            words.append(GOOD.get(other.name, "x"))
    status, said, warned = conch(words)
    assert "Traceback" not in said + warned
    if said:
        json.loads(said)
    assert bool(said) != bool(status)


@pytest.mark.parametrize("path", [path for path in COMMANDS if path])
def test_an_unknown_option_is_named(conch, path):
    if path == ("settings", "set"):
        return
    status, said, warned = conch([*path, "--no-such-option"])
    assert (status, said) == (2, "")
    assert "--no-such-option" in warned
