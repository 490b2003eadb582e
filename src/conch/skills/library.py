"""The skills of a home: the person's own, and other apps', listed and read-only (spec 0058).

A skill is a folder with a SKILL.md, in the Agent Skills format. Nothing here decides to turn one
on: a person does, and a skill the scan calls dangerous stays off until they have looked at exactly
that version. What is off is kept, never told to a model and can't be asked for by name.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.guard.permissions import Permissions
from conch.guard.skill_scan import SkillScan, scan_skill
from conch.home.errors import ConchError, Damaged
from conch.home.home import Home
from conch.home.store import Store
from conch.skills.document import name_of, problems_of, read_document, skill_document, title_in
from conch.skills.folders import DOCUMENT, Folder, from_outside, read_folder, write_folder

Mode = Literal["auto", "manual", "off"]
OWN = "own"
IN_WORDS: dict[Mode, str] = {"auto": "Automatically", "manual": "When I ask", "off": "Off"}


@dataclass(frozen=True)
class Skill:
    """One skill. `id` is its name, with the app's before it where it is another app's.

    `chosen` is what the person chose, `mode` what counts now: `why_off` says why they differ.
    `hash` is that of the whole folder; `allowed` its list, None where it declares none.
    """

    id: str
    name: str
    title: str
    description: str
    instructions: str
    folder: Path
    source: str
    chosen: Mode
    mode: Mode
    why_off: str
    problems: tuple[str, ...]
    scan: SkillScan
    hash: str
    allowed: tuple[str, ...] | None

    @property
    def permissions(self) -> Permissions:
        return Permissions.read(None if self.allowed is None else list(self.allowed))

    @property
    def own(self) -> bool:
        return self.source == OWN


class _Choice(BaseModel):
    """What the person chose for one skill; `pinned` and `looked_at` are folder hashes."""

    model_config = ConfigDict(extra="allow")

    mode: Mode
    pinned: str = ""
    looked_at: str = ""


class _Choices(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    skills: dict[str, _Choice] = Field(default_factory=dict)


class Library:
    """The skills in one home. `others` are other apps' folders of skills: (app, folder)."""

    def __init__(self, home: Home, others: Sequence[tuple[str, Path]] = ()) -> None:
        self.folder = home.root / "skills"
        self._others = tuple(others)
        # What cannot be read turns nothing on.
        self._store = Store(home.root / "skill-modes.json", _Choices, home.notes)
        self._scanned: dict[str, SkillScan] = {}

    def skills(self) -> list[Skill]:
        """Every skill, the person's own first, by title."""
        choices = self._store.load().skills
        found = [self._skill(path, OWN, choices) for path in _folders(self.folder)]
        for app, folder in self._others:
            found += [self._skill(path, app, choices) for path in _folders(folder)]
        return sorted(found, key=lambda one: (not one.own, one.source, one.title.casefold()))

    def find(self, reference: str) -> Skill:
        """The skill of this id, name or title. Raises ConchError for none, or more than one."""
        wanted = reference.strip().lstrip("/").casefold()
        skills = self.skills()
        for of in (
            lambda one: one.id.casefold() == wanted,
            lambda one: one.name.casefold() == wanted,
            lambda one: one.title.casefold() == wanted,
        ):
            found = [one for one in skills if of(one)]
            if len(found) == 1:
                return found[0]
            if found:
                raise ConchError(f"“{reference}” fits more than one skill.", "Nothing was done.")
        raise ConchError(f"There is no skill “{reference}”.", do="conch skills list shows them.")

    def usable(self, reference: str) -> Skill:
        """A skill that may be used when asked for by name. Raises ConchError when it is off."""
        skill = self.find(reference)
        if skill.mode == "off":
            why = skill.why_off or "It is off."
            raise ConchError(f"“{skill.title}” can't be used.", do=why)
        return skill

    def save(
        self,
        title: str,
        description: str,
        instructions: str,
        allowed: Sequence[str] | None = None,
        mode: Mode = "manual",
        name: str = "",
    ) -> Skill:
        """Save a new skill of the person's own; only their press leads here."""
        name = name or self.name_for(title)
        text = skill_document(name, title, description, instructions, allowed)
        write_folder(self.folder, name, {DOCUMENT: text.encode()})
        # They read it before saving it, so they looked at this version.
        hash = read_folder(self.folder / name).hash
        self._choose(name, _Choice(mode=mode, looked_at=hash))
        return self.find(name)

    def name_for(self, title: str, taken: Iterable[str] = ()) -> str:
        """The folder name a new skill of this title gets."""
        return name_of(title, [*taken, *(path.name for path in _folders(self.folder))])

    def bring_in(self, source: Path) -> Skill:
        """Bring in a folder or zip, off until the person turns it on. Raises ConchError."""
        files = from_outside(source)
        try:
            front, _ = read_document(files[DOCUMENT].decode("utf-8", "replace"))
        except Damaged as error:
            raise ConchError(f"{source}: {error}", "Nothing was brought in.") from None
        name = str(front.get("name", ""))
        problems = problems_of(front, name)
        if problems:
            raise ConchError(f"{source}: {' '.join(problems)}", "Nothing was brought in.")
        if (self.folder / name).exists():
            raise ConchError(f"There is a skill {name} already.", "It is left as it is.")
        # Off before it is there: nothing is on that the person didn't turn on, whatever crashes.
        self._choose(name, _Choice(mode="off"))
        write_folder(self.folder, name, files)
        return self.find(name)

    def set_mode(self, skill: Skill, mode: Mode, *, looked_at: bool = False) -> Skill:
        """Choose how a skill is used. Raises ConchError for a skill that doesn't work.

        A dangerous one is turned on only with `looked_at`: the person has seen what the scan says
        of exactly this version. Another app's is pinned to this version.
        """
        if mode != "off" and skill.problems:
            raise ConchError(f"“{skill.title}” doesn't work: {skill.problems[0]}", "It stays off.")
        seen_it = looked_at or self._looked_at(skill) == skill.hash
        if mode != "off" and skill.scan.verdict == "danger" and not seen_it:
            first = skill.scan.findings[0]
            raise ConchError(
                f"“{skill.title}” looks dangerous. {first.sentence} ({first.file})",
                "It stays off.",
                f"Look at it: conch skills look {skill.id}",
            )
        seen = skill.hash if looked_at else self._looked_at(skill)
        pinned = "" if skill.own or mode == "off" else skill.hash
        self._choose(skill.id, _Choice(mode=mode, pinned=pinned, looked_at=seen))
        return self.find(skill.id)

    def remove(self, skill: Skill) -> None:
        """Delete one of the person's own skills. Raises ConchError for another app's."""
        if not skill.own:
            raise ConchError(f"“{skill.title}” belongs to {skill.source}.", "It is left as it is.")
        shutil.rmtree(skill.folder)

    def _looked_at(self, skill: Skill) -> str:
        choice = self._store.load().skills.get(skill.id)
        return choice.looked_at if choice else ""

    def _choose(self, id: str, choice: _Choice) -> None:
        def changed(choices: _Choices) -> _Choices:
            return choices.model_copy(update={"skills": {**choices.skills, id: choice}})

        self._store.change(changed)

    def _skill(self, path: Path, source: str, choices: dict[str, _Choice]) -> Skill:
        id = path.name if source == OWN else f"{source}/{path.name}"
        choice = choices.get(id)
        try:
            folder = read_folder(path)
            front, body = read_document(folder.files.get(DOCUMENT, b"").decode("utf-8", "replace"))
            problems = problems_of(dict(front), path.name)
        except (OSError, Damaged) as error:
            folder, front, body, problems = Folder({}), {}, "", [str(error)]
        scan = self._scan(folder)
        chosen = choice.mode if choice else _usual(front, source)
        why_off = _why_off(chosen, choice, source, problems, scan, folder.hash)
        name = str(front.get("name") or path.name)
        return Skill(
            id=id,
            name=name,
            title=title_in(body, name),
            description=" ".join(str(front.get("description") or "").split()),
            instructions=body,
            folder=path,
            source=source,
            chosen=chosen,
            mode="off" if why_off else chosen,
            why_off=why_off,
            problems=tuple(problems),
            scan=scan,
            hash=folder.hash,
            allowed=_allowed(front),
        )

    def _scan(self, folder: Folder) -> SkillScan:
        hash = folder.hash
        if hash not in self._scanned:
            self._scanned[hash] = scan_skill(folder.files, folder.left_out)
        return self._scanned[hash]


def _why_off(
    chosen: Mode,
    choice: _Choice | None,
    source: str,
    problems: Sequence[str],
    scan: SkillScan,
    hash: str,
) -> str:
    """Why a skill that was chosen to be used is off; "" where it isn't."""
    if chosen == "off":
        return ""
    if problems:
        return f"It doesn't work: {problems[0]}"
    if source != OWN and (choice is None or choice.pinned != hash):
        return "It changed since you turned it on. Look at it and turn it on again."
    if scan.verdict == "danger" and (choice is None or choice.looked_at != hash):
        return "It looks dangerous. Look at it before you turn it on."
    return ""


def _usual(front: dict[str, Any], source: str) -> Mode:
    """How a skill nobody chose for is used: another app's is off, a hand-written one works."""
    if source != OWN:
        return "off"
    return "manual" if front.get("disable-model-invocation") is True else "auto"


def _allowed(front: dict[str, Any]) -> tuple[str, ...] | None:
    """A skill's list in either spelling; None where it declares none."""
    for key in ("permissions", "allowed-tools"):
        if key in front:
            value = front[key]
            if isinstance(value, list):
                return tuple(str(one) for one in value)
            return (str(value),) if value is not None else ()
    return None


def _folders(folder: Path) -> list[Path]:
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
