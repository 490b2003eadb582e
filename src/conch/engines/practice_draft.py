"""How the practice engine writes a draft: from the frame of the work alone, step by step. Pure.

Programs are named, what they were given is not; each dead end gives one line. "draft-never" says it
is a one-off, "draft-garble" answers no JSON, "draft-fail" fails.
"""

from __future__ import annotations

import json
import re

from conch.engines.engine import EngineFailed

_ASKED = re.compile(r"<asked>(.*?)</asked>", re.DOTALL)
_STEP = re.compile(r"^- (?P<what>.+) \((?P<end>done|failed)\)$", re.MULTILINE)
_COMMAND = re.compile(r"`\s*([\w.+-]+)")
_WORDS = re.compile(r"[^\W\d_]{3,}")
_SMALL = frozenset(("the", "way", "please", "this", "that", "with", "from", "and", "for", "long"))


def is_work(words: str) -> bool:
    """Whether these words are the frame a draft is asked with."""
    return words.startswith(("<work>", "<habit>"))


def draft(words: str) -> str:
    """The draft as JSON. Raises EngineFailed when the chat asks for it."""
    asked = " ".join(_ASKED.findall(words))
    if "draft-fail" in asked:
        raise EngineFailed("no_answer", "The practice engine fails here, as its script says.")
    if "draft-garble" in asked:
        return "I would rather tell you a story than answer in JSON."
    if "draft-never" in asked:
        return json.dumps({"worth": False})
    lines: list[str] = []
    for step in _STEP.finditer(words):
        said = _said(step["what"], step["end"] == "failed")
        if said not in lines:
            lines.append(said)
    about = [word.lower() for word in _WORDS.findall(asked) if word.lower() not in _SMALL]
    if words.startswith("<habit>"):
        lines = ["Do it as it was asked for before.", "Say in one line what was done."]
    title = " ".join(["Work on", *about[:3]]).capitalize()[:40].strip()
    return json.dumps(
        {
            "worth": True,
            "title": title,
            "description": "Does it step by step and leaves out what didn't work.",
            "instructions": "\n".join(
                f"{number}. {line}"
                for number, line in enumerate(["Ask what it is to be done with.", *lines], 1)
            ),
        }
    )


def _said(what: str, failed: bool) -> str:
    command = _COMMAND.search(what)
    thing = f"`{command[1]}`" if command else what.split()[0].lower()
    if failed:
        return f"Don't start with {thing}: it didn't work here."
    return f"Use {thing} and look at what it gives."
