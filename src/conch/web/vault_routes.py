"""Routes about the vault: what is there by name, keeping one, removing one. None shows a value."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from conch.assistant.vault import LONGEST, Secret
from conch.home.errors import ConchError
from conch.web.chat_shapes import Strict
from conch.web.gateway import Here
from conch.web.problems import Refused

router = APIRouter(prefix="/api/vault", tags=["settings"])

SecretName = Annotated[str, Field(min_length=1, max_length=100)]


class SecretItem(BaseModel):
    """A secret by name. `variable` is what a command finds it under."""

    name: str
    variable: str
    added: str


class VaultPage(BaseModel):
    secrets: list[SecretItem]


class NewSecret(Strict):
    name: SecretName
    value: Annotated[str, Field(min_length=1, max_length=2 * LONGEST)]


@router.get("")
async def list_secrets(here: Here) -> VaultPage:
    """The names in the vault; what they stand for is shown nowhere."""
    return VaultPage(secrets=[_item(one) for one in here.conch.vault.secrets()])


@router.post("", status_code=201)
async def keep_secret(here: Here, given: NewSecret) -> SecretItem:
    """Keep a secret; one of the same name is replaced."""
    try:
        return _item(here.conch.vault.put(given.name, given.value))
    except ConchError as error:
        raise Refused(422, error.what, error.kept, error.do) from None


@router.delete("/{name}", status_code=204)
async def remove_secret(here: Here, name: str) -> Response:
    """Forget a secret."""
    try:
        here.conch.vault.remove(name)
    except ConchError as error:
        raise Refused(404, error.what, error.kept) from None
    return Response(status_code=204)


def _item(secret: Secret) -> SecretItem:
    return SecretItem(name=secret.name, variable=secret.variable, added=secret.added)
