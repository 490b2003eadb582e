"""Skills and offers as the web app shows them."""

from __future__ import annotations

from collections.abc import Sequence

from conch.app import Conch
from conch.assistant.skills_in_chat import in_chat
from conch.chats.events import Event, PersonMessage
from conch.guard.permissions import UNDECLARED, Permissions, held_together
from conch.guard.skill_scan import SkillScan
from conch.skills.document import skill_document
from conch.skills.folders import DOCUMENT, read_folder
from conch.skills.library import Skill
from conch.skills.offers import Offer
from conch.skills.usage import Use
from conch.skills.wording import Preview, instructions_in, words_hash_of
from conch.web.skill_shapes import (
    ChatSkills,
    MayDo,
    OfferItem,
    SkillFinding,
    SkillInChat,
    SkillLine,
    SkillPreview,
    SkillView,
)

_FINDINGS = 50


def may_of(permissions: Permissions) -> list[MayDo]:
    """What a list allows, line by line."""
    said = zip(permissions.said(), permissions.in_words(), strict=True)
    return [MayDo(may=may, names=list(names), in_words=words) for (may, names), words in said]


def findings_of(scan: SkillScan) -> list[SkillFinding]:
    return [SkillFinding(**vars(one)) for one in scan.findings[:_FINDINGS]]


def skill_line(skill: Skill, use: Use) -> SkillLine:
    """A skill as a list shows it."""
    return SkillLine(
        source=skill.source,
        name=skill.folder.name,
        id=skill.id,
        title=skill.title,
        description=skill.description,
        chosen=skill.chosen,
        mode=skill.mode,
        why_off=skill.why_off,
        verdict=skill.scan.verdict,
        signed=skill.signature.state,
        used=use.used,
        times=use.times,
        origin=use.origin,
    )


def skill_view(conch: Conch, skill: Skill) -> SkillView:
    """A skill's page."""
    files = read_folder(skill.folder).files
    return SkillView(
        **skill_line(skill, conch.skills.usage.of(skill.id)).model_dump(),
        instructions=instructions_in(skill.instructions),
        document=files.get(DOCUMENT, b"").decode("utf-8", "replace"),
        words_hash=skill.hash,
        declares=skill.allowed is not None,
        permissions=skill.permissions.spelled(),
        may=may_of(skill.permissions),
        findings=findings_of(skill.scan),
        problems=list(skill.problems),
        signature=skill.signature.why,
        files=sorted(files),
    )


def offer_hash(offer: Offer) -> str:
    """The hash of exactly what saving an offer as it is would write."""
    text = skill_document(
        "draft", offer.title, offer.description, offer.instructions, offer.permissions
    )
    return words_hash_of(text)


def offer_item(conch: Conch, offer: Offer, events: Sequence[Event]) -> OfferItem:
    """An offer, as it stands; `events` are its chat's."""
    said = [one.at for one in events if isinstance(one, PersonMessage) and one.at]
    return OfferItem(
        id=offer.id,
        chat=offer.chat,
        chat_title=offer.chat_title,
        chat_there=conch.chats.find(offer.chat) is not None,
        at=offer.at,
        ended_seq=offer.ended_seq,
        signal=offer.signal,
        steps=offer.steps,
        chats=offer.chats,
        title=offer.title,
        description=offer.description,
        instructions=offer.instructions,
        permissions=offer.permissions,
        may=may_of(Permissions.read(offer.permissions or "none")),
        note=offer.note,
        written_since=any(at > offer.at for at in said),
        words_hash=offer_hash(offer),
    )


def preview_item(preview: Preview) -> SkillPreview:
    return SkillPreview(
        name=preview.name,
        document=preview.text,
        words_hash=preview.words_hash,
        problems=list(preview.problems),
        may=may_of(preview.permissions),
        verdict=preview.scan.verdict,
        findings=findings_of(preview.scan),
    )


def chat_skills(events: Sequence[Event]) -> ChatSkills:
    """The skills a chat is held to, with their lists as they were when they were used."""
    used = in_chat(events)
    lists = [
        UNDECLARED if one.permissions is None else Permissions.read(one.permissions or "none")
        for one in used
    ]
    held = held_together(lists)
    return ChatSkills(
        skills=[
            SkillInChat(id=one.skill, title=one.title, by=one.by, may=may_of(allowed))
            for one, allowed in zip(used, lists, strict=True)
        ],
        may=may_of(held) if held is not None else [],
    )
