"""Where a home's socket is, and whether it is this user's.

A path that is too long for a socket has it in a folder of its own in /tmp, where anyone may make
folders: what is sent through one that somebody else made first would be theirs to read.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
import tempfile
from pathlib import Path

from conch.home.errors import ConchError
from conch.home.files import read_bytes
from conch.home.home import Home

_LONGEST_ADDRESS = 100
"""Unix addresses end at 104 bytes on macOS and 108 on Linux."""
_PEER = struct.Struct("3i")
"""What Linux says of the other end: process, user, group."""


def standing_address(home: Home) -> Path | None:
    """Where the home's socket is, None when there is none.

    Raises ConchError when what is there was made by another user, or may be used by others.
    """
    file = home.socket_file
    try:
        found = file.lstat()
        if stat.S_ISSOCK(found.st_mode):
            address = file
        elif stat.S_ISREG(found.st_mode):
            address = Path(os.fsdecode(read_bytes(file)))
        else:
            raise _not_own(home, file)
        own = found.st_uid == os.getuid() and _is_own_socket(address.lstat())
        if not own or (address != file and not _is_own_folder(address.parent.lstat())):
            raise _not_own(home, address)
    except (OSError, ValueError):
        return None
    return address


def new_address(home: Home) -> Path:
    """Where a socket for this home can be made: in the home, or in a new folder of this user's."""
    file = home.socket_file
    if len(os.fsencode(file)) <= _LONGEST_ADDRESS:
        return file
    folder = Path(tempfile.mkdtemp(prefix="conch-", dir="/tmp"))
    if not _is_own_folder(folder.lstat()):
        raise _not_own(home, folder)
    return folder / file.name


def must_be_own_end(home: Home, connected: socket.socket) -> None:
    """Raises ConchError when another user answers at the other end, where the system says who.

    Between looking at a socket and connecting to it, another may have been put in its place.
    """
    asked = getattr(socket, "SO_PEERCRED", None)
    if asked is None:
        return
    _, user, _ = _PEER.unpack(connected.getsockopt(socket.SOL_SOCKET, asked, _PEER.size))
    if user != os.getuid():
        raise _not_own(home, home.socket_file)


def _is_own_socket(found: os.stat_result) -> bool:
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid()


def _is_own_folder(found: os.stat_result) -> bool:
    """Of this user, no link, and nobody else may look inside (0700)."""
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return mine and not stat.S_IMODE(found.st_mode) & 0o077


def _not_own(home: Home, place: Path) -> ConchError:
    return ConchError(
        f"{place}, where the Conch of this home would answer, isn't yours alone.",
        "Nothing was sent there.",
        f"Stop the Conch that runs, remove {home.socket_file}, and start it again.",
    )
