"""`conch learn --brought`: the count and the worst price first; with --json only JSON on standard
output, and what is asked beside it."""

from __future__ import annotations

import json

import pytest

from living import CORRECTION, Living, brought_in
from wire.answers import adds, changes
from wire.server import StubServer

LEARNED = changes(adds("Prefers TypeScript", "No, I meant TypeScript."))


@pytest.fixture
def brought(terminal):
    """Two chats brought in."""
    living = Living(terminal.home)
    for _ in range(2):
        brought_in(living, *CORRECTION)
    return terminal


@pytest.fixture
def paid(brought):
    """OpenAI, metered, at a stub."""
    with StubServer() as server:
        server.otherwise = LEARNED
        server.engine(Living(brought.home).home, "openai")
        yield server


ASK = ("learn", "--brought", "--engine", "openai")


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [("n\n", 0, "Nothing was read."), ("", 1, "Aborted")],
    ids=["no", "no answer"],
)
def test_without_a_yes_nothing_is_read(brought, paid, given, status, says):
    said, warned = brought.apart(*ASK, "--json", given=given, status=status)
    assert said == ("[]\n" if status == 0 else "")
    assert "2 chats to read with" in warned
    assert "at most $" in warned
    assert "Read them? [y/N]" in warned
    assert says in warned
    assert paid.completions() == []


@pytest.mark.parametrize("more", [(), ("--yes",)], ids=["asked", "--yes"])
def test_with_json_standard_output_is_json_alone(brought, paid, more):
    said, warned = brought.apart(*ASK, "--json", *more, given="" if more else "y\n")
    looks = json.loads(said)
    assert [look["outcome"] for look in looks] == ["learned", "nothing_to_learn"]
    assert [look["engine"] for look in looks] == ["openai", "openai"]
    assert ("Read them?" in warned) is not bool(more)
    assert "2 chats to read with" in warned


def test_in_words_the_question_and_what_came_of_it_stand_together(brought, paid):
    said, warned = brought.apart(*ASK, given="y\n")
    assert warned == ""
    assert "2 chats to read with" in said
    assert "at most $" in said
    assert "Read them? [y/N]" in said
    assert said.count("Brought: ") == said.count("1 thing waits for you\n") == 1
    assert "Looked at 2 chats: learned 1 thing, 1 with nothing to learn." in said
    assert "1 thing waits for you: conch keep" in said
    again = brought.run(*ASK)
    assert again == "Nothing is left to read. All 2 chats you brought in were looked at already.\n"


def test_with_none_to_read_nothing_is_asked(terminal):
    said, warned = terminal.apart("learn", "--brought", "--engine", "practice", "--json")
    assert json.loads(said) == []
    assert "Read them?" not in warned
    assert "0 chats" in warned


def test_what_cannot_be_done_leaves_standard_output_empty(brought):
    said, warned = brought.apart(*ASK, "--json", status=1)
    assert said == ""
    assert "openai" in warned


def test_a_free_one_is_said_to_be(brought):
    _, warned = brought.apart("learn", "--brought", "--engine", "practice", "--json", given="n\n")
    assert "free" in warned
