"""A skill as its folder says it, before anything is decided about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from conch.guard.permissions import listed_words
from conch.home.errors import Damaged
from conch.skills.choices import OWN
from conch.skills.document import problems_of, read_document, title_in
from conch.skills.folders import DOCUMENT, SIGNATURE, Folder, read_folder


@dataclass(frozen=True)
class ReadSkill:
    """What stands in a skill's folder; `problems` say why it doesn't work."""

    path: Path
    source: str
    folder: Folder
    front: dict[str, Any]
    body: str
    problems: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.path.name if self.source == OWN else f"{self.source}/{self.path.name}"

    @property
    def name(self) -> str:
        return str(self.front.get("name") or self.path.name)

    @property
    def title(self) -> str:
        return title_in(self.body, self.name)

    @property
    def description(self) -> str:
        return " ".join(str(self.front.get("description") or "").split())

    @property
    def is_signed(self) -> bool:
        return SIGNATURE in self.folder.files

    @cached_property
    def hash(self) -> str:
        return self.folder.hash

    @property
    def allowed(self) -> tuple[str, ...] | None:
        """Its list in either spelling; None where it declares none."""
        for key in ("permissions", "allowed-tools"):
            if key in self.front:
                value = self.front[key]
                if isinstance(value, list):
                    return tuple(str(one) for one in value)
                return tuple(listed_words(str(value))) if value is not None else ()
        return None


def read_skill(path: Path, source: str) -> ReadSkill:
    """Read a skill's folder. Never raises: what can't be read is a problem of the skill."""
    try:
        folder = read_folder(path)
        front, body = read_document(folder.files.get(DOCUMENT, b"").decode("utf-8", "replace"))
        problems = problems_of(dict(front), path.name)
    except (OSError, Damaged) as error:
        folder, front, body, problems = Folder({}), {}, "", [str(error)]
    return ReadSkill(path, source, folder, dict(front), body, tuple(problems))


def skill_folders(folder: Path) -> list[Path]:
    """The skills' folders in a folder; links are not followed."""
    try:
        inner = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        path
        for path in inner
        if not path.name.startswith(".")
        and not path.is_symlink()
        and path.is_dir()
        and (path / DOCUMENT).is_file()
        and not (path / DOCUMENT).is_symlink()
    ]
