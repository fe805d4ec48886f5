"""Matches with engines in their own processes: one dies during a game, and one ignores requests to end."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tablemen import Termination
from tablemen.draughts.pdn import read_pdn
from tablemen.match import Match, Openings
from tablemen.players.options import quote
from tests.processes import is_running, wait_for_end
from tests.timeouts import TIMEOUT, ended_when_late

pytestmark = pytest.mark.slow

PROGRAM = '''
"""Play the first legal move, and append the process number to a file. `dies` in the tenth search, or `stays`."""
import os, signal, sys, time
from pathlib import Path

from tablemen.draughts import INTERNATIONAL
from tablemen.draughts.notation import format_hub_move, parse_hub_move, parse_hub_position

processes, behaviour = Path(sys.argv[1]), sys.argv[2]
with processes.open("a") as file:
    file.write(f"{os.getpid()}\\n")
if behaviour == "stays":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
searches, words = 0, {}
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "hub":
        print("id name=Fake version=1", "wait", sep="\\n", flush=True)
    elif command == "init":
        print("ready", flush=True)
    elif command == "ping":
        print("pong", flush=True)
    elif command == "pos":
        position = parse_hub_position(rest.partition("pos=")[2].split()[0], INTERNATIONAL)
        for move in rest.partition("moves=")[2].strip('"').split():
            position = position.play(parse_hub_move(move, position))
    elif command == "go":
        searches += 1
        if behaviour == "dies" and searches == 10:
            os.kill(os.getpid(), signal.SIGKILL)
        print(f"done move={format_hub_move(position.legal_moves()[0])}", flush=True)
    elif command == "quit" and behaviour != "stays":
        break
while behaviour == "stays":
    time.sleep(1)
'''


def engine_player(folder: Path, behaviour: str) -> str:
    """Return the player that runs a program with this behaviour."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return f"hub:{quote(shlex.join([sys.executable, str(program), str(folder / behaviour), behaviour]))}"


def read_processes(folder: Path, behaviour: str) -> list[int]:
    """Return the process numbers of the engines that have been started."""
    file = folder / behaviour
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_an_engine_that_dies_during_a_game_is_restarted(tmp_path: Path) -> None:
    match = Match(
        "international",
        engine_player(tmp_path, "dies"),
        "minimax:depth=1",
        games=3,
        openings=Openings(plies=2),
        longest=60,
    )
    games = list(match.play())
    assert [each.played.outcome.termination for each in games] == [Termination.FORFEIT] * 3
    assert all(each.played.failure.endswith("SIGKILL") for each in games)
    assert all(each.played.game.count_moves(each.first) == 10 for each in games)
    assert [each.points for each in games] == [0, 0, 0]
    assert len(read_processes(tmp_path, "dies")) == 3
    assert not any(map(is_running, read_processes(tmp_path, "dies")))


def test_an_engine_is_reused_from_game_to_game(tmp_path: Path) -> None:
    player = engine_player(tmp_path, "plays")
    games = list(Match("international", player, player, games=3, openings=Openings(plies=4), longest=40).play())
    assert all(each.played.failure == "" for each in games)
    assert len(read_processes(tmp_path, "plays")) == 2
    assert not any(map(is_running, read_processes(tmp_path, "plays")))


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_ctrl_c_kills_engines_that_ignore_sigterm(tmp_path: Path, concurrency: str) -> None:
    file = tmp_path / "games.pdn"
    arguments = ["international", engine_player(tmp_path, "stays"), "random", "--games", "100000", "--longest", "30"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tablemen", "match", *arguments, "--pdn", file, "--concurrency", concurrency],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with ended_when_late(process):
        while not file.exists() or len(read_processes(tmp_path, "stays")) < int(concurrency):
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(TIMEOUT) == 130
    assert len(read_processes(tmp_path, "stays")) >= int(concurrency)  # one more may start before the interrupt
    for program in read_processes(tmp_path, "stays"):
        wait_for_end(program)
    assert all(game.tags["Termination"] == "adjudication" for game in read_pdn(file))


def test_workers_of_a_killed_match_kill_their_engines(tmp_path: Path) -> None:
    arguments = ["international", engine_player(tmp_path, "stays"), "random", "--games", "100000", "--longest", "30"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tablemen", "match", *arguments, "--concurrency", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with ended_when_late(process):
        while len(read_processes(tmp_path, "stays")) < 2:
            assert process.poll() is None
            time.sleep(0.02)
    for program in read_processes(tmp_path, "stays"):
        wait_for_end(program)
