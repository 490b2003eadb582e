"""How things are worded in the terminal."""

import pytest

from conch.cli.showing import counted, each_once


@pytest.mark.parametrize(("count", "says"), [(0, "0 chats"), (1, "1 chat"), (2, "2 chats")])
def test_one_is_one(count, says):
    assert counted(count, "chat") == says


def test_a_reason_that_another_holds_is_not_said_twice():
    page = "Learned in a chat that read example.org."
    both = f"{page} It comes from a chat brought in from elsewhere."
    assert each_once((both, page, "", page)) == [both]
    assert each_once((page, page, "It is held.")) == [page, "It is held."]
    assert each_once(()) == []
