"""The OpenAPI document, and the TypeScript types that are generated from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablemen.web import Settings, create_app
from tablemen.web.app import SOCKETS
from tests.web.in_process_server import Running
from tools.generate_types import PATH, SENT, generate_types


def references(value: Any) -> Iterator[str]:
    """Yield the name of every schema that a document refers to."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix("#/components/schemas/")
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def test_every_reference_is_defined(server: Running) -> None:
    document = server.get("/api/openapi.json").json()
    assert set(references(document)) <= set(document["components"]["schemas"])


def test_the_sockets_and_their_messages_are_described(server: Running) -> None:
    sockets = {each["path"]: each for each in server.get("/api/openapi.json").json()["x-sockets"]}
    routes = {route.path for route in server.app.routes if type(route).__name__.endswith("WebSocketRoute")}
    assert set(sockets) >= routes
    assert set(references(sockets["/api/analyse/socket"]["sent"])) == {
        "AnalyseCommand",
        "StopCommand",
        "Heartbeat",
    }
    assert {"AnalysisUpdate", "Heartbeat"} <= set(references(sockets["/api/analyse/socket"]["received"]))


def test_streams_are_described_as_ndjson(server: Running) -> None:
    answers = server.get("/api/openapi.json").json()["paths"]["/api/analyse"]["post"]["responses"]
    assert set(answers) == {"200", "400", "413", "422", "503"}
    assert list(answers["200"]["content"]) == ["application/x-ndjson"]
    assert list(answers["503"]["content"]) == ["application/json"]


def test_the_reference_page_is_served(server: Running) -> None:
    answer = server.get("/api")
    assert answer.status_code == 200
    for path in ("/page/reference/reference.js", "/page/reference/reference.css"):
        assert path in answer.text
        assert server.get(path).status_code == 200


def test_the_types_are_up_to_date() -> None:
    assert PATH.read_text(encoding="utf-8") == generate_types(), "run `python -m tools.generate_types`"


def test_requests_may_omit_fields_with_defaults() -> None:
    document = create_app(Settings(database=Path("unused.sqlite"))).openapi()
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    bodies = [each["requestBody"]["content"]["application/json"] for each in operations if "requestBody" in each]
    sent = [each["schema"]["$ref"] for each in bodies]
    sent += [each["$ref"] for socket in document[SOCKETS] for each in socket["sent"]]
    assert {each.rpartition("/")[2] for each in sent} <= {kind.__name__ for kind in SENT}
