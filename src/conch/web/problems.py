"""Every error as problem details (RFC 9457), in the three sentences of a ConchError."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from conch.engines.engine import EngineFailed
from conch.home.errors import ConchError, HomeBusy

MEDIA_TYPE = "application/problem+json"

_TITLES = {
    400: "It could not be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not there",
    405: "Not done that way",
    409: "Not as you saw it",
    413: "Too large",
    422: "It can't be done so",
    429: "Too many tries",
    502: "The engine didn't answer",
    503: "Busy",
}


class WrongField(BaseModel):
    """One value of a request that can't be taken, and why."""

    where: str
    why: str


class Standing(BaseModel):
    """How the thing an answer was about stands now: what a stale card is to show instead."""

    state: str
    text: str
    words_hash: str


class Problem(BaseModel):
    """Problem details. `detail` says what happened, `kept` what was kept, `do` what to do."""

    model_config = ConfigDict(json_schema_extra={"title": "Problem"})

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    kept: str = ""
    do: str = ""
    fields: list[WrongField] = []
    now: Standing | None = None


class Refused(ConchError):
    """A ConchError with the HTTP status it is answered with."""

    def __init__(
        self, status: int, what: str, kept: str = "", do: str = "", now: Standing | None = None
    ) -> None:
        super().__init__(what, kept, do)
        self.status = status
        self.now = now


def changed_meanwhile(now: Standing | None = None) -> Refused:
    """409 for a press on words that are others by now; `now` says which, where they still stand."""
    return Refused(
        409,
        "The words changed since you saw them.",
        "Nothing changed.",
        "Look at them again and press once more.",
        now=now,
    )


def not_there(what: str) -> Refused:
    """404 for a chat, a memory or an entry that isn't there."""
    return Refused(404, f"There is no such {what}.", "Nothing changed.")


def answer_of(
    status: int, error: ConchError, headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """The answer for an error."""
    problem = Problem(
        title=_TITLES.get(status, "It didn't work"),
        status=status,
        detail=error.what,
        kept=error.kept,
        do=error.do,
        **more,
    )
    return JSONResponse(
        problem.model_dump(mode="json", exclude_defaults=True) | {"type": problem.type},
        status_code=status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


def status_of(error: ConchError) -> int:
    """409 where the state of things says no; other statuses where the error knows better."""
    match error:
        case Refused():
            return error.status
        case EngineFailed():
            return 502
        case HomeBusy():
            return 503
        case _:
            return 409


def answer_with_problems(app: FastAPI) -> None:
    """Have every error of `app` answered as problem details."""

    async def of_conch(request: Request, error: Exception) -> Response:
        assert isinstance(error, ConchError)
        now = error.now if isinstance(error, Refused) else None
        return answer_of(status_of(error), error, now=now)

    async def of_body(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        fields = [
            WrongField(where=".".join(str(part) for part in one["loc"]), why=str(one["msg"]))
            for one in error.errors()
        ]
        wrong = ConchError("Something in the request can't be taken.", "Nothing changed.")
        return answer_of(422, wrong, fields=fields)

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers) if error.headers else None
        return answer_of(error.status_code, ConchError(str(error.detail)), headers)

    async def of_anything(request: Request, error: Exception) -> Response:
        what = f"Something went wrong inside Conch ({type(error).__name__})."
        return answer_of(
            500, ConchError(what, "What was acknowledged before is kept.", "Try again.")
        )

    app.add_exception_handler(ConchError, of_conch)
    app.add_exception_handler(RequestValidationError, of_body)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(OSError, of_anything)
    app.add_exception_handler(Exception, of_anything)


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Problem, "description": "Problem details"},
    "5XX": {"model": Problem, "description": "Problem details"},
}
PROBLEM_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
