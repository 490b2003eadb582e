"""The to-do list of a chat: written whole by a step, read from the log, no step of any work."""

from __future__ import annotations

import pytest

from conch.assistant.todo import MOST_TODOS, Todo, in_lines, todos_in, todos_of
from conch.chats.turns import turns
from conch.home.errors import ConchError
from conch.skills.bookkeeping import is_bookkeeping

LIST = [{"text": "Read the notes", "state": "done"}, {"text": "Write it", "state": "in_progress"}]


async def test_it_is_written_without_being_asked_and_read_from_the_log(worker):
    took = await worker.does(
        ("todo_write", {"todos": [{"text": "Old", "state": "pending"}]}),
        ("todo_write", {"todos": LIST}),
        ("todo_write", {"todos": "nothing"}),
    )
    assert took.asked == []
    assert took.told[1] == "☑ Read the notes\n▸ Write it"
    assert "must be a list" in took.told[2]
    events = worker.conch.chats.log(worker.chat).events()
    assert todos_in(events) == (Todo("Read the notes", "done"), Todo("Write it", "in_progress"))
    assert all(is_bookkeeping(step.tool) for turn in turns(events) for step in turn.steps)


async def test_a_chat_without_one_has_none(worker):
    assert todos_in(worker.conch.chats.log(worker.chat).events()) == ()


@pytest.mark.parametrize(
    "todos",
    [None, {}, [{}], [{"text": "x", "state": "later"}], [3], [{"text": " "}],
     [{"text": "x"}] * (MOST_TODOS + 1)],
)  # fmt: skip
def test_what_is_no_list(todos):
    with pytest.raises(ConchError):
        todos_of({"todos": todos})


def test_words_alone_are_things_to_do():
    assert in_lines(todos_of({"todos": ["a  b", {"text": "c" * 500}]})).splitlines() == [
        "☐ a b",
        "☐ " + "c" * 200,
    ]
