"""Secrets used by commands: given by name, asked for each time, and seen by nobody else."""

from __future__ import annotations

import pytest

from conch.app import Conch
from conch.assistant.hands.sealing import can_seal
from conch.assistant.vault import LONGEST, MOST_SECRETS, SHORTEST
from conch.chats.events import ApprovalAsked
from conch.engines.engines import Engines
from conch.home.errors import ConchError

VALUE = "glx-7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5"
NAMED = {"secrets": ["deploy-key"]}


@pytest.fixture
def holder(worker):
    """A worker in full trust, whose person keeps a secret."""
    worker.mode("full_trust")
    worker.conch.vault.put("deploy-key", VALUE)
    return worker


def everything_written(home) -> bytes:
    """All that stands in the home, but for the vault itself and the chats' own work folders."""
    skipped = (home.root / "vault", home.root / "work", home.root / "undo")
    return b"\n".join(
        path.read_bytes()
        for path in home.root.rglob("*")
        if path.is_file() and not any(one in path.parents for one in skipped)
    )


async def run(holder, command, allow: bool | None = True, **more):
    return await holder.does(("run_command", {"command": command, **NAMED, **more}), allow=allow)


async def test_a_command_gets_it_and_nobody_else_sees_it(holder):
    took = await run(holder, '[ ${#DEPLOY_KEY} -eq 36 ] && echo "long enough: $DEPLOY_KEY"')
    assert took.told[0].strip() == "long enough: •••"
    assert VALUE.encode() not in everything_written(holder.home)


async def test_a_command_that_names_none_gets_none(holder):
    took = await holder.does(("run_command", {"command": "echo [$DEPLOY_KEY]; env"}), allow=True)
    assert "[]" in took.told[0]
    assert "DEPLOY_KEY" not in took.told[0].replace("[]", "")


@pytest.mark.parametrize("mode", ["ask", "accept_edits", "full_trust"])
async def test_every_use_is_asked_in_every_mode_and_shown_whole(holder, mode):
    holder.mode(mode)
    took = await run(holder, "echo one\necho two", allow=False)
    (ask,) = took.asked
    assert ask.why == "It would get your secret deploy-key."
    assert "echo two" in ask.detail
    assert ask.detail.endswith("$DEPLOY_KEY: your secret deploy-key")
    assert took.told == ["The person didn't allow it. Nothing was done."]


async def test_consent_is_for_exactly_these_words_once(holder):
    took = await holder.does(
        ("run_command", {"command": "echo a", **NAMED}),
        ("run_command", {"command": "echo a", **NAMED}),
        ("run_command", {"command": "echo b", **NAMED}),
        allow=True,
    )
    assert len(took.asked) == 3
    asked = [
        event
        for event in holder.conch.chats.log(holder.chat).events()
        if isinstance(event, ApprovalAsked)
    ]
    assert [one.input["command"] for one in asked] == ["echo a", "echo a", "echo b"]
    assert all(one.input["secrets"] == ["deploy-key"] for one in asked)


async def test_where_nobody_is_there_it_is_not_used(holder):
    took = await run(holder, "echo x > x", allow=None)
    assert "Nobody is there to ask" in took.told[0]
    assert list(holder.folder.iterdir()) == []


async def test_after_reading_from_outside_the_question_says_so_too(holder):
    from conch.chats.events import TaintMarked

    holder.conch.chats.log(holder.chat).append(TaintMarked(kind="web", label="evil.example"))
    took = await run(holder, "echo x", allow=False)
    assert "deploy-key" in took.asked[0].why
    assert "read evil.example" in took.asked[0].why


WAYS = {
    "as it is": "echo $DEPLOY_KEY",
    "from the environment": "env; cat /proc/self/environ; export -p; declare -p DEPLOY_KEY",
    "traced": "set -x; true $DEPLOY_KEY",
    "in an error": "$DEPLOY_KEY",
    "in a file's name it can't find": "cat $DEPLOY_KEY",
    "base64": "printf %s $DEPLOY_KEY | base64 -w0",
    "base64, shifted": "printf 'xy%s' $DEPLOY_KEY | base64 -w0",
    "base64 twice": "printf %s $DEPLOY_KEY | base64 -w0 | base64 -w0",
    "base32": "printf %s $DEPLOY_KEY | base32 -w0",
    "hex": "printf %s $DEPLOY_KEY | od -An -tx1",
    "hex without blanks": "printf %s $DEPLOY_KEY | od -An -v -tx1 | tr -d ' \\n'",
    "decimal": "printf %s $DEPLOY_KEY | od -An -tu1",
    "octal": "printf %s $DEPLOY_KEY | od -An -to1",
    "letters": "printf %s $DEPLOY_KEY | od -c",
    "reversed": "echo $DEPLOY_KEY | rev",
    "base64 of the reversed": "echo -n $DEPLOY_KEY | rev | base64 -w0",
    "rot13": "echo $DEPLOY_KEY | tr A-Za-z N-ZA-Mn-za-m",
    "in capitals": "echo $DEPLOY_KEY | tr a-z A-Z",
    "in two halves": "echo ${DEPLOY_KEY:0:18}; echo between; echo ${DEPLOY_KEY:18}",
    "in three pieces": "echo a ${DEPLOY_KEY:0:12} b ${DEPLOY_KEY:12:12} c ${DEPLOY_KEY:24}",
    "a letter a line": "echo $DEPLOY_KEY | fold -w1",
    "with dashes": "echo $DEPLOY_KEY | sed 's/./&-/g'",
    "with dots and blanks": "echo $DEPLOY_KEY | sed 's/./& . /g'",
    "percent-encoded": "printf %s $DEPLOY_KEY | od -An -v -tx1 | tr ' ' % | tr -d '\\n'",
    "as \\x escapes": "printf %s $DEPLOY_KEY | od -An -v -tx1 | sed 's/ /\\\\x/g' | tr -d '\\n'",
    "in an error of a program": "ls --color=$DEPLOY_KEY",
    "as a file name": "touch $DEPLOY_KEY; ls",
    "in the exit's words": "echo $DEPLOY_KEY >&2; exit 3",
}


def pieces(text: str) -> list[str]:
    """The longest run of the value's letters in a text, by each way a reader would undo it."""
    import base64
    import codecs

    known = VALUE.casefold()
    letters = "".join(one for one in text.casefold() if one.isalnum())
    seen = [text, letters, letters[::-1], codecs.encode(letters, "rot13")]
    for word in text.split():
        for undo in (base64.b64decode, base64.b32decode, bytes.fromhex):
            try:
                seen.append(undo(word).decode("latin-1"))
            except (ValueError, TypeError):
                continue
    plain = "".join(one for one in known if one.isalnum())
    return [
        plain[at : at + 8]
        for at in range(len(plain) - 7)
        for one in seen
        if plain[at : at + 8] in "".join(x for x in one.casefold() if x.isalnum())
    ]


@pytest.mark.parametrize("way", WAYS)
async def test_however_a_command_says_it(holder, way):
    took = await run(holder, WAYS[way])
    assert "•••" in took.told[0], took.told
    assert not pieces(took.told[0]), took.told
    assert not pieces(everything_written(holder.home).decode("latin-1"))


async def test_written_to_files_and_read_back_by_every_tool(holder):
    write = (
        "echo token=$DEPLOY_KEY > whole.txt; echo $DEPLOY_KEY | rev > back.txt;"
        "echo $DEPLOY_KEY | base64 > coded.txt; echo ${DEPLOY_KEY:0:18} > one.txt;"
        "echo ${DEPLOY_KEY:18} > two.txt; touch n-$DEPLOY_KEY"
    )
    took = await holder.does(
        ("run_command", {"command": write, **NAMED}),
        *(("read_file", {"path": f"{name}.txt"}) for name in
          ("whole", "back", "coded", "one", "two")),
        ("search_files", {"query": "token|[A-Za-z0-9]{8}"}),
        ("search_files", {"query": "^glx"}),
        ("list_files", {}),
        ("read_file", {"path": f"n-{VALUE}x"}),
        ("run_command", {"command": "cat *.txt; ls; xxd whole.txt; od -c whole.txt"}),
        allow=True,
    )  # fmt: skip
    assert len(took.told) == 11
    for told in took.told[1:]:
        assert not pieces(told), told
    assert not pieces(everything_written(holder.home).decode("latin-1"))


async def test_in_another_chat_of_the_same_folder_too(holder):
    (holder.person / "project").mkdir()
    holder.chat = holder.conch.chats.new(folder=str(holder.person / "project"))
    await run(holder, "echo ${DEPLOY_KEY:0:18} > one.txt")
    holder.chat = holder.conch.chats.new(folder=str(holder.person / "project"))
    took = await holder.does(("read_file", {"path": "one.txt"}), allow=True)
    assert "•••" in took.told[0]
    assert not pieces(took.told[0])


async def test_what_the_person_types_is_not_sent(holder):
    sent = []

    class Seeing(type(holder.conch.engines.default())):
        def model(self, name=""):
            from pydantic_ai.models.function import FunctionModel

            async def stream(messages, info):
                sent.append(str(messages) + str(info))
                yield "Done."

            return FunctionModel(stream_function=stream)

    from conch.assistant.attached import Attachment

    holder.conch.assistant.answered_by = Seeing()
    attached = [Attachment("notes.txt", "text/plain", f"key: {VALUE}")]
    async for _ in holder.conch.assistant.turn(
        holder.chat, f"Use {VALUE} please", with_hands=True, files=attached
    ):
        pass
    assert sent
    assert "deploy-key ($DEPLOY_KEY)" in sent[0]
    assert VALUE not in sent[0]
    assert VALUE.encode() not in everything_written(holder.home)


def test_it_is_sealed_at_rest_and_there_again_after_a_start(holder):
    (file,) = (holder.home.root / "vault").iterdir()
    assert VALUE.encode() not in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0
    again = Conch(holder.home, {}, engines=Engines(holder.home, {}, ports={}))
    assert [one.name for one in again.vault.secrets()] == ["deploy-key"]
    assert again.redactor.redact_known(f"x {VALUE}") == "x •••"
    assert VALUE not in repr(vars(again.vault.secrets()[0]))


def test_what_an_engine_is_connected_with_is_hidden_too(worker):
    key = "sk-abcdefghijklmnop1234567890"
    worker.conch.engines.connect("openai", key=key)
    again = Conch(worker.home, {}, engines=Engines(worker.home, {}, ports={}))
    assert key not in again.redactor.redact_known(f"Bearer {key}")


async def test_the_home_of_the_vault_is_out_of_reach(holder):
    path = str(holder.home.root / "vault" / "secrets.sealed")
    took = await holder.does(
        ("read_file", {"path": path}),
        ("write_file", {"path": path, "text": "x"}),
        ("run_command", {"command": f"cat {path}"}),
        allow=True,
    )
    assert all(told.startswith("Not done.") for told in took.told)


async def test_one_that_is_not_there_runs_nothing(holder):
    took = await holder.does(
        ("run_command", {"command": "touch made", "secrets": ["other"]}), allow=True
    )
    assert "no secret “other”" in took.told[0]
    assert list(holder.folder.iterdir()) == []
    holder.conch.vault.remove("deploy-key")
    took = await run(holder, "touch made")
    assert "no secret" in took.told[0]


@pytest.mark.parametrize(
    "secrets",
    ["deploy-key", ["DEPLOY_KEY"], [["deploy-key"]], {"a": "deploy-key"}],
    ids=["one word", "its variable", "nested", "an object"],
)
async def test_however_it_is_asked_for_it_is_asked_about(holder, secrets):
    took = await holder.does(
        ("run_command", {"command": "echo $DEPLOY_KEY", "secrets": secrets}), allow=False
    )
    assert took.asked
    assert all("secret" in ask.why for ask in took.asked)


@pytest.mark.parametrize(
    "name",
    ["", "1a", "a b", "../x", "ä", "x" * 61, "path", "ld-preload", "home", "bash-env", "python-x",
     "a--b", "-a", "a\n"],
)  # fmt: skip
def test_names_that_cannot_be(worker, name):
    if name == "a\n":
        assert worker.conch.vault.put(name, VALUE).name == "a"
        return
    with pytest.raises(ConchError):
        worker.conch.vault.put(name, VALUE)
    assert worker.conch.vault.secrets() == []


@pytest.mark.parametrize(
    "value", ["", "x" * (SHORTEST - 1), "x" * (LONGEST + 1), "a\0bcdefghij", "•••••••••", " \n "]
)
def test_values_that_cannot_be(worker, value):
    with pytest.raises(ConchError):
        worker.conch.vault.put("name", value)
    assert worker.conch.vault.secrets() == []


def test_a_key_of_many_lines_is_hidden_line_by_line(worker):
    lines = ["AAAAB3NzaC1yc2EAAAADAQABAAABgQDk", "q9Zx7Kd93mQpL2vR8tYbN4wZ1cF6hJ0s"]
    worker.conch.vault.put("ssh-key", "\n".join(lines))
    assert worker.conch.redactor.redact_known(f"x {lines[1]} y") == "x ••• y"


def test_a_damaged_vault_is_set_aside_and_said(holder):
    file = holder.home.root / "vault" / "secrets.sealed"
    file.write_bytes(b"nothing of ours")
    assert holder.conch.vault.secrets() == []
    assert list(file.parent.glob("*.damaged-*"))
    assert "vault could not be opened" in holder.home.notes.recent(1)[0].text
    assert holder.conch.redactor.redact_known(VALUE) == "•••"


def test_it_takes_no_more_than_it_can_tell_of(worker):
    for number in range(MOST_SECRETS):
        worker.conch.vault.put(f"s{number}", f"value-number-{number:05}")
    with pytest.raises(ConchError, match="all it takes"):
        worker.conch.vault.put("one-more", VALUE)
    assert worker.conch.vault.put("s1", VALUE).name == "s1"


async def test_a_sealed_command_sees_no_other_commands_environment(holder):
    if not can_seal():
        return
    took = await holder.does(
        ("run_command", {"command": "cat /proc/*/environ | tr '\\0' '\\n' | grep -c KEY"}),
        allow=True,
    )
    assert took.told[0].startswith("0")
