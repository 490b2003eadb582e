"""Why? of a fact about this computer shows the two steps it rests on, wherever it is asked."""

import os
import socket
from datetime import UTC, datetime

import pytest

from at_work import FACT, STEPS, worked_another_way
from conch.home.clock import SteppedClock
from living import Living

LINES = (f"Conch saw: {STEPS[0]}: failed", f"Conch saw: {STEPS[1]}: ok")


@pytest.fixture
def learned(terminal):
    """A home in which the fact was learned just now."""
    living = Living(terminal.home, host=socket.gethostname(), clock=SteppedClock(datetime.now(UTC)))
    worked_another_way(living)
    assert FACT in terminal.run("learn")
    return terminal


def test_in_the_terminal(learned):
    shown = learned.run("why", "1")
    assert FACT in shown
    assert all(line in " ".join(shown.split()) for line in LINES)
    assert "you said" not in shown
    assert "worked another way" in shown
    assert "no model, code alone" in shown


def test_for_machines(learned):
    (item,) = learned.json("why", "1")
    assert [(one["summary"], one["ok"]) for one in item["steps"]] == [
        (STEPS[0], False),
        (STEPS[1], True),
    ]


def test_in_the_chat(learned):
    shown = learned.run("chat", given=f"/why 1{os.linesep}")
    assert all(line in " ".join(shown.split()) for line in LINES)


def test_of_the_whole_chat(learned):
    assert all(line in " ".join(learned.run("why", "Install requests").split()) for line in LINES)
