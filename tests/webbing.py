"""A gateway over a living home, asked as a browser asks."""

import asyncio
import json
from typing import Any

import httpx2 as httpx

from conch.web.application import application
from conch.web.gateway import Gateway
from conch.web.guarding import Hosts
from conch.web.sign_in import SignIn
from living import Living

ORIGIN = "http://127.0.0.1:4317"


class Browser:
    """One signed-in tab."""

    def __init__(self, folder, dist, **living) -> None:
        self.living = Living(folder, **living)
        self.conch = self.living.conch
        self.sign_in = SignIn(self.living.home, self.living.clock)
        self.gateway = Gateway(self.conch, self.sign_in)
        self.app = application(self.gateway, Hosts(loopback=True), dist=dist)
        self.client = self.tab()
        session = self.sign_in.by_link(self.sign_in.new_link())
        assert session is not None
        self.client.cookies.set("conch", session)

    def tab(self, **headers) -> httpx.AsyncClient:
        """A tab that isn't signed in."""
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self.app, raise_app_exceptions=False),
            base_url=ORIGIN,
            headers={"origin": ORIGIN, **headers},
        )

    async def get(self, path, status=200, **params):
        return self._read(await self.client.get(path, params=params), status)

    async def post(self, path, body=None, status=200):
        return self._read(await self.client.post(path, json=body), status)

    async def patch(self, path, body, status=200):
        return self._read(await self.client.patch(path, json=body), status)

    async def delete(self, path, status=204):
        return self._read(await self.client.delete(path), status)

    def _read(self, response, status) -> Any:
        assert response.status_code == status, response.text
        if status >= 400:
            assert response.headers["content-type"] == "application/problem+json"
        return response.json() if response.content else {}

    async def new_chat(self) -> str:
        return (await self.post("/api/chats", {}, 201))["id"]

    async def turn(self, chat, words, **more):
        """Send a message; gives the stream's parts."""
        body = {"words": words, **more}
        response = await self.client.post(f"/api/chats/{chat}/turn", json=body)
        assert response.status_code == 200, response.text
        return parts(response.text)

    async def learn_a_move(self) -> None:
        """Say in a chat what contradicts the person's own memory: it waits for them."""
        await self.post("/api/memory", {"text": "Lives in Berlin"}, 201)
        chat = await self.new_chat()
        await self.turn(chat, "By the way, I moved to Lisbon.")
        await self.living.quiet()

    async def learn_typescript_with_practice(self) -> str:
        """The same, whoever else is connected."""
        await self.post("/api/engines/use", {"id": "practice"})
        return await self.learn_typescript()

    async def learn_typescript(self) -> str:
        """Correct the assistant and let the chat go quiet; gives the chat."""
        chat = await self.new_chat()
        await self.turn(chat, "Write me a script that prints the date.")
        await self.turn(chat, "No, I meant TypeScript.")
        await self.living.quiet()
        return chat


def parts(stream: str) -> list:
    """The chunks of an AI SDK stream; the last is "[DONE]"."""
    found = [line.removeprefix("data: ") for line in stream.split("\n\n") if line]
    return [one if one == "[DONE]" else json.loads(one) for one in found]


def text_of(chunks) -> str:
    """The reply of a stream."""
    deltas = (one for one in chunks if one != "[DONE]" and one["type"] == "text-delta")
    return "".join(one["delta"] for one in deltas)


async def every_moment(seconds: float = 10):
    """Come back every few milliseconds; fails when nobody leaves in time."""
    for _ in range(int(seconds * 100)):
        yield
        await asyncio.sleep(0.01)
    raise AssertionError("It never happened.")
