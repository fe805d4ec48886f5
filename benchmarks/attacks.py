"""`python -m benchmarks.attacks`: measure the latency of moves while a client sends the heaviest requests known.

Each attack runs against a fresh server on which games are played. One client repeats the requests of the attack as fast
as it gets answers. The figures beside those of an idle server show how much other clients are delayed. `lock` is the
longest CPU time of the server in which a thread could not get the interpreter lock; it depends less on other programs
that run on the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import multiprocessing.process
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from benchmarks.web import LOG, TARGET, Times, create_game, play_games, start_server
from tablemen.cli import main as main_command
from tablemen.draughts import VARIANTS, DraughtsRules
from tablemen.draughts import Position as Board
from tablemen.draughts.tablebase import random_positions
from tablemen.game import Game
from tablemen.mancala import KALAH, Position

GAMES, SECONDS, WARMUP = 200, 8.0, 2.0
TIMEOUT = 120.0  # seconds for an answer, and for the games after an attack
MAX_BODY, MAX_MESSAGE = 1_999_000, 63_000  # bytes; a little less than the limits of the server
SERVE = "from benchmarks.attacks import serve; serve()"
STREAM_BYTES = 2000  # read of a stream of results before the next request

Body: TypeAlias = bytes | str | None  # None for a GET request, bytes that are not UTF-8 for an invalid frame


@dataclass(frozen=True)
class Attack:
    """Requests that are repeated: bodies for a path, or messages for a WebSocket if the path ends with `socket`."""

    path: str
    bodies: Callable[[int], Iterable[Body]]  # for a size in bytes, which a body may have at most
    size: int = MAX_BODY
    game: dict[str, Any] | None = None  # options of the game for `{game}` in the path
    content_type: str = "application/json"

    @property
    def is_socket(self) -> bool:
        """Whether the requests are messages of a WebSocket."""
        return self.path.endswith("/socket")


# Bodies


def _repeat(begin: str, part: str, end: str) -> Callable[[int], list[Body]]:
    """Return a generator of one body: as many parts as fit, joined by commas."""

    def generate(size: int) -> list[Body]:
        return [begin + ",".join([part] * ((size - len(begin) - len(end)) // (len(part) + 1))) + end]

    return generate


def _fields(begin: str, end: str, value: str = "0") -> Callable[[int], list[Body]]:
    """Return a generator of one body: as many different fields as fit."""

    def generate(size: int) -> list[Body]:
        count = (size - len(begin) - len(end)) // (len(value) + 9)
        return [begin + ",".join(f'"{number:x}":{value}' for number in range(count)) + end]

    return generate


def _text(part: str, end: str = "", begin: str = "") -> Callable[[int], list[Body]]:
    """Return a generator of one file: as many parts as fit."""

    def generate(size: int) -> list[Body]:
        length = len(json.dumps(part)) - 2
        count = (size - 100 - len(json.dumps(begin + end))) // length
        return [json.dumps({"text": begin + part * count + end})]

    return generate


def _fixed(*bodies: object) -> Callable[[int], list[Body]]:
    return lambda _size: [
        each if each is None or isinstance(each, bytes | str) else json.dumps(each) for each in bodies
    ]


# Frisian positions found by hill climbing: a king captures in very many ways. The numbers are units of work.
_KINGS = [9, 11, 16, 18, 20, 21, 23, 24, 27, 29, 32, 33, 36, 38, 41, 42, 43, 45, 47, 49]


def _crowded(*removed: int) -> str:
    return "W:WK48:BK" + ",K".join(str(square) for square in _KINGS if square not in removed)


CROWDED_400_000 = _crowded()
CROWDED_200_000 = _crowded(16, 41)
CROWDED_4_000 = _crowded(21, 23, 24, 33, 43)  # within the limit of the server
_ILLEGAL_MOVES = ["48x3", "48x5", "48-43", "9-4", "48x48"]
MANY_PATHS = {  # 2,448 paths for some hundred captures
    "variant": "international",
    "turn": "white",
    "board": {
        "white": {"kings": ["23", "25", "3", "34", "5"]},
        "black": {
            "kings": [
                str(each) for each in (1, 7, 8, 12, 14, 17, 18, 21, 29, 30, 31, 37, 39, 40, 41, 42, 43, 45, 46, 48)
            ]
        },
    },
}


def _setups(fen: str, move: str) -> Callable[[int], list[Body]]:
    part = f'/FEN "{fen}"/ 1. {move} (1. {move}) (1. {move}) '
    return _text(part, "*", '[GameType "40"] 1. 32-28 ')


def _crowded_tree(fen: str, move: str) -> Callable[[int], list[Body]]:
    node = json.dumps({"parent": -1, "move": move})
    return _repeat(f'{{"variant":"frisian","position":"{fen}","nodes":[', node, "]}")


# King moves that repeat: a game of any length.
_SHUFFLE = ("42-37", "26-12", "37-42", "12-26")
_SHUFFLE_FEN = "W:WK42,48,25,39,43,13,28,32,41,44,35,14,36,31,9,33,45:BK26,34,16,24,3,1,5,20,30"


def _game_file(size: int) -> list[Body]:
    """Return a PDN file with as many moves as the server accepts, in variations."""
    count = min(19_990, (size - 300) // 9)
    text = f'[GameType "20"]\n[FEN "{_SHUFFLE_FEN}"]\n1. 42-37 ' + "(1. 9-4) " * count + "*"
    return [json.dumps({"text": text[: size - 200]})]


def _long_game_file(size: int) -> list[Body]:
    """Return a PDN file with as many moves as the server accepts, in one line."""
    count = min(19_900, (size - 300) // 6)
    moves = " ".join(_SHUFFLE[each % 4] for each in range(count))
    return [json.dumps({"text": f'[GameType "20"]\n[FEN "{_SHUFFLE_FEN}"]\n{moves} *'})]


_SOWING_START = f"<24,0,0,{','.join(['180'] * 48)}> south"


@cache
def _sowings(count: int) -> list[str]:
    """Return random moves of Kalah with 180 seeds in each house."""
    random, game = Random(1), Game(Position.from_text(_SOWING_START, replace(KALAH, houses=24, seeds=180)))
    while len(game.moves) < count:
        game.push(random.choice(game.position.legal_moves()))
    return [str(move) for move in game.moves]


def _sowing_game(count: int) -> dict[str, Any]:
    return {"variant": "kalah", "houses": 24, "seeds": 180, "moves": _sowings(count)}


def _sowing_file(size: int) -> list[Body]:
    """Return a mancala file whose moves sow many seeds: its response is the largest."""
    text = f"Variant: kalah\nStart: {_SOWING_START}\nMoves: {' '.join(_sowings(400))}\n\n"
    return [json.dumps({"text": text * max(1, min(50, size // (len(text) + 3)))})]


def _tree(size: int) -> list[Body]:
    """Return a valid tree with as many nodes and as long comments as fit."""
    count = min(19_999, size // 60)
    comment = "x" * max(0, size // count - 60)
    nodes = [{"parent": -1, "move": "32-28", "comment": comment} for _ in range(count)]
    return [json.dumps({"variant": "international", "nodes": nodes})]


def _endgames(variants: Iterable[DraughtsRules], count: int) -> list[dict[str, Any]]:
    """Return random positions of each variant that a tablebase in memory has."""
    return [
        {"variant": rules.name, "position": position.fen()}
        for rules in variants
        for position in random_positions(rules, 3, count, seed=1)
        if position.outcome() is None
    ]


@cache
def _long_endgame(count: int) -> dict[str, Any]:
    """Return a game in which no side loses its pieces, so that a tablebase has all of its positions."""
    start = "W:W13:B4,K63"
    random, game = Random(1), Game(Board.from_fen(start, "malaysian"))
    while len(game.moves) < count:
        safe = [move for move in game.legal_moves() if not _loses_piece(game.position.play(move))]
        game.push(random.choice(safe))
    return {"variant": "malaysian", "position": start, "moves": [str(move) for move in game.moves]}


def _loses_piece(position: Board) -> bool:
    return any(move.captured for move in position.legal_moves())


def _analyse(subject: dict[str, Any], **options: Any) -> dict[str, Any]:
    return {"type": "analyse", "id": 1, "subject": subject, "seconds": 1, **options}


READ, WRITE, POSITIONS = "/api/files/read", "/api/files/write", "/api/positions"
GAME_SOCKET, ANALYSIS_SOCKET = "/api/games/{game}/socket", "/api/analyse/socket"
LINK: dict[str, Any] = {}
CROWDED_GAME = {"variant": "frisian", "position": CROWDED_4_000}
_CROWDED_SUBJECT = {"variant": "frisian", "position": CROWDED_4_000}

ATTACKS: dict[str, Attack] = {
    # Positions with very many captures
    "read: set-ups, 818 bytes": Attack(READ, _setups(CROWDED_400_000, "48x3"), 818),
    "read: set-ups, 2 MB": Attack(READ, _setups(CROWDED_400_000, "48x3")),
    "read: set-ups near the limit": Attack(READ, _setups(CROWDED_4_000, "48x4")),
    "read: games with set-ups": Attack(READ, _text(f'[GameType "40"][FEN "{CROWDED_4_000}"] 1. 48x4 (1. 48x4) *\n')),
    "write: crowded tree, 16 KB": Attack(WRITE, _crowded_tree(CROWDED_200_000, "48x3"), 16_700),
    "write: crowded tree near the limit": Attack(WRITE, _crowded_tree(CROWDED_4_000, "48x4"), 400_000),
    "positions: crowded": Attack(POSITIONS, _fixed({"variant": "frisian", "position": CROWDED_200_000})),
    "positions: near the limit": Attack(POSITIONS, _fixed(_CROWDED_SUBJECT)),
    "positions: many paths": Attack("/api/positions/setup", _fixed(MANY_PATHS)),
    "objection: crowded": Attack("/api/positions/objection", _fixed({**_CROWDED_SUBJECT, "place": "48"})),
    "games: crowded": Attack("/api/games", _fixed({**_CROWDED_SUBJECT, "opponent": "screen"})),
    "analyse: crowded": Attack("/api/analyse", _fixed({"subject": _CROWDED_SUBJECT, "seconds": 1, "lines": 10})),
    "review: long game": Attack("/api/analyse/game", _fixed({"subject": _sowing_game(400)})),
    # Positions that tablebases in memory have
    "analyse: endgames of all variants": Attack(
        "/api/analyse", _fixed(*({"subject": each, "lines": 10} for each in _endgames(VARIANTS.values(), 3)))
    ),
    "review: long endgame": Attack("/api/analyse/game", _fixed({"subject": _long_endgame(400)})),
    "analysis socket: endgames": Attack(
        ANALYSIS_SOCKET, _fixed(*(_analyse(each, lines=10) for each in _endgames([VARIANTS["turkish"]], 20)))
    ),
    "game socket: hints in an endgame": Attack(
        GAME_SOCKET,
        _fixed({"id": 1, "action": "hint"}, {"id": 2, "action": "draw"}),
        game={"variant": "killer", "position": "W:WK50:B1,K45", "opponent": "computer", "side": "white"},
    ),
    # Invalid JSON and invalid models
    "write: 60 KB of {} nodes": Attack(WRITE, _repeat('{"variant":"kalah","nodes":[', "{}", "]}"), 60_000),
    "write: 2 MB of {} nodes": Attack(WRITE, _repeat('{"variant":"kalah","nodes":[', "{}", "]}")),
    "write: 1.2 MB of unknown fields": Attack(WRITE, _fields("{", "}"), 1_200_000),
    "write: unknown fields in nodes": Attack(
        WRITE, _repeat('{"variant":"kalah","nodes":[', '{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0}', "]}")
    ),
    "write: 2 MB of invalid tags": Attack(WRITE, _fields('{"variant":"kalah","tags":{', "}}")),
    "write: 2 MB of invalid glyphs": Attack(
        WRITE, _repeat('{"variant":"kalah","nodes":[{"parent":-1,"move":"1","glyphs":[', "-1", "]}]}")
    ),
    "read: 2 MB of lists": Attack(READ, _repeat('{"text":"","x":[', "[]", "]}")),
    "read: 2 MB of numbers": Attack(READ, _repeat('{"text":"","x":[', "1", "]}")),
    "read: long field": Attack(READ, lambda size: [json.dumps({"text": "", "x" * (size - 30): 0})]),
    "read: unknown fields": Attack(READ, _fields('{"text":"",', "}")),
    "positions: unknown fields": Attack(POSITIONS, _fields("{", "}")),
    "positions: unknown fields, 60 KB": Attack(POSITIONS, _fields("{", "}"), MAX_MESSAGE),
    "positions: invalid moves": Attack(POSITIONS, _repeat('{"variant":"kalah","moves":[', "0", "]}")),
    "positions: invalid moves, 60 KB": Attack(
        POSITIONS, _repeat('{"variant":"kalah","moves":[', "0", "]}"), MAX_MESSAGE
    ),
    "positions: long move": Attack(POSITIONS, lambda size: [json.dumps({"moves": ["x" * (size - 100)]})]),
    "positions: deeply nested": Attack(POSITIONS, lambda size: ["[" * size, '{"a":' * (size // 5)]),
    "positions: nested 900 times": Attack(
        POSITIONS, _repeat('{"variant":"kalah","x":[', '{"a":' * 900 + "0" + "}" * 900, "]}")
    ),
    "positions: huge number": Attack(POSITIONS, lambda size: ['{"variant":"kalah","seeds":' + "9" * (size - 50) + "}"]),
    "positions: large numbers": Attack(POSITIONS, _repeat('{"variant":"kalah","moves":[', "9" * 4300, "]}")),
    "positions: another content type": Attack(POSITIONS, lambda size: ["\x01" * size], content_type="text/plain"),
    "setup: many sides": Attack("/api/positions/setup", _fields('{"variant":"kalah","turn":"south","board":{', "}}")),
    "setup: other sides": Attack(
        "/api/positions/setup",
        _fields('{"variant":"kalah","turn":"south","board":{"south":{"x":[[]],', "}}}", '{"y":[]}'),
        MAX_MESSAGE,
    ),
    "setup: invalid squares": Attack(
        "/api/positions/setup",
        _repeat('{"variant":"english","turn":"white","board":{"black":{},"white":{"men":[', '"x"', "]}}}"),
        MAX_MESSAGE,
    ),
    "games: unknown fields": Attack("/api/games", _fields("{", "}")),
    "actions: unknown fields": Attack("/api/games/{game}/actions", _fields("{", "}"), game=LINK),
    "analyse: unknown fields": Attack("/api/analyse", _fields("{", "}")),
    # Long inputs that are valid
    "read: 20,000 moves in variations": Attack(READ, _game_file),
    "read: 20,000 moves in one line": Attack(READ, _long_game_file),
    "read: 50 games with long sowings": Attack(READ, _sowing_file),
    "write: 20,000 nodes": Attack(WRITE, _tree),
    "positions: 2,000 moves": Attack(POSITIONS, _fixed(_sowing_game(2000))),
    "objection: 2,000 moves": Attack("/api/positions/objection", _fixed({**_sowing_game(2000), "place": "1"})),
    "board.svg: 2,000 moves": Attack(
        "/api/board.svg?size=4000&variant=kalah&houses=24&seeds=180&moves=" + "+".join(_sowings(2000)), _fixed(None)
    ),
    "games: 400 moves": Attack("/api/games", _fixed({**_sowing_game(400), "opponent": "screen"})),
    "games: show 400 moves": Attack("/api/games/{game}", _fixed(None), game=_sowing_game(400)),
    "games: file of 400 moves": Attack("/api/games/{game}/file", _fixed(None), game=_sowing_game(400)),
    "variants: long name": Attack("/api/variants/" + "ab" * 20_000, _fixed(None)),
    "positions: unknown variant": Attack(POSITIONS, _fixed({"variant": "x" * 400})),
    "positions: long field": Attack(POSITIONS, lambda size: [json.dumps({"x" * (size - 10): 0})]),
    # Texts of files
    "read: unclosed comment": Attack(READ, _text("{")),
    "read: nested variations": Attack(READ, _text("(", begin="1. 32-28 ")),
    "read: tags": Attack(READ, _text('[A "b"]\n')),
    "read: one tag of many lines": Attack(READ, _text('[A "b" ')),
    "read: empty games": Attack(READ, _text("* ")),
    "read: words": Attack(READ, _text("x ")),
    "read: moves of no game": Attack(READ, _text("99-98 ")),
    "read: glyphs": Attack(READ, _text("$1 ", begin="1. 32-28 ")),
    "read: quotes and brackets": Attack(READ, _text('"[')),
    "read: comments": Attack(READ, _text("{x}", begin="1. 32-28 ")),
    "read: names without values": Attack(READ, _text("Moves: \n")),
    "read: mancala moves": Attack(READ, _text("1 ", begin="Variant: kalah\nMoves: ")),
    "read: blank lines": Attack(READ, _text(" \n")),
    "read: line separators": Attack(READ, _text("\u2028")),
    # WebSockets
    "game socket: unknown fields": Attack(GAME_SOCKET, _fields('{"id":1,', "}"), MAX_MESSAGE, game=LINK),
    "game socket: long move": Attack(
        GAME_SOCKET,
        lambda size: [json.dumps({"id": 1, "action": "move", "move": "x" * (size - 99)})],
        MAX_MESSAGE,
        LINK,
    ),
    "game socket: illegal moves": Attack(
        GAME_SOCKET,
        _fixed(*({"id": 1, "action": "move", "move": move} for move in _ILLEGAL_MOVES)),
        game=CROWDED_GAME,
    ),
    "game socket: large numbers": Attack(
        GAME_SOCKET, _repeat('{"id":1,"action":"move","ply":[', "9" * 4300, "]}"), MAX_MESSAGE, game=LINK
    ),
    "game socket: no id": Attack(GAME_SOCKET, _repeat('{"x":[', "[]", "]}"), MAX_MESSAGE, game=LINK),
    "game socket: invalid UTF-8": Attack(GAME_SOCKET, _fixed(b"\xff" * 100), game=LINK),
    "game socket: reconnect to 400 moves": Attack(GAME_SOCKET, _fixed("x"), game=_sowing_game(400)),
    "analysis socket: unknown fields": Attack(ANALYSIS_SOCKET, _fields('{"type":"analyse","id":1,', "}"), MAX_MESSAGE),
    "analysis socket: invalid moves": Attack(
        ANALYSIS_SOCKET,
        _repeat('{"type":"analyse","id":1,"subject":{"variant":"kalah","moves":[', "0", "]}}"),
        MAX_MESSAGE,
    ),
    "analysis socket: deeply nested": Attack(
        ANALYSIS_SOCKET, lambda size: ["[" * size, '{"a":' * (size // 5)], MAX_MESSAGE
    ),
    "analysis socket: 2,000 moves": Attack(ANALYSIS_SOCKET, _fixed(_analyse(_sowing_game(2000)))),
    "analysis socket: crowded": Attack(ANALYSIS_SOCKET, _fixed(_analyse(_CROWDED_SUBJECT, lines=10))),
    "analysis socket: invalid UTF-8": Attack(ANALYSIS_SOCKET, _fixed(b"\xff" * 100)),
}


# The attacker


class Attacker:
    """A client that repeats the requests of an attack, and reports the status or close code of each."""

    def __init__(self, address: str, attack: Attack, results: Connection) -> None:
        game = {} if attack.game is None else create_game(address, **attack.game)
        self._address, self._attack, self._results = address, attack, results
        self._path = attack.path.format(game=game.get("id"))
        self._key = next(iter(game["keys"].values())) if game else None
        self._bodies = list(attack.bodies(attack.size))

    def run(self) -> None:
        """Repeat the requests until the process is terminated."""
        while True:
            try:
                if self._attack.is_socket:
                    self._send_messages()
                else:
                    self._send_requests()
            except (OSError, HTTPException, ConnectionClosed) as error:
                self._results.send(type(error).__name__)
                time.sleep(0.05)

    def _send_requests(self) -> None:
        parts = urlsplit(self._address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT)
        headers = {"Content-Type": self._attack.content_type}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        for body in cycle(self._bodies):
            connection.request("GET" if body is None else "POST", self._path, body, headers)
            answer = connection.getresponse()
            if answer.getheader("Content-Type") == "application/x-ndjson":
                answer.read(STREAM_BYTES)
                connection.close()
            else:
                answer.read()
            self._results.send(answer.status)

    def _send_messages(self) -> None:
        url = f"ws{self._address.removeprefix('http')}{self._path}"
        with connect(url, compression=None, max_size=None, open_timeout=TIMEOUT, ping_interval=None) as socket:
            try:
                if self._attack.game is not None:
                    socket.send(json.dumps({"key": self._key}))
                    socket.recv(TIMEOUT)
                for body in cycle(self._bodies):
                    socket.send(body or "", text=True)
                    socket.recv(TIMEOUT)
                    self._results.send("answer")
            except ConnectionClosed as closed:
                self._results.send(f"close {closed.rcvd.code if closed.rcvd else 'without a code'}")
                time.sleep(0.01)


# Measurement


def serve() -> None:
    """Run the command line, and write to a file how long another thread had to wait for the interpreter lock.

    The measurement starts again when the file is removed.
    """
    path, *sys.argv[1:] = sys.argv[1:]
    threading.Thread(target=_watch_lock, args=[Path(path)], daemon=True).start()
    main_command(prog_name="tablemen")


def _watch_lock(path: Path) -> None:
    longest, before = 0.0, time.process_time()
    while True:
        time.sleep(0.001)
        now = time.process_time()
        if now - before > longest or not path.exists():
            longest = now - before if path.exists() else 0.0
            path.write_text(str(longest), encoding="utf-8")
        before = now


@dataclass(frozen=True)
class Result:
    """The answers of an attack, and the latencies of the moves of other clients."""

    statuses: dict[str, int]
    log_lines: int
    lock: float
    moves: int
    times: Times | None  # None if no move was answered


def measure_attack(attack: Attack | None, games: int, seconds: float) -> Result:
    """Measure the latency of moves during an attack, or on an idle server if there is none."""
    with tempfile.TemporaryDirectory() as name, start_server(Path(name), "-c", SERVE, f"{name}/lock") as address:
        folder = Path(name)
        created = [create_game(address) for _ in range(games)]
        statuses: Counter[str] = Counter()
        receiver, sender = multiprocessing.Pipe(duplex=False)
        attacker = None if attack is None else _start_attacker(address, attack, sender)
        (folder / "lock").unlink()
        try:
            measured = asyncio.run(_play_in_time(address, created, seconds))
        finally:
            if attacker is not None:
                attacker.terminate()
                attacker.join()
        while receiver.poll():
            statuses[str(receiver.recv())] += 1
        log_lines = len((folder / LOG).read_text(encoding="utf-8").splitlines())
        lock = float((folder / "lock").read_text(encoding="utf-8"))
    return Result(dict(statuses), log_lines, lock, len(measured), Times.of(measured) if measured else None)


async def _play_in_time(address: str, created: list[dict[str, Any]], seconds: float) -> list[float]:
    try:
        async with asyncio.timeout(WARMUP + seconds + TIMEOUT):
            measured = await play_games(address, created, WARMUP, seconds)
    except TimeoutError:
        return []
    return measured.answers


def _start_attacker(address: str, attack: Attack, results: Connection) -> multiprocessing.process.BaseProcess:
    attacker = Attacker(address, attack, results)
    process = multiprocessing.get_context("fork").Process(target=attacker.run, daemon=True)
    process.start()
    return process


def format_result(name: str, result: Result) -> str:
    """Return the figures of an attack in a line, in milliseconds."""
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(result.statuses.items()))
    times = result.times
    figures = f"{'no move answered':>27}"
    if times is not None:
        figures = "".join(f"{1000 * value:>9.1f}" for value in (times.median, times.p99, times.maximum))
    return f"{name:<38}{result.moves:>7}{figures}{1000 * result.lock:>9.1f}{result.log_lines:>6}  {answers}"


def main() -> int:
    """Run the attacks, print their figures, and return 1 if a 99th percentile exceeds the target."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="NAME", help="run only attacks whose name contains one of these")
    parser.add_argument("--games", type=int, default=GAMES, help=f"number of concurrent games (default {GAMES})")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"duration of each (default {SECONDS:.0f})")
    options = parser.parse_args()
    chosen = {
        name: attack
        for name, attack in ATTACKS.items()
        if not options.only or any(map(name.__contains__, options.only))
    }
    print(f"{'':<38}{'moves':>7}{'median':>9}{'99 %':>9}{'maximum':>9}{'lock':>9}{'log':>6}  answers to the attacker")
    too_slow = []
    for name, attack in {"idle": None, **chosen, "idle again": None}.items():
        result = measure_attack(attack, options.games, options.seconds)
        print(format_result(name, result), flush=True)
        if result.times is None or result.times.p99 > TARGET:
            too_slow.append(name)
    print(f"above {1000 * TARGET:.0f} ms: {', '.join(too_slow) or 'none'}")
    return int(bool(too_slow))


if __name__ == "__main__":
    sys.exit(main())
