"""What used to be true comes back at a word, and what took its place is kept in its turn."""

from __future__ import annotations

import pytest

from conch.cli.verbs.memory_verbs import VERBS
from conch.evals.promises import broken_promises
from conch.home.errors import ConchError
from conch.learning import own_words


async def asked(living, verb, **args):
    return [item async for item in VERBS[f"memory.{verb}"](living.conch, args)]


async def lives_in(living, city):
    await living.say(f"By the way, I live in {city}.")
    await living.quiet()
    return living.conch.learning.records()[0]


async def test_adding_says_what_it_replaces_and_restore_has_it_back_to_the_byte(living):
    record = await lives_in(living, "Berlin")
    before = living.conch.memories.raw(record.memory)
    (added,) = await asked(living, "add", text="Lives in Rome")
    assert [old["text"] for old in added["replaced"]] == ["Lives in Berlin"]
    (back,) = await asked(living, "restore", id=added["replaced"][0]["id"][-6:])
    assert back["text"] == "Lives in Berlin"
    assert [old["text"] for old in back["replaced"]] == ["Lives in Rome"]
    assert living.conch.memories.raw(record.memory) == before
    assert living.memories == ["Lives in Berlin"]
    (again,) = await asked(living, "restore", id=added["id"])
    assert (again["text"], living.memories) == ("Lives in Rome", ["Lives in Rome"])
    living.start()
    assert living.memories == ["Lives in Rome"]
    assert broken_promises(living.folder) == []


async def test_adding_what_replaces_nothing_says_so(living):
    await lives_in(living, "Berlin")
    (added,) = await asked(living, "add", text="Has a cat")
    assert added["replaced"] == []


async def test_after_the_newer_is_forgotten_the_older_comes_back_alone(living):
    await lives_in(living, "Berlin")
    (added,) = await asked(living, "add", text="Lives in Rome")
    await asked(living, "forget", id=added["id"])
    assert living.memories == []
    (back,) = await asked(living, "restore", id=added["replaced"][0]["id"])
    assert (back["replaced"], living.memories) == ([], ["Lives in Berlin"])


async def test_of_a_chain_the_one_that_stands_there_now_gives_way(living):
    first = await lives_in(living, "Berlin")
    await living.say("By the way, I moved to Lisbon.")
    await living.quiet()
    await asked(living, "add", text="Lives in Rome")
    (back,) = await asked(living, "restore", id=first.memory)
    assert [old["text"] for old in back["replaced"]] == ["Lives in Rome"]
    assert living.memories == ["Lives in Berlin"]
    earlier = {one.text for one in living.conch.memories.earlier()}
    assert earlier == {"Moved to Lisbon", "Lives in Rome"} or earlier == {
        "Lives in Lisbon",
        "Lives in Rome",
    }


async def test_a_copy_changed_by_hand_comes_back_through_the_check(living):
    record = await lives_in(living, "Berlin")
    await asked(living, "add", text="Lives in Rome")
    (copy,) = living.home.superseded.glob("*.md")
    copy.write_text(copy.read_text().replace("Berlin", "Kiel"))
    await asked(living, "restore", id=record.memory)
    memory = living.conch.memories.get(record.memory)
    assert (memory.text, memory.source) == ("Lives in Kiel", "you")


async def test_cut_off_after_it_was_written_down_it_is_carried_through(living, monkeypatch):
    record = await lives_in(living, "Berlin")
    await asked(living, "add", text="Lives in Rome")

    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(own_words, "carry_out_added", crash)
        with pytest.raises(KeyboardInterrupt):
            living.conch.learning.restore(record.memory)
    living.start()
    assert living.memories == ["Lives in Berlin"]


async def test_forget_of_what_is_only_listed_as_earlier_names_the_commands(living):
    record = await lives_in(living, "Berlin")
    await asked(living, "add", text="Lives in Rome")
    end = record.memory[-6:]
    with pytest.raises(ConchError, match="is what used to be true: “Lives in Berlin”") as refused:
        await asked(living, "forget", id=end)
    assert refused.value.do == (
        f"To have it back: conch memory restore {end}. "
        f"To forget it: conch memory forget --earlier {end}"
    )
    await asked(living, "forget", id=end, earlier=True)
    assert living.conch.memories.earlier() == []
    assert living.memories == ["Lives in Rome"]


async def test_what_is_remembered_now_is_no_copy(living):
    (added,) = await asked(living, "add", text="Lives in Rome")
    for verb, more in (("restore", {}), ("forget", {"earlier": True})):
        with pytest.raises(ConchError, match="it is remembered now"):
            await asked(living, verb, id=added["id"], **more)
    with pytest.raises(ConchError, match="is no earlier memory"):
        await asked(living, "restore", id="zzzzzz")


@pytest.mark.parametrize(
    ("text", "given", "kind"),
    [
        ("Prefers tea", "", "preference"),
        ("Bevorzugt Tee", "", "preference"),
        ("Lives in Rome", "", "fact"),
        ("Prefers tea", "project", "project"),
        ("Lives in Rome", "person", "person"),
    ],
)
async def test_the_kind_is_told_by_the_words_unless_it_is_given(living, text, given, kind):
    (added,) = await asked(living, "add", text=text, kind=given)
    assert added["kind"] == kind


async def test_a_kind_there_is_none_of_is_refused(living):
    with pytest.raises(ConchError, match="is no kind of memory"):
        await asked(living, "add", text="Prefers tea", kind="mood")
