"""A draft, read as strictly as any skill before anybody is offered it (spec 0058 §2, §3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from conch.chats.turns import Step
from conch.engines.answers import json_in
from conch.guard.characters import encoded_blobs, hidden_characters
from conch.guard.secrets import has_secret
from conch.guard.skill_scan import scan_skill_text, verdict_of
from conch.guard.values import never_typed
from conch.home.json_values import read_json
from conch.skills.document import skill_document
from conch.skills.house_style import description_of, instructions_of, title_of
from conch.skills.specifics import Specific, path_of, replayed, specifics_in

WhyRefused = Literal[
    "not the JSON asked for",
    "not worth it",
    "the title",
    "the description",
    "without two steps",
    "a secret",
    "hidden characters",
    "a replay",
    "dangerous",
    "a warning, after reading",
    "an address, after reading",
]

_REPLAYED = 2
_ONE_TIME = 3
_OF_ONE_TIME = frozenset(("path", "mail", "number", "date", "person", "address"))


@dataclass(frozen=True)
class DraftContext:
    """What a draft is read against.

    `said`: everything the person typed. `steps`: the steps of the work. `tainted`: the chat read
    something from outside. `redact` hides what the vault and the keys hold.
    """

    said: Sequence[str]
    steps: Sequence[Step]
    folder: str = ""
    tainted: bool = False
    redact: Callable[[str], str] = str


@dataclass(frozen=True)
class Draft:
    """A draft that may be offered."""

    title: str
    description: str
    instructions: str


@dataclass(frozen=True)
class Refused:
    """No offer, and why; `detail` is for tests and logs of this computer only."""

    why: WhyRefused
    detail: str = ""


def check_draft(answer: str, context: DraftContext) -> Draft | Refused:
    """Read a model's answer; anything that is not plainly a skill is refused. Never raises."""
    raw = _answered(answer)
    if raw is None:
        return Refused("not the JSON asked for")
    if raw.get("worth") is not True:
        return Refused("not worth it")
    texts = [raw.get(key) for key in ("title", "description", "instructions")]
    if not all(isinstance(text, str) for text in texts):
        return Refused("not the JSON asked for")
    given_title, given_description, given_instructions = (str(text) for text in texts)
    title = title_of(given_title)
    if title is None:
        return Refused("the title", given_title[:80])
    description = description_of(given_description)
    if description is None:
        return Refused("the description", given_description[:80])
    instructions = instructions_of(given_instructions)
    if instructions is None:
        return Refused("without two steps")
    draft = Draft(title, description, instructions)
    # What was cut away is read too: it may be what a planted step is for.
    whole = "\n".join((given_title, given_description, given_instructions))
    return _harm(draft, whole, context) or draft


def _answered(answer: str) -> dict[str, object] | None:
    found = json_in(answer)
    try:
        raw = read_json(found) if found else None
    except ValueError:
        return None
    return raw if isinstance(raw, dict) else None


def _harm(draft: Draft, whole: str, context: DraftContext) -> Refused | None:
    written = skill_document("skill", draft.title, draft.description, draft.instructions)
    for text in (whole, written):
        if has_secret(text) or context.redact(text) != text:
            return Refused("a secret")
    if hidden_characters(whole):
        return Refused("hidden characters")
    replays = _replays(draft, whole, context)
    if replays:
        return Refused("a replay", ", ".join(one.shown for one in replays))
    for text in (whole, written):
        found = scan_skill_text(text)
        if verdict_of(found) == "danger":
            return Refused("dangerous", found[0].code)
        if context.tainted and (found or encoded_blobs(text)):
            return Refused("a warning, after reading", found[0].code if found else "encoded")
    if context.tainted:
        return _untyped_address(whole, context)
    return None


def _replays(draft: Draft, whole: str, context: DraftContext) -> tuple[Specific, ...]:
    """Two or more specifics of the steps that the person never typed; or a title of one time."""
    steps = [text for step in context.steps for text in _texts(step)]
    found = list(replayed(whole, [*steps, context.folder], context.said))
    folder = path_of(context.folder)
    named = [one for one in specifics_in(whole) if one.kind == "path"]
    if folder and any(one.plain == folder for one in named):
        found += [one for one in named if one.plain == folder and one not in found]
    if len({one.plain for one in found}) >= _REPLAYED:
        return tuple(found)
    called = [
        one
        for one in specifics_in(f"{draft.title}. {draft.description}")
        if one.kind in ("path", "mail", "number", "date")
    ]
    if called:
        return tuple(called)
    known = {one.plain for text in (*steps, *context.said) for one in specifics_in(text)}
    once = [one for one in specifics_in(whole) if one.kind in _OF_ONE_TIME and one.plain in known]
    return tuple(once) if len({one.plain for one in once}) >= _ONE_TIME else ()


def _texts(step: Step) -> list[str]:
    return [step.summary, *_strings(step.input)]


def _strings(value: object, depth: int = 0) -> list[str]:
    """Every text in a step's input, down to four levels."""
    if isinstance(value, str):
        return [value[:4_000]]
    if depth >= 4:
        return []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in list(inner)[:200] for text in _strings(one, depth + 1)]


def _untyped_address(whole: str, context: DraftContext) -> Refused | None:
    """Any address the person didn't type: it is what a planted step needs most."""
    untyped = [one for one in never_typed(whole, context.said) if one.kind != "number"]
    typed = {one.plain for text in context.said for one in specifics_in(text)}
    for one in specifics_in(whole):
        if one.kind in ("address", "mail") and one.plain not in typed:
            if any(known.startswith(f"{one.plain}/") for known in typed):
                continue
            return Refused("an address, after reading", one.shown)
    if untyped:
        return Refused("an address, after reading", untyped[0].shown)
    return None
