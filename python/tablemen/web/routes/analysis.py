"""Analysis: line by line for scripts, and over a socket for the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocketDisconnect

from tablemen.errors import TablemenError
from tablemen.web.admission import address_of
from tablemen.web.analysis.judgement import Judgement
from tablemen.web.analysis.study import Message, Study
from tablemen.web.clerks import do
from tablemen.web.connections import POLICY, TOO_LARGE, BadMessageError, Connection
from tablemen.web.invalid import describe_invalid, in_short
from tablemen.web.models import (
    Analyse,
    AnalysisRequest,
    Ended,
    Found,
    GameRequest,
    Judged,
    Stop,
    Values,
    Waiting,
)
from tablemen.web.reference import LINES
from tablemen.web.routes.refusals import INVALID, refusal
from tablemen.web.subjects import find_game
from tablemen.web.turns import BusyError

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from tablemen.web.analysis.analyst import Analyst

A_SECOND = 20  # messages over a socket; of those that come faster, only the last counts

router = APIRouter(
    prefix="/api/analyse", tags=["analysis"], responses=INVALID | refusal(503, "Too many analyses wait already.")
)


class Lines(StreamingResponse):
    """Values of JSON, one a line. The analysis that they come from is closed when nobody reads them any more."""

    media_type = LINES

    def __init__(self, study: Study | Judgement) -> None:
        super().__init__(_lines(study.messages()))
        self._study = study

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends them."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._study.close()


async def _lines(messages: AsyncIterator[BaseModel]) -> AsyncIterator[str]:
    async for message in messages:
        yield message.model_dump_json() + "\n"


@router.post(
    "",
    status_code=200,
    response_class=Lines,
    responses={200: {"model": Found | Values | Waiting | Ended, "description": "A message a line."}},
)
async def analyse(request: AnalysisRequest, asking: Request) -> Lines:
    """What a search finds, a line of JSON whenever there is more: `Found`, and `Ended` at last.

    `Values` has the exact values of Kalah where they are found in time, and `Waiting` says that others are served
    first. Whoever goes away ends it.
    """
    game = await do(asking, find_game, request.subject)
    return Lines(_analyst(asking).analyse(game, request, address_of(asking)))


@router.post(
    "/game",
    status_code=200,
    response_class=Lines,
    responses={200: {"model": Judged | Waiting | Ended, "description": "A message a line."}},
)
async def judge(request: GameRequest, asking: Request) -> Lines:
    """What every position of a game is worth and what is wrong with each move: `Judged` a ply, and `Ended` at last.

    A game of up to 400 moves; each position gets a short search.
    """
    game = await do(asking, find_game, request.subject)
    return Lines(_analyst(asking).judge(game, address_of(asking)))


@router.websocket("/socket")
async def analyse_live(socket: WebSocket) -> None:
    """Analyses one after the other, for as long as the socket is open."""
    await socket.accept()
    await _Listener(socket).listen()


COMMANDS: TypeAdapter[Analyse | Stop] = TypeAdapter(Annotated[Analyse | Stop, Field(discriminator="type")])


class _Named(BaseModel):
    """A message that says which it is, whatever else may be wrong with it."""

    id: int = 0


class _Listener:
    """A socket: what is asked over it, and what is told."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._analyst = _analyst(socket)
        settings = socket.app.state.settings
        self._largest = settings.message_bytes
        self._connection = Connection(socket, settings)
        self._latest: str | None = None
        self._has_news = asyncio.Event()
        self._study: Study | None = None
        self._telling: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        """Until the socket is closed."""
        obeying = asyncio.create_task(self._obey())
        try:
            while (text := await self._connection.receive()) is not None:
                if len(text) > self._largest:
                    await self._socket.close(TOO_LARGE, f"that is more than {self._largest:,} characters")
                    return
                self._latest = text
                self._has_news.set()
        except BadMessageError as error:
            await self._socket.close(POLICY, str(error))
        finally:
            obeying.cancel()
            self._stop()

    async def _obey(self) -> None:
        """Does what the last message says."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            text, self._latest = self._latest or "", None
            self._stop()
            try:
                command = COMMANDS.validate_json(text)
            except ValidationError as error:
                await self._tell_error(_number_of(text), in_short(describe_invalid(error.errors(), outer=1)))
            else:
                if isinstance(command, Analyse):
                    await self._begin(command)
            await asyncio.sleep(1 / A_SECOND)

    async def _begin(self, command: Analyse) -> None:
        try:
            game = await do(self._socket, find_game, command.subject)
            study = self._analyst.analyse(game, command, address_of(self._socket), command.id)
        except (TablemenError, BusyError) as error:
            await self._tell_error(command.id, str(error))
        else:
            self._study = study
            self._telling = asyncio.create_task(self._tell(study.messages()))

    async def _tell(self, messages: AsyncIterator[Message]) -> None:
        try:
            async for message in messages:
                await self._socket.send_text(message.model_dump_json())
        except (RuntimeError, WebSocketDisconnect):  # nobody is there any more
            self._stop()

    async def _tell_error(self, number: int, error: str) -> None:
        await self._socket.send_text(Ended(id=number, error=error).model_dump_json())

    def _stop(self) -> None:
        if self._study is not None:
            self._study.close()
            self._study = None


def _number_of(text: str) -> int:
    try:
        return _Named.model_validate_json(text).id
    except ValidationError:
        return 0


def _analyst(asking: Request | WebSocket) -> Analyst:
    analyst: Analyst = asking.app.state.analyst
    return analyst
