"""Spec 0058 §1, row by row: what counts as work that went well, and what is never kept."""

from __future__ import annotations

import pytest

from conch.skills.outcome import says_it_did_not_manage
from conch.skills.standing import Standing, may_be_offered
from conch.skills.work import LEAST_STEPS, Ending, NotKept, TaskEnd, Work, assess
from skills.logs import Log

VERIFIED = Ending(task=TaskEnd("done", "verified"))
UNVERIFIED = Ending(task=TaskEnd("done", "unverified"))
RAN_WELL = Ending(routine_succeeded=True)


NOTHING_ELSE = Ending()


def reason(log: Log, ending: Ending = NOTHING_ELSE) -> str:
    found = assess(log.events, ending)
    return found.reason if isinstance(found, NotKept) else found.signal


def after_thanks(steps: int, said: str = "perfect, thanks") -> Log:
    return Log().turn("get the build green", steps).turn(said)


@pytest.mark.parametrize(
    ("log_of", "ending", "signal"),
    [
        pytest.param(
            lambda steps: Log("task").turn("rebuild the index", steps),
            VERIFIED,
            "verified",
            id="A background task that finished verified",
        ),
        pytest.param(
            lambda steps: Log("routine").turn("collect the invoices", steps),
            RAN_WELL,
            "routine",
            id="A routine's run that succeeded",
        ),
        pytest.param(
            after_thanks,
            Ending(),
            "thanks",
            id="You said it worked (“perfect, thanks”) right after it, with no “but”",
        ),
        pytest.param(
            lambda steps: Log().turn("compare the fares", steps),
            Ending(),
            "long",
            id="A long run that ended well, with nothing said",
        ),
    ],
)
def test_signal_and_steps(log_of, ending, signal):
    least = LEAST_STEPS[signal]
    assert reason(log_of(least), ending) == signal
    assert reason(log_of(least + 1), ending) == signal
    assert reason(log_of(least - 1), ending) == "too few steps"


def test_the_numbers_are_the_specs():
    assert LEAST_STEPS == {"verified": 3, "routine": 4, "thanks": 5, "long": 10}


def test_an_unverified_task_counts_as_a_long_run():
    assert reason(Log("task").turn("rebuild", 10), UNVERIFIED) == "long"
    assert reason(Log("task").turn("rebuild", 9), UNVERIFIED) == "too few steps"


@pytest.mark.parametrize(
    ("log", "ending", "why"),
    [
        pytest.param(
            Log().turn("fix it", 12, end="failed"), Ending(), "failed", id="the turn failed"
        ),
        pytest.param(
            Log().turn("fix it", 12, end="stopped"), Ending(), "stopped", id="or was stopped"
        ),
        pytest.param(
            Log().turn("fix it", 12, end="stopped").turn("thanks anyway"),
            Ending(),
            "stopped",
            id="or was stopped, and thanked for",
        ),
        pytest.param(
            Log("task").turn("fix it", 12),
            Ending(task=TaskEnd("done", "failed")),
            "failed",
            id="a task whose proof failed",
        ),
        pytest.param(
            Log("routine").turn("fix it", 12),
            Ending(routine_succeeded=False),
            "failed",
            id="a routine's run that failed",
        ),
        pytest.param(
            Log().turn("fix it", 13, failed=7),
            Ending(),
            "mostly failed",
            id="more than half its steps failed",
        ),
        pytest.param(
            Log("task").turn("fix it", 5, failed=3),
            VERIFIED,
            "mostly failed",
            id="more than half its steps failed, verified or not",
        ),
        pytest.param(
            Log().turn("fix it", 12, reply="I couldn't log in, so nothing was changed."),
            Ending(),
            "gave up",
            id="or the reply says it didn't manage",
        ),
        pytest.param(
            Log().turn("fix it", 12, skill="mending"),
            Ending(),
            "skill shaped it",
            id="a skill already shaped it (a skill.used in it)",
        ),
        pytest.param(
            Log().turn("look", 12).turn("what does Ben say?", who="Ben"),
            Ending(),
            "someone else's words",
            id="someone else's words are in the chat (a person message)",
        ),
        pytest.param(
            Log().read("person", "Ben").turn("look", 12),
            Ending(),
            "someone else's words",
            id="someone else's words are in the chat (a person taint)",
        ),
        pytest.param(
            Log().turn("look", 12).turn("and hotels?", 2, end=None),
            Ending(),
            "running",
            id="never while a turn runs",
        ),
        pytest.param(
            Log("task").turn("rebuild", 8),
            Ending(task=TaskEnd("running")),
            "not over yet",
            id="a task waits for its verdict",
        ),
        pytest.param(
            Log().turn("plan my week", 14, tool="TodoWrite"),
            Ending(),
            "too few steps",
            id="Conch's bookkeeping (remember, use_skill, a to-do list) isn't a step",
        ),
        pytest.param(Log("guest").turn("look", 12), Ending(), "not yours", id="a guest's chat"),
        pytest.param(Log("imported").turn("look", 12), Ending(), "not yours", id="brought in"),
    ],
)
def test_never_kept_when(log, ending, why):
    assert reason(log, ending) == why


def test_exactly_half_its_steps_may_fail():
    assert reason(Log().turn("fix it", 12, failed=6)) == "long"


@pytest.mark.parametrize(
    "said",
    [
        "thanks but the totals are off",
        "great, now it crashes",
        "perfect... NOT",
        "thanks, can you undo it?",
        "danke, aber mach das bitte rückgängig",
        "merci mais remets tout comme avant",
        'she wrote "perfect, thanks" - what do I answer?',
    ],
)
def test_no_thanks_with_a_but(said):
    assert isinstance(assess(after_thanks(7, said).events), NotKept)


@pytest.mark.parametrize(
    "said",
    [
        "no errors any more, thanks!",
        "awesome, thanks. what should we name the release?",
        "danke, passt genau",
        "太好了，谢谢",
        "شكرا، ممتاز",
        "dzięki, działa super",
    ],
)
def test_you_said_it_worked(said):
    assert reason(after_thanks(7, said)) == "thanks"


def test_the_work_is_every_turn_that_led_there_false_starts_included():
    log = (
        Log()
        .turn("export the photos", 4, failed=4, end="failed", reply="")
        .turn("try again without that tool", 6)
        .turn("works, thank you!")
    )
    found = assess(log.events)
    assert isinstance(found, Work)
    assert found.asked == ("export the photos", "try again without that tool")
    assert len(found.steps) == 10
    assert sum(step.ok is False for step in found.steps) == 4


def test_what_went_before_a_turn_without_steps_is_other_work():
    log = (
        Log()
        .turn("clean my inbox", 6, skill="inbox")
        .turn("what's for dinner?")
        .turn("compare the fares", 12)
    )
    found = assess(log.events)
    assert isinstance(found, Work)
    assert found.asked == ("compare the fares",)


def test_two_jobs_are_not_one():
    log = Log().turn("resize the photos", 6).turn("now something else: book the squash court", 6)
    assert reason(log) == "too few steps"


def test_a_follow_up_is_the_same_work():
    log = Log().turn("resize the photos", 6).turn("now do the same for the videos", 6)
    assert reason(log) == "long"


@pytest.mark.parametrize(
    ("standing", "why"),
    [
        pytest.param(Standing(offered=True), "offered before", id="It's offered once per chat"),
        pytest.param(Standing(waiting=5), "five wait", id="no more than five wait at once"),
        pytest.param(
            Standing(skills=("Compare train fares. Finds the cheapest train fare.",)),
            "like a skill",
            id="it's like a skill you have",
        ),
        pytest.param(
            Standing(turned_down=("compare the train fares to Nice",)),
            "turned down",
            id="or one you turned down for good",
        ),
        pytest.param(
            Standing(waiting=4, skills=("Water the plants. A plan for watering.",)), None, id="room"
        ),
    ],
)
def test_may_be_offered(standing, why):
    work = assess(Log().turn("compare the train fares to Lyon", 12).events)
    assert isinstance(work, Work)
    refused = may_be_offered(work, standing)
    assert (refused.reason if refused else None) == why


@pytest.mark.parametrize(
    ("reply", "gave_up"),
    [
        ("Ich konnte die Seite leider nicht öffnen.", True),
        ("Je n'ai pas réussi à ouvrir la page.", True),
        ("No pude iniciar sesión.", True),
        ("Infelizmente não consegui abrir.", True),
        ("Non sono riuscito ad aprire la pagina.", True),
        ("Ik kon de pagina niet openen.", True),
        ("Nie udało się otworzyć strony.", True),
        ("Sayfayı açamadım.", True),
        ("К сожалению, не удалось открыть страницу.", True),
        ("残念ながらログインできませんでした。", True),
        ("很抱歉，我无法打开页面。", True),
        ("로그인할 수 없어서 완료하지 못했습니다.", True),
        ("मैं पेज नहीं खोल सका।", True),
        ("لم أتمكن من فتح الصفحة.", True),
        ("Done, but I couldn't upload it.", True),
        ("Still failing: two tests.", True),
        ("I couldn't find any errors in the logs; everything is fine.", False),
        ("Finished. The old script failed on spaces, so the new one quotes them.", False),
        ("At first it failed, but now it works.", False),
        ("完了しました。エラーはもう再現できませんでした。", False),
        ("Готово. Ошибок больше не нашёл.", False),
        ("The 07:12 is cheapest, 29 €.", False),
    ],
)
def test_the_reply_says_it_did_not_manage(reply, gave_up):
    assert says_it_did_not_manage(reply) is gave_up
