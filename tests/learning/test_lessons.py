"""Lessons from dead ends: asked for, proposed, through the gate, and beside the next question."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from conch.chats.events import TaintMarked
from conch.learning.changes import Add, Said, Situation
from conch.learning.gate import decide
from conch.learning.nearby import nearby_lines
from conch.learning.review import parse_review, system_text
from conch.words.meaning import load_meaning

FAILS = "No, npm install fails in the shop repo; pnpm works."
LESSON = "Npm install fails in the shop repo; pnpm works"
ASKED = "How do I install packages with npm in the shop repo?"
AT = datetime(2026, 12, 1, tzinfo=UTC)


async def learned(living):
    chat = await living.say("Install the packages.", FAILS)
    (result,) = await living.quiet()
    return chat, result


def test_the_prompt_asks_for_lessons_and_for_nothing_about_the_assistant():
    text = system_text("English")
    assert '"about": "pitfall"' in text
    assert "anything about the assistant" in text


async def test_one_is_learned_and_stands_beside_the_next_question(living):
    _, result = await learned(living)
    (record,) = result.records
    assert (record.text, record.state, record.about) == (LESSON, "applied", "pitfall")
    (lesson,) = living.conch.memories.usable()
    assert (lesson.kind, lesson.about, lesson.from_outside) == ("fact", "pitfall", False)
    shown = nearby_lines(ASKED, [lesson], set(), load_meaning(), here=living.host)
    assert shown == (lesson,)
    assert record.quotes == (FAILS,)


async def test_after_reading_a_page_it_waits(living):
    chat = living.conch.chats.new()
    living.conch.chats.log(chat).append(TaintMarked(kind="web", label="a.example"))
    await living.say("Install the packages.", FAILS, chat=chat)
    (result,) = await living.quiet()
    assert [one.state for one in result.records] == ["waiting"]


async def test_one_taken_back_is_not_learned_again(living):
    _, result = await learned(living)
    living.conch.learning.undo(result.records[0].id)
    _, result = await learned(living)
    assert result.records == ()
    assert living.memories == []


@pytest.mark.parametrize(
    ("said", "text", "verdict"),
    [
        (FAILS, LESSON, "applied"),
        (
            "No, the tests only pass when Docker is running.",
            "The tests only pass when Docker is running",
            "applied",
        ),
        (
            "No, the build of the shop only works with Node 20.",
            "The build of the shop only works with Node 22",
            "dropped",
        ),
        ("No, pip fails here.", "The staging server needs a VPN", "dropped"),
        (
            "No, you always fail at tables.",
            "The assistant always fails at tables",
            "dropped",
        ),
        (
            "No, never run npm install without asking me, it breaks the lockfile.",
            "From now on never run npm install",
            "dropped",
        ),
        (
            "No, deploys only work without asking me.",
            "Deploys only work without asking",
            "dropped",
        ),
    ],
    ids=[
        "what fails and what works",
        "what it takes",
        "another number than was said",
        "what nobody said",
        "about the assistant",
        "an order",
        "a power",
    ],
)
def test_it_passes_every_row_of_the_gate(said, text, verdict):
    change = Add(text, said, "fact", "pitfall")
    situation = Situation(said=(Said(2, AT, said, said, ("correction",)),))
    assert decide(change, situation).verdict == verdict


@pytest.mark.parametrize("kind", ["fact", "preference", "project", "person"])
def test_whatever_kind_a_model_gives_it_it_is_a_fact(kind):
    item = {"op": "add", "kind": kind, "about": "pitfall", "text": LESSON, "quote": FAILS}
    (change,) = parse_review(json.dumps({"changes": [item]})).changes
    assert isinstance(change, Add)
    assert (change.memory_kind, change.about) == ("fact", "pitfall")


async def test_what_is_true_now_in_its_place_is_a_lesson_too(living, monkeypatch):
    await learned(living)
    (old,) = living.conch.memories.usable()
    said = "No, npm install fails in the shop repo; yarn works."
    answer = {
        "op": "supersede",
        "id": old.id,
        "text": "Npm install fails in the shop repo; yarn works",
        "why": "They said so.",
        "quote": said,
    }
    practice = "conch.engines.practice.review"
    monkeypatch.setattr(practice, lambda words: json.dumps({"changes": [answer]}))
    await living.say("Install the packages.", said)
    (result,) = await living.quiet()
    assert [(one.about, one.kind) for one in result.records] == [("pitfall", "fact")]
