"""The README names every kind of labelled cases that can be run."""

from __future__ import annotations

import re
from pathlib import Path

from conch.evals.kinds import KINDS

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_names_every_kind_there_is_and_no_other():
    _, _, measuring = README.read_text("utf-8").partition("`conch eval cases KIND FILE`")
    listed, _, _ = measuring.partition("`--misses`")
    assert set(re.findall(r"`([a-z-]+)`", listed)) == set(KINDS)
