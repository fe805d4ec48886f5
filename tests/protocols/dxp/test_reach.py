"""Programs that are started, and either listen or connect to us."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tablemen import Game, PeerGoneError, PeerTimeoutError
from tablemen.draughts import Move, Position
from tablemen.protocols.dxp.engine import DxpEngine
from tablemen.protocols.dxp.patience import Patience
from tests.processes import is_running
from tests.protocols.dxp.peers import peer


def new_game() -> Game[Position, Move]:
    return Game(Position.start("international"))


PROGRAM = """
import os, socket, sys
print("x" * 200_000, flush=True)
open(sys.argv[2], "w").write(str(os.getpid()))
if sys.argv[3] == "fails":
    sys.exit("no database")
if sys.argv[3] == "waits":
    import time; time.sleep(600)
address = "127.0.0.1", int(sys.argv[1])
if sys.argv[3] == "calls":
    there = socket.create_connection(address)
else:
    there, _ = socket.create_server(address).accept()
there.recv(100)
there.sendall(b"Astarted0\\0M0001322800\\0")
there.recv(100)
"""


def command(folder: Path, how: str) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return f"{shlex.join([sys.executable, str(program)])} {{port}} {shlex.quote(str(folder / 'pid'))} {how}"


def is_started(folder: Path) -> bool:
    """Whether the program is there."""
    return (folder / "pid").exists() and is_running(int((folder / "pid").read_text()))


@pytest.mark.parametrize(("how", "listens"), [("listens", False), ("calls", True)])
def test_a_command_starts_a_program_that_ends_with_the_engine(tmp_path: Path, how: str, *, listens: bool) -> None:
    with DxpEngine.open(command(tmp_path, how), listen=listens) as engine:
        assert str(engine.choose(new_game()).move) == "32-28"
        assert is_started(tmp_path)
        assert engine.name == "started"
    assert not is_started(tmp_path)


@pytest.mark.parametrize("listens", [False, True])
def test_a_program_that_ends_at_once_says_why(tmp_path: Path, *, listens: bool) -> None:
    with pytest.raises(PeerGoneError, match="ended with status 1: no database"):
        DxpEngine.open(command(tmp_path, "fails"), listen=listens)


@pytest.mark.parametrize(("listens", "problem"), [(False, "did not listen at 127.0.0.1"), (True, "did not connect")])
def test_a_program_that_is_not_there_in_time_is_ended(tmp_path: Path, problem: str, *, listens: bool) -> None:
    with pytest.raises(PeerTimeoutError, match=problem):
        DxpEngine.open(command(tmp_path, "waits"), listen=listens, patience=Patience(connecting=0.3))
    assert not is_started(tmp_path)


def test_a_program_that_dies_in_a_game_is_told_of(tmp_path: Path) -> None:
    with DxpEngine.open(command(tmp_path, "listens")) as engine:
        game = new_game()
        game.push(engine.choose(game).move)
        game.push("19-23")
        with pytest.raises(PeerGoneError, match="ended with status 0"):
            engine.choose(game)


def test_an_address_can_be_listened_at_only_once(tmp_path: Path) -> None:
    with peer(lambda wire: wire.receive()) as address:
        with pytest.raises(PeerGoneError, match="cannot be listened at"):
            DxpEngine.open(address, listen=True)
        DxpEngine.open(address).close()
