"""A real gateway on the practice engine, its clock sped up, and Debian's chromium before it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, BrowserContext, Page, expect, sync_playwright

import warm
from conch.web.pages import DIST

QUICK = "300"
"""How many times faster the clock runs: ten minutes of quiet are two seconds."""

LIVES_AT_MOST = 900
"""Seconds a gateway lives, whatever becomes of its test."""
PATIENCE_MS = 20_000
"""How long anything on a page may take: a machine that builds meanwhile is five times slower."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class Served:
    """A running gateway: its home on disk, its address, and a browser that is signed in."""

    home: Path
    address: str
    context: BrowserContext

    def page(self, path: str = "/") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(self.address + path)
        return page

    def ask(self, method: str, path: str, body: object = None) -> APIResponse:
        """A request as the app would make it, by the same session."""
        headers = {"origin": self.address, "content-type": "application/json"}
        data = None if body is None else json.dumps(body)
        return self.context.request.fetch(
            self.address + path, method=method, headers=headers, data=data
        )

    def log(self, page: Page) -> list[dict[str, object]]:
        """The log on disk of the chat a page shows."""
        chat = page.url.split("/chats/")[1].split("?")[0]
        lines = (self.home / "chats" / chat / "log.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def memories(self) -> list[str]:
        """The words of the live memories, as they are on disk."""
        files = sorted((self.home / "memory").glob("*.md"))
        return [file.read_text("utf-8").split("---\n", 2)[2].strip() for file in files]


# Not for the whole session: while it is open, no test beside it can run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "These tests need chromium: apt-get install chromium"
    assert (DIST / "index.html").is_file(), "These tests need the built app: make web"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@contextlib.contextmanager
def serving(home: Path, browser: Browser) -> Iterator[Served]:
    """A gateway over `home` and a browser signed in to it."""
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    environ = {**kept, "CONCH_HOME": str(home), "CONCH_TEST_CLOCK_SPEED": QUICK, "COLUMNS": "300"}
    reading, writing = os.pipe()
    with Path(os.devnull).open() as nothing, os.fdopen(reading) as output:
        gateway = warm.start(
            *("serve", "--no-open", "--port", "0"),
            environ=environ,
            streams=(nothing.fileno(), writing, writing),
            lives=LIVES_AT_MOST,
        )
        os.close(writing)
        try:
            said = ""
            link = None
            while link is None:
                line = output.readline()
                assert line, f"The gateway ended: {said}"
                said += line
                link = re.search(r"(http://\S+)/sign-in\?token=\S+", said)
            context = browser.new_context(viewport={"width": 1200, "height": 800}, locale="en-GB")
            context.set_default_timeout(PATIENCE_MS)
            assert context.request.get(link.group(0)).ok
            yield Served(home, link.group(1), context)
            context.close()
        finally:
            # Its home is thrown away; how it ends in an orderly way is tested without a browser.
            gateway.kill()
            gateway.wait()


def past_first_run(served: Served) -> Served:
    """What the three screens do, without walking through them."""
    assert served.ask("PATCH", "/api/settings", {"name": "Ada"}).ok
    assert served.ask("POST", "/api/engines/use", {"id": "practice", "model": ""}).ok
    return served


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    """A home nobody has used yet."""
    with serving(tmp_path / "home", browser) as one:
        yield one


@pytest.fixture
def begun(served: Served) -> Served:
    """A home past its first run, of one test alone: what it learns is its own."""
    return past_first_run(served)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A home past its first run that the tests of a module share: each looks at its own chats."""
    with serving(tmp_path_factory.mktemp("house") / "home", browser) as one:
        yield past_first_run(one)


@pytest.fixture(autouse=True)
def _tabs_closed(request: pytest.FixtureRequest) -> Iterator[None]:
    """No tab of a test outlives it where the home is shared."""
    yield
    if "house" in request.fixturenames:
        for page in request.getfixturevalue("house").context.pages:
            page.close()


def first_run(page: Page) -> None:
    page.get_by_label("What may I call you?").fill("Ada")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Look around with the practice engine").click()
    page.get_by_role("button", name="Begin a chat").click()
    page.get_by_label("Write a message").wait_for()


def say(page: Page, words: str) -> None:
    """Send a message, and wait for its reply to end."""
    page.get_by_label("Write a message").fill(words)
    page.keyboard.press("Enter")
    page.locator(".one", has_text=words).first.wait_for()
    page.get_by_role("button", name="Send", exact=True).wait_for()
    page.get_by_role("button", name="Try again").wait_for()
