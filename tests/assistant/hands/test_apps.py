"""Apps are MCP servers a person set up: their tools are steps like any other."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import mcp_notes
from conch.assistant.apps import said
from conch.chats.events import TaintMarked, ToolStarted
from conch.home.errors import ConchError

SERVER = mcp_notes.__file__
SECRET = "glx-7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5"


@pytest.fixture
async def notes(worker):
    """A worker whose person set up the app “notes”, with a secret."""
    worker.conch.vault.put("notes-token", SECRET)
    worker.apps = worker.conch.hands.apps
    worker.file = worker.person / "notes.txt"
    worker.broken = worker.person / "broken"
    settings = [f"NOTES_FILE={worker.file}", f"NOTES_BROKEN={worker.broken}"]
    command = ["/usr/bin/env", *settings, sys.executable, SERVER]
    worker.tools = await worker.apps.add("notes", command, secrets={"NOTES_TOKEN": "notes-token"})
    yield worker
    await worker.apps.close()


def tainted(worker):
    return [
        event
        for event in worker.conch.chats.log(worker.chat).events()
        if isinstance(event, TaintMarked)
    ]


async def test_its_tools_are_there_and_ask(notes):
    assert {one.name for one in notes.tools} >= {"list_notes", "add_note"}
    took = await notes.does(("mcp__notes__add_note", {"text": "pears"}), allow=False)
    assert [ask.why for ask in took.asked] == ["It uses another app."]
    assert not notes.file.exists()
    took = await notes.does(("mcp__notes__add_note", {"text": "pears"}), allow=True)
    assert took.told == ["Added: pears"]
    assert notes.file.read_text("utf-8") == "pears\n"


async def test_a_call_is_a_step_with_a_line_and_leaves_its_taint(notes):
    await notes.does(("mcp__notes__list_notes", {}), allow=True)
    assert [(one.kind, one.label) for one in tainted(notes)] == [("app", "notes")]
    (step,) = [
        event
        for event in notes.conch.chats.log(notes.chat).events()
        if isinstance(event, ToolStarted)
    ]
    assert "notes" in step.summary


async def test_modes_off_ask_free_for_all_and_for_one(notes):
    await notes.apps.set_mode("notes", "list_notes", "free")
    took = await notes.does(("mcp__notes__list_notes", {}))
    assert (took.told, took.asked) == (["(none)"], [])
    await notes.apps.set_mode("notes", "add_note", "off")
    took = await notes.does(("mcp__notes__add_note", {"text": "x"}), allow=True)
    assert not notes.file.exists()
    await notes.apps.set_mode("notes", "", "off")
    took = await notes.does(("mcp__notes__say_environment", {}), allow=True)
    assert not took.asked
    assert "PATH" not in took.told[0]


async def test_after_reading_a_tool_that_acts_asks_even_when_free(notes):
    await notes.apps.set_mode("notes", "", "free")
    took = await notes.does(
        ("mcp__notes__list_notes", {}),
        ("mcp__notes__add_note", {"text": "x"}),
        ("mcp__notes__list_notes", {}),
        allow=False,
    )
    assert [ask.summary for ask in took.asked] == ["Add note with notes"]
    assert "a page can plant a step" in took.asked[0].why
    assert not notes.file.exists()


async def test_where_nobody_is_there_it_waits(notes):
    took = await notes.does(("mcp__notes__add_note", {"text": "x"}))
    assert "Nobody is there to ask" in took.told[0]
    assert not notes.file.exists()


async def test_it_is_given_its_secret_and_no_other_and_says_none(notes):
    took = await notes.does(("mcp__notes__say_environment", {}), allow=True)
    assert "NOTES_TOKEN=•••" in took.told[0]
    assert "OPENAI_API_KEY" not in took.told[0]
    assert "CONCH_STARTED=1" in took.told[0]
    took = await notes.does(("mcp__notes__fails", {}), allow=True)
    assert SECRET not in str(took.told)
    for path in notes.home.root.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


async def test_no_app_is_asked_for_what_is_conchs_own(notes):
    notes.mode("full_trust")
    for path in (
        notes.home.root / "settings.json",
        f"{notes.home.root}/memory/../settings.json",
        f"/proc/self/root{notes.home.root}/settings.json",
        f"file://{notes.home.root}/settings.json",
        "~/../conch-home/settings.json",
    ):
        took = await notes.does(("mcp__notes__read_path", {"path": str(path)}), allow=True)
        assert took.told[0].startswith("Not done."), took.told


async def test_one_that_ends_is_started_again(notes):
    took = await notes.does(
        ("mcp__notes__ends", {}), ("mcp__notes__add_note", {"text": "x"}), allow=True
    )
    assert "failed" in took.told[0] or "running" in took.told[0]
    assert took.told[1] == "Added: x"


async def test_what_it_says_when_it_does_not_start_again_is_cleaned_and_leaves_its_taint(notes):
    notes.broken.touch()
    took = await notes.does(("mcp__notes__ends", {}), ("mcp__notes__list_notes", {}), allow=True)
    assert "curl evil.example/" in took.told[1]
    assert SECRET not in took.told[1]
    asked = [
        event.call
        for event in notes.conch.chats.log(notes.chat).events()
        if isinstance(event, ToolStarted)
    ]
    assert asked[1] in {one.call for one in tainted(notes)}


async def test_a_tool_that_says_something_else_asks_again(notes):
    await notes.apps.set_mode("notes", "add_note", "free")
    assert notes.apps.modes()["notes.add_note"] == "free"
    notes.apps.kept.change(
        "notes", lambda app: app.model_copy(update={"seen": {"add_note": "other"}})
    )
    assert notes.apps.modes()["notes.add_note"] == "ask"


async def test_a_tool_that_says_dangerous_things_of_itself_is_off(worker):
    apps = worker.conch.hands.apps
    tools = await apps.add("bad", ["/usr/bin/env", "NOTES_POISONED=1", sys.executable, SERVER])
    try:
        (bad,) = [one for one in tools if one.name == "poisoned"]
        assert bad.mode == "off"
        assert bad.why_off
        assert "mcp__bad__poisoned" not in {one.name for one in await apps.steps()}
        assert "mcp__bad__add_note" in {one.name for one in await apps.steps()}
    finally:
        await apps.close()


async def test_what_its_tools_say_is_scanned_once_and_again_when_it_starts_again(
    notes, monkeypatch
):
    scanned: list[str] = []
    scan = said.scan_skill_text
    monkeypatch.setattr(said, "scan_skill_text", lambda text: scanned.append(text) or scan(text))
    for _ in range(3):
        assert notes.apps.modes()["notes"] == "ask"
        await notes.apps.steps()
    assert scanned == []
    await notes.apps.close()
    tools = await notes.apps.tools_of("notes")
    assert len(scanned) == len(tools)


@pytest.mark.parametrize(
    ("name", "command", "url", "secrets", "why"),
    [
        ("conch", ["x"], "", {}, "not “conch”"),
        ("a__b", ["x"], "", {}, "small letters"),
        ("x", [], "", {}, "program or an address"),
        ("x", ["y"], "https://a.example/", {}, "program or an address"),
        ("x", [], "http://a.example/", {}, "no address to use"),
        ("x", [], "ftp://a.example/", {}, "no address to use"),
        ("x", [], "https://u:p@a.example/", {}, "no address to use"),
        ("x", [], "https://a.example/", {"X": "s"}, "can't be given"),
        ("x", ["y"], "", {"X=Y": "s"}, "can't be given"),
        ("x", ["no-such-program-here"], "", {}, "couldn't be started"),
        ("x", [sys.executable, "-c", "print(1)"], "", {}, "couldn't be started"),
        ("x", [sys.executable, SERVER], "", {"X": "no-such-secret"}, "no secret"),
    ],
)
async def test_what_cannot_be_an_app_is_not_kept(worker, name, command, url, secrets, why):
    apps = worker.conch.hands.apps
    with pytest.raises(ConchError, match=why):
        await apps.add(name, command, url, secrets)
    assert apps.kept.all() == {}


async def test_removed_its_tools_are_gone(notes):
    await notes.apps.remove("notes")
    assert await notes.apps.steps() == []
    with pytest.raises(ConchError):
        await notes.apps.tools_of("notes")


async def test_one_that_no_longer_starts_holds_up_no_turn(notes):
    app = notes.apps.kept.get("notes")
    notes.apps.kept.add("broken", app.model_copy(update={"command": ["no-such-program-here"]}))
    names = {one.name for one in await notes.apps.steps()}
    assert "mcp__notes__add_note" in names
    took = await notes.does(("mcp__notes__add_note", {"text": "x"}), allow=True)
    assert took.told == ["Added: x"]


def served(notes: Path):
    """The server over HTTP, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {"NOTES_FILE": str(notes), "PATH": "/usr/bin:/bin"}
    words = [sys.executable, SERVER, str(port)]
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(words, env=env, stdout=nowhere, stderr=nowhere), port


async def test_over_http_with_its_token_in_a_header(worker):
    server, port = served(worker.person / "n.txt")
    worker.conch.vault.put("notes-token", SECRET)
    apps = worker.conch.hands.apps
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            await asyncio.sleep(0.2)
        await apps.add("far", url=url, secrets={"Authorization": "notes-token"})
        took = await worker.does(("mcp__far__add_note", {"text": "pears"}), allow=True)
        assert took.told == ["Added: pears"]
        assert (worker.person / "n.txt").read_text("utf-8") == "pears\n"
    finally:
        await apps.close()
        server.kill()
        server.wait()


async def test_a_chat_held_to_a_skill_asks_for_an_app_that_isnt_in_its_list(notes):
    from conch.chats.events import SkillUsed

    notes.mode("full_trust")
    log = notes.conch.chats.log(notes.chat)
    log.append(SkillUsed(skill="s", name="s", permissions=["commands:git"]))
    took = await notes.does(("mcp__notes__list_notes", {}), allow=False)
    assert "A skill in this chat may only" in took.asked[0].why
