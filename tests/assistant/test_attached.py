"""Which models are sent images, how often they are kept, and how long what is sent is."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pydantic_ai.messages import BinaryContent, ModelRequest, UserPromptPart

from conch.assistant import attached
from conch.assistant.assistant import Assistant
from conch.assistant.attached import Attachment, sees_images
from conch.assistant.sending import IMAGE_CHARACTERS, Earlier, characters_in
from conch.assistant.summary import where_to_cut
from conch.chats.events import (
    AssistantMessage,
    AttachedFile,
    LeftOut,
    PersonMessage,
    StartSummarised,
    TurnCompleted,
)
from conch.engines.engines import Engines
from conch.engines.practice import PracticeEngine
from conch.engines.providers import providers
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings
from living import Living
from wire.answers import says
from wire.server import StubServer

KEYS = {
    "openai": "sk-proj-Zq3vN8xW2rT6yU1p",
    "anthropic": "sk-ant-api03-Qx7Lm2Vb9Tz4",
    "google": "AIzaQx7Lm2Vb9Tz4Kc1Rn8Ws",
    "mistral": "Zq3vN8xW2rT6yU1pZq3vN8xW",
}
PNG = Attachment("a.png", "image/png", data=b"\x89PNG\r\n\x1a\n")


@pytest.fixture
def engines(living: Living) -> Engines:
    return living.conch.engines


def set_engine(living: Living, id: str, **values: Any) -> None:
    living.home.change_settings(
        lambda all: all.model_copy(
            update={
                "engine": id,
                "engines": {
                    id: EngineSettings.model_validate({**all.engines[id].model_dump(), **values})
                },
            }
        )
    )


@pytest.mark.parametrize(
    ("id", "model", "takes"),
    [
        ("openai", "gpt-4o", True),
        ("openai", "gpt-4o-mini-2024-07-18", True),
        ("openai", "gpt-6.1-terra", True),
        ("openai", "o3", True),
        ("openai", "o3-2025-04-16", True),
        ("openai", "o4-mini", True),
        ("openai", "gpt-3.5-turbo", False),
        ("openai", "gpt-4", False),
        ("openai", "gpt-4-32k", False),
        ("openai", "o3-mini", False),
        ("openai", "o1-mini", False),
        ("openai", "o1-preview", False),
        ("openai", "gpt-oss-120b", False),
        ("openai", "gpt-4o-audio-preview", False),
        ("openai", "never-heard-of", False),
        ("anthropic", "claude-sonnet-5-5", True),
        ("anthropic", "claude-3-haiku-20240307", True),
        ("anthropic", "claude-2.1", False),
        ("anthropic", "claude-instant-1.2", False),
        ("google", "gemini-2.5-flash-lite", True),
        ("google", "gemini-1.0-pro-001", False),
        ("google", "gemini-2.5-pro-tts", False),
        ("google", "gemma-2-27b-it", False),
        ("mistral", "mistral-large-4", False),
    ],
)
def test_a_model_is_sent_images_when_it_takes_them(engines, id, model, takes):
    engine = engines.connect(id, key=KEYS[id])
    assert sees_images(engine, model) is takes


@pytest.mark.parametrize("id", ["openai", "anthropic", "google"])
def test_the_models_a_company_answers_with_take_images(engines, id):
    engine = engines.connect(id, key=KEYS[id])
    assert sees_images(engine)
    assert sees_images(engine, providers()[id].cheapest_model)


def test_another_address_is_sent_none_unless_the_person_said_so(living, engines):
    engine = engines.connect(
        "openai", key=KEYS["openai"], url="https://relay.example/v1", model="gpt-4o"
    )
    assert not sees_images(engine)
    set_engine(living, "openai", images=True)
    assert sees_images(engines.get("openai"))
    set_engine(living, "openai", images=None)
    assert not sees_images(engines.get("openai"))


def test_the_person_may_say_that_it_gets_none(living, engines):
    engines.connect("openai", key=KEYS["openai"])
    set_engine(living, "openai", images=False)
    assert not sees_images(engines.get("openai"), "gpt-4o")


def test_a_server_of_the_persons_own_is_sent_them_when_they_said_so(living, engines):
    assert not sees_images(engines.connect("mine", url="http://127.0.0.1:9", model="llava"))
    set_engine(living, "mine", images=True)
    assert sees_images(engines.get("mine"))


def test_the_practice_engine_sees_none():
    assert not sees_images(PracticeEngine())


def test_the_model_that_was_chosen_decides_and_is_named(living, engines):
    engines.connect("openai", key=KEYS["openai"])
    assistant: Assistant = living.conch.assistant
    chat = living.conch.chats.new()

    def choose(model: str) -> None:
        living.home.change_settings(
            lambda all: all.model_copy(update={"engine": "openai", "model": model})
        )

    choose("gpt-4o")
    assistant.must_be_able(chat, "What is it?", [PNG])
    choose("o3-mini")
    with pytest.raises(ConchError, match="o3-mini of OpenAI") as refused:
        assistant.must_be_able(chat, "What is it?", [PNG])
    assert "conch engines set openai --images" in refused.value.do
    assistant.must_be_able(chat, "What is it?", [Attachment("a.txt", "text/plain", "words")])


@pytest.fixture
def server():
    with StubServer() as stub:
        stub.otherwise = says("Fine.")
        yield stub


async def say(living: Living, chat: str, words: str, *files: Attachment) -> None:
    async for _ in living.conch.assistant.turn(chat, words, files=files):
        pass


async def test_an_image_is_kept_once_a_turn_and_not_on_the_event_loop(living, server, monkeypatch):
    server.engine(living.home, images=True)
    threads = []
    kept = attached.keep_image

    def keeps(*args):
        threads.append(threading.current_thread())
        return kept(*args)

    monkeypatch.setattr(attached, "keep_image", keeps)
    chat = living.conch.chats.new()
    await say(living, chat, "What is it?", PNG)
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert "(image: a.png)" in server.requests[-1].words
    (said,) = [
        one for one in living.conch.chats.log(chat).events() if isinstance(one, PersonMessage)
    ]
    assert (living.home.chats / chat / "files" / said.files[0].image).read_bytes() == PNG.data


async def test_an_image_sent_before_does_not_reach_a_model_that_takes_none(living, server):
    server.engine(living.home, images=True)
    chat = living.conch.chats.new()
    await say(living, chat, "Hello.")
    await say(living, chat, "What is it?", PNG)
    await say(living, chat, "And its colour?")
    assert "image_url" in server.requests[-1].words
    set_engine(living, "openai", images=False)
    await say(living, chat, "And now?")
    assert "image_url" not in server.requests[-1].words
    assert "(image: a.png)" in server.requests[-1].words
    assert "And its colour?" in server.requests[-1].words


def test_an_image_counts_for_the_length_of_what_is_sent():
    words = ModelRequest(parts=[UserPromptPart(content="words")])
    image = BinaryContent(data=b"x", media_type="image/png")
    both = ModelRequest(parts=[UserPromptPart(content=["words", image, image])])
    assert characters_in(words) == 5
    assert characters_in(both) == 5 + 2 * IMAGE_CHARACTERS
    assert Earlier(messages=[words, both]).characters == 10 + 2 * IMAGE_CHARACTERS


async def test_images_alone_can_outgrow_a_window(living, server):
    server.engine(living.home, images=True, window=8_000)
    chat = living.conch.chats.new()
    for _ in range(4):
        await say(living, chat, "What is it?", PNG)
    events = living.conch.chats.log(chat).events()
    assert any(isinstance(event, StartSummarised) for event in events)


def test_a_file_counts_where_the_start_is_cut():
    def turn(seq: int, *files: AttachedFile):
        return [
            PersonMessage(seq=seq, text="Read it.", files=files),
            AssistantMessage(seq=seq + 1, text="Done."),
            TurnCompleted(seq=seq + 2, outcome="success", engine="e"),
        ]

    long = AttachedFile(name="a.txt", text="word " * 2_000)
    assert where_to_cut([*turn(1), *turn(4), *turn(7), *turn(10)], window=8_000) == 4
    assert where_to_cut([*turn(1), *turn(4), *turn(7, long), *turn(10)], window=8_000) == 10


async def test_memories_are_picked_by_the_first_message_that_still_stands(
    living, server, monkeypatch
):
    server.engine(living.home)
    picked = []
    section = living.conch.memories.section

    def picks(words, *more):
        picked.append(words)
        return section(words, *more)

    monkeypatch.setattr(living.conch.memories, "section", picks)
    chat = await living.say("Tell me about garlic.")
    log = living.conch.chats.log(chat)
    first = next(event for event in log.events() if isinstance(event, PersonMessage))
    log.append(LeftOut(from_seq=first.seq, why="edited"))
    await living.say("Tell me about trains.", "And their colours?", chat=chat)
    assert picked == ["Tell me about garlic.", "Tell me about trains.", "Tell me about trains."]
