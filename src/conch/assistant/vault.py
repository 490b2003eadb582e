"""The vault: secrets a person keeps for commands and apps to use, by name (ADR 7).

A value goes in and comes out in three ways only: into the environment of a command the person
allowed for exactly its words, into an app the person set up with it, and into the redactor, which
takes it out of everything else. There is no way to show one.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from conch.guard.fragments import Fragments
from conch.guard.redactor import Redactor
from conch.home.errors import ConchError, Damaged
from conch.home.files import read_bytes, set_aside, write_atomic
from conch.home.home import Home
from conch.home.json_values import read_json

SHORTEST, LONGEST = 8, 8_192
"""Characters of a value: a shorter one could not be told from ordinary text and hidden."""
MOST_SECRETS = 200
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LONGEST_NAME = 60
_LONGEST_LINE = 16
_MEANS_SOMETHING = re.compile(
    r"(?:PATH|HOME|PWD|OLDPWD|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PS4|CI|TERM|TZ|LANG|USER|EDITOR"
    r"|PAGER|BROWSER|TMPDIR|PROMPT_COMMAND|NODE_OPTIONS|CDPATH)"
    r"|(?:LD|DYLD|BASH|GIT|PYTHON|PERL|PERL5|RUBY|JAVA|NPM|CONCH|LC|XDG|SSL|MALLOC|GCONV)_?.*"
)


@dataclass(frozen=True)
class Secret:
    """What may be known of a secret. `variable` is what a command finds it under."""

    name: str
    variable: str
    added: str


def variable_of(name: str) -> str:
    """The environment variable a secret is given to a command in.

    >>> variable_of("github-token")
    'GITHUB_TOKEN'
    """
    return name.upper().replace("-", "_")


class Vault:
    """`vault/secrets.sealed` of one home. `redactor` learns every value as soon as it is read."""

    def __init__(self, home: Home, redactor: Redactor) -> None:
        self._home = home
        self._file = home.root / "vault" / "secrets.sealed"
        self._redactor = redactor
        self._using = threading.RLock()
        self._stamp: tuple[int, int] | None = None
        self._known: dict[str, dict[str, str]] = {}
        self._handled: set[str] = set()
        self._fragments = Fragments(())
        self._all()

    def secrets(self) -> list[Secret]:
        """Every secret there is, by name; never a value."""
        return [
            Secret(name, variable_of(name), one["added"])
            for name, one in sorted(self._all().items())
        ]

    def put(self, name: str, value: str, now: datetime | None = None) -> Secret:
        """Keep a secret, in place of one of the same name; on disk when this returns.

        Raises ConchError for a name or a value that can't be kept; nothing changes then.
        """
        name = name.strip().lower().replace("_", "-")
        value = value.strip("\r\n").strip()
        _must_fit(name, value)
        with self._using:
            every = dict(self._all())
            if name not in every and len(every) >= MOST_SECRETS:
                raise ConchError(
                    f"The vault holds {MOST_SECRETS} secrets, which is all it takes.",
                    "Nothing was kept.",
                    "Remove one first: conch vault remove NAME",
                )
            added = (now or self._home.clock.now()).isoformat()
            # Hidden before it is kept: at no moment is there one that nothing hides.
            self._hide([value])
            self._write({**every, name: {"value": value, "added": added}})
        return Secret(name, variable_of(name), added)

    def remove(self, name: str) -> None:
        """Forget a secret. Raises ConchError where there is none of this name."""
        with self._using:
            every = dict(self._all())
            if every.pop(self._must_know(name), None) is not None:
                self._write(every)

    def for_command(self, names: Sequence[str]) -> dict[str, str]:
        """The environment variables of a command that was allowed these secrets.

        Raises ConchError where one of them is not there.
        """
        every = self._all()
        return {variable_of(known): every[known]["value"] for known in map(self._must_know, names)}

    def value_for_app(self, name: str) -> str:
        """What an app the person set up with this secret is given. Raises ConchError."""
        return self._all()[self._must_know(name)]["value"]

    def hide(self, text: str) -> str:
        """What a step gave back, without any piece of a secret that is long enough to be one."""
        self._all()
        return self._fragments.hide(text)

    def _must_know(self, name: str) -> str:
        wanted = str(name).strip().lower().replace("_", "-")
        if wanted not in self._all():
            raise ConchError(
                f"There is no secret “{str(name)[:_LONGEST_NAME]}” in the vault.",
                "Nothing was done.",
                "conch vault lists what is there.",
            )
        return wanted

    def _write(self, every: dict[str, dict[str, str]]) -> None:
        data = json.dumps(every, ensure_ascii=False).encode("utf-8", "replace")
        write_atomic(self._file, self._home.seal.encrypt(data))
        self._stamp = None
        self._all()

    def _all(self) -> dict[str, dict[str, str]]:
        """Everything in the vault. A file that does not open is set aside and said."""
        with self._using:
            try:
                stat = self._file.stat()
            except FileNotFoundError:
                return {}
            stamp = (stat.st_mtime_ns, stat.st_ino)
            if stamp != self._stamp:
                self._known = self._opened()
                self._stamp = stamp
                self._hide(one["value"] for one in self._known.values())
            return self._known

    def _opened(self) -> dict[str, dict[str, str]]:
        try:
            raw = read_json(self._home.seal.decrypt(read_bytes(self._file)))
            return {
                str(name): {"value": str(one["value"]), "added": str(one["added"])}
                for name, one in raw.items()
            }
        except (Damaged, ValueError, AttributeError, TypeError, KeyError):
            aside = set_aside(self._file, self._home.clock)
        self._home.notes.say(
            f"The vault could not be opened. Its file was set aside as {aside.name}; put your "
            "secrets in again with conch vault set.",
            where=str(self._file),
        )
        return {}

    def _hide(self, values: Iterable[str]) -> None:
        """Hide these from now on, and go on hiding those that were handled before."""
        new = {value for value in values if value} - self._handled
        if not new:
            return
        self._handled |= new
        for value in new:
            self._redactor.add(value)
            lines = [line.strip() for line in value.splitlines()]
            for line in lines if len(lines) > 1 else ():
                if len(line) >= _LONGEST_LINE:
                    self._redactor.add(line)
        self._fragments = Fragments(self._handled)


def _must_fit(name: str, value: str) -> None:
    kept = "Nothing was kept."
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise ConchError(
            "A secret's name is small letters, digits and hyphens, and begins with a letter.",
            kept,
            "For instance: github-token",
        )
    if _MEANS_SOMETHING.fullmatch(variable_of(name)):
        raise ConchError(
            f"A command would find it as {variable_of(name)}, which means something else to "
            "programs.",
            kept,
            "Give it another name.",
        )
    if not SHORTEST <= len(value) <= LONGEST:
        raise ConchError(
            f"A secret has {SHORTEST} to {LONGEST:,} characters: a shorter one can't be told from "
            "ordinary words, and so can't be hidden.",
            kept,
        )
    if "\0" in value or "•" in value or not _is_text(value):
        raise ConchError("That holds signs no program could be given.", kept)


def _is_text(value: str) -> bool:
    return all(one.isprintable() or one in "\n\r\t" for one in value)
