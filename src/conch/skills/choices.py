"""What a person chose for each skill (`skill-modes.json`), and whether it counts as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from conch.guard.skill_scan import SkillScan
from conch.skills.signatures import Signature

Mode = Literal["auto", "manual", "off"]
OWN = "own"


class Choice(BaseModel):
    """What the person chose for one skill; `pinned` and `looked_at` are folder hashes.

    `pinned`: the version it was turned on in, for another app's and a signed skill; "" where the
    person may change it by hand. `signer`: the trusted key that had signed that version.
    `brought`: somebody else made it.
    """

    model_config = ConfigDict(extra="allow")

    mode: Mode
    pinned: str = ""
    looked_at: str = ""
    signer: str = ""
    brought: bool = False


class Choices(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    skills: dict[str, Choice] = Field(default_factory=dict)


def why_off(
    chosen: Mode,
    choice: Choice | None,
    source: str,
    problems: Sequence[str],
    scan: SkillScan,
    hash: str,
    signature: Signature,
) -> str:
    """Why a skill that was chosen to be used is off; "" where it isn't (spec 0058 §2, ADR 0031).

    An update signed by the key that had signed the version the person turned on carries on; by
    anyone else it does not.
    """
    if chosen == "off":
        return ""
    if problems:
        return f"It doesn't work: {problems[0]}"
    if signature.state == "broken":
        return signature.why
    choice = choice or Choice(mode=chosen)
    by_the_same = signature.state == "verified" and choice.signer == signature.key
    must_be_pinned = source != OWN or bool(choice.pinned)
    if must_be_pinned and choice.pinned != hash and not by_the_same:
        whom = " by someone else" if choice.signer else ""
        return f"It changed{whom} since you turned it on. Look at it and turn it on again."
    if scan.verdict == "danger" and choice.looked_at != hash:
        return "It looks dangerous. Look at it before you turn it on."
    if signature.state == "lookalike" and choice.looked_at != hash:
        return f"{signature.why} Look at it before you turn it on."
    return ""


def usual_mode(front: dict[str, Any], source: str) -> Mode:
    """How a skill nobody chose for is used: another app's is off, a hand-written one works."""
    if source != OWN:
        return "off"
    return "manual" if front.get("disable-model-invocation") is True else "auto"
