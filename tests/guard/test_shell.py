"""What a command runs, and that no way of writing it hides a program from the reader."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conch.guard.shell import LONGEST_READ, read_command

PLAIN = {
    "one program": ("git status", ["git"]),
    "a ; inside a commit message": ("git commit -m 'a; rm -rf b'", ["git"]),
    "double quotes": ('git commit -m "a && b | c"', ["git"]),
    "quotes in a name": ('g"i"t status', ["git"]),
    "a quoted name": ("'git' status", ["git"]),
    "an escaped name": ("\\git status", ["git"]),
    "chain": ("git add . && npm test || echo no", ["git", "npm", "echo"]),
    "pipe": ("git log | wc -l", ["git", "wc"]),
    "pipe of both": ("git log |& wc -l", ["git", "wc"]),
    "background": ("npm test & git log", ["npm", "git"]),
    "lines": ("git add .\nnpm test\n", ["git", "npm"]),
    "a line continued between words": ("git \\\n status", ["git"]),
    "a subshell": ("(cd x; git status)", ["cd", "git"]),
    "a group": ("{ git status; npm test; }", ["git", "npm"]),
    "not": ("! git diff --quiet", ["git"]),
    "a comment": ("git status # && rm -rf x", ["git"]),
    "env prefix": ("NODE_ENV=test npm test", ["npm"]),
    "export": ("export CI=1; npm test", ["npm"]),
    "a test in brackets": ("[ -f package.json ] && npm test", ["npm"]),
    "a word behind a redirection": ("git > out.txt status", ["git"]),
    "a heredoc": ("cat <<EOF\n&& rm x\nEOF", ["cat"]),
    "a heredoc in quotes": ("cat <<'EOF'\n$(rm x)\nEOF", ["cat"]),
    "find by name": ("find . -name '*.py'", ["find"]),
    "a glob for files": ("ls *.py", ["ls"]),
    "a branch made": ("git switch -c new-branch", ["git"]),
    "tar": ("tar czf a.tgz folder", ["tar"]),
}


@pytest.mark.parametrize("row", PLAIN, ids=list(PLAIN))
def test_plain(row: str) -> None:
    command, programs = PLAIN[row]
    read = read_command(command)
    assert read.plain, read
    assert [words[0] for words in read.programs] == programs


NOT_PLAIN = {
    "substitution": "git log $(rm x)",
    "backticks": "git log `rm x`",
    "substitution in quotes": 'git commit -m "$(rm x)"',
    "process substitution": "git diff <(rm x)",
    "output process substitution": "git log > >(sh)",
    "a variable": "git $what",
    "a variable as program": "$what",
    "$IFS": "git${IFS}x",
    "a default that runs": "git ${x:-$(rm x)}",
    "arithmetic": "git $((a[$(rm x)]))",
    "a variable set before": "x=rm; git status",
    "PATH": "PATH=. git status",
    "LD_PRELOAD": "LD_PRELOAD=x.so git status",
    "a pager for git": "GIT_PAGER=x git log",
    "an editor": "EDITOR=x git commit",
    "node options": "NODE_OPTIONS=--require=x npm test",
    "a value with a path": "FOO=./x npm test",
    "env": "env git status",
    "env -S": "env -S 'git status'",
    "xargs": "git ls-files | xargs rm",
    "find -exec": "find . -exec rm {} ;",
    "find -execdir": "find . -execdir rm {} +",
    "find -ok": "find . -ok rm {} ;",
    "sudo": "sudo git status",
    "doas": "doas git status",
    "eval": "eval git status",
    "exec": "exec git status",
    "source": "source x.sh",
    "the dot": ". x.sh",
    "sh -c": "sh -c 'git status'",
    "bash with a script": "bash x.sh",
    "bash fed by a heredoc": "bash <<EOF\nrm x\nEOF",
    "bash fed by a pipe": "echo rm x | bash",
    "bash fed by a word": "bash <<< 'rm x'",
    "python -c": "python -c 'import os'",
    "python with a version": "python3.11 x.py",
    "node -e": "node -e x",
    "perl": "perl -e x",
    "awk": "awk 'BEGIN{system(\"rm x\")}'",
    "npx": "npx x",
    "npm exec": "npm exec x",
    "uv run": "uv run x",
    "busybox": "busybox rm x",
    "command": "command rm x",
    "builtin": "builtin eval rm",
    "nohup": "nohup rm x",
    "timeout": "timeout 5 rm x",
    "nice": "nice rm x",
    "time": "time rm x",
    "setsid": "setsid rm x",
    "stdbuf": "stdbuf -o0 rm x",
    "watch": "watch rm x",
    "parallel": "parallel rm ::: x",
    "ssh": "ssh host rm x",
    "docker": "docker run x",
    "git -c": "git -c core.pager=x log",
    "git -C": "git -C /elsewhere status",
    "git --exec-path": "git --exec-path=. status",
    "git rebase -x": "git rebase -x 'rm x' main",
    "git rebase --exec": "git rebase --exec 'rm x' main",
    "git submodule foreach": "git submodule foreach rm x",
    "git bisect run": "git bisect run rm x",
    "git config": "git config core.pager x",
    "git clone by ext": "git clone 'ext::sh -c rm' y",
    "git clone with a setting": "git clone -c core.sshCommand=x y z",
    "git grep in a pager": "git grep -Ox y",
    "tar's own command": "tar cf x --checkpoint-action=exec=rm y",
    "tar's own command, short": "tar xIf rm y",
    "a file named like an option": "tar cf x.tar *",
    "sort's own program": "sort --compress-program=rm x",
    "a path": "/usr/bin/git status",
    "a path here": "./git status",
    "a path above": "../git status",
    "a path at home": "~/git status",
    "a function": "git() { rm x; }; git status",
    "a function in another spelling": "function git { rm x; }; git status",
    "an alias": "alias git=rm; git x",
    "a trap": "trap 'rm x' EXIT; git status",
    "printf -v": "printf -v PATH .; git status",
    "read": "read PATH < x; git status",
    "test -v": "test -v 'a[$(rm x)]'",
    "brackets -v": "[ -v 'a[$(rm x)]' ]",
    "double brackets": "[[ a[$(rm x)] -eq 1 ]]",
    "a loop": "for x in a b; do git add $x; done",
    "a choice": "if git status; then rm x; fi",
    "a case": "case x in x) rm x;; esac",
    "coproc": "coproc rm x",
    "braces": "{rm,x}",
    "braces in a word": "git {-c,core.pager=x} log",
    "a glob as program": "/bin/r? x",
    "ansi quotes": "$'rm' x",
    "translated quotes": '$"rm" x',
    "a word over a line's end": "r\\\nm x",
    "a heredoc that runs": "cat <<EOF\n$(rm x)\nEOF",
    "what follows a heredoc": "cat <<EOF | sh\nrm x\nEOF",
    "an open quote": "git 'status",
    "an open bracket": "git status )",
    "a brace behind a redirection": "> x } git",
    "a brace behind a word fed in": "<<< x } git",
    "an escape at a line's start": "git status\n\\rm x",
    "brackets without blanks": "git status; []",
    "an escaped blank in front": "\\ git status",
    "a return": "git status\rrm x",
    "a zero": "git\0status",
    "a hidden character": "g\u200bit status",
    "another blank": "git\u00a0status",
    "capitals": "SUDO git status",
    "exe": "python.exe x.py",
    "nothing": "",
    "only blanks": "  \n ",
    "only a comment": "# git status",
    "too long": "git " + "x" * LONGEST_READ,
    "nested without end": "(" * 60 + "git status" + ")" * 60,
}


@pytest.mark.parametrize("row", NOT_PLAIN, ids=list(NOT_PLAIN))
def test_not_plain(row: str) -> None:
    assert not read_command(NOT_PLAIN[row]).plain


WRITES = {
    "over": ("git log > a.txt", ["a.txt"]),
    "behind": ("git log >> a.txt", ["a.txt"]),
    "in any case": ("git log >| a.txt", ["a.txt"]),
    "both": ("git log &> a.txt", ["a.txt"]),
    "errors": ("git log 2> a.txt 1>&2", ["a.txt"]),
    "both, in the old spelling": ("git log >& a.txt", ["a.txt"]),
    "in front": ("> a.txt git log", ["a.txt"]),
    "alone": ("> a.txt", ["a.txt"]),
    "in quotes": ("git log > 'a b.txt'", ["a b.txt"]),
    "with a heredoc": ("cat <<E > a.txt\nx\nE", ["a.txt"]),
    "in a group": ("{ git log; } > a.txt", ["a.txt"]),
    "in a subshell": ("(git log > a.txt)", ["a.txt"]),
    "several": ("git log > a.txt; git diff > b.txt", ["a.txt", "b.txt"]),
    "reading is no writing": ("wc -l < a.txt", []),
    "a descriptor is no file": ("git log 2>&1", []),
}


@pytest.mark.parametrize("row", WRITES, ids=list(WRITES))
def test_writes(row: str) -> None:
    command, paths = WRITES[row]
    assert list(read_command(command).writes) == paths


def test_a_change_of_folder_is_told() -> None:
    assert read_command("cd x && git log > y").goes
    assert not read_command("git log > y").goes


PIECES = st.sampled_from(
    [
        *(
            "aa",
            "bb",
            "cc",
            " ",
            " ",
            " ",
            "\n",
            ";",
            "&",
            "&&",
            "|",
            "||",
            "|&",
            "(",
            ")",
            "{ ",
            " }",
        ),
        *("'", '"', "\\", "`", "$(", "$x", "${x}", "${x:-bb}", "$((1))", "$IFS", "<(", ">(", "\t"),
        *(
            "<<E\n",
            "\nE\n",
            "<<-E\n",
            "<<'E'\n",
            "<<<",
            ">",
            ">>",
            "2>&1",
            ">&",
            "&>",
            ">|",
            "<",
            "<>",
        ),
        *("#", "!", "x=bb", "x=", "[", "]", "[[", "]]", "=", "*", "?", "~", "{aa,bb}", "@(", "+("),
        *("if ", "then ", "fi", "for x in aa; do ", "done", "case x in x)", ";;", "esac", "while "),
        *(
            "aa()",
            "function aa ",
            "eval ",
            "command ",
            "exec ",
            "env ",
            "xargs ",
            "time ",
            "coproc ",
        ),
        *(
            "$'\\x62b'",
            '$"bb"',
            "\\\n",
            "-x",
            "1",
            "do ",
            "let ",
            "0<&3",
            "{fd}>",
            "é",
            "‘",
            "%",
            "!!",
        ),
    ]
)


def _really_runs(command: str, folder: Path) -> list[str]:
    """The programs bash tries to start for `command`, none of which is there."""
    said = folder / "said"
    said.write_text("", "utf-8")
    start = folder / "start.sh"
    start.write_text(
        f'command_not_found_handle() {{ printf "%s\\n" "$1" >> {said}; return 0; }}\n', "utf-8"
    )
    bash = shutil.which("bash")
    assert bash
    inner = folder / "inner"
    shutil.rmtree(inner, ignore_errors=True)
    inner.mkdir()
    subprocess.run(
        [bash, "-c", command],
        env={"PATH": str(inner), "BASH_ENV": str(start)},
        cwd=inner,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=10,
        check=False,
    )
    return said.read_text("utf-8", "replace").splitlines()


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="needs bash")
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(PIECES, min_size=1, max_size=14).map("".join))
def test_bash_runs_nothing_a_plain_reading_does_not_name(tmp_path: Path, command: str) -> None:
    read = read_command(command)
    if not read.plain:
        return
    named = {words[0] for words in read.programs}
    assert set(_really_runs(command, tmp_path)) <= named


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    read = read_command(text)
    assert read.plain == (not read.hidden and not read.runs_others)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([row for row in NOT_PLAIN if not re.search("nothing|only", row)]),
    st.sampled_from(list(PLAIN)),
)
def test_what_hides_hides_in_any_company(hidden: str, plain: str) -> None:
    assert not read_command(f"{PLAIN[plain][0]}\n{NOT_PLAIN[hidden]}").plain
