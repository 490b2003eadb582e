"""What a look tells in the terminal: what was seen again, what was a secret, who read, for what."""

from __future__ import annotations

import json

import pytest

from wire.answers import adds, changes, says
from wire.server import StubServer

CORRECTION = "Write me a script that prints the date.\nNo, I meant TypeScript.\n"


@pytest.fixture
def server(terminal):
    """An engine over the wire, chosen; on this computer and so free."""
    with StubServer() as stub:
        stub.pages = {"/v1/models": {"data": [{"id": "m"}]}}
        stub.otherwise = says("All right.")
        terminal.run("connect", "mine", "--url", stub.url, "--no-check", given="\n")
        terminal.run("engines", "use", "mine")
        yield stub


def looked_at(terminal, server, *answers):
    """The one chat, looked at with these answers; gives the look."""
    server.answers(*answers)
    (look,) = terminal.json("learn")
    return look


def test_why_a_chat_names_what_was_seen_again_and_what_became_of_it(terminal):
    terminal.run("chat", given=f"{CORRECTION}/archive\n")
    terminal.run("chat", given=f"Now a game.\n{CORRECTION}")
    (look,) = terminal.json("learn")
    (memory,) = terminal.json("memory", "list")
    known = {"memory": memory["id"], "text": "Prefers TypeScript", "otherwise": ""}
    assert (look["seen_again"], look["known"]) == (1, [known])
    items = terminal.json("why", "Now a game")
    assert [one["known"] for one in items if one["type"] == "seen_again"] == [[known]]
    assert "“Prefers TypeScript”" in terminal.run("why", "Now a game")
    terminal.run("undo")
    assert "“Prefers TypeScript” (taken back since)" in terminal.run("why", "Now a game")


def test_a_plain_look_names_what_was_seen_again(terminal):
    terminal.run("chat", given=f"{CORRECTION}/archive\n")
    terminal.run("chat", given=f"Now a game.\n{CORRECTION}")
    assert "seen again: “Prefers TypeScript”" in terminal.run("learn")


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("My password is Sommer-Blau77", "a password"),
        ("My PIN is 4711", "a code"),
        ("My card is 4111 1111 1111 1111", "a card number"),
        ("My key is sk-ant-api03-Qx7Lm2Vb9Tz4Kc1Rn8Ws5Yd3Jf6Hg0Pq7Lm2Vb9Tz4", "a key"),
    ],
    ids=lambda value: value.split()[1],
)
def test_of_a_secret_its_kind_is_told_and_never_its_words(terminal, server, secret, kind):
    terminal.run("chat", given="I always want short answers.\n")
    said = changes(adds(secret, "I always want short answers."))
    look = looked_at(terminal, server, said)
    assert [(one["secret"], one["text"]) for one in look["dropped"]] == [(kind, "")]
    shown = terminal.run("why", "short answers")
    assert f"not learned: {kind}: " in shown
    told = (
        json.dumps(look)
        + shown
        + "".join(path.read_text() for path in (terminal.home / "learning").glob("*"))
    )
    assert secret.split()[-1] not in told


def test_a_plain_look_says_who_read_it_and_what_that_came_to(terminal, server):
    terminal.run("chat", given="I always want short answers.\n")
    server.answers(changes(adds("Wants short answers", "I always want short answers.")))
    assert "read by: m (mine), free" in terminal.run("learn")


def test_a_look_by_code_alone_names_nobody(terminal):
    terminal.run("chat", given="Hello there\n")
    assert "read by" not in terminal.run("learn")


def test_one_that_was_asked_in_vain_says_who_was(terminal, server):
    terminal.run("chat", given="I always want short answers.\n")
    for outcome in ("unreadable", "passed_over"):
        look = looked_at(terminal, server, says("no JSON"), says("no JSON"))
        asked = (look["outcome"], look["asked"], look["engine"], look["model"], look["cost_usd"])
        assert asked == (outcome, True, "mine", "m", 0.0)


def test_one_that_did_not_answer_says_who_was_asked(terminal, server):
    terminal.run("chat", given="I always want short answers.\n")
    look = looked_at(terminal, server, says("", status=500), says("", status=500))
    assert (look["outcome"], look["asked"], look["engine"]) == ("no_answer", True, "mine")
