"""However a path is written, what is protected stays out of reach and what is free stays free."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conch.assistant.hands.folders import real_path
from conch.guard.steps import AskedStep, Circumstances, decide

NOISE = st.lists(
    st.sampled_from([".", "", "x/..", "sub/..", "./.", "up/work/c", "here"]), max_size=4
)
WAYS_HOME = st.sampled_from(
    [
        *("../..", "up", "home", "here/../..", "sub/../up", "root{home}", "up/../{name}"),
        *("{home}", "home/."),
    ]
)
TARGETS = st.sampled_from(
    [
        *("", "memory", "memory/m_1.md", "settings.json", "learning/never.json", "keys/seal"),
        *("chats/c/log", "work", "work/other", "work/other/a.txt", "undo/x", "mem*/m_?.md"),
        *("notes.jsonl", "home.sock"),
    ]
)


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("spelled").resolve()
    home = base / "conch-home"
    folder = home / "work" / "c"
    (folder / "sub").mkdir(parents=True)
    (folder / "x").mkdir()
    for name, target in {"up": home, "home": home, "here": folder, "root": Path("/")}.items():
        (folder / name).symlink_to(target)
    return home, folder


def outcome(tool, spelled, places):
    home, folder = places
    reached = str(real_path(spelled, folder, folder.parent))
    around = Circumstances(
        folder=str(folder), home=str(home), mode="full_trust", watched=True, sealed=True
    )
    return decide(AskedStep(tool, {"path": spelled}, (reached,)), around).outcome


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(NOISE, WAYS_HOME, NOISE, TARGETS, st.sampled_from(["read_file", "write_file", "list_files"]))
def test_the_home_is_refused(places, before, way, between, target, tool):
    home, _ = places
    way = way.format(home=home, name=home.name)
    start = "" if way.startswith("/") else "/".join([*before, ""]).lstrip("/")
    # Behind the way, only what leads nowhere else.
    inner = "/".join(one for one in between if one in (".", ""))
    spelled = f"{start}{way}/{inner}/{target}"
    assert outcome(tool, spelled, places) == "refuse"


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(NOISE, st.sampled_from(["a.txt", "sub/a.txt", "here/sub/a.txt", "up/work/c/a.txt"]))
def test_the_folder_is_free(places, before, target):
    spelled = "/".join([*before, target]).lstrip("/")
    assert outcome("write_file", spelled, places) == "run"
