"""Two Ctrl-C within ten milliseconds, at any moment: it ends, and no traceback is shown."""

from __future__ import annotations

import os
import signal
import termios
import time
from datetime import UTC, datetime, timedelta

import pytest

from at_terminal import AtTerminal
from conch.chats.events import AssistantMessage, PersonMessage, TurnCompleted
from conch.home.clock import SteppedClock
from living import CORRECTION, Living
from wire.answers import says
from wire.server import StubServer


def moments(between: float, first: float = 0.0) -> list:
    """Twelve moments, in seconds; eleven of them are for the long runs."""
    return [
        pytest.param(first + at * between, marks=[pytest.mark.slow] if at else [], id=str(at))
        for at in range(12)
    ]


@pytest.fixture
def slow(terminal):
    """An engine that streams a word at a time and never comes to an end."""
    with StubServer() as server:
        server.pages = {"/v1/models": {"data": [{"id": "m"}]}}
        server.otherwise = says("word " * 400, pause_s=0.1)
        terminal.run("connect", "mine", "--url", server.url, "--no-check", given="\n")
        terminal.run("engines", "use", "mine")
        yield server


def interrupted(running: AtTerminal, after: float, apart: float = 0.01) -> None:
    """Two SIGINT; then it ends by itself, or at Ctrl-D where the first two only stopped a reply."""
    time.sleep(after)
    for pause in (apart, 0):
        running.signal(signal.SIGINT)
        time.sleep(pause)
    shown = running.shown + running.ended(at_prompt="\x04")
    assert "Traceback" not in shown
    assert "Exception" not in shown
    assert "never" not in shown
    # Once Python has shut down it is the system that ends it: -SIGINT, which a shell calls 130.
    assert running.status in (0, 130, -signal.SIGINT), shown


@pytest.mark.parametrize("after", moments(0.12, first=0.1))
def test_while_it_starts_and_at_the_prompt(terminal, after):
    interrupted(AtTerminal(terminal, "chat"), after)


@pytest.mark.parametrize("after", moments(0.013))
def test_while_a_reply_streams(terminal, slow, after):
    chat = AtTerminal(terminal, "chat")
    chat.until("/help lists")
    chat.press("Hello there\r")
    chat.until("word ")
    interrupted(chat, after)


@pytest.mark.parametrize("after", moments(0.013))
def test_while_one_line_is_answered(terminal, slow, after):
    line = AtTerminal(terminal, "chat", "Hello there")
    line.until("word ")
    interrupted(line, after)


@pytest.mark.parametrize("after", moments(0.013))
def test_while_a_look_is_let_end_at_the_close(terminal, slow, after):
    hour_ago = SteppedClock(datetime.now(UTC) - timedelta(hours=1))
    living = Living(terminal.home, clock=hour_ago)
    chat = living.conch.chats.new(title="Old")
    log = living.conch.chats.log(chat)
    for words in CORRECTION:
        log.append(PersonMessage(text=words))
        log.append(AssistantMessage(text="Yes.", engine="mine"))
        log.append(TurnCompleted(outcome="success", engine="mine", model="m"))
    slow.otherwise = says("Late.", hang_s=20)
    open_chat = AtTerminal(terminal, "chat")
    open_chat.until("/help lists")
    until = time.monotonic() + 60
    while not slow.completions():
        assert time.monotonic() < until
        time.sleep(0.05)
    open_chat.press("/quit\r")
    open_chat.until("being learned from")
    interrupted(open_chat, after)


def test_the_terminal_is_left_as_it_was(terminal):
    chat = AtTerminal(terminal, "chat")
    before = termios.tcgetattr(chat.terminal)
    chat.until("/help lists")
    time.sleep(0.5)
    assert termios.tcgetattr(chat.terminal) != before
    for _ in range(3):
        os.kill(chat.pid, signal.SIGINT)
    while not chat.is_over:
        time.sleep(0.05)
    assert termios.tcgetattr(chat.terminal) == before
    chat.ended()
