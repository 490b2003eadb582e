"""Apps over the web: set up, their tools chosen one by one, removed."""

from __future__ import annotations

import sys

import pytest

import mcp_notes


async def test_set_up_chosen_removed(browser):
    assert await browser.get("/api/apps") == {"apps": []}
    try:
        body = {"name": "notes", "command": [sys.executable, mcp_notes.__file__]}
        tools = (await browser.post("/api/apps", body, 201))["tools"]
        assert {"add_note", "list_notes"} <= {one["name"] for one in tools}
        assert {one["mode"] for one in tools} == {"ask"}
        chosen = {"mode": "free", "tool": "list_notes"}
        app = await browser.post("/api/apps/notes/mode", chosen)
        assert (app["mode"], app["tools"]) == ("ask", {"list_notes": "free"})
        tools = (await browser.get("/api/apps/notes/tools"))["tools"]
        assert {one["name"]: one["mode"] for one in tools}["list_notes"] == "free"
        await browser.post("/api/apps/notes/mode", {"mode": "free", "tool": "nope"}, 409)
        await browser.post("/api/apps", body, 422)
        await browser.delete("/api/apps/notes", 204)
        assert await browser.get("/api/apps") == {"apps": []}
        await browser.delete("/api/apps/notes", 404)
    finally:
        await browser.living.conch.hands.apps.close()


@pytest.mark.parametrize(
    "body",
    [
        {"name": "conch", "command": ["x"]},
        {"name": "x"},
        {"name": "x", "url": "http://far.example/"},
        {"name": "x", "command": ["no-such-program-here"]},
        {"name": "x", "command": "rm -rf"},
        {"name": "x", "command": ["x"], "secrets": [{"variable": "A", "secret": "nope"}]},
        {"name": "x", "command": ["x"], "mode": "free"},
    ],
    ids=str,
)
async def test_what_cannot_be_is_not_kept(browser, body):
    await browser.post("/api/apps", body, 422)
    assert await browser.get("/api/apps") == {"apps": []}
