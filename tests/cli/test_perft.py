"""`tablemen perft`."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from tablemen import TablemenError
from tablemen.cli import main
from tablemen.cli import perft as perft_module
from tablemen.cli.perft import MAX_DEPTH, count_moves
from tablemen.draughts import Position
from tests.timeouts import TIMEOUT

FOREVER = ["-m", "tablemen", "perft", "international", "40"]


def perft(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["perft", *arguments])


@pytest.mark.parametrize(
    ("name", "depth", "nodes"),
    [
        ("international", 0, 1),
        ("international", 1, 9),
        ("international", 2, 81),
        ("english", 5, 7361),
        ("frisian", 4, 3874),
    ],
)
def test_standard_output_has_only_the_count(name: str, depth: int, nodes: int) -> None:
    result = perft(name, str(depth))
    assert (result.exit_code, result.stdout) == (0, f"{nodes}\n")
    leaves = "leaf" if nodes == 1 else "leaves"
    assert re.match(rf"{nodes:,} {leaves} in [0-9.]+ s", result.stderr)


def test_divide_counts_for_each_move() -> None:
    *lines, total = perft("russian", "4", "--divide").stdout.splitlines()
    assert total == "1469"
    assert {line.split()[0]: int(line.split()[1]) for line in lines} == {
        str(move): count for move, count in Position.start("russian").divide(4).items()
    }
    assert len({len(line) for line in lines}) == 1


def test_threads_do_not_change_the_count() -> None:
    assert perft("italian", "5", "--threads", "3").stdout == perft("italian", "5").stdout


@pytest.mark.parametrize(("options", "nodes"), [([], 3874), (["--paths"], 3880)])
def test_paths_count_every_path_of_a_capture(options: list[str], nodes: int) -> None:
    *lines, total = perft("frisian", "4", "--divide", *options).stdout.splitlines()
    assert int(total) == sum(int(line.split()[1]) for line in lines) == nodes
    assert len(lines) == 9


def test_fen_gives_the_position() -> None:
    fen = "W:WK12:B17,18,27,28"
    assert perft("international", "1", "--fen", fen).stdout == "5\n"
    assert int(perft("international", "4", "--fen", fen).stdout) == Position.from_fen(fen, "international").perft(4)


def test_finished_game_has_no_leaves() -> None:
    assert perft("english", "3", "--fen", "B:W30:B").stdout == "0\n"
    assert perft("english", "0", "--fen", "B:W30:B").stdout == "1\n"
    assert perft("english", "3", "--fen", "B:W30:B", "--divide").stdout == "0\n"


def test_json() -> None:
    result = perft("russian", "3", "--json", "--divide", "--fen", "W:Wa1:Bh8")
    facts = json.loads(result.stdout)
    assert result.stderr == ""
    assert facts.pop("seconds") >= 0
    assert facts.pop("nodes_per_second") >= 0
    assert facts == {
        "variant": "russian",
        "fen": "W:Wa1:Bh8",
        "depth": 3,
        "paths": False,
        "nodes": 2,
        "divide": {"a1-b2": 2},
    }
    assert "divide" not in json.loads(perft("russian", "3", "--json").stdout)


@pytest.mark.parametrize("depth", range(6))
def test_subtrees_of_any_depth_add_up(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start("brazilian")
    for count in (1, 10, 1000):
        monkeypatch.setattr(perft_module, "MIN_SUBTREES", count)
        counts = count_moves(position, depth, threads=2)
        assert counts == (position.divide(depth) if depth else {})
        with_paths = count_moves(position, depth, threads=2, paths=True)
        assert sum(with_paths.values()) == (position.perft(depth, paths=True) if depth else 0)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["russian", "x"], ["'DEPTH'", "'x'"]),
        (["russian", str(10**20)], ["'DEPTH'", str(10**20), "0<=x<=1000"]),
        (["kalah", "1001"], ["'DEPTH'", "1001", "0<=x<=1000"]),
        (["russian"], ["'DEPTH'"]),
        (["russian", "3", "--threads", "0"], ["'--threads'", "x>=1"]),
        (["russian", "3", "-t"], ["'-t'"]),
    ],
)
def test_invalid_arguments_exit_with_2(arguments: list[str], facts: list[str]) -> None:
    result = perft(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert all(fact in result.stderr.splitlines()[-1] for fact in facts)


def read_until(terminal: int, mark: bytes) -> bytes:
    """Return the output on the terminal until it contains a mark, or until its end."""
    seen = b""
    while mark not in seen and select.select([terminal], [], [], TIMEOUT)[0]:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux: the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    return seen


def test_long_count_shows_progress_and_can_be_interrupted() -> None:
    terminal, end = pty.openpty()
    process = subprocess.Popen([sys.executable, *FOREVER], stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    try:
        seen = read_until(terminal, b"counting")
        process.send_signal(signal.SIGINT)
        seen += read_until(terminal, b"Interrupted.")
        assert process.wait(TIMEOUT) == 130
    finally:
        process.kill()
        os.close(terminal)
    assert b"counting" in seen
    assert b"Interrupted." in seen
    assert 1 <= seen.count(b"\x1b[?25l") <= seen.count(b"\x1b[?25h")  # a hidden cursor is shown again


def test_no_progress_in_a_pipe() -> None:
    assert "counting" not in perft("international", "5").stderr


def test_maximum_depth_is_that_of_the_core() -> None:
    position = Position.from_fen("W:W28:B23", "international")
    assert position.perft(MAX_DEPTH) == 0
    with pytest.raises(TablemenError, match=str(MAX_DEPTH + 1)):
        position.perft(MAX_DEPTH + 1)
