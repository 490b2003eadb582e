"""What was known from outside is the person's own once they say it themself; an edit by how much.

Spec 0088 §7: what came from outside never stands beside a person's words. Their own words do,
wherever the same was known from before.
"""

from __future__ import annotations

import pytest

from conch.chats.events import PersonMessage, TaintMarked, TurnCompleted
from conch.evals.promises import broken_promises
from conch.learning.nearby import may_be_nearby
from conch.memory.by_hand import mostly_new
from conch.memory.memory import Memory, words_hash
from living import CORRECTION, Living, brought_in

TEXT = "Prefers TypeScript"


@pytest.fixture
def alone(tmp_path) -> Living:
    return Living(tmp_path / "home")


async def known_from_an_import(living: Living, keep: bool = True) -> Memory:
    """A memory learned from a chat that was brought in, kept by the person or still waiting."""
    chat = brought_in(living, *CORRECTION)
    result = await living.conch.learning.look(chat, by=living.conch.engines.default())
    if keep:
        living.keep(result.records[0].id)
    memory = living.conch.memories.get(result.records[0].memory)
    assert memory is not None
    assert (memory.text, memory.from_outside) == (TEXT, True)
    return memory


def now(living: Living, memory: Memory) -> Memory:
    found = living.conch.memories.get(memory.id)
    assert found is not None
    return found


async def test_said_again_in_an_own_chat_it_is_theirs_and_may_stand_nearby(alone):
    memory = await known_from_an_import(alone)
    assert not may_be_nearby(memory)
    await alone.say(*CORRECTION)
    (result,) = await alone.quiet()
    assert result.seen_again == (memory.id,)
    again = now(alone, memory)
    assert may_be_nearby(again)
    assert (again.text, again.source, again.learned) == (TEXT, "learning", memory.learned)
    assert alone.memories == [TEXT]
    assert "From outside" not in alone.conch.memories.section().text
    alone.start()
    assert may_be_nearby(now(alone, memory))
    assert broken_promises(alone.folder) == []


async def test_undo_still_takes_it_back(alone):
    memory = await known_from_an_import(alone)
    await alone.say(*CORRECTION)
    await alone.quiet()
    alone.conch.learning.undo(memory.learned)
    assert alone.memories == []
    assert broken_promises(alone.folder) == []


async def test_one_that_waits_still_waits_and_once_kept_is_theirs(alone):
    memory = await known_from_an_import(alone, keep=False)
    await alone.say(*CORRECTION)
    await alone.quiet()
    assert now(alone, memory).waits
    assert alone.memories == []
    alone.keep(memory.learned)
    assert may_be_nearby(now(alone, memory))


async def test_said_after_something_was_read_it_stays_marked(alone):
    memory = await known_from_an_import(alone)
    chat = alone.conch.chats.new()
    alone.conch.chats.log(chat).append(TaintMarked(kind="web", label="page.example"))
    await alone.say(*CORRECTION, chat=chat)
    (result,) = await alone.quiet()
    assert result.seen_again == (memory.id,)
    assert now(alone, memory).from_outside


@pytest.mark.parametrize("origin", ["channel", "client"])
async def test_said_where_nobody_watches_it_stays_marked(alone, origin):
    memory = await known_from_an_import(alone)
    await alone.say(*CORRECTION, chat=alone.conch.chats.new(origin=origin))
    await alone.quiet()
    assert now(alone, memory).from_outside


async def test_brought_once_more_it_stays_marked(alone):
    memory = await known_from_an_import(alone)
    chat = brought_in(alone, *CORRECTION)
    await alone.conch.learning.look(chat, by=alone.conch.engines.default())
    assert now(alone, memory).from_outside


async def test_the_assistant_saving_what_they_said_makes_it_theirs(alone):
    memory = await known_from_an_import(alone)
    chat = alone.conch.chats.new()
    log = alone.conch.chats.log(chat)
    assert alone.conch.learning.remember(chat, TEXT).outcome == "known"
    assert now(alone, memory).from_outside
    log.append(PersonMessage(text="I prefer TypeScript, by the way."))
    log.append(TurnCompleted(outcome="success", engine="practice"))
    assert alone.conch.learning.remember(chat, TEXT).outcome == "known"
    assert not now(alone, memory).from_outside


async def test_typed_on_the_memory_page_it_is_theirs(alone):
    memory = await known_from_an_import(alone)
    assert alone.conch.learning.add_own(TEXT).id == memory.id
    assert (now(alone, memory).source, now(alone, memory).from_outside) == ("you", False)


EDITS = [
    (
        "a slip put right",
        "Prefres dark themes in the editor",
        "Prefers dark themes in the editor",
        0,
    ),
    ("another ending", "Prefer dark theme in editors", "Prefers dark themes in editors", 0),
    ("a word left out", "Prefers dark themes in the editor", "Prefers dark themes", 0),
    ("a word more", "Prefers dark themes", "Always prefers dark themes", 0),
    ("the same again", "Prefers dark themes", "Prefers dark themes", 0),
    ("another place", "Lives in Berlin", "Lives in Lisbon", 1),
    ("rewritten", "Prefers dark themes", "Likes light colours at noon, dark ones at night", 1),
    ("another thing", "Uses npm", "Drinks tea in the morning", 1),
    ("a slip in Russian", "Предпочитает тёмную тму", "Предпочитает тёмную тему", 0),
    ("rewritten in Japanese", "暗いテーマが好き", "緑茶を毎朝飲んでいる", 1),
]


@pytest.mark.parametrize(("kind", "old", "new", "theirs"), EDITS, ids=[one[0] for one in EDITS])
def test_how_much_of_an_edit_is_the_persons(kind, old, new, theirs):
    assert mostly_new(new, old) is bool(theirs)


@pytest.mark.parametrize("by_hand", [False, True], ids=["Edit", "in its file"])
@pytest.mark.parametrize(
    ("new", "outside"),
    [("Prefers Typescript", True), ("Drinks green tea every morning", False)],
    ids=["a slip", "other words"],
)
async def test_an_edit_makes_it_theirs_only_when_most_is_new(alone, by_hand, new, outside):
    memory = await known_from_an_import(alone)
    if by_hand:
        path = alone.home.memory / f"{memory.id}.md"
        path = path if path.exists() else next(alone.home.memory.glob("*.md"))
        path.write_text(path.read_text().replace(TEXT, new))
    else:
        consent = alone.conch.consents.mint(memory.id, words_hash(new))
        alone.conch.learning.edit_own(memory.id, new, consent)
    edited = now(alone, memory)
    assert (edited.text, edited.source, edited.from_outside) == (new, "you", outside)
    alone.start()
    assert now(alone, memory).from_outside is outside
