"""The long way → offer → draft → saved → used in a new chat → held to its list, in a browser."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from web.browser.conftest import Served, say
from web.browser.test_pages import serious
from web.browser.test_what_waits_and_what_was import LOUD

LONG_WAY = "turn my notes into a report, the long way"


def long_way(page: Page) -> None:
    """Have it done the long way, every step allowed that is asked for."""
    page.get_by_label("Write a message").fill(LONG_WAY)
    page.keyboard.press("Enter")
    question = page.locator("[data-approval]")
    offer = page.locator("[data-offer]")
    for _ in range(40):
        expect(question.or_(offer).first).to_be_visible(timeout=40_000)
        if offer.count():
            break
        this = question.first.get_attribute("data-approval")
        answered = page.locator(f'[data-approval="{this}"]')
        answered.get_by_role("button", name="Allow once").click()
        expect(answered).to_have_count(0)
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
    expect(page.locator(LOUD)).to_have_count(0)
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


def test_an_offer_is_turned_down(begun: Served) -> None:
    page = begun.page()
    long_way(page)
    other = begun.page("/skills")
    expect(other.locator("[data-offer]")).to_be_visible()
    for width in (1200, 360):
        other.set_viewport_size({"width": width, "height": 800})
        assert serious(other) == [], width
        assert not other.evaluate("document.documentElement.scrollWidth > innerWidth"), width
    page.get_by_role("button", name="Don't suggest this").click()
    expect(page.locator("[data-offer]")).to_have_count(0)
    expect(other.locator("[data-offer]")).to_have_count(0)
    kept = learned(begun)
    assert (kept["offers"], bool(kept["turned_down"])) == ([], True)
    assert skills(begun) == []


def test_a_new_skill_is_previewed_and_a_stale_edit_refused(house: Served) -> None:
    page = house.page("/skills/new")
    page.get_by_label("Title").fill("Water the plants")
    page.get_by_label("When it is used").fill("A plan for watering.")
    page.get_by_label("Steps").fill("1. Look at the soil.\n2. Water what is dry.")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("The scan found nothing.")).to_be_visible()
    expect(page.get_by_text("Read web pages", exact=True)).to_be_visible()
    assert serious(page) == []
    assert "water-the-plants" not in skills(house)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/skills/own/water-the-plants")
    file = house.home / "skills" / "water-the-plants" / "SKILL.md"
    assert "2. Water what is dry." in file.read_text("utf-8")

    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Steps").fill("1. Look.\n2. Ask first.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save").wait_for()
    file.write_text(file.read_text("utf-8").replace("soil", "leaves"), "utf-8")
    with page.expect_response("**/edit") as answered:
        page.get_by_role("button", name="Save").click()
    assert answered.value.status == 409
    expect(page.get_by_role("alert")).to_contain_text("The words changed since you saw them.")
    assert "Look at the leaves." in file.read_text("utf-8")


BROUGHT = b"""---
name: fold-paper
description: Folding a crane.
---

# Fold paper

1. Take a square.
"""


def test_a_skill_is_brought_in_off_and_deleted_once_sure(house: Served) -> None:
    page = house.page("/skills")
    file = {"name": "SKILL.md", "mimeType": "text/markdown", "buffer": BROUGHT}
    page.locator("input[type=file]").set_input_files(file)  # pyright: ignore[reportArgumentType]
    page.wait_for_url("**/skills/own/fold-paper")
    expect(page.get_by_role("radio", name="Off")).to_be_checked()
    assert "fold-paper" in skills(house)
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert "fold-paper" in skills(house)
    page.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/skills")
    assert "fold-paper" not in skills(house)

    not_one = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"no skill"}
    page.locator("input[type=file]").set_input_files(not_one)  # pyright: ignore[reportArgumentType]
    expect(page.get_by_role("alert")).to_be_visible()
