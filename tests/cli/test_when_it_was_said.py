"""What was learned long after it was said shows when that was, not only when it was read."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from at_terminal import typed

SAID = datetime(2025, 3, 3, 12, tzinfo=UTC)


def exported(at: datetime | None) -> list[dict]:
    """A chat as ChatGPT exports it, of one correction."""
    said = ("Write me a script that prints the date.", "Here you go.", "No, I meant TypeScript.")
    tree: dict[str, dict] = {"root": {"id": "root", "message": None, "parent": None}}
    before = "root"
    for number, words in enumerate(said):
        name = f"n{number}"
        message = {
            "id": name,
            "author": {"role": "assistant" if number == 1 else "user"},
            "content": {"content_type": "text", "parts": [words]},
        }
        if at is not None:
            message["create_time"] = at.timestamp() + number * 60
        tree[name] = {"id": name, "message": message, "parent": before}
        before = name
    chat = {"title": "A script", "mapping": tree, "current_node": before, "id": "c1"}
    return [chat | ({"create_time": at.timestamp()} if at else {})]


@pytest.fixture
def brought(terminal, tmp_path):
    def bring(at: datetime | None) -> None:
        file = tmp_path / "conversations.json"
        file.write_text(json.dumps(exported(at)))
        later = (SAID + timedelta(days=1)).timestamp()
        os.utime(file, (later, later))
        assert "chatgpt: 1 new chat, 2 messages, 0 steps." in terminal.run("bring", str(file))
        terminal.run("learn", "--brought", "--engine", "practice", "--yes")

    return bring


def test_why_and_the_card_say_when_you_said_it(terminal, brought):
    brought(SAID)
    words = "you said on 3 March 2025: “No, I meant TypeScript.”"
    shown = terminal.run("why", "1")
    assert words in shown
    assert f"(practice), {datetime.now().astimezone().day} " in shown
    card = typed(terminal, "keep", given="q")
    assert words in card
    assert "k keep · f forget · l later · q quit" in card


def test_words_without_a_time_are_as_old_as_their_file(terminal, brought):
    brought(None)
    shown = terminal.run("why", "1")
    assert "you said on 4 March 2025:" in shown


def test_it_is_still_known_when_the_chat_is_gone(terminal, brought):
    brought(SAID)
    terminal.run("chats", "delete", "A script")
    assert "you said on 3 March 2025:" in terminal.run("why", "1")


def test_a_card_shows_the_words_a_keep_would_keep(terminal, brought):
    brought(SAID)
    (record,) = terminal.json("learned", "--waiting")
    (file,) = (terminal.home / "memory").glob("*.md")
    file.write_text(file.read_text().replace("Prefers TypeScript", "Prefers Haskell"))
    shown = typed(terminal, "keep", record["id"], given="q")
    assert "Prefers Haskell" in shown
