"""What is chosen for an app while it starts counts: the last choice stays, nothing comes back."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

import mcp_notes
from conch.assistant.apps.kept import App, KeptApps
from conch.home.errors import ConchError


class Slow:
    """An app that starts only once its gate is opened."""

    def __init__(self, worker) -> None:
        self.apps = worker.conch.hands.apps
        self.home = worker.home
        self.gate = worker.person / "gate"
        self._waits = worker.person / "gate.waits"
        settings = ["/usr/bin/env", f"NOTES_GATE={self.gate}"]
        self.command = [*settings, sys.executable, mcp_notes.__file__]

    async def waits(self) -> int:
        """The id of the process that waits at the gate."""
        for _ in range(1_000):
            if self._waits.exists():
                return int(self._waits.read_text("utf-8"))
            await asyncio.sleep(0.02)
        raise AssertionError("it never came to the gate")


@pytest.fixture
async def slow(worker):
    slow = Slow(worker)
    yield slow
    slow.gate.unlink(missing_ok=True)
    await slow.apps.close()


@pytest.fixture
async def kept(slow):
    """The app is set up and has to be started again, which waits."""
    await slow.apps.add("notes", slow.command)
    await slow.apps.close()
    slow.gate.touch()
    return slow


async def together(slow, first, then):
    """`then` is begun while `first` waits for the app."""
    begun = asyncio.ensure_future(first)
    await slow.waits()
    second = asyncio.ensure_future(then)
    await asyncio.sleep(0)
    slow.gate.unlink()
    return await asyncio.gather(begun, second, return_exceptions=True)


async def test_closing_ends_one_that_is_being_started_and_what_waits_to_start_it(kept):
    apps = kept.apps
    first = asyncio.ensure_future(apps.tools_of("notes"))
    process = await kept.waits()
    second = asyncio.ensure_future(apps.tools_of("notes"))
    await asyncio.sleep(0)
    await apps.close()
    came = await asyncio.gather(first, second, return_exceptions=True)
    assert [type(one) for one in came] == [ConchError, ConchError]
    assert not apps.are_running
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize("tool", ["", "add_note"])
async def test_off_pressed_while_it_is_being_set_free_stays_off(kept, tool):
    apps = kept.apps
    free, off = apps.set_mode("notes", tool, "free"), apps.set_mode("notes", tool, "off")
    assert await together(kept, free, off) == [None, None]
    app = apps.kept.get("notes")
    assert (app.tools.get(tool) or app.mode) == "off"


async def test_one_tool_set_free_leaves_the_whole_off(kept):
    apps = kept.apps
    tool, whole = apps.set_mode("notes", "add_note", "free"), apps.set_mode("notes", "", "off")
    await together(kept, tool, whole)
    app = apps.kept.get("notes")
    assert (app.mode, app.tools) == ("off", {"add_note": "free"})


async def test_removed_while_it_is_being_set_free_it_stays_away(kept):
    apps = kept.apps
    await together(kept, apps.set_mode("notes", "", "free"), apps.remove("notes"))
    assert apps.kept.all() == {}
    assert not apps.are_running


async def test_removed_while_a_turn_starts_it_is_not_left_running(kept):
    tools, _ = await together(kept, kept.apps.steps(), kept.apps.remove("notes"))
    assert tools == []
    assert not kept.apps.are_running
    with pytest.raises(ProcessLookupError):
        os.kill(await kept.waits(), 0)


async def test_removed_by_another_process_it_does_not_come_back(kept):
    async def elsewhere():
        KeptApps(kept.home).remove("notes")

    came, _ = await together(kept, kept.apps.set_mode("notes", "", "free"), elsewhere())
    assert isinstance(came, ConchError)
    assert kept.apps.kept.all() == {}
    assert not kept.apps.are_running


async def test_of_two_set_up_under_one_name_the_first_is_kept(slow):
    slow.gate.touch()
    first, second = await together(
        slow, slow.apps.add("notes", slow.command), slow.apps.add("notes", [*slow.command, "0"])
    )
    assert isinstance(first, list)
    assert isinstance(second, ConchError)
    assert slow.apps.kept.get("notes").command == slow.command


async def test_what_could_not_be_kept_does_not_go_on_running(slow):
    slow.gate.touch()

    async def no_room():
        (slow.home.root / "apps.json").mkdir()

    came, _ = await together(slow, slow.apps.add("notes", slow.command), no_room())
    assert isinstance(came, OSError)
    with pytest.raises(ProcessLookupError):
        os.kill(await slow.waits(), 0)


async def test_one_set_up_elsewhere_meanwhile_is_not_written_over(slow):
    slow.gate.touch()

    async def elsewhere():
        KeptApps(slow.home).add("notes", App(command=["other"]))

    came, _ = await together(slow, slow.apps.add("notes", slow.command), elsewhere())
    assert isinstance(came, ConchError)
    assert slow.apps.kept.get("notes").command == ["other"]
    with pytest.raises(ProcessLookupError):
        os.kill(await slow.waits(), 0)
