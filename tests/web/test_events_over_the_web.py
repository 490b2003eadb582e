"""The event stream: ids, replay, reset, and that whoever changes a home is told of."""

import asyncio
import json
from contextlib import aclosing

import pytest

from conch.chats.events import Renamed
from conch.web.event_shapes import MemoryChanged, SettingsChanged
from conch.web.events import EventStream
from conch.web.watching import Watcher
from webbing import every_moment


async def read(stream, last_seen, count):
    """The next `count` frames as (id, type)."""
    found = []
    async with aclosing(stream.frames(last_seen, heartbeat=0.5)) as frames:
        async for frame in frames:
            lines = dict(line.split(": ", 1) for line in frame.strip().split("\n"))
            if "data" in lines:
                found.append((lines["id"], json.loads(lines["data"])["type"]))
            if len(found) == count:
                return found
    return found


async def test_what_came_since_the_last_event_seen_is_replayed():
    stream = EventStream()
    stream.publish(MemoryChanged())
    seen = stream.last_id
    stream.publish(SettingsChanged())
    stream.publish(MemoryChanged())
    found = await read(stream, seen, 2)
    assert [type for _, type in found] == ["settings", "memory"]
    assert found[-1][0] == stream.last_id


async def test_a_new_tab_hears_only_what_comes():
    stream = EventStream()
    stream.publish(MemoryChanged())
    reading = asyncio.create_task(read(stream, "", 1))
    await asyncio.sleep(0.05)
    stream.publish(SettingsChanged())
    assert [type for _, type in await reading] == ["settings"]


@pytest.mark.parametrize(
    "last_seen", ["other-1", "nonsense", "-", "{run}-99", "{run}--1", "{run}-1"]
)
async def test_who_missed_too_much_is_told_to_read_anew(last_seen):
    stream = EventStream(kept=3)
    for _ in range(10):
        stream.publish(MemoryChanged())
    run = stream.last_id.partition("-")[0]
    assert await read(stream, last_seen.format(run=run), 1) == [(stream.last_id, "reset")]


async def test_a_tab_slower_than_the_events_is_reset():
    stream = EventStream(kept=3)
    async with aclosing(stream.frames("")) as frames:
        await anext(frames)
        for _ in range(10):
            stream.publish(MemoryChanged())
        assert '"reset"' in await anext(frames)
        stream.publish(SettingsChanged())
        assert '"settings"' in await anext(frames)


async def test_closing_ends_every_stream_and_silence_is_told():
    stream = EventStream()
    async with aclosing(stream.frames("", heartbeat=0.01)) as frames:
        assert "id:" in await anext(frames)
        assert (await anext(frames)).startswith(":")
        stream.close()
        with pytest.raises(StopAsyncIteration):
            await anext(frames)


class Heard:
    """What a gateway's stream published, by type."""

    def __init__(self, stream) -> None:
        self.events = []
        publish = stream.publish

        def heard(event):
            self.events.append(event)
            publish(event)

        stream.publish = heard

    async def until(self, type):
        found = []
        async for _ in every_moment():
            found = [one for one in self.events if one.type == type]
            if found:
                break
        return found[-1]


@pytest.fixture
async def watched(browser):
    heard = Heard(browser.gateway.events)
    watching = asyncio.create_task(Watcher(browser.gateway).run())
    # A change is heard only once the system watches, and it tells nobody when that is.
    async for _ in every_moment():
        (browser.living.home.root / "usage.jsonl").touch()
        if heard.events:
            break
    await asyncio.sleep(0.6)
    heard.events.clear()
    yield heard
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


async def test_a_line_a_look_left_comes_with_its_things(browser, watched):
    chat = await browser.learn_typescript()
    event = await watched.until("learned")
    assert event.chat == chat
    assert [thing.text for thing in event.line.things] == ["Prefers TypeScript"]
    await watched.until("memory")
    await watched.until("learning")


async def test_a_name_given_in_a_terminal_comes(browser, watched):
    chat = await browser.new_chat()
    browser.conch.chats.log(chat).append(Renamed(title="From the terminal"))
    async for _ in every_moment():
        if any(
            getattr(one, "chat", None) and one.chat.title == "From the terminal"
            for one in watched.events
            if one.type == "chat"
        ):
            break


async def test_a_memory_changed_by_hand_comes(browser, watched):
    memory = await browser.post("/api/memory", {"text": "I live in Berlin"}, 201)
    await watched.until("memory")
    watched.events.clear()
    (path,) = browser.living.home.memory.glob("*.md")
    path.write_text(path.read_text().replace("Berlin", "Lisbon"))
    await watched.until("memory")
    assert (await browser.get(f"/api/memory/{memory['id']}"))["text"] == "I live in Lisbon"


async def test_a_deleted_chat_and_settings_come(browser, watched):
    chat = await browser.new_chat()
    await watched.until("chat")
    await browser.delete(f"/api/chats/{chat}")
    assert (await watched.until("chat_gone")).chat == chat
    browser.living.home.change_settings(lambda one: one.model_copy(update={"name": "Ada"}))
    await watched.until("settings")
