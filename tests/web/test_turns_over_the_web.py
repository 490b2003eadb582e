"""Turns over the web: streamed, stopped, resumed, tried again, edited; files sent along."""

import asyncio
import base64

import pytest

from conch.assistant.tools import StepOutput, StepTool
from conch.chats.events import LeftOut, PersonMessage, TaintMarked
from conch.chats.stretch import read_stretch
from conch.guard.taints import Taint
from conch.learning.signals import read_signals
from webbing import Browser, every_moment, parts, text_of
from wire.answers import says
from wire.server import StubServer

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


async def test_a_reply_streams_in_the_protocol_of_the_ai_sdk(browser):
    chat = await browser.new_chat()
    response = await browser.client.post(f"/api/chats/{chat}/turn", json={"words": "Hello there"})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    chunks = parts(response.text)
    assert chunks[0] == {"type": "start", "messageMetadata": {"chat": chat}}
    assert chunks[-1] == "[DONE]"
    assert [one["type"] for one in chunks[-4:-1]] == ["text-end", "data-ended", "finish"]
    assert "Hello there" in text_of(chunks)
    said, reply = (await browser.get(f"/api/chats/{chat}"))["entries"]
    assert (said["type"], said["text"], said["door"]) == ("said", "Hello there", "web")
    assert reply["text"] == text_of(chunks)
    assert reply["outcome"] == "success"


async def test_a_step_is_one_part_by_its_call_and_its_output_stays_here(tmp_path, dist):
    async def run(given):
        return StepOutput("SECRET OUTPUT", read=(Taint("web", "trains.example"),))

    schema = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
    step = StepTool("fetch", "Read a page", schema, run)
    browser = Browser(tmp_path / "home", dist, steps=(step,))
    chat = await browser.new_chat()
    chunks = await browser.turn(chat, "Read https://trains.example please")
    steps = [one for one in chunks if one != "[DONE]" and one["type"] == "data-step"]
    assert [one["data"]["ok"] for one in steps] == [None, True]
    assert len({one["id"] for one in steps}) == 1
    assert "trains.example" in steps[0]["data"]["summary"]
    reply = (await browser.get(f"/api/chats/{chat}"))["entries"][-1]
    assert [one["ok"] for one in reply["steps"]] == [True]
    assert "SECRET OUTPUT" not in str(steps)
    assert "SECRET OUTPUT" not in str(reply["steps"])
    await browser.conch.close()


async def test_a_turn_that_fails_says_so_and_the_chat_goes_on(browser):
    chat = await browser.new_chat()
    chunks = await browser.turn(chat, "turn-fail")
    assert [one["type"] for one in chunks[-3:-1]] == ["data-ended", "error"]
    assert (await browser.get(f"/api/chats/{chat}"))["entries"][-1]["outcome"] == "failed"
    assert "again" in text_of(await browser.turn(chat, "again"))


async def _begun(browser, chat):
    """A long reply that has begun, and the tab that waits for it."""
    asked = asyncio.create_task(browser.turn(chat, "Count slowly to 200"))
    async for _ in every_moment():
        if browser.gateway.turns.get(chat) and browser.conch.chats.head(chat).running:
            break
    await asyncio.sleep(0.1)
    return asked


async def test_stop_stops_it_and_keeps_what_was_said(browser):
    chat = await browser.new_chat()
    asked = await _begun(browser, chat)
    assert await browser.post(f"/api/chats/{chat}/stop") == {"was_running": True}
    chunks = await asked
    assert chunks[-2]["type"] == "abort"
    assert (await browser.get(f"/api/chats/{chat}"))["entries"][-1]["outcome"] == "stopped"
    assert await browser.post(f"/api/chats/{chat}/stop") == {"was_running": False}


async def test_a_closed_tab_stops_nothing_and_a_second_gets_it_from_the_start(browser):
    chat = await browser.new_chat()
    asked = await _begun(browser, chat)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    assert browser.conch.chats.head(chat).running
    resumed = asyncio.create_task(browser.client.get(f"/api/chats/{chat}/stream"))
    await asyncio.sleep(0.1)
    await browser.post(f"/api/chats/{chat}/stop")
    chunks = parts((await resumed).text)
    assert chunks[0]["type"] == "start"
    assert text_of(chunks).startswith("1")
    assert (await browser.client.get(f"/api/chats/{chat}/stream")).status_code == 204


async def test_one_turn_at_a_time_in_a_chat(browser):
    chat = await browser.new_chat()
    asked = await _begun(browser, chat)
    problem = await browser.post(f"/api/chats/{chat}/turn", {"words": "and?"}, 409)
    assert problem["kept"] == "Your message wasn't sent."
    await browser.post(f"/api/chats/{chat}/stop")
    await asked


async def test_the_person_allows_a_step_or_not(browser):
    memory = await browser.post("/api/memory", {"text": "I like green tea"}, 201)
    chat = await browser.new_chat()
    asked = asyncio.create_task(browser.turn(chat, "forget green tea"))
    asks = []
    async for _ in every_moment():
        if asks := (await browser.get(f"/api/chats/{chat}"))["asks"]:
            break
    assert "green tea" in asks[0]["summary"]
    answer = {"approval": asks[0]["approval"], "allowed": False}
    await browser.post(f"/api/chats/{chat}/allow", answer, 204)
    chunks = await asked
    assert any(one != "[DONE]" and one["type"] == "data-ask" for one in chunks)
    assert (await browser.get(f"/api/memory/{memory['id']}"))["text"] == "I like green tea"


async def test_trying_again_leaves_the_reply_out_of_what_is_sent_on(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Tell me about tea")
    response = await browser.client.post(f"/api/chats/{chat}/retry")
    assert "Tell me about tea" in text_of(parts(response.text))
    entries = (await browser.get(f"/api/chats/{chat}"))["entries"]
    assert [(one["type"], one["left_out"]) for one in entries] == [
        ("said", True),
        ("reply", True),
        ("said", False),
        ("reply", False),
    ]


async def test_trying_again_is_the_signal_it_is(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Tell me how to brew green tea properly")
    await browser.client.post(f"/api/chats/{chat}/retry")
    stretch = read_stretch(browser.conch.chats.log(chat), chat, 0)
    assert "retry" in [signal.kind for signal in read_signals(stretch)]


async def test_edited_words_stay_in_the_log_are_not_sent_and_not_learned_from(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "I always travel by PLANE, I live in Berlin.")
    seq = (await browser.get(f"/api/chats/{chat}"))["entries"][0]["seq"]
    sent = []
    engine = browser.conch.engines.default()
    model = engine.model

    def listening(name=""):
        made = model(name)
        stream = made.stream_function

        async def heard(messages, info):
            sent.extend(messages)
            async for one in stream(messages, info):
                yield one

        made.stream_function = heard
        return made

    engine.model = listening
    await browser.turn(chat, "I always travel by train, I live in Lisbon.", edits=seq)
    assert "PLANE" not in str(sent)
    assert "Lisbon" in str(sent)
    events = browser.conch.chats.log(chat).events()
    said = [event.text for event in events if isinstance(event, PersonMessage)]
    assert said[0] == "I always travel by PLANE, I live in Berlin."
    assert [event.why for event in events if isinstance(event, LeftOut)] == ["edited"]
    stretch = read_stretch(browser.conch.chats.log(chat), chat, 0)
    assert "PLANE" not in str([one for one in stretch.events if isinstance(one, PersonMessage)])


async def test_a_message_that_is_not_there_cannot_be_edited(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Hello")
    before = browser.conch.chats.head(chat).last_seq
    await browser.post(f"/api/chats/{chat}/turn", {"words": "Hi", "edits": 4711}, 404)
    await browser.post(f"/api/chats/{chat}/turn", {"words": " ", "edits": 2}, 409)
    assert browser.conch.chats.head(chat).last_seq == before


async def test_a_text_file_is_read_but_is_nobodys_own_words(browser):
    chat = await browser.new_chat()
    file = {"kind": "text", "name": "../notes.md", "text": "I always drink coffee. ```x```"}
    chunks = await browser.turn(chat, "What is in it?", files=[file])
    assert "I always drink coffee" in text_of(chunks)
    said = (await browser.get(f"/api/chats/{chat}"))["entries"][0]
    assert said["text"] == "What is in it?"
    assert said["files"][0]["name"] == ".._notes.md"
    events = browser.conch.chats.log(chat).events()
    assert [event.label for event in events if isinstance(event, TaintMarked)] == [".._notes.md"]
    await browser.living.quiet()
    assert (await browser.get("/api/learning"))["items"] == []


async def test_an_image_goes_only_where_images_are_taken(browser):
    chat = await browser.new_chat()
    image = {
        "kind": "image",
        "name": "a.png",
        "media_type": "image/png",
        "data": base64.b64encode(PNG).decode(),
    }
    problem = await browser.post(f"/api/chats/{chat}/turn", {"words": "?", "files": [image]}, 409)
    assert "takes images" in problem["detail"]
    image["data"] = base64.b64encode(b"<svg onload=alert(1)>").decode()
    await browser.post(f"/api/chats/{chat}/turn", {"words": "?", "files": [image]}, 422)


async def test_an_image_reaches_a_company_that_takes_them_and_is_shown_again(browser):
    data = base64.b64encode(PNG).decode()
    image = {"kind": "image", "name": "a.png", "media_type": "image/png", "data": data}
    with StubServer() as server:
        server.otherwise = says("A picture.")
        connected = {"id": "openai", "key": "sk-proj-Zq3vN8xW2rT6yU1pL5kJ9hG4", "url": server.url}
        engine = await browser.post("/api/engines/connect", connected)
        assert engine["sees_images"] is False
        engine = await browser.post("/api/engines/openai/set", {"images": True})
        assert engine["sees_images"] is True
        await browser.post("/api/engines/use", {"id": "openai"})
        chat = await browser.new_chat()
        assert text_of(await browser.turn(chat, "What is it?", files=[image])) == "A picture."
        assert data in server.requests[-1].words
        await browser.client.post(f"/api/chats/{chat}/retry")
        assert server.requests[-1].words.count(data) == 1
    said = (await browser.get(f"/api/chats/{chat}"))["entries"][0]
    shown = await browser.client.get(said["files"][0]["image"])
    assert shown.content == PNG
    assert shown.headers["content-type"] == "image/png"
    assert "nosniff" in shown.headers["x-content-type-options"]


@pytest.mark.parametrize("name", ["..%2f..%2fsettings.json", "log.jsonl", "x"])
async def test_only_files_that_were_sent_are_given(browser, name):
    chat = await browser.new_chat()
    await browser.get(f"/api/chats/{chat}/files/{name}", 404)
