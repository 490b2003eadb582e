"""What a command line runs, read by a shell's own grammar and never by splitting text.

A command is *plain* when its words say everything that runs: each program is named, and none of
them runs others. Whatever the reader does not know for certain is not plain: it errs towards
asking. Commands are read as bash reads them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import tomli

from conch.guard.shell_words import programs_by_words

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST_READ = 20_000
"""Characters. A longer command is not plain: nobody reads it before they allow it."""
_DEEPEST = 40

_SEQUENCES = {"program", "list", "pipeline", "subshell", "compound_statement", "negated_command"}
_BETWEEN = {"&&", "||", "|", "|&", ";", "&", "\n", "(", ")", "{", "}", "!"}
_WRITING = {">", ">>", ">|", "&>", "&>>"}
_PROGRAM = re.compile(r"[A-Za-z0-9_\[][A-Za-z0-9_.+-]*")
_VERSION = re.compile(r"[-_]?\d+(?:[.\d]*)$")
_IN_DOUBLE_QUOTES = re.compile(r'\\([\\"`$\n])')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BRACES = re.compile(r"(?<!\\)\{[^{}]*(?:,|\.\.)[^{}]*\}")
_MAY_BE_AN_OPTION = re.compile(r"(?:''|\"\")*[*?\[]|['\"\\]*-.*[*?\[]", re.DOTALL)
_TAME = re.compile(r"[A-Za-z0-9_.,:=@%+-]*")
_STEERING = re.compile(
    r"PATH|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|BASH_.*|PS[0-9]|PROMPT_COMMAND|CDPATH|HOME|TMPDIR|"
    r"LD_.*|DYLD_.*|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT).*|XDG_.*|npm_.*|NPM_.*|LESS.*|"
    r"PYTHON(?!UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|HASHSEED|UTF8).*|PERL.*|RUBY.*|LUA_.*|"
    r"NODE_(?!ENV$).*|JAVA_.*|_JAVA_.*|.*_?(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|PRELOAD)|"
    r".*(?:OPTIONS|OPTS|FLAGS|_COMMAND|_CMD|_SSH|_RSH|_EXEC|_SHELL|_PATH|_HOOK|_PLUGINS?)|"
    r"CC|CXX|LD|AR|AS|MAKE.*|RUSTC.*|CARGO_.*|GO(?!OS$|ARCH$|MAXPROCS$).*|DOCKER_.*|KUBE.*|"
    r".*PROXY.*|.*proxy.*|http.*|HTTP.*|SSL_.*|CURL_.*|WGET.*|GCONV.*|LOCPATH|TERMINFO.*|LOGNAME|USER"
)


@dataclass(frozen=True)
class CommandRead:
    """What a command line does, as far as its words say.

    `programs`: each program with its words, in order. `writes`: paths that output is redirected
    to. `goes`: whether it changes the folder on the way. `hidden`: what keeps its words from saying
    what runs, "" for a plain command; `runs_others`: the programs in it that run other programs.
    """

    programs: tuple[tuple[str, ...], ...] = ()
    writes: tuple[str, ...] = ()
    goes: bool = False
    hidden: str = ""
    runs_others: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether the words say everything that runs."""
        return not self.hidden and not self.runs_others


@dataclass
class _Reading:
    programs: list[tuple[str, ...]] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    goes: bool = False
    hidden: str = ""
    runs_others: list[str] = field(default_factory=list)
    globs: bool = False

    def hide(self, why: str) -> None:
        self.hidden = self.hidden or why


def read_command(text: str) -> CommandRead:
    """Read a command line as bash would. Never raises.

    >>> read_command("git commit -m 'a; b' && npm test > out.txt").programs
    (('git', 'commit', '-m', 'a; b'), ('npm', 'test'))
    >>> read_command("git log $(rm x)").plain
    False
    """
    reading = _Reading()
    if len(text) > LONGEST_READ:
        return CommandRead(hidden="it is too long to read")
    if _odd_character(text):
        return CommandRead(hidden="it has characters nobody can see")
    root = _parser().parse(text.encode("utf-8", "surrogatepass")).root_node
    if root.has_error:
        reading.hide("it cannot be read as a command")
    _read(root, reading, 0)
    if not reading.programs and not reading.writes:
        reading.hide("it names no program")
    if not reading.hidden and not _read_the_same_way(text, reading):
        reading.hide("it can be read in two ways")
    return CommandRead(
        tuple(reading.programs),
        tuple(reading.writes),
        reading.goes,
        reading.hidden,
        tuple(dict.fromkeys(reading.runs_others)),
    )


def runs_anything(program: str) -> bool:
    """Whether a program of this name runs whatever it is told to (`python3`, `env`, `sudo`)."""
    return _bare(program) in _programs_that_run()[0]


def _read_the_same_way(text: str, reading: _Reading) -> bool:
    again = programs_by_words(text)
    if again is None:
        return False
    programs, writes = again
    return sorted(programs) == sorted(reading.programs) and sorted(writes) == sorted(reading.writes)


def _odd_character(text: str) -> bool:
    """Characters that a shell and this reader may take for different things, or that are unseen."""
    return any(
        mark not in " \t\n" and (mark.isspace() or unicodedata.category(mark) in ("Cc", "Cf", "Cs"))
        for mark in text
    )


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def _read(node: Node, reading: _Reading, depth: int) -> None:
    if depth > _DEEPEST:
        reading.hide("it is nested too deeply")
        return
    for child in node.children:
        kind = child.type
        if kind in _SEQUENCES:
            _read(child, reading, depth + 1)
        elif kind == "command":
            _command(child, [], reading)
        elif kind == "redirected_statement":
            _redirected(child, reading, depth)
        elif kind == "declaration_command":
            _declared(child, reading)
        elif kind == "test_command":
            _tested(child, reading)
        elif kind != "comment" and (child.is_named or kind not in _BETWEEN):
            reading.hide(_WHAT_HIDES.get(kind, "it does more than name programs"))
            _read(child, reading, depth + 1)


_WHAT_HIDES = {
    "function_definition": "it defines a command of its own",
    "variable_assignment": "it sets a variable",
    "variable_assignments": "it sets a variable",
    "for_statement": "it repeats commands",
    "while_statement": "it repeats commands",
    "if_statement": "it chooses between commands",
    "case_statement": "it chooses between commands",
    "command_substitution": "it puts in what another command says",
    "process_substitution": "it puts in what another command says",
    "ERROR": "it cannot be read as a command",
}


def _redirected(node: Node, reading: _Reading, depth: int) -> None:
    words: list[str] = []
    commands: list[Node] = []
    for child in node.children:
        if child.type.endswith("_redirect"):
            words += _redirect(child, reading)
        elif child.type == "command":
            commands.append(child)
        else:
            _read(_Only(child), reading, depth + 1)  # type: ignore[arg-type]
    for command in commands:
        _command(command, words, reading)
    if words and len(commands) != 1:
        reading.hide("a word of it stands behind a redirection")


class _Only:
    """One node as if it stood alone, to be read like any other."""

    def __init__(self, child: Node) -> None:
        self.children = [child]


def _command(node: Node, more: list[str], reading: _Reading) -> None:
    words: list[str] = []
    in_front = True
    reading.globs = False
    for child in node.children:
        match child.type:
            case "command_name":
                in_front = False
                for part in child.children:
                    words.append(_word(part, reading))
            case "variable_assignment" if in_front:
                _assigned(child, reading)
            case "file_redirect" | "heredoc_redirect" | "herestring_redirect":
                words += _redirect(child, reading)
            case _:
                words.append(_word(child, reading))
    _program([*words, *more], reading)


def _program(words: list[str], reading: _Reading) -> None:
    if not words:
        return
    reading.programs.append(tuple(words))
    name = words[0]
    if not _PROGRAM.fullmatch(name):
        reading.hide("a program is named by a path" if "/" in name else "a program's name is odd")
        return
    bare = _bare(name)
    if bare in ("cd", "pushd", "popd"):
        reading.goes = True
    always, when = _programs_that_run()
    patterns = when.get(bare, ())
    # A file may be named like an option: `tar cf x.tar *`.
    odd = patterns and reading.globs
    if bare in always or odd or _tells_to_run(words[1:], patterns):
        reading.runs_others.append(name)


def _tells_to_run(words: list[str], patterns: tuple[str, ...]) -> bool:
    """Whether one of the words behind the program's name makes it run others."""
    until = next((n for n, word in enumerate(words) if not word.startswith("-")), len(words))
    return any(
        fnmatchcase(word, pattern.removeprefix("<"))
        for n, word in enumerate(words)
        for pattern in patterns
        if n <= until or not pattern.startswith("<")
    )


def _bare(program: str) -> str:
    """The name as the table has it: without path, version and ".exe", in lower case."""
    name = program.replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe")
    always, when = _programs_that_run()
    if name in always or name in when:
        return name
    return _VERSION.sub("", name) or name


@cache
def _programs_that_run() -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    text = files("conch.guard").joinpath("shell_programs.toml").read_text(encoding="utf-8")
    table = tomli.loads(text)
    when = {name: tuple(given.split()) for name, given in table["runs_when"].items()}
    return frozenset(table["runs_anything"].split()), when


def _word(node: Node, reading: _Reading) -> str:
    """The word as the program gets it. What is put in from elsewhere hides what runs."""
    text = _text(node)
    reading.globs = reading.globs or bool(_MAY_BE_AN_OPTION.match(text))
    match node.type:
        case "word" | "number" | "extglob_pattern" | "variable_name" | "test_operator":
            if _BRACES.search(text):
                reading.hide("braces stand for several words")
            return _ESCAPED.sub(r"\1", text)
        case "raw_string":
            return text[1:-1]
        case "string" if all(child.type in ('"', "string_content") for child in node.children):
            return _IN_DOUBLE_QUOTES.sub(lambda found: found[1].replace("\n", ""), text[1:-1])
        case "concatenation":
            if _BRACES.search(text):
                reading.hide("braces stand for several words")
            parts = [_word(child, reading) for child in node.children]
            if sum(len(_text(child)) for child in node.children) != len(text):
                reading.hide("a word cannot be read")
            return "".join(parts)
        case "command_substitution" | "process_substitution":
            reading.hide("it puts in what another command says")
            _read(node, reading, 1)
        case "simple_expansion" | "expansion" | "string" | "arithmetic_expansion":
            reading.hide("it puts in a value that is not in its words")
            for inner in _inside(node, "command_substitution"):
                _read(inner, reading, 1)
        case _:
            reading.hide("a word cannot be read")
    return text


def _inside(node: Node, kind: str) -> Iterator[Node]:
    waiting = list(node.children)
    while waiting:
        one = waiting.pop()
        if one.type == kind:
            yield one
        else:
            waiting += one.children


def _redirect(node: Node, reading: _Reading) -> list[str]:
    """Take in one redirection; gives the words behind it that belong to the command."""
    children = [one for one in node.children if one.type != "file_descriptor"]
    if node.type == "heredoc_redirect":
        return _heredoc(children, reading)
    if len(children) < 2 or children[0].is_named:
        reading.hide("a redirection cannot be read")
        return []
    sign, target = children[0].type, _word(children[1], reading)
    if sign in _WRITING or (sign == ">&" and not re.fullmatch(r"\d+-?|-", target)):
        reading.writes.append(target)
    elif sign not in ("<", "<<<", ">&", "<&", "<&-", ">&-"):
        reading.hide("a redirection cannot be read")
    return [_word(one, reading) for one in children[2:]]


def _heredoc(children: list[Node], reading: _Reading) -> list[str]:
    words: list[str] = []
    for child in children:
        match child.type:
            case "<<" | "<<-" | "heredoc_start" | "heredoc_end":
                continue
            case "file_redirect":
                words += _redirect(child, reading)
            case "heredoc_body":
                if any(one.type != "heredoc_content" for one in child.children):
                    reading.hide("it puts in a value that is not in its words")
                    for inner in _inside(child, "command_substitution"):
                        _read(inner, reading, 1)
            case "word" | "raw_string" | "string" | "concatenation" | "number":
                words.append(_word(child, reading))
            case _:
                reading.hide("what stands behind a heredoc cannot be read")
                _read(_Only(child), reading, 1)  # type: ignore[arg-type]
    return words


def _assigned(node: Node, reading: _Reading) -> None:
    """A variable set for a program: harmless unless its name or its value can steer what runs."""
    name, _, value = _text(node).partition("=")
    tame = re.fullmatch(r"[A-Za-z_]\w*", name) and _TAME.fullmatch(value)
    if not tame or _STEERING.fullmatch(name):
        reading.hide("it sets a variable that may change what runs")


def _declared(node: Node, reading: _Reading) -> None:
    for child in node.children:
        if child.type == "variable_assignment" and node.children[0].type == "export":
            _assigned(child, reading)
        elif child.is_named:
            reading.hide("it sets a variable that may change what runs")
    if node.children[0].type != "export":
        reading.hide("it sets a variable that may change what runs")


def _tested(node: Node, reading: _Reading) -> None:
    waiting = list(node.children)
    if not waiting or waiting[0].type != "[":
        reading.hide("it tests something that may run a command")
    while waiting:
        one = waiting.pop()
        if one.type in ("unary_expression", "binary_expression"):
            waiting += one.children
        elif one.is_named and _word(one, reading) in ("-v", "-R"):
            reading.hide("it tests something that may run a command")


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
