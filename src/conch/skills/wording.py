"""A skill's wording, as a person writes it in parts, and the SKILL.md it makes.

What was there and isn't in the parts (other keys, comments, their order) stays.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from conch.guard.permissions import Permissions, listed_words
from conch.guard.skill_scan import SkillScan, scan_skill
from conch.home.errors import ConchError, Damaged
from conch.skills.document import problems_of, read_document, rewritten, skill_document, title_in
from conch.skills.folders import DOCUMENT

_HEADING = re.compile(r"\A\s*#\s+[^\n]*\n?")


@dataclass(frozen=True)
class Wording:
    """The parts. `allowed` is its list as spelled, None where it declares none."""

    title: str
    description: str
    instructions: str
    allowed: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Preview:
    """What saving would write, and what is said of it before it is.

    `words_hash` stands for exactly this text: it goes back with the person's press.
    """

    name: str
    text: str
    problems: tuple[str, ...]
    permissions: Permissions
    scan: SkillScan

    @property
    def words_hash(self) -> str:
        return words_hash_of(self.text)


def words_hash_of(text: str) -> str:
    """The hash of a SKILL.md's words, as hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def instructions_in(body: str) -> str:
    """The body of a SKILL.md without the heading it begins with.

    >>> instructions_in("# Cheapest train\\n\\n1. Ask for the day.")
    '1. Ask for the day.'
    """
    return _HEADING.sub("", body, count=1).strip()


def new_text(wording: Wording, name: str) -> str:
    """The SKILL.md of a new skill. Raises ConchError where a part is missing."""
    _must_be_whole(wording)
    allowed = None if wording.allowed is None else Permissions.read(list(wording.allowed)).spelled()
    title = _one_line(wording.title)
    description = _one_line(wording.description)
    return skill_document(name, title, description, wording.instructions, allowed)


def edited_text(before: str, wording: Wording) -> str:
    """The SKILL.md with these parts in place of the ones in `before`; all else stays.

    Raises ConchError where a part is missing, or where `before` can't be read.
    """
    _must_be_whole(wording)
    try:
        front, body = read_document(before)
    except Damaged as error:
        do = "Mend it by hand first."
        raise ConchError(f"{error}", "The skill is as it was.", do) from None
    changes: dict[str, object] = {}
    description = _one_line(wording.description)
    if description != _one_line(str(front.get("description") or "")):
        changes["description"] = description
    key = next((one for one in ("permissions", "allowed-tools") if one in front), "")
    was = Permissions.read(_listed(front[key])) if key else None
    now = None if wording.allowed is None else Permissions.read(list(wording.allowed))
    if was != now:
        spelled = None if now is None else now.spelled()
        if spelled is not None and key != "permissions":
            between = ", " if any(" " in one for one in spelled) else " "
            changes["allowed-tools"] = between.join(spelled)
        else:
            changes[key or "allowed-tools"] = spelled
    title, instructions = _one_line(wording.title), wording.instructions.strip()
    headed = bool(_HEADING.match(body)) or title != title_in(body, str(front.get("name") or ""))
    whole = f"# {title}\n\n{instructions}" if headed else instructions
    return rewritten(before, changes, whole)


def preview_of(text: str, name: str, others: Mapping[str, bytes] | None = None) -> Preview:
    """What is said of a SKILL.md before it is saved; `others` are the folder's other files."""
    try:
        front, _ = read_document(text)
        problems = tuple(problems_of(dict(front), name))
    except Damaged as error:
        front, problems = {}, (str(error),)
    key = next((one for one in ("permissions", "allowed-tools") if one in front), "")
    files = {**(others or {}), DOCUMENT: text.encode("utf-8", "replace")}
    return Preview(
        name=name,
        text=text,
        problems=problems,
        permissions=Permissions.read(_listed(front[key]) if key else None),
        scan=scan_skill(files),
    )


def _listed(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in value]
    return listed_words(str(value)) if value is not None else []


def _must_be_whole(wording: Wording) -> None:
    for part, called in (
        (wording.title, "a title"),
        (wording.description, "a description"),
        (wording.instructions, "instructions"),
    ):
        if not part.strip():
            raise ConchError(f"It needs {called}.", "Nothing was saved.")


def _one_line(text: str) -> str:
    return " ".join(text.split())
