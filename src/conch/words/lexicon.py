"""The language lexicons: one TOML file a language, read once, all tried on every message.

A file `words/lexicons/<code>.toml` starts with `language`, `name` and `script`, then holds one
table a topic, for example `[signals.correction]`, each with lists of phrases. A native speaker can
edit one without reading Python; `docs/languages.md` says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, wraps
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import tomli

Built = TypeVar("Built")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language's words.

    `code` is ISO 639-1, `script` is ISO 15924 ("Latn", "Cyrl", "Jpan"…); `topics` is the file's
    tables as they stand.
    """

    code: str
    name: str
    script: str
    topics: Mapping[str, Any]

    def phrases(self, topic: str, key: str) -> tuple[str, ...]:
        """The phrases under `[topic]` `key = […]`; dots in `topic` go into nested tables.

        Gives an empty tuple where the language has none.
        """
        table: Any = self.topics
        for part in topic.split("."):
            table = table.get(part, {}) if isinstance(table, Mapping) else {}
        value = table.get(key, []) if isinstance(table, Mapping) else []
        return tuple(str(phrase) for phrase in value)


_beside: tuple[Path, ...] = ()


def lexicons() -> tuple[Lexicon, ...]:
    """Every language's lexicon, English first, then by code."""
    return _read(_beside)


@contextmanager
def lexicons_beside(folder: Path) -> Iterator[None]:
    """Within the block, the `*.toml` of `folder` count beside (or in place of) the shipped ones.

    For trying a language out before its file is among the lexicons. Everything built with
    `from_lexicons` follows; the switch is for the whole process, so not for use while serving.
    """
    global _beside
    before, _beside = _beside, (*_beside, folder)
    try:
        yield
    finally:
        _beside = before


def from_lexicons(build: Callable[[], Built]) -> Callable[[], Built]:
    """Caches what `build()` makes of the lexicons, anew for each set of lexicon folders.

    Use it in place of `functools.cache` for tables made from `lexicons()` or `phrases()`.
    """

    @cache
    def built(beside: tuple[Path, ...]) -> Built:
        return build()

    @wraps(build)
    def current() -> Built:
        return built(_beside)

    return current


def phrases(topic: str, key: str) -> dict[str, tuple[str, ...]]:
    """`{language code: phrases}` for one list of one topic, over every language that has it."""
    given = {lexicon.code: lexicon.phrases(topic, key) for lexicon in lexicons()}
    return {code: some for code, some in given.items() if some}


@cache
def _read(beside: tuple[Path, ...]) -> tuple[Lexicon, ...]:
    found: dict[str, Lexicon] = {}
    folders: list[Traversable] = [files("conch.words").joinpath("lexicons"), *beside]
    for folder in folders:
        for entry in folder.iterdir():
            if entry.name.endswith(".toml"):
                raw = tomli.loads(entry.read_text(encoding="utf-8"))
                lexicon = Lexicon(raw["language"], raw["name"], raw["script"], raw)
                found[lexicon.code] = lexicon
    ordered = sorted(found.values(), key=lambda lexicon: (lexicon.code != "en", lexicon.code))
    return tuple(ordered)
