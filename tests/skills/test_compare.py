"""A skill beside the chat that used it last: read by code, changed by nobody."""

from __future__ import annotations

from conch.chats.turns import turns
from conch.guard.permissions import Permissions
from conch.skills.compare import compare
from skills.logs import Log

SKILL = "1. Ask for the notes.\n2. Use `sort` on the notes.\n3. Use `cp` to keep a copy.\n"


def compared(*steps: str, failed: int = 0, allowed=("commands:sort", "commands:cp")):
    log = Log().turn("/tidy please", [f"Run `{one}`" for one in steps], failed=failed)
    return compare(SKILL, Permissions.read(list(allowed)), turns(log.events), "/home/ana/work")


def test_what_was_done_and_what_not():
    found = compared("sort notes.txt", "cp notes.txt copy.txt")
    assert [(one.text, one.done) for one in found.lines] == [
        ("Ask for the notes.", False),
        ("Use `sort` on the notes.", True),
        ("Use `cp` to keep a copy.", True),
    ]
    assert all(one.in_skill and one.in_list and one.ok for one in found.steps)


def test_what_was_done_besides_and_outside_its_list():
    found = compared("sort notes.txt", "git push", "/usr/bin/cp a b")
    assert [(one.summary, one.in_skill, one.in_list) for one in found.steps] == [
        ("Run `sort notes.txt`", True, True),
        ("Run `git push`", False, False),
        ("Run `/usr/bin/cp a b`", True, False),
    ]
    assert not found.same


def test_what_failed_is_said():
    found = compared("sort x", "cp a b", failed=1)
    assert [one.ok for one in found.steps] == [False, True]


def test_a_chat_without_steps_did_nothing_of_it():
    found = compared()
    assert not found.steps
    assert not any(one.done for one in found.lines)


def test_as_the_skill_says_it_is_the_same():
    log = Log().turn("/x", ["Run `sort a`"])
    only = compare(
        "- Use `sort`.\n- `sort` again.", Permissions.read(["commands:sort"]),
        turns(log.events), "",
    )  # fmt: skip
    assert only.same
