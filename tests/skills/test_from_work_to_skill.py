"""The long way → offer → draft → saved → used in a new chat → held to its list (spec 0058)."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from conch.assistant.happenings import Asks, TurnEnded
from conch.chats.events import QuietMark, SkillUsed, TaintMarked
from conch.home.errors import ConchError
from living import Living

LONG_WAY = "turn my notes into a report, the long way"


@pytest.fixture
def living(tmp_path) -> Living:
    return Living(tmp_path / "home")


async def do(living: Living, words: str, chat: str = "", *, allow: bool = True) -> tuple[str, list]:
    """One turn with hands, every step allowed or none; gives the chat and what was asked."""
    conch = living.conch
    chat = chat or conch.chats.new()
    asked: list[Asks] = []
    turn = conch.assistant.turn(chat, words, can_ask=True, with_hands=True)
    async for happening in turn:
        if isinstance(happening, Asks):
            asked.append(happening)
            conch.assistant.answer(chat, happening.approval, allow)
        living.last = happening
    assert isinstance(living.last, TurnEnded)
    assert living.last.outcome == "success"
    living.clock.advance(seconds=20)
    return chat, asked


async def offered(living: Living, words: str = LONG_WAY) -> str:
    chat, _ = await do(living, words)
    found = await living.conch.skills.proposing.consider(chat)
    assert found.offer is not None, found
    return chat


async def test_the_long_way_becomes_an_offer_with_what_it_needed(living):
    chat = await offered(living)
    (offer,) = living.conch.skills.offers.open()
    assert offer.chat == chat
    assert (offer.signal, offer.steps) == ("long", 12)
    assert "notes.txt" not in offer.instructions
    assert "Don't start with `gti`" in offer.instructions
    assert "commands:cp" in offer.permissions
    assert living.conch.skills.library.skills() == []


async def test_saving_it_settles_the_offer_and_makes_a_skill_used_when_asked(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    assert living.conch.skills.offers.open() == []
    assert (skill.mode, skill.own, skill.problems) == ("manual", True, ())
    assert living.conch.skills.usage.of(skill.id).origin == "learned"
    with pytest.raises(ConchError):
        living.conch.skills.offers.save("1")


async def test_a_saved_skill_is_used_by_name_and_the_chat_is_held_to_its_list(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    chat, _ = await do(living, f"/{skill.name} please")
    (used,) = [e for e in living.conch.chats.log(chat).events() if isinstance(e, SkillUsed)]
    assert (used.skill, used.by) == (skill.id, "person")
    assert living.conch.skills.usage.of(skill.id).times == 1
    _, asked = await do(living, "run `git status`", chat, allow=False)
    assert any("A skill in this chat may only" in one.why for one in asked)


async def test_a_skill_stopped_in_a_chat_holds_it_no_longer(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    chat, _ = await do(living, f"/{skill.name} please")
    assert living.conch.skills.in_chat.held_to(chat)
    assert living.conch.skills.in_chat.stop(chat, skill.id)
    assert living.conch.skills.in_chat.held_to(chat) == []


async def test_a_skill_that_is_off_cant_be_asked_for_by_name(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1", mode="off")
    with pytest.raises(ConchError):
        await do(living, f"/{skill.name} please")


async def test_only_skills_used_automatically_are_told(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    in_chat = living.conch.skills.in_chat
    assert (in_chat.told(), in_chat.tools("c")) == ("", [])
    living.conch.skills.library.set_mode(skill, "auto")
    assert f"- {skill.id}: " in in_chat.told()
    assert [tool.name for tool in in_chat.tools("c")] == ["use_skill"]


class TestOneChance:
    async def test_once_a_chat(self, living):
        chat = await offered(living)
        await do(living, LONG_WAY, chat)
        assert (await living.conch.skills.proposing.consider(chat)).why == "offered before"
        assert len(living.conch.skills.offers.open()) == 1

    @pytest.mark.parametrize("words", ["draft-never", "draft-garble"])
    async def test_any_answer_uses_it(self, living, words):
        chat, _ = await do(living, f"{words}, the long way")
        assert (await living.conch.skills.proposing.consider(chat)).why == "refused"
        assert (await living.conch.skills.proposing.consider(chat)).why == "offered before"

    async def test_a_failure_before_any_answer_leaves_it_three_times_an_hour_apart(self, living):
        chat, _ = await do(living, "draft-fail, the long way")
        consider = living.conch.skills.proposing.consider
        for _ in range(3):
            assert (await consider(chat)).why == "no answer"
            living.clock.advance(minutes=59)
            if (await consider(chat)).why == "offered before":
                return
            assert (await consider(chat)).why == "later"
            living.clock.advance(minutes=2)
        assert (await consider(chat)).why == "offered before"

    async def test_a_crash_while_asking_is_one_try(self, living):
        chat, _ = await do(living, LONG_WAY)
        living.conch.skills.offers.trying(chat)
        living.start()
        assert (await living.conch.skills.proposing.consider(chat)).why == "later"
        living.clock.advance(hours=1)
        assert (await living.conch.skills.proposing.consider(chat)).offer is not None

    async def test_with_five_waiting_no_model_is_asked_and_no_chance_used(self, living):
        offers = living.conch.skills.offers
        for number in range(5):
            offers.answered(
                f"c_{number}",
                offer=offers.new(key=f"c_{number}", chat=f"c_{number}", title=f"Number {number}",
                           description="A thing.", instructions="1. a\n2. b"),
            )  # fmt: skip
        chat, _ = await do(living, LONG_WAY)
        assert (await living.conch.skills.proposing.consider(chat)).why == "five wait"
        offers.not_now("1")
        assert (await living.conch.skills.proposing.consider(chat)).offer is not None


class TestAnswers:
    async def test_not_now_is_a_month(self, living):
        await offered(living)
        offers = living.conch.skills.offers
        offers.not_now("1")
        assert offers.open() == []
        living.clock.advance(days=30, seconds=1)
        assert len(offers.open()) == 1

    async def test_turned_down_for_good_keeps_work_like_it_down(self, living):
        await offered(living)
        living.conch.skills.offers.never("1")
        assert living.conch.skills.offers.open() == []
        chat, _ = await do(living, LONG_WAY)
        assert (await living.conch.skills.proposing.consider(chat)).why == "turned down"

    async def test_work_like_a_skill_there_is_isnt_offered(self, living):
        living.conch.skills.library.save(
            "Turn notes into a report", "Turns notes into a report.", "1. Read.\n2. Write."
        )
        chat, _ = await do(living, LONG_WAY)
        assert (await living.conch.skills.proposing.consider(chat)).why == "like a skill"

    async def test_a_save_that_was_cut_off_is_carried_through(self, living):
        await offered(living)
        (offer,) = living.conch.skills.offers.open()
        offers = living.conch.skills.offers
        offers._set(offer.id, lambda one: one.model_copy(update={"saving": "my-way"}))
        living.conch.skills.library.save(
            offer.title, offer.description, offer.instructions, name="my-way"
        )
        living.start()
        assert living.conch.skills.offers.open() == []
        assert len(living.conch.skills.library.skills()) == 1


async def test_after_reading_outside_it_says_so(living):
    chat = living.conch.chats.new()
    living.conch.chats.log(chat).append(TaintMarked(kind="web", label="trains.example"))
    await do(living, LONG_WAY, chat)
    found = await living.conch.skills.proposing.consider(chat)
    assert found.offer is not None, found
    assert found.offer.note == (
        "Learned in a chat that read trains.example. Read the steps before you save it."
    )


async def test_a_quiet_chat_is_left_alone(living):
    chat, _ = await do(living, LONG_WAY)
    living.conch.chats.log(chat).append(QuietMark(on=True))
    assert (await living.conch.skills.proposing.consider(chat)).why == "quiet"


async def test_a_sweep_finds_it_and_does_not_look_twice(living):
    await do(living, LONG_WAY)
    assert [one.offer is not None for one in await living.conch.skills.sweep()] == [True]
    assert await living.conch.skills.sweep() == []


async def test_a_damaged_file_is_set_aside_and_said(living):
    await offered(living)
    file = living.folder / "skill-learned.json"
    file.write_text("{", encoding="utf-8")
    assert living.conch.skills.offers.open() == []
    assert "skill-learned.json" in living.home.notes.recent(1)[0].text


class TestShelf:
    async def test_unused_for_sixty_days(self, living):
        await offered(living)
        skill = living.conch.skills.offers.save("1")
        shelf, clock = living.conch.skills.shelf, living.clock
        clock.advance(days=59)
        assert shelf.unused(clock.now()) == ()
        clock.advance(days=1)
        assert [one.id for one in shelf.unused(clock.now())] == [skill.id]

    async def test_the_press_is_checked_again(self, living):
        await offered(living)
        skill = living.conch.skills.offers.save("1")
        living.clock.advance(days=61)
        living.conch.skills.usage.used(skill.id, "c_1")
        now = living.clock.now()
        assert living.conch.skills.shelf.turn_off([skill.id, "another"], now) == ()
        living.clock.set(now + timedelta(days=61))
        (off,) = living.conch.skills.shelf.turn_off([skill.id], living.clock.now())
        assert off.mode == "off"
        assert off.folder.is_dir()

    async def test_keep_them_asks_again_after_another_sixty_days(self, living):
        await offered(living)
        skill = living.conch.skills.offers.save("1")
        shelf, clock = living.conch.skills.shelf, living.clock
        clock.advance(days=61)
        shelf.keep([skill.id], clock.now())
        assert shelf.unused(clock.now()) == ()
        clock.advance(days=60)
        assert len(shelf.unused(clock.now())) == 1

    async def test_one_you_wrote_yourself_is_never_offered(self, living):
        library, clock = living.conch.skills.library, living.clock
        library.save("Water the plants", "A plan for watering.", "1. Look.\n2. Water.")
        clock.advance(days=400)
        assert living.conch.skills.shelf.unused(clock.now()) == ()


async def test_what_came_of_a_skill_is_read_where_it_was_used(living, monkeypatch):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    chat, _ = await do(living, f"/{skill.name} please")
    others = [await living.say("Hello there") for _ in range(3)]
    read = []
    log = living.conch.chats.log
    monkeypatch.setattr(living.conch.chats, "log", lambda one: read.append(one) or log(one))
    (came,) = living.conch.skills.outcomes(skill.id)
    assert came[0] == chat
    assert not set(read) & set(others)


async def test_of_a_skill_counted_before_chats_were_every_log_is_read(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    chat, _ = await do(living, f"/{skill.name} please")
    file = living.home.root / "skill-usage.json"
    kept = json.loads(file.read_text("utf-8"))
    del kept["skills"][skill.id]["chats"]
    file.write_text(json.dumps(kept), "utf-8")
    assert [one for one, _ in living.conch.skills.outcomes(skill.id)] == [chat]


async def test_a_skill_is_compared_with_the_chat_that_used_it_last(living):
    await offered(living)
    skill = living.conch.skills.offers.save("1")
    with pytest.raises(ConchError, match="No chat"):
        living.conch.skills.compared(skill)
    before = (living.home.root / "skills" / skill.folder.name / "SKILL.md").read_bytes()
    await do(living, f"/{skill.name} run `ls -l`")
    chat, _ = await do(living, f"/{skill.name} run `pwd`")
    compared_with, found = living.conch.skills.compared(skill)
    assert compared_with == chat
    assert [one.summary for one in found.steps] == ["Run `pwd`"]
    assert any(one.done for one in found.lines)
    assert not found.same
    assert (living.home.root / "skills" / skill.folder.name / "SKILL.md").read_bytes() == before


async def test_a_file_that_cannot_be_read_is_an_outcome_and_no_error(living):
    chat, _ = await do(living, LONG_WAY)
    log = living.conch.chats.log(chat).path
    log.unlink()
    log.mkdir()
    found = await living.conch.skills.proposing.consider(chat)
    assert (found.offer, found.why) == (None, "failed")
    assert "directory" in found.detail
