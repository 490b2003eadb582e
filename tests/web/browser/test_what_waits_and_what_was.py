"""What waits, what used to be true, and what is not learned: read back from disk at every step."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from web.browser.conftest import Served, say
from web.browser.test_learning_in_the_browser import open_line

LOUD = "[role=alert]:not(:empty), [class*=Notification], [class*=Badge]"
NOTES = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\nShip on Friday."}


def attach(page: Page) -> None:
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Attach files").click()
    chosen.value.set_files(NOTES)  # pyright: ignore[reportArgumentType]
    expect(page.locator(".chip")).to_contain_text("notes.md")


def never(served: Served) -> str:
    file = served.home / "learning" / "never.json"
    return file.read_text("utf-8") if file.exists() else ""


def superseded(served: Served) -> list[str]:
    files = sorted((served.home / "memory" / "superseded").glob("*.md"))
    return [file.read_text("utf-8").split("---\n", 2)[2].strip() for file in files]


def test_a_replaced_memory_is_a_diff_and_stays_in_earlier(begun: Served) -> None:
    page = begun.page()
    say(page, "I live in Berlin")
    open_line(page)
    assert begun.memories() == ["Lives in Berlin"]
    page = begun.page()
    say(page, "I moved to Lisbon")
    open_line(page)
    thing = page.locator(".thing")
    expect(thing.locator("del")).to_have_text("Berlin")
    expect(thing.locator("ins")).to_have_text("Lisbon")
    assert begun.memories() == ["Lives in Lisbon"]
    assert superseded(begun) == ["Lives in Berlin"]

    page.goto(begun.address + "/memory#earlier")
    earlier = page.locator("section", has=page.get_by_role("heading", name="Earlier"))
    moments = earlier.locator("ol.time li")
    expect(moments).to_have_count(2)
    expect(moments.first).to_contain_text(re.compile("Lives in Berlin until .* 20"))
    expect(moments.last).to_contain_text(re.compile("Lives in Lisbon since .* 20"))
    # What was learned first says what became of it.
    expect(page.get_by_text("Replaced since.")).to_be_visible()

    earlier.get_by_role("button", name="Forget: Lives in Berlin").click()
    expect(earlier.get_by_text("Nothing has been replaced yet.")).to_be_visible()
    assert superseded(begun) == []
    assert begun.memories() == ["Lives in Lisbon"]


def test_keep_is_refused_when_the_words_changed_meanwhile(begun: Served) -> None:
    page = begun.page()
    attach(page)
    say(page, "I always review with two people. See my notes")
    sent = next(one for one in begun.log(page) if one["type"] == "person_message")
    assert "notes.md" in json.dumps(sent["files"])
    line = page.locator("details.learned > summary")
    line.wait_for(timeout=40_000)
    expect(line).to_contain_text("1 waits for you")
    line.click()
    old = "Always reviews with two people"
    keep = page.get_by_role("button", name=f"Keep: {old}")
    expect(keep).to_be_visible()

    # This card goes stale: its tab hears nothing while the words are changed in another.
    page.route("**/api/chats/*", lambda route: route.abort())
    other = begun.page("/memory")
    expect(other.get_by_role("heading", name="Waiting for you")).to_be_visible()
    waiting = other.locator("section").filter(
        has=other.get_by_role("heading", name="Waiting for you")
    )
    waiting.get_by_role("button", name=f"Edit: {old}").click()
    waiting.get_by_label("Edit").fill("Always reviews with three people")
    waiting.get_by_role("button", name="Save").click()
    expect(other.get_by_text("Always reviews with three people").first).to_be_visible()
    with page.expect_response("**/api/learning/answer") as answered:
        keep.click()
    assert answered.value.status == 409
    expect(page.locator(".thing")).to_contain_text("Always reviews with three people")
    assert begun.memories() == ["Always reviews with three people"]


def test_what_was_undone_is_not_learned_again(begun: Served) -> None:
    page = begun.page()
    say(page, "Write me a small function in Python")
    say(page, "no, I meant TypeScript")
    open_line(page)
    page.get_by_role("button", name="Undo: Prefers TypeScript").click()
    expect(page.locator(".thing").get_by_text("Undone")).to_be_visible()
    assert "Prefers TypeScript" in never(begun)
    page = begun.page()
    say(page, "Write me another function in Python")
    say(page, "no, I meant TypeScript")
    page.goto(begun.address + "/memory#recent")
    dropped = page.locator("details.quiet summary", has_text="Not learned")
    expect(dropped).to_contain_text("1", timeout=40_000)
    assert begun.memories() == []
    expect(page.get_by_text("Prefers TypeScript")).to_have_count(2)


def test_a_quiet_chat_teaches_nothing(begun: Served) -> None:
    page = begun.page()
    say(page, "Write me a small function in Python")
    page.get_by_role("button", name="Chat menu").click()
    page.get_by_role("menuitem", name="Don't learn from this chat").click()
    expect(page.get_by_text("Not learning from here")).to_be_visible()
    say(page, "no, I meant TypeScript")
    # Another chat is learned from meanwhile, so the look at this one would have come too.
    other = begun.page()
    say(other, "Write me a small function in Python")
    say(other, "no, I meant Rust")
    open_line(other)
    page.wait_for_timeout(2_500)
    expect(page.locator("details.learned")).to_have_count(0)
    assert begun.memories() == ["Prefers Rust"]
    assert [one["on"] for one in begun.log(page) if one["type"] == "quiet_mark"] == [True]


def test_at_the_cap_one_note_under_health_and_no_toast(begun: Served) -> None:
    key = {"id": "openai", "key": "sk-proj-Zq3vN8xW2rT6yU1p", "check": False}
    assert begun.ask("POST", "/api/engines/connect", key).ok
    assert begun.ask("POST", "/api/engines/use", {"id": "openai", "model": ""}).ok
    page = begun.page("/settings#spend")
    page.get_by_label("Cap a month, in US dollars").fill("0")
    page.locator("#spend").get_by_role("button", name="Save").click()
    expect(page.locator("#spend")).to_contain_text("Learning is paused until")
    assert json.loads((begun.home / "learning-spend.json").read_text("utf-8"))["limit"] == 0
    expect(page.locator(LOUD)).to_have_count(0)
    page.goto(begun.address + "/health")
    said = page.get_by_text("Learning has spent what it may this month.")
    expect(said).to_have_count(1)
    expect(page.locator(LOUD)).to_have_count(0)
    page.goto(begun.address + "/settings#spend")
    page.get_by_role("button", name="No cap").click()
    expect(page.locator("#spend")).to_contain_text("no cap")
    assert json.loads((begun.home / "learning-spend.json").read_text("utf-8"))["limit"] is None


def test_lists_page_on(begun: Served) -> None:
    page = begun.page("/memory")
    for at in range(55):
        text = f"Keeps jar number {at} of {at * 7 + 3} plums on shelf {at % 9}"
        assert begun.ask("POST", "/api/memory", {"text": text, "kind": "fact"}).status == 201
    page.reload()
    known = page.locator("section", has=page.get_by_role("heading", name="What Conch knows"))
    expect(known.locator("[data-memory]")).to_have_count(50)
    known.get_by_role("button", name="Show more").click()
    expect(known.locator("[data-memory]")).to_have_count(55)
    assert len(begun.memories()) == 55
