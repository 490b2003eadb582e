"""The long way → offer → draft → saved → used in a new chat → held to its list, in a browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from web.browser.conftest import Served, say
from web.browser.test_pages import serious

LONG_WAY = "turn my notes into a report, the long way"


def long_way(page: Page) -> None:
    """Have it done the long way, every step allowed that is asked for."""
    page.get_by_label("Write a message").fill(LONG_WAY)
    page.keyboard.press("Enter")
    allow = page.get_by_role("button", name="Allow once")
    offer = page.locator("[data-offer]")
    for _ in range(40):
        expect(allow.or_(offer).first).to_be_visible(timeout=40_000)
        if offer.count():
            break
        with page.expect_response("**/allow"):
            allow.first.click()
        page.wait_for_timeout(200)
    expect(offer).to_contain_text("That took 12 steps, and it worked.")


def learned(served: Served) -> dict[str, list[dict[str, object]]]:
    return json.loads((served.home / "skill-learned.json").read_text("utf-8"))


def skills(served: Served) -> list[str]:
    return [one.parent.name for one in (served.home / "skills").glob("*/SKILL.md")]


def test_from_the_long_way_to_a_skill_that_holds_a_chat(begun: Served) -> None:
    page = begun.page()
    long_way(page)
    assert [one["steps"] for one in learned(begun)["offers"]] == [12]
    assert skills(begun) == []
    expect(page.locator("[role=alert], [class*=Notification], [class*=Badge]")).to_have_count(0)
    page.get_by_role("button", name="Look at the draft").click()
    expect(page.locator("[data-offer]")).to_contain_text("What it may do")
    page.get_by_role("button", name="Save how I did this as a skill").click()
    page.wait_for_url("**/skills/own/*")
    (name,) = skills(begun)
    assert learned(begun)["offers"][0]["state"] == "saved"
    expect(page.get_by_role("radio", name="When I ask")).to_be_checked()
    assert serious(page) == []

    page = begun.page()
    say(page, f"/{name} please")
    held = page.locator("details", has_text="Held to:")
    expect(held).to_be_visible()
    usage = json.loads((begun.home / "skill-usage.json").read_text("utf-8"))
    assert usage["skills"][name]["times"] == 1
    page.get_by_label("Write a message").fill("run `git status`")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A skill in this chat may only")).to_be_visible()
    page.get_by_role("button", name="Don't", exact=True).click()
    page.get_by_role("button", name="Try again").wait_for()
    held.locator("summary").click()
    held.get_by_role("button", name=re.compile("^Stop ")).click()
    expect(held).to_have_count(0)
    chat = page.url.split("/chats/")[1]
    assert '"skill_stopped"' in (begun.home / "chats" / chat / "log.jsonl").read_text("utf-8")


@pytest.mark.parametrize("answer", ["Not now", "Don't suggest this"])
def test_an_offer_is_put_off_or_turned_down(begun: Served, answer: str) -> None:
    page = begun.page()
    long_way(page)
    other = begun.page("/skills")
    expect(other.locator("[data-offer]")).to_be_visible()
    for width in (1200, 360):
        other.set_viewport_size({"width": width, "height": 800})
        assert serious(other) == [], width
        assert not other.evaluate("document.documentElement.scrollWidth > innerWidth"), width
    page.get_by_role("button", name=answer).click()
    expect(page.locator("[data-offer]")).to_have_count(0)
    expect(other.locator("[data-offer]")).to_have_count(0)
    kept = learned(begun)
    if answer == "Not now":
        assert kept["offers"][0]["until"]
    else:
        assert (kept["offers"], bool(kept["turned_down"])) == ([], True)
    assert skills(begun) == []
