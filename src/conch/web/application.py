"""The gateway as an ASGI app."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from conch.web import (
    app_routes,
    chat_routes,
    engine_routes,
    event_routes,
    file_routes,
    learning_routes,
    memory_routes,
    pages,
    settings_routes,
    sign_in_routes,
    skill_routes,
    todo_routes,
    turn_routes,
    vault_routes,
)
from conch.web.gateway import Gateway
from conch.web.guarding import Guarded, Hosts
from conch.web.problems import PROBLEM_CONTENT, PROBLEMS, answer_with_problems

COOKIE = "conch"


class Documented(FastAPI):
    """An app whose OpenAPI says what its errors are: problem details and nothing else."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        for operations in document["paths"].values():
            for operation in operations.values():
                for status in PROBLEMS:
                    operation["responses"][status]["content"] = PROBLEM_CONTENT
        return document


def routes() -> FastAPI:
    """Every route, with nothing behind it yet: what the OpenAPI is made from."""
    app = Documented(
        title="Conch",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=_name_of,
        responses=PROBLEMS,
    )
    answer_with_problems(app)
    for room in (
        sign_in_routes,
        event_routes,
        turn_routes,
        file_routes,
        todo_routes,
        chat_routes,
        learning_routes,
        skill_routes,
        memory_routes,
        engine_routes,
        settings_routes,
        vault_routes,
        app_routes,
        pages,
    ):
        app.include_router(room.router)
    return app


def application(
    gateway: Gateway, hosts: Hosts, *, cookie: str = COOKIE, dist: Path = pages.DIST
) -> ASGIApp:
    """The app for one home, behind its checks. `cookie` is the session cookie's name."""
    app = routes()
    app.state.gateway = gateway
    app.state.cookie = cookie
    app.state.dist = dist
    hands = gateway.conch.hands
    return Guarded(_packed(app), gateway.sign_in, hosts, cookie, lambda: hands.has_started)


def _packed(app: ASGIApp) -> ASGIApp:
    """Built files go out compressed; answers of the API never do, since they mix what a person
    keeps secret with what others wrote."""
    packing = GZipMiddleware(app, minimum_size=1_000)

    async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
        built = scope["type"] == "http" and scope["path"].startswith("/assets/")
        await (packing if built else app)(scope, receive, send)

    return chosen


def _name_of(route: APIRoute) -> str:
    return route.name
