"""Signed skills: Ed25519 over the skill's name, the hash of its folder and the signer's name.

A signature says who vouches for a folder, byte for byte. It says nothing about whether that is
good: the scan reads a signed skill like any other. Trust is in keys, and only a person gives it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from conch.guard.near_names import could_be_taken_for
from conch.home.errors import ConchError, Damaged
from conch.home.json_values import read_json
from conch.skills.folders import SIGNATURE, Folder

State = Literal["unsigned", "verified", "unknown", "lookalike", "broken"]
KEY_PREFIX = "conch-key:"
_PURPOSE = "conch skill 1"
_LONGEST_NAME = 60
_LONGEST_FILE = 4_096


@dataclass(frozen=True)
class Signer:
    """Somebody's public key, and the name it goes by here."""

    name: str
    key: str

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.key)


@dataclass(frozen=True)
class Signature:
    """What a skill's signature came to.

    `signer` is the name it gives itself (of a trusted key: the name the person gave it), `key` its
    public key as text, `like` what a look-alike could be taken for. `why` is for the person.
    """

    state: State = "unsigned"
    signer: str = ""
    key: str = ""
    like: str = ""
    why: str = ""

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.key) if self.key else ""


UNSIGNED = Signature(why="Nobody signed it.")


@dataclass(frozen=True)
class Trusted:
    """Who and what a signature is read against: trusted `signers`, and the `skills` whose names a
    stranger's skill must not be taken for."""

    signers: Sequence[Signer] = ()
    skills: Sequence[str] = ()


def fingerprint(key: str) -> str:
    """A public key in a form two people can compare: eight groups of four."""
    digits = hashlib.sha256(_key_bytes(key)).hexdigest()[:32]
    return " ".join(digits[at : at + 4] for at in range(0, 32, 4))


def new_secret() -> bytes:
    """A new signing key, 32 bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_key(secret: bytes) -> str:
    """The public key of a signing key, as text to hand to others: `conch-key:…`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return KEY_PREFIX + base64.urlsafe_b64encode(public).decode().rstrip("=")


def read_key(text: str) -> str:
    """A public key as somebody typed it, in its one spelling. Raises ConchError."""
    try:
        data = _key_bytes(text.strip())
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != 32:
        raise ConchError("That is no key.", "Nobody was trusted.", f"One starts with {KEY_PREFIX}")
    return KEY_PREFIX + base64.urlsafe_b64encode(data).decode().rstrip("=")


def signed(name: str, folder: Folder, signer: str, secret: bytes) -> bytes:
    """The bytes of `SKILL.sig` for a skill. Raises ConchError where not all of it was read."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not folder.read_whole:
        raise ConchError(
            f"“{name}” holds links, or files too large or too deep for a signature.",
            "It was not signed.",
            "Take them out first.",
        )
    message = _message(name, folder.signed_hash, signer)
    made = Ed25519PrivateKey.from_private_bytes(secret).sign(message)
    fields = {
        "version": 1,
        "signer": signer,
        "key": public_key(secret),
        "signature": base64.b64encode(made).decode(),
    }
    return json.dumps(fields, ensure_ascii=False, indent=2).encode() + b"\n"


def read_signature(name: str, folder: Folder, trusted: Trusted) -> Signature:
    """What the signature of a skill called `name` came to. Never raises."""
    data = folder.files.get(SIGNATURE)
    if data is None:
        return _like_a_skill(name, trusted, UNSIGNED)
    claimed = _claimed(data)
    if claimed is None:
        return Signature("broken", why="Its signature can't be read.")
    signer, key, made = claimed
    if not folder.read_whole:
        why = "It holds links, or files too large or too deep for a signature to stand for."
        return Signature("broken", signer, key, why=why)
    if not _fits(key, made, _message(name, folder.signed_hash, signer)):
        why = f"Its signature is broken: something changed after “{signer}” signed it."
        return Signature("broken", signer, key, why=why)
    known = next((one for one in trusted.signers if one.key == key), None)
    if known is not None:
        return Signature("verified", known.name, key, why=f"Signed by {known.name}, as it is.")
    for one in trusted.signers:
        if could_be_taken_for(signer, one.name):
            why = f"Its signer calls itself “{signer}” and is not the {one.name} you trust."
            return Signature("lookalike", signer, key, one.name, why)
    stranger = Signature(
        "unknown", signer, key, why=f"Signed by “{signer}”, whose key you haven't trusted."
    )
    return _like_a_skill(name, trusted, stranger)


def _like_a_skill(name: str, trusted: Trusted, otherwise: Signature) -> Signature:
    for known in trusted.skills:
        if could_be_taken_for(name, known):
            same = "It has the name of" if name == known else "Its name could be taken for"
            why = f"{same} “{known}”, a skill you have, and it isn't signed like it."
            return Signature("lookalike", otherwise.signer, otherwise.key, known, why)
    return otherwise


def _claimed(data: bytes) -> tuple[str, str, bytes] | None:
    """The signer's name, key and signature that a file claims; None for what is none."""
    if len(data) > _LONGEST_FILE:
        return None
    try:
        raw = read_json(data)
        if not isinstance(raw, dict) or raw.get("version") != 1:
            return None
        signer, key, made = (raw.get(name) for name in ("signer", "key", "signature"))
        if not (isinstance(signer, str) and isinstance(key, str) and isinstance(made, str)):
            return None
        plain = " ".join(signer.split())
        if plain != signer or not 0 < len(signer) <= _LONGEST_NAME or not signer.isprintable():
            return None
        return signer, read_key(key), base64.b64decode(made, validate=True)
    except (ValueError, ConchError, Damaged, RecursionError):
        return None


def _fits(key: str, made: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(_key_bytes(key)).verify(made, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _message(name: str, hash: str, signer: str) -> bytes:
    return json.dumps([_PURPOSE, name, hash, signer], ensure_ascii=True).encode()


def _key_bytes(text: str) -> bytes:
    plain = text.removeprefix(KEY_PREFIX)
    return base64.b64decode(plain + "=" * (-len(plain) % 4), altchars=b"-_", validate=True)
