"""Pictures of every page of the web app, of a home that real runs on the practice engine made.

`make screenshots` writes them to docs/pictures: light, dark, and 360 pixels wide.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page
from shown_gateway import Shown, say, shown_gateway

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
COLOURS = 64
WIDE, PHONE = (1120, 760), (360, 720)
TALL = {"memory": 1900, "settings": 1290}
"""Pages that are longer than a window: how much of them a wide picture shows, in pixels. Of the
settings not the last line, which tells the throwaway home's path."""


def keep(page: Page, name: str) -> None:
    """One picture, with few colours so that it is small."""
    page.wait_for_timeout(350)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = taken.quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(PICTURES / f"{name}.png", optimize=True)


def everywhere(page: Page, name: str) -> None:
    """The page as it is now: light, dark, and on a phone."""
    wide = {"width": WIDE[0], "height": TALL.get(name, WIDE[1])}
    page.set_viewport_size({"width": wide["width"], "height": wide["height"]})
    keep(page, name)
    page.emulate_media(color_scheme="dark")
    keep(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    keep(page, f"{name}-phone")
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def first_run(shown: Shown) -> None:
    page = shown.page()
    page.get_by_label("What may I call you?").wait_for()
    everywhere(page, "first-name")
    page.get_by_label("What may I call you?").fill("Ada")
    page.get_by_role("button", name="Continue").click()
    practice = page.get_by_role("button", name="Look around with the practice engine")
    practice.wait_for()
    everywhere(page, "first-engine")
    practice.click()
    page.get_by_role("button", name="Begin a chat").wait_for()
    everywhere(page, "first-done")
    page.get_by_role("button", name="Begin a chat").click()
    page.get_by_label("Write a message").wait_for()
    everywhere(page, "chat-new")
    page.close()


def learn(page: Page) -> None:
    page.locator("details.learned > summary").last.wait_for()


def chats(shown: Shown) -> None:
    """Chats that leave something behind: a correction, a move, and one that read a file."""
    for words in ("I live in Berlin, near the canal", "I moved to Lisbon"):
        page = shown.page()
        say(page, words)
        learn(page)
        page.close()
    page = shown.page()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Attach files").click()
    chosen.value.set_files(
        {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\nShip on Friday."}
    )
    page.get_by_text("notes.md").wait_for()
    say(page, "I always review with two people. See my notes")
    learn(page)
    page.close()


def correction(shown: Shown) -> None:
    page = shown.page()
    code = "```python\ndef area(w, h):\n    return w * h\n```"
    say(page, f"Please read this function, and tell me what its arguments are for:\n\n{code}")
    say(page, "no, I meant TypeScript")
    learn(page)
    page.locator("details.learned > summary").click()
    everywhere(page, "chat")
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("dialog").locator("mark").wait_for()
    everywhere(page, "why")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.keyboard.press("Control+K")
    page.get_by_placeholder("Search or go to…").wait_for()
    page.keyboard.type("learn")
    everywhere(page, "find")
    page.close()


def pages(shown: Shown) -> None:
    page = shown.page()
    say(page, "Tell me a joke")
    say(page, "no, I meant a dry one")
    learn(page)
    page.locator("details.learned > summary").click()
    page.get_by_role("button", name="Undo").click()
    page.locator(".thing").get_by_text("Undone").wait_for()
    for name in ("memory", "settings", "health"):
        page.goto(f"{shown.address}/{name}")
        page.get_by_role("heading", level=1).last.wait_for()
        page.wait_for_timeout(700)
        everywhere(page, name)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(shown.address)
    page.get_by_role("button", name="Menu").click()
    keep(page, "menu-phone")
    page.close()


def skills(shown: Shown) -> None:
    """Work done the long way: the offer, and the skill it becomes."""
    page = shown.page()
    page.get_by_label("Write a message").fill("turn my notes into a report, the long way")
    page.keyboard.press("Enter")
    allow = page.get_by_role("button", name="Allow once")
    offer = page.locator("[data-offer]")
    while not offer.count():
        allow.or_(offer).first.wait_for()
        if allow.count():
            with page.expect_response("**/allow"):
                allow.first.click()
            page.wait_for_timeout(200)
    everywhere(page, "offer")
    page.goto(f"{shown.address}/skills")
    page.get_by_role("button", name="Look at the draft").click()
    everywhere(page, "skills")
    page.get_by_role("button", name="Save how I did this as a skill").click()
    page.wait_for_url("**/skills/own/*")
    page.get_by_role("heading", level=2).first.wait_for()
    everywhere(page, "skill")
    page.close()


def signed_out(shown: Shown) -> None:
    context = shown.browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(shown.address)
    page.get_by_role("heading", name="Sign in").wait_for()
    everywhere(page, "sign-in")
    context.close()


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with shown_gateway() as shown:
        first_run(shown)
        chats(shown)
        correction(shown)
        pages(shown)
        skills(shown)
        signed_out(shown)
    sizes = {path.name: path.stat().st_size for path in sorted(PICTURES.glob("*.png"))}
    sys.stdout.write(f"{len(sizes)} pictures, {sum(sizes.values()) // 1024} KB\n")


if __name__ == "__main__":
    main()
