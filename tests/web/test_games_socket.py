"""Games over WebSockets: players receive every change, and invalid messages are handled."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tablemen.web.models import CreatedGame
from tests.web.clients import act, create, get_error, show
from tests.web.in_process_server import Running, Socket, running


class Player:
    """A client that keeps the state and the plies of a game."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.plies: list[Any] = []
        self._id = 0

    def receive(self) -> Any:
        message = self.socket.receive()
        if message["type"] == "state":
            self.state = message
            self.plies[message["since"] :] = message["plies"]
        return message

    def ask(self, **action: Any) -> Any:
        """Send a request and return its answer; states that come before it are kept."""
        self._id += 1
        self.socket.send({"id": self._id, **action})
        while (message := self.receive())["type"] != "answer":
            pass
        assert message["id"] == self._id
        return message

    def wait_for(self, count: int) -> None:
        """Receive messages until this number of moves is played."""
        while len(self.plies) != count:
            self.receive()

    @property
    def moves(self) -> list[str]:
        return [ply["move"]["text"] for ply in self.plies]


@contextlib.contextmanager
def join(server: Running, created: CreatedGame, side: str | None) -> Iterator[Player]:
    with server.open(f"/api/games/{created.id}/socket") as socket:
        socket.send({"type": "hello", "key": None if side is None else created.keys[side]})
        player = Player(socket)
        assert player.receive()["since"] == 0
        yield player


def closed(socket: Socket) -> tuple[int, str]:
    """Return the code and the reason with which the server closes the socket."""
    with pytest.raises(ConnectionClosed) as caught:
        receive_until_closed(socket)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


def receive_until_closed(socket: Socket) -> None:
    while True:
        socket.receive()


@pytest.mark.parametrize("variant", [pytest.param("english", marks=pytest.mark.slow), "kalah"])
def test_players_and_spectators_receive_the_same_plies(server: Running, variant: str) -> None:
    dice = random.Random(variant)
    created = create(server, variant=variant, side=None)
    with contextlib.ExitStack() as stack:
        players = {side: stack.enter_context(join(server, created, side)) for side in created.keys}
        spectator = stack.enter_context(join(server, created, None))
        state = players[created.side].state
        count = 0
        while state["outcome"] is None and count < 60:
            mover = players[state["turn"]]
            mover.wait_for(count)
            assert mover.ask(action="move", move=dice.choice(mover.state["legal"])["full"], ply=count)["error"] is None
            count, state = count + 1, mover.state
        for each in (*players.values(), spectator):
            each.wait_for(count)
        assert players[created.side].plies == spectator.plies
        final = show(server, created.id)
        assert [ply.model_dump() for ply in final.plies] == spectator.plies
        assert spectator.state["actions"] == []
        assert {name: each.state["you"] for name, each in players.items()} == {name: [name] for name in players}


def test_a_reconnection_resumes(server: Running) -> None:
    created = create(server)
    with join(server, created, "white") as white:
        with join(server, created, "black") as black:
            white.ask(action="move", move="32-28", ply=0)
            black.wait_for(1)
        while white.state["players"]["black"]["connected"]:
            white.receive()
        white.ask(action="draw")
        with join(server, created, "black") as black:
            assert black.moves == ["32-28"]
            assert black.state["offers"] == {"draw": "white"}
            assert {"move", "draw", "decline"} <= set(black.state["actions"])
            assert black.ask(action="move", move="19-23", ply=1)["error"] is None
            white.wait_for(2)
            assert white.state["players"]["black"]["connected"]


@pytest.mark.parametrize("answer", ["rematch", "decline"])
def test_a_rematch_is_offered_and_answered(server: Running, answer: str) -> None:
    created = create(server)
    with contextlib.ExitStack() as stack:
        white, black = (stack.enter_context(join(server, created, side)) for side in ("white", "black"))
        spectator = stack.enter_context(join(server, created, None))
        assert white.ask(action="rematch")["error"] == "the game is not over"
        assert white.ask(action="resign")["error"] is None
        assert white.ask(action="rematch")["error"] is None
        while not black.state["offers"]:
            black.receive()
        assert black.state["offers"] == {"rematch": "white"}
        assert spectator.ask(action="rematch")["error"] == "only a player with a key can do that"
        assert black.ask(action=answer)["error"] is None
        if answer == "decline":
            while white.state["offers"]:
                white.receive()
            assert white.state["actions"] == ["rematch"]
            return
        for each in (white, black, spectator):
            while each.state["next"] is None:
                each.receive()
    name = black.state["next"]
    assert {each.state["next"] for each in (white, black, spectator)} == {name}
    with join(server, created.model_copy(update={"id": name}), "black") as beginner:
        assert beginner.state["you"] == ["white"]  # with the key of Black
        assert beginner.ask(action="move", move="32-28", ply=0)["error"] is None


def test_http_and_sockets_share_the_game(server: Running) -> None:
    created = create(server)
    with join(server, created, "black") as black:
        act(server, created.id, created.keys["white"], action="move", move="32-28", ply=0)
        black.wait_for(1)
        assert black.ask(action="move", move="19-23", ply=1)["error"] is None
        assert len(show(server, created.id).plies) == 2


def test_a_refused_request_is_answered(server: Running) -> None:
    created = create(server)
    with join(server, created, "black") as black:
        assert black.ask(action="move", move="19-23")["error"] == "it is White's turn"
        assert black.ask(action="takeback")["error"] == "there is no move of yours to take back"
        assert black.ask(action="hint")["error"] == "there are no hints between two people"
        assert "action" in black.ask(action="dance")["error"]
        assert (
            black.ask(action="draw", ply=-1, more=1)["error"]
            == "ply must be at least 0, not -1; more is not known here"
        )
        assert "move is None" in black.ask(action="move")["error"]
        assert black.ask(action="resign")["error"] is None
        assert black.state["outcome"]["winner"] == "white"
    with join(server, created, None) as spectator:
        assert spectator.ask(action="resign")["error"] == "only a player with a key can do that"


def test_the_computer_moves_and_gives_hints(server: Running) -> None:
    created = create(server, opponent="computer", level=1)
    with join(server, created, "white") as white:
        hint = white.ask(action="hint")["hint"]
        assert white.ask(action="move", move=hint["full"], ply=0)["error"] is None
        white.wait_for(2)
        assert not white.state["thinking"]
        assert white.ask(action="takeback")["error"] is None
        assert white.plies == []
    created = create(server, opponent="computer", level=1, side="black")
    with join(server, created, "black") as black:
        black.wait_for(1)
        assert "move" in black.state["actions"]


def test_an_unknown_game_or_key_closes_the_socket(server: Running) -> None:
    created = create(server)
    with server.open("/api/games/none/socket") as socket:
        socket.send({})
        assert closed(socket) == (1008, "there is no such game")
    with server.open(f"/api/games/{created.id}/socket") as socket:
        socket.send({"key": "nonsense"})
        assert closed(socket) == (1008, "the key fits no side of this game")


@pytest.mark.parametrize("hello", ["", "[", "[]", '{"type": "bye"}', '{"key": 1}', '{"id": 1, "action": "resign"}'])
def test_the_first_message_must_be_a_hello(server: Running, hello: str) -> None:
    with server.open(f"/api/games/{create(server).id}/socket") as socket:
        socket.send(hello)
        assert closed(socket) == (1008, "the first message must be a hello")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("nonsense", "the message is not a request"),
        ("[1]", "the message is not a request"),
        ('{"id": "1"}', "the message is not a request"),
        ('{"id": true}', "the message is not a request"),
        ("[" * 10_000, "the message is not a request"),
        (b"bytes", "a message is a text"),
    ],
)
def test_a_message_without_an_id_closes_the_socket(server: Running, message: str | bytes, reason: str) -> None:
    created = create(server)
    with join(server, created, "black") as black, join(server, created, "white") as white:
        white.socket.send(message)
        assert closed(white.socket) == (1008, reason)
        while black.state["players"]["white"]["connected"] or "white" not in str(black.state["players"]):
            black.receive()
        assert black.ask(action="resign")["error"] is None


def test_limits_of_sockets(tmp_path: Path) -> None:
    with running(tmp_path, connections_of_one=2, hello_seconds=0.05) as server:
        created = create(server)
        with server.open(f"/api/games/{created.id}/socket") as silent:
            assert closed(silent) == (1008, "the first message must be a hello")
        path = f"/api/games/{created.id}/socket"
        with join(server, created, "white"), join(server, created, "black"), server.open(path) as third:
            assert closed(third) == (1013, "too many connections come from your address")
    with running(tmp_path, connections=1) as server, join(server, created, "white"), server.open(path) as second:
        assert closed(second) == (1013, "this server has too many connections; try again later")


def test_a_rematch_beyond_the_limits_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, games=1, new_games_an_hour=2) as server:
        created = create(server)
        with join(server, created, "white") as white:
            white.ask(action="resign")
            assert white.ask(action="rematch")["error"] == "this server keeps as many games as it can"
            assert white.ask(action="rematch")["error"] == "too many of these come from your address"


class Waits:
    """`asyncio` with a `sleep` that takes no time and counts its calls."""

    def __init__(self) -> None:
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        self.count += seconds > 0
        await asyncio.sleep(0)


def test_requests_are_rate_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = Waits()
    monkeypatch.setattr("tablemen.web.connections.asyncio", waits)
    with running(tmp_path, messages_a_second=1) as server:
        created = create(server, opponent="screen")
        with join(server, created, "white") as white:
            for number in range(30):
                white.socket.send({"id": number, "action": "decline"})
            answers = [white.receive()["id"] for _ in range(30)]
            assert answers == list(range(30))  # none is lost
    assert waits.count >= 20


def test_a_message_that_is_too_large_closes_the_socket(tmp_path: Path) -> None:
    with running(tmp_path, message_bytes=1000) as server, join(server, create(server), "white") as white:
        white.socket.send(json.dumps({"id": 1, "action": "decline"}) + " " * 900)
        assert white.receive()["id"] == 1
        white.socket.send(json.dumps({"id": 2, "action": "decline"}) + " " * 1000)
        with pytest.raises(ConnectionClosed) as caught:
            receive_until_closed(white.socket)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


def test_an_invalid_stored_game(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        created = create(server)
        with closing(sqlite3.connect(tmp_path / "games.sqlite")) as other, other:
            other.execute("UPDATE games SET termination = 'NONSENSE'")
        answer = server.get(f"/api/games/{created.id}")
        assert "the stored game is invalid" in get_error(answer, 503)
        with server.open(f"/api/games/{created.id}/socket") as socket:
            socket.send({})
            assert closed(socket) == (1013, "the stored game is invalid: 'NONSENSE'")
