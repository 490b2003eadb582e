"""Secrets in Settings, and a skill's page with how its uses went, in a browser."""

from __future__ import annotations

from playwright.sync_api import expect

from web.browser.conftest import Served, say
from web.browser.test_pages import serious

VALUE = "glx-7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5"


def test_a_secret_is_kept_by_name_and_shown_nowhere(begun: Served) -> None:
    page = begun.page("/settings#vault")
    page.get_by_label("Name", exact=True).fill("deploy-key")
    page.get_by_label("Secret", exact=True).fill(VALUE)
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_text("$DEPLOY_KEY")).to_be_visible()
    assert VALUE not in page.content()
    page.reload()
    expect(page.get_by_text("$DEPLOY_KEY")).to_be_visible()
    assert VALUE not in page.content()
    assert serious(page) == []
    page.get_by_role("button", name="Remove deploy-key").click()
    expect(page.get_by_text("$DEPLOY_KEY")).to_have_count(0)


def test_how_a_skill_went_and_its_last_chat_beside_it(begun: Served) -> None:
    folder = begun.home / "skills" / "tidy"
    folder.mkdir(parents=True)
    document = "---\nname: tidy\ndescription: Tidies.\n---\n\n# Tidy\n\n1. Use `ls`.\n2. Say it.\n"
    (folder / "SKILL.md").write_text(document, "utf-8")
    page = begun.page()
    say(page, "/tidy please")
    page = begun.page("/skills/own/tidy")
    expect(page.get_by_text("1 of 1 went well.")).to_be_visible()
    page.get_by_role("button", name="Compare with my last chat").click()
    expect(page.get_by_text("not done").first).to_be_visible()
    assert serious(page) == []
    assert (folder / "SKILL.md").read_text("utf-8") == document
