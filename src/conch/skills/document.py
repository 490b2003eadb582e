"""SKILL.md: front matter and a body, as the Agent Skills format has it; written and read."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from conch.home.errors import Damaged

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1_024
_FRONT = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)?^---[ \t]*$(?:\r?\n)?", re.DOTALL | re.MULTILINE
)


def skill_document(
    name: str,
    title: str,
    description: str,
    instructions: str,
    allowed: Sequence[str] | None = None,
) -> str:
    """The text of a new SKILL.md. `allowed` is its list as `Permissions.spelled` gives it."""
    front: dict[str, Any] = {"name": name, "description": description}
    if allowed is not None:
        between = ", " if any(" " in one for one in allowed) else " "
        front["allowed-tools"] = between.join(allowed) or "none"
    return f"---\n{_written(front)}---\n\n# {title}\n\n{instructions.strip()}\n"


def name_of(title: str, taken: Sequence[str] = ()) -> str:
    """A folder name for a title: small letters, digits and hyphens, at most 64, not `taken`."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    if any(ord(char) < 128 and char.isalnum() for char in plain):
        stripped = unicodedata.normalize("NFKD", plain)
        latin = re.sub(r"[^a-z0-9]+", "-", "".join(c for c in stripped if ord(c) < 128))
        plain = latin if len(latin.strip("-")) >= 2 else plain
    name = re.sub(r"-{2,}", "-", "".join(c if c.isalnum() else "-" for c in plain)).strip("-")
    name = name[: LONGEST_NAME - 4].strip("-") or "skill"
    made, number = name, 2
    while made in taken:
        made, number = f"{name}-{number}", number + 1
    return made


def read_document(text: str) -> tuple[dict[str, Any], str]:
    """The front matter (comments and order kept, for writing it again) and the body.

    Raises Damaged, with what to do, for a file without front matter or with one that is no YAML.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    match = _FRONT.match(text)
    if match is None:
        raise Damaged("It has no front matter.", do="Start it with --- and name, description.")
    try:
        front = YAML(typ="rt").load(match[1])
    except (YAMLError, ValueError, RecursionError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Damaged(f"Its front matter is no YAML ({first}).") from None
    if not isinstance(front, dict):
        raise Damaged("Its front matter is no list of keys.", do="It needs name and description.")
    return front, text[match.end() :].strip("\r\n")


def rewritten(text: str, changes: dict[str, Any], body: str | None = None) -> str:
    """`text` with some keys set (None: taken out) and, when given, another body.

    Unknown keys, comments and their order stay. Raises Damaged as `read_document`.
    """
    front, before = read_document(text)
    for key, value in changes.items():
        if value is None:
            front.pop(key, None)
        else:
            front[key] = value
    return f"---\n{_written(front)}---\n\n{(before if body is None else body).strip()}\n"


def title_in(body: str, name: str) -> str:
    """The first heading of the body; the name in words when there is none."""
    match = re.search(r"^#\s+(.+?)\s*#*\s*$", body, re.MULTILINE)
    return match[1].strip() if match else name.replace("-", " ").capitalize()


def problems_of(front: dict[str, Any], folder: str) -> list[str]:
    """What of the Agent Skills rules a front matter breaks, as sentences; [] when it is valid."""
    found: list[str] = []
    name, description = front.get("name"), front.get("description")
    if not isinstance(name, str) or not name.strip():
        found.append("It has no name.")
    else:
        plain = unicodedata.normalize("NFKC", name.strip())
        if len(plain) > LONGEST_NAME or plain != plain.lower() or plain.strip("-") != plain:
            found.append("Its name should be at most 64 small letters, digits and hyphens.")
        elif "--" in plain or not all(char.isalnum() or char == "-" for char in plain):
            found.append("Its name should be small letters, digits and single hyphens.")
        if unicodedata.normalize("NFKC", folder) != plain:
            found.append(f"Its folder is called {folder}, its name is {plain}.")
    if not isinstance(description, str) or not description.strip():
        found.append("It has no description.")
    elif len(description) > LONGEST_DESCRIPTION:
        found.append("Its description is longer than 1,024 characters.")
    return found


def _written(front: dict[str, Any]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt")
    yaml.width = 4_096
    yaml.allow_unicode = True
    out = io.StringIO()
    yaml.dump(front, out)
    return out.getvalue()
