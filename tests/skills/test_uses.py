"""What came of a use: thanked, ended well, corrected, undone, gave up, failed, stopped."""

from __future__ import annotations

import pytest

from conch.chats.events import FilesChanged, FilesRestored, LeftOut
from conch.skills.uses import outcomes_in
from skills.logs import Log


def used(**given) -> Log:
    return Log().turn("/tidy my notes in a list by date", 2, skill="tidy", **given)


def came(log: Log) -> list[str]:
    return [one.came for one in outcomes_in(log.events)]


@pytest.mark.parametrize(
    ("log", "want"),
    [
        (used(), "ended well"),
        (used().turn("Perfect, thanks!"), "thanked"),
        (used().turn("Perfekt, danke dir!"), "thanked"),
        (used().turn("What is the weather in Oslo tomorrow?"), "ended well"),
        (used().turn("No, I meant by name, not by date."), "corrected"),
        (used().turn("Nein, ich meinte nach Namen, nicht nach Datum."), "corrected"),
        (used().turn("/tidy my notes in a list by date"), "corrected"),
        (used(end="stopped"), "stopped"),
        (used(end="failed"), "failed"),
        (used(reply="I wasn't able to read your notes."), "gave up"),
        (used(end="stopped").turn("No, I meant by name, not by date."), "corrected"),
    ],
    ids=["nothing said", "thanks", "thanks in German", "something else asked", "a correction",
         "a correction in German", "asked again", "stopped", "failed", "says it didn't manage",
         "stopped, then corrected"],
)  # fmt: skip
def test_what_came_of_it(log, want):
    assert came(log)[0] == want


def with_files(*directions) -> Log:
    log = Log().turn("/tidy notes", 1, skill="tidy", end=None)
    log.add(FilesChanged(change_set="one", files=["a"]))
    whole = Log().turn("x", 0).events[-1]
    log.add(whole)
    for direction in directions:
        log.add(FilesRestored(change_set="one", direction=direction, files=["a"]))
    return log


def test_undone_and_done_again():
    assert came(with_files()) == ["ended well"]
    assert came(with_files("undo")) == ["undone"]
    assert came(with_files("undo").turn("Perfect, thanks!")) == ["undone"]
    assert came(with_files("undo", "redo")) == ["ended well"]


def test_files_of_another_turn_taken_back_say_nothing_of_this_one():
    log = with_files("undo")
    log.turn("/tidy my letters by year", 1, skill="tidy")
    assert came(log) == ["undone", "ended well"]


def test_its_message_edited_and_said_again_but_not_what_merely_went_with_an_earlier_one():
    log = Log().turn("What is in my folder?", 1)
    log.turn("/tidy notes", 1, skill="tidy")
    mine = next(event.seq for event in log.events if getattr(event, "text", "") == "/tidy notes")
    assert came(copied(log).add(LeftOut(from_seq=mine, why="edited"))) == ["corrected"]
    assert came(copied(log).add(LeftOut(from_seq=2, why="edited"))) == ["ended well"]


def copied(log: Log) -> Log:
    copy = Log()
    copy.events = list(log.events)
    return copy


def test_a_turn_that_runs_is_not_over_and_other_skills_are_their_own():
    log = used().turn("/other and more", 1, skill="other")
    log.turn("/tidy again, please, for May", 1, skill="tidy", end=None, reply="")
    assert [(one.skill, one.came) for one in outcomes_in(log.events)] == [
        ("tidy", "ended well"),
        ("other", "ended well"),
    ]


async def test_told_by_date_over_all_chats(living):
    skills = living.conch.skills
    skills.library.save("Tidy notes", "Tidies notes.", "1. Look.\n2. Say.")
    assert skills.outcomes("tidy-notes") == []
    first = await living.say("/tidy-notes of today")
    second = await living.say("/tidy-notes of May", "Perfect, thanks!")
    assert [(chat, one.came) for chat, one in skills.outcomes("tidy-notes")] == [
        (second, "thanked"),
        (first, "ended well"),
    ]
    await living.say("No, I meant by name, not by date.", chat=first)
    assert skills.outcomes("tidy-notes")[1][1].came == "corrected"
