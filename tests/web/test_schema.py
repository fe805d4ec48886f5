"""Responses match the OpenAPI document, tested by schemathesis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tablemen.web.app import create_app
from tablemen.web.settings import Settings
from tests.web.in_process_server import Running, running

EXAMPLES = 20
LIMITS = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
VARIANTS = ("international", "russian", "kalah", "oware")


def questions() -> Iterator[tuple[str, str, GenerationMode]]:
    """Every operation, asked well; and badly, where anything can be wrong with what is sent."""
    for path, methods in create_app(Settings(database=Path("unused.sqlite"))).openapi()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, GenerationMode.POSITIVE
            if {"parameters", "requestBody"} & operation.keys():
                yield method.upper(), path, GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that is quick to end what it is asked to search, and takes any number of games and large bodies."""
    quick = {"search_seconds": 0.02, "solve_seconds": 0.02, "move_seconds": 0.02}
    generous = {"new_games_an_hour": 100_000, "body_bytes": 20_000_000}
    with running(tmp_path_factory.mktemp("asked"), **quick, **generous) as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode"), list(questions()))
def test_responses_match_the_openapi_document(asked: Running, method: str, path: str, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{asked.port}/api/openapi.json")
    operation: Any = schema[path][method]

    @LIMITS
    @given(operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        # The schema cannot say which variants there are, nor what can be played: not all that fits it makes sense.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    @LIMITS
    @given(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def ask_of_known_variants(case: Any) -> None:
        for number, place in enumerate(_places(case)):
            place["variant"] = VARIANTS[(len(str(place)) + number) % len(VARIANTS)]
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    ask()
    if mode is GenerationMode.POSITIVE:
        ask_of_known_variants()


def _places(case: Any) -> Iterator[dict[str, Any]]:
    """Where a variant is named in a request."""
    for place in (case.body, case.body.get("subject") if isinstance(case.body, dict) else None, case.query):
        if isinstance(place, dict) and "variant" in place:
            yield place
