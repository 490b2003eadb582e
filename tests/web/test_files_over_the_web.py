"""The assistant's hands in the browser: asked on a card, undone from the chat's menu."""

import asyncio

from conch.chats.events import ToolFinished, ToolStarted
from webbing import every_moment


async def _asked(browser, chat, words):
    """A turn that has asked, and what it asked."""
    turn = asyncio.create_task(browser.turn(chat, words))
    asks = []
    async for _ in every_moment():
        asks = (await browser.get(f"/api/chats/{chat}"))["asks"]
        if asks:
            break
    return turn, asks[0]


async def _answer(browser, chat, ask, allowed):
    body = {"approval": ask["approval"], "allowed": allowed}
    await browser.client.post(f"/api/chats/{chat}/allow", json=body)


async def test_a_step_is_asked_with_all_of_it_and_what_it_changed_is_undone(browser):
    chat = await browser.new_chat()
    turn, ask = await _asked(browser, chat, "write hello to a.txt")
    assert ask["summary"] == "Write a.txt"
    assert ask["detail"].endswith("/a.txt\n+ hello")
    await _answer(browser, chat, ask, True)
    assert any('"data-ask"' in str(one).replace("'", '"') for one in await turn)
    file = browser.conch.home.root / "work" / chat / "a.txt"
    assert file.read_text("utf-8") == "hello\n"
    shown = await browser.get(f"/api/chats/{chat}/files")
    assert shown["files"] == [{"path": "a.txt", "what": "removed", "changed_since": False}]
    body = {"change": shown["change"], "direction": "undo"}
    done = await browser.client.post(f"/api/chats/{chat}/files", json=body)
    assert done.json() == {"files": 1, "of": 1}
    assert not file.exists()
    again = await browser.get(f"/api/chats/{chat}/files", direction="redo")
    body_again = {"change": again["change"], "direction": "redo"}
    redone = await browser.client.post(f"/api/chats/{chat}/files", json=body_again)
    assert redone.json() == {"files": 1, "of": 1}
    file.write_text("the person's own", "utf-8")
    left = await browser.client.post(f"/api/chats/{chat}/files", json=body)
    assert left.json() == {"files": 0, "of": 1}
    assert file.read_text("utf-8") == "the person's own"


async def test_what_is_not_allowed_is_not_done(browser):
    chat = await browser.new_chat()
    turn, ask = await _asked(browser, chat, "run `touch made.txt`")
    await _answer(browser, chat, ask, False)
    await turn
    assert list((browser.conch.home.root / "work" / chat).iterdir()) == []


async def test_a_chat_without_changes_says_so(browser):
    chat = await browser.new_chat()
    response = await browser.client.get(f"/api/chats/{chat}/files")
    assert response.status_code in (404, 409, 400, 422)
    assert "no change of files" in response.text


async def test_the_to_do_list_of_a_chat(browser):
    chat = browser.living.conch.chats.new()
    assert await browser.get(f"/api/chats/{chat}/todos") == {"todos": []}
    log = browser.living.conch.chats.log(chat)
    todos = [{"text": "Read it", "state": "done"}]
    log.append(ToolStarted(call="k1", tool="todo_write", input={"todos": todos}))
    log.append(ToolFinished(call="k1", ok=True))
    assert await browser.get(f"/api/chats/{chat}/todos") == {"todos": todos}
    assert (await browser.client.get("/api/chats/c_none/todos")).status_code == 404
