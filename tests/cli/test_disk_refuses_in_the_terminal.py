"""A full disk while a chat is open: the words are given back, and the chat stays open."""

from __future__ import annotations

import resource

from at_terminal import AtTerminal


def room(chat: AtTerminal, size: int) -> None:
    """The longest a file of this chat's process may become, in bytes (-1: as long as it likes)."""
    _, hard = resource.prlimit(chat.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(chat.pid, resource.RLIMIT_FSIZE, (size, hard))


def test_words_the_disk_refuses_stand_in_the_next_line_and_can_be_sent_again(terminal):
    chat = AtTerminal(terminal, "chat")
    chat.until("/help lists")
    room(chat, 0)
    chat.press("Hello there\r")
    assert "Your disk refused it" in chat.until("wasn't kept")
    chat.until("› Hello there")
    room(chat, -1)
    chat.press("\r")
    chat.until("You said")
    chat.press("/quit\r")
    assert "Traceback" not in chat.ended()
    assert terminal.run("chats", "show", "Hello there").count("Hello there") == 3


def test_a_command_the_disk_refuses_leaves_the_chat_open(terminal):
    terminal.run("chat", "Hello there")
    chat = AtTerminal(terminal, "chat", "--open", "Hello there")
    chat.until("/help lists")
    room(chat, 0)
    for command in ("/quiet", "/model practice", "/archive"):
        chat.press(f"{command}\r")
        chat.until("refused")
    room(chat, -1)
    chat.press("And now?\r")
    chat.until("You said")
    chat.press("/quit\r")
    assert "Traceback" not in chat.ended()


def test_a_chat_opens_where_nothing_can_be_written(terminal):
    terminal.run("chat", "Hello there")
    chat = AtTerminal(terminal, "chat", size=0)
    chat.until("/help lists")
    chat.press("Hello there\r")
    chat.until("send it again.\r\n› Hello there")
    chat.press("\x15/quit\r")
    assert "Traceback" not in chat.ended()
