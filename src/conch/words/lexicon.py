"""The language lexicons: one TOML file a language, read once, all tried on every message.

A file `words/lexicons/<code>.toml` starts with `language`, `name` and `script`, then holds one
table a topic, for example `[signals.correction]`, each with lists of phrases. A native speaker can
edit one without reading Python; `docs/languages.md` says how to add one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
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


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """Every language's lexicon, English first, then by code."""
    found: list[Lexicon] = []
    for entry in files("conch.words").joinpath("lexicons").iterdir():
        if not entry.name.endswith(".toml"):
            continue
        raw = tomllib.loads(entry.read_text(encoding="utf-8"))
        found.append(Lexicon(raw["language"], raw["name"], raw["script"], raw))
    return tuple(sorted(found, key=lambda lexicon: (lexicon.code != "en", lexicon.code)))


def phrases(topic: str, key: str) -> dict[str, tuple[str, ...]]:
    """`{language code: phrases}` for one list of one topic, over every language that has it."""
    given = {lexicon.code: lexicon.phrases(topic, key) for lexicon in lexicons()}
    return {code: some for code, some in given.items() if some}
