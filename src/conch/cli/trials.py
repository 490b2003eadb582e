"""Runs a trial in a throwaway home, with the engines of this user's own home."""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from conch.app import Conch
from conch.evals.trials import TRIALS, Trial
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.where import home_folder
from conch.home.writer import take_writer


async def run_trial(name: str, engine: str) -> Trial:
    """Run one trial on `engine` ("" for the practice engine).

    What is connected in the environment counts, and what `conch connect` keeps in this user's home.
    Raises ConchError when the engine isn't connected.
    """
    clock = SteppedClock(datetime.now(UTC))
    with tempfile.TemporaryDirectory(prefix="conch-trial-") as folder:
        home = Home.open(Path(folder), clock)
        with take_writer(home):
            conch = Conch.open(Path(folder), clock=clock)
            chosen = engine or "practice"
            if conch.engines.get(chosen) is None:
                conch.engines.borrow(Home.open(home_folder(os.environ)), chosen)
            if conch.engines.get(chosen) is None:
                raise ConchError(f"“{chosen}” isn't connected.", do="conch engines lists them.")
            conch.home.change_settings(
                lambda settings: settings.model_copy(update={"engine": chosen})
            )
            conch.begin()
            try:
                return await TRIALS[name](conch, clock)
            finally:
                await conch.close()
