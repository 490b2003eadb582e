"""A real gateway on the practice engine, its clock sped up, and Debian's chromium before it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from conch.web.pages import DIST

QUICK = "300"
"""How many times faster the clock runs: ten minutes of quiet are two seconds."""


@dataclass
class Served:
    """A running gateway: its home on disk, its address, and a browser that is signed in."""

    home: Path
    address: str
    context: BrowserContext

    def page(self, path: str = "/") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.goto(self.address + path)
        return page

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


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    home = tmp_path / "home"
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    environ = {**kept, "CONCH_HOME": str(home), "CONCH_TEST_CLOCK_SPEED": QUICK, "COLUMNS": "300"}
    port = str(_free_port())
    gateway = subprocess.Popen(
        [sys.executable, "-m", "conch", "serve", "--no-open", "--port", port],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert gateway.stdout is not None
        said = ""
        link = None
        while link is None:
            line = gateway.stdout.readline()
            assert line, f"The gateway ended: {said}"
            said += line
            link = re.search(r"(http://\S+)/sign-in\?token=\S+", said)
        context = browser.new_context(viewport={"width": 1200, "height": 800}, locale="en-GB")
        page = context.new_page()
        page.goto(link.group(0))
        page.get_by_label("What may I call you?").wait_for()
        page.close()
        yield Served(home, link.group(1), context)
        context.close()
    finally:
        gateway.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            gateway.wait(10)
        gateway.kill()


@pytest.fixture
def begun(served: Served) -> Served:
    """A home past its first run."""
    page = served.page()
    first_run(page)
    page.close()
    return served


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
