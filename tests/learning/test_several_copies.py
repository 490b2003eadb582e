"""Several copies of what used to be true under one memory (spec 0088 §5).

Undo gives back the one that was replaced, Forget removes the one that is shown.
"""

from __future__ import annotations

import pytest

from conch.evals.promises import broken_promises
from conch.home import files
from conch.home.errors import ConchError

SECRET = "The router password is hunter2-correct-horse"


async def learned(living, *messages):
    await living.say(*messages)
    await living.quiet()
    return living.conch.learning.records()[0]


async def twice_replaced(living):
    """Berlin was replaced by Lisbon, put back by hand as Rome, and that was replaced by Porto."""
    berlin = await learned(living, "By the way, I live in Berlin.")
    lisbon = await learned(living, "By the way, I moved to Lisbon.")
    file = living.home.memory / f"{berlin.memory}.md"
    file.write_text(f"---\nid: {berlin.memory}\n---\nLives in Rome\n")
    await living.quiet()
    assert living.memories == ["Lives in Lisbon", "Lives in Rome"]
    living.conch.learning.forget(lisbon.id)
    porto = await learned(living, "By the way, I moved to Porto.")
    living.keep(porto.id)
    assert living.memories == ["Lives in Porto"]
    assert [one.text for one in living.conch.memories.old_copies.of(berlin.memory)] == [
        "Lives in Rome",
        "Lives in Berlin",
    ]
    return berlin, porto


def copy_with(living, words):
    (found,) = [path for path in living.home.superseded.glob("*.md") if words in path.read_text()]
    return found


def tampered(living, words, by):
    path = copy_with(living, words)
    path.write_text(path.read_text().replace(words, by))
    return path


async def test_undo_gives_back_the_one_that_was_replaced(living):
    berlin, porto = await twice_replaced(living)
    assert living.conch.learning.undo(porto.id).note == "Back as it was: Lives in Rome"
    assert living.memories == ["Lives in Rome"]
    assert [one.text for one in living.conch.memories.old_copies.of(berlin.memory)] == [
        "Lives in Berlin"
    ]
    assert broken_promises(living.folder) == []


@pytest.mark.parametrize("copies", ["several", "one"])
async def test_the_latest_left_out_comes_back_through_the_check_and_waits(living, copies):
    if copies == "several":
        berlin, newer = await twice_replaced(living)
        tampered(living, "Lives in Rome", SECRET)
        assert next(one.text for one in living.conch.memories.earlier()) == "Lives in Berlin"
    else:
        berlin = await learned(living, "By the way, I live in Berlin.")
        newer = await learned(living, "By the way, I moved to Lisbon.")
        tampered(living, "Lives in Berlin", SECRET)
        assert living.conch.memories.earlier() == []
    note = living.conch.learning.undo(newer.id).note
    assert note.startswith("Back, but waiting for you: ")
    assert "hunter2" not in note
    back = living.conch.memories.get(berlin.memory)
    assert back.held is not None
    assert back.text == SECRET
    assert living.memories == []
    living.start()
    assert broken_promises(living.folder) == []


async def test_the_latest_cannot_be_read_so_the_newer_stays(
    living,
):
    _, porto = await twice_replaced(living)
    copy_with(living, "Lives in Rome").write_bytes(b"\xff\xfe nothing anybody can read")
    with pytest.raises(ConchError, match="missing or can't be read"):
        living.conch.learning.undo(porto.id)
    assert living.memories == ["Lives in Porto"]
    assert broken_promises(living.folder)[1:] == []  # The copy that can't be read is told.


async def test_the_latest_was_deleted_by_hand_so_the_newer_stays(living):
    _, porto = await twice_replaced(living)
    copy_with(living, "Lives in Rome").unlink()
    with pytest.raises(ConchError, match="missing or can't be read"):
        living.conch.learning.undo(porto.id)
    assert living.memories == ["Lives in Porto"]


async def test_one_whose_date_and_replacer_were_changed_by_hand_is_known_by_its_words(living):
    _, porto = await twice_replaced(living)
    path = copy_with(living, "Lives in Rome")
    kept = [line for line in path.read_text().splitlines() if "supersededBy" not in line]
    path.write_text("\n".join(kept) + "\n")
    living.conch.learning.undo(porto.id)
    assert living.memories == ["Lives in Rome"]


async def test_a_copy_with_a_number_is_not_gone_though_it_is_left_out(living):
    berlin, _ = await twice_replaced(living)
    copy_with(living, "Lives in Berlin").unlink()
    tampered(living, "Lives in Rome", SECRET)
    await living.quiet()
    assert berlin.memory not in living.conch.parts.record.state.forgotten
    assert len(list(living.home.superseded.glob("*.md"))) == 1 + len(
        [one for one in living.conch.memories.earlier() if one.id != berlin.memory]
    )


async def test_forget_removes_the_copy_that_is_shown_and_shows_the_one_before_it(living):
    berlin, porto = await twice_replaced(living)

    def shown():
        earlier = living.conch.memories.earlier()
        return [one.text for one in earlier if one.id == berlin.memory]

    assert shown() == ["Lives in Rome"]
    assert living.conch.learning.forget_earlier(berlin.memory).text == "Lives in Rome"
    assert shown() == ["Lives in Berlin"]
    assert living.conch.learning.record(porto.id).state == "kept"
    assert living.memories == ["Lives in Porto"]
    living.conch.learning.forget_earlier(berlin.memory)
    assert shown() == []
    with pytest.raises(ConchError, match="no such earlier memory"):
        living.conch.learning.forget_earlier(berlin.memory)
    assert broken_promises(living.folder) == []


async def test_what_was_forgotten_is_not_given_back_in_the_shape_of_an_older_copy(living):
    berlin, porto = await twice_replaced(living)
    living.conch.learning.forget_earlier(berlin.memory)
    living.conch.learning.undo(porto.id)
    assert living.memories == []
    assert [one.text for one in living.conch.memories.old_copies.of(berlin.memory)] == [
        "Lives in Berlin"
    ]
    assert broken_promises(living.folder) == []


async def test_a_forget_cut_off_anywhere_removes_that_copy_alone(living, monkeypatch):
    berlin, _ = await twice_replaced(living)
    remove = files.remove

    def dies(path):
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "remove", dies)
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.forget_earlier(berlin.memory)
    monkeypatch.setattr(files, "remove", remove)
    living.start()
    assert [one.text for one in living.conch.memories.old_copies.of(berlin.memory)] == [
        "Lives in Berlin"
    ]
    living.start()
    assert [one.text for one in living.conch.memories.old_copies.of(berlin.memory)] == [
        "Lives in Berlin"
    ]
    assert broken_promises(living.folder) == []
