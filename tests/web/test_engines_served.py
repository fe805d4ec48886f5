"""Engines of a server: the option `--engine`, games over HTTP, and restarts."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tablemen.cli import main
from tablemen.web.models import GameState
from tests.cli.test_completion import offered
from tests.processes import wait_for_end
from tests.timeouts import wait_until
from tests.web.in_process_server import Running, running
from tests.web.subprocess_server import Server, invoke_serve

pytestmark = pytest.mark.usefixtures("fakes")


@pytest.mark.parametrize(
    ("engines", "fact"),
    [
        (("Scan",), "NAME=PLAYER"),
        (("Scan=human",), "Scan"),
        (("Scan=scan hub",), "scan hub"),
        (("=random",), "40"),
        (("a\x1bb=random",), "40"),
        (("Scan=random", "Scan=random:seed=2"), "Scan"),
    ],
    ids=["no player", "human", "unknown player", "empty name", "control character", "two of a name"],
)
def test_invalid_engines_are_refused(engines: tuple[str, ...], fact: str) -> None:
    status, output = invoke_serve(*(word for each in engines for word in ("--engine", each)))
    assert status == 2
    assert "--engine" in output
    assert fact in output


def test_engines_have_help_and_completion() -> None:
    assert "NAME=PLAYER" in CliRunner().invoke(main, ["serve", "--help"]).output
    assert offered("serve", "--engine", "Scan=rob") == ["Scan=robot"]
    assert offered("serve", "--engine", "Sc") == []


def test_engines_are_listed(server: Running) -> None:
    assert server.get("/api/engines").json() == []
    answer = server.post("/api/games", {"variant": "english", "opponent": "engine", "engine": "Scan"})
    assert answer.status_code == 422


@pytest.mark.slow
def test_an_engine_is_played_over_http(tmp_path: Path) -> None:
    with running(tmp_path, engines={"Tree": "mcts:simulations=8", "Fake": "fake:dies"}) as server:
        names = {each["name"]: each["variants"] for each in server.get("/api/engines").json()}
        assert set(names) == {"Tree", "Fake"}
        assert {"international", "oware"} <= set(names["Tree"])
        request = {"variant": "international", "opponent": "engine", "engine": "Tree", "side": "black"}
        for text in ("mcts", "mcts:evaluator=os:abort"):  # clients cannot choose a player, only a name
            assert server.post("/api/games", {**request, "engine": text}).status_code == 422
        created = server.post("/api/games", request).json()
        state = GameState.model_validate_json(server.get(f"/api/games/{created['id']}").text)
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.send({"type": "hello", "key": created["keys"]["black"]})
            while not state.plies:
                state = GameState.model_validate_json(json.dumps(socket.receive()))
        assert state.players["white"].name == "Tree"
        created = server.post("/api/games", {**request, "engine": "Fake"}).json()
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.send({"type": "hello", "key": created["keys"]["black"]})
            while socket.receive().get("problem") is None:
                pass


HUB = f'hub:"{sys.executable} -m tablemen engine hub",time=0.05'


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups need POSIX")
def test_an_engine_is_restarted_and_ends_with_the_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite", options=("--engine", f"Own={HUB}"))
    try:
        games = [
            begin_game(server, variant, "Own") for variant in ("international", "frisian")
        ]  # the engine plays them one after the other
        path, key = games[-1]
        (child,) = find_children(server.process.pid)
        os.kill(child, signal.SIGKILL)
        server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
        wait_until(lambda: server.ask(path)["problem"] is not None, "no problem is reported")
        assert "Own" in server.ask(path)["problem"]
        server.ask(f"{path}/actions", {"action": "retry"}, key)
        wait_until(lambda: len(server.ask(path)["plies"]) == 4, "the engine is not restarted")
        (child,) = find_children(server.process.pid)
    finally:
        server.stop()
    wait_for_end(child)


def begin_game(server: Server, variant: str, engine: str) -> tuple[str, str]:
    """Begin a game in which both sides have moved, and return its path and key."""
    request = {"variant": variant, "opponent": "engine", "engine": engine, "side": "white"}
    created = server.ask("/api/games", request)
    path, key = f"/api/games/{created['id']}", created["keys"]["white"]
    server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
    wait_until(lambda: len(server.ask(path)["plies"]) == 2, "the engine does not move")
    return path, key


def find_children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
