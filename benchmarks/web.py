"""`python -m benchmarks.web`: run many games on a server, and measure the latency of moves."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

GAMES, SECONDS, WARMUP = 200, 40.0, 5.0
QUICK_GAMES, QUICK_SECONDS = 50, 5.0
THINKING_TIME = (0.5, 1.5)  # seconds a player waits before a move
VARIANT = "international"
LOG = "server.log"
TARGET = 0.1  # seconds; limit for the 99th percentile


@dataclass(frozen=True)
class Times:
    """Latencies in seconds."""

    median: float
    p95: float
    p99: float
    maximum: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        """Return the percentiles of the measured latencies."""
        found = sorted(seconds)
        return cls(median(found), found[int(len(found) * 0.95)], found[int(len(found) * 0.99)], found[-1])

    def __str__(self) -> str:
        return "".join(f"{1000 * value:>9.1f}" for value in (self.median, self.p95, self.p99, self.maximum))


@dataclass(frozen=True)
class Load:
    """The result of a run: latency from sending a move to the answer, and to the opponent's state message."""

    games: int
    moves: int
    seconds: float
    answers: Times
    states: Times
    cpu_seconds: float  # CPU seconds of the server per move, including its start

    @property
    def moves_per_second(self) -> float:
        """The number of moves played per second."""
        return self.moves / self.seconds


@dataclass
class Measured:
    """The latencies of a run, in seconds."""

    moves: int = 0  # including the warm-up
    answers: list[float] = field(default_factory=list)
    states: list[float] = field(default_factory=list)


@contextmanager
def start_server(folder: Path, *python: str) -> Iterator[str]:
    """Start a server in a subprocess and yield its address. Its log is written to a file in the folder.

    `python` are the options of Python that run the command line, by default `-m tablemen`.
    """
    words = ["serve", "--port", "0", "--no-browser", "--database", str(folder / "games.sqlite")]
    command = [sys.executable, *(python or ("-m", "tablemen")), *words]
    with (
        (folder / LOG).open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            url = re.search(r"http://[\w.]+:[0-9]+", process.stdout.readline())
            assert url is not None
            yield url[0]
        finally:
            process.terminate()
            process.communicate()


def create_game(address: str, **options: Any) -> dict[str, Any]:
    """Create a game between two players with a link."""
    body = json.dumps({"variant": VARIANT, "opponent": "link", **options}).encode()
    request = Request(f"{address}/api/games", body, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        created: dict[str, Any] = json.load(answer)
    return created


async def _join(address: str, game_id: str, key: str) -> ClientConnection:
    url = f"ws{address.removeprefix('http')}/api/games/{game_id}/socket"
    socket = await connect(url, compression=None, max_size=None, ping_interval=None)
    await socket.send(json.dumps({"key": key}))
    return socket


async def _play(address: str, created: dict[str, Any], measured: Measured, times: tuple[float, float]) -> None:
    """Play a game between two sockets until the time is over."""
    begin, end = times
    generator = random.Random(created["id"])
    sockets = {side: await _join(address, created["id"], key) for side, key in created["keys"].items()}
    sent: list[float] = [0.0]  # when the last move was sent

    async def watch(side: str, socket: ClientConnection) -> None:
        number = 0
        async for text in socket:
            received = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "answer":
                assert message["error"] is None, message
                measured.moves += 1
                if begin <= sent[0]:
                    measured.answers.append(received - sent[0])
                continue
            if message["plies"] and message["plies"][-1]["side"] != side and begin <= sent[0]:
                measured.states.append(received - sent[0])
            if message["turn"] != side or message["outcome"] or message["players"][_other(side)]["connected"] is False:
                continue
            count = message["since"] + len(message["plies"])
            if count < number:
                continue
            await asyncio.sleep(generator.uniform(*THINKING_TIME))
            if time.perf_counter() > end:
                return
            number = count + 1
            move = {"action": "move", "move": generator.choice(message["legal"])["full"], "ply": count, "id": count}
            sent[0] = time.perf_counter()
            await socket.send(json.dumps(move))

    tasks = [asyncio.create_task(watch(side, socket)) for side, socket in sockets.items()]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*(socket.close() for socket in sockets.values()))
    await asyncio.gather(*tasks)


def _other(side: str) -> str:
    return "black" if side == "white" else "white"


async def play_games(address: str, created: list[dict[str, Any]], warmup: float, seconds: float) -> Measured:
    """Play the games concurrently; measure the moves that are sent after the warm-up."""
    measured = Measured()
    begin = time.perf_counter() + warmup
    await asyncio.gather(*(_play(address, each, measured, (begin, begin + seconds)) for each in created))
    return measured


def measure_web(games: int = GAMES, seconds: float = SECONDS) -> Load:
    """Run the games concurrently, with two sockets each."""
    with tempfile.TemporaryDirectory() as folder, start_server(Path(folder)) as address:
        created = [create_game(address) for _ in range(games)]
        measured = asyncio.run(play_games(address, created, WARMUP, seconds))
    answers, states = Times.of(measured.answers), Times.of(measured.states)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    moves = len(measured.answers)
    return Load(games, moves, seconds, answers, states, (spent.ru_utime + spent.ru_stime) / measured.moves)


def format_web(load: Load) -> str:
    """Return the figures, in milliseconds."""
    moves = f"{load.moves:,} moves in {load.seconds:.0f} s, {load.moves_per_second:,.0f} per second"
    return "\n".join(
        (
            f"{load.games} games between {2 * load.games} sockets: {moves}",
            f"{'latency (ms) of':<28}{'median':>9}{'95 %':>9}{'99 %':>9}{'maximum':>9}",
            f"{'answers to moves':<28}{load.answers}",
            f"{'states for the opponent':<28}{load.states}",
            f"server CPU time per move: {1000 * load.cpu_seconds:.1f} ms",
        )
    )


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="play a quarter of the games, for a few seconds")
    parser.add_argument("--json", action="store_true", help="print JSON, in seconds")
    parser.add_argument("--games", type=int, help=f"number of concurrent games (default {GAMES})")
    parser.add_argument("--seconds", type=float, help=f"duration of the measurement (default {SECONDS:.0f})")
    options = parser.parse_args()
    games, seconds = (QUICK_GAMES, QUICK_SECONDS) if options.quick else (GAMES, SECONDS)
    load = measure_web(options.games or games, options.seconds or seconds)
    print(json.dumps(asdict(load), indent=2) if options.json else format_web(load))
    return 0 if max(load.answers.p99, load.states.p99) < TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
