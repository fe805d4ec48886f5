"""The endpoints of games between players, over HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response, Security, WebSocket
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException

from tablemen.errors import TablemenError
from tablemen.web.bodies import BodyRoute, parse_json, validate_json
from tablemen.web.connections import POLICY, TRY_AGAIN, BadMessageError, Connection
from tablemen.web.error_responses import INVALID, InvalidRequestError, describe_error
from tablemen.web.games.hosted_game import Sides
from tablemen.web.games.room import Room, Subscriber
from tablemen.web.games.rooms import FullError, Rooms, UnknownGameError
from tablemen.web.games.store import StoreError
from tablemen.web.limits import TooManyError, client_address
from tablemen.web.models import (
    MAX_ACTION_BYTES,
    Action,
    ActionReply,
    ActionResult,
    ClientHello,
    CreatedGame,
    EngineInfo,
    GameState,
    NewGame,
)
from tablemen.web.models import ActionRequest as SocketRequest

UNKNOWN_GAME = "there is no such game"
KEY_REQUIRED = "only players can do this: the key of a side is required"
WRONG_KEY = "the key is not valid for this game"
HELLO_REQUIRED = 'the first message must be of type "hello"'

SPECTATOR: Sides = frozenset()
NO_STORE = {"Cache-Control": "no-store"}  # the back button must not show an outdated state or that of another player

MISSING = describe_error(404, "There is no such game.")
FORBIDDEN = describe_error(403, "The key is not valid for this game.")
UNAVAILABLE = describe_error(503, "The game cannot be stored or loaded now.")

router = APIRouter(prefix="/api", tags=["games"], responses=INVALID, route_class=BodyRoute)
_HELLO, _REQUEST = TypeAdapter(ClientHello), TypeAdapter(SocketRequest)

GameId = Annotated[str, Path(max_length=100, description="The id of the game.")]
Key = Annotated[
    HTTPAuthorizationCredentials | None,
    Security(
        HTTPBearer(auto_error=False, scheme_name="key", description="The key of a side, which `CreatedGame` contains.")
    ),
]
KEY_OPTIONAL: dict[str, Any] = {"security": [{}]}  # spectators have no key


def _rooms(connection: Request | WebSocket) -> Rooms:
    rooms = connection.app.state.rooms
    assert isinstance(rooms, Rooms)
    return rooms


@contextmanager
def _http_errors() -> Iterator[None]:
    """Convert the errors of games to `HTTPException`."""
    try:
        yield
    except UnknownGameError as error:
        raise HTTPException(404, UNKNOWN_GAME) from error
    except TooManyError as error:
        raise HTTPException(429, str(error), {"Retry-After": str(error.seconds)}) from error
    except (FullError, StoreError) as error:
        raise HTTPException(503, str(error)) from error


@router.post(
    "/games",
    status_code=201,
    response_model=CreatedGame,
    responses=describe_error(429, "There are too many new games from this address.") | UNAVAILABLE,
)
async def create_game(new_game: NewGame, request: Request, response: Response) -> CreatedGame:
    """Create a game, and return the keys of its sides."""
    with _http_errors():
        created = await _rooms(request).create(new_game, client_address(request))
    response.headers["Location"] = f"/api/games/{created.id}"
    return created


@router.get("/engines")
async def list_engines(request: Request) -> list[EngineInfo]:
    """Return the engines of this server; the computer itself is not included."""
    return [EngineInfo(name=each.name, variants=each.variants) for each in _rooms(request).engines]


@router.get(
    "/games/{game_id}",
    response_model=GameState,
    responses=MISSING | FORBIDDEN | UNAVAILABLE,
    openapi_extra=KEY_OPTIONAL,
)
async def show_game(game_id: GameId, request: Request, key: Key) -> Response:
    """Return the state of a game, for a player if the request has a key, otherwise for a spectator."""
    address = client_address(request)
    with _http_errors():
        async with _rooms(request).enter(game_id, address) as room:
            state = await room.state(_find_sides(room, key), address)
    return Response(state, media_type="application/json", headers=NO_STORE)


@router.post(
    "/games/{game_id}/actions",
    response_model=ActionResult,
    responses=describe_error(401, "A key is required.")
    | describe_error(409, "The action is not allowed now. `error` says why.")
    | describe_error(429, "There are too many new games from this address.")
    | MISSING
    | FORBIDDEN
    | UNAVAILABLE,
)
async def act(game_id: GameId, action: Action, request: Request, key: Key) -> Response:
    """Play a move, take one back, offer a draw, resign, or request a hint or a rematch."""
    check_action(action)
    rooms, address = _rooms(request), client_address(request)
    with _http_errors():
        async with rooms.enter(game_id, address) as room:
            sides = _find_sides(room, key)
            if not sides:
                raise HTTPException(401, KEY_REQUIRED, {"WWW-Authenticate": "Bearer"})
            try:
                if action.action == "rematch":
                    await rooms.admit(address)
                hint = await room.act(action, sides, address)
            except StoreError:
                raise
            except TablemenError as error:
                raise HTTPException(409, str(error)) from error
            state = await room.state(sides, address)
    hint_json = "null" if hint is None else hint.model_dump_json()
    return Response(f'{{"state":{state},"hint":{hint_json}}}', media_type="application/json")


@router.get("/games/{game_id}/file", responses={200: {"content": {"text/plain": {}}}} | MISSING | UNAVAILABLE)
async def show_file(game_id: GameId, request: Request) -> Response:
    """Return the game as a game file: PDN for draughts, `Name: value` lines for mancala."""
    with _http_errors():
        async with _rooms(request).enter(game_id, client_address(request)) as room:
            text, suffix = await room.file()
    headers = NO_STORE | {"Content-Disposition": f'attachment; filename="tablemen-{game_id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def check_action(action: Action) -> None:
    """Raise `TablemenError` if the action is "move" and has no move, or is another one and has a move."""
    if (action.action == "move") is (action.move is None):
        raise TablemenError('`move` is required if the action is "move", and not allowed otherwise')


def _find_sides(room: Room, key: HTTPAuthorizationCredentials | None) -> Sides:
    if key is None:
        return SPECTATOR
    sides = room.hosted.get_sides(key.credentials)
    if not sides:
        raise HTTPException(403, WRONG_KEY)
    return sides


@router.websocket("/games/{game_id}/socket")
async def follow_game(socket: WebSocket, game_id: str) -> None:
    """Send the states of a game to a client and answer its requests. Its first message must be a `ClientHello`."""
    rooms = _rooms(socket)
    await socket.accept()
    connection = Connection(socket, rooms.settings, max_length=MAX_ACTION_BYTES)
    address = client_address(socket)
    try:
        hello = await _receive_hello(connection, rooms.settings.hello_seconds)
        async with rooms.enter(game_id, address) as room:
            sides = SPECTATOR if hello.key is None else room.hosted.get_sides(hello.key)
            if hello.key is not None and not sides:
                await connection.close(POLICY, WRONG_KEY)
                return
            device = hello.device or secrets.token_hex()
            await _serve(rooms, room, Subscriber(connection, sides, address, device))
    except (StoreError, TooManyError) as error:
        await connection.close(TRY_AGAIN, str(error))
    except UnknownGameError:
        await connection.close(POLICY, UNKNOWN_GAME)
    except BadMessageError as error:
        await connection.close(error.code, str(error))


async def _receive_hello(connection: Connection, timeout: float) -> ClientHello:
    """Return the first message of a client."""
    try:
        text = await asyncio.wait_for(connection.receive(), timeout)
        return validate_json(_HELLO, text or "")
    except (TimeoutError, InvalidRequestError) as error:
        raise BadMessageError(HELLO_REQUIRED) from error


async def _serve(rooms: Rooms, room: Room, subscriber: Subscriber) -> None:
    """Serve a subscriber until either end closes the socket."""
    await room.subscribe(subscriber)
    reader = asyncio.create_task(_read_requests(rooms, room, subscriber))
    try:
        await subscriber.connection.serve(reader)
    finally:
        await room.unsubscribe(subscriber)
    if not reader.cancelled() and (error := reader.exception()):
        raise error


async def _read_requests(rooms: Rooms, room: Room, subscriber: Subscriber) -> None:
    """Answer requests one after the other; only hints are computed in the background."""
    connection, hint = subscriber.connection, None
    try:
        while (text := await connection.receive()) is not None:
            try:
                request = validate_json(_REQUEST, text)
                check_action(request)
            except TablemenError as error:
                connection.send(_serialize_invalid(text, error))
                continue
            if request.action != "hint":
                await _answer(rooms, room, subscriber, request)
            elif hint is None or hint.done():
                hint = asyncio.create_task(_answer(rooms, room, subscriber, request))
            else:
                connection.send(ActionReply(id=request.id, error="a hint is already being computed").model_dump_json())
    finally:
        if hint is not None:
            hint.cancel()


async def _answer(rooms: Rooms, room: Room, subscriber: Subscriber, request: SocketRequest) -> None:
    connection, sides, address, _ = subscriber
    if not sides:
        connection.send(ActionReply(id=request.id, error=KEY_REQUIRED).model_dump_json())
        return
    try:
        if request.action == "rematch":
            await rooms.admit(address)
        hint = await room.act(request, sides, address)
    except (TablemenError, TooManyError, FullError) as error:
        connection.send(ActionReply(id=request.id, error=str(error)).model_dump_json())
    else:
        connection.send(ActionReply(id=request.id, hint=hint).model_dump_json())


def _serialize_invalid(text: str, error: TablemenError) -> str:
    """Return the reply to an invalid request; raises `BadMessageError` if the request has no id."""
    try:
        request_id = parse_json(text)["id"]
    except (InvalidRequestError, TypeError, LookupError):
        request_id = None
    if not isinstance(request_id, int) or isinstance(request_id, bool):
        raise BadMessageError('a request must be a JSON object with a whole number as "id"')
    return ActionReply(id=request_id, error=str(error)).model_dump_json()
