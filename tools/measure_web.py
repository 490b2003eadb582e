"""Measures the browser app, and writes docs/benchmarks-web.md: `make measure`.

A real gateway on a throwaway home with the practice engine, in headless Chromium.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import CDPSession, Page
from shown_gateway import Shown, shown_gateway

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "src" / "conch" / "web" / "dist"
REPORT = ROOT / "docs" / "benchmarks-web.md"
FIRST_LOAD_KB = 350
LOADS = 5
MESSAGES = 10_000
TOKENS = 40

LONG_CHAT = f"""
from conch.app import Conch
from conch.chats.events import AssistantMessage, PersonMessage, TurnCompleted
from conch.home.home import Home
from pathlib import Path
import os
conch = Conch(Home.open(Path(os.environ["CONCH_HOME"])), {{}})
chosen = {{"name": "Ada", "engine": "practice"}}
conch.home.change_settings(lambda one: one.model_copy(update=chosen))
log = conch.chats.log(conch.chats.new(title="Long"))
events = []
for at in range({MESSAGES} // 2):
    events.append(PersonMessage(text=f"Question {{at}} about plums, jars and shelves", door="web"))
    reply = f"Answer {{at}}: **yes**, and `jar {{at}}`.\\n\\n- one\\n- two"
    events.append(AssistantMessage(text=reply))
    events.append(TurnCompleted(outcome="success", engine="practice", model="practice-script"))
log.extend(events)
"""

# Each piece of the stream is timed as it arrives, and again at the first frame that shows it.
STREAM_PROBE = """
window.came = {}; window.shown = {};
const ask = window.fetch;
window.fetch = async (...given) => {
  const answer = await ask(...given);
  if (!String(given[0].url ?? given[0]).endsWith("/turn")) return answer;
  const [one, other] = answer.body.tee();
  (async () => {
    const read = other.getReader(), text = new TextDecoder();
    let all = "";
    for (;;) {
      const { done, value } = await read.read();
      if (done) return;
      const now = performance.now();
      for (const line of text.decode(value, { stream: true }).split("\\n"))
        if (line.startsWith("data: {")) all += JSON.parse(line.slice(6)).delta ?? "";
      for (const number of all.match(/\\d+/g) ?? []) window.came[number] ??= now;
    }
  })();
  return new Response(one, { headers: answer.headers, status: answer.status });
};
new MutationObserver(() => {
  const reply = document.querySelector("[aria-busy=true]");
  if (!reply) return;
  const numbers = reply.textContent.match(/\\d+/g) ?? [];
  requestAnimationFrame(() => {
    const now = performance.now();
    for (const one of numbers) window.shown[one] ??= now;
  });
}).observe(document, { subtree: true, childList: true, characterData: true });
"""

FRAMES = """async () => {
  const box = document.querySelector(".thread"), frames = [];
  let before = performance.now();
  for (let at = 0; at < 120; at++) {
    box.scrollTop -= 400;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - before);
    before = now;
  }
  return frames;
}"""


def chunks() -> tuple[float, dict[str, float]]:
    """KB gzip of the first load (every file it needs), and of each lazy chunk."""
    manifest = json.loads((DIST / ".vite" / "manifest.json").read_text("utf-8"))
    first: set[str] = set()
    open_ = [one for one in manifest.values() if one.get("isEntry")]
    while open_:
        one = open_.pop()
        first |= {one["file"], *one.get("css", [])}
        named = (manifest[name] for name in one.get("imports", []))
        open_ += [other for other in named if other["file"] not in first]

    def size(name: str) -> float:
        return len(gzip.compress((DIST / name).read_bytes())) / 1024

    lazy = {one["file"] for one in manifest.values()} - first
    return sum(size(name) for name in first), {name: size(name) for name in sorted(lazy)}


def first_content(shown: Shown, slower: int) -> list[float]:
    """Milliseconds to the first content of a cold load, `slower` times slowed down."""
    found = []
    for _ in range(LOADS):
        page = shown.context.new_page()
        debugger = page.context.new_cdp_session(page)
        debugger.send("Network.setCacheDisabled", {"cacheDisabled": True})
        debugger.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(shown.address)
        page.get_by_label("Write a message").wait_for()
        page.wait_for_function("performance.getEntriesByType('paint').length > 1")
        painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        found.append(float(page.evaluate(painted)))
        page.close()
    return found


def token_delay(shown: Shown) -> list[float]:
    """Milliseconds from the arrival of each streamed piece to the frame that shows it."""
    page = shown.context.new_page()
    page.add_init_script(STREAM_PROBE)
    page.goto(shown.address)
    page.get_by_label("Write a message").fill(f"count slowly to {TOKENS}")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Try again").wait_for(timeout=60_000)
    came, seen = page.evaluate("[window.came, window.shown]")
    page.close()
    return [seen[one] - came[one] for one in came if one in seen]


def heap_mb(debugger: CDPSession) -> float:
    debugger.send("HeapProfiler.collectGarbage")
    return debugger.send("Runtime.getHeapUsage")["usedSize"] / 2**20


def long_chat(shown: Shown) -> dict[str, float]:
    """How a chat of 10,000 messages opens, is read to its beginning, and scrolls."""
    page: Page = shown.context.new_page()
    page.set_default_timeout(120_000)
    debugger = page.context.new_cdp_session(page)
    page.goto(shown.address)
    page.get_by_role("link", name="Long").wait_for()
    before = heap_mb(debugger)
    began = time.perf_counter()
    page.get_by_role("link", name="Long").click()
    page.get_by_text(f"Answer {MESSAGES // 2 - 1}:").wait_for()
    opened = (time.perf_counter() - began) * 1000
    earlier = page.get_by_role("button", name="Earlier messages")
    began = time.perf_counter()
    while earlier.count():
        page.evaluate("document.querySelector('.thread').scrollTop = 0")
        page.wait_for_timeout(30)
    whole = time.perf_counter() - began
    page.evaluate("document.querySelector('.thread').scrollTop = 1e9")
    page.wait_for_timeout(500)
    frames = sorted(page.evaluate(FRAMES))
    found = {
        "opened": opened,
        "whole": whole,
        "heap": heap_mb(debugger) - before,
        "nodes": float(page.evaluate("document.querySelectorAll('.thread *').length")),
        "frame": statistics.median(frames),
        "frame95": frames[int(len(frames) * 0.95)],
    }
    page.close()
    return found


def spread(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ({min(times):.0f} to {max(times):.0f})"


def main() -> None:
    first, lazy = chunks()
    with shown_gateway(LONG_CHAT) as shown:
        at_once, slowed = first_content(shown, 1), first_content(shown, 4)
        delays = token_delay(shown)
        long = long_chat(shown)
        version = shown.browser.version
    rows = [
        ("First load, everything it needs, KB gzip", f"{first:.0f} (at most {FIRST_LOAD_KB})"),
        (f"First content of a cold load, ms, {LOADS} loads", spread(at_once)),
        ("The same, four times slowed down, ms", spread(slowed)),
        (
            f"A streamed piece, from its arrival to its frame, ms, {len(delays)} pieces",
            spread(delays),
        ),
        (f"A chat of {MESSAGES:,} messages opens, ms", f"{long['opened']:.0f}"),
        ("Reading it back to its beginning, s", f"{long['whole']:.1f}"),
        ("Memory it then takes in the tab, MB", f"{long['heap']:.0f}"),
        ("Elements of it on the page", f"{long['nodes']:.0f}"),
        (
            "A frame while it scrolls, ms, median and 95 in 100",
            f"{long['frame']:.0f}, {long['frame95']:.0f}",
        ),
    ]
    lines = [
        "# How fast the browser app is",
        "",
        "Made by `make measure`: a real gateway with the practice engine, headless Chromium",
        f"{version}. Machine: {os.cpu_count()} processors ({platform.machine()}), load "
        f"{os.getloadavg()[0]:.1f} while it was measured.",
        "",
        "| what | figure |",
        "|---|---|",
        *(f"| {what} | {figure} |" for what, figure in rows),
        "",
        "Fetched only when needed, KB gzip: "
        + ", ".join(f"{Path(name).name.split('-')[0]} {size:.1f}" for name, size in lazy.items())
        + ".",
        "",
    ]
    REPORT.write_text("\n".join(lines), "utf-8")
    sys.stdout.write("\n".join(lines))
    if first > FIRST_LOAD_KB:
        raise SystemExit("The first load is too large.")


if __name__ == "__main__":
    main()
