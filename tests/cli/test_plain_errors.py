"""What a new user runs into is told in plain words, with a status and nothing changed."""

import json
import os
import subprocess
import sys

import pytest

SECRET = "my api key is sk-ant-api03-Qx7Lm2Vb9Tz4Kc1Rn8Ws5Yd3Jf6Hg0Pq7Lm2Vb9Tz4"


@pytest.fixture
def environ(tmp_path):
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "CONCH_HOME": str(tmp_path / "home"),
        "LANG": "C.UTF-8",
    }


@pytest.fixture
def conch(environ):

    def run(*words: str, given: str = "") -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "conch", *words],
            input=given,
            capture_output=True,
            text=True,
            env=environ,
            timeout=120,
        )
        shown = done.stdout + done.stderr
        assert "Traceback" not in shown
        assert "Errno" not in shown
        assert "\x1b" not in shown
        return done.returncode, shown

    return run


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (("settings", "set", "learning-cap", "-3"), "", "is no amount"),
        (("settings", "set", "learning-cap", "nan"), "", "is no amount"),
        (("settings", "set", "learning-cap", "inf"), "", "is no amount"),
        (("bring", ""), "", "is empty"),
        (("why",), "", "Nothing was learned yet"),
        (("engines", "set", "practice", "--window", "-99"), "", "a whole number of tokens"),
        (("bring", "/nope"), "", "There is nothing at /nope"),
        (("eval", "cases", "signals", "/nope"), "", "no such file"),
        (("eval", "cases", "signals", "/dev/null"), "", "holds no cases"),
        (("memory", "search", "?"), "", "nothing to search for"),
        (("learn", "--brought"), "", "--engine practice"),
        (("chat", "/nope"), "", "There is no /nope"),
        (("undo", ""), "", "conch undo --help"),
        (("keep", "zzz"), "", "conch learned --waiting"),
        (("engines", "use", "practice", "nothing-like-it"), "", "--anyway"),
        (("connect", "nobody"), "", "doesn't know"),
        (("connect", "anthropic"), "\n", "needs a key"),
        (("connect", "anthropic"), "short\n", "too short"),
        (("connect", "openai"), "sk-ant-api03-Qx7Lm2Vb9Tz4\n", "key of Anthropic"),
        (("connect", "mine", "--url", "http://127.0.0.1:9"), "\n", "Nothing answers"),
        (("connect", "mine", "--url", "http://127.0.0.1:9", "--model", "m"), "\n", "--no-check"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_it_says_what_happened(conch, words, given, says):
    status, shown = conch(*words, given=given)
    assert status != 0
    assert says in shown


def test_an_engine_that_does_not_answer_is_not_kept(conch):
    url = "http://127.0.0.1:9"
    conch("connect", "mine", "--url", url, "--model", "m", given="\n")
    _, shown = conch("engines", "--json")
    assert [one["id"] for one in json.loads(shown)] == ["practice"]
    status, _ = conch("connect", "mine", "--url", url, "--model", "m", "--no-check", given="\n")
    assert status == 0
    _, shown = conch("engines", "--json")
    assert "mine" in [one["id"] for one in json.loads(shown)]


def test_a_secret_is_not_saved_and_not_repeated(conch):
    status, shown = conch("memory", "add", SECRET)
    assert status == 1
    assert "sk-ant" not in shown
    assert "Nothing was saved" in shown
    assert json.loads(conch("memory", "list", "--json")[1]) == []


def test_damaged_settings_are_said_until_learning_is_on_again(conch, tmp_path):
    conch("settings", "set", "name", "Ada")
    (tmp_path / "home" / "settings.json").write_text('{"auto_memory": tr')
    for words in (("learned",), ("learn",), ("settings",)):
        assert "settings.json was damaged" in conch(*words)[1]
    conch("settings", "set", "learning", "on")
    assert "damaged" not in conch("learned")[1]


def test_commands_in_a_chat_are_read_in_any_case(conch):
    assert "/archive" in conch("chat", "/HELP")[1]
    assert "Which one?" in conch("chat", given="/open\n")[1]
    assert json.loads(conch("chats", "list", "--json")[1]) == []


def test_lists_have_a_name_of_their_own(conch):
    assert conch("chats", "list")[0] == 0
    assert "learning-cap" in conch("settings", "list")[1]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["chat", "chat 'Hello there'", "learned"])
def test_a_closed_stream_is_no_error(environ, words, closed):
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m conch {words} {closed}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environ,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_message_may_begin_with_a_path(conch):
    status, shown = conch("chat", "/etc/hosts is wrong, what should it hold?")
    assert status == 0
    assert "There is no" not in shown


def test_several_commands_at_once_are_all_done(environ):
    """The one that holds the home answers for the others, and stays until they are answered."""
    begun = [
        subprocess.Popen(
            [sys.executable, "-m", "conch", "chat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environ,
        )
        for _ in range(3)
    ]
    said = "Write me a script that prints the date.\nNo, I meant TypeScript.\n/archive\n"
    for one in begun:
        assert one.stdin is not None
        one.stdin.write(said)
        one.stdin.close()
    for one in begun:
        assert one.stdout is not None
        assert one.stderr is not None
        shown = one.stdout.read() + one.stderr.read()
        assert one.wait(120) == 0, shown
        assert "in the middle" not in shown


def test_words_outlive_a_locale_that_knows_only_ascii(conch, environ):
    environ |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    conch("memory", "add", "Trinkt gern grünen Tee, 東京")
    environ |= {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    assert "Trinkt gern grünen Tee, 東京" in conch("memory", "list")[1]
