"""`conch serve` as a process of its own, and a signed-in browser."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx2 as httpx

import warm
from webbing import parts


class Served:
    """A gateway that runs for one home, and a signed-in browser."""

    def __init__(self, home, *options, speed="1") -> None:
        self.home = home
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home.parent),
            "CONCH_HOME": str(home),
            "LANG": "C.UTF-8",
            "CONCH_TEST_CLOCK_SPEED": speed,
        }
        command = [sys.executable, "-m", "conch", "serve", "--no-open", "--port", "0", *options]
        self.process = subprocess.Popen(
            command, env=self.environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break
        found = re.search(r"(http://\S+)/sign-in\?token=\S+", self.said)
        assert found, self.said
        self.link, self.address = found.group(), found.group(1)
        self.client = httpx.Client(
            base_url=self.address, headers={"origin": self.address}, timeout=60
        )
        assert self.client.get(self.link).status_code == 303

    def run(self, *words, given="", status=0) -> str:
        """A command in another terminal."""
        done = warm.run(*words, given=given, environ=self.environ)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def turn(self, chat, words):
        answer = self.client.post(f"/api/chats/{chat}/turn", json={"words": words})
        assert answer.status_code == 200, answer.text
        return parts(answer.text)

    def until(self, ask, seconds=30):
        for _ in range(int(seconds * 10)):
            if found := ask():
                return found
            time.sleep(0.1)
        raise AssertionError("It never happened.")

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        return self.process.wait(20), rest


@contextmanager
def serving(home, *options, **more):
    served = Served(home, *options, **more)
    try:
        yield served
    finally:
        served.client.close()
        if served.process.poll() is None:
            served.process.kill()
        served.process.wait()
        assert served.process.stdout is not None
        served.process.stdout.close()
