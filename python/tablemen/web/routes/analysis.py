"""The analysis endpoints: a stream of JSON lines for scripts, and a WebSocket for the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocketDisconnect

from tablemen.errors import TablemenError
from tablemen.web.analysis.service import AnalysisService
from tablemen.web.analysis.tasks import AnalysisStream
from tablemen.web.bodies import BodyRoute, validate_queued
from tablemen.web.connections import BadMessageError, Connection
from tablemen.web.error_responses import INVALID, InvalidRequestError, describe_error
from tablemen.web.fair_queue import BusyError, run_queued
from tablemen.web.limits import client_address
from tablemen.web.models import (
    AnalyseCommand,
    AnalysisRequest,
    AnalysisUpdate,
    MoveValues,
    QueuedNotice,
    ReviewedPosition,
    ReviewRequest,
    StopCommand,
    StreamEnd,
    TablebaseNotice,
)
from tablemen.web.serialize import find_game

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

NDJSON = "application/x-ndjson"
MAX_COMMANDS_A_SECOND = 20  # over a WebSocket; at a faster rate, only the newest command is executed

router = APIRouter(
    prefix="/api/analyse",
    tags=["analysis"],
    responses=INVALID | describe_error(503, "Too many analyses are queued. Try again later."),
    route_class=BodyRoute,
)


class StreamResponse(StreamingResponse):
    """A response with one JSON value per line. The analysis ends when the client disconnects."""

    media_type = NDJSON

    def __init__(self, stream: AnalysisStream) -> None:
        super().__init__(_format_lines(stream))
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the messages, and close the stream at the end."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._stream.close()


async def _format_lines(stream: AnalysisStream) -> AsyncIterator[str]:
    async for message in stream.messages():
        yield message.model_dump_json() + "\n"


@router.post(
    "",
    status_code=200,
    response_class=StreamResponse,
    responses={
        200: {
            "model": AnalysisUpdate | MoveValues | TablebaseNotice | QueuedNotice | StreamEnd,
            "description": "One message per line.",
        }
    },
)
async def analyse(body: AnalysisRequest, request: Request) -> StreamResponse:
    """Search a position, and send a line of JSON for every new result: `AnalysisUpdate`, at the end `StreamEnd`.

    If a tablebase has the position, there is one `AnalysisUpdate` with its proven value. For Kalah, `MoveValues` has
    the exact values if they are found in time. `QueuedNotice` means that the analysis waits for others. The search ends
    when the connection is closed.
    """
    game = await run_queued(request, find_game, body.subject)
    return StreamResponse(_service(request).analyse(game, body, client_address(request)))


@router.post(
    "/game",
    status_code=200,
    response_class=StreamResponse,
    responses={200: {"model": ReviewedPosition | QueuedNotice | StreamEnd, "description": "One message per line."}},
)
async def review_game(body: ReviewRequest, request: Request) -> StreamResponse:
    """Evaluate every position of a game and mark the mistakes: `ReviewedPosition` for each ply, then `StreamEnd`.

    The game may have up to 400 moves. Each position is searched for a short time.
    """
    game = await run_queued(request, find_game, body.subject)
    return StreamResponse(_service(request).review(game, client_address(request)))


@router.websocket("/socket")
async def analyse_live(socket: WebSocket) -> None:
    """Run one analysis at a time while the WebSocket is open."""
    await socket.accept()
    await AnalysisSocket(socket).serve()


COMMANDS: TypeAdapter[AnalyseCommand | StopCommand] = TypeAdapter(
    Annotated[AnalyseCommand | StopCommand, Field(discriminator="type")]
)


class _Identified(BaseModel):
    """A model that reads only the `id` of a message, for replies to invalid messages."""

    id: int = 0


class AnalysisSocket:
    """A WebSocket with at most one analysis at a time."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._service = _service(socket)
        self._connection = Connection(socket, socket.app.state.settings)
        self._latest: str | None = None
        self._has_news = asyncio.Event()
        self._stream: AnalysisStream | None = None
        self._sender: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Read commands until the WebSocket is closed."""
        executing = asyncio.create_task(self._execute_commands())
        try:
            while (text := await self._connection.receive()) is not None:
                self._latest = text
                self._has_news.set()
        except BadMessageError as error:
            await self._connection.close(error.code, str(error))
        finally:
            self._stop()
            executing.cancel()
            await asyncio.gather(executing, return_exceptions=True)
            self._stop()  # the command that was being executed may have started an analysis
            if self._sender is not None:
                self._sender.cancel()
                await asyncio.gather(self._sender, return_exceptions=True)

    async def _execute_commands(self) -> None:
        """Execute the newest command whenever one has arrived."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            text, self._latest = self._latest or "", None
            self._stop()
            try:
                command = await validate_queued(self._socket, COMMANDS, text, outer=1)
            except (InvalidRequestError, BusyError) as error:
                await self._send_error(_parse_id(text), str(error))
            else:
                if isinstance(command, AnalyseCommand):
                    await self._start(command)
            await asyncio.sleep(1 / MAX_COMMANDS_A_SECOND)

    async def _start(self, command: AnalyseCommand) -> None:
        try:
            game = await run_queued(self._socket, find_game, command.subject)
            stream = self._service.analyse(game, command, client_address(self._socket), command.id)
        except (TablemenError, BusyError) as error:
            await self._send_error(command.id, str(error))
        else:
            self._stream = stream
            self._sender = asyncio.create_task(self._send(stream))

    async def _send(self, stream: AnalysisStream) -> None:
        try:
            async for message in stream.messages():
                await self._socket.send_text(message.model_dump_json())
        except (RuntimeError, WebSocketDisconnect):  # the client has disconnected
            self._stop()

    async def _send_error(self, request_id: int, error: str) -> None:
        await self._socket.send_text(StreamEnd(id=request_id, error=error).model_dump_json())

    def _stop(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _parse_id(text: str) -> int:
    try:
        return _Identified.model_validate_json(text).id
    except ValidationError:
        return 0


def _service(connection: Request | WebSocket) -> AnalysisService:
    service: AnalysisService = connection.app.state.analysis
    return service
