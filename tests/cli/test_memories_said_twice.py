"""A memory file that only says what another says: it is not used, and every list says so."""

import pytest


@pytest.fixture
def twice(terminal):
    """The memory in use, and the double a person made by hand."""
    terminal.run("memory", "add", "Has a red bicycle")
    (used,) = terminal.json("memory", "list")
    (terminal.home / "memory" / "bicycle.md").write_text("Has a red bicycle\n")
    double = next(one for one in terminal.json("memory", "list") if one["id"] != used["id"])
    return used["id"], double["id"]


def test_the_list_says_which_is_used(terminal, twice):
    used, double = twice
    found = {one["id"]: (one["usable"], one["same_as"]) for one in terminal.json("memory", "list")}
    assert found == {used: (True, ""), double: (False, used)}
    assert f"same as {used[-6:]}, not used" in terminal.run("memory", "list")


def test_there_is_nothing_to_keep_about_it(terminal, twice):
    used, double = twice
    assert f"{used[-6:]} says the same and is used" in terminal.run("memory", "keep", double)


def test_once_the_other_is_gone_it_is_used(terminal, twice):
    used, _ = twice
    terminal.run("memory", "forget", used)
    assert [one["usable"] for one in terminal.json("memory", "list")] == [True]
    assert "not used" not in terminal.run("memory", "list")
