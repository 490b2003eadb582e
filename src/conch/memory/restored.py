"""Memories out of a backup, made this home's own: what holds one back is believed, what frees it
is not (design.md, promise 3)."""

from __future__ import annotations

from conch.home.files import read_bytes, write_atomic
from conch.home.home import Home
from conch.memory.by_hand import Surroundings, changed_by_hand
from conch.memory.copies import copy_of, file_name_of, original_of, sealed_original_of
from conch.memory.document import Unreadable
from conch.memory.memories import Memories
from conch.memory.memory import Memory
from conch.memory.reading import stamps
from conch.memory.sealed import from_bytes, to_bytes


def take_over(home: Home) -> list[Memory]:
    """Judge and seal every memory in `home`, a restore's staging folder that holds this home's key.

    A file this very home sealed stays as it is to the byte. Any other goes through the memory
    check. Gives the live memories; one that can't be read is set aside in `home` and said there.
    Raises OSError.
    """
    home.seal.fresh = True
    memories = Memories(home, home.clock)
    live = memories.all()
    for path in sorted(home.superseded / name for name in stamps(home.superseded)):
        data = read_bytes(path)
        try:
            if not sealed_original_of(data, home.seal):
                write_atomic(path, _sealed_copy(home, data, path.stem))
        except Unreadable:
            continue
    return live


def _sealed_copy(home: Home, copy: bytes, name: str) -> bytes:
    """A copy of what used to be true, of an original judged as a live file is.

    As it was when the check would hold it: such a one is left out wherever copies are read.
    """
    original, ended = original_of(copy), from_bytes(copy)
    claimed = from_bytes(original)
    around = Surroundings(home.clock.now(), claimed.id or name, None, fresh_key=True)
    memory = changed_by_hand(claimed, around)
    if memory.held is not None or ended.invalid_at is None:
        return copy
    sealed = to_bytes(memory, home.seal, original)
    return copy_of(sealed, ended.invalid_at, ended.superseded_by, home.seal, file_name_of(copy))
