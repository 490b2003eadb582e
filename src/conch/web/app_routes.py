"""Routes about apps: what is set up, what each tool may do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from conch.assistant.apps.apps import AppTool
from conch.assistant.apps.kept import App
from conch.guard.steps import AppMode
from conch.home.errors import ConchError
from conch.web.chat_shapes import Strict
from conch.web.gateway import Gateway, Here
from conch.web.problems import Refused, not_there

router = APIRouter(prefix="/api/apps", tags=["settings"])

Name = Annotated[str, Field(min_length=1, max_length=100)]


class AppItem(BaseModel):
    """An app. `secrets`: by variable, the names of the secrets it is given, never their values."""

    name: str
    command: list[str]
    url: str
    secrets: dict[str, str]
    mode: AppMode
    tools: dict[str, AppMode]


class AppsPage(BaseModel):
    apps: list[AppItem]


class AppToolItem(BaseModel):
    """A tool as the app says it now. `why_off`: why it is off whatever was chosen."""

    name: str
    description: str
    mode: AppMode
    why_off: str


class AppTools(BaseModel):
    tools: list[AppToolItem]


class GivenSecret(Strict):
    """A secret of the vault an app is given, and the variable (or header) it is given in."""

    variable: Annotated[str, Field(max_length=100)]
    secret: Annotated[str, Field(max_length=100)]


class NewApp(Strict):
    """A program (`command`, its words) or an address (`url`)."""

    name: Name
    command: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2_000)]],
        Field(max_length=50, default_factory=list),
    ]
    url: Annotated[str, Field(max_length=2_000)] = ""
    secrets: Annotated[list[GivenSecret], Field(max_length=20, default_factory=list)]


class AppModeChosen(Strict):
    """`tool` "": for all its tools that have no mode of their own."""

    mode: AppMode
    tool: Annotated[str, Field(max_length=200)] = ""


@router.get("")
async def list_apps(here: Here) -> AppsPage:
    """The apps that are set up."""
    every = sorted(here.conch.hands.apps.kept.all().items())
    return AppsPage(apps=[_app(name, app) for name, app in every])


@router.post("", status_code=201)
async def add_app(here: Here, given: NewApp) -> AppTools:
    """Set an app up: it is started, and each of its tools asks."""
    apps = here.conch.hands.apps
    try:
        secrets = {one.variable: one.secret for one in given.secrets}
        return _tools(await apps.add(given.name, given.command, given.url, secrets))
    except ConchError as error:
        raise Refused(422, error.what, error.kept, error.do) from None


@router.get("/{name}/tools")
async def list_app_tools(here: Here, name: str) -> AppTools:
    """An app's tools, as it says them now."""
    _the_app(here, name)
    return _tools(await here.conch.hands.apps.tools_of(name))


@router.post("/{name}/mode")
async def set_app_mode(here: Here, name: str, given: AppModeChosen) -> AppItem:
    """Off, ask or free, for an app or one tool of it."""
    _the_app(here, name)
    await here.conch.hands.apps.set_mode(name, given.tool, given.mode)
    return _app(name, _the_app(here, name))


@router.delete("/{name}", status_code=204)
async def remove_app(here: Here, name: str) -> Response:
    """End an app and forget it."""
    _the_app(here, name)
    await here.conch.hands.apps.remove(name)
    return Response(status_code=204)


def _the_app(here: Gateway, name: str) -> App:
    found = here.conch.hands.apps.kept.all().get(name)
    if found is None:
        raise not_there("app")
    return found


def _app(name: str, app: App) -> AppItem:
    return AppItem(
        name=name,
        command=app.command,
        url=app.url,
        secrets=app.secrets,
        mode=app.mode,
        tools=app.tools,
    )


def _tools(tools: list[AppTool]) -> AppTools:
    return AppTools(
        tools=[
            AppToolItem(
                name=one.name, description=one.description, mode=one.mode, why_off=one.why_off
            )
            for one in tools
        ]
    )
