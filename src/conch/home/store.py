"""A small JSON file that holds one pydantic model, kept whole and mended out loud.

Keys this version does not know survive a rewrite. A copy that cannot be read is set aside and
said; a field that cannot be read takes its safe value, the others are kept.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from conch.home.files import aside_name, read_bytes, set_aside, write_atomic
from conch.home.json_values import read_json
from conch.home.notes import Notes

Held = TypeVar("Held", bound=BaseModel)


class Store(Generic[Held]):
    """The file at `path`, read and written as `model`.

    `when_damaged` is what counts in place of what cannot be read (default: an empty `model`);
    give one where the safe value is not the default.
    """

    def __init__(
        self, path: Path, model: type[Held], notes: Notes, when_damaged: Held | None = None
    ) -> None:
        self.path = path
        self._model = model
        self._notes = notes
        self._when_damaged = when_damaged
        self._changing = threading.RLock()

    def load(self) -> Held:
        """What the file holds; an empty model when there is no file.

        Raises OSError when the file is there and cannot be read.
        """
        data = read_bytes(self.path)
        if not data and not self.path.exists():
            return self._model()
        try:
            raw = read_json(data)
        except ValueError:
            return self._damaged()
        if not isinstance(raw, dict):
            return self._damaged()
        try:
            return self._model.model_validate(raw)
        except ValidationError as error:
            return self._salvaged(raw, error, data)

    def save(self, value: Held) -> None:
        """Write `value`, whole or not at all; on disk when this returns.

        Keys of the file that the model does not know are written again as they are.
        """
        raw: Any = None
        with contextlib.suppress(ValueError):
            raw = read_json(read_bytes(self.path))
        known = _with_unknown_keys(value, raw if isinstance(raw, dict) else {})
        text = json.dumps(known, ensure_ascii=False, indent=2)
        write_atomic(self.path, text.encode("utf-8", "replace") + b"\n")

    def change(self, how: Callable[[Held], Held]) -> Held:
        """Read, change by `how`, write; gives what was written."""
        with self._changing:
            value = how(self.load())
            self.save(value)
            return value

    def _damaged(self) -> Held:
        instead = self._when_damaged or self._model()
        try:
            aside = set_aside(self.path, self._notes.clock)
        except FileNotFoundError:
            # Another process met the same damage first.
            return instead
        if self._when_damaged is not None:
            self.save(self._when_damaged)
        self._notes.say(
            f"{self.path.name} could not be read. It was set aside as {aside.name}, and Conch "
            "goes on without it.",
            where=str(self.path),
        )
        return instead

    def _salvaged(self, raw: dict[str, Any], error: ValidationError, data: bytes) -> Held:
        """The fields that read; those that do not take their safe value. The file is copied."""
        bad = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
        good = {key: value for key, value in raw.items() if key not in bad}
        if self._when_damaged is not None:
            safe = self._when_damaged.model_dump(mode="json")
            good |= {key: safe[key] for key in bad if key in safe}
            usual = self._model().model_dump(mode="json")
            safer = {key for key in safe if safe[key] != usual[key]}
            if bad & safer:
                good |= {key: safe[key] for key in safer}
        try:
            value = self._model.model_validate(good)
        except ValidationError:
            return self._damaged()
        aside = aside_name(self.path, self._notes.clock)
        write_atomic(aside, data)
        write_atomic(self.path, json.dumps(good, ensure_ascii=False, indent=2).encode() + b"\n")
        names = ", ".join(sorted(bad))
        self._notes.say(
            f"{self.path.name} held something Conch cannot read under {names}. The rest is kept; "
            f"the file as it was is in {aside.name}.",
            where=str(self.path),
        )
        return value


def _with_unknown_keys(value: BaseModel, raw: dict[str, Any]) -> dict[str, Any]:
    """`value` as JSON values, with the keys of `raw` that its model has no field for."""
    known = set(type(value).model_fields)
    out = value.model_dump(mode="json")
    for key in raw.keys() - known - out.keys():
        if value.model_config.get("extra") != "allow":
            out[key] = raw[key]
    for name in known & raw.keys():
        inner, before = getattr(value, name), raw[name]
        if not isinstance(before, dict):
            continue
        if isinstance(inner, BaseModel):
            out[name] = _with_unknown_keys(inner, before)
        elif isinstance(inner, dict):
            for key, one in inner.items():
                if isinstance(one, BaseModel) and isinstance(before.get(key), dict):
                    out[name][key] = _with_unknown_keys(one, before[key])
    return out
