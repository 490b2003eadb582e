"""Verbs about skills: the list, offers and the person's answers, the shelf, bringing one in."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, flag, text, the_chat
from conch.guard.permissions import Permissions
from conch.home.errors import ConchError
from conch.skills.folders import DOCUMENT
from conch.skills.library import IN_WORDS, Mode, Skill
from conch.skills.offers import Offer
from conch.skills.signatures import Signer

SIGNALS = {
    "verified": "The task was checked, and it worked.",
    "routine": "The routine ran well.",
    "thanks": "You said it worked.",
    "long": "It took many steps, and it worked.",
    "habit": "You asked for the same in several chats.",
}


async def listing(conch: Conch, args: dict[str, Any]) -> Items:
    """Every skill; with `off` only those that are off."""
    usage = conch.skills.usage.all()
    for skill in conch.skills.library.skills():
        if flag(args, "off") and skill.mode != "off":
            continue
        use = usage.get(skill.id)
        yield {**skill_item(skill), "used": use.used.isoformat() if use and use.used else None}


async def offers(conch: Conch, args: dict[str, Any]) -> Items:
    """What waits for the person; chats that ended lately are looked at first."""
    await conch.skills.sweep()
    await conch.skills.habits.consider()
    for number, offer in enumerate(conch.skills.offers.open(), start=1):
        yield {**offer_item(offer), "number": number}


async def here(conch: Conch, args: dict[str, Any]) -> Items:
    """The offer a chat earned, where one waits; with `now` its end is looked at first."""
    chat = text(args, "chat")
    if flag(args, "now"):
        await conch.skills.proposing.consider(chat)
    offer = conch.skills.offer_in(chat)
    if offer is not None:
        yield offer_item(offer)


async def look(conch: Conch, args: dict[str, Any]) -> Items:
    """An offer's draft, or a skill, as it stands; looking changes nothing."""
    reference = text(args, "reference", "1")
    try:
        yield offer_item(conch.skills.offers.get(reference))
    except ConchError:
        if not reference or reference.isdecimal():
            raise
        yield skill_item(conch.skills.library.find(reference))


async def show(conch: Conch, args: dict[str, Any]) -> Items:
    """A skill as it stands, and what came of each of its uses, newest first."""
    skill = conch.skills.library.find(text(args, "skill"))
    came = await asyncio.to_thread(conch.skills.outcomes, skill.id)
    titles = {head.id: head.title for head in conch.chats.heads()}
    uses = [
        {
            "at": one.at.isoformat() if one.at else None,
            "chat": chat,
            "chat_title": titles.get(chat, ""),
            "by": one.by,
            "came": one.came,
            "went_well": one.went_well,
        }
        for chat, one in came
    ]
    yield {**skill_item(skill), "uses": uses}


async def compare(conch: Conch, args: dict[str, Any]) -> Items:
    """A skill beside the chat that used it last; nothing is changed."""
    skill = conch.skills.library.find(text(args, "skill"))
    chat, found = await asyncio.to_thread(conch.skills.compared, skill)
    head = conch.chats.find(chat)
    yield {
        "type": "comparison",
        "skill": skill.id,
        "title": skill.title,
        "chat": chat,
        "chat_title": head.title if head else "",
        "same": found.same,
        "lines": [vars(one) for one in found.lines],
        "steps": [vars(one) for one in found.steps],
    }


async def save(conch: Conch, args: dict[str, Any]) -> Items:
    """The person saves a draft; `title` where they gave it another."""
    mode = _mode(args, "manual")
    reference = text(args, "reference", "1")
    yield skill_item(conch.skills.offers.save(reference, title=text(args, "title", ""), mode=mode))


async def not_now(conch: Conch, args: dict[str, Any]) -> Items:
    yield offer_item(conch.skills.offers.not_now(text(args, "reference", "1")))


async def never(conch: Conch, args: dict[str, Any]) -> Items:
    yield offer_item(conch.skills.offers.never(text(args, "reference", "1")))


async def shelf(conch: Conch, args: dict[str, Any]) -> Items:
    """Skills unused for two months; `action` "off" or "keep" for those of `ids` still there."""
    now = conch.home.clock.now()
    ids = [str(one) for one in args.get("ids") or ()]
    match text(args, "action", ""):
        case "off":
            found = conch.skills.shelf.turn_off(ids, now)
        case "keep":
            found = conch.skills.shelf.keep(ids, now)
        case _:
            found = conch.skills.shelf.unused(now)
    for skill in found:
        yield skill_item(skill)


async def bring_in(conch: Conch, args: dict[str, Any]) -> Items:
    """Bring in a skill's folder or zip; it is off until the person turns it on."""
    skill = conch.skills.library.bring_in(_there(text(args, "path")))
    conch.skills.usage.came(skill.id, "imported")
    yield skill_item(skill)


async def update(conch: Conch, args: dict[str, Any]) -> Items:
    """Put another version of a skill in place of the one there."""
    yield skill_item(conch.skills.library.update(_there(text(args, "path"))))


def _there(given: str) -> Path:
    """The path. Raises ConchError when nothing is there."""
    path = Path(given)
    try:
        found = path.is_symlink() or path.exists()
    except OSError:
        found = False
    if not found:
        raise ConchError(
            f"There is nothing at {given}.", "Nothing was brought in.", "Is the path right?"
        )
    return path


async def sign(conch: Conch, args: dict[str, Any]) -> Items:
    """Sign a skill with the person's key; `name`: what they sign as."""
    library = conch.skills.library
    yield skill_item(library.sign(library.find(text(args, "skill")), text(args, "name", "")))


async def trust(conch: Conch, args: dict[str, Any]) -> Items:
    """Trust a public key under a name. Asked only by a command that made sure of the person."""
    yield signer_item(conch.skills.library.signers.trust(text(args, "key"), text(args, "name")))


async def trusted(conch: Conch, args: dict[str, Any]) -> Items:
    for signer in conch.skills.library.signers.trusted():
        yield signer_item(signer)


async def distrust(conch: Conch, args: dict[str, Any]) -> Items:
    """Trust a key no longer."""
    yield signer_item(conch.skills.library.signers.forget(text(args, "signer")))


async def edit(conch: Conch, args: dict[str, Any]) -> Items:
    """The person's new words for a skill. `hash`: the version they began from."""
    library = conch.skills.library
    skill = library.find(text(args, "skill"))
    if text(args, "hash") != skill.hash:
        raise ConchError(f"“{skill.title}” changed meanwhile.", "It is left as it is.")
    yield skill_item(library.edited(skill, text(args, "text")))


async def set_mode(conch: Conch, args: dict[str, Any]) -> Items:
    """How a skill is used. `hash`: the version whose scan the person has looked at, if they did."""
    library = conch.skills.library
    skill = library.find(text(args, "skill"))
    seen = text(args, "hash", "")
    if seen and seen != skill.hash:
        raise ConchError(f"“{skill.title}” changed meanwhile.", "It is as it was.", "Look again.")
    yield skill_item(library.set_mode(skill, _mode(args, "manual"), looked_at=bool(seen)))


async def stop(conch: Conch, args: dict[str, Any]) -> Items:
    """Take a skill out of a chat: it is no longer held to its list."""
    head = the_chat(conch, text(args, "chat", ""))
    skill = conch.skills.library.find(text(args, "skill"))
    if not conch.skills.in_chat.stop(head.id, skill.id):
        raise ConchError(f"“{skill.title}” isn't used in this chat.", "Nothing changed.")
    yield skill_item(skill)


def _mode(args: dict[str, Any], usual: Mode) -> Mode:
    match text(args, "mode", usual):
        case "auto":
            return "auto"
        case "manual":
            return "manual"
        case "off":
            return "off"
        case other:
            raise ConchError(f"“{other}” is no way to use a skill.", do="auto, manual or off.")


def skill_item(skill: Skill) -> dict[str, Any]:
    """A skill as JSON, with what it may do in words and what the scan says."""
    return {
        "type": "skill",
        "id": skill.id,
        "name": skill.name,
        "title": skill.title,
        "description": skill.description,
        "instructions": skill.instructions,
        "source": skill.source,
        "file": str(skill.folder / DOCUMENT),
        "mode": skill.mode,
        "mode_in_words": IN_WORDS[skill.mode],
        "why_off": skill.why_off,
        "problems": list(skill.problems),
        "may": skill.permissions.in_words(),
        "scan": skill.scan.verdict,
        "findings": [vars(one) for one in skill.scan.findings[:20]],
        "hash": skill.hash,
        "signed": {
            "state": skill.signature.state,
            "by": skill.signature.signer,
            "key": skill.signature.key,
            "fingerprint": skill.signature.fingerprint,
            "why": skill.signature.why,
        },
    }


def signer_item(signer: Signer) -> dict[str, Any]:
    """A trusted key as JSON."""
    return {
        "type": "signer",
        "name": signer.name,
        "key": signer.key,
        "fingerprint": signer.fingerprint,
    }


def offer_item(offer: Offer) -> dict[str, Any]:
    """An offer as JSON."""
    may = Permissions.read(offer.permissions or "none").in_words()
    return {
        "type": "offer",
        **offer.model_dump(mode="json", exclude={"saving", "state", "until", "key"}),
        "may": may,
        "why": SIGNALS.get(offer.signal, ""),
    }


VERBS: dict[str, Verb] = {
    "skills.list": listing,
    "skills.offers": offers,
    "skills.here": here,
    "skills.look": look,
    "skills.show": show,
    "skills.compare": compare,
    "skills.save": save,
    "skills.not_now": not_now,
    "skills.never": never,
    "skills.shelf": shelf,
    "skills.import": bring_in,
    "skills.update": update,
    "skills.edit": edit,
    "skills.sign": sign,
    "skills.trust": trust,
    "skills.trusted": trusted,
    "skills.distrust": distrust,
    "skills.set": set_mode,
    "skills.stop": stop,
}
