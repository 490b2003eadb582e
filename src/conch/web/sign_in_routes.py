"""Routes to sign in and out. Only these need no cookie."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from starlette.responses import PlainTextResponse, RedirectResponse

from conch.web.gateway import Here
from conch.web.problems import Refused
from conch.web.settings_shapes import Session, SignInAsked
from conch.web.sign_in import SESSION_GOOD_FOR

router = APIRouter(tags=["sign-in"])

TOO_OLD = (
    "This link was used already, or is too old. Nobody was signed in.\n"
    "For a new one, run: conch link\n"
)


@router.get("/sign-in", include_in_schema=False)
async def by_link(request: Request, here: Here, token: str = "") -> Response:
    """Open the one-time link: the cookie is set, and the app opens."""
    session = here.sign_in.by_link(token)
    if session is None:
        return PlainTextResponse(TOO_OLD, status_code=403)
    answer = RedirectResponse("/", status_code=303)
    _set_cookie(request, answer, session)
    return answer


@router.get("/api/session")
async def session(request: Request, here: Here) -> Session:
    """Whether this browser is signed in."""
    known = here.sign_in.knows(request.state.session)
    by = "password" if here.sign_in.password.is_set else "link"
    return Session(signed_in=known, by=by)


@router.post("/api/sign-in")
async def sign_in(request: Request, response: Response, here: Here, asked: SignInAsked) -> Session:
    """Sign in with the gateway's password."""
    session = await asyncio.to_thread(here.sign_in.by_password, asked.password)
    if session is None:
        raise Refused(403, "That isn't the password.", "Nobody was signed in.", "Try again.")
    _set_cookie(request, response, session)
    return Session(signed_in=True, by="password")


@router.post("/api/sign-out")
async def sign_out(request: Request, response: Response, here: Here) -> Session:
    """End this browser's session."""
    here.sign_in.end(request.state.session)
    response.delete_cookie(request.app.state.cookie, httponly=True, samesite="strict")
    by = "password" if here.sign_in.password.is_set else "link"
    return Session(signed_in=False, by=by)


def _set_cookie(request: Request, response: Response, session: str) -> None:
    response.set_cookie(
        request.app.state.cookie,
        session,
        max_age=int(SESSION_GOOD_FOR.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
