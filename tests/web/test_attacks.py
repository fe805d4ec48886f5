"""The collection of attacks: each is answered, with limited work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter
from websockets.exceptions import ConnectionClosed

from benchmarks.attacks import ATTACKS, Attack
from tablemen.web import bodies
from tablemen.web.error_responses import MAX_PROBLEMS, InvalidRequestError, describe_validation_errors
from tablemen.web.models import (
    MAX_FIELDS,
    MAX_NODES,
    Action,
    AnalysisRequest,
    ErrorResponse,
    GameFileText,
    GameTreeSpec,
    NewGame,
    ParsedFile,
    PlaceQuery,
    PositionSetup,
    PositionSpec,
    ReviewRequest,
)
from tests.web.clients import create
from tests.web.in_process_server import Running, Socket, running

MODELS = {
    "/api/positions": PositionSpec,
    "/api/positions/setup": PositionSetup,
    "/api/positions/objection": PlaceQuery,
    "/api/files/read": GameFileText,
    "/api/files/write": GameTreeSpec,
    "/api/games": NewGame,
    "/api/games/{game}/actions": Action,
    "/api/analyse": AnalysisRequest,
    "/api/analyse/game": ReviewRequest,
}
MAX_ERRORS = 2 * MAX_FIELDS  # unknown fields of an object, and of one object inside it
SIZE = 10_000  # bytes of a body in these tests
EXPECTED_ANSWERS = {"answer", "state", "ended", "found", "waiting", 1007, 1008, 1009}
HTTP = {name: attack for name, attack in ATTACKS.items() if not attack.is_socket}
STREAMS = {"/api/analyse", "/api/analyse/game"}
SOCKETS = {name: attack for name, attack in ATTACKS.items() if attack.is_socket}


def find_problems(model: Any, body: str | bytes) -> list[str]:
    try:
        bodies.validate_json(TypeAdapter(model), body)
    except InvalidRequestError as error:
        return error.problems
    return []


def test_the_number_of_validation_errors_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def describe(errors: list[Any], *, outer: int) -> list[str]:
        counts.append(len(errors))
        return describe_validation_errors(errors, outer=outer)

    monkeypatch.setattr(bodies, "describe_validation_errors", describe)
    for attack in HTTP.values():
        if (model := MODELS.get(attack.path)) is not None and attack.content_type == "application/json":
            for body in attack.bodies(min(attack.size, SIZE)):
                assert body is not None
                problems = find_problems(model, body)
                assert len(problems) <= MAX_PROBLEMS
                assert len("".join(problems)) < 2000
    assert 0 < max(counts) <= MAX_ERRORS


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a server that allows little work for a request."""
    with running(tmp_path_factory.mktemp("server"), request_work=200_000, search_seconds=0.1) as one:
        yield one


@pytest.fixture
def validated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record the thread and the size of everything that is validated in this process."""
    calls: list[tuple[str, int]] = []
    validate = bodies.validate_json

    def record(adapter: TypeAdapter[Any], text: str | bytes, *, outer: int = 0) -> Any:
        calls.append((threading.current_thread().name, len(text)))
        return validate(adapter, text, outer=outer)

    monkeypatch.setattr(bodies, "validate_json", record)
    return calls


def is_on_loop(thread: str) -> bool:
    return "AnyIO" not in thread


@pytest.mark.slow
@pytest.mark.parametrize("attack", HTTP.values(), ids=HTTP)
def test_a_request_is_answered(attacked: Running, attack: Attack, validated: list[tuple[str, int]]) -> None:
    game = None if attack.game is None else create(attacked, **{"side": None, **attack.game})
    path = attack.path.format(game=game and game.id)
    headers = {"Content-Type": attack.content_type}
    for body in attack.bodies(min(attack.size, SIZE)):
        method = "GET" if body is None else "POST"
        with attacked.client.stream(method, path, content=body, headers=headers) as answer:
            if path in STREAMS and answer.status_code == 200:
                continue  # the results are not awaited
            answer.read()
        if 400 <= answer.status_code < 500:
            assert ErrorResponse.model_validate_json(answer.text).error
            assert len(answer.json()["problems"]) <= MAX_PROBLEMS
        else:
            assert answer.status_code in {200, 201}, answer.text
        if answer.status_code == 200 and path == "/api/files/read":
            assert sum(len(each.nodes) for each in ParsedFile.model_validate_json(answer.text).games) <= MAX_NODES
    assert [size for thread, size in validated if is_on_loop(thread) and size > bodies.SMALL_BYTES] == []


def receive(socket: Socket) -> str | int | None:
    """Return the type of the next message, or the close code."""
    try:
        return str(socket.receive()["type"])
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


@pytest.mark.slow
@pytest.mark.parametrize("attack", SOCKETS.values(), ids=SOCKETS)
def test_a_message_is_answered(attacked: Running, attack: Attack, validated: list[tuple[str, int]]) -> None:
    game = None if attack.game is None else create(attacked, **{"side": None, **attack.game})
    for message in attack.bodies(min(attack.size, SIZE)):
        with attacked.open(attack.path.format(game=game and game.id)) as socket:
            if game is not None:
                socket.send({"key": next(iter(game.keys.values()))})
                socket.receive()
            assert message is not None
            socket.connection.send(message, text=True)
            assert receive(socket) in EXPECTED_ANSWERS
    assert [size for thread, size in validated if is_on_loop(thread) and size > bodies.SMALL_BYTES] == []
