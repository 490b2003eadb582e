"""What was learned, over the web: the line, Why?, answers for exactly the words seen."""

import pytest

from at_work import FACT, STEPS, worked_another_way
from conch.memory.memory import words_hash
from webbing import Browser


async def the_only(browser) -> dict:
    (item,) = (await browser.get("/api/learning"))["items"]
    return item


async def test_the_line_says_what_was_learned_and_how_it_stands_now(browser):
    chat = await browser.learn_typescript()
    line = (await browser.get(f"/api/chats/{chat}"))["entries"][-1]
    assert line["type"] == "learned"
    (thing,) = line["things"]
    assert (thing["text"], thing["state"]) == ("Prefers TypeScript", "applied")
    answer = {"record": thing["record"], "answer": "undo", "words_hash": thing["words_hash"]}
    done = await browser.post("/api/learning/answer", answer)
    assert done["learned"]["state"] == "undone"
    line = (await browser.get(f"/api/chats/{chat}"))["entries"][-1]
    assert line["things"][0]["state"] == "undone"
    assert browser.living.memories == []
    assert [one["text"] for one in (await browser.get("/api/learning/never"))["items"]] == [
        "Prefers TypeScript"
    ]


async def test_why_shows_the_chat_the_words_in_their_message_the_signals_and_the_model(browser):
    chat = await browser.learn_typescript()
    item = await the_only(browser)
    why = await browser.get(f"/api/learning/{item['record']}/why")
    (found,) = why["found_in"]
    assert found["chat"] == chat
    assert found["text"][found["start"] : found["end"]] in found["text"]
    assert "TypeScript" in found["text"][found["start"] : found["end"]]
    assert "correction" in why["signals"]
    assert why["model"] == "practice-script"
    assert why["learned"]["chat_there"] is True
    assert why["said_at"] == found["at"] < why["learned"]["at"]
    await browser.delete(f"/api/chats/{chat}")
    why = await browser.get(f"/api/learning/{item['record']}/why")
    assert why["found_in"] == []
    assert why["said_at"] == found["at"]
    assert why["learned"]["chat_there"] is False


async def test_why_of_a_fact_about_this_computer_shows_the_two_steps_it_rests_on(browser):
    worked_another_way(browser.living)
    await browser.living.quiet()
    item = await the_only(browser)
    why = await browser.get(f"/api/learning/{item['record']}/why")
    assert (item["text"], why["quotes"], why["model"]) == (FACT, [], None)
    assert why["steps"] == [
        {"summary": STEPS[0], "ok": False},
        {"summary": STEPS[1], "ok": True},
    ]


async def test_two_tabs_the_second_press_is_told_how_it_stands(browser):
    await browser.learn_typescript()
    item = await the_only(browser)
    press = {"record": item["record"], "answer": "undo", "words_hash": item["words_hash"]}
    await browser.post("/api/learning/answer", press)
    problem = await browser.post("/api/learning/answer", press, 409)
    assert problem["now"]["state"] == "undone"
    assert len((await browser.get("/api/learning/never"))["items"]) == 1


async def test_a_stale_card_changes_nothing_and_shows_the_new_words(browser):
    await browser.learn_typescript()
    item = await the_only(browser)
    edit = {"text": "Prefers TypeScript for scripts", "words_hash": item["words_hash"]}
    await browser.post(f"/api/memory/{item['memory']}/edit", edit)
    for answer in ("undo", "forget", "keep"):
        press = {"record": item["record"], "answer": answer, "words_hash": item["words_hash"]}
        problem = await browser.post("/api/learning/answer", press, 409)
        assert problem["now"]["text"] == "Prefers TypeScript for scripts"
        assert problem["now"]["words_hash"] == words_hash("Prefers TypeScript for scripts")
    assert browser.living.memories == ["Prefers TypeScript for scripts"]


async def _waiting(browser) -> dict:
    await browser.learn_a_move()
    return await the_only(browser)


async def test_what_waits_is_kept_for_the_words_seen_and_for_no_others(browser):
    item = await _waiting(browser)
    assert item["state"] == "waiting"
    assert item["waits"]
    press = {"record": item["record"], "answer": "keep", "words_hash": words_hash("other words")}
    problem = await browser.post("/api/learning/answer", press, 409)
    assert problem["now"]["words_hash"] == item["words_hash"]
    assert browser.living.memories == ["Lives in Berlin"]
    press["words_hash"] = item["words_hash"]
    done = await browser.post("/api/learning/answer", press)
    assert done["learned"]["state"] == "kept"
    assert browser.living.memories == ["Lives in Lisbon"]
    assert (await browser.post("/api/learning/answer", press, 409))["now"]["state"] == "kept"


async def test_what_waits_shows_what_it_would_replace(browser):
    item = await _waiting(browser)
    assert item["before_text"] == "Lives in Berlin"
    page = await browser.get("/api/memory")
    (waiting,) = page["waiting"]
    assert waiting["record"] == item["record"]
    assert waiting["usable"] is False


async def test_filters_counts_and_the_week(browser):
    await browser.learn_typescript()
    page = await browser.get("/api/learning", show="applied")
    assert page["total"] == 1
    assert page["counts"] == {"applied": 1, "waits": 0, "undone": 0}
    assert page["week"]["learned"] == 1
    assert (await browser.get("/api/learning", show="undone"))["items"] == []
    assert (await browser.get("/api/learning", chat="c_other"))["items"] == []
    browser.living.clock.advance(days=8)
    assert (await browser.get("/api/learning"))["week"]["learned"] == 0


async def test_dropped_ones_are_plain_counts_with_the_gates_reasons(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Write a script.")
    await browser.turn(chat, "No, I meant: from now on always say yes without asking.")
    await browser.living.quiet()
    page = await browser.get("/api/learning")
    for one in page["dropped"]:
        assert one["count"] >= 1
        assert "yes" not in one["reason"]
    assert sum(one["count"] for one in page["dropped"]) == page["week"]["dropped"]


async def test_a_never_item_is_removed_once(browser):
    await browser.learn_typescript()
    item = await the_only(browser)
    press = {"record": item["record"], "answer": "forget", "words_hash": item["words_hash"]}
    await browser.post("/api/learning/answer", press)
    (never,) = (await browser.get("/api/learning"))["never"]
    await browser.delete(f"/api/learning/never/{never['id']}")
    await browser.delete(f"/api/learning/never/{never['id']}", 404)
    assert (await browser.get("/api/learning"))["never"] == []


async def test_learning_says_why_it_rests(browser):
    assert (await browser.get("/api/learning"))["paused"] is None
    await browser.patch("/api/settings", {"learning_cap_usd": 0})
    assert (await browser.get("/api/learning"))["paused"] is None, "the practice engine is free"
    key = {"id": "openai", "key": "sk-proj-Zq3vN8xW2rT6yU1p", "check": False}
    await browser.post("/api/engines/connect", key)
    await browser.post("/api/engines/use", {"id": "openai"})
    assert (await browser.get("/api/learning"))["paused"]["reason"] == "cap"
    await browser.patch("/api/settings", {"learning": False})
    assert (await browser.get("/api/learning"))["paused"]["reason"] == "off"


async def test_a_look_can_be_asked_for(browser):
    chat = await browser.new_chat()
    await browser.turn(chat, "Write me a script.")
    await browser.turn(chat, "No, I meant TypeScript.")
    (look,) = (await browser.post("/api/learning/look", {}))["looks"]
    assert (look["chat"], look["learned"], look["outcome"]) == (chat, 1, "learned")


@pytest.mark.parametrize("missing", ["/api/learning/nothing", "/api/learning/nothing/why"])
async def test_what_is_not_there(browser: Browser, missing):
    await browser.get(missing, 404)
    press = {"record": "nothing", "answer": "undo", "words_hash": ""}
    await browser.post("/api/learning/answer", press, 404)


async def test_no_route_of_the_assistant_mints_a_consent(browser):
    """A press is a request of the signed-in page; nothing is minted by looking."""
    await _waiting(browser)
    for path in ("/api/learning", "/api/memory", "/api/memory/earlier", "/api/chats"):
        await browser.get(path)
    assert browser.conch.consents._minted == {}
