"""`python -m benchmarks.web`: many games at once on a real server, and how long a move takes to be kept and seen."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
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
THOUGHT = (0.5, 1.5)  # seconds between a state and the move that follows it
VARIANT = "international"
TARGET = 0.1  # seconds, for 99 of 100 moves


@dataclass(frozen=True)
class Times:
    """How long something took, in seconds."""

    median: float
    p95: float
    p99: float
    most: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        """Of all that was measured."""
        found = sorted(seconds)
        return cls(median(found), found[int(len(found) * 0.95)], found[int(len(found) * 0.99)], found[-1])

    def __str__(self) -> str:
        return "".join(f"{1000 * value:>9.1f}" for value in (self.median, self.p95, self.p99, self.most))


@dataclass(frozen=True)
class Load:
    """What a run came to: from a move that is sent to its answer, and to the state that the opponent gets."""

    games: int
    moves: int
    seconds: float
    answers: Times
    states: Times
    processor: float  # seconds that the server used a move, its start included

    @property
    def moves_per_second(self) -> float:
        """How many moves were played."""
        return self.moves / self.seconds


@dataclass
class _Measured:
    moves: int = 0  # those before the measuring included
    answers: list[float] = field(default_factory=list)
    states: list[float] = field(default_factory=list)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """A server in a process of its own, and where it is."""
    words = ["serve", "--port", "0", "--no-browser", "--database", str(folder / "games.sqlite")]
    command = [sys.executable, "-m", "tablemen", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield line.split()[3].rstrip("/")
        finally:
            process.terminate()
            process.communicate()


def _create(address: str) -> dict[str, Any]:
    body = json.dumps({"variant": VARIANT, "opponent": "link", "side": "white"}).encode()
    request = Request(f"{address}/api/games", body, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        created: dict[str, Any] = json.load(answer)
    return created


async def _join(address: str, game_id: str, key: str) -> ClientConnection:
    url = f"ws{address.removeprefix('http')}/api/games/{game_id}/socket"
    socket = await connect(url, compression=None, max_size=None, ping_interval=None)
    await socket.send(json.dumps({"key": key}))
    return socket


async def _play(address: str, created: dict[str, Any], measured: _Measured, times: tuple[float, float]) -> None:
    """A game between two sockets until the end of the time."""
    begin, end = times
    dice = random.Random(created["id"])
    sockets = {side: await _join(address, created["id"], key) for side, key in created["keys"].items()}
    sent: list[float] = [0.0]  # when the last move was

    async def watch(side: str, socket: ClientConnection) -> None:
        number = 0
        async for text in socket:
            came = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "answer":
                assert message["error"] is None, message
                measured.moves += 1
                if begin <= sent[0]:
                    measured.answers.append(came - sent[0])
                continue
            if message["plies"] and message["plies"][-1]["side"] != side and begin <= sent[0]:
                measured.states.append(came - sent[0])
            if message["turn"] != side or message["outcome"] or message["players"][_other(side)]["connected"] is False:
                continue
            count = message["since"] + len(message["plies"])
            if count < number:
                continue
            await asyncio.sleep(dice.uniform(*THOUGHT))
            if time.perf_counter() > end:
                return
            number = count + 1
            move = {"action": "move", "move": dice.choice(message["legal"])["full"], "ply": count, "id": count}
            sent[0] = time.perf_counter()
            await socket.send(json.dumps(move))

    tasks = [asyncio.create_task(watch(side, socket)) for side, socket in sockets.items()]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*(socket.close() for socket in sockets.values()))
    await asyncio.gather(*tasks)


def _other(side: str) -> str:
    return "black" if side == "white" else "white"


async def _load(address: str, games: int, seconds: float) -> _Measured:
    created = [_create(address) for _ in range(games)]
    measured = _Measured()
    begin = time.perf_counter() + WARMUP
    await asyncio.gather(*(_play(address, each, measured, (begin, begin + seconds)) for each in created))
    return measured


def measure_web(games: int = GAMES, seconds: float = SECONDS) -> Load:
    """A run of so many games at once, with two sockets each."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as address:
        measured = asyncio.run(_load(address, games, seconds))
    answers, states = Times.of(measured.answers), Times.of(measured.states)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    moves = len(measured.answers)
    return Load(games, moves, seconds, answers, states, (spent.ru_utime + spent.ru_stime) / measured.moves)


def format_web(load: Load) -> str:
    """The figures in milliseconds."""
    moves = f"{load.moves:,} moves in {load.seconds:.0f} s, {load.moves_per_second:,.0f} a second"
    return "\n".join(
        (
            f"{load.games} games between {2 * load.games} sockets: {moves}",
            f"{'milliseconds from a move to':<28}{'median':>9}{'95 %':>9}{'99 %':>9}{'most':>9}",
            f"{'its answer':<28}{load.answers}",
            f"{'the state of the opponent':<28}{load.states}",
            f"The server used {1000 * load.processor:.1f} ms of a processor for a move.",
        )
    )


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of the games, for a few seconds")
    parser.add_argument("--json", action="store_true", help="the figures in JSON, in seconds")
    parser.add_argument("--games", type=int, help=f"how many games at once; {GAMES} unless told")
    parser.add_argument("--seconds", type=float, help=f"for how long; {SECONDS:.0f} unless told")
    options = parser.parse_args()
    games, seconds = (QUICK_GAMES, QUICK_SECONDS) if options.quick else (GAMES, SECONDS)
    load = measure_web(options.games or games, options.seconds or seconds)
    print(json.dumps(asdict(load), indent=2) if options.json else format_web(load))
    return 0 if max(load.answers.p99, load.states.p99) < TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
