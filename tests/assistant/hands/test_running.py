"""Commands: what comes back, how they end, what they leave behind."""

from __future__ import annotations

import asyncio

import pytest

from conch.assistant.hands.running import LONGEST_OUTPUT, capped, downloaded, run
from conch.assistant.hands.sealing import Sealed
from conch.assistant.happenings import Asks, StepBegan
from conch.chats.events import TaintMarked, ToolFinished, ToolStarted, TurnCompleted


@pytest.fixture
def seal(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "home").mkdir()
    return Sealed(folder.resolve(), ((tmp_path / "home").resolve(),), tmp_path.resolve(), False)


async def test_output_and_exit_status_come_back(seal):
    ran = await run("echo out; echo err >&2; exit 3", seal, {}, 20)
    assert (ran.output, ran.exit) == ("out\nerr\n", 3)


async def test_a_command_that_takes_too_long_is_ended_and_says_so(seal):
    ran = await run("echo begun; sleep 60", seal, {}, 1)
    assert ran.exit is None
    assert ran.output == "begun\n\n(It was ended after 1 seconds.)"


async def test_much_output_keeps_its_start_and_its_end(seal):
    ran = await run("echo first; seq 1 200000; echo last", seal, {}, 30)
    assert ran.output.startswith("first")
    assert ran.output.endswith("last\n")
    assert "left out" in ran.output
    assert len(ran.output) <= LONGEST_OUTPUT


async def test_what_a_command_left_running_is_gone_with_it(seal):
    mark = seal.folder / "mark"
    await run("(sleep 1; touch mark) >/dev/null 2>&1 &", seal, {}, 20)
    await asyncio.sleep(1.5)
    assert not mark.exists()


async def test_it_waits_for_no_input(seal):
    assert (await run("cat; echo over", seal, {}, 20)).output == "over\n"


async def test_no_key_is_in_its_environment(seal):
    environ = {"OPENAI_API_KEY": "sk-live-1", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    ran = await run("env", seal, environ, 20)
    assert "sk-live" not in ran.output
    assert "LANG=C.UTF-8" in ran.output
    assert "CONCH_STARTED=1" in ran.output


async def test_stop_kills_a_running_command(worker):
    worker.mode("full_trust")
    worker.obeys(("run_command", {"command": "sleep 3; touch mark"}))
    turn = worker.conch.assistant.turn(worker.chat, "Do it.", can_ask=True, with_hands=True)
    async for happening in turn:
        if isinstance(happening, Asks):
            # Where nothing seals commands, this one asks first.
            worker.conch.assistant.answer(worker.chat, happening.approval, True)
        if isinstance(happening, StepBegan):
            await asyncio.sleep(0.8)
            worker.conch.assistant.stop(worker.chat)
    await asyncio.sleep(3)
    events = worker.conch.chats.log(worker.chat).events()
    assert [one.outcome for one in events if isinstance(one, TurnCompleted)] == ["stopped"]
    assert not (worker.folder / "mark").exists()


async def test_a_step_has_its_line_and_its_end_in_the_log(worker):
    worker.mode("full_trust")
    await worker.does(("run_command", {"command": "echo hello; exit 2"}), allow=True)
    events = worker.conch.chats.log(worker.chat).events()
    (started,) = [one for one in events if isinstance(one, ToolStarted)]
    (finished,) = [one for one in events if isinstance(one, ToolFinished)]
    assert started.summary == "Run `echo hello; exit 2`"
    assert (finished.ok, finished.exit) == (False, 2)
    assert finished.output == "hello\n\n(exit status 2)"


async def test_a_command_that_names_an_address_marks_the_chat_before_the_engine_reads(worker):
    worker.mode("full_trust")
    took = await worker.does(
        ("run_command", {"command": "echo https://evil.example/x"}),
        ("run_command", {"command": "echo second"}),
        allow=True,
    )
    events = worker.conch.chats.log(worker.chat).events()
    kinds = [type(one) for one in events if isinstance(one, TaintMarked | ToolFinished)]
    assert kinds[:2] == [TaintMarked, ToolFinished]
    assert "downloaded evil.example" in took.asked[-1].why


@pytest.mark.parametrize(
    ("command", "labels"),
    [
        ("curl https://a.example/x", ["a.example"]),
        ("curl a.example", ["curl"]),
        ("git clone git://b.example/x", ["b.example"]),
        ("echo x | ssh host", ["ssh"]),
        ("/usr/bin/wget x", ["wget"]),
        ("cat ~/.ssh/config", []),
        ("git pull", []),
        ("npm test", []),
        ("ls curl.txt", []),
    ],
)
def test_what_a_command_took_in(command, labels):
    assert [taint.label for taint in downloaded(command)] == labels


def test_capped_text_is_no_longer_than_it_may_be():
    assert capped("x") == "x"
    assert len(capped("x" * 100_000)) <= LONGEST_OUTPUT
