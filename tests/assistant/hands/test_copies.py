"""Undo of files: what is shown first, what is put back, what is left alone."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest

from conch.assistant.hands import copies as copies_of
from conch.assistant.hands.copies import Copies
from conch.chats.events import FilesChanged
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from living import START


@pytest.fixture
def clock():
    return SteppedClock(START)


@pytest.fixture
def copies(tmp_path, clock):
    return Copies(Home.open(tmp_path / "home", clock))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path.resolve() / "work"
    folder.mkdir()
    return folder


def change(copies, folder, how, id="fc_1"):
    before = copies.of_folder(folder)
    how()
    return copies.record("c", id, before, copies.of_folder(folder))


def test_undo_and_redo_of_new_changed_and_removed_files(copies, folder):
    (folder / "a").write_text("one", "utf-8")
    (folder / "b").write_text("gone", "utf-8")

    def how():
        (folder / "a").write_text("two", "utf-8")
        (folder / "b").unlink()
        (folder / "c").write_text("new", "utf-8")

    assert change(copies, folder, how) == [str(folder / name) for name in "abc"]
    one = copies.find("c", "undo")
    shown = copies.preview(one, "undo")
    assert [(one.what, one.changed_since) for one in shown] == [
        ("changed back", False),
        ("put back", False),
        ("removed", False),
    ]
    assert len(copies.restore("c", one, "undo", over_changes=False)) == 3
    assert (folder / "a").read_text("utf-8") == "one"
    assert (folder / "b").read_text("utf-8") == "gone"
    assert not (folder / "c").exists()
    with pytest.raises(ConchError, match="can be undone"):
        copies.find("c", "undo")
    copies.restore("c", copies.find("c", "redo"), "redo", over_changes=False)
    assert (folder / "a").read_text("utf-8") == "two"
    assert not (folder / "b").exists()
    assert copies.find("c", "undo").id == "fc_1"


def test_a_file_changed_since_is_left_alone_unless_the_person_says_so(copies, folder):
    (folder / "a").write_text("one", "utf-8")
    change(copies, folder, lambda: (folder / "a").write_text("two", "utf-8"))
    (folder / "a").write_text("the person's", "utf-8")
    one = copies.find("c", "undo")
    assert copies.preview(one, "undo")[0].changed_since
    assert copies.restore("c", one, "undo", over_changes=False) == []
    assert (folder / "a").read_text("utf-8") == "the person's"
    copies.restore("c", copies.find("c", "undo"), "undo", over_changes=True)
    assert (folder / "a").read_text("utf-8") == "one"


def test_a_path_that_leads_elsewhere_now_is_not_written_to(copies, folder, tmp_path):
    (folder / "a").write_text("one", "utf-8")
    change(copies, folder, lambda: (folder / "a").write_text("two", "utf-8"))
    (folder / "a").unlink()
    (tmp_path / "victim").write_text("two", "utf-8")
    (folder / "a").symlink_to(tmp_path / "victim")
    with pytest.raises(ConchError, match="leads elsewhere"):
        copies.restore("c", copies.find("c", "undo"), "undo", over_changes=True)
    assert (tmp_path / "victim").read_text("utf-8") == "two"


def test_the_newest_is_undone_first(copies, folder):
    for number in ("1", "2", "3"):
        change(copies, folder, lambda n=number: (folder / n).write_text(n, "utf-8"), f"fc_{number}")
    for number in ("3", "2", "1"):
        one = copies.find("c", "undo")
        assert one.id == f"fc_{number}"
        copies.restore("c", one, "undo", over_changes=False)
    assert list(folder.iterdir()) == []


def test_copies_are_kept_thirty_days(copies, folder, clock):
    change(copies, folder, lambda: (folder / "a").write_text("one", "utf-8"))
    clock.advance(minutes=timedelta(days=31).total_seconds() / 60)
    with pytest.raises(ConchError):
        copies.find("c", "undo")


def test_the_oldest_go_when_there_are_too_many(copies, folder, clock, monkeypatch):
    monkeypatch.setattr(copies_of, "KEPT_BYTES", 2_500)
    for number in range(4):
        text = str(number) * 1_000
        change(copies, folder, lambda t=text: (folder / "a").write_text(t, "utf-8"), f"fc_{number}")
    clock.advance(minutes=60 * 24 * 3)
    blobs = [one for one in copies._folder.iterdir() if one.suffix != ".jsonl"]
    for blob in blobs:
        os.utime(blob, (START.timestamp(), START.timestamp()))
    copies.prune()
    blobs = [one for one in blobs if one.exists()]
    assert 0 < sum(one.stat().st_size for one in blobs) <= 2_500
    with pytest.raises(ConchError, match="is gone"):
        copies.restore("c", copies.sets("c")[0], "redo", over_changes=True)


def test_too_large_a_folder_is_not_copied(copies, folder, monkeypatch):
    monkeypatch.setattr(copies_of, "MOST_FILES", 2)
    for name in "abc":
        (folder / name).write_text(name, "utf-8")
    assert copies.of_folder(folder) is None


def test_a_line_that_cannot_be_read_costs_only_itself(copies, folder):
    change(copies, folder, lambda: (folder / "a").write_text("one", "utf-8"))
    with (copies._folder / "c.jsonl").open("ab") as log:
        log.write(b"{half a li")
    assert copies.find("c", "undo").id == "fc_1"


async def test_every_hand_that_changes_files_leaves_a_copy(worker):
    worker.mode("full_trust")
    await worker.does(
        ("write_file", {"path": "a.txt", "text": "one\n"}),
        ("edit_file", {"path": "a.txt", "old": "one", "new": "two"}),
        ("run_command", {"command": "echo three > a.txt; rm -rf b; mkdir c; echo x > c/d"}),
        allow=True,
    )
    events = worker.conch.chats.log(worker.chat).events()
    changed = [one.files for one in events if isinstance(one, FilesChanged)]
    a, d = str(worker.folder / "a.txt"), str(worker.folder / "c" / "d")
    assert changed == [[a], [a], [a, d]]
    copies = worker.conch.hands.copies
    for left in ("two\n", "one\n"):
        one = copies.find(worker.chat, "undo")
        copies.restore(worker.chat, one, "undo", over_changes=False)
        assert (worker.folder / "a.txt").read_text("utf-8") == left
    assert not (worker.folder / "c" / "d").exists()


async def test_a_command_that_is_stopped_halfway_can_be_undone(worker):
    worker.mode("full_trust")
    (worker.folder / "a").write_text("one", "utf-8")
    step = ("run_command", {"command": "echo two > a; sleep 30", "seconds": 1})
    await worker.does(step, allow=True)
    one = worker.conch.hands.copies.find(worker.chat, "undo")
    worker.conch.hands.copies.restore(worker.chat, one, "undo", over_changes=False)
    assert (worker.folder / "a").read_text("utf-8") == "one"
