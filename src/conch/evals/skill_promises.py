"""Do the promises about skills hold for a home? It reads the files with none of the code that
writes them, like `promises.py`.

1. An offer is there only with the chance it used: no chat is offered twice.
2. A save that was begun was carried through, and a saved offer came to one skill alone.
3. Every use that stands in a log was counted.
4. What is sealed is not readable.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from conch.home.json_values import read_json

_SEALED = b"conch1:"
_SEALED_FILES = (
    "vault/secrets.sealed",
    "keys/engines.sealed",
    "keys/skill-signing.sealed",
)


def broken_skill_promises(root: Path) -> list[str]:
    """What is wrong with the skills of the home at `root`, which must be at rest."""
    learned = _read(root / "skill-learned.json")
    usage = _read(root / "skill-usage.json").get("skills", {})
    offers, chances = learned.get("offers", []), learned.get("chances", {})
    wrong: list[str] = []
    for offer in offers:
        if not chances.get(offer["key"], {}).get("used"):
            wrong.append(f"offer {offer['id']} is there without the chance it used")
        if offer.get("saving"):
            wrong.append(f"the save of offer {offer['id']} was never carried through")
    for key, count in Counter(offer["key"] for offer in offers).items():
        if count > 1:
            wrong.append(f"{key} was offered {count} times")
    for folder in _folders(root / "skills"):
        if folder.name.startswith(".") and folder.name.endswith((".coming", ".before")):
            wrong.append(f"{folder.name} in the skills folder is half a save")
    for skill, uses in _used(root).items():
        counted = usage.get(skill, {}).get("times", 0)
        # A skill that was deleted takes its count with it.
        if (root / "skills" / skill).is_dir() and counted < uses:
            wrong.append(f"{skill} was used {uses} times and counted {counted}")
    for name in _SEALED_FILES:
        file = root / name
        if file.exists() and not file.read_bytes().startswith(_SEALED):
            wrong.append(f"{name} is not sealed")
    return wrong


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        raw = read_json(path.read_bytes())
    except ValueError:
        return {}
    return raw if isinstance(raw, dict) else {}


def _folders(path: Path) -> list[Path]:
    return sorted(one for one in path.iterdir() if one.is_dir()) if path.is_dir() else []


def _used(root: Path) -> Counter[str]:
    """How often each skill was used, by the chats' logs."""
    found: Counter[str] = Counter()
    for log in root.glob("chats/*/log.jsonl"):
        for line in log.read_bytes().splitlines():
            if b'"skill_used"' not in line:
                continue
            try:
                event = read_json(line)
            except ValueError:
                continue
            if event.get("type") == "skill_used":
                found[str(event.get("skill"))] += 1
    return found
