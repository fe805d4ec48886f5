"""The types that the page's scripts are checked with."""

from __future__ import annotations

from pathlib import Path

from tablemen.web import Settings, create_app
from tablemen.web.app import SOCKETS
from tools.generate_types import PATH, SENT, generate_types


def test_the_types_are_those_of_the_models() -> None:
    assert PATH.read_text(encoding="utf-8") == generate_types(), "python -m tools.generate_types"


def test_whatever_can_be_sent_may_leave_out_what_has_a_default() -> None:
    described = create_app(Settings(database=Path("unused.sqlite"))).openapi()
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    bodies = [each["requestBody"]["content"]["application/json"] for each in operations if "requestBody" in each]
    sent = [each["schema"]["$ref"] for each in bodies]
    sent += [each["$ref"] for socket in described[SOCKETS] for each in socket["sent"]]
    assert {each.rpartition("/")[2] for each in sent} <= {kind.__name__ for kind in SENT}
