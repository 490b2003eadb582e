"""Routes about skills: the list, one skill, new, edit, bring in, offers, the shelf, in a chat."""

from __future__ import annotations

import asyncio
import base64
import binascii
import io
import tempfile
import zipfile
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from conch.home.errors import ConchError
from conch.skills.folders import DOCUMENT, read_folder
from conch.skills.habit_offers import SIGNAL
from conch.skills.library import OWN, Skill
from conch.skills.offers import Offer
from conch.skills.wording import Preview, Wording, edited_text, new_text, preview_of
from conch.web.chat_routes import the_head
from conch.web.gateway import Gateway, Here
from conch.web.problems import Refused, Standing, not_there
from conch.web.skill_shapes import (
    ChatSkills,
    ChatSkillStopped,
    ComparedLine,
    ComparedStep,
    NewSkill,
    OfferItem,
    OffersPage,
    ShelfAnswer,
    ShelfPage,
    SkillCompared,
    SkillEdit,
    SkillImport,
    SkillMode,
    SkillPreview,
    SkillPreviewAsked,
    SkillSeen,
    SkillsPage,
    SkillUse,
    SkillUses,
    SkillView,
    SkillWords,
)
from conch.web.skill_telling import (
    chat_skills,
    offer_hash,
    offer_item,
    preview_item,
    skill_line,
    skill_view,
)

router = APIRouter(prefix="/api", tags=["skills"])

_USES_SHOWN = 100
_CHANGED = "The words changed since you saw them."
_AGAIN = "Look at them again and press once more."


def _the_skill(here: Gateway, source: str, name: str, seen: str | None = None) -> Skill:
    """Refused: 404, or 409 when it isn't the version that was seen."""
    for skill in here.conch.skills.library.skills():
        if (skill.source, skill.folder.name) == (source, name):
            if seen is not None and seen != skill.hash:
                text = skill_view(here.conch, skill).document
                now = Standing(state=skill.mode, text=text, words_hash=skill.hash)
                raise Refused(409, _CHANGED, "Nothing changed.", _AGAIN, now=now)
            return skill
    raise not_there("skill")


def _the_offer(here: Gateway, offer: str) -> Offer:
    for one in here.conch.skills.offers.open():
        if one.id == offer:
            return one
    raise not_there("offer")


def _offer_item(here: Gateway, offer: Offer) -> OfferItem:
    there = here.conch.chats.find(offer.chat) is not None
    return offer_item(here.conch, offer, here.reader.events(offer.chat) if there else [])


@router.get("/skills")
async def list_skills(here: Here, show: Literal["all", "off"] = "all") -> SkillsPage:
    """The person's own skills, and other apps'; with `show` "off" those that are off."""
    usage = here.conch.skills.usage
    lines = [
        skill_line(skill, usage.of(skill.id))
        for skill in here.conch.skills.library.skills()
        if show == "all" or skill.mode == "off"
    ]
    return SkillsPage(
        own=[one for one in lines if one.source == OWN],
        others=[one for one in lines if one.source != OWN],
    )


@router.get("/skills/suggestions")
async def list_habits(here: Here) -> OffersPage:
    """Drafts from habits, the same request in three chats, newest first.

    They are looked for every few hours while nobody writes; asking for the list asks no model.
    """
    offers = [one for one in here.conch.skills.offers.open() if one.signal == SIGNAL]
    return OffersPage(offers=[_offer_item(here, one) for one in offers])


@router.get("/skills/suggestions/work")
async def list_offers(here: Here, chat: Annotated[str, Query(max_length=100)] = "") -> OffersPage:
    """Drafts from work that went well, newest first; with `chat` those that chat earned."""
    offers = [one for one in here.conch.skills.earned() if not chat or one.chat == chat]
    return OffersPage(offers=[_offer_item(here, one) for one in offers])


@router.get("/skills/suggestions/{offer}")
async def get_offer(here: Here, offer: str) -> OfferItem:
    return _offer_item(here, _the_offer(here, offer))


@router.post("/skills/suggestions/{offer}/save", status_code=201)
async def save_offer(here: Here, offer: str, given: SkillSeen) -> SkillView:
    """The person saves a draft as they saw it; this settles the offer."""
    one = _the_offer(here, offer)
    if offer_hash(one) != given.words_hash:
        now = Standing(state="open", text=one.instructions, words_hash=offer_hash(one))
        raise Refused(409, _CHANGED, "Nothing was saved.", _AGAIN, now=now)
    return skill_view(here.conch, here.conch.skills.offers.save(one.id))


@router.post("/skills/suggestions/{offer}/not-now")
async def put_off_offer(here: Here, offer: str) -> OfferItem:
    """Not now: it waits a month."""
    return _offer_item(here, here.conch.skills.offers.not_now(_the_offer(here, offer).id))


@router.post("/skills/suggestions/{offer}/never")
async def turn_down_offer(here: Here, offer: str) -> OfferItem:
    """Don't suggest this: for good, and work like it stays down."""
    return _offer_item(here, here.conch.skills.offers.never(_the_offer(here, offer).id))


@router.get("/skills/shelf")
async def get_shelf(here: Here) -> ShelfPage:
    """Skills Conch put there that weren't used in two months. Looking changes nothing."""
    return _shelf(here, here.conch.skills.shelf.unused(here.conch.home.clock.now()))


@router.post("/skills/shelf")
async def answer_shelf(here: Here, asked: ShelfAnswer) -> ShelfPage:
    """Turn them off or keep them: only those still on the shelf at this moment."""
    shelf, now = here.conch.skills.shelf, here.conch.home.clock.now()
    act = shelf.turn_off if asked.action == "off" else shelf.keep
    return _shelf(here, act(asked.skills, now))


def _shelf(here: Gateway, skills: tuple[Skill, ...]) -> ShelfPage:
    usage = here.conch.skills.usage
    return ShelfPage(skills=[skill_line(one, usage.of(one.id)) for one in skills])


@router.post("/skills/preview")
async def preview_skill(here: Here, asked: SkillPreviewAsked) -> SkillPreview:
    """What saving these words would write: checked, scanned, and what it may do. Saves nothing."""
    if asked.skill:
        return preview_item(_edit_preview(_the_skill(here, OWN, asked.skill), asked))
    return preview_item(_new_preview(here, asked))


@router.post("/skills", status_code=201)
async def new_skill(here: Here, given: NewSkill) -> SkillView:
    """Save a new skill with exactly the words that were previewed; `offer` is settled by it.

    One that looks dangerous is saved and off.
    """
    library, offers = here.conch.skills.library, here.conch.skills.offers
    preview = _seen(_new_preview(here, given), given.words_hash)
    mode = "off" if preview.scan.verdict == "danger" else given.mode
    words = _wording(given)
    parts = (words.title, words.description, words.instructions)
    if not given.offer:
        return skill_view(here.conch, library.save(*parts, words.allowed, mode, preview.name))
    offer = _the_offer(here, given.offer)
    skill = offers.save(
        offer.id,
        title=words.title,
        description=words.description,
        instructions=words.instructions,
        mode=mode,
    )
    if preview.permissions != skill.permissions:
        skill = library.edited(skill, preview.text)
    return skill_view(here.conch, skill)


@router.post("/skills/import", status_code=201)
async def import_skill(here: Here, given: SkillImport) -> SkillView:
    """Bring in a skill's folder or zip. It is off until the person turns it on."""
    called = given.name.replace("/", "_").replace("\\", "_").strip(".") or "skill"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "brought.zip"
        path.write_bytes(_decoded(given.zip) if given.zip else _packed(given))
        try:
            skill = here.conch.skills.library.bring_in(path)
        except ConchError as error:
            what = error.what.replace(str(path), called)
            raise Refused(422, what, error.kept, error.do) from None
    here.conch.skills.usage.came(skill.id, "imported")
    return skill_view(here.conch, skill)


@router.get("/skills/{source}/{name}")
async def get_skill(here: Here, source: str, name: str) -> SkillView:
    """One skill: its words, what it may do, the scan, how it is used."""
    return skill_view(here.conch, _the_skill(here, source, name))


@router.get("/skills/{source}/{name}/uses")
async def get_skill_uses(here: Here, source: str, name: str) -> SkillUses:
    """How each use of a skill went, newest first, as its chats' logs tell it."""
    skill = _the_skill(here, source, name)
    skills, chats = here.conch.skills, here.conch.chats
    came = (await asyncio.to_thread(skills.outcomes, skill.id))[:_USES_SHOWN]
    titles = {chat: head.title for chat, _ in came if (head := chats.find(chat))}
    return SkillUses(
        uses=[
            SkillUse(
                at=one.at,
                chat=chat,
                chat_title=titles.get(chat, ""),
                came=one.came,
                went_well=one.went_well,
            )
            for chat, one in came
        ]
    )


@router.get("/skills/{source}/{name}/compare")
async def compare_skill(here: Here, source: str, name: str) -> SkillCompared:
    """A skill beside the chat that used it last. Changes nothing."""
    skill = _the_skill(here, source, name)
    chat, found = await asyncio.to_thread(here.conch.skills.compared, skill)
    head = here.conch.chats.find(chat)
    return SkillCompared(
        chat=chat,
        chat_title=head.title if head else "",
        same=found.same,
        lines=[ComparedLine(**vars(one)) for one in found.lines],
        steps=[ComparedStep(**vars(one)) for one in found.steps],
    )


@router.post("/skills/{source}/{name}/edit")
async def edit_skill(here: Here, source: str, name: str, given: SkillEdit) -> SkillView:
    """New words for an own skill, as previewed; 409 when it changed since it was opened."""
    skill = _the_skill(here, source, name, given.seen)
    preview = _seen(_edit_preview(skill, given), given.words_hash)
    return skill_view(here.conch, here.conch.skills.library.edited(skill, preview.text))


@router.post("/skills/{source}/{name}/mode")
async def set_skill_mode(here: Here, source: str, name: str, given: SkillMode) -> SkillView:
    """Automatically, When I ask, or Off, for the version that was seen."""
    skill = _the_skill(here, source, name, given.words_hash)
    library = here.conch.skills.library
    return skill_view(here.conch, library.set_mode(skill, given.mode, looked_at=given.looked_at))


@router.post("/skills/{source}/{name}/delete", status_code=204)
async def delete_skill(here: Here, source: str, name: str, given: SkillSeen) -> Response:
    """Delete an own skill, as it was seen."""
    skill = _the_skill(here, source, name, given.words_hash)
    here.conch.skills.library.remove(skill)
    here.conch.skills.usage.forget(skill.id)
    return Response(status_code=204)


@router.get("/chats/{chat}/skills")
async def get_chat_skills(here: Here, chat: str) -> ChatSkills:
    """The skills this chat is held to, and what all of them allow."""
    the_head(here, chat)
    return chat_skills(here.reader.events(chat))


@router.post("/chats/{chat}/skills/stop")
async def stop_chat_skill(here: Here, chat: str, given: ChatSkillStopped) -> ChatSkills:
    """Stop a skill here: the chat is no longer held to its list."""
    the_head(here, chat)
    if not here.conch.skills.in_chat.stop(chat, given.skill):
        raise Refused(409, "That skill isn't used in this chat.", "Nothing changed.")
    return chat_skills(here.reader.events(chat))


def _wording(given: SkillWords) -> Wording:
    allowed = None if given.permissions is None else tuple(given.permissions)
    return Wording(given.title, given.description, given.instructions, allowed)


def _new_preview(here: Gateway, given: SkillWords) -> Preview:
    name = here.conch.skills.library.name_for(" ".join(given.title.split()))
    return preview_of(new_text(_wording(given), name), name)


def _edit_preview(skill: Skill, given: SkillWords) -> Preview:
    if not skill.own:
        raise Refused(409, f"“{skill.title}” belongs to {skill.source}.", "It is left as it is.")
    files = dict(read_folder(skill.folder).files)
    before = files.pop(DOCUMENT, b"").decode("utf-8", "replace")
    return preview_of(edited_text(before, _wording(given)), skill.folder.name, files)


def _seen(preview: Preview, words_hash: str) -> Preview:
    if preview.words_hash != words_hash:
        now = Standing(state="preview", text=preview.text, words_hash=preview.words_hash)
        raise Refused(409, _CHANGED, "Nothing was saved.", _AGAIN, now=now)
    if preview.problems:
        raise Refused(422, " ".join(preview.problems), "Nothing was saved.")
    return preview


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise Refused(422, "It can't be read.", "Nothing was brought in.") from None


def _packed(given: SkillImport) -> bytes:
    """A folder's files as a zip: one reader refuses what leads out, and what is too much."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in given.files:
            try:
                archive.writestr(zipfile.ZipInfo(file.path), _decoded(file.data))
            except (ValueError, UnicodeError):
                raise Refused(
                    422, "A file's name can't be read.", "Nothing was brought in."
                ) from None
    return packed.getvalue()
