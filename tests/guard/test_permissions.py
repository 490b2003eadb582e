"""What a skill's list allows, in both spellings; what work needed (spec 0058 §4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.guard.needs import Need, needs
from conch.guard.permissions import (
    NOTHING,
    UNDECLARED,
    Permissions,
    held_together,
    permissions_of,
)

FOLDER = "/home/ana/trip"
GIT = Permissions.read(["commands:git"])

SPELLED = {
    "nothing declared is files and web": (None, ["files", "web"]),
    "permissions: none": (["none"], ["none"]),
    "an empty list": ([], ["none"]),
    "commands": (["commands"], ["commands"]),
    "one program": (["commands:git"], ["commands:git"]),
    "a program with words": (["commands:npm run test"], ["commands:npm run test"]),
    "a program inside another's words": (
        ["commands:git", "commands:git log"], ["commands:git"]),
    "any swallows": (["commands:git", "commands"], ["commands"]),
    "anywhere swallows files": (["files", "files-anywhere"], ["files-anywhere"]),
    "an app": (["apps:Notion"], ["apps:notion"]),
    "any app": (["apps:notion", "apps"], ["apps"]),
    "all": (["browser", "passwords", "web"], ["web", "browser", "passwords"]),
    "unknown words give nothing": (["everything", "root", "commands "], ["commands"]),
    "allowed-tools in one line": (
        "Bash(git:*) Read Write WebFetch", ["commands:git", "files", "web"]),
    "allowed-tools with commas": (
        "Bash(git add:*), Bash(git commit:*), Grep", ["commands:git add", "commands:git commit"]),
    "Bash alone is any command": ("Bash", ["commands"]),
    "Bash of anything is any command": ("Bash(*)", ["commands"]),
    "an app's tool": ("mcp__notion__create_page", ["apps:notion"]),
    "Conch's own tools": ("mcp__conch__recall remember", ["none"]),
    "words of prose are no tools": ("run python and write", ["none"]),
    "a command with more in it is no prefix": (["commands:git; rm"], ["none"]),
    "a command with a star inside": (["commands:g*t"], ["none"]),
    "brackets that don't close": ("Bash(git log", ["none"]),
    "brackets that hold nothing": ("Bash()", ["none"]),
    "brackets that hold nothing, in a list": (["Bash()", "commands()"], ["none"]),
    "a substitution in brackets": ("Bash(echo $(x))", ["none"]),
    "a space before the brackets": ("Bash (git log)", ["commands:git log"]),
    "brackets inside brackets": ("Bash(git log:*) Bash(npm (x) y)", ["commands:git log"]),
    "a permission with brackets": ("commands(git) files", ["files"]),
    "an app with odd marks": (["apps:no/tion"], ["none"]),
}  # fmt: skip


@pytest.mark.parametrize("row", SPELLED, ids=list(SPELLED))
def test_read(row):
    listed, spelled = SPELLED[row]
    assert Permissions.read(listed).spelled() == spelled


ESCAPES = {
    "chain": "git log && rm x",
    "chain by semicolon": "git log; rm x",
    "or": "git log || rm x",
    "pipe": "git log | sh",
    "backtick": "git log `rm x`",
    "substitution": "git log $(rm x)",
    "background": "git log & rm x",
    "process substitution": "git diff <(rm x)",
    "longer name": "gitk",
    "other command": "rm x",
    "empty": "",
    "a path": "./git log",
    "capitals": "GIT log",
    "an env prefix that steers": "GIT_PAGER=rm git log",
    "a setting that runs": "git -c core.pager=rm log",
    "a hook": "git rebase -x rm main",
    "a new line": "git log\nrm x",
    "an escape at a line's start": "git log\n\\rm x",
    "env": "env git log",
    "sudo": "sudo git log",
    "xargs": "git ls-files | xargs rm",
}


@pytest.mark.parametrize("row", ESCAPES, ids=list(ESCAPES))
def test_a_list_of_one_program_holds_against(row):
    assert not GIT.allows(Need("commands", ESCAPES[row]))


@pytest.mark.parametrize(
    "command",
    ["git", "git log", "git log; git diff", "git commit -m 'a; rm b'", "CI=1 git log 2>&1"],
)
def test_a_list_of_one_program_allows(command):
    assert GIT.allows(Need("commands", command))


def test_a_program_that_runs_others_must_be_named():
    python = Permissions.read(["commands:python"])
    assert python.allows(Need("commands", "python x.py"))
    assert not python.allows(Need("commands", "python x.py | sh"))
    assert python.in_words() == ["Run any command, through python"]
    assert not Permissions.read(["commands:git"]).allows(Need("commands", "git difftool -x rm"))


NEEDS = {
    "a command": ("run_command", {"command": "git log"}, [("commands", "git log")]),
    "another's command": ("Bash", {"command": "git log"}, [("commands", "git log")]),
    "a command that writes": (
        "bash", {"command": "git log > a"}, [("commands", "git log > a"), ("files", "a")]),
    "a command that writes elsewhere": (
        "bash", {"command": "git log > /etc/a"},
        [("commands", "git log > /etc/a"), ("files-anywhere", "/etc/a")]),
    "a command that goes, then writes": (
        "bash", {"command": "cd /x && git log > a"},
        [("commands", "cd /x && git log > a"), ("files-anywhere", "a")]),
    "output to nowhere is no file": (
        "bash", {"command": "git log > /dev/null"}, [("commands", "git log > /dev/null")]),
    "code": ("execute_code", {"code": "x"}, [("commands", "")]),
    "writing to a process": ("write_stdin", {"chars": "x"}, [("commands", "")]),
    "a write": ("write_file", {"path": "a.txt"}, [("files", "a.txt")]),
    "a write by its whole path": (
        "Write", {"file_path": f"{FOLDER}/a"}, [("files", f"{FOLDER}/a")]),
    "a traversal": (
        "Write", {"file_path": f"{FOLDER}/../x"}, [("files-anywhere", f"{FOLDER}/../x")]),
    "a folder with a longer name": (
        "Write", {"file_path": f"{FOLDER}s/x"}, [("files-anywhere", f"{FOLDER}s/x")]),
    "a write at home": ("edit_file", {"path": "~/x"}, [("files-anywhere", "~/x")]),
    "a patch": (
        "apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n*** Add File: /etc/b\n"},
        [("files", "a.py"), ("files-anywhere", "/etc/b")]),
    "a write nobody knows where to": ("apply_patch", {"input": "x"}, [("files-anywhere", "")]),
    "a page": ("fetch_page", {"url": "https://a.example/x"}, [("web", "a.example")]),
    "a search": ("web_search", {"query": "trains"}, [("web", "")]),
    "looking in a browser": ("browser_snapshot", {}, [("web", "")]),
    "acting in a browser": ("browser_click", {"ref": "x"}, [("browser", "")]),
    "acting in Playwright": ("mcp__playwright__browser_type", {}, [("browser", "")]),
    "looking in Playwright": ("mcp__playwright__browser_navigate", {"url": "x"}, [("web", "")]),
    "running code in a page acts": ("mcp__playwright__browser_run_code", {}, [("browser", "")]),
    "an app": ("mcp__notion__create_page", {}, [("apps", "notion")]),
    "an app's own tool": ("slack_send", {}, [("apps", "slack")]),
    "a password": ("get_password", {"name": "x"}, [("passwords", "get_password")]),
    "a tool nobody knows": ("frobnicate", {}, [("apps", "frobnicate")]),
    "reading": ("read_file", {"path": "/etc/x"}, []),
    "searching": ("search_files", {"query": "x"}, []),
    "listing": ("list_files", {}, []),
    "remembering": ("remember", {"content": "x"}, []),
    "recalling": ("recall", {"query": "x"}, []),
    "a skill": ("use_skill", {"name": "x"}, []),
    "a to-do list": ("TodoWrite", {"todos": []}, []),
    "Conch's own, as a server": ("mcp__conch__recall", {"query": "x"}, []),
}  # fmt: skip


@pytest.mark.parametrize("row", NEEDS, ids=list(NEEDS))
def test_needs(row):
    tool, given_, wanted = NEEDS[row]
    found = needs(tool, given_, FOLDER)
    assert [(need.capability, need.detail) for need in found] == wanted


WORK = {
    "work that only read declares nothing": ([("read_file", {"path": "/x"})], ["none"]),
    "narrowed to the programs used": (
        [("bash", {"command": "git log | wc -l"}), ("bash", {"command": "npm test"})],
        ["commands:git", "commands:npm", "commands:wc"]),
    "more than eight programs stay narrow": (
        [("bash", {"command": f"prog{letter} x"}) for letter in "abcdefghij"],
        [f"commands:prog{letter}" for letter in "abcdefghij"]),
    "sudo means any command": (
        [("bash", {"command": "git log"}), ("bash", {"command": "sudo git log"})], ["commands"]),
    "a script by its path means any command": ([("bash", {"command": "./x.sh"})], ["commands"]),
    "$(…) means any command": ([("bash", {"command": "git log $(x)"})], ["commands"]),
    "an interpreter means any command": ([("bash", {"command": "python x.py"})], ["commands"]),
    "quotes split nothing": ([("bash", {"command": "git commit -m 'a; rm b'"})], ["commands:git"]),
    "an env prefix is no program": ([("bash", {"command": "CI=1 npm test"})], ["commands:npm"]),
    "a redirection is a file": (
        [("bash", {"command": "git log > a"})], ["commands:git", "files"]),
    "files anywhere only if a step wrote outside": (
        [("write_file", {"path": "a"}), ("write_file", {"path": "/etc/a"})], ["files-anywhere"]),
    "files in the folder": ([("write_file", {"path": "a"})], ["files"]),
    "apps narrowed to the ones used": (
        [("mcp__notion__x", {}), ("mcp__slack__y", {})], ["apps:notion", "apps:slack"]),
    "an app with an odd name": ([("mcp__no tion__x", {})], ["apps"]),
    "web and browser": (
        [("fetch_page", {"url": "https://a.example"}), ("browser_click", {})], ["web", "browser"]),
}  # fmt: skip


@pytest.mark.parametrize("row", WORK, ids=list(WORK))
def test_permissions_of(row):
    steps, spelled = WORK[row]
    found = permissions_of(steps, FOLDER)
    assert found.spelled() == spelled
    assert Permissions.read(spelled) == found
    for tool, given_ in steps:
        assert all(found.allows(need) for need in needs(tool, given_, FOLDER))


LISTS = st.lists(
    st.sampled_from(
        [
            "commands",
            "commands:git",
            "commands:git log",
            "commands:npm",
            "files",
            "files-anywhere",
            "web",
            "browser",
            "apps",
            "apps:notion",
            "apps:slack",
            "passwords",
            "none",
        ]
    ),
    max_size=6,
).map(Permissions.read)
WANTED = st.sampled_from(
    [
        Need("commands", "git log"),
        Need("commands", "git diff"),
        Need("commands", "rm x"),
        Need("files", "a"),
        Need("files-anywhere", "/a"),
        Need("web"),
        Need("browser"),
        Need("apps", "notion"),
        Need("apps", "x"),
        Need("passwords"),
    ]
)


@given(LISTS, LISTS, WANTED)
def test_several_skills_allow_only_what_each_allows(one, other, need):
    both = one.intersection(other)
    assert both.allows(need) == (one.allows(need) and other.allows(need))
    assert both == other.intersection(one)


@given(LISTS)
def test_a_list_reads_back_as_it_is_spelled(one):
    assert Permissions.read(one.spelled()) == one
    assert one.within(one)
    assert one.in_words()


@given(st.text(max_size=60))
def test_no_text_is_more_than_it_says(text):
    found = Permissions.read(text)
    if not any(word in text for word in ("Bash", "Shell", "commands", "run_command")):
        assert not found.commands


def test_held_together():
    assert held_together([]) is None
    assert held_together([GIT, UNDECLARED]) == NOTHING
    assert held_together([GIT]) == GIT


def test_in_words():
    words = Permissions.read(["commands:git", "commands:npm run", "files", "web", "apps:notion"])
    assert words.in_words() == [
        "Run git and npm run",
        "Change files in the chat's folder",
        "Read web pages",
        "Use notion",
    ]
    assert NOTHING.in_words() == ["Nothing but reading and remembering"]


HIDDEN_NEEDS = {
    "an input that belongs to another tool hides no write": (
        "write_file", {"path": "/etc/passwd", "content": "x", "command": "view"},
        Need("files-anywhere", "/etc/passwd")),
    "a command that begins in another folder writes there": (
        "run_command", {"command": "echo x > out.txt", "cwd": "/etc"},
        Need("files-anywhere", "out.txt")),
    "a download is kept somewhere": (
        "download", {"url": "https://a.example/x", "path": "/etc/cron.d/x"},
        Need("files-anywhere", "/etc/cron.d/x")),
    "a name that only ends like bookkeeping": (
        "anything_think", {"cmd": "rm"}, Need("apps", "anything_think")),
    "opening and submitting acts": ("browser_open_and_submit", {}, Need("browser")),
    "setting a route acts": ("network_route_set", {}, Need("apps", "network_route_set")),
    "removing what a tab holds acts": (
        "mcp__playwright__tabs_remove_content", {}, Need("browser")),
    "of two commands nobody knows which is run": (
        "run_command", {"command": "git status", "script": "rm -rf /"}, Need("commands")),
}  # fmt: skip


@pytest.mark.parametrize("row", HIDDEN_NEEDS, ids=list(HIDDEN_NEEDS))
def test_no_input_hides_what_a_step_needs(row):
    tool, values, need = HIDDEN_NEEDS[row]
    assert need in needs(tool, values, FOLDER)
