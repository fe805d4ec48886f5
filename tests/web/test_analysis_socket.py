"""Analysis over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tablemen.web.app import create_app
from tablemen.web.routes.analysis import AnalysisSocket
from tablemen.web.settings import Settings
from tests.timeouts import run_in_time
from tests.web.in_process_server import Running, running

PATH = "/api/analyse/socket"


def analyse(number: int, variant: str = "english", **options: Any) -> dict[str, Any]:
    return {"type": "analyse", "id": number, "subject": {"variant": variant}, "seconds": 60, **options}


def test_results_have_the_id_of_their_request(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(7, depth=4))
        *found, ended = socket.receive_until("ended")
        assert found
        assert {each["id"] for each in [*found, ended]} == {7}
        assert found[-1]["depth"] == 4


def test_the_value_of_a_tablebase_is_a_result(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(3) | {"subject": {"variant": "english", "position": "B:WK10,K14:BK27"}})
        found, ended = socket.receive_until("ended")
        assert (found["id"], found["type"], found["verdict"]) == (3, "found", "Black loses in 24 plies")
        assert (found["endgame"]["value"], found["endgame"]["distance"], found["chances"]) == ("loss", 24, 1)
        assert ended == {"type": "ended", "id": 3, "error": None}


def test_a_missing_tablebase_is_reported_before_the_search(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(4, depth=2) | {"subject": {"variant": "english", "position": "W:WK1,K2,11:BK27,K30"}})
        first, *_, ended = socket.receive_until("ended")
        command = "tablemen tablebase build english --pieces 5 --distances"
        assert first == {"type": "tablebase", "id": 4, "command": command}
        assert ended["error"] is None


@pytest.mark.slow
def test_a_new_request_replaces_the_old(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(1))
        assert socket.receive()["id"] == 1
        socket.send(analyse(2, "kalah", depth=3))
        *_, ended = socket.receive_until("ended")
        assert ended["id"] == 2
        assert ended["error"] is None


def test_stop_ends_the_analysis_but_not_the_connection(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(1))
        assert socket.receive()["id"] == 1
        socket.send({"type": "stop"})
        socket.send(analyse(2, depth=2))
        *_, ended = socket.receive_until("ended")
        assert ended["id"] == 2


def test_a_heartbeat_is_answered_and_does_not_end_the_analysis(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(analyse(1, depth=4))
        socket.send({"type": "heartbeat"})
        messages = [socket.receive(), socket.receive()]
        while not {"heartbeat", "ended"} <= {each["type"] for each in messages}:
            messages.append(socket.receive())
        assert [each for each in messages if each["type"] == "heartbeat"] == [{"type": "heartbeat"}]
        assert messages[-1].get("error") is None


@pytest.mark.slow
def test_only_the_last_of_many_requests_is_answered(server: Running) -> None:
    with server.open(PATH) as socket:
        for number in range(1, 200):
            socket.send(analyse(number, depth=2))
        *_, ended = socket.receive_until("ended", 199)
        assert ended["error"] is None


# Messages, with the id of the reply. Their errors are in a golden file.
INVALID_MESSAGES: dict[str, tuple[object, int]] = {
    "empty": ("", 0),
    "incomplete JSON": ("{", 0),
    "list": ("[]", 0),
    "null": ("null", 0),
    "text": ('"analyse"', 0),
    "no type": ({}, 0),
    "unknown type": ({"type": "dance", "id": 3}, 3),
    "no subject": ({"type": "analyse", "id": 4}, 4),
    "invalid id": ({"type": "analyse", "id": "x", "subject": {"variant": "english"}}, 0),
    "unknown variant": (analyse(5, "nix"), 5),
    "too many lines": (analyse(6, lines=1000), 6),
    "move is not a text": (analyse(8) | {"subject": {"variant": "kalah", "moves": [5]}}, 8),
    "unknown field": (analyse(7, colour="red"), 7),
    "deeply nested": ("[" * 10_000, 0),
    "control character": ("\x00", 0),
}


@pytest.mark.parametrize(("message", "number"), INVALID_MESSAGES.values(), ids=INVALID_MESSAGES)
def test_an_invalid_message_is_answered_and_the_socket_stays_open(
    server: Running, message: object, number: int
) -> None:
    with server.open(PATH) as socket:
        socket.send(message)
        answer = socket.receive()
        assert (answer["type"], answer["id"]) == ("ended", number)
        assert answer["error"]
        socket.send(analyse(9, depth=1))
        assert socket.receive_until("ended")[-1]["error"] is None


def test_a_binary_message_closes_the_socket(server: Running) -> None:
    with server.open(PATH) as socket:
        socket.send(b"\x00\x01")
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_a_message_that_is_too_large_closes_the_socket(tmp_path: Path) -> None:
    with running(tmp_path, message_bytes=1000) as server, server.open(PATH) as socket:
        socket.send("x" * 1001)
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_another_origin_gets_no_socket(server: Running) -> None:
    with (
        pytest.raises(InvalidStatus),
        server.open(PATH, additional_headers={"Origin": "https://elsewhere.example"}) as socket,
    ):
        socket.receive()


def test_a_queued_analysis_is_announced(tmp_path: Path) -> None:
    with (
        running(tmp_path, searches=1, turn_seconds=1000) as server,
        server.open(PATH) as first,
        server.open(PATH) as second,
    ):
        first.send(analyse(1))
        assert first.receive()["type"] == "found"
        second.send(analyse(2, depth=2))
        assert second.receive() == {"type": "waiting", "id": 2}
        first.connection.close()
        *_, ended = second.receive_until("ended")
        assert ended["error"] is None


def test_the_server_stops_with_an_open_analysis(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with running(tmp_path) as server:
            socket = stack.enter_context(server.open(PATH))
            socket.send(analyse(1, "international"))
            assert socket.receive()["type"] == "found"
        with pytest.raises(ConnectionClosed):
            socket.receive_until("nothing")


class FakeSocket:
    """A fake WebSocket whose peer sends one message and reads none."""

    def __init__(self, app: object, message: object) -> None:
        self.app = app
        self.client = SimpleNamespace(host="127.0.0.1")
        self.incoming = [{"type": "websocket.receive", "text": json.dumps(message)}]
        self.has_sent = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if not self.incoming:
            await asyncio.Event().wait()
        return self.incoming.pop()

    async def send_text(self, _text: str) -> None:
        self.has_sent.set()
        await asyncio.Event().wait()


def test_a_cancelled_socket_leaves_no_task(tmp_path: Path) -> None:
    async def run() -> list[str]:
        app = create_app(Settings(database=tmp_path / "games.sqlite"))
        async with app.router.lifespan_context(app):
            socket = FakeSocket(app, analyse(1))
            serving = asyncio.create_task(AnalysisSocket(cast("WebSocket", socket)).serve())
            await socket.has_sent.wait()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            return [name for task in asyncio.all_tasks() if "AnalysisSocket" in (name := repr(task.get_coro()))]

    assert run_in_time(run()) == []
