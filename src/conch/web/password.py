"""The gateway's password: needed where more than this computer can reach it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from pydantic import BaseModel, ConfigDict

from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.store import Store

AT_LEAST = 10
"""Characters of a password."""
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1
_MEMORY = 64 * 1024 * 1024


class _Kept(BaseModel):
    model_config = ConfigDict(extra="allow")

    salt: str = ""
    hash: str = ""
    cost: int = _COST


class Password:
    """The password of one home, kept as a salted scrypt hash in `keys/web-password.json`."""

    def __init__(self, home: Home) -> None:
        self._store = Store(home.keys / "web-password.json", _Kept, home.notes)

    @property
    def is_set(self) -> bool:
        return bool(self._store.load().hash)

    def set(self, password: str) -> None:
        """Set it. Raises ConchError when it is too short to keep strangers out."""
        if len(password) < AT_LEAST:
            raise ConchError(
                f"A password has at least {AT_LEAST} characters.", "Nothing changed.", "Try again."
            )
        salt = secrets.token_bytes(16)
        self._store.save(
            _Kept(salt=_text(salt), hash=_text(_hash(password, salt, _COST)), cost=_COST)
        )

    def fits(self, password: str) -> bool:
        """Whether this is the password; takes about a tenth of a second. False when none is set."""
        kept = self._store.load()
        if not kept.hash:
            return False
        made = _hash(password, base64.b64decode(kept.salt), kept.cost)
        return hmac.compare_digest(made, base64.b64decode(kept.hash))


def _hash(password: str, salt: bytes, cost: int) -> bytes:
    words = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(words, salt=salt, n=cost, r=_BLOCK, p=_PARALLEL, maxmem=_MEMORY)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
