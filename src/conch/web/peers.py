"""Whether a connection comes from a process that this one started: a command, or an app.

Sealed commands share the computer's network until their chat read something from outside, so they
can reach the gateway's port. Their requests get no answer, whatever they carry.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_TABLES = ("net/tcp", "net/tcp6")

Address = tuple[str, int]


def comes_from_below(peer: Address, here: Address, process: int | None = None) -> bool:
    """Whether the other end (`peer`) of a connection to `here` is held by a descendant of `process`
    (default: this one).

    A descendant that hides what it holds counts as the one that holds it, unless another process
    does. False where the system does not tell (no /proc) and for another computer's connection.
    """
    below = _descendants(process or os.getpid())
    if not below:
        return False
    inode = _inode(peer, here)
    if inode is None:
        return False
    if inode == 0:  # Its other end is closed already: nobody waits for an answer.
        return True
    held = [_holds(one, inode) for one in below]
    if True in held:
        return True
    return None in held and not _held_elsewhere(inode, below)


def _descendants(process: int) -> set[int]:
    """Every process that this one, or one it started, has started."""
    parents: dict[int, int] = {}
    for one in _processes():
        try:
            status = (_PROC / str(one) / "stat").read_text(errors="replace")
            parents[one] = int(status.rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    found: set[int] = set()
    new = {process}
    while new:
        new = {one for one, parent in parents.items() if parent in new} - found
        found |= new
    return found


def _processes() -> Iterator[int]:
    try:
        names = [one.name for one in _PROC.iterdir()]
    except OSError:
        return
    yield from (int(name) for name in names if name.isdigit())


def _inode(local: Address, remote: Address) -> int | None:
    """The socket at a connection's `local` end; None when it is not on this computer."""
    wanted = (_plain(local), _plain(remote))
    for table in _TABLES:
        try:
            lines = (_PROC / "self" / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            parts = line.split()
            if len(parts) > 9 and (_read(parts[1]), _read(parts[2])) == wanted:
                return int(parts[9])
    return None


def _plain(address: Address) -> Address:
    host, port = address
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found), port


def _read(written: str) -> Address:
    """An address as the kernel's table writes it: words of four bytes, each in its own order."""
    host, _, port = written.partition(":")
    data = bytes.fromhex(host)
    data = b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))
    return _plain((str(ipaddress.ip_address(data)), int(port, 16)))


def _holds(process: int, inode: int) -> bool | None:
    """Whether a process holds a socket; None when it does not let itself be asked."""
    wanted = f"socket:[{inode}]"
    folder = _PROC / str(process) / "fd"
    try:
        links = list(folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        return None
    for link in links:
        try:
            if str(link.readlink()) == wanted:
                return True
        except OSError:
            continue
    return False


def _held_elsewhere(inode: int, below: set[int]) -> bool:
    return any(_holds(one, inode) for one in _processes() if one not in below)
