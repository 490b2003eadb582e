"""Which memories a review is shown: the one that is replaced is among them, whatever else is."""

from __future__ import annotations

from conch.learning.asking import memories_close_to
from conch.learning.changes import Said
from conch.learning.review import MEMORIES_SHOWN


def said(living, *messages: str) -> list[Said]:
    now = living.clock.now()
    return [Said(2 * at, now, words, words) for at, words in enumerate(messages, start=1)]


async def test_the_memory_that_is_replaced_is_shown_among_many_that_share_more_words(living):
    for number in range(30):
        living.conch.learning.add_own(
            f"Keeps photo {number} of the move to Lisbon in drawer {number}"
        )
    old = living.conch.learning.add_own("Lives in Berlin")
    words = said(living, "By the way, I moved to Lisbon.", "And the photos of the move to Lisbon?")
    shown = memories_close_to(living.conch.parts, words)
    assert len(shown) == MEMORIES_SHOWN
    assert old.id in {memory.id for memory in shown[:2]}


async def test_nothing_is_shown_twice_and_nothing_that_waits(living):
    living.conch.learning.add_own("Lives in Berlin")
    chat = living.conch.chats.new(origin="client")
    living.conch.learning.remember(chat, "Lives in Porto")
    words = said(living, "By the way, I moved to Lisbon.", "I live in Lisbon now, not in Berlin.")
    shown = memories_close_to(living.conch.parts, words)
    assert [memory.text for memory in shown] == ["Lives in Berlin"]
