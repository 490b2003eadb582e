"""A chat in the terminal as a person uses it: keys, odd commands, a huge paste, two terminals."""

from __future__ import annotations

import time

import pytest

from at_terminal import AtTerminal

pytestmark = pytest.mark.slow


@pytest.fixture
def chat(terminal):
    chat = AtTerminal(terminal, "chat")
    chat.until("/help lists")
    chat.until_prompt()
    return chat


def left(chat: AtTerminal) -> None:
    chat.press("/quit\r")
    assert "Traceback" not in chat.ended()


def test_ctrl_c_clears_words_and_leaves_on_an_empty_line(chat, terminal):
    chat.press("never to be sent")
    chat.until("sent")
    chat.press("\x03")
    time.sleep(0.3)
    chat.press("Hello there\r")
    chat.until("You said: Hello there")
    chat.until_prompt()
    chat.press("\x03")
    chat.ended()
    assert chat.status == 0
    assert "never to be sent" not in terminal.run("chats", "show")


def test_ctrl_c_at_a_question_stops_the_reply_and_the_chat_goes_on(chat):
    chat.press("turn my notes into a report, the long way\r")
    chat.until("y / n")
    chat.press("\x03")
    chat.until("(stopped)")
    chat.until_prompt()
    chat.press("And now?\r")
    chat.until("You said: And now?")
    left(chat)


def test_ctrl_c_at_a_card_goes_back_to_the_line(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    terminal.run("chat", given="By the way, I moved to Lisbon.\n/archive\n")
    chat = AtTerminal(terminal, "chat")
    chat.until_prompt()
    chat.press("/keep\r")
    chat.until("1 of 1")
    chat.press("\x03")
    chat.until_prompt()
    chat.press("Still here?\r")
    chat.until("You said: Still here?")
    left(chat)
    assert [one["state"] for one in terminal.json("learned")] == ["waiting"]


ODD_LINES = [
    ("/archive the old one", "/archive takes nothing after it. Nothing was done."),
    ("/quit now?", "/quit takes nothing after it."),
    ("/exit now?", "/exit takes nothing after it."),
    ("/folder /tmp", "/folder takes nothing after it."),
    ("/quiet please", "/quiet, /quiet on or /quiet off? Nothing was done."),
    ("/chats zzzqqq", "That was said in no chat."),
    ("/open no-such-chat", "There is no chat “no-such-chat”."),
    ("/open", "Which one?"),
    ("/why zzz", "There is no chat “zzz”."),
    ("/undo zzz", "There is no entry in what was learned “zzz”."),
    ("/undo files", "There is no change of files in this chat"),
    ("/redo", "There is no change of files in this chat"),
    ("/forget", "Which one?"),
    ("/forget zzz", "There is no entry in what was learned “zzz”."),
    ("/keep zzz", "Nothing that waits for you is “zzz”."),
    ("/model zzz", "“zzz” isn't connected."),
    ("/model practice zzz", "is no model of Practice engine"),
    ("/skills", "No skill is in use, and nothing waits to become one."),
    ("/save", "Nothing waits to become a skill."),
    ("/save zzz", "There is no skill “zzz”."),
    ("/nope", "There is no /nope. /help lists what there is."),
    ("/", "There is no /. /help lists what there is."),
    ("/HELP", "/archive"),
]


def test_odd_input_to_a_command_is_answered_and_does_nothing(terminal):
    lines = "\n".join(line for line, _ in ODD_LINES)
    shown = terminal.run("chat", given=f"Hello there\n{lines}\n/chats\n")
    assert [line for line, says in ODD_LINES if says not in shown] == []
    (chat,) = terminal.json("chats", "list")
    assert (chat["archived"], chat["quiet"]) == (False, False)


@pytest.mark.parametrize(
    ("lines", "quiet"),
    [
        ("/quiet", True),
        ("/quiet on\n/quiet on", True),
        ("/quiet off", False),
        ("/quiet\n/quiet", False),
    ],
)
def test_quiet_is_what_it_was_told_to_be(terminal, lines, quiet):
    terminal.run("chat", given=f"Hello there\n{lines}\n")
    assert [one["quiet"] for one in terminal.json("chats", "list")] == [quiet]


def test_five_thousand_pasted_lines_are_one_message(chat, terminal):
    pasted = "\n".join(f"line {at} of what was pasted" for at in range(5_000))
    chat.paste(pasted)
    chat.until("line 4999 of what was pasted")
    chat.press("\r")
    chat.until("You said")
    left(chat)
    shown = terminal.run("chats", "show")
    assert shown.count("you  line 0 of") == 1
    assert "line 4999 of what was pasted" in shown


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (10, 20), (200, 500)])
def test_a_terminal_of_any_size_will_do(chat, rows, columns):
    chat.resize(rows, columns)
    time.sleep(0.3)
    chat.press("Hi\r")
    chat.until("You said: Hi")
    left(chat)


def test_two_terminals_on_one_home_and_the_first_leaves(chat, terminal):
    second = AtTerminal(terminal, "chat")
    second.until_prompt()
    second.press("From the second\r")
    second.until("You said: From the second")
    left(chat)
    second.press("After the first left\r")
    second.until("You said: After the first left")
    left(second)
    assert "After the first left" in terminal.run("chats", "show", "From the second")


def test_ctrl_d_on_an_empty_line_leaves_and_on_words_does_not(chat):
    chat.press("Hello there\x04")
    time.sleep(0.5)
    chat.press("\r")
    chat.until("You said: Hello there")
    chat.until_prompt()
    chat.press("\x04")
    chat.ended()
    assert chat.status == 0
