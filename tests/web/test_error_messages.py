"""The error messages that clients of the server get."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from examples.heap import Heaps
from tablemen.cli import serve as serve_command
from tablemen.errors import TablemenError
from tablemen.family import register_family, unregister_family
from tablemen.web.analysis.service import STOPPING
from tablemen.web.files import format_file, parse_file
from tablemen.web.models import GameFileText, GameTreeSpec
from tests.golden import check_golden
from tests.timeouts import run_in_time
from tests.web.clients import act, create, headers, send_action
from tests.web.in_process_server import Running, Socket, running, wait_for_close
from tests.web.subprocess_server import invoke_serve
from tests.web.test_analysis_socket import INVALID_MESSAGES
from tests.web.test_complexity import SLOW, TOO_MANY_PIECES, setup
from tests.web.test_connections import leave_messages_unread
from tests.web.test_files import nested_variations

HERE = Path(__file__).parent
JSON = {"Content-Type": "application/json"}
WHITE_AND_BLACK = {"white": {"men": ["31"]}, "black": {"men": ["1"]}}

POSITIONS: dict[str, dict[str, Any]] = {
    "number too small": {"variant": "kalah", "houses": 0},
    "number too large": {"variant": "kalah", "houses": 25},
    "not a whole number": {"variant": "kalah", "seeds": 1.5},
    "long text instead of a number": {"variant": "kalah", "seeds": "x" * 50},
    "empty text instead of a number": {"variant": "kalah", "seeds": ""},
    "list instead of a number": {"variant": "kalah", "seeds": [[1]]},
    "object instead of a number": {"variant": "kalah", "seeds": {}},
    "long move": {"variant": "kalah", "moves": ["1", "2" * 401]},
    "long position": {"variant": "kalah", "position": "2" * 401},
    "too many moves": {"variant": "kalah", "moves": ["1"] * 2001},
    "missing field": {},
    "number instead of a text": {"variant": 5},
    "unknown field": {"variant": "english", "colour": "red"},
    "several problems": {"variant": 5, "houses": 0, "seeds": 0, "colour": "red"},
    "unknown variant": {"variant": "zzz"},
    "unknown variant with suggestions": {"variant": "kala"},
    "no such dimension": {"variant": "english", "houses": 6},
    "illegal move": {"variant": "english", "moves": ["11-15", "11-15"]},
}

JSON_ERRORS = {
    "open object": b"{",
    "open list": b"[1",
    "word": b"nonsense",
    "not an object": b"[]",
    "not UTF-8": b'{"variant": "\xff"}',
    "deeply nested": b"[" * 3000,
    "huge number": b'{"seeds": ' + b"9" * 5000 + b"}",
    "many fields": json.dumps({str(number): 0 for number in range(101)}).encode(),
    "long field": json.dumps({"x" * 1000: 0}).encode(),
}

SETUPS: dict[str, dict[str, Any]] = {
    "empty board": {"variant": "english", "board": {}, "turn": "white"},
    "unknown side to move": {"variant": "english", "board": WHITE_AND_BLACK, "turn": "south"},
    "side of another family": {"variant": "kalah", "board": WHITE_AND_BLACK, "turn": "south"},
    "seeds on a draughts board": {
        "variant": "english",
        "board": {"white": {"houses": [1]}, "black": {"houses": [2]}},
        "turn": "white",
    },
    "pieces on a mancala board": {
        "variant": "kalah",
        "board": {"south": {"men": ["1"]}, "north": {"men": ["2"]}},
        "turn": "south",
    },
    "too many pieces": setup(*TOO_MANY_PIECES),
}

ANALYSES: dict[str, dict[str, Any]] = {
    "missing subject": {},
    "too few lines": {"subject": {"variant": "kalah"}, "lines": 0},
    "too many lines": {"subject": {"variant": "kalah"}, "lines": 11},
    "no time": {"subject": {"variant": "kalah"}, "seconds": 0},
    "unknown option": {"subject": {"variant": "kalah"}, "speed": 1},
    "variant without a search": {"subject": {"variant": "heap"}},
}

ACTIONS: dict[str, dict[str, Any]] = {
    "unknown action": {"action": "dance"},
    "move without a text": {"action": "move"},
    "text without a move": {"action": "resign", "move": "32-28"},
    "negative ply": {"action": "move", "move": "32-28", "ply": -1},
    "illegal move": {"action": "move", "move": "33-27"},
    "no hints by link": {"action": "hint"},
}


@pytest.fixture
def heaps() -> Iterator[None]:
    """Register the example of a family without a search."""
    register_family(Heaps())
    yield
    unregister_family("heaps")


def describe(response: httpx.Response) -> str:
    """Return the status, the error, and the list of problems if it says more."""
    body = response.json()
    problems = [f"- {each}" for each in body["problems"] if body["problems"] != [body["error"]]]
    return "\n".join([f"{response.status_code}: {body['error']}", *problems])


@pytest.mark.golden
@pytest.mark.usefixtures("heaps")
def test_http_errors(server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"position, {name}": server.post("/api/positions", body) for name, body in POSITIONS.items()}
    for name, content in JSON_ERRORS.items():
        texts[f"JSON, {name}"] = server.client.post("/api/positions", content=content, headers=JSON)
    texts |= {f"setup, {name}": server.post("/api/positions/setup", body) for name, body in SETUPS.items()}
    monkeypatch.setattr("tablemen.draughts.complexity.MAX_LISTING_WORK", 10_000)
    texts["setup, too many captures"] = server.post("/api/positions/setup", setup(*SLOW))
    texts["setup, not supported"] = server.post(
        "/api/positions/setup", {"variant": "heap", "board": {"first": {"matches": 3}, "second": {}}, "turn": "first"}
    )
    texts["place, not on the board"] = server.post(
        "/api/positions/objection", {"variant": "international", "place": "51"}
    )
    texts |= {f"analysis, {name}": server.post("/api/analyse", body) for name, body in ANALYSES.items()}
    texts["review, variant without a search"] = server.post("/api/analyse/game", {"subject": {"variant": "heap"}})
    monkeypatch.setattr("tablemen.web.analysis.tasks.MAX_REVIEW_PLIES", 1)
    long_game = {"variant": "international", "moves": ["32-28", "19-23"]}
    texts["review, too many moves"] = server.post("/api/analyse/game", {"subject": long_game})

    game = create(server)
    white, black = game.keys["white"], game.keys["black"]
    texts |= {f"action, {name}": send_action(server, game.id, white, **body) for name, body in ACTIONS.items()}
    texts["action, other side's turn"] = send_action(server, game.id, black, action="move", move="19-23")
    texts["action, no key"] = send_action(server, game.id, None, action="resign")
    texts["action, wrong key"] = send_action(server, game.id, "nonsense", action="resign")
    texts["game, wrong key"] = server.client.get(f"/api/games/{game.id}", headers=headers("nonsense"))
    texts["game, unknown"] = server.get("/api/games/none")
    texts["new game, unknown engine"] = server.post(
        "/api/games", {"variant": "english", "opponent": "engine", "engine": "Scan"}
    )
    texts["new game, variant without a search"] = server.post("/api/games", {"variant": "heap"})
    texts["variant, unknown"] = server.get("/api/variants/kala")
    texts["file, unknown variant"] = server.post("/api/files/read", {"variant": "zzz", "text": "1. 32-28"})
    texts["host, unknown"] = server.client.get("/api/variants", headers={"Host": "other.example"})
    texts["origin, other site"] = server.client.get("/api/variants", headers={"Origin": "https://other.example"})
    texts["path, unknown"] = server.get("/api/nothing")
    with running(tmp_path, games=1, body_bytes=1000) as small:
        game = create(small)
        act(small, game.id, game.keys["white"], action="move", move="32-28")
        texts["limit, stored games"] = small.post("/api/games", {"variant": "english"})
        texts["limit, size of the body"] = small.post("/api/positions", {"variant": "x" * 1000})
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database, database:
        database.execute("UPDATE games SET termination = 'NONSENSE'")
    with running(tmp_path, new_games_an_hour=0) as small:
        texts["game, invalid in the database"] = small.get(f"/api/games/{game.id}")
        texts["limit, new games"] = small.post("/api/games", {"variant": "english"})
    with running(tmp_path, request_threads=0, waiting=0) as small:
        texts["limit, queued requests"] = small.post("/api/positions", {"variant": "english"})
    with running(tmp_path, request_threads=0, waiting_of_one=0) as small:
        texts["limit, queued requests of a client"] = small.post("/api/positions", {"variant": "english"})
    check_golden(HERE / "http_errors.txt", {name: describe(response) for name, response in texts.items()})


REQUESTS: dict[str, dict[str, Any]] = {
    "no key": {"action": "resign"},
    "invalid fields": {"action": "draw", "ply": -1, "more": 1},
    "move without a text": {"action": "move"},
}


def describe_close(socket: Socket) -> str:
    """Return the code and the reason with which the server closes a WebSocket."""
    code, reason = wait_for_close(socket)
    return f"{code}: {reason}"


@pytest.mark.golden
def test_socket_errors(server: Running, tmp_path: Path) -> None:
    texts = {}
    with server.open("/api/analyse/socket") as socket:
        for name, (message, _) in INVALID_MESSAGES.items():
            socket.send(message)
            texts[f"analysis, {name}"] = socket.receive()["error"]
    game = create(server)
    path = f"/api/games/{game.id}/socket"
    first_messages: dict[str, object] = {"wrong key": {"key": "nonsense"}, "no hello": {"id": 1, "action": "resign"}}
    for name, hello in first_messages.items():
        with server.open(path) as socket:
            socket.send(hello)
            texts[f"game, {name}"] = describe_close(socket)
    with server.open("/api/games/none/socket") as socket:
        socket.send({})
        texts["game, unknown"] = describe_close(socket)
    for name, message in {"not a request": "nonsense", "binary message": b"bytes"}.items():
        with server.open(path) as socket:
            socket.send({})
            socket.send(message)
            texts[f"game, {name}"] = describe_close(socket)
    with server.open(path) as socket:
        socket.send({})
        socket.receive()
        for name, request in REQUESTS.items():
            socket.send({"id": 1, **request})
            texts[f"game, {name}"] = socket.receive()["error"]
    with running(tmp_path, connections_of_one=0) as full, full.open("/api/analyse/socket") as socket:
        texts["limit, connections of a client"] = describe_close(socket)
    with running(tmp_path, connections=0) as full, full.open("/api/analyse/socket") as socket:
        texts["limit, connections"] = describe_close(socket)
    code, reason = run_in_time(leave_messages_unread())
    texts["limit, unread messages"] = f"{code}: {reason}"
    texts["analysis, server is stopping"] = STOPPING
    check_golden(HERE / "socket_errors.txt", texts)


SERVE_OPTIONS = {
    "engine without a player": ("--engine", "Scan"),
    "human as an engine": ("--engine", "Scan=human"),
    "unknown player": ("--engine", "Scan=scan hub"),
    "engine without a name": ("--engine", "=random"),
    "two engines with one name": ("--engine", "Scan=random", "--engine", "Scan=random:seed=2"),
    "public host": ("--host", "0.0.0.0", "--port", "0"),
    "invalid host": ("--host", "two..dots", "--port", "0", "--public"),
}


@pytest.mark.golden
def test_output_of_the_serve_command(capsys: pytest.CaptureFixture[str]) -> None:
    texts = {}
    for name, options in SERVE_OPTIONS.items():
        status, output = invoke_serve(*options)
        texts[name] = f"{status}: {output.rstrip()}"
    serve_command._announce("http://127.0.0.1:PORT/", "http://127.0.0.1:9100/metrics", browser=False)
    texts["server is ready"] = capsys.readouterr().out.rstrip()
    check_golden(HERE / "serve_messages.txt", texts)


TREES: dict[str, GameTreeSpec] = {
    "parent of itself": GameTreeSpec(variant="english", nodes=[{"parent": 0, "move": "11-15"}]),  # type: ignore[list-item]
    "illegal move": GameTreeSpec(variant="english", nodes=[{"parent": -1, "move": "1-32"}]),  # type: ignore[list-item]
    "empty move": GameTreeSpec(variant="english", nodes=[{"parent": -1, "move": ""}]),  # type: ignore[list-item]
    "nested too deeply": nested_variations(100),
}
FILES = {
    "unreadable move": '[GameType "21"] 1. 99-98 *\n',
    "unknown GameType": '[GameType "95"] 1. 11-15 *\n',
    "unknown variant": "Variant: nix\nMoves: 1\n",
    "illegal house": "Variant: kalah\nMoves: 9\n",
    "not a header": "Variant: kalah\nnonsense\n",
    "too many games": '[GameType "21"] 1. 11-15 *\n\n' * 51,
    "too many problems in a game": f'[GameType "21"] 1. 11-15 {"(1. 11-16 ...)" * 150} *',
    "too many problems": "Variant: nix\n\n" * 200,
    "missing moves": '[GameType "20"] 1. 32-28 (1. 33-28 ... 2. 39-33) 19-23',
    "set-up within a line": '[GameType "20"] 1. 32-28 /FEN "W:W31:B27"/ 2. 31x22',
}
OMITTED_BY_KALAH = GameTreeSpec(
    variant="kalah",
    nodes=[{"parent": -1, "move": "3"}, {"parent": -1, "move": "1", "comment": "slow"}],  # type: ignore[list-item]
)


@pytest.mark.golden
def test_problems_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {}
    for name, text in FILES.items():
        problems = parse_file(GameFileText(text=text)).problems
        texts[f"read, {name}"] = "\n".join([*problems[:3], *problems[3:][-1:]])
    with pytest.raises(TablemenError) as caught:
        parse_file(GameFileText(text=""))
    texts["read, empty file"] = str(caught.value)
    for name, tree in TREES.items():
        with pytest.raises(TablemenError) as caught:
            format_file(tree)
        texts[f"write, {name}"] = str(caught.value)
    texts["write, omitted parts"] = "\n".join(format_file(OMITTED_BY_KALAH).problems)
    monkeypatch.setattr("tablemen.web.files.PARSE_TIMEOUT", -1)
    texts["read, timeout"] = "\n".join(parse_file(GameFileText(text=FILES["missing moves"])).problems)
    monkeypatch.setattr("tablemen.web.files.PARSE_TIMEOUT", 5)
    monkeypatch.setattr("tablemen.web.files.MAX_NODES", 2)
    texts["read, too many moves"] = "\n".join(parse_file(GameFileText(text=FILES["missing moves"])).problems)
    check_golden(HERE / "file_problems.txt", texts)
