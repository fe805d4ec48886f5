"""Test with schemathesis that responses match the OpenAPI document."""

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


def operations() -> Iterator[tuple[str, str, GenerationMode]]:
    """Yield every operation with valid data, and also with invalid data if it has parameters or a body."""
    for path, methods in create_app(Settings(database=Path("unused.sqlite"))).openapi()["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, GenerationMode.POSITIVE
            if {"parameters", "requestBody"} & operation.keys():
                yield method.upper(), path, GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a server with short time limits, and with high limits for games and bodies."""
    quick = {"search_seconds": 0.02, "solve_seconds": 0.02, "move_seconds": 0.02}
    generous = {"new_games_an_hour": 100_000, "body_bytes": 20_000_000}
    with running(tmp_path_factory.mktemp("server"), **quick, **generous) as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode"), list(operations()))
def test_responses_match_the_openapi_document(fuzzed: Running, method: str, path: str, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{fuzzed.port}/api/openapi.json")
    operation: Any = schema[path][method]

    @LIMITS
    @given(operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        # Valid data may be refused: the schema does not describe which variants exist and which moves are legal.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    @LIMITS
    @given(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def check_known_variants(case: Any) -> None:
        for number, values in enumerate(_find_variants(case)):
            values["variant"] = VARIANTS[(len(str(values)) + number) % len(VARIANTS)]
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    check()
    if mode is GenerationMode.POSITIVE:
        check_known_variants()


def _find_variants(case: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a request that have a field `variant`."""
    for values in (case.body, case.body.get("subject") if isinstance(case.body, dict) else None, case.query):
        if isinstance(values, dict) and "variant" in values:
            yield values
