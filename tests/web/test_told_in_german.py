"""Every sentence the gateway may tell has German words: the sources are read, not a list."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import conch

SOURCE = Path(conch.__file__).parent
TABLE = Path(__file__).resolve().parents[2] / "ui" / "src" / "words" / "told.de.json"
ROOMS = ("assistant", "chats", "engines", "home", "learning", "memory", "skills", "web")
TERMINAL_ONLY = (
    "skills/signers.py",
    "skills/signatures.py",
    "skills/signing.py",
)
"""Files whose problems are told only by commands."""
REASONS = ("guard/check.py", "learning/gate.py", "learning/remembering.py")
"""Files that say why a change waits, is held or was dropped."""
PROBLEMS = ("ConchError", "Refused", "EngineFailed", "HomeBusy", "DiskRefused")


def template(node: ast.AST) -> str:
    """The text of a node with {} for what varies, "" for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return ""


def called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def sentences(path: Path, names: tuple[str, ...]) -> Iterator[str]:
    """The sentences that calls of these names are given."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and called(node) in names:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            for one in given:
                text = template(one)
                if " " in text and text.replace("{}", "").strip(" :“”()."):
                    yield text


def told() -> dict[str, str]:
    """Each sentence, and a file that tells it."""
    found = {}
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            name = str(path.relative_to(SOURCE))
            if name not in TERMINAL_ONLY:
                whole = (one for one in sentences(path, PROBLEMS) if not one[0].islower())
                found |= dict.fromkeys(whole, name)
    for name in REASONS:
        found |= dict.fromkeys(sentences(SOURCE / name, ("Found", "Reason", "Row")), name)
    return found


TOLD = told()
GERMAN: dict[str, str] = json.loads(TABLE.read_text("utf-8"))
FOR_THE_TERMINAL = ("conch ", "--", "https://", "{}=NAME")
"""What begins so is to be typed: it is shown as it is."""
FOR_THE_ENGINE = re.compile(r"`[a-z_{}]+`")
"""A sentence that names an argument of a tool: no person reads it."""


def test_the_sources_were_read():
    assert len(TOLD) > 150
    assert "The words changed since you saw them." in TOLD


@pytest.mark.parametrize("sentence", sorted(TOLD))
def test_has_german_words(sentence):
    if not sentence.startswith(FOR_THE_TERMINAL) and not FOR_THE_ENGINE.search(sentence):
        assert sentence in GERMAN, f"{TOLD[sentence]} tells this; add it to {TABLE.name}"
