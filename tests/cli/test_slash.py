"""Commands inside a chat, answered in this process."""

from __future__ import annotations

import pytest

from conch.cli.cards import go_through
from conch.cli.slash import Slash
from conch.cli.verbs import answer


@pytest.fixture
def slash(living) -> Slash:
    return Slash(lambda verb, args: answer(living.conch, verb, args))


@pytest.mark.parametrize("words", ["/exit", "/quit", "/EXIT"])
async def test_exit_leaves_as_quit_does(slash, words):
    assert await slash.run(words) == "leave"


async def test_help_lists_both_ways_to_leave(slash, capsys):
    await slash.run("/help")
    shown = capsys.readouterr().out.split()
    assert {"/quit", "/exit"} <= set(shown)


async def test_after_archiving_it_says_that_a_new_chat_begins(slash, living, capsys):
    slash.chat = await living.say("Hello.")
    await slash.run("/archive")
    assert "What you say next begins a new chat." in capsys.readouterr().out
    assert slash.chat == ""


async def test_a_card_shows_the_keys_it_takes_and_says_them_again_at_another(
    living, capsys, monkeypatch
):
    asked = []

    async def another_key_then_quit(allowed, on_other):
        asked.append(allowed)
        on_other()
        return "q"

    monkeypatch.setattr("conch.cli.cards.must_be_the_person", lambda kept: None)
    monkeypatch.setattr("conch.cli.cards.one_key", another_key_then_quit)
    card = {
        "type": "record",
        "id": "r1",
        "text": "Lives in Lisbon",
        "state": "waiting",
        "chat": "c1",
        "at": "2026-12-01T12:00:00+00:00",
    }
    await go_through(lambda verb, args: answer(living.conch, verb, args), [card])
    assert asked == ["kflq"]
    assert capsys.readouterr().out.count("k keep · f forget · l later · q quit") == 2
