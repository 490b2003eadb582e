"""Whose signatures a person trusts (`skill-signers.json`), and the key they sign with themself."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from conch.guard.near_names import could_be_taken_for
from conch.home.errors import ConchError, Damaged
from conch.home.files import read_bytes, set_aside, write_atomic
from conch.home.home import Home
from conch.home.store import Store
from conch.skills.signatures import Signer, fingerprint, new_secret, public_key, read_key

LONGEST_NAME = 60


class _Kept(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    key: str
    since: datetime | None = None


class _Keys(BaseModel):
    model_config = ConfigDict(extra="allow")

    version: int = 1
    me: str = ""
    """The name the person signs with."""
    own: str = ""
    """Their public key; the secret one is sealed in `keys/`."""
    signers: list[_Kept] = Field(default_factory=list)


class Signers:
    """The keys one person trusts. Their own counts as trusted once it is made."""

    def __init__(self, home: Home) -> None:
        self._home = home
        # What cannot be read is trusted by nobody.
        self._store = Store(home.root / "skill-signers.json", _Keys, home.notes)
        self._file = home.keys / "skill-signing.sealed"

    def trusted(self) -> list[Signer]:
        """Every trusted key, the person's own first."""
        kept = self._store.load()
        own = [Signer(kept.me or "You", kept.own)] if kept.own else []
        return own + [Signer(one.name, one.key) for one in kept.signers]

    def trust(self, key: str, name: str) -> Signer:
        """Trust a public key under a name. Only a person's press leads here. Raises ConchError.

        A name that could be taken for one already trusted is refused: the two could no longer be
        told apart.
        """
        key, name = read_key(key), _name(name)
        for one in self.trusted():
            if one.key == key:
                raise ConchError(f"You trust this key already, as {one.name}.", "Nothing changed.")
            if could_be_taken_for(name, one.name):
                raise ConchError(
                    f"“{name}” could be taken for {one.name}, whom you trust.",
                    "Nobody was trusted.",
                    "Give this key another name.",
                )
        new = _Kept(name=name, key=key, since=self._home.clock.now())
        self._store.change(lambda kept: kept.model_copy(update={"signers": [*kept.signers, new]}))
        return Signer(name, key)

    def forget(self, reference: str) -> Signer:
        """Trust a key no longer: by its name or fingerprint. Raises ConchError."""
        wanted = reference.strip().casefold()
        kept = self._store.load()
        found = [
            one
            for one in kept.signers
            if wanted in (one.name.casefold(), one.key.casefold(), fingerprint(one.key))
            or (len(wanted) >= 4 and fingerprint(one.key).startswith(wanted))
        ]
        if len(found) != 1:
            raise ConchError(
                f"There is no trusted signer “{reference}”.",
                "Nothing changed.",
                "conch skills trusted lists them.",
            )
        gone = found[0]
        self._store.change(
            lambda now: now.model_copy(
                update={"signers": [one for one in now.signers if one.key != gone.key]}
            )
        )
        return Signer(gone.name, gone.key)

    def own(self, name: str = "") -> tuple[Signer, bytes]:
        """The person's own key, made when missing, and its secret half. `name` sets what they sign
        as. Raises ConchError without any name, Damaged when the key does not open."""
        kept = self._store.load()
        name = _name(name or kept.me or self._home.settings().name)
        for one in kept.signers:
            if could_be_taken_for(name, one.name):
                raise ConchError(
                    f"“{name}” could be taken for {one.name}, whom you trust.",
                    "Nothing was signed.",
                    "Sign with another name: --as NAME",
                )
        secret = self._secret()
        key = public_key(secret)
        if (kept.me, kept.own) != (name, key):
            self._store.change(lambda now: now.model_copy(update={"me": name, "own": key}))
        return Signer(name, key), secret

    def _secret(self) -> bytes:
        data = read_bytes(self._file)
        if data:
            try:
                return self._home.seal.decrypt(data)
            except Damaged:
                aside = set_aside(self._file, self._home.clock)
                self._home.notes.say(
                    f"The key you sign skills with did not open. It is kept as {aside.name}, and "
                    "a new one was made: give it to those who trust you.",
                    where=str(self._file),
                )
        secret = new_secret()
        write_atomic(self._file, self._home.seal.encrypt(secret))
        return secret


def _name(name: str) -> str:
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable():
        raise ConchError(
            "A signer needs a name of at most 60 characters.", "Nothing was done.", "--as NAME"
        )
    return plain
