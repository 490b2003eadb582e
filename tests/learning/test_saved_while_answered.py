"""A file saved by hand in the very moment of an answer: the answer is not carried out, and says
so."""

from __future__ import annotations

from pathlib import Path

import pytest

from conch.evals.promises import broken_promises
from conch.home import files
from conch.home.errors import ConchError


@pytest.fixture
def saved_by_hand(monkeypatch):
    real = files.remove

    def remove(path: Path, *rest: bytes) -> None:
        if rest and path.parent.name == "memory":
            path.write_bytes(path.read_bytes().replace(b"Rome", b"Bern"))
        real(path, *rest)

    def begin():
        monkeypatch.setattr(files, "remove", remove)

    yield begin
    monkeypatch.undo()


async def moved(living):
    for words in ("By the way, I live in Berlin.", "By the way, I live in Rome."):
        await living.say(words)
        await living.quiet()
    return living.conch.learning.records()[0]


@pytest.mark.parametrize("answer", ["undo", "forget"])
async def test_the_answer_is_given_up_and_the_persons_words_stay(living, saved_by_hand, answer):
    record = await moved(living)
    saved_by_hand()
    with pytest.raises(ConchError, match="Its file changed at this moment"):
        getattr(living.conch.learning, answer)(record.id)
    living.start()
    assert living.memories == ["Lives in Bern"]
    assert [one.text for one in living.conch.memories.earlier()] == ["Lives in Berlin"]
    assert living.conch.parts.never.items() == ()
    assert broken_promises(living.folder) == []


async def test_forgetting_what_has_no_record_is_given_up_too(living, saved_by_hand):
    memory = living.conch.learning.add_own("Lives in Rome")
    saved_by_hand()
    with pytest.raises(ConchError, match="Its file changed at this moment"):
        living.conch.learning.forget_memory(memory.id)
    assert living.memories == ["Lives in Bern"]


async def test_what_was_to_be_replaced_and_is_saved_in_that_moment_stays(living, saved_by_hand):
    await living.say("By the way, I live in Rome.")
    await living.quiet()
    await living.say("By the way, I moved to Oslo.")
    saved_by_hand()
    await living.quiet()
    await living.quiet(61)
    assert "Lives in Bern" in living.memories
    assert broken_promises(living.folder) == []
