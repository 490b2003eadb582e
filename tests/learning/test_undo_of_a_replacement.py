"""Undo of what replaced something gives back all of it as it was (spec 0088 §5)."""

from __future__ import annotations

import shutil

from conch.evals.promises import broken_promises
from conch.memory.memory import words_hash


def file_of(living, memory_id):
    return living.home.memory / f"{memory_id}.md"


async def moved(living, *messages):
    for words in messages:
        await living.say(words)
        await living.quiet()
    return living.conch.learning.records()[0]


async def test_what_the_person_wrote_is_in_use_again_whatever_it_reads_like(living):
    memories, learning = living.conch.memories, living.conch.learning
    own = learning.add_own("Always use 2 spaces for indentation", "preference")
    before = memories.raw(own.id)
    chat = await living.say("Please indent it with 4 spaces.")
    waiting = learning.remember(chat, "Uses 4 spaces for indentation", "preference")
    living.keep(waiting.record)
    assert memories.get(own.id) is None
    living.clock.advance(days=3)
    done = learning.undo(waiting.record)
    assert done.note == "Back as it was: Always use 2 spaces for indentation"
    assert memories.raw(own.id) == before
    assert living.memories == ["Always use 2 spaces for indentation"]
    assert broken_promises(living.folder) == []


async def test_all_that_said_the_same_are_back(living):
    first = await moved(living, "By the way, I live in Berlin.")
    memories = living.conch.memories
    twice = living.home.memory / "mine.md"
    twice.write_text("Lives in Berlin\n")
    before = {one.id: memories.raw(one.id) for one in memories.all()}
    assert len(before) == 2
    # The person's own is the one that is used, so what replaces it waits for them.
    second = await moved(living, "By the way, I moved to Lisbon.")
    living.keep(second.id)
    assert living.memories == ["Lives in Lisbon"]
    living.conch.learning.undo(second.id)
    assert {one.id: memories.raw(one.id) for one in memories.all()} == before
    assert twice.exists()
    assert first.memory in before
    assert broken_promises(living.folder) == []


async def test_forgetting_keeps_the_words_of_an_older_copy(living):
    record = await moved(living, "By the way, I live in Berlin.")
    copy = living.home.memory / "berlin copy.md"
    shutil.copy(file_of(living, record.memory), copy)
    living.conch.memories.refresh()
    consent = living.conch.consents.mint(record.memory, words_hash("Lives in Lisbon"))
    living.conch.learning.edit_own(record.memory, "Lives in Lisbon", consent)
    living.conch.learning.forget(record.id)
    assert living.memories == []
    (aside,) = living.home.memory.glob("*.left-out-*")
    assert "Lives in Berlin" in aside.read_text()
    living.start()
    assert living.memories == []
    assert broken_promises(living.folder) == []
