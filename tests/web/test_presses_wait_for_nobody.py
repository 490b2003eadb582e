"""A press waits for the disk beside the event loop, and alone among what writes memories."""

from __future__ import annotations

import asyncio
import threading


async def test_while_a_press_waits_for_the_disk_everything_else_goes_on(browser):
    written = threading.Event()
    press = asyncio.ensure_future(browser.gateway.pressed(lambda: written.wait(20)))
    await asyncio.sleep(0.05)
    assert not press.done()
    assert (await browser.get("/api/memory"))["total"] == 0
    written.set()
    assert await press


async def test_two_presses_at_once_are_carried_out_one_after_the_other(browser):
    going: list[str] = []
    steps: list[tuple[str, ...]] = []

    def press(name: str) -> None:
        going.append(name)
        threading.Event().wait(0.05)
        steps.append(tuple(going))
        going.remove(name)

    presses = (browser.gateway.pressed(lambda name=name: press(name)) for name in "abc")
    await asyncio.gather(*presses)
    assert sorted(steps) == [("a",), ("b",), ("c",)]
