"""The ASGI application: its routes, its state and its OpenAPI document."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from fastapi import FastAPI, routing
from pydantic.json_schema import models_json_schema
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tablemen import __version__
from tablemen.web import models
from tablemen.web.analysis.service import AnalysisService
from tablemen.web.error_responses import add_error_handlers
from tablemen.web.fair_queue import RequestQueue
from tablemen.web.games.rooms import Rooms
from tablemen.web.limits import parse_networks
from tablemen.web.middleware import SecurityMiddleware
from tablemen.web.monitoring import MonitorMiddleware, RequestStatistics
from tablemen.web.routes import analysis, games, pages, positions
from tablemen.web.settings import Settings
from tablemen.web.workers import WorkerPool

ABOUT = """Many variants of draughts and mancala: legal moves, games between people and against the computer, analysis.

The pages of this server use only this API."""

SOCKETS = "x-sockets"  # an extension of the document, since OpenAPI cannot describe WebSockets
_REFERENCE = "#/components/schemas/{model}"
_BODY_ERRORS = {
    status: {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": _REFERENCE.format(model=models.ErrorResponse.__name__)}}},
    }
    for status, description in (
        ("400", "The body of the request cannot be read."),
        ("413", "The body of the request is too large."),
    )
}


class SocketDescription(NamedTuple):
    """A WebSocket: its path, and the messages in each direction."""

    path: str
    about: str
    sent: tuple[type[models.Model], ...]  # by the client
    received: tuple[type[models.Model], ...]


_SOCKETS = (
    SocketDescription(
        "/api/games/{game_id}/socket",
        "A game in progress. Send `ClientHello` first, with your key if you play. The server sends the state at once "
        "and after every change, and answers each request with a reply that has the same `id`. If the connection "
        "breaks, open it again and repeat a move that was not answered: if it has a `ply`, it is played only once. "
        "When a state has a `next` game, open the WebSocket of that game with the same key. Send a `Heartbeat` from "
        "time to time: if it is not answered, the connection is lost.",
        (models.ClientHello, models.ActionRequest, models.Heartbeat),
        (models.GameState, models.ActionReply, models.Heartbeat),
    ),
    SocketDescription(
        "/api/analyse/socket",
        "Analyses, one at a time. A new request ends the analysis before it; results have the `id` of their request. "
        f"If requests are sent faster than {analysis.MAX_COMMANDS_A_SECOND} a second, some of them are skipped; the "
        "last one is always answered. A `Heartbeat` is answered too, and does not end the analysis.",
        (models.AnalyseCommand, models.StopCommand, models.Heartbeat),
        (
            models.AnalysisUpdate,
            models.MoveValues,
            models.TablebaseNotice,
            models.QueuedNotice,
            models.StreamEnd,
            models.Heartbeat,
        ),
    ),
)


_ROUTERS = (positions.router, positions.file_router, games.router, analysis.router, pages.router)


def warm_up() -> None:
    """Look up the source lines of all endpoints, which FastAPI otherwise does in the event loop at their first request.

    It reads and parses source files, which takes about 0.1 s.
    """
    extract = getattr(routing, "_extract_endpoint_context", None)  # its results are cached
    for route in (route for router in _ROUTERS for route in router.routes if isinstance(route, routing.APIRoute)):
        if extract is not None:
            extract(route.endpoint)


def create_app(settings: Settings) -> FastAPI:
    """Return the application for an ASGI server."""
    rooms = Rooms(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        rooms.open()
        app.state.analysis = analysis_service = AnalysisService(settings)
        try:
            yield
        finally:
            try:
                app.state.workers.close()
                await analysis_service.close()
            finally:
                await rooms.close()

    app = FastAPI(
        title="tablemen",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's pages load scripts from another host; /api is the page instead
        redoc_url=None,
    )
    app.openapi = lambda: describe_api(app)  # type: ignore[method-assign]
    app.state.settings = settings
    app.state.statistics = statistics = RequestStatistics()
    app.state.rooms = rooms
    app.state.request_queue = RequestQueue(settings)
    app.state.workers = WorkerPool(settings.request_work)
    for router in _ROUTERS:
        app.include_router(router)
    app.mount("/page", pages.PageFiles(directory=pages.FOLDER))
    app.add_middleware(SecurityMiddleware, settings=settings, refused=statistics.refused)
    app.add_middleware(MonitorMiddleware, statistics=statistics)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=parse_networks(settings.trusted_proxies))
    add_error_handlers(app)
    return app


def describe_api(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, with the WebSockets and their messages added."""
    if app.openapi_schema is None:
        schema = FastAPI.openapi(app)
        modes = [(model, "serialization") for socket in _SOCKETS for model in (*socket.sent, *socket.received)]
        _, messages = models_json_schema(modes, ref_template=_REFERENCE)  # type: ignore[arg-type]
        known = schema.setdefault("components", {}).setdefault("schemas", {})
        for name, each in messages["$defs"].items():
            known.setdefault(name, each)
        schema[SOCKETS] = [
            {
                "path": socket.path,
                "description": socket.about,
                "sent": _references(socket.sent),
                "received": _references(socket.received),
            }
            for socket in _SOCKETS
        ]
        for path in schema["paths"].values():
            for operation in path.values():
                _correct_streams(operation["responses"])
                if "requestBody" in operation:
                    operation["responses"] |= _BODY_ERRORS
    return app.openapi_schema or {}


def _correct_streams(responses: dict[str, Any]) -> None:
    """Correct the description of a stream: each line is a JSON value, and errors are plain JSON."""
    for status, response in responses.items():
        if analysis.NDJSON not in response.get("content", {}):
            continue
        if status == "200":
            response["content"][analysis.NDJSON]["schema"].pop("type", None)
        else:
            response["content"] = {"application/json": response["content"][analysis.NDJSON]}


def _references(kinds: tuple[type[models.Model], ...]) -> list[dict[str, str]]:
    return [{"$ref": _REFERENCE.format(model=kind.__name__)} for kind in kinds]
