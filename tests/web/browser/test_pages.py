"""The pages: first run, ⌘K, a reload in the middle of a reply, and what axe-core finds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from web.browser.conftest import Served, first_run, say

AXE = Path(__file__).resolve().parents[3] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = "axe.run().then(found => JSON.stringify(found.violations))"


def serious(page: Page) -> list[str]:
    """What axe-core finds serious, past the page's own policy (it is put in by the debugger)."""
    debugger = page.context.new_cdp_session(page)
    debugger.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
    asked = {"expression": _RUN, "awaitPromise": True, "returnByValue": True}
    found = json.loads(debugger.send("Runtime.evaluate", asked)["result"]["value"])
    return [
        f"{one['id']}: {one['nodes'][0]['html']}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def find(page: Page, words: str) -> None:
    """Open ⌘K, type, and take what it finds, by keyboard alone."""
    field = page.get_by_label("Search or go to…")
    expect(field).to_have_count(0)
    page.keyboard.press("Control+K")
    expect(field).to_be_focused()
    page.keyboard.type(words)
    expect(page.locator(".mantine-Spotlight-action", has_text=words).first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def test_first_run_is_three_screens_and_a_chat(served: Served) -> None:
    page = served.page()
    expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    assert serious(page) == []
    first_run(page)
    settings = json.loads((served.home / "settings.json").read_text("utf-8"))
    assert settings["name"] == "Ada"
    assert settings["engine"] == "practice"
    say(page, "hello there")
    logs = list((served.home / "chats").glob("*/log.jsonl"))
    assert len(logs) == 1
    assert "hello there" in logs[0].read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_fault(house: Served, scheme: str) -> None:
    page = house.page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    say(page, "a list:\n\n- one\n- two")
    chat = page.url.removeprefix(house.address)
    for path in (chat, "/memory", "/skills", "/skills/new", "/settings", "/health"):
        for width in (1200, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(house.address + path)
            page.get_by_role("heading", level=1).last.wait_for()
            page.wait_for_load_state("load")
            assert serious(page) == [], (path, width)
            wider = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wider, (path, width)


def test_the_palette_goes_everywhere_by_keyboard(house: Served) -> None:
    page = house.page()
    say(page, "about kayaks")
    find(page, "Don't learn from this chat")
    expect(page.get_by_text("Not learning from here")).to_be_visible()
    assert house.log(page)[-1]["type"] == "quiet_mark"
    find(page, "What learning may spend")
    expect(page.get_by_role("heading", name="Settings", level=1).last).to_be_visible()


def test_a_reload_in_the_middle_of_a_reply_goes_on(house: Served) -> None:
    page = house.page()
    page.get_by_label("Write a message").fill("count slowly to 12")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").wait_for()
    page.wait_for_url("**/chats/**")
    page.reload()
    page.get_by_role("button", name="Try again").wait_for(timeout=60_000)
    expect(page.get_by_role("log")).to_contain_text("12")
    assert page.locator(".mine").count() == 1
    assert [one["type"] for one in house.log(page)].count("person_message") == 1


def test_stop_ends_a_reply(house: Served) -> None:
    page = house.page()
    page.get_by_label("Write a message").fill("count slowly to 500")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    assert house.log(page)[-1]["outcome"] == "stopped"
