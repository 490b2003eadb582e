"""Which models are sent images, and how long what is sent is."""

from __future__ import annotations

from typing import Any

import pytest

from conch.assistant.assistant import Assistant
from conch.assistant.attached import Attachment, sees_images
from conch.engines.engines import Engines
from conch.engines.practice import PracticeEngine
from conch.engines.providers import providers
from conch.home.errors import ConchError
from conch.home.settings import EngineSettings
from living import Living

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
