"""The home's socket: ask the one that writes, and be answered, whatever goes wrong."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from socket import socketpair
from typing import Any

import pytest

from conch.home.errors import ConchError, HomeBusy, NobodyHome
from conch.home.home import Home
from conch.home.socket import HomeSocket, ask
from conch.home.socket_place import must_be_own_end

LONG = "a-folder-with-a-long-name-" * 6


async def answer(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
    if verb == "busy":
        raise HomeBusy("In use.", "Nothing was changed.", "Wait.")
    if verb == "broken":
        raise ValueError("sk-secret inside")
    yield {"verb": verb, "args": args}
    if verb == "late":
        raise ConchError("It broke off.", "The first is kept.", "Ask again.")
    yield {"text": "東京 \ud800"}


async def all_of(home: Home, verb: str, args: dict[str, Any] | None = None) -> list[Any]:
    return [item async for item in ask(home, verb, args or {})]


@pytest.fixture(params=["home", LONG], ids=["short path", "path too long for a socket"])
def home(tmp_path: Path, request: pytest.FixtureRequest) -> Home:
    return Home.open(tmp_path / request.param)


async def test_asked_and_answered_item_by_item(home: Home):
    socket = await HomeSocket.start(home, answer)
    asked = {"text": "x" * 200_000}
    assert await all_of(home, "say", asked) == [
        {"verb": "say", "args": asked},
        {"text": "東京 \ud800"},
    ]
    await socket.close()
    assert [path for path in home.root.rglob("*") if path.is_file()] == [home.keys / "socket.key"]


async def test_nobody_home(home: Home):
    with pytest.raises(NobodyHome):
        await all_of(home, "say")
    socket = await HomeSocket.start(home, answer)
    await socket.close()
    with pytest.raises(NobodyHome):
        await all_of(home, "say")


async def test_an_error_of_the_handler_says_what_was_kept_and_what_to_do(home: Home):
    socket = await HomeSocket.start(home, answer)
    with pytest.raises(ConchError) as told:
        await all_of(home, "busy")
    assert told.value.as_dict() == {
        "what": "In use.",
        "kept": "Nothing was changed.",
        "do": "Wait.",
    }
    with pytest.raises(ConchError) as told:
        await all_of(home, "broken")
    assert told.value.kept
    assert told.value.do
    assert "sk-secret" not in str(told.value)
    items = ask(home, "late", {})
    assert (await anext(items))["verb"] == "late"
    with pytest.raises(ConchError, match="It broke off"):
        await anext(items)
    await socket.close()


@pytest.mark.parametrize(
    "line",
    [b"hello\n", b"[1]\n", b"{}\n", b'{"verb": 1}\n', b'{"verb":"x","args":[]}\n', b"\xff\n"],
)
async def test_a_question_that_cannot_be_read_is_answered_so(tmp_path: Path, line: bytes):
    home = Home.open(tmp_path)
    socket = await HomeSocket.start(home, answer)
    reader, writer = await asyncio.open_unix_connection(str(home.socket_file))
    writer.write(line)
    told = json.loads(await reader.readline())
    assert set(told["error"]) == {"what", "kept", "do"}
    assert await reader.read() == b""
    writer.close()
    assert len(await all_of(home, "still there")) == 2
    await socket.close()


@pytest.mark.parametrize("key", [{}, {"key": ""}, {"key": "0" * 64}, {"key": "é"}, {"key": 7}])
async def test_who_cannot_read_the_home_is_told_nothing(tmp_path: Path, key: dict[str, Any]):
    home = Home.open(tmp_path)
    socket = await HomeSocket.start(home, answer)
    reader, writer = await asyncio.open_unix_connection(str(home.socket_file))
    writer.write(json.dumps({"verb": "say", "args": {}, **key}).encode() + b"\n")
    told = json.loads(await reader.readline())
    assert told["error"]["kept"] == "Nothing was done."
    assert await reader.read() == b""
    writer.close()
    await socket.close()
    assert _rights(home.keys / "socket.key") == 0o600


async def test_only_the_owner_can_connect(home: Home):
    socket = await HomeSocket.start(home, answer)
    assert home.socket_file.stat().st_mode & 0o777 == 0o600
    address = home.socket_file
    if not address.is_socket():
        address = Path(address.read_text())
    assert _rights(address) == 0o600
    assert _rights(address.parent) == 0o700
    await socket.close()


def _loosened(address: Path) -> None:
    address.parent.chmod(0o755)


def _behind_a_link(address: Path) -> None:
    elsewhere = address.parent.with_name(address.parent.name + "-theirs")
    address.parent.rename(elsewhere)
    address.parent.symlink_to(elsewhere)


def _a_link_itself(address: Path) -> None:
    address.rename(address.with_name("theirs.sock"))
    address.symlink_to("theirs.sock")


@pytest.mark.parametrize("made_theirs", [_loosened, _behind_a_link, _a_link_itself])
async def test_nothing_is_sent_through_a_place_that_is_not_this_users_alone(
    tmp_path: Path, made_theirs: Callable[[Path], None]
):
    home = Home.open(tmp_path / LONG)
    socket = await HomeSocket.start(home, answer)
    address = Path(home.socket_file.read_text())
    await socket.close()
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read())
        writer.close()

    address.parent.mkdir(mode=0o700)
    theirs = await asyncio.start_unix_server(listen, path=str(address))
    home.socket_file.write_text(str(address))
    made_theirs(address)
    try:
        with pytest.raises(ConchError, match=r"isn't yours alone.*Nothing was sent there"):
            await all_of(home, "say", {"words": "a secret"})
        assert heard == []
        own = await HomeSocket.start(home, answer)
        assert len(await all_of(home, "say")) == 2
        await own.close()
    finally:
        theirs.close()
        shutil.rmtree(address.parent.resolve())
        if address.parent.is_symlink():
            address.parent.unlink()


async def test_a_socket_of_another_user_is_not_asked(home: Home, monkeypatch: pytest.MonkeyPatch):
    socket = await HomeSocket.start(home, answer)
    with monkeypatch.context() as as_another:
        as_another.setattr(os, "getuid", lambda: 4321)
        with pytest.raises(ConchError, match="isn't yours alone"):
            await all_of(home, "say")
    assert len(await all_of(home, "say")) == 2
    await socket.close()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says who is at the other end")
def test_another_user_at_the_other_end_is_told_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    home = Home.open(tmp_path)
    ours, theirs = socketpair()
    with ours, theirs:
        must_be_own_end(home, ours)
        monkeypatch.setattr(os, "getuid", lambda: 4321)
        with pytest.raises(ConchError, match="isn't yours alone"):
            must_be_own_end(home, ours)


def _rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_a_second_one_is_refused_while_the_first_answers(home: Home):
    socket = await HomeSocket.start(home, answer)
    with pytest.raises(HomeBusy):
        await HomeSocket.start(home, answer)
    assert len(await all_of(home, "say")) == 2
    await socket.close()


async def test_a_socket_left_by_a_process_that_died_is_cleaned_away(home: Home):
    code = (
        "import asyncio, os, pathlib, sys\n"
        "from conch.home.home import Home\n"
        "from conch.home.socket import HomeSocket\n"
        "async def main():\n"
        "    await HomeSocket.start(Home.open(pathlib.Path(sys.argv[1])), None)\n"
        "    os._exit(9)\n"
        "asyncio.run(main())\n"
    )
    died = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(home.root))
    assert await died.wait() == 9
    left = home.socket_file
    assert left.exists()
    address = left if left.is_socket() else Path(left.read_text())
    with pytest.raises(NobodyHome):
        await all_of(home, "say")
    socket = await HomeSocket.start(home, answer)
    assert len(await all_of(home, "say")) == 2
    await socket.close()
    assert not address.exists()
    assert not left.exists()


async def test_when_who_asked_goes_away_the_handler_is_cancelled(tmp_path: Path):
    home = Home.open(tmp_path)
    ended = asyncio.Event()

    async def endless(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        try:
            yield {}
            await asyncio.sleep(3600)
        finally:
            ended.set()

    socket = await HomeSocket.start(home, endless)
    items = ask(home, "x", {})
    assert await anext(items) == {}
    await items.aclose()  # type: ignore[attr-defined]
    await asyncio.wait_for(ended.wait(), 10)
    await socket.close()


async def test_a_conch_that_stops_in_the_middle_is_said(tmp_path: Path):
    home = Home.open(tmp_path)

    async def endless(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        yield {}
        await asyncio.sleep(3600)

    socket = await HomeSocket.start(home, endless)
    items = ask(home, "x", {})
    await anext(items)
    await socket.close()
    with pytest.raises(ConchError, match="in the middle"):
        await anext(items)


async def test_many_ask_at_once(tmp_path: Path):
    home = Home.open(tmp_path)
    socket = await HomeSocket.start(home, answer)
    answers = await asyncio.gather(*(all_of(home, "say", {"n": n}) for n in range(20)))
    assert [one[0]["args"]["n"] for one in answers] == list(range(20))
    await socket.close()


async def test_what_is_being_answered_comes_to_its_end_before_the_socket_closes(home: Home):
    goes_on = asyncio.Event()

    async def slow(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        yield {"n": 1}
        if verb == "go on":
            goes_on.set()
        await goes_on.wait()
        yield {"n": 2}

    socket = await HomeSocket.start(home, slow)
    items = ask(home, "slow", {})
    assert await anext(items) == {"n": 1}
    closing = asyncio.create_task(socket.close(patience=60))
    await asyncio.sleep(0)
    assert not closing.done()
    # A reply that waits for its Allow gets it.
    assert len(await all_of(home, "go on")) == 2
    assert [item async for item in items] == [{"n": 2}]
    await closing
    with pytest.raises(NobodyHome):
        await all_of(home, "slow")


async def test_patience_has_an_end(home: Home):
    async def endless(verb: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        yield {}
        await asyncio.sleep(3600)

    socket = await HomeSocket.start(home, endless)
    items = ask(home, "x", {})
    await anext(items)
    await asyncio.wait_for(socket.close(patience=0.05), 10)
    with pytest.raises(ConchError, match="in the middle"):
        await anext(items)


async def test_a_conch_that_ends_before_it_took_the_question_is_as_if_none_ran(tmp_path: Path):
    """So whoever asked may do it without fear of having it done twice."""
    home = Home.open(tmp_path)

    async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_unix_server(hangs_up, path=str(home.socket_file))
    with pytest.raises(NobodyHome):
        await all_of(home, "say")
    server.close()
