"""A gateway on a throwaway home with the practice engine, and chromium signed in before it.

For the scripts beside this one that take pictures of the web app and measure it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

QUICK = "300"
"""How many times faster the clock runs: ten minutes of quiet are two seconds."""
PATIENCE_MS = 60_000


@dataclass
class Shown:
    """A running gateway: its home, its address, the browser and a context that is signed in."""

    home: Path
    address: str
    browser: Browser
    context: BrowserContext

    def page(self, path: str = "/", width: int = 1200, height: int = 800) -> Page:
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(PATIENCE_MS)
        page.goto(self.address + path)
        return page


@contextlib.contextmanager
def shown_gateway(prepare: str = "") -> Iterator[Shown]:
    """Start a gateway; when the block ends it is stopped and its home is gone.

    `prepare`: Python that is run with the home's environment before the gateway starts. Raises
    SystemExit without chromium, RuntimeError when the gateway doesn't start.
    """
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("This needs chromium: apt-get install chromium")
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_API_KEY")}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "home"
        environ = {
            **kept,
            "CONCH_HOME": str(home),
            "CONCH_TEST_CLOCK_SPEED": QUICK,
            "COLUMNS": "300",
        }
        if prepare:
            subprocess.run([sys.executable, "-c", prepare], env=environ, check=True)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = str(one.getsockname()[1])
        gateway = subprocess.Popen(
            [sys.executable, "-m", "conch", "serve", "--no-open", "--port", port],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            link = _link(gateway)
            browser = playwright.chromium.launch(
                executable_path=chromium,
                args=["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"],
            )
            context = browser.new_context(locale="en-GB", reduced_motion="reduce")
            first = context.new_page()
            first.goto(link)
            first.wait_for_load_state("networkidle")
            first.close()
            yield Shown(home, link.split("/sign-in")[0], browser, context)
            browser.close()
        finally:
            gateway.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                gateway.wait(10)
            gateway.kill()


def _link(gateway: subprocess.Popen[str]) -> str:
    assert gateway.stdout is not None
    said = ""
    while line := gateway.stdout.readline():
        said += line
        if found := re.search(r"http://\S+/sign-in\?token=\S+", said):
            return found[0]
    raise RuntimeError(f"The gateway ended: {said}")


def say(page: Page, words: str) -> None:
    """Send a message, and wait for its reply to end."""
    page.get_by_label("Write a message").fill(words)
    page.keyboard.press("Enter")
    page.locator(".one .mine", has_text=words.splitlines()[0]).last.wait_for()
    page.get_by_role("button", name="Send", exact=True).wait_for()
    page.get_by_role("button", name="Try again").wait_for()
