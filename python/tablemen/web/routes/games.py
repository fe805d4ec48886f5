"""Games between players: made, looked at and played, by requests or over a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Request, Response, Security, WebSocket
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from tablemen.errors import ArgumentError, TablemenError
from tablemen.web.connections import POLICY, TRY_AGAIN, BadMessageError, Connection
from tablemen.web.error_responses import INVALID, describe_error, format_validation_errors
from tablemen.web.games.room import Room
from tablemen.web.games.rooms import FullError, Rooms, UnknownGameError
from tablemen.web.games.table import Sides
from tablemen.web.games.transactions import StoreError
from tablemen.web.limits import RateLimit, TooManyError, client_address
from tablemen.web.models import (
    Action,
    ActionReply,
    ActionResult,
    ClientHello,
    CreatedGame,
    EngineInfo,
    GameState,
    NewGame,
)
from tablemen.web.models import ActionRequest as Asked
from tablemen.web.settings import Settings

UNKNOWN = "there is no such game"
ONLY_PLAYERS = "only who has a key plays"
NO_KEY = "the key fits no side of this game"

SPECTATOR: Sides = frozenset()
OF_NOW = {"Cache-Control": "no-store"}  # or a browser that goes back shows what was, and to whom it was shown


MISSING = describe_error(404, "There is no such game.")
FORBIDDEN = describe_error(403, "The key fits no side of this game.")
UNKEPT = describe_error(503, "The game cannot be kept or read now.")

router = APIRouter(prefix="/api", tags=["games"], responses=INVALID)

GameId = Annotated[str, Path(max_length=100, description="What the game is called.")]
Key = Annotated[
    HTTPAuthorizationCredentials | None,
    Security(HTTPBearer(auto_error=False, scheme_name="key", description="A key of the game, which moves a side.")),
]
WITHOUT_KEY: dict[str, Any] = {"security": [{}]}  # which serves a spectator


class Games:
    """What the routes need: the rooms, and who may come in."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rooms = Rooms(settings)
        self.new_games = RateLimit(settings.new_games_an_hour, seconds=3600)

    async def admit(self, action: Action, address: str) -> None:
        """Raises `TooManyError` or `FullError` for a rematch where there can be no new game."""
        if action.action == "rematch":
            self.new_games.acquire(address)
            await self.rooms.check_space()


def _games(connection: Request | WebSocket) -> Games:
    games = connection.app.state.games
    assert isinstance(games, Games)
    return games


@contextmanager
def _refusing() -> Iterator[None]:
    """What cannot be done, as the status that says so."""
    try:
        yield
    except UnknownGameError as error:
        raise HTTPException(404, UNKNOWN) from error
    except TooManyError as error:
        raise HTTPException(429, str(error), {"Retry-After": str(error.seconds)}) from error
    except FullError as error:
        raise HTTPException(503, str(error)) from error
    except StoreError as error:
        raise HTTPException(503, str(error)) from error


@router.post(
    "/games",
    status_code=201,
    response_model=CreatedGame,
    responses=describe_error(429, "Too many new games come from this address.") | UNKEPT,
)
async def create_game(asked: NewGame, request: Request, response: Response) -> CreatedGame:
    """A new game, and the keys of its sides."""
    games = _games(request)
    with _refusing():
        games.new_games.acquire(client_address(request))
        created = await games.rooms.create(asked)
    response.headers["Location"] = f"/api/games/{created.id}"
    return created


@router.get("/engines")
async def list_engines(request: Request) -> list[EngineInfo]:
    """The programs that can be played against here, beside the computer."""
    return [EngineInfo(name=each.name, variants=each.variants) for each in _games(request).rooms.engines]


@router.get(
    "/games/{game_id}",
    response_model=GameState,
    responses=MISSING | FORBIDDEN | UNKEPT,
    openapi_extra=WITHOUT_KEY,
)
async def show_game(game_id: GameId, request: Request, key: Key) -> Response:
    """A game as it stands, with a key as its player sees it."""
    with _refusing():
        async with _games(request).rooms.entered(game_id, client_address(request)) as room:
            state = await room.state(_sides(room, key), client_address(request))
    return Response(state, media_type="application/json", headers=OF_NOW)


@router.post(
    "/games/{game_id}/actions",
    response_model=ActionResult,
    responses=describe_error(401, "A key is needed to play.")
    | describe_error(409, "The game does not allow it now, and why.")
    | describe_error(429, "Too many new games come from this address.")
    | MISSING
    | FORBIDDEN
    | UNKEPT,
)
async def act(game_id: GameId, action: Action, request: Request, key: Key) -> Response:
    """Move, take back, offer a draw, resign, or ask for a hint or a rematch."""
    check_action(action)
    games, address = _games(request), client_address(request)
    with _refusing():
        async with games.rooms.entered(game_id, address) as room:
            sides = _sides(room, key)
            if not sides:
                raise HTTPException(401, ONLY_PLAYERS, {"WWW-Authenticate": "Bearer"})
            try:
                await games.admit(action, address)
                hint = await room.act(action, sides, address)
            except StoreError:
                raise
            except TablemenError as error:
                raise HTTPException(409, str(error)) from error
            state = await room.state(sides, address)
    told = "null" if hint is None else hint.model_dump_json()
    return Response(f'{{"state":{state},"hint":{told}}}', media_type="application/json")


@router.get("/games/{game_id}/file", responses={200: {"content": {"text/plain": {}}}} | MISSING | UNKEPT)
async def show_file(game_id: GameId, request: Request) -> Response:
    """A game as game files have it: PDN for draughts, lines of names and values for mancala."""
    with _refusing():
        async with _games(request).rooms.entered(game_id, client_address(request)) as room:
            text, family = await room.sheet()
    name = f"tablemen-{game_id}.{'pdn' if family == 'draughts' else 'txt'}"
    headers = OF_NOW | {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def check_action(action: Action) -> None:
    """Raises `ArgumentError` for an action that makes no sense in any game."""
    if (action.action == "move") is (action.move is None):
        raise ArgumentError("move", action.move, "the move, for `move` alone,")


def _sides(room: Room, key: HTTPAuthorizationCredentials | None) -> Sides:
    if key is None:
        return SPECTATOR
    sides = room.table.sides_of(key.credentials)
    if not sides:
        raise HTTPException(403, NO_KEY)
    return sides


class Visit(NamedTuple):
    """Somebody who follows a game over a socket."""

    games: Games
    room: Room
    connection: Connection
    sides: Sides
    address: str


@router.websocket("/games/{game_id}/socket")
async def follow_game(socket: WebSocket, game_id: str) -> None:
    """A game as it goes on: `ClientHello` first, then states come, and requests are answered."""
    games, settings = _games(socket), _games(socket).settings
    await socket.accept()
    connection = Connection(socket, settings)
    address = client_address(socket)
    try:
        key = await _greet(connection, settings.hello_seconds)
        async with games.rooms.entered(game_id, address) as room:
            sides = SPECTATOR if key is None else room.table.sides_of(key)
            if key is not None and not sides:
                await connection.close(POLICY, NO_KEY)
                return
            await _follow(Visit(games, room, connection, sides, address))
    except (StoreError, TooManyError) as error:
        await connection.close(TRY_AGAIN, str(error))
    except UnknownGameError:
        await connection.close(POLICY, UNKNOWN)
    except BadMessageError as error:
        await connection.close(POLICY, str(error))


async def _greet(connection: Connection, seconds: float) -> str | None:
    try:
        text = await asyncio.wait_for(connection.receive(), seconds)
    except TimeoutError as error:
        raise BadMessageError("a socket says hello first") from error
    try:
        return ClientHello.model_validate_json(text or "").key
    except ValidationError as error:
        raise BadMessageError("a socket says hello first") from error


async def _follow(visit: Visit) -> None:
    """Until the socket is closed, at either end."""
    await visit.room.join(visit.connection, visit.sides, visit.address)
    reader = asyncio.create_task(_read(visit))
    try:
        await visit.connection.serve(reader)
    finally:
        await visit.room.leave(visit.connection)
    if not reader.cancelled() and (error := reader.exception()):
        raise error


async def _read(visit: Visit) -> None:
    """Answers what is asked, one after the other; a hint comes when it comes."""
    connection, hint = visit.connection, None
    try:
        while (text := await connection.receive()) is not None:
            try:
                asked = Asked.model_validate_json(text)
                check_action(asked)
            except ValueError as error:
                connection.send(_bad_answer(text, error))
                continue
            if asked.action != "hint":
                await _answer(visit, asked)
            elif hint is None or hint.done():
                hint = asyncio.create_task(_answer(visit, asked))
            else:
                connection.send(ActionReply(id=asked.id, error="a hint is on its way").model_dump_json())
    finally:
        if hint is not None:
            hint.cancel()


async def _answer(visit: Visit, asked: Asked) -> None:
    if not visit.sides:
        visit.connection.send(ActionReply(id=asked.id, error=ONLY_PLAYERS).model_dump_json())
        return
    try:
        await visit.games.admit(asked, visit.address)
        hint = await visit.room.act(asked, visit.sides, visit.address)
    except (TablemenError, TooManyError, FullError) as error:
        visit.connection.send(ActionReply(id=asked.id, error=str(error)).model_dump_json())
    else:
        visit.connection.send(ActionReply(id=asked.id, hint=hint).model_dump_json())


def _bad_answer(text: str, error: ValueError) -> str:
    """An answer to what cannot be understood, if it has a number; raises `BadMessageError` where it has none."""
    try:
        number = json.loads(text)["id"]
    except (ValueError, TypeError, LookupError, RecursionError):
        number = None
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadMessageError("that is no request")
    words = format_validation_errors(error.errors()) if isinstance(error, ValidationError) else str(error)
    return ActionReply(id=number, error=words).model_dump_json()
