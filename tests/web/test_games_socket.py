"""Games over WebSockets: states, requests, invalid messages and limits."""

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

from tablemen.web.games.hosted_game import NOTHING_TO_TAKE_BACK
from tablemen.web.games.rooms import FullError
from tablemen.web.models import CreatedGame
from tablemen.web.routes.games import HELLO_REQUIRED, KEY_REQUIRED, UNKNOWN_GAME, WRONG_KEY
from tests.web.clients import act, create, get_error, show
from tests.web.holding_proxy import holding_proxy
from tests.web.in_process_server import Running, Socket, running, wait_for_close


class Player:
    """A client that stores the state and the plies of a game."""

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

    def request(self, **action: Any) -> Any:
        """Send a request and return its answer; states that arrive before it are stored."""
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
def join(server: Running, created: CreatedGame, side: str | None, device: str | None = None) -> Iterator[Player]:
    with server.open(f"/api/games/{created.id}/socket") as socket:
        socket.send({"type": "hello", "key": None if side is None else created.keys[side], "device": device})
        player = Player(socket)
        assert player.receive()["since"] == 0
        yield player


@pytest.mark.parametrize("variant", [pytest.param("english", marks=pytest.mark.slow), "kalah"])
def test_players_and_spectators_receive_the_same_plies(server: Running, variant: str) -> None:
    generator = random.Random(variant)
    created = create(server, variant=variant, side=None)
    with contextlib.ExitStack() as stack:
        players = {side: stack.enter_context(join(server, created, side)) for side in created.keys}
        spectator = stack.enter_context(join(server, created, None))
        state = players[created.side].state
        count = 0
        while state["outcome"] is None and count < 60:
            mover = players[state["turn"]]
            mover.wait_for(count)
            move = generator.choice(mover.state["legal"])["full"]
            assert mover.request(action="move", move=move, ply=count)["error"] is None
            count, state = count + 1, mover.state
        for each in (*players.values(), spectator):
            each.wait_for(count)
        assert players[created.side].plies == spectator.plies
        final = show(server, created.id)
        assert [ply.model_dump() for ply in final.plies] == spectator.plies
        assert spectator.state["actions"] == []
        assert {name: each.state["you"] for name, each in players.items()} == {name: [name] for name in players}


def test_a_player_can_reconnect(server: Running) -> None:
    created = create(server)
    with join(server, created, "white") as white:
        with join(server, created, "black") as black:
            white.request(action="move", move="32-28", ply=0)
            black.wait_for(1)
        while white.state["players"]["black"]["connected"]:
            white.receive()
        white.request(action="draw")
        with join(server, created, "black") as black:
            assert black.moves == ["32-28"]
            assert black.state["offers"] == {"draw": "white"}
            assert {"move", "draw", "decline"} <= set(black.state["actions"])
            assert black.request(action="move", move="19-23", ply=1)["error"] is None
            white.wait_for(2)
            assert white.state["players"]["black"]["connected"]


@pytest.mark.parametrize("answer", ["rematch", "decline"])
def test_a_rematch_is_offered_and_answered(server: Running, answer: str) -> None:
    created = create(server)
    with contextlib.ExitStack() as stack:
        white, black = (stack.enter_context(join(server, created, side)) for side in ("white", "black"))
        spectator = stack.enter_context(join(server, created, None))
        assert white.request(action="rematch")["error"] is not None
        assert white.request(action="resign")["error"] is None
        assert white.request(action="rematch")["error"] is None
        while not black.state["offers"]:
            black.receive()
        assert black.state["offers"] == {"rematch": "white"}
        assert spectator.request(action="rematch")["error"] == KEY_REQUIRED
        assert black.request(action=answer)["error"] is None
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
    with join(server, created.model_copy(update={"id": name}), "black") as first:
        assert first.state["you"] == ["white"]  # with the key of Black
        assert first.request(action="move", move="32-28", ply=0)["error"] is None


def test_a_player_sees_the_number_of_devices(server: Running) -> None:
    created = create(server)
    with join(server, created, "white", "tablet") as tablet, join(server, created, "white", "phone") as phone:
        assert phone.state["devices"] == 2
        with join(server, created, "white", "phone") as again:
            assert again.state["devices"] == 2
            assert wait_for_close(phone.socket)[0] == 1008  # a delayed request of the old connection is not executed
            assert tablet.request(action="move", move="32-28", ply=0)["error"] is None
        while tablet.state["devices"] != 1:
            tablet.receive()


@pytest.mark.slow
def test_a_stalled_connection_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablemen.web.serve.PING_INTERVAL", 0.1)
    monkeypatch.setattr("tablemen.web.serve.PING_TIMEOUT", 2.0)
    with running(tmp_path) as server, holding_proxy(server.port) as proxy:
        created = create(server)
        stalling = Running(server.server, proxy.port)
        with join(stalling, created, "white"), join(server, created, "black") as black:
            proxy.hold()
            while black.state["players"]["white"]["connected"]:
                black.receive()
            assert black.request(action="resign")["error"] is None
            proxy.release()


def test_http_and_sockets_share_the_game(server: Running) -> None:
    created = create(server)
    with join(server, created, "black") as black:
        act(server, created.id, created.keys["white"], action="move", move="32-28", ply=0)
        black.wait_for(1)
        assert black.request(action="move", move="19-23", ply=1)["error"] is None
        assert len(show(server, created.id).plies) == 2


def test_a_refused_request_is_answered(server: Running) -> None:
    created = create(server)
    with join(server, created, "black") as black:
        assert "White" in black.request(action="move", move="19-23")["error"]
        assert black.request(action="takeback")["error"] == NOTHING_TO_TAKE_BACK
        assert black.request(action="hint")["error"] is not None
        assert "action" in black.request(action="dance")["error"]
        assert {"ply", "more"} <= set(black.request(action="draw", ply=-1, more=1)["error"].split())
        assert "`move`" in black.request(action="move")["error"]
        assert black.request(action="resign")["error"] is None
        assert black.state["outcome"]["winner"] == "white"
    with join(server, created, None) as spectator:
        assert spectator.request(action="resign")["error"] == KEY_REQUIRED


def test_the_computer_moves_and_gives_hints(server: Running) -> None:
    created = create(server, opponent="computer", level=1)
    with join(server, created, "white") as white:
        hint = white.request(action="hint")["hint"]
        assert white.request(action="move", move=hint["full"], ply=0)["error"] is None
        white.wait_for(2)
        assert not white.state["thinking"]
        assert white.request(action="takeback")["error"] is None
        assert white.plies == []
    created = create(server, opponent="computer", level=1, side="black")
    with join(server, created, "black") as black:
        black.wait_for(1)
        assert "move" in black.state["actions"]


def test_an_unknown_game_or_key_closes_the_socket(server: Running) -> None:
    created = create(server)
    with server.open("/api/games/none/socket") as socket:
        socket.send({})
        assert wait_for_close(socket) == (1008, UNKNOWN_GAME)
    with server.open(f"/api/games/{created.id}/socket") as socket:
        socket.send({"key": "nonsense"})
        assert wait_for_close(socket) == (1008, WRONG_KEY)


@pytest.mark.parametrize("hello", ["", "[", "[]", '{"type": "bye"}', '{"key": 1}', '{"id": 1, "action": "resign"}'])
def test_the_first_message_must_be_a_hello(server: Running, hello: str) -> None:
    with server.open(f"/api/games/{create(server).id}/socket") as socket:
        socket.send(hello)
        assert wait_for_close(socket) == (1008, HELLO_REQUIRED)


@pytest.mark.parametrize(
    "message",
    ["nonsense", "[1]", '{"id": "1"}', '{"id": true}', "[" * 3000, b"bytes"],
    ids=["word", "list", "text as id", "boolean as id", "deeply nested", "binary"],
)
def test_a_message_without_an_id_closes_the_socket(server: Running, message: str | bytes) -> None:
    created = create(server)
    with join(server, created, "black") as black, join(server, created, "white") as white:
        white.socket.send(message)
        assert wait_for_close(white.socket)[0] == 1008
        while black.state["players"]["white"]["connected"] or "white" not in str(black.state["players"]):
            black.receive()
        assert black.request(action="resign")["error"] is None


def test_connections_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, connections_of_one=2, hello_seconds=0.05) as server:
        created = create(server)
        with server.open(f"/api/games/{created.id}/socket") as silent:
            assert wait_for_close(silent) == (1008, HELLO_REQUIRED)
        path = f"/api/games/{created.id}/socket"
        with join(server, created, "white"), join(server, created, "black"), server.open(path) as third:
            assert wait_for_close(third)[0] == 1013
    with running(tmp_path, connections=1) as server, join(server, created, "white"), server.open(path) as second:
        assert wait_for_close(second)[0] == 1013


def test_a_rematch_beyond_the_limits_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, games=1, new_games_an_hour=2) as server:
        created = create(server)
        with join(server, created, "white") as white:
            white.request(action="resign")
            assert white.request(action="rematch")["error"] == str(FullError())
            assert "new games" in white.request(action="rematch")["error"]


class FakeAsyncio:
    """The `asyncio` module with a `sleep` that returns at once and counts its calls."""

    def __init__(self) -> None:
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        self.count += seconds > 0
        await asyncio.sleep(0)


def test_requests_are_rate_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeAsyncio()
    monkeypatch.setattr("tablemen.web.connections.asyncio", fake)
    with running(tmp_path, messages_a_second=1) as server:
        created = create(server, opponent="screen")
        with join(server, created, "white") as white:
            for number in range(30):
                white.socket.send({"id": number, "action": "decline"})
            answers = [white.receive()["id"] for _ in range(30)]
            assert answers == list(range(30))  # none is lost
    assert fake.count >= 20


def test_a_message_that_is_too_large_closes_the_socket(tmp_path: Path) -> None:
    with running(tmp_path, message_bytes=1000) as server, join(server, create(server), "white") as white:
        white.socket.send(json.dumps({"id": 1, "action": "decline"}) + " " * 900)
        assert white.receive()["id"] == 1
        white.socket.send(json.dumps({"id": 2, "action": "decline"}) + " " * 1000)
        assert wait_for_close(white.socket)[0] == 1009


def test_an_invalid_stored_game_is_reported(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        created = create(server)
        with closing(sqlite3.connect(tmp_path / "games.sqlite")) as other, other:
            other.execute("UPDATE games SET termination = 'NONSENSE'")
        answer = server.get(f"/api/games/{created.id}")
        assert "NONSENSE" in get_error(answer, 503)
        with server.open(f"/api/games/{created.id}/socket") as socket:
            socket.send({})
            code, reason = wait_for_close(socket)
            assert (code, "NONSENSE" in reason) == (1013, True)
