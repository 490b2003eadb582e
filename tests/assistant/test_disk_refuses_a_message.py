"""The disk refuses a message, at whichever write: it is kept whole, or said not to be."""

import errno

import pytest

from conch.assistant.attached import Attachment
from conch.assistant.beginning import NOT_KEPT
from conch.chats.events import LeftOut, PersonMessage, TaintMarked
from conch.home import files
from conch.home.errors import ConchError
from wire.answers import says
from wire.server import StubServer

APPEND, WRITE = files.Appending.append, files.write_atomic
FILES = {
    "no file": (),
    "a text": (Attachment("a.txt", "text/plain", text="From elsewhere."),),
    "an image": (Attachment("a.png", "image/png", data=b"\x89PNG\r\n\x1a\n"),),
    "two images and a text": (
        Attachment("a.png", "image/png", data=b"\x89PNG\r\n\x1a\na"),
        Attachment("b.png", "image/png", data=b"\x89PNG\r\n\x1a\nb"),
        Attachment("c.txt", "text/plain", text="From elsewhere."),
    ),
}


@pytest.fixture
def full(monkeypatch):
    """Makes the disk refuse every write after the first so many."""

    def full(after: int) -> None:
        left = [after]

        def room() -> None:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")

        def append(self, line):
            room()
            APPEND(self, line)

        def write(path, *rest):
            room()
            WRITE(path, *rest)

        monkeypatch.setattr(files.Appending, "append", append)
        monkeypatch.setattr("conch.assistant.attached.write_atomic", write)

    return full


@pytest.fixture
def seeing(living):
    """An engine that is sent images."""
    with StubServer() as stub:
        stub.engine(living.home, "openai")
        stub.otherwise = says("I see.")
        living.home.change_settings(
            lambda all: all.model_copy(
                update={
                    "engines": {"openai": all.engines["openai"].model_copy(update={"images": True})}
                }
            )
        )
        living.start()
        yield stub


@pytest.mark.parametrize("sent", FILES.values(), ids=FILES)
@pytest.mark.parametrize("after", range(6))
@pytest.mark.parametrize("edits", [False, True], ids=["new words", "edited words"])
async def test_a_message_is_kept_whole_or_said_not_to_be(living, seeing, full, sent, after, edits):
    chat = await living.say("What is this?")
    log = living.conch.chats.log(chat)
    before = log.events()
    left_out = LeftOut(from_seq=2, why="edited") if edits else None
    full(after)
    told = ""
    try:
        turn = living.conch.assistant.turn(chat, "And this?", files=sent, left_out=left_out)
        async for _ in turn:
            pass
    except ConchError as error:
        told = error.kept
    new = log.events()[len(before) :]
    messages = [one for one in new if isinstance(one, PersonMessage)]
    if not messages:
        assert told == NOT_KEPT
        assert new == []
        return
    assert told != NOT_KEPT
    assert len([one for one in new if isinstance(one, LeftOut)]) == int(edits)
    assert len([one for one in new if isinstance(one, TaintMarked)]) == len(sent)
    kept = living.home.chats / chat / "files"
    for file in messages[0].files:
        assert not file.image or (kept / file.image).is_file()
    assert [file.name for file in messages[0].files] == [file.name for file in sent]


async def test_after_room_was_made_the_same_words_are_taken(living, seeing, full, monkeypatch):
    chat = await living.say("What is this?")
    full(0)
    with pytest.raises(ConchError, match=NOT_KEPT):
        await living.say("And this?", chat=chat)
    monkeypatch.undo()
    await living.say("And this?", chat=chat)
    assert living.last.outcome == "success"


async def test_a_reply_the_disk_refuses_is_no_fault_of_the_engine(living, seeing, full):
    chat = await living.say("What is this?")
    full(1)
    with pytest.raises(ConchError) as told:
        await living.say("And this?", chat=chat)
    assert str(told.value).startswith("Your disk refused the rest: No space left on device. Your m")
