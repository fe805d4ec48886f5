"""The server, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from tablemen import __version__
from tablemen.errors import InvalidPositionError, NotationError, TablemenError
from tablemen.web.analysis.analyst import Analyst
from tablemen.web.clerks import Clerks
from tablemen.web.games.rooms import Rooms
from tablemen.web.guard import Guard
from tablemen.web.invalid import describe_invalid, in_short
from tablemen.web.models import Refusal
from tablemen.web.reference import describe
from tablemen.web.routes import analysis, files, games, pages, positions
from tablemen.web.settings import Settings
from tablemen.web.turns import BusyError

ABOUT = """Draughts of every variant, and mancala: legal moves, games between people and against the computer, analysis.

Everything that the page does, it does with this."""

MOST_PROBLEMS = 20  # of a request that are listed
RETRY_SECONDS = "5"  # for whoever comes when too much waits already


def create_app(settings: Settings) -> FastAPI:
    """The application for a server of ASGI."""
    rooms = Rooms(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        rooms.open()
        app.state.analyst = analyst = Analyst(settings)
        try:
            yield
        finally:
            try:
                await analyst.close()
            finally:
                await rooms.close()

    app = FastAPI(
        title="tablemen",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # these would come from elsewhere; /api is a page of our own
        redoc_url=None,
    )
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    app.state.settings = settings
    app.state.rooms = rooms
    app.state.clerks = Clerks(settings)
    app.include_router(positions.router)
    app.include_router(games.router)
    app.include_router(analysis.router)
    app.include_router(files.router)
    app.include_router(pages.router)
    app.mount("/page", pages.files())
    app.add_middleware(Guard, settings=settings)
    app.add_exception_handler(TablemenError, _tell_error)
    app.add_exception_handler(BusyError, _tell_busy)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_refusal)
    return app


async def _tell_error(_request: Request, error: Exception) -> JSONResponse:
    problems = list(error.problems) if isinstance(error, InvalidPositionError) else []
    return _answer(422, Refusal(error=_words(error), problems=problems))


def _words(error: Exception) -> str:
    if isinstance(error, NotationError) and "\n" not in error.text.strip():
        return error.problem  # of a field with one line: where in it would be more than anybody counts
    return str(error)


async def _tell_busy(_request: Request, error: Exception) -> JSONResponse:
    return _answer(503, Refusal(error=str(error)), {"Retry-After": RETRY_SECONDS})


async def _tell_invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    problems = describe_invalid(error.errors(), outer=1)
    return _answer(422, Refusal(error=in_short(problems), problems=problems[:MOST_PROBLEMS]))


async def _tell_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    is_for_reading = request.method == "GET" and "text/html" in request.headers.get("Accept", "")
    if error.status_code == HTTPStatus.NOT_FOUND and is_for_reading and not request.url.path.startswith("/api/"):
        return pages.answer(pages.NOWHERE, HTTPStatus.NOT_FOUND)
    return _answer(error.status_code, Refusal(error=error.detail), error.headers)


def _answer(status: int, error: Refusal, headers: object = None) -> JSONResponse:
    return JSONResponse(error.model_dump(), status_code=status, headers=headers if isinstance(headers, dict) else None)
