"""Work off the loop has ended before who waits for it goes on, whatever is cancelled meanwhile."""

from __future__ import annotations

import asyncio
import threading

import pytest

from conch.home.off_loop import off_loop


class Slow:
    """Work that goes on until let go."""

    def __init__(self, raises: Exception | None = None) -> None:
        self.began, self.may_end, self.ended = (threading.Event() for _ in range(3))
        self.raises = raises

    def __call__(self) -> str:
        self.began.set()
        assert self.may_end.wait(30)
        self.ended.set()
        if self.raises is not None:
            raise self.raises
        return "done"


@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("raises", [None, OSError("full")], ids=["it works", "it fails"])
async def test_whoever_is_cancelled_waits_however_often(times, raises):
    slow = Slow(raises)
    waiting = asyncio.create_task(off_loop(slow))
    await asyncio.to_thread(slow.began.wait, 30)
    for _ in range(times):
        waiting.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
    assert not waiting.done()
    slow.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert slow.ended.is_set()


def test_the_loops_own_end_waits_too():
    slow, after = Slow(), []

    async def waits() -> None:
        try:
            await off_loop(slow)
        finally:
            after.append(slow.ended.is_set())

    async def main() -> None:
        task = asyncio.create_task(waits())
        await asyncio.to_thread(slow.began.wait, 30)
        threading.Timer(0.2, slow.may_end.set).start()
        assert not task.done()

    asyncio.run(main())
    assert after == [True]


async def test_it_gives_what_the_work_gives_or_raises():
    assert await off_loop(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        await off_loop(lambda: 1 // 0)
