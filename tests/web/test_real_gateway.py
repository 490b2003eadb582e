"""`conch serve` as a person runs it: a real process, a real socket, a browser's requests."""

import json
import os
import re
import signal
import subprocess
import sys

import httpx2 as httpx
import pytest

from conch.evals.promises import broken_promises
from gateway_process import serving
from webbing import parts, text_of


def test_from_a_correction_to_undo_with_the_clock_sped_up(tmp_path):
    with serving(tmp_path / "home", speed="600") as served:
        chat = served.client.post("/api/chats", json={}).json()["id"]
        served.turn(chat, "Write me a script that prints the date.")
        served.turn(chat, "No, I meant TypeScript.")

        def line():
            last = served.client.get(f"/api/chats/{chat}").json()["entries"][-1]
            return last if last["type"] == "learned" else None

        (thing,) = served.until(line)["things"]
        assert thing["text"] == "Prefers TypeScript"
        assert "Prefers TypeScript" in served.run("learned")
        press = {"record": thing["record"], "answer": "undo", "words_hash": thing["words_hash"]}
        assert served.client.post("/api/learning/answer", json=press).status_code == 200
        assert served.stop()[0] == 0
    assert list((tmp_path / "home" / "memory").glob("*.md")) == []
    assert broken_promises(tmp_path / "home") == []


def test_terminals_go_through_the_gateway_and_tabs_hear_of_it(tmp_path):
    with serving(tmp_path / "home") as served, served.client.stream("GET", "/api/events") as events:
        lines = events.iter_lines()
        assert next(lines).startswith("id:")
        assert "script" in served.run("chat", "Hello there")
        assert "Hello there" in next(line for line in lines if '"type":"chat"' in line)
        chats = served.client.get("/api/chats").json()["chats"]
        assert [one["title"] for one in chats] == ["Hello there"]


def test_a_stream_is_picked_up_where_it_was_left(tmp_path):
    with serving(tmp_path / "home") as served:
        with served.client.stream("GET", "/api/events") as events:
            first = next(events.iter_lines()).removeprefix("id: ")
        served.client.post("/api/memory", json={"text": "I live in Lisbon"})
        again = {"last-event-id": first}
        with served.client.stream("GET", "/api/events", headers=again) as events:
            data = next(line for line in events.iter_lines() if line.startswith("data:"))
            assert json.loads(data.removeprefix("data: "))["type"] == "memory"


def test_a_tab_that_closes_in_the_middle_stops_nothing(tmp_path):
    with serving(tmp_path / "home") as served:
        chat = served.client.post("/api/chats", json={}).json()["id"]
        words = {"words": "Count slowly to 60"}
        with served.client.stream("POST", f"/api/chats/{chat}/turn", json=words) as answer:
            next(line for line in answer.iter_lines() if "text-delta" in line)
        resumed = parts(served.client.get(f"/api/chats/{chat}/stream").text)
        assert resumed[0]["type"] == "start"
        assert text_of(resumed).rstrip().endswith("60")
        entries = served.client.get(f"/api/chats/{chat}").json()["entries"]
        assert entries[-1]["outcome"] == "success"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stopping_it_ends_a_running_turn_in_the_log(tmp_path, how):
    with serving(tmp_path / "home") as served:
        chat = served.client.post("/api/chats", json={}).json()["id"]
        words = {"words": "Count slowly to 900"}
        with served.client.stream("POST", f"/api/chats/{chat}/turn", json=words) as answer:
            next(line for line in answer.iter_lines() if "text-delta" in line)
            status, rest = served.stop(how)
        assert (status, "Traceback" in rest) == (0, False), rest
    log = (tmp_path / "home" / "chats" / chat / "log.jsonl").read_text()
    assert '"outcome":"stopped"' in log
    assert not (tmp_path / "home" / "gateway.json").exists()


def test_a_second_gateway_refuses_and_points_at_the_first(tmp_path):
    with serving(tmp_path / "home") as served:
        said = served.run("serve", "--no-open", "--port", "0", status=1)
        assert served.address in said
        link = re.search(r"http://\S+/sign-in\?token=\S+", said)
        assert link
        with httpx.Client() as other:
            assert other.get(link.group()).status_code == 303
            assert other.get(link.group()).status_code == 403
        assert served.run("link").startswith(f"{served.address}/sign-in")


def test_beyond_this_computer_it_wants_a_password_first(tmp_path):
    home = tmp_path / "home"
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CONCH_HOME": str(home)}
    command = [sys.executable, "-m", "conch"]
    refused = subprocess.run(
        [*command, "serve", "--no-open", "--host", "0.0.0.0", "--port", "0"],
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert refused.returncode == 1
    assert "conch password" in refused.stderr
    behind_a_proxy = [*command, "serve", "--no-open", "--name", "conch.example", "--port", "0"]
    assert subprocess.run(behind_a_proxy, env=environ, capture_output=True).returncode == 1
    short = subprocess.run([*command, "password"], input="short\n", env=environ, text=True)
    assert short.returncode == 1
    right = "correct horse battery"
    subprocess.run([*command, "password"], input=f"{right}\n", env=environ, text=True, check=True)
    with serving(home, "--host", "0.0.0.0") as served:
        port = served.address.rpartition(":")[2]
        here = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=here, headers={"origin": here}) as other:
            assert other.post("/api/sign-in", json={"password": "wrong"}).status_code == 403
            assert other.post("/api/sign-in", json={"password": right}).status_code == 200
            assert other.get("/api/settings").status_code == 200
            rebound = {"host": f"evil.example:{port}"}
            assert other.get("/api/settings", headers=rebound).status_code == 403


def test_a_proxy_before_it_is_known_by_its_name(tmp_path):
    environ = {"PATH": os.environ["PATH"], "CONCH_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "conch", "password"]
    subprocess.run(command, input="correct horse battery\n", env=environ, text=True, check=True)
    with serving(tmp_path / "home", "--name", "conch.example") as served:
        through = {"host": "conch.example", "origin": "https://conch.example"}
        assert served.client.post("/api/chats", json={}, headers=through).status_code == 201
        other = {"host": "other.example", "origin": "https://other.example"}
        assert served.client.post("/api/chats", json={}, headers=other).status_code == 403


def test_a_port_that_is_taken_is_said(tmp_path):
    with serving(tmp_path / "one") as served:
        port = served.address.rpartition(":")[2]
        served.environ["CONCH_HOME"] = str(tmp_path / "two")
        said = served.run("serve", "--no-open", "--port", port, status=1)
        assert "Something else listens" in said
        assert "isn't running" in served.run("link", status=1)


def test_killed_in_the_middle_of_a_reply_it_comes_back_whole(tmp_path):
    with serving(tmp_path / "home") as served:
        chat = served.client.post("/api/chats", json={}).json()["id"]
        served.client.post("/api/memory", json={"text": "I live in Lisbon"})
        words = {"words": "Count slowly to 900"}
        with served.client.stream("POST", f"/api/chats/{chat}/turn", json=words) as answer:
            next(line for line in answer.iter_lines() if "text-delta" in line)
            served.process.kill()
            served.process.wait()
        cookies = served.client.cookies
    with serving(tmp_path / "home") as served:
        view = served.client.get(f"/api/chats/{chat}").json()
        assert view["chat"]["running"] is False
        assert view["entries"][-1]["outcome"] == "failed"
        assert served.client.get(f"/api/chats/{chat}/stream").status_code == 204
        (memory,) = served.client.get("/api/memory").json()["items"]
        assert memory["text"] == "I live in Lisbon"
        # Whoever was signed in still is; the cookie's name goes with the port.
        ((_, session),) = cookies.items()
        port = served.address.rpartition(":")[2]
        with httpx.Client(base_url=served.address) as old:
            old.cookies.set(f"conch-{port}", session)
            assert old.get("/api/settings").status_code == 200
        served.stop()
    assert broken_promises(tmp_path / "home") == []
