"""What a skill may do: its list, read from either spelling, said in words, held to (spec 0058 §4).

A skill that declares nothing has files and web; `none` declares that nothing is needed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from conch.guard.needs import Need, needs
from conch.guard.shell import read_command, runs_anything

Prefix = tuple[str, ...]
"""The first words of the commands allowed, e.g. ("git",) or ("npm", "run", "test")."""

ANY: frozenset[Prefix] = frozenset({()})
"""Commands of any kind: the empty prefix starts every one."""
_ANY_APP = frozenset({"*"})
_PLAIN = re.compile(r"[A-Za-z0-9][\w.+-]*")
_BEFORE_BRACKET = re.compile(r"\s+\(")
May = Literal[
    "any_command",
    "any_command_through",
    "commands",
    "files_anywhere",
    "files",
    "web",
    "browser",
    "any_app",
    "apps",
    "passwords",
    "nothing",
]
"""What a line of a list allows."""

_IN_WORDS: dict[May, str] = {
    "any_command": "Run any command",
    "any_command_through": "Run any command, through {names}",
    "commands": "Run {names}",
    "files_anywhere": "Change files anywhere on this computer",
    "files": "Change files in the chat's folder",
    "web": "Read web pages",
    "browser": "Act in a browser",
    "any_app": "Use any of your apps",
    "apps": "Use {names}",
    "passwords": "Use passwords from the vault",
    "nothing": "Nothing but reading and remembering",
}
_TOOLS = {
    "Bash": "commands",
    "Shell": "commands",
    "run_command": "commands",
    "Write": "files",
    "Edit": "files",
    "MultiEdit": "files",
    "NotebookEdit": "files",
    "write_file": "files",
    "edit_file": "files",
    "WebFetch": "web",
    "WebSearch": "web",
    "fetch_page": "web",
}
"""What the tools named in `allowed-tools` need; those not here need nothing or are unknown."""


@dataclass(frozen=True)
class Permissions:
    """What is allowed. `commands` are prefixes, `apps` names; "*" is any app."""

    commands: frozenset[Prefix] = frozenset()
    apps: frozenset[str] = frozenset()
    files: bool = False
    files_anywhere: bool = False
    web: bool = False
    browser: bool = False
    passwords: bool = False

    @classmethod
    def read(cls, listed: Sequence[str] | str | None) -> Permissions:
        """A skill's list, as `permissions:` or `allowed-tools` spells it; None: it has none.

        Unknown words, and words whose brackets don't close or hold nothing, give nothing.

        >>> Permissions.read(["commands:git", "Bash(npm run test:*)", "apps:notion"]).spelled()
        ['commands:git', 'commands:npm run test', 'apps:notion']
        """
        if listed is None:
            return UNDECLARED
        found = cls()
        for word in listed_words(listed):
            found = found._with(word)
        return found

    def allows(self, need: Need) -> bool:
        """Whether a step that needs this stays inside the list."""
        match need.capability:
            case "commands":
                return self._allows_command(need.detail)
            case "files":
                return self.files or self.files_anywhere
            case "files-anywhere":
                return self.files_anywhere
            case "web":
                return self.web
            case "browser":
                return self.browser
            case "apps":
                return self.apps == _ANY_APP or need.detail.lower() in self.apps
            case "passwords":
                return self.passwords

    def _allows_command(self, command: str) -> bool:
        if self.commands == ANY:
            return True
        if not self.commands or not command.strip():
            return False
        read = read_command(command)
        if read.hidden or not read.programs:
            return False
        return all(
            any(words[: len(prefix)] == prefix for prefix in self.commands)
            for words in read.programs
        ) and (not read.runs_others or self._names_all(read.programs, read.runs_others))

    def _names_all(self, programs: Iterable[Prefix], others: Sequence[str]) -> bool:
        """A program that runs others is allowed only where the list names one that may do so."""
        return all(
            any(
                words[: len(prefix)] == prefix and runs_anything(prefix[0])
                for prefix in self.commands
            )
            for words in programs
            if words[0] in others
        )

    def within(self, other: Permissions) -> bool:
        """Whether everything allowed here is allowed there too."""
        return self.intersection(other) == self

    def intersection(self, other: Permissions) -> Permissions:
        """What both allow: a chat with several skills in it is held to all of them."""
        mine, theirs = self.commands, other.commands
        both = {
            max(one, two, key=len)
            for one in mine
            for two in theirs
            if one[: len(two)] == two or two[: len(one)] == one
        }
        apps = self.apps & other.apps
        if self.apps == _ANY_APP:
            apps = other.apps
        elif other.apps == _ANY_APP:
            apps = self.apps
        return Permissions(
            frozenset(both),
            apps,
            (self.files or self.files_anywhere) and (other.files or other.files_anywhere),
            self.files_anywhere and other.files_anywhere,
            self.web and other.web,
            self.browser and other.browser,
            self.passwords and other.passwords,
        )._tidy()

    def spelled(self) -> list[str]:
        """The list as `permissions:` spells it; `["none"]` when nothing is allowed."""
        out = ["commands"] if self.commands == ANY else []
        if self.commands != ANY:
            out += [f"commands:{' '.join(prefix)}" for prefix in sorted(self.commands)]
        out += [word for word, is_in in self._flags() if is_in]
        out += ["apps"] if self.apps == _ANY_APP else [f"apps:{app}" for app in sorted(self.apps)]
        return out or ["none"]

    def said(self) -> list[tuple[May, tuple[str, ...]]]:
        """What may be done, line by line: what it is, and the names it is narrowed to."""
        lines: list[tuple[May, tuple[str, ...]]] = []
        wide = sorted({one[0] for one in self.commands if one and runs_anything(one[0])})
        narrow = sorted(" ".join(one) for one in self.commands if one and one[0] not in wide)
        if self.commands == ANY:
            lines.append(("any_command", ()))
        elif wide:
            lines.append(("any_command_through", tuple(wide)))
        if narrow and self.commands != ANY:
            lines.append(("commands", tuple(narrow)))
        if self.files_anywhere:
            lines.append(("files_anywhere", ()))
        elif self.files:
            lines.append(("files", ()))
        if self.web:
            lines.append(("web", ()))
        if self.browser:
            lines.append(("browser", ()))
        if self.apps == _ANY_APP:
            lines.append(("any_app", ()))
        elif self.apps:
            lines.append(("apps", tuple(sorted(self.apps))))
        if self.passwords:
            lines.append(("passwords", ()))
        return lines or [("nothing", ())]

    def in_words(self) -> list[str]:
        """What may be done, line by line, for a person who decides whether to keep it."""
        return [_IN_WORDS[may].format(names=_listed(names)) for may, names in self.said()]

    def _flags(self) -> tuple[tuple[str, bool], ...]:
        return (
            ("files-anywhere", self.files_anywhere),
            ("files", self.files and not self.files_anywhere),
            ("web", self.web),
            ("browser", self.browser),
            ("passwords", self.passwords),
        )

    def _tidy(self) -> Permissions:
        if () in self.commands:
            return replace(self, commands=ANY)
        shortest = {
            one
            for one in self.commands
            if not any(one != two and one[: len(two)] == two for two in self.commands)
        }
        return replace(self, commands=frozenset(shortest))

    def _with(self, word: str) -> Permissions:
        name, bracket, rest = word.partition("(")
        if bracket:
            inner = rest.removesuffix(")").strip()
            return self._with_tool(name.strip(), inner) if inner and rest.endswith(")") else self
        name, colon, detail = name.partition(":")
        detail = detail.strip()
        match name.strip().lower():
            case "commands":
                return self._plus_command(detail if colon else "*")
            case "files":
                return replace(self, files=True)
            case "files-anywhere":
                return replace(self, files=True, files_anywhere=True)
            case "web":
                return replace(self, web=True)
            case "browser":
                return replace(self, browser=True)
            case "passwords":
                return replace(self, passwords=True)
            case "apps":
                return self._plus_app(detail if colon else "*")
            case "none":
                return self
        return self._with_tool(word)

    def _with_tool(self, name: str, only: str = "*") -> Permissions:
        parts = name.split("__")
        if parts[0] == "mcp" and len(parts) > 1:
            return self._plus_app(parts[1]) if parts[1].lower() != "conch" else self
        match _TOOLS.get(name):
            case "commands":
                return self._plus_command(only)
            case "files":
                return replace(self, files=True)
            case "web":
                return replace(self, web=True)
        return self

    def _plus_command(self, detail: str) -> Permissions:
        """`git`, `git:*`, `npm run test:*`; `*` alone is any command."""
        detail = detail.removesuffix(":*").removesuffix(" *").strip()
        if detail in ("*", "**"):
            return replace(self, commands=ANY)
        try:
            prefix = tuple(shlex.split(detail))
        except ValueError:
            return self
        if not prefix or any(set(part) & set("*?;&|<>`$()\n") for part in prefix):
            return self
        return replace(self, commands=self.commands | {prefix})._tidy()

    def _plus_app(self, name: str) -> Permissions:
        name = name.strip().lower()
        if name == "*":
            return replace(self, apps=_ANY_APP)
        if self.apps == _ANY_APP or not _PLAIN.fullmatch(name):
            return self
        return replace(self, apps=self.apps | {name})


UNDECLARED = Permissions(files=True, web=True)
NOTHING = Permissions()


def permissions_of(steps: Iterable[tuple[str, Mapping[str, Any]]], folder: str) -> Permissions:
    """The list that work needed: `steps` are the tools and inputs of the steps that succeeded.

    Commands are narrowed to the programs used when every one was plain; otherwise it is any
    command, never a guess. The same for apps. Work that only read needs nothing.
    """
    wanted = [need for tool, given in steps for need in needs(tool, given, folder)]
    kinds = {need.capability for need in wanted}
    commands = [need.detail for need in wanted if need.capability == "commands"]
    apps = {need.detail.lower() for need in wanted if need.capability == "apps"}
    reads = [read_command(command) for command in commands]
    plain = all(read.plain for read in reads)
    programs = frozenset((words[0],) for read in reads for words in read.programs)
    return Permissions(
        commands=programs if plain else ANY,
        apps=frozenset(apps) if all(_PLAIN.fullmatch(app) for app in apps) else _ANY_APP,
        files="files" in kinds or "files-anywhere" in kinds,
        files_anywhere="files-anywhere" in kinds,
        web="web" in kinds,
        browser="browser" in kinds,
        passwords="passwords" in kinds,
    )


def held_together(lists: Iterable[Permissions]) -> Permissions | None:
    """What every list allows; None where nothing holds the chat."""
    held: Permissions | None = None
    for one in lists:
        held = one if held is None else held.intersection(one)
    return held


def listed_words(listed: Sequence[str] | str) -> list[str]:
    """The words of a list: parted by commas where it has some, else by spaces; what stands in
    brackets belongs to the word before them."""
    if not isinstance(listed, str):
        return [str(word).strip() for word in listed if str(word).strip()]
    found = [""]
    depth = 0
    for letter in _BEFORE_BRACKET.sub("(", listed):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and (letter == "," or (letter.isspace() and "," not in listed)):
            found.append("")
        else:
            found[-1] += letter
    return [word.strip() for word in found if word.strip()]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))
