"""A server that is killed many times during play: no accepted move is lost."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from tests.timeouts import TIMEOUT, wait_until
from tests.web.subprocess_server import Server

KILLS = 20
MOVES = (5, 60)  # accepted moves between a start and the next kill, at least and at most
GAMES = ("international", "kalah", "english", "oware", "frisian", "kalah")
CONNECTION_ERRORS = (ConnectionClosed, InvalidHandshake, OSError, httpx.TransportError, EOFError)


class Game:
    """A fast game between two WebSockets; `accepted` are the moves that must not be lost."""

    def __init__(self, run: Run, variant: str, number: int) -> None:
        self.run = run
        self.variant = variant
        self.random = random.Random(number)
        self.created: dict[str, Any] = {}
        self.accepted: list[str] = []

    def play(self) -> None:
        while not self.run.is_over.is_set():
            try:
                if not self.created:
                    self.created, self.accepted = self.run.create(self.variant), []
                self._play_connected()
            except CONNECTION_ERRORS:
                time.sleep(0.01)

    def _play_connected(self) -> None:
        """Connect, and play until the connection is lost or the game is over."""
        url = f"ws{self.run.server.url.removeprefix('http')}/api/games/{self.created['id']}/socket"
        (one, one_key), (other, other_key) = self.created["keys"].items()
        with connect(url, max_size=None) as first, connect(url, max_size=None) as second:
            sockets = {one: first, other: second}
            first.send(json.dumps({"key": one_key}))
            self._check_restored(receive(first, "state"))
            second.send(json.dumps({"key": other_key}))
            state = receive(second, "state")
            while state["outcome"] is None and not self.run.is_over.is_set():
                state = self._move(sockets[state["turn"]], sockets[other if state["turn"] == one else one], state)
        if state["outcome"] is not None:
            self.run.finished.append((self.created["id"], self.accepted))
            self.created = {}

    def _check_restored(self, state: Any) -> None:
        """Check the moves of a reloaded game, which may have one more than were accepted."""
        moves = [ply["move"]["full"] for ply in state["plies"]]
        self.run.check(self.created["id"], self.accepted, moves)
        self.accepted = moves

    def _move(self, mover: ClientConnection, observer: ClientConnection, state: Any) -> Any:
        count = len(self.accepted)
        text = self.random.choice(state["legal"])["full"]
        mover.send(json.dumps({"id": count, "action": "move", "move": text, "ply": count}))
        while state["since"] + len(state["plies"]) != count + 1:
            state = receive(observer, "state")  # may arrive before the answer
        self.accepted.append(state["plies"][-1]["move"]["full"])  # may be another path of the same move
        self.run.count += 1
        answer = receive(mover, "answer")
        assert (answer["id"], answer["error"]) == (count, None)
        return state


class Run:
    """All games, and the server that is killed meanwhile."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.is_over = threading.Event()
        self.count = 0
        self.finished: list[tuple[str, list[str]]] = []
        self.problems: list[str] = []

    def create(self, variant: str) -> dict[str, Any]:
        answer = httpx.post(
            f"{self.server.url}/api/games", json={"variant": variant, "opponent": "link"}, timeout=TIMEOUT
        )
        created: dict[str, Any] = answer.json()
        return created

    def check(self, game_id: str, accepted: list[str], found: list[str]) -> None:
        if found[: len(accepted)] != accepted or len(found) > len(accepted) + 1:
            self.problems.append(f"{game_id}: accepted {accepted}, found {found}")


def receive(socket: ClientConnection, kind: str) -> Any:
    while (message := json.loads(socket.recv(TIMEOUT)))["type"] != kind:
        pass
    return message


@pytest.mark.slow
def test_no_accepted_move_is_lost(tmp_path: Path) -> None:
    generator = random.Random(1)
    server = Server(tmp_path / "games.sqlite")
    run = Run(server)
    games = [Game(run, variant, number) for number, variant in enumerate(GAMES)]
    threads = [threading.Thread(target=game.play, daemon=True) for game in games]

    def wait_for(count: int) -> None:
        """Wait until this number of moves is accepted, or all threads have ended."""
        end = run.count + count
        wait_until(lambda: run.count >= end or not any(map(threading.Thread.is_alive, threads)), "no move is accepted")

    for thread in threads:
        thread.start()
    try:
        for _ in range(KILLS):
            wait_for(generator.randint(*MOVES))
            server.kill()
            server.start()
            assert not run.problems
        wait_for(MOVES[1])  # the games continue after the last kill
    finally:
        run.is_over.set()
        for thread in threads:
            thread.join(TIMEOUT)
    played = [*run.finished, *((game.created["id"], game.accepted) for game in games if game.created)]
    for game_id, accepted in played:
        found = [ply["move"]["full"] for ply in server.ask(f"/api/games/{game_id}")["plies"]]
        run.check(game_id, accepted, found)
    server.stop()
    assert run.problems == []
    assert run.count >= KILLS * MOVES[0]
    assert all(not thread.is_alive() for thread in threads)
