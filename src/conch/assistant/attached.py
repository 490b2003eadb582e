"""Files sent with a message: text goes beside the words, images go as images."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from conch.chats.events import AttachedFile, PersonMessage
from conch.engines.engine import Engine
from conch.engines.provider_engine import ProviderEngine
from conch.engines.providers import providers
from conch.home.files import make_folder, write_atomic
from conch.home.home import Home

_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


@dataclass(frozen=True)
class Attachment:
    """One file as it came: `text` of a text file, or the bytes of an image in `data`."""

    name: str
    media_type: str
    text: str = ""
    data: bytes = b""


def sees_images(engine: Engine, model: str = "") -> bool:
    """Whether images may be sent to this model ("": the engine's default): where the person said
    so, else at a provider's own address, to its models that are known to take them."""
    if not isinstance(engine, ProviderEngine):
        return False
    link = engine.connection
    if link.images is not None:
        return link.images
    row = providers().get(link.id)
    return row is not None and link.url == row.url and row.takes_images(model or link.default_model)


def keep_image(home: Home, chat: str, attachment: Attachment) -> str:
    """Keep an image beside the chat's log; gives its name there."""
    ending = _ENDINGS.get(attachment.media_type, "bin")
    name = f"{hashlib.sha256(attachment.data).hexdigest()[:32]}.{ending}"
    folder = home.chats / chat / "files"
    make_folder(folder)
    write_atomic(folder / name, attachment.data)
    return name


def kept_beside(home: Home, chat: str, files: Sequence[Attachment]) -> tuple[AttachedFile, ...]:
    """The files as a message in the log names them; their images are kept beside it."""
    return tuple(
        AttachedFile(
            name=file.name,
            media_type=file.media_type,
            text=file.text,
            image=keep_image(home, chat, file) if file.data else "",
        )
        for file in files
    )


def with_files(message: PersonMessage) -> str:
    """The person's words with the files they sent, fenced, as the engine reads them."""
    return "\n\n".join([message.text, *(_shown(file) for file in message.files)]).strip()


def _shown(file: AttachedFile) -> str:
    if file.image:
        return f"(image: {file.name})"
    fence = "```"
    while fence in file.text:
        fence += "`"
    return f"File {file.name}:\n{fence}\n{file.text.rstrip()}\n{fence}"
