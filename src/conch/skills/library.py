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
from typing import Any

from conch.guard.permissions import Permissions
from conch.guard.skill_scan import SkillScan, scan_skill
from conch.home.errors import ConchError, Damaged
from conch.home.files import write_atomic
from conch.home.home import Home
from conch.home.store import Store
from conch.skills.choices import OWN, Choice, Choices, Mode, usual_mode, why_off
from conch.skills.document import name_of, problems_of, read_document, skill_document
from conch.skills.folders import (
    DOCUMENT,
    SIGNATURE,
    Folder,
    from_outside,
    mend_folders,
    read_folder,
    replace_folder,
    write_folder,
)
from conch.skills.reading import ReadSkill, read_skill, skill_folders
from conch.skills.signatures import (
    UNSIGNED,
    Signature,
    Signer,
    Trusted,
    read_signature,
    signed,
)
from conch.skills.signers import Signers

IN_WORDS: dict[Mode, str] = {"auto": "Automatically", "manual": "When I ask", "off": "Off"}


_FROM_THE_PERSON: dict[str, Any] = {"pinned": "", "signer": "", "brought": False}
_FROM_OUTSIDE: dict[str, Any] = {"pinned": "", "signer": "", "brought": True}


@dataclass(frozen=True)
class Skill:
    """One skill. `id` is its name, with the app's before it where it is another app's.

    `chosen` is what the person chose, `mode` what counts now: `why_off` says why they differ.
    `hash` is that of the whole folder; `allowed` its list, None where it declares none.
    `signature`: who vouches for it.
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
    signature: Signature = UNSIGNED

    @property
    def permissions(self) -> Permissions:
        return Permissions.read(None if self.allowed is None else list(self.allowed))

    @property
    def own(self) -> bool:
        return self.source == OWN


class Library:
    """The skills in one home. `others` are other apps' folders of skills: (app, folder)."""

    def __init__(self, home: Home, others: Sequence[tuple[str, Path]] = ()) -> None:
        self.folder = home.root / "skills"
        self._others = tuple(others)
        # What cannot be read turns nothing on.
        self._store = Store(home.root / "skill-modes.json", Choices, home.notes)
        self.signers = Signers(home)
        self._scanned: dict[str, SkillScan] = {}

    def skills(self) -> list[Skill]:
        """Every skill, the person's own first, by title."""
        choices = self._store.load().skills
        signers = self.signers.trusted()
        read = [read_skill(path, OWN) for path in skill_folders(self.folder)]
        for app, folder in self._others:
            read += [read_skill(path, app) for path in skill_folders(folder)]
        outside = {one.id for one in read if _came_from_outside(one, choices.get(one.id), signers)}
        to_keep = [one for one in read if one.id not in outside or _vouched_for(one, signers)]
        found: list[Skill] = []
        for one in read:
            # The very same folder, in another app's place, is no impostor.
            strange = one.id in outside
            known = [of.name for of in to_keep if strange and of.hash != one.hash]
            found.append(self._skill(one, choices.get(one.id), signers, known))
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
        self._choose(name, mode=mode, looked_at=hash, **_FROM_THE_PERSON)
        return self.find(name)

    def sign(self, skill: Skill, name: str = "") -> Skill:
        """Sign one of the person's own skills with their key, as `name`; it stays as it is used.

        Raises ConchError for another app's, one that doesn't work, and where not all of it could
        be read.
        """
        self._must_be_own(skill)
        if skill.problems:
            what = f"“{skill.title}” doesn't work: {skill.problems[0]}"
            raise ConchError(what, "It was not signed.")
        signer, secret = self.signers.own(name)
        folder = read_folder(skill.folder)
        if folder.hash != skill.hash:
            raise ConchError(f"“{skill.title}” changed meanwhile.", "It was not signed.")
        write_atomic(
            skill.folder / SIGNATURE, signed(skill.name, folder, signer.name, secret), 0o644
        )
        hash = read_folder(skill.folder).hash
        seen = hash if self._looked_at(skill) == skill.hash else ""
        mine = {**_FROM_THE_PERSON, "pinned": hash, "signer": signer.key}
        self._choose(skill.id, mode=skill.chosen, looked_at=seen, **mine)
        return self.find(skill.id)

    def update(self, source: Path) -> Skill:
        """Put another version of a skill of the person's own in its place, from a folder or zip.

        Signed by the trusted key that had signed the one before, it carries on as it was used; in
        any other case it is off until the person turns it on. Raises ConchError.
        """
        files, name = self._brought(source)
        before = self.find(name)
        self._must_be_own(before)
        state = read_signature(name, Folder(files), Trusted(self.signers.trusted()))
        choice = self._store.load().skills.get(before.id)
        same = choice is not None and state.state == "verified" and choice.signer == state.key
        if not same:
            # Off before it is there, whatever crashes.
            self._choose(before.id, mode="off", looked_at="", **_FROM_OUTSIDE)
        replace_folder(self.folder, before.folder.name, files)
        return self.find(before.id)

    def edited(self, skill: Skill, text: str) -> Skill:
        """The person's own new words for a skill's SKILL.md. Raises ConchError, with the skill as
        it was, where they don't make one; a signature no longer fits and is taken away."""
        self._must_be_own(skill)
        try:
            front, _ = read_document(text)
        except Damaged as error:
            raise ConchError(f"{error}", "The skill is as it was.") from None
        problems = problems_of(dict(front), skill.folder.name)
        if problems:
            raise ConchError(" ".join(problems), "The skill is as it was.")
        if read_folder(skill.folder).hash != skill.hash:
            raise ConchError(f"“{skill.title}” changed meanwhile.", "It is left as it is.")
        (skill.folder / SIGNATURE).unlink(missing_ok=True)
        write_atomic(skill.folder / DOCUMENT, text.encode(), 0o644)
        after = read_folder(skill.folder)
        # They wrote it; what looks dangerous is still looked at for what the scan says of it.
        seen = "" if self._scan(after).verdict == "danger" else after.hash
        self._choose(skill.id, mode=skill.chosen, looked_at=seen, **_FROM_THE_PERSON)
        return self.find(skill.id)

    def mend(self) -> None:
        """Put right what a crash left half done."""
        mend_folders(self.folder)

    def _must_be_own(self, skill: Skill) -> None:
        if not skill.own:
            raise ConchError(f"“{skill.title}” belongs to {skill.source}.", "It is left as it is.")

    def name_for(self, title: str, taken: Iterable[str] = ()) -> str:
        """The folder name a new skill of this title gets."""
        return name_of(title, [*taken, *(path.name for path in skill_folders(self.folder))])

    def bring_in(self, source: Path) -> Skill:
        """Bring in a folder or zip, off until the person turns it on. Raises ConchError."""
        files, name = self._brought(source)
        if (self.folder / name).exists():
            raise ConchError(f"There is a skill {name} already.", "It is left as it is.")
        # Off before it is there: nothing is on that the person didn't turn on, whatever crashes.
        self._choose(name, mode="off", looked_at="", **_FROM_OUTSIDE)
        write_folder(self.folder, name, files)
        return self.find(name)

    def _brought(self, source: Path) -> tuple[dict[str, bytes], str]:
        """The files and the name of a skill from outside. Raises ConchError."""
        files = from_outside(source)
        try:
            front, _ = read_document(files[DOCUMENT].decode("utf-8", "replace"))
        except Damaged as error:
            raise ConchError(f"{source}: {error}", "Nothing was brought in.") from None
        name = str(front.get("name", ""))
        problems = problems_of(front, name)
        if problems:
            raise ConchError(f"{source}: {' '.join(problems)}", "Nothing was brought in.")
        return files, name

    def set_mode(self, skill: Skill, mode: Mode, *, looked_at: bool = False) -> Skill:
        """Choose how a skill is used. Raises ConchError for a skill that doesn't work.

        A dangerous one, and one that could be taken for another, is turned on only with
        `looked_at`: the person has seen what is said of exactly this version. Another app's and a
        signed one is pinned to this version.
        """
        if mode != "off" and skill.signature.state == "broken":
            raise ConchError(f"“{skill.title}”: {skill.signature.why}", "It stays off.")
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
        if mode != "off" and skill.signature.state == "lookalike" and not seen_it:
            look = f"Look at it: conch skills look {skill.id}"
            raise ConchError(f"“{skill.title}”: {skill.signature.why}", "It stays off.", look)
        seen = skill.hash if looked_at else self._looked_at(skill)
        free = mode == "off" or (skill.own and skill.signature.state == "unsigned")
        signer = skill.signature.key if skill.signature.state == "verified" else ""
        pinned = "" if free else skill.hash
        self._choose(skill.id, mode=mode, pinned=pinned, looked_at=seen, signer=signer)
        return self.find(skill.id)

    def remove(self, skill: Skill) -> None:
        """Delete one of the person's own skills. Raises ConchError for another app's."""
        self._must_be_own(skill)
        shutil.rmtree(skill.folder)

    def _looked_at(self, skill: Skill) -> str:
        choice = self._store.load().skills.get(skill.id)
        return choice.looked_at if choice else ""

    def _choose(self, id: str, **chosen: Any) -> None:
        def changed(choices: Choices) -> Choices:
            before = choices.skills.get(id, Choice(mode="off"))
            after = before.model_copy(update=chosen)
            return choices.model_copy(update={"skills": {**choices.skills, id: after}})

        self._store.change(changed)

    def _skill(
        self,
        read: ReadSkill,
        choice: Choice | None,
        signers: Sequence[Signer],
        known: Sequence[str],
    ) -> Skill:
        scan = self._scan(read.folder)
        signature = read_signature(read.name, read.folder, Trusted(signers, known))
        chosen = choice.mode if choice else usual_mode(read.front, read.source)
        off = why_off(chosen, choice, read.source, read.problems, scan, read.hash, signature)
        return Skill(
            id=read.id,
            name=read.name,
            title=read.title,
            description=read.description,
            instructions=read.body,
            folder=read.path,
            source=read.source,
            chosen=chosen,
            mode="off" if off else chosen,
            why_off=off,
            problems=read.problems,
            scan=scan,
            hash=read.hash,
            allowed=read.allowed,
            signature=signature,
        )

    def _scan(self, folder: Folder) -> SkillScan:
        hash = folder.hash
        if hash not in self._scanned:
            self._scanned[hash] = scan_skill(folder.files, folder.left_out)
        return self._scanned[hash]


def _came_from_outside(read: ReadSkill, choice: Choice | None, signers: Sequence[Signer]) -> bool:
    """Whether somebody else made a skill: another app's, one brought in, one a stranger signed."""
    brought = choice is not None and choice.brought
    return read.source != OWN or brought or (read.is_signed and not _vouched_for(read, signers))


def _vouched_for(read: ReadSkill, signers: Sequence[Signer]) -> bool:
    if not read.is_signed:
        return False
    return read_signature(read.name, read.folder, Trusted(signers)).state == "verified"
