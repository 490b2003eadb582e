"""Seals: a mark on bytes that only this home can make, and bytes that only this home can open."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path

from conch.home.errors import Damaged
from conch.home.files import make_folder, read_bytes, write_atomic

_KEY_LENGTH = 32
_NONCE_LENGTH = 12
_VERSION = b"conch1:"


class Seal:
    """The home's key, in `folder`/seal.key (0600), made when missing.

    `fresh` is True when the key was made just now: a seal found on an older file then proves
    nothing, and one that does not fit is no reason to blame the file.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "seal.key"
        make_folder(folder)
        key = read_bytes(self._file)
        self.fresh = len(key) != _KEY_LENGTH
        if self.fresh:
            if key:
                self._file.replace(self._file.with_name("seal.key.damaged"))
            key = secrets.token_bytes(_KEY_LENGTH)
            write_atomic(self._file, key)
        self._signing = _derived(key, b"sign")
        self._hiding = _derived(key, b"encrypt")

    def sign(self, data: bytes) -> str:
        """The seal of `data`: 64 hex digits (HMAC-SHA256)."""
        return hmac.new(self._signing, data, hashlib.sha256).hexdigest()

    def fits(self, data: bytes, seal: str) -> bool:
        """Whether `seal` is this home's seal of exactly `data`."""
        return hmac.compare_digest(self.sign(data).encode(), seal.encode("utf-8", "replace"))

    def encrypt(self, data: bytes) -> bytes:
        """`data` so that only this home can read it (AES-256-GCM)."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(_NONCE_LENGTH)
        return _VERSION + nonce + AESGCM(self._hiding).encrypt(nonce, data, _VERSION)

    def decrypt(self, data: bytes) -> bytes:
        """What `encrypt` was given. Raises Damaged when it was changed or is another home's."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        body = data.removeprefix(_VERSION)
        nonce, hidden = body[:_NONCE_LENGTH], body[_NONCE_LENGTH:]
        try:
            if body is data or len(body) < _NONCE_LENGTH:
                raise InvalidTag
            return AESGCM(self._hiding).decrypt(nonce, hidden, _VERSION)
        except InvalidTag:
            raise Damaged(
                "A sealed value does not open with this home's key.",
                "It is left as it is.",
                "Enter it again, or put back the key it was sealed with.",
            ) from None


def _derived(key: bytes, purpose: bytes) -> bytes:
    return hmac.new(key, b"conch:" + purpose, hashlib.sha256).digest()
