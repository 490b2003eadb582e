"""A command the assistant runs reaches no route of the gateway, signed in or not."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from conch.assistant.hands.sealing import can_seal
from conch.home.home import Home
from conch.web.peers import comes_from_below
from gateway_process import serving

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
CONNECTS = (
    "import socket,sys,time; s=socket.create_connection((sys.argv[1],int(sys.argv[2])));"
    "{more}print(s.getsockname()[1],flush=True); time.sleep(60)"
)
HIDES = "import ctypes; ctypes.CDLL(None).prctl(4,0,0,0,0);"


@pytest.fixture
def listens():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server


def connected(listens, words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    accepted, peer = listens.accept()
    return process, accepted, peer


@on_linux
@pytest.mark.parametrize("more", ["", HIDES], ids=["plain", "one that hides what it holds"])
@pytest.mark.parametrize("how", ["straight", "through a shell in the background"])
def test_a_process_below_is_known(listens, more, how):
    here = listens.getsockname()
    words = [sys.executable, "-c", CONNECTS.format(more=more), here[0], str(here[1])]
    if how != "straight":
        words = ["/bin/sh", "-c", '"$@" & wait', "sh", *words]
    process, accepted, peer = connected(listens, words)
    try:
        with accepted:
            assert process.stdout is not None
            process.stdout.readline()
            assert comes_from_below(peer, here)
            assert not comes_from_below(peer, here, process=1 << 30)
    finally:
        os.killpg(process.pid, 9)
        process.wait()


@on_linux
def test_this_process_and_a_stranger_are_not(listens):
    here = listens.getsockname()
    idle = subprocess.Popen(["sleep", "60"])
    try:
        with socket.create_connection(here) as own:
            accepted, peer = listens.accept()
            with accepted:
                assert peer == own.getsockname()
                assert not comes_from_below(peer, here)
        assert not comes_from_below(("192.0.2.7", 4_000), here)
    finally:
        idle.kill()
        idle.wait()


@on_linux
def test_a_sealed_command_gets_no_answer_and_the_person_does(tmp_path):
    """The command holds the network and even the person's own cookie."""
    if not can_seal():
        return
    folder = tmp_path / "project"
    folder.mkdir()
    trusting = {"mode": "full_trust"}
    Home.open(tmp_path / "home").change_settings(lambda one: one.model_copy(update=trusting))
    with serving(tmp_path / "home") as served:
        cookie = "; ".join(f"{name}={value}" for name, value in served.client.cookies.items())
        address = str(served.client.base_url).rstrip("/")
        (folder / "ask.py").write_text(ASK, "utf-8")
        command = f"{sys.executable} ask.py {address} '{cookie}'; sleep 1"
        if not sys.executable.startswith("/usr"):
            command = command.replace(sys.executable, "python3")
        told = served.run("chat", "--folder", str(folder), f"run `{command}`")
        assert "403 A command that Conch runs" in told, told
        assert served.client.get("/api/settings").status_code == 200


ASK = """
import sys, urllib.error, urllib.request
for path in ("/api/settings", "/api/session", "/"):
    request = urllib.request.Request(sys.argv[1] + path, headers={"Cookie": sys.argv[2]})
    try:
        print("got in:", path, urllib.request.urlopen(request, timeout=20).status)
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode()[:200].partition('detail":"')[2][:60])
"""


def test_where_nothing_tells_nobody_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr("conch.web.peers._PROC", tmp_path / "no-proc")
    assert not comes_from_below(("127.0.0.1", 1), ("127.0.0.1", 2))
