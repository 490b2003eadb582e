"""The commands as a person runs them: real processes, one home."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from at_terminal import typed


def test_the_first_command_works_with_nothing_connected(terminal):
    assert "script" in terminal.run("chat", "Hello there")


def test_a_correction_is_learned_explained_and_taken_back(terminal):
    said = "Write me a script that prints the date.\nNo, I meant TypeScript.\n/archive\n"
    shown = terminal.run("chat", given=said)
    assert "Learned 1 thing" in shown
    (record,) = terminal.json("learned")
    assert record["text"] == "Prefers TypeScript"
    why = terminal.run("why", "1")
    assert "No, I meant TypeScript." in why
    assert "correction" in why
    assert "Prefers TypeScript" in terminal.run("memory", "list")
    assert "won't be learned again" in terminal.run("undo")
    assert terminal.json("memory", "list") == []
    (never,) = terminal.json("never", "list")
    assert never["text"] == "Prefers TypeScript"
    typed(terminal, "never", "remove", "1")
    assert terminal.json("never", "list") == []


def test_memories_by_hand(terminal):
    terminal.run("memory", "add", "Has a bicycle", "--kind", "fact")
    (memory,) = terminal.json("memory", "list")
    assert memory["source"] == "you"
    terminal.run("memory", "edit", memory["id"][-6:], "Has a red bicycle")
    assert "red bicycle" in terminal.run("memory", "search", "bicycle")
    assert "red bicycle" in terminal.run("memory", "export")
    terminal.run("memory", "forget", memory["id"])
    assert terminal.json("memory", "list") == []


def test_words_need_no_quotes(terminal):
    terminal.run("memory", "add", "Lives", "in", "the", "home", "town", "--kind", "fact")
    terminal.run("memory", "add", "Has", "a", "red", "bicycle")
    assert terminal.run("memory", "search", "home", "town").count("fact") == 1
    (town, _) = terminal.json("memory", "list")
    assert town["text"] == "Lives in the home town"
    terminal.run("memory", "edit", town["id"], "Lives", "in", "Hamburg", "now")
    assert "Lives in Hamburg now" in terminal.run("memory", "search", "Hamburg")
    terminal.run("settings", "set", "name", "Ada", "Lovelace")
    assert terminal.json("settings")["name"] == "Ada Lovelace"
    terminal.run("chat", "Write", "me", "a", "script")
    assert "Write me a script" in terminal.run("why", "me", "a", "script")
    assert "Nothing is learned" in terminal.run("chats", "quiet", "me", "a", "script")
    assert "Deleted: Write me a script" in terminal.run("chats", "delete", "me", "a", "script")


def test_what_waits_is_gone_through_with_one_key_a_card(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    terminal.run("chat", given="By the way, I moved to Lisbon.\n/archive\n")
    assert "Lives in Berlin" in terminal.run("memory", "list")
    shown = typed(terminal, "keep", given="k")
    assert "Lives in Lisbon" in shown
    assert "Kept" in shown
    assert "until" in terminal.run("memory", "earlier")


def test_a_quiet_chat_is_not_learned_from(terminal):
    terminal.run("chat", given="No, I meant TypeScript.\n/quiet\n/archive\n")
    assert terminal.json("learned") == []
    assert "Don't learn from this chat" in terminal.run("why", "No, I meant")


def test_errors_are_sentences_with_a_status(terminal):
    assert "Nothing was learned yet" in terminal.run("undo", "7", status=1)
    assert "no setting" in terminal.run("settings", "set", "colour", "red", status=1)
    assert "can't be read" in terminal.run("eval", "cases", "signals", "/nowhere", status=2)
    assert "no kind" in terminal.run("eval", "cases", "dreams", "/nowhere", status=2)


def test_settings(terminal):
    terminal.run("settings", "set", "learning", "off")
    terminal.run("settings", "set", "learning-cap", "0.5")
    found = terminal.json("settings")
    assert found["learning"] is False
    assert found["learning_cap_usd"] == 0.5


@pytest.mark.parametrize(
    "piped",
    [
        "I always use Emacs and I live in Minsk.",
        "```\nI always use Emacs and I live in Minsk.\n```\n",
        "Notes\n```\nand\n\nI live in Minsk. No, I meant Pinsk.",
        "~~~\nI live in Minsk.\n````\nI always use Emacs.",
        "\nI live in Minsk.\n\n> I always use Emacs.\n",
    ],
)
def test_what_is_piped_in_beside_words_is_no_own_prose(terminal, piped):
    terminal.run("chat", "Summarise this", given=piped)
    terminal.run("learn")
    assert terminal.json("learned") == []


def test_a_chat_that_was_piped_something_has_read_from_outside(terminal):
    terminal.run("chat", "I always use Emacs, is this right?", given="Emacs is an editor.")
    terminal.run("learn")
    (learned,) = terminal.json("learned")
    assert learned["state"] == "waiting"
    assert "piped text" in terminal.run("why", "1")


def test_a_bad_case_file_says_the_line(terminal, tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id": "a", "text": "x", "label": 1}\n{"id": "b"}\n')
    assert "line 2" in terminal.run("eval", "cases", "secrets", str(file), status=2)


def test_cases_as_json(terminal, tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id": "a", "lang": "en", "text": "my PIN is 4711", "label": 1}\n')
    report = terminal.json("eval", "cases", "secrets", str(file))
    assert (report["total"], report["right"], report["misses"]) == (1, 1, [])
    assert report["by"]["en"]["secret"]["recall"] == 1.0


def test_the_tour(terminal):
    assert "All of it held." in terminal.run("tour")


@pytest.mark.parametrize("name", ["learns-correction", "learns-nothing"])
def test_the_two_evals_with_the_practice_engine(terminal, name):
    assert "passed" in terminal.run("eval", "run", name)


def test_a_running_chat_answers_other_terminals(terminal):
    chat = subprocess.Popen(
        [sys.executable, "-m", "conch", "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=terminal.environ,
    )
    assert chat.stdin is not None
    assert chat.stdout is not None
    chat.stdin.write("Hello.\n")
    chat.stdin.flush()
    while "You said" not in chat.stdout.readline():
        pass
    try:
        terminal.run("memory", "add", "Has a bicycle")
        assert "bicycle" in terminal.run("memory", "list")
        assert "You said: Hi" in terminal.run("chat", "Hi")
    finally:
        chat.stdin.close()
        chat.wait(timeout=30)
    assert "bicycle" in terminal.run("memory", "list")


@pytest.mark.parametrize(
    ("told", "put_right"),
    [
        ("My password is Sommer-Blau77", "No, I meant Winter-Blau78."),
        ("Set the door code to 4711", "No, I meant 4712."),
        ("the wifi password is hunter2", "No, I meant hunter3."),
    ],
)
def test_what_puts_a_secret_right_is_a_secret_too(terminal, told, put_right):
    terminal.run("chat", given=f"{told}\n{put_right}\n/archive\n")
    assert terminal.json("learned") == []
    assert terminal.json("memory", "list") == []


def test_quiet_said_before_the_first_words_holds_from_the_first_word(terminal):
    said = "/quiet\nWrite me a song\nNo, I meant jazz.\n/archive\n"
    assert "Nothing is learned from this chat" in terminal.run("chat", given=said)
    terminal.run("learn")
    assert terminal.json("learned") == []
    (chat,) = terminal.json("chats", "list")
    assert chat["title"] == "Write me a song"


def test_undo_with_no_number_takes_back_the_newest_in_use_one_after_another(terminal):
    for value in ("TypeScript", "tabs"):
        terminal.run("chat", given=f"Write me a script.\nNo, I meant {value}.\n/archive\n")
    assert "tabs" in terminal.run("undo")
    assert "TypeScript" in terminal.run("undo")
    assert "nothing to take back" in terminal.run("undo", status=1)


def test_what_do_you_know_about_me_tells_what_is_known(terminal):
    terminal.run("memory", "add", "I live in Hamburg")
    assert "Hamburg" in terminal.run("chat", "What do you know about me?")
    assert "Saved" not in terminal.run("chat", "Do you remember typescript?")


def test_whatever_the_home_holds_is_for_its_owner_only(terminal):
    terminal.run("memory", "add", "I live in Hamburg")
    terminal.run("chat", given="Write me a script.\nNo, I meant TypeScript.\n/archive\n")
    terminal.run("memory", "search", "Hamburg")
    for path in terminal.home.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_every_list_of_chats_marks_what_is_archived(terminal):
    shown = terminal.run("chat", given="Hello there\n/archive\n/chats\n")
    (line,) = [line for line in shown.splitlines() if line.endswith("archived")]
    assert "Hello there" in line
    assert "archived" in terminal.run("chats")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("learning", "off", "Learning is off."),
        ("name", "Ada", "Your name: Ada"),
        ("learning-cap", "0.5", "at most $0.50 a month"),
        ("learning-cap", "none", "as much as it takes"),
        ("month-budget", "3", "a budget of $3.00 a month"),
        ("month-budget", "none", "no budget"),
    ],
)
def test_setting_something_says_how_it_is_now(terminal, name, value, says):
    assert says in typed(terminal, "settings", "set", name, value)


def test_which_version_it_is(terminal):
    assert terminal.run("--version") == f"conch {version('conch')}\n"
    assert not terminal.home.exists()


def test_a_memory_is_changed_in_the_editor(terminal):
    terminal.run("memory", "add", "Lives in Berlin")
    (memory,) = terminal.json("memory", "list")
    assert "at a terminal" in terminal.run("memory", "edit", memory["id"], status=1)
    for editor, says in (("true", "Nothing changed."), ("sed -i s/Berlin/Lisbon/", "in Lisbon")):
        terminal.environ["EDITOR"] = editor
        assert says in typed(terminal, "memory", "edit", memory["id"])
    assert [one["text"] for one in terminal.json("memory", "list")] == ["Lives in Lisbon"]
