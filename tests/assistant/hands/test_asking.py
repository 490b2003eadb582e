"""What is shown before a step is allowed."""

from conch.assistant.asking import LONGEST_TEXT, in_full
from conch.chats.steps import step_summary
from conch.guard.steps import AskedStep


def shown(tool, reaches=(), **given):
    return in_full(AskedStep(tool, given, reaches), step_summary(tool, given))


def test_a_command_of_one_short_line_is_its_summary():
    assert shown("run_command", command="npm test") == ""


def test_a_command_is_shown_whole_however_long():
    long = "echo " + "x" * 10_000 + "\nrm -rf y"
    assert shown("run_command", command=long) == long
    assert shown("run_command", command="# tidy up\nrm -rf y") == "# tidy up\nrm -rf y"


def test_an_address_is_shown_whole():
    assert shown("fetch_page", url="https://a.example/?q=1") == "https://a.example/?q=1"


def test_what_would_be_written_is_shown_with_where():
    assert shown("write_file", ("/w/a.txt",), path="a.txt", text="one\ntwo") == (
        "/w/a.txt\n+ one\n+ two"
    )
    assert shown("edit_file", ("/w/a",), path="a", old="one", new="two") == "/w/a\n- one\n+ two"


def test_long_texts_say_how_much_more_there_is():
    assert shown("write_file", ("/w/a",), path="a", text="x" * (LONGEST_TEXT + 5)).endswith(
        "… 5 more characters"
    )


async def test_the_person_sees_it(worker):
    took = await worker.does(("write_file", {"path": "a.txt", "text": "one\n"}), allow=True)
    assert [ask.summary for ask in took.asked] == ["Write a.txt"]
    assert took.asked[0].detail.endswith("/a.txt\n+ one")


async def test_keys_are_not_found_by_searching(worker):
    (worker.folder / ".env").write_text("NAME=needle", "utf-8")
    (worker.folder / "a.txt").write_text("a needle", "utf-8")
    took = await worker.does(("search_files", {"query": "needle"}))
    assert took.told == ["a.txt:1: a needle"]
