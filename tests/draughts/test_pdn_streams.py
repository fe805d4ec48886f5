"""Large PDN files are read as a stream, in constant memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tablemen.draughts.pdn import read_pdn
from tests.timeouts import TIMEOUT

GOLDEN = Path(__file__).parent / "pdn"

# Reads the games of a file repeatedly, up to a number of bytes. Prints the number of games and the memory growth in MB.
PROGRAM = """
import resource, sys
from tablemen.draughts.pdn import read_pdn

class Endless:
    def __init__(self, games, size):
        self.games, self.left = games * (1 + 100_000 // len(games)), size
    def read(self, size):
        if self.left <= 0:
            return b""
        self.left -= len(self.games)
        return self.games

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

games = open(sys.argv[1], "rb").read()
for game in read_pdn(Endless(games, 2_000_000)):
    game.line
before = peak()
count = sum(1 for game in read_pdn(Endless(games, int(sys.argv[2]))))
print(count, peak() - before)
"""


def count_and_growth(path: Path, size: int) -> tuple[int, int]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), str(size)],
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT,
    )
    count, growth = map(int, done.stdout.split())
    return count, growth


def test_memory_does_not_grow_with_the_file() -> None:
    path = GOLDEN / "international.pdn"
    count, growth = count_and_growth(path, 10_000_000)
    assert count >= 10_000_000 // path.stat().st_size
    assert growth < 8


@pytest.mark.slow
def test_100_megabytes_are_read_in_constant_memory() -> None:
    path = GOLDEN / "russian.pdn"
    count, growth = count_and_growth(path, 100_000_000)
    assert count >= 100_000_000 // path.stat().st_size
    assert growth < 8


def test_game_is_returned_as_soon_as_it_is_complete() -> None:
    class Slow:
        """A file that returns ten bytes at a time."""

        def __init__(self, data: bytes) -> None:
            self.data = data
            self.given = 0

        def read(self, _size: int) -> bytes:
            self.given += 10
            return self.data[self.given - 10 : self.given]

    game = b'[GameType "20"] 1. 32-28 19-23 *\n'
    source = Slow(game * 10)
    reader = read_pdn(source)  # type: ignore[arg-type]
    next(reader)
    assert source.given < 2 * len(game)
    assert len(list(reader)) == 9
