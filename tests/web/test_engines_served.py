"""Engines of a whole server."""

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
from tests.web.subprocess_server import Server, refused_start

pytestmark = pytest.mark.usefixtures("fakes")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("Scan",), "--engine Scan: write NAME=PLAYER"),
        (("Scan=human",), "--engine Scan: a person cannot be one of the programs"),
        (("Scan=scan hub",), "--engine Scan: there is no player 'scan hub'"),
        (("=random",), "--engine : name is '': a name of at most 40 letters"),
        (("a\x1bb=random",), "a name of at most 40 letters"),
        (("Scan=random", "Scan=random:seed=2"), "--engine Scan: there are two of this name"),
    ],
)
def test_invalid_engines_are_refused(words: tuple[str, ...], problem: str) -> None:
    status, said = refused_start(*(word for each in words for word in ("--engine", each)))
    assert status == 2
    assert problem in said


def test_help_and_completion_mention_engines() -> None:
    assert "NAME=PLAYER" in CliRunner().invoke(main, ["serve", "--help"]).output
    assert offered("serve", "--engine", "Scan=rob") == ["Scan=robot"]
    assert offered("serve", "--engine", "Sc") == []


def test_engines_are_listed(server: Running) -> None:
    assert server.get("/api/engines").json() == []
    answer = server.post("/api/games", {"variant": "english", "opponent": "engine", "engine": "Scan"})
    assert (answer.status_code, "this server has none" in answer.json()["error"]) == (422, True)


@pytest.mark.slow
def test_an_engine_is_played_over_http(tmp_path: Path) -> None:
    with running(tmp_path, engines={"Mini": "minimax:depth=1", "Fake": "fake:dies"}) as server:
        names = {each["name"]: each["variants"] for each in server.get("/api/engines").json()}
        assert set(names) == {"Mini", "Fake"}
        assert "international" in names["Mini"]
        asked = {"variant": "international", "opponent": "engine", "engine": "Mini", "side": "black"}
        created = server.post("/api/games", asked).json()
        state = GameState.model_validate_json(server.get(f"/api/games/{created['id']}").text)
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.say({"type": "hello", "key": created["keys"]["black"]})
            while not state.plies:
                state = GameState.model_validate_json(json.dumps(socket.hear()))
        assert state.players["white"].name == "Mini"
        created = server.post("/api/games", {**asked, "engine": "Fake"}).json()
        with server.open(f"/api/games/{created['id']}/socket") as socket:
            socket.say({"type": "hello", "key": created["keys"]["black"]})
            while socket.hear().get("problem") is None:
                pass


HUB = f'hub:"{sys.executable} -m tablemen engine hub",time=0.05'


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are for POSIX")
def test_an_engine_is_restarted_and_ends_with_the_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.sqlite", options=("--engine", f"Own={HUB}"))
    try:
        games = [begin(server, variant, "Own") for variant in ("international", "frisian")]  # one after the other
        path, key = games[-1]
        (child,) = children_of(server.process.pid)
        os.kill(child, signal.SIGKILL)
        server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
        wait_until(lambda: server.ask(path)["problem"] is not None, "nothing is told")
        assert server.ask(path)["problem"] == "Own is not running"
        server.ask(f"{path}/actions", {"action": "retry"}, key)
        wait_until(lambda: len(server.ask(path)["plies"]) == 4, "it does not come back")
        (child,) = children_of(server.process.pid)
    finally:
        server.stop()
    wait_for_end(child)


def begin(server: Server, variant: str, engine: str) -> tuple[str, str]:
    """The path and the key of a game in which both sides have moved."""
    asked = {"variant": variant, "opponent": "engine", "engine": engine, "side": "white"}
    created = server.ask("/api/games", asked)
    path, key = f"/api/games/{created['id']}", created["keys"]["white"]
    server.ask(f"{path}/actions", {"action": "move", "move": server.ask(path)["legal"][0]["full"]}, key)
    wait_until(lambda: len(server.ask(path)["plies"]) == 2, "it does not answer")
    return path, key


def children_of(number: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{number}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
