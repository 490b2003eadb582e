"""Runs a trial in a throwaway home, with the engines of this user's own home."""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from conch.app import Conch
from conch.engines.engines import Engines
from conch.engines.practice import PRACTICE
from conch.evals.trials import TRIALS, Trial
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.where import home_folder
from conch.home.writer import take_writer
from conch.words.meaning import load_meaning


async def run_trial(name: str, engine: str) -> Trial:
    """Run one trial on `engine` ("" for the practice engine).

    What is connected in the environment counts, and what `conch connect` keeps in this user's home.
    Raises ConchError when the engine isn't connected.
    """
    clock = SteppedClock(datetime.now(UTC))
    with tempfile.TemporaryDirectory(prefix="conch-trial-") as folder:
        home = Home.open(Path(folder), clock)
        with take_writer(home):
            # Keys stay where they are: the engines are those of the user's own home.
            engines = Engines(Home.open(home_folder(os.environ), clock), os.environ)
            conch = Conch(home, {}, meaning=load_meaning(), engines=engines)
            conch.begin()
            chosen = engines.get(engine or PRACTICE)
            if chosen is None:
                raise ConchError(f"“{engine}” isn't connected.", do="conch engines lists them.")
            conch.assistant.answered_by = chosen
            try:
                return await TRIALS[name](conch, clock)
            finally:
                await conch.close()
