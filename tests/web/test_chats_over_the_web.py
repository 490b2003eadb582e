"""Chats over the web: the list and its search, pages from the end, names, marks, cost."""

import asyncio

import pytest

from conch.chats.events import AssistantMessage, PersonMessage, TurnCompleted, Usage
from conch.web.reading import ChatReader
from webbing import every_moment


async def test_the_newest_chat_is_first_and_pages_follow(browser):
    made = []
    for words in ("One", "Two", "Three"):
        made.append(await browser.new_chat())
        await browser.turn(made[-1], words)
        browser.living.clock.advance(minutes=1)
    first = await browser.get("/api/chats", limit=2)
    assert [one["id"] for one in first["chats"]] == [made[2], made[1]]
    assert (first["total"], first["next_offset"]) == (3, 2)
    rest = await browser.get("/api/chats", limit=2, offset=2)
    assert [one["id"] for one in rest["chats"]] == [made[0]]
    assert rest["next_offset"] is None


async def test_search_finds_titles_and_words_in_messages(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Hello")
    await browser.turn(chat, "The xylophone is in the attic")
    other = await browser.new_chat()
    await browser.turn(other, "Nothing of it")
    await browser.post(f"/api/chats/{other}/rename", {"title": "My  xylophone plans "})
    found = await browser.get("/api/chats", query="xylophone")
    assert {one["id"] for one in found["chats"]} == {chat, other}
    said = next(one for one in found["chats"] if one["id"] == chat)
    assert "xylophone" in said["snippet"]
    titled = next(one for one in found["chats"] if one["id"] == other)
    assert titled["title"] == "My xylophone plans"
    assert (await browser.get("/api/chats", query="bassoon"))["chats"] == []


async def test_a_chat_is_read_from_its_end_page_by_page(browser):
    chat = await browser.new_chat()
    log = browser.conch.chats.log(chat)
    for number in range(30):
        log.extend(
            [
                PersonMessage(text=f"q{number}"),
                AssistantMessage(text=f"a{number}"),
                TurnCompleted(outcome="success"),
            ]
        )
    texts, before = [], None
    for _ in range(10):
        asked = {"limit": 7, **({"before": before} if before else {})}
        page = await browser.get(f"/api/chats/{chat}", **asked)
        texts = [one["text"] for one in page["entries"]] + texts
        before = page["before"]
        if before is None:
            break
    assert texts == [text for number in range(30) for text in (f"q{number}", f"a{number}")]


async def test_what_is_added_meanwhile_moves_no_earlier_page(browser):
    chat = await browser.new_chat()
    for words in ("one", "two", "three"):
        await browser.turn(chat, words)
    page = await browser.get(f"/api/chats/{chat}", limit=2)
    await browser.turn(chat, "four")
    earlier = await browser.get(f"/api/chats/{chat}", limit=2, before=page["before"])
    assert earlier["entries"][0]["text"] == "two"


async def test_a_chat_read_while_it_grows_is_told_as_one_read_anew(browser):
    chat = await browser.new_chat()
    for number in range(6):
        await browser.turn(chat, f"message {number}")
        shown = (await browser.get(f"/api/chats/{chat}"))["entries"]
        if number == 3:
            seq = shown[-2]["seq"]
            await browser.turn(chat, "another message", edits=seq)
            await browser.post(f"/api/chats/{chat}/quiet", {"on": True})
            shown = (await browser.get(f"/api/chats/{chat}"))["entries"]
        grown = browser.gateway.reader
        browser.gateway.reader = ChatReader(browser.conch.chats)
        assert (await browser.get(f"/api/chats/{chat}"))["entries"] == shown
        browser.gateway.reader = grown


async def test_quiet_and_learn_again_are_marked_in_the_chat(browser):
    chat = await browser.new_chat()
    for on in (True, True, False):
        assert (await browser.post(f"/api/chats/{chat}/quiet", {"on": on}))["quiet"] is on
    entries = (await browser.get(f"/api/chats/{chat}"))["entries"]
    assert [one["what"] for one in entries] == ["quiet", "unquiet"]


async def test_a_quiet_chat_is_never_learned_from(browser):
    chat = await browser.new_chat()
    await browser.post(f"/api/chats/{chat}/quiet", {"on": True})
    await browser.turn(chat, "Write me a script.")
    await browser.turn(chat, "No, I meant TypeScript.")
    await browser.living.quiet()
    assert (await browser.get("/api/learning"))["items"] == []


async def test_archiving_looks_at_once_and_takes_it_from_the_list(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Write me a script.")
    await browser.turn(chat, "No, I meant TypeScript.")
    assert (await browser.post(f"/api/chats/{chat}/archive"))["archived"] is True
    async for _ in every_moment():
        if (await browser.get("/api/learning"))["items"]:
            break
    assert (await browser.get("/api/chats"))["chats"] == []
    assert [one["id"] for one in (await browser.get("/api/chats", archived=True))["chats"]] == [
        chat
    ]
    assert (await browser.post(f"/api/chats/{chat}/unarchive"))["archived"] is False
    kinds = [one["type"] for one in (await browser.get(f"/api/chats/{chat}"))["entries"]]
    assert kinds.count("learned") == 1


async def test_what_a_chat_cost(browser):
    chat = await browser.new_chat()
    log = browser.conch.chats.log(chat)
    used = Usage(input_tokens=100, output_tokens=10)
    log.append(TurnCompleted(outcome="success", usage=used, cost_usd=0.25))
    log.append(TurnCompleted(outcome="success", usage=used, cost_usd=None))
    cost = await browser.get(f"/api/chats/{chat}/cost")
    assert (cost["replies_usd"], cost["answers"], cost["unknown"]) == (0.25, 2, 1)
    assert (cost["input_tokens"], cost["output_tokens"]) == (200, 20)


async def test_a_chat_deleted_while_a_reply_is_written_stays_deleted(browser):
    chat = await browser.new_chat()
    asked = asyncio.create_task(browser.turn(chat, "Count slowly to 200"))
    async for _ in every_moment():
        if browser.gateway.turns.get(chat) and browser.conch.chats.head(chat).running:
            break
    await browser.delete(f"/api/chats/{chat}")
    assert (await asked)[-1] == "[DONE]"
    assert not (browser.living.home.chats / chat).exists()
    await browser.get(f"/api/chats/{chat}", 404)


async def test_a_deleted_chat_is_gone_and_what_was_learned_stays(browser):
    chat = await browser.learn_typescript()
    await browser.delete(f"/api/chats/{chat}")
    await browser.get(f"/api/chats/{chat}", 404)
    assert browser.living.memories == ["Prefers TypeScript"]


@pytest.mark.parametrize("chat", ["nothing", "..", "%2e%2e%2fsettings", "a" * 300])
@pytest.mark.parametrize("path", ["", "/cost", "/stream"])
async def test_a_chat_that_is_not_there(browser, chat, path):
    response = await browser.client.get(f"/api/chats/{chat}{path}")
    assert response.status_code in (404, 200 if chat == ".." else 404)
    assert "log.jsonl" not in response.text


async def test_ten_thousand_messages_are_read_in_pages_and_kept_read(browser):
    chat = await browser.new_chat()
    log = browser.conch.chats.log(chat)
    log.extend(
        event
        for number in range(5_000)
        for event in (
            PersonMessage(text=f"q{number}"),
            AssistantMessage(text=f"a{number}"),
            TurnCompleted(outcome="success"),
        )
    )
    page = await browser.get(f"/api/chats/{chat}", limit=100)
    assert page["entries"][-1]["text"] == "a4999"
    assert len(page["entries"]) == 100
    middle = await browser.get(f"/api/chats/{chat}", limit=2, before=page["before"])
    assert [one["text"] for one in middle["entries"]] == ["q4949", "a4949"]
