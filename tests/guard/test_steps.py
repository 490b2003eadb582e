"""The one decision, row by row; and that nothing a tool is called or told turns it around."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.guard.permissions import Permissions
from conch.guard.protected import Places, holds_keys, why_protected
from conch.guard.steps import ROW_NAMES, AskedStep, Circumstances, could_carry_data, decide
from conch.guard.taints import Taint

HOME = "/home/ana/.conch"
FOLDER = f"{HOME}/work/c_1"
READ = (Taint("web", "trains.example"),)
LONG = "https://trains.example/?q=" + "a" * 90


def around(**over) -> Circumstances:
    values = {"folder": FOLDER, "home": HOME, "watched": True, "sealed": True, **over}
    return Circumstances(**values)


def step(tool: str, *reaches: str, **given) -> AskedStep:
    return AskedStep(tool, given, tuple(reaches))


COMMAND = step("run_command", command="npm test")
WRITE = step("write_file", f"{FOLDER}/a.txt", path="a.txt")
EDIT = step("edit_file", f"{FOLDER}/a.txt", path="a.txt")
WRITE_OUT = step("write_file", "/home/ana/a.txt", path="../../../a.txt")
READ_IN = step("read_file", f"{FOLDER}/a.txt", path="a.txt")
READ_OUT = step("read_file", "/home/ana/a.txt", path="/home/ana/a.txt")
FETCH = step("fetch_page", url="https://trains.example/times")
GIT_ONLY = (Permissions.read(["commands:git"]),)
TRUST, EDITS = "full_trust", "accept_edits"

ROWS = {
    "memory is out of reach": (
        step("read_file", f"{HOME}/memory/m_1.md"), around(mode=TRUST),
        "refuse", "a protected place"),
    "learning is out of reach": (
        step("write_file", f"{HOME}/learning/never.json"), around(mode=TRUST), "refuse",
        "a protected place"),
    "another chat's folder is out of reach": (
        step("read_file", f"{HOME}/work/c_2/a.txt"), around(mode=TRUST),
        "refuse", "a protected place"),
    "in other capitals": (
        step("read_file", "/HOME/ANA/.Conch/keys/seal"), around(mode=TRUST), "refuse",
        "a protected place"),
    "/proc is no file": (
        step("read_file", "/proc/self/environ"), around(mode=TRUST),
        "refuse", "a protected place"),
    "a command's output to the home": (
        step("run_command", f"{HOME}/settings.json", command="git log > x"), around(mode=TRUST),
        "refuse", "a protected place"),
    "a command that names the home": (
        step("run_command", command=f"cat {HOME}/keys/seal"), around(mode=TRUST), "refuse",
        "a command that names Conch's home"),
    "a command in the folder is none": (
        step("run_command", command=f"ls {FOLDER}"), around(mode=TRUST), "run", "a command"),
    "an app that is off": (
        step("mcp__notion__search"), around(mode=TRUST, app_modes={"notion": "off"}), "refuse",
        "an app that is off"),
    "forgetting asks": (step("forget", id="m_1"), around(mode=TRUST), "ask", "forgetting"),
    "outside a skill's list": (
        COMMAND, around(mode=TRUST, held_to=GIT_ONLY), "ask", "outside a skill's list"),
    "inside a skill's list": (
        step("run_command", command="git log"), around(mode=TRUST, held_to=GIT_ONLY), "run",
        "a command"),
    "several skills hold together": (
        step("run_command", command="git log"),
        around(mode=TRUST, held_to=(*GIT_ONLY, Permissions.read(["none"]))), "ask",
        "outside a skill's list"),
    "remembering runs": (step("remember", content="x"), around(taints=READ), "run", "bookkeeping"),
    "a to-do list runs": (step("update_plan"), around(taints=READ), "run", "bookkeeping"),
    "keys are asked about, even in full trust": (
        step("read_file", "/home/ana/.ssh/id_rsa"), around(mode=TRUST), "ask", "where keys lie"),
    "a secret in the folder is asked about": (
        step("read_file", f"{FOLDER}/.env"), around(mode=TRUST), "ask", "where keys lie"),
    "reading in the folder runs": (READ_IN, around(taints=READ), "run", "reading in the folder"),
    "searching the folder runs": (
        step("search_files", FOLDER, query="x"), around(), "run", "reading in the folder"),
    "reading elsewhere asks": (READ_OUT, around(), "ask", "reading elsewhere"),
    "reading elsewhere in full trust": (READ_OUT, around(mode=TRUST), "run", "reading elsewhere"),
    "reading elsewhere after reading from outside": (
        READ_OUT, around(mode=TRUST, taints=READ), "ask", "reading elsewhere"),
    "a command": (COMMAND, around(), "ask", "a command"),
    "a command with edits accepted": (COMMAND, around(mode=EDITS), "ask", "a command"),
    "a command in full trust": (COMMAND, around(mode=TRUST), "run", "a command"),
    "a command after reading, in full trust": (
        COMMAND, around(mode=TRUST, taints=READ), "ask", "a command after reading from outside"),
    "a command where nothing seals": (
        COMMAND, around(mode=TRUST, sealed=False), "ask", "a command where nothing seals"),
    "code is a command": (step("execute_code", code="x"), around(), "ask", "a command"),
    "writing to a program is a command": (
        step("write_stdin", chars="x"), around(mode=TRUST, taints=READ), "ask",
        "a command after reading from outside"),
    "a command that gets a secret, in full trust": (
        step("run_command", command="git push", secrets=["github-token"]), around(mode=TRUST),
        "ask", "a command that gets a secret"),
    "a command that gets a secret after reading": (
        step("run_command", command="git push", secrets=["github-token"]),
        around(mode=TRUST, taints=READ), "ask", "a command that gets a secret"),
    "code that gets a secret": (
        step("run_code", code="x", Secrets="github-token"), around(mode=TRUST), "ask",
        "a command that gets a secret"),
    "a write in the folder": (WRITE, around(), "ask", "a write in the folder"),
    "a write with edits accepted": (WRITE, around(mode=EDITS), "run", "a write in the folder"),
    "an edit after reading, with edits accepted": (
        EDIT, around(mode=EDITS, taints=READ), "run", "a write in the folder"),
    "a write to .git": (
        step("write_file", f"{FOLDER}/.git/hooks/pre-commit"), around(mode=TRUST), "ask",
        "a write that may run by itself"),
    "a write outside": (WRITE_OUT, around(mode=EDITS), "ask", "a write elsewhere"),
    "a write outside in full trust": (WRITE_OUT, around(mode=TRUST), "run", "a write elsewhere"),
    "a write outside after reading": (
        WRITE_OUT, around(mode=TRUST, taints=READ), "ask",
        "a write outside after reading from outside"),
    "a write nobody knows where to": (
        step("apply_patch", input="x"), around(mode=EDITS), "ask", "a write elsewhere"),
    "a fetch": (FETCH, around(), "run", "a fetch"),
    "a fetch after reading": (FETCH, around(taints=READ), "run", "a fetch"),
    "a fetch that could carry data, nothing read": (
        step("fetch_page", url=LONG), around(), "run", "a fetch"),
    "a fetch that could carry data after reading": (
        step("fetch_page", url=LONG), around(mode=TRUST, taints=READ), "ask",
        "a fetch that could carry data after reading from outside"),
    "an address the person typed": (
        step("fetch_page", url=LONG), around(taints=READ, person_typed=frozenset({LONG})), "run",
        "a fetch"),
    "acting in a browser": (
        step("browser_click", element="x"), around(), "ask", "acting in a browser"),
    "an app": (step("mcp__notion__create_page"), around(), "ask", "an app"),
    "an app set free": (
        step("mcp__notion__create_page"), around(app_modes={"notion": "free"}), "run", "an app"),
    "one tool of an app set free": (
        step("mcp__notion__create_page"), around(app_modes={"notion.create_page": "free"}), "run",
        "an app"),
    "an app set free acts after reading": (
        step("mcp__notion__create_page"), around(app_modes={"notion": "free"}, taints=READ), "ask",
        "an app that acts after reading from outside"),
    "an app set free reads after reading": (
        step("mcp__notion__search_pages"), around(app_modes={"notion": "free"}, taints=READ), "run",
        "an app"),
    "a tool nobody knows": (step("frobnicate", x=1), around(mode=TRUST), "ask", "an app"),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=list(ROWS))
def test_row(row: str) -> None:
    asked, about, outcome, name = ROWS[row]
    decision = decide(asked, about)
    assert (decision.outcome, decision.row) == (outcome, name)
    assert decision.why or outcome == "run"


def test_every_row_is_tested() -> None:
    assert {name for *_, name in ROWS.values()} == set(ROW_NAMES)


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row[2] == "ask"])
def test_nobody_to_ask_means_it_waits(row: str) -> None:
    asked, about, *_ = ROWS[row]
    unwatched = Circumstances(**{**vars(about), "watched": False})
    decision = decide(asked, unwatched)
    assert decision.outcome == "refuse"
    assert decision.waits


def test_the_reason_names_what_was_read() -> None:
    assert "read trains.example" in decide(COMMAND, around(taints=READ)).why


TOOLS = st.sampled_from(
    [
        "run_command",
        "write_file",
        "bash",
        "Write",
        "frobnicate",
        "mcp__x__y",
        "execute_code",
        "edit",
    ]
)


@pytest.mark.parametrize("name", ["read_file", "remember", "x.read_file", "x.fetch", "x.remember"])
@pytest.mark.parametrize("server", ["evil", "conch", ""])
def test_an_app_gains_nothing_by_its_tools_names(server: str, name: str) -> None:
    asked = step(f"mcp__{server}__{name}", path="a.txt")
    assert decide(asked, around()).outcome == "ask"
    assert decide(asked, around(taints=READ, mode=TRUST)).outcome != "refuse"


@given(TOOLS, st.dictionaries(st.text(max_size=8), st.text(max_size=30), max_size=3))
def test_after_reading_nothing_acts_without_asking(tool: str, values: dict[str, str]) -> None:
    asked = AskedStep(tool, values, ("/elsewhere/x",))
    assert decide(asked, around(mode=TRUST, taints=READ)).outcome != "run"


@given(st.text(min_size=1, max_size=20), st.dictionaries(st.text(max_size=8), st.text(max_size=30)))
def test_a_tool_of_any_name_is_decided(tool: str, values: dict[str, str]) -> None:
    assert decide(AskedStep(tool, values), around()).outcome in ("run", "ask", "refuse")


CARRIES = {
    "a short query": ("https://a.example/times?day=3", False),
    "a plain page": ("https://a.example/a/page-about-trains", False),
    "a long query": ("https://a.example/?" + "x" * 81, True),
    "a long fragment": ("https://a.example/#" + "x" * 81, True),
    "a long part": ("https://a.example/" + "x" * 61, True),
    "a long value": ("https://a.example/?d=" + "x" * 31, True),
    "data in the host": ("https://" + "x" * 40 + ".a.example/", True),
    "data in many labels": ("https://a.b.c.d.e.f.example/", True),
    "a name and password": ("https://secret:word@a.example/", True),
    "many parts": ("https://a.example/" + "x/" * 120, True),
    "no address": ("https://[bad/", True),
}


@pytest.mark.parametrize("row", CARRIES, ids=list(CARRIES))
def test_could_carry_data(row: str) -> None:
    url, carries = CARRIES[row]
    assert could_carry_data(url) is carries


def test_places() -> None:
    places = Places(HOME, FOLDER)
    assert why_protected(f"{FOLDER}/a", places) == ""
    assert why_protected("/home/ana/a", places) == ""
    assert why_protected(HOME, places)
    assert why_protected("/home/ana/.ｃonch/keys", places)
    assert why_protected("/dev/sda", places)
    assert why_protected("/dev/null", places) == ""
    assert holds_keys("/home/ana/.config/gcloud/x")
    assert holds_keys("/srv/server.PEM")
    assert not holds_keys("/home/ana/keys.md")
