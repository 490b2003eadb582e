"""What a person does all day: write, mend what they wrote, attach, find, remember, take back."""

from __future__ import annotations

import base64
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from web.browser.conftest import Served, say
from wire.answers import says
from wire.server import StubServer

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NOTES = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"# Notes\nShip on Friday."}
IMAGE = {"name": "dot.png", "mimeType": "image/png", "buffer": PIXEL}
OTHER = {"name": "book.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 \xff\xfe\x00"}


def attach(page: Page, *files: dict[str, object]) -> None:
    page.locator("input[type=file]").set_input_files(list(files))  # pyright: ignore[reportArgumentType]


def sent(served: Served, page: Page) -> list[dict[str, object]]:
    return [one for one in served.log(page) if one["type"] == "person_message"]


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until `wanted` has the focus."""
    for _ in range(60):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError("The focus never came there.")


def section(page: Page, title: str) -> Locator:
    return page.locator("section", has=page.get_by_role("heading", name=title, exact=True))


def test_a_chat_by_keyboard_alone(house: Served) -> None:
    page = house.page()
    expect(page.get_by_label("Write a message")).to_be_focused()
    page.keyboard.type("first line")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("second line")
    page.keyboard.press("Enter")
    again = page.get_by_role("button", name="Try again")
    again.wait_for()
    assert [one["text"] for one in sent(house, page)] == ["first line\nsecond line"]

    tab_to(page, page.get_by_role("button", name="Edit and send again"), "Shift+Tab")
    page.keyboard.press("Enter")
    write = page.get_by_label("Write a message")
    expect(write).to_be_focused()
    expect(write).to_have_value("first line\nsecond line")
    page.keyboard.press("Escape")
    expect(write).to_have_value("")
    expect(page.get_by_text("Editing an earlier message")).to_have_count(0)

    tab_to(page, page.get_by_role("button", name="Chat menu"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Rename")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="Rename")).to_be_focused()
    page.keyboard.press("Enter")
    title = page.get_by_label("Title")
    expect(title).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("Two lines")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Two lines")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert house.log(page)[-1]["title"] == "Two lines"

    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("log"))


def test_an_edited_message_takes_its_files_along(house: Served) -> None:
    page = house.page()
    attach(page, NOTES)
    expect(page.locator(".chip")).to_contain_text("notes.md")
    say(page, "when do we ship?")
    page.get_by_role("button", name="Edit and send again").click()
    expect(page.locator(".composer .chip")).to_contain_text("notes.md")
    say(page, "when do we ship, and who says so?")
    first, second = sent(house, page)
    assert second["files"] == first["files"]
    left_out = [one for one in house.log(page) if one["type"] == "left_out"]
    assert [(one["from_seq"], one["why"]) for one in left_out] == [(first["seq"], "edited")]
    expect(page.locator(".left-out .mine")).to_contain_text("when do we ship?")
    expect(page.locator(".mine")).to_have_count(2)

    page.get_by_role("button", name="Edit and send again").click()
    page.get_by_role("button", name="Remove notes.md").click()
    say(page, "never mind the notes")
    assert not sent(house, page)[-1].get("files")


def test_a_retry_sends_the_same_again(house: Served) -> None:
    page = house.page()
    say(page, "tell me something about kites")
    with page.expect_response("**/retry"):
        page.get_by_role("button", name="Try again").click()
    expect(page.locator(".left-out")).not_to_have_count(0)
    page.get_by_role("button", name="Try again").wait_for()
    assert [one["text"] for one in sent(house, page)] == ["tell me something about kites"] * 2
    assert [one["why"] for one in house.log(page) if one["type"] == "left_out"] == ["retried"]


def test_a_refused_file_says_which_and_why(house: Served) -> None:
    page = house.page()
    attach(page, IMAGE, OTHER, NOTES)
    said = page.get_by_role("alert").filter(has_text="dot.png")
    expect(said).to_contain_text("the model that answers now can't see images")
    expect(said).to_contain_text("book.pdf isn't attached: it is neither text nor")
    expect(page.locator(".chip")).to_have_count(1)
    say(page, "what do my notes say?")
    expect(page.get_by_text("isn't attached")).to_have_count(0)
    (message,) = sent(house, page)
    assert [one["name"] for one in message["files"]] == ["notes.md"]  # pyright: ignore


def test_an_image_goes_to_a_model_picked_in_the_chat(house: Served) -> None:
    with StubServer() as server:
        server.otherwise = says("A single dot.")
        given = {"id": "mine", "url": f"{server.root}/v1", "key": "sk-own-00000000", "model": "eye"}
        assert house.ask("POST", "/api/engines/connect", given | {"check": False}).ok
        assert house.ask("POST", "/api/engines/mine/set", {"images": True}).ok
        page = house.page()
        picker = page.get_by_role("combobox", name="Model")
        picker.click()
        page.get_by_role("option", name="eye").click()
        expect(picker).to_have_value("eye")
        settings = json.loads((house.home / "settings.json").read_text("utf-8"))
        assert (settings["engine"], settings["model"]) == ("mine", "eye")

        attach(page, IMAGE)
        say(page, "what is on it?")
        expect(page.get_by_role("log")).to_contain_text("A single dot.")
        expect(page.get_by_alt_text("Image: dot.png")).to_be_visible()
        assert base64.b64encode(PIXEL).decode() in server.requests[0].words
        kept = sent(house, page)[0]["files"][0]["image"]  # pyright: ignore
        chat = page.url.split("/chats/")[1]
        assert (house.home / "chats" / chat / "files" / kept).read_bytes() == PIXEL
        assert house.ask("DELETE", "/api/engines/mine").ok
        assert house.ask("POST", "/api/engines/use", {"id": "practice", "model": ""}).ok


def test_chats_are_found_renamed_and_archived(house: Served) -> None:
    page = house.page()
    say(page, "```python\nprint(1)\n```\nWhat does this zebra program do?")
    aside = page.get_by_role("navigation")
    expect(aside.get_by_role("link", name="What does this zebra program do?")).to_be_visible()
    page.get_by_role("button", name="Chat menu").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_label("Title").fill("Stripes")
    page.get_by_role("button", name="Save").click()
    expect(aside.get_by_role("link", name="Stripes")).to_be_visible()
    aside.get_by_label("Search chats").fill("zebra")
    found = aside.get_by_role("link", name="Stripes")
    expect(found).to_contain_text("zebra")
    found.click()
    expect(page).to_have_url(re.compile(r"\?at=\d+"))
    aside.get_by_label("Search chats").fill("qzxvkj")
    expect(aside.get_by_text("No chat holds these words.")).to_be_visible()
    aside.get_by_label("Search chats").fill("")

    page.get_by_role("button", name="Chat menu").click()
    page.get_by_role("menuitem", name="Archive").click()
    expect(aside.get_by_role("link", name="Stripes")).to_have_count(0)
    aside.get_by_text("Archived", exact=True).click()
    expect(aside.get_by_role("link", name="Stripes")).to_be_visible()
    assert [one["on"] for one in house.log(page) if one["type"] == "archived"] == [True]
    page.get_by_role("button", name="Chat menu").click()
    page.get_by_role("menuitem", name="Take out of the archive").click()
    expect(aside.get_by_role("link", name="Stripes")).to_have_count(0)


def test_a_memory_is_edited_forgotten_and_brought_back(house: Served) -> None:
    page = house.page("/memory")
    page.get_by_label("What should Conch remember?").fill("Plays the viola on Mondays")
    page.get_by_role("button", name="Add a memory").click()
    page.get_by_role("button", name="Edit: Plays the viola on Mondays").click()
    page.get_by_role("textbox", name="Edit").fill("Plays the viola on Tuesdays")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("textbox", name="Edit")).to_have_count(0)
    assert "Plays the viola on Tuesdays" in house.memories()

    page.get_by_role("button", name="Forget: Plays the viola on Tuesdays").click()
    expect(page.get_by_text("Forgotten: Plays the viola on Tuesdays")).to_be_visible()
    assert "Plays the viola on Tuesdays" not in house.memories()
    # Undo stays when what else changes has the list read anew.
    assert house.ask("POST", "/api/memory", {"text": "Has a viola", "kind": "fact"}).ok
    expect(page.get_by_role("button", name="Edit: Has a viola")).to_be_visible()
    page.get_by_role("button", name="Undo: Plays the viola on Tuesdays").click()
    expect(page.get_by_role("button", name="Edit: Plays the viola on Tuesdays")).to_be_visible()
    assert house.memories().count("Plays the viola on Tuesdays") == 1


def test_memories_are_exported(house: Served, tmp_path: Path) -> None:
    assert house.ask("POST", "/api/memory", {"text": "Grows basil", "kind": "fact"}).ok
    page = house.page("/memory")
    saved = {}
    for name in ("Markdown", "JSON"):
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        saved[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name])
    assert "Grows basil" in saved["JSON"].read_text("utf-8")
    with zipfile.ZipFile(saved["Markdown"]) as archive:
        assert any("Grows basil" in archive.read(name).decode() for name in archive.namelist())


def test_what_it_may_do_unasked_is_chosen_and_told(house: Served) -> None:
    page = house.page("/settings#safety")
    page.locator("label", has_text="Change files").click()
    expect(page.get_by_text("It changes files in the chat's folder without asking")).to_be_visible()
    assert json.loads((house.home / "settings.json").read_text("utf-8"))["mode"] == "accept_edits"
    page.locator("label", has_text="Ask first").click()
    expect(page.get_by_text("Before every command and every change of a file")).to_be_visible()


def test_a_skill_is_taken_by_its_first_letters(house: Served) -> None:
    words = {"title": "Water the roses", "description": "A plan.", "instructions": "1. Look."}
    preview = house.ask("POST", "/api/skills/preview", words).json()
    new = words | {"mode": "manual", "words_hash": preview["words_hash"]}
    assert house.ask("POST", "/api/skills", new).ok
    page = house.page()
    write = page.get_by_label("Write a message")
    write.press_sequentially("/wa")
    expect(page.get_by_role("option", name="/water-the-roses")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox", name="Skills")).to_have_count(0)
    page.keyboard.type("t")
    page.keyboard.press("Enter")
    expect(write).to_have_value("/water-the-roses ")
    expect(page).to_have_url(house.address + "/")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_less_motion_where_it_is_asked_for(house: Served, motion: str) -> None:
    page = house.page()
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    page.set_viewport_size({"width": 360, "height": 800})
    moves = page.locator("nav.side").evaluate("one => getComputedStyle(one).transitionDuration")
    assert (moves in ("0s", "")) == (motion == "reduce")
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(page.get_by_label("Search chats")).to_be_in_viewport()


def test_eight_tabs_stay_in_step_and_the_next_takes_over(house: Served) -> None:
    def add(text: str) -> None:
        assert house.ask("POST", "/api/memory", {"text": text, "kind": "fact"}).ok

    tabs = [house.page("/memory") for _ in range(8)]
    for tab in tabs:
        expect(tab.get_by_role("heading", name="What Conch knows")).to_be_visible()
    add("Keeps eight tabs open")
    for tab in tabs:
        expect(tab.get_by_role("button", name="Edit: Keeps eight tabs open")).to_be_visible()
    # The first listens for all of them.
    tabs[0].close()
    tabs[1].wait_for_timeout(200)
    add("Closed the first of them")
    for tab in tabs[1:]:
        expect(tab.get_by_role("button", name="Edit: Closed the first of them")).to_be_visible()


def test_what_the_gateway_refuses_is_told_in_german(house: Served) -> None:
    assert house.ask("PATCH", "/api/settings", {"language": "de"}).ok
    page = house.page("/memory")
    page.get_by_label("Was soll Conch sich merken?").fill("My password is hunter2Xy9!")
    page.get_by_role("button", name="Hinzufügen").click()
    expect(page.get_by_text("Nichts wurde gespeichert: Erinnerungen werden")).to_be_visible()
    expect(page.get_by_text("Say it without")).to_have_count(0)
    assert house.ask("PATCH", "/api/settings", {"language": "en"}).ok
    expect(page.get_by_role("heading", name="What Conch knows")).to_be_visible()
