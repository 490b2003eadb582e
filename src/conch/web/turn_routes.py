"""Routes about turns: send, try again, edit and send again, listen again, stop, allow."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from fastapi import APIRouter
from starlette.responses import Response

from conch.assistant.attached import Attachment
from conch.chats.events import LeftOut, PersonMessage, StartSummarised
from conch.web.chat_routes import the_head
from conch.web.chat_shapes import (
    Allowed,
    AttachedFile,
    AttachedImage,
    Stopped,
    TurnAsked,
)
from conch.web.events import ServerSentEvents
from conch.web.gateway import Gateway, Here
from conch.web.problems import Refused
from conch.web.running import RunningTurn
from conch.web.turn_stream import HEADERS

router = APIRouter(prefix="/api/chats/{chat}", tags=["turns"])

_STREAM = {200: {"content": {"text/event-stream": {}}, "description": "AI SDK UI messages"}}

_NONE = {204: {"description": "No reply is being written"}}


def _streamed(turn: RunningTurn) -> Response:
    return ServerSentEvents(turn.frames(), headers=HEADERS)


@router.post("/turn", response_class=ServerSentEvents, responses={**_STREAM})
async def send_turn(here: Here, chat: str, asked: TurnAsked) -> Response:
    """Answer a message; with `edits`, in place of an earlier one and all that came after it."""
    the_head(here, chat)
    files = [_attachment(file) for file in asked.files]
    left_out = None
    if asked.edits is not None:
        left_out = _left_out(here, chat, asked.edits, "edited")
        sent = _sent_files(here, chat, here.reader.message(chat, asked.edits))
        files = [sent[at] for at in asked.keep_files if at < len(sent)] + files
    return _streamed(here.turns.start(chat, asked.words, files, left_out))


@router.post("/retry", response_class=ServerSentEvents, responses={**_STREAM})
async def retry_turn(here: Here, chat: str) -> Response:
    """Send the last message again; the reply it got is left out of what is sent on."""
    head = the_head(here, chat)
    message = here.reader.message(chat, head.last_person_seq)
    if message is None:
        raise Refused(409, "Nothing was said here yet.", "Nothing was sent.")
    files = _sent_files(here, chat, message)
    left_out = _left_out(here, chat, message.seq, "retried")
    return _streamed(here.turns.start(chat, message.text, files, left_out))


@router.get(
    "/stream",
    response_class=ServerSentEvents,
    responses={**_STREAM, **_NONE},
)
async def resume_turn(here: Here, chat: str) -> Response:
    """The turn that is running, from its start; 204 when none is."""
    the_head(here, chat)
    turn = here.turns.get(chat)
    return _streamed(turn) if turn is not None else Response(status_code=204)


@router.post("/stop")
async def stop_turn(here: Here, chat: str) -> Stopped:
    """Stop the reply; what was said so far stays."""
    the_head(here, chat)
    return Stopped(was_running=here.conch.assistant.stop(chat))


@router.post("/allow", status_code=204)
async def allow_step(here: Here, chat: str, answer: Allowed) -> Response:
    """The person's answer to a step the assistant asked for."""
    the_head(here, chat)
    here.conch.assistant.answer(chat, answer.approval, answer.allowed)
    return Response(status_code=204)


def _left_out(here: Gateway, chat: str, seq: int, why: str) -> LeftOut:
    """Leave out everything from this message on. Raises Refused where that can't be done."""
    if here.reader.message(chat, seq) is None:
        raise Refused(404, "There is no such message of yours.", "Nothing was sent.")
    events = here.reader.events(chat)
    if any(isinstance(event, StartSummarised) and event.before > seq for event in events):
        raise Refused(
            409,
            "That message is in the part of the chat that was summarised.",
            "Nothing was sent.",
            "Write it as a new message.",
        )
    return LeftOut(from_seq=seq, why="edited" if why == "edited" else "retried")


def _attachment(file: AttachedFile) -> Attachment:
    name = file.name.replace("/", "_").replace("\\", "_")
    if not isinstance(file, AttachedImage):
        return Attachment(name, file.media_type, file.text)
    try:
        data = base64.b64decode(file.data, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not _looks_like(data, file.media_type):
        raise Refused(422, f"“{file.name}” isn't the image it says it is.", "Nothing was sent.")
    return Attachment(name, file.media_type, data=data)


_BEGINS: dict[str, Sequence[bytes]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}


def _looks_like(data: bytes, media_type: str) -> bool:
    return any(data.startswith(begin) for begin in _BEGINS[media_type])


def _sent_files(here: Gateway, chat: str, message: PersonMessage | None) -> list[Attachment]:
    """The files of a message that was sent, to send them once more."""
    return [
        Attachment(file.name, file.media_type, file.text, _image(here, chat, file.image))
        for file in (message.files if message else ())
    ]


def _image(here: Gateway, chat: str, name: str) -> bytes:
    path = here.conch.home.chats / chat / "files" / name
    return path.read_bytes() if name and path.is_file() else b""
