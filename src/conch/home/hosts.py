"""Whether two names are names of one computer."""

from __future__ import annotations

_LOCAL = (".localdomain", ".local", ".lan", ".home", ".home.arpa", ".fritz.box", ".internal")
"""What a network hangs on a computer's name while it is in it."""


def same_host(one: str, other: str) -> bool:
    """Whether both name one computer, whatever network it is in at the time.

    >>> same_host("Annas-Mac.local", "annas-mac")
    True
    >>> same_host("web.shop.example", "web.bank.example")
    False
    """
    one, other = _plain(one), _plain(other)
    if "." in one and "." in other:
        return one == other
    return one.partition(".")[0] == other.partition(".")[0]


def _plain(host: str) -> str:
    host = host.strip().rstrip(".").casefold()
    for end in _LOCAL:
        if host.endswith(end) and len(host) > len(end):
            return host.removesuffix(end)
    return host
