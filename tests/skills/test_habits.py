"""The same request in three chats becomes an offer, once; what isn't the person's never counts."""

from __future__ import annotations

import asyncio
import errno
import json
from pathlib import Path

import pytest

from conch.chats.events import TaintMarked
from conch.evals.kinds import run_cases
from conch.home import store
from conch.skills.habits import LONGEST, request_of
from conch.words.meaning import load_meaning
from living import Living

CASES = Path(__file__).parent.parent / "cases"
MEALS = (
    "Plan my meals for next week",
    "Make a meal plan for the coming week",
    "Can you plan next week's meals for me?",
)


def test_the_cases_are_read_right():
    report = run_cases("habits", CASES / "habits.jsonl", None, load_meaning())
    wrong = {one.id for one in report.outcomes if not one.right}
    assert wrong <= {"en-translate"}
    assert len(report.outcomes) == 40


def test_the_held_cases_are_read_well_enough():
    report = run_cases("habits", CASES / "held" / "habits.jsonl", None, load_meaning())
    assert sum(one.right for one in report.outcomes) >= 13


def test_without_a_model_of_meaning_no_habit_is_made_up():
    report = run_cases("habits", CASES / "habits.jsonl")
    assert not [one.id for one in report.outcomes if one.want == ("none",) and not one.right]


@pytest.mark.parametrize(
    "message", ["/meals for the week", "ok", "", "> Plan my meals for next week", "x y " * LONGEST]
)
def test_no_request(message):
    assert request_of(message) == ""


@pytest.fixture
def living(tmp_path) -> Living:
    living = Living(tmp_path / "home")
    living.conch.skills.habits._parts.__dict__["meaning"] = load_meaning()
    return living


async def asked_in_three_chats(living, messages=MEALS):
    return [await living.say(words) for words in messages]


async def test_it_is_offered_once_and_saved_as_any_skill(living):
    chats = await asked_in_three_chats(living)
    (found,) = await living.conch.skills.habits.consider()
    assert found.offer is not None, found
    (offer,) = living.conch.skills.offers.open()
    assert (offer.signal, offer.chats, offer.chat) == ("habit", 3, chats[-1])
    assert set(offer.asked) == set(MEALS)
    assert living.conch.skills.offer_in(chats[-1]) is None
    assert await living.conch.skills.habits.consider() == []
    skill = living.conch.skills.offers.save("1")
    assert (skill.mode, living.conch.skills.usage.of(skill.id).origin) == ("manual", "suggested")
    assert skill.permissions.spelled() == ["none"]
    assert living.conch.skills.library.skills()


async def test_two_chats_are_no_habit_and_the_third_makes_it_one(living):
    for words in MEALS[:2]:
        await living.say(words)
    assert await living.conch.skills.habits.consider() == []
    await living.say(MEALS[2])
    assert (await living.conch.skills.habits.consider())[0].offer is not None


async def test_turned_down_for_good_it_stays_down_in_other_words(living):
    await asked_in_three_chats(living)
    await living.conch.skills.habits.consider()
    living.conch.skills.offers.never("1")
    for words in ("Plan the meals for the week", "Meal plan for next week please", MEALS[0]):
        await living.say(words)
    assert await living.conch.skills.habits.consider() == []
    assert living.conch.skills.offers.open() == []


async def test_an_answer_that_is_no_draft_uses_the_chance(living):
    await asked_in_three_chats(living, [f"{words}, draft-never" for words in MEALS])
    (found,) = await living.conch.skills.habits.consider()
    assert (found.offer, found.why) == (None, "refused")
    (again,) = await living.conch.skills.habits.consider()
    assert again.why == "offered before"


async def test_a_failure_before_any_answer_leaves_the_chance_an_hour_later(living):
    await asked_in_three_chats(living, [f"{words}, draft-fail" for words in MEALS])
    (found,) = await living.conch.skills.habits.consider()
    assert found.why in ("no answer", "refused")
    if found.why == "no answer":
        (soon,) = await living.conch.skills.habits.consider()
        assert soon.why == "later"
        living.clock.advance(minutes=61)
        (later,) = await living.conch.skills.habits.consider()
        assert later.why == "no answer"


async def test_what_the_chats_had_read_is_said_and_read_stricter(living):
    chat = living.conch.chats.new()
    living.conch.chats.log(chat).append(TaintMarked(kind="web", label="recipes.example"))
    await living.say(MEALS[0], chat=chat)
    await asked_in_three_chats(living, MEALS[1:])
    (found,) = await living.conch.skills.habits.consider()
    assert found.offer is not None
    assert "read recipes.example" in found.offer.note
    assert "Read the steps before you save it." in found.offer.note


async def test_five_waiting_ask_no_model(living):
    for number in range(5):
        offer = living.conch.skills.offers.new(
            key=f"k{number}", chat="c", title=f"Thing {number}", description="x", instructions="y"
        )
        living.conch.skills.offers.answered(f"k{number}", offer=offer)
    await asked_in_three_chats(living)
    (found,) = await living.conch.skills.habits.consider()
    assert found.why == "five wait"
    living.conch.skills.offers.not_now("1")
    (found,) = await living.conch.skills.habits.consider()
    assert found.offer is not None


async def test_a_deleted_chat_counts_no_longer(living):
    chats = await asked_in_three_chats(living)
    living.conch.chats.delete(chats[0])
    assert await living.conch.skills.habits.consider() == []


async def test_a_crash_while_the_model_is_asked_counts_as_one_try(living):
    await asked_in_three_chats(living)

    async def dies(*_):
        raise KeyboardInterrupt

    living.conch.skills.habits._asking.ask = dies
    with pytest.raises(KeyboardInterrupt):
        await living.conch.skills.habits.consider()
    living.start()
    living.conch.skills.habits._parts.__dict__["meaning"] = load_meaning()
    (found,) = await living.conch.skills.habits.consider()
    assert found.why == "later"


async def test_a_disk_that_takes_nothing_is_no_error_and_the_habit_waits(living, monkeypatch):
    await asked_in_three_chats(living)

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(store, "write_atomic", full)
        (found,) = await living.conch.skills.habits.consider()
    assert (found.offer, found.why) == (None, "later")
    assert "No space left" in found.detail
    (found,) = await living.conch.skills.habits.consider()
    assert found.offer is not None


async def test_a_chat_that_cannot_be_read_hides_no_habit_of_the_others(living, monkeypatch):
    broken = await living.say("Tell me about whales")
    await asked_in_three_chats(living)
    log = living.conch.chats.log(broken)

    def unreadable(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(log, "events", unreadable)
    (found,) = await living.conch.skills.habits.consider()
    assert found.offer is not None


async def test_after_a_failure_habits_are_not_looked_for_again_at_once(living):
    looks: list[int] = []

    async def fails():
        looks.append(1)
        raise RuntimeError("something nobody foresaw")

    living.conch.skills.habits.consider = fails
    living.clock.advance(hours=1)
    with pytest.raises(RuntimeError):
        await living.conch.skills.run()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(living.conch.skills.run(), 0.2)
    assert looks == [1]
    living.clock.advance(hours=6)
    with pytest.raises(RuntimeError):
        await living.conch.skills.run()


def test_every_case_is_in_one_of_the_two_files():
    ids = [
        json.loads(line)["id"]
        for name in ("habits.jsonl", "held/habits.jsonl")
        for line in (CASES / name).read_text("utf-8").splitlines()
    ]
    assert len(ids) == len(set(ids))
