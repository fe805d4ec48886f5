"""The types that the page's scripts are checked with."""

from __future__ import annotations

from tools.wire import PATH, write_types


def test_the_types_are_those_of_the_models() -> None:
    assert PATH.read_text(encoding="utf-8") == write_types(), "python -m tools.wire"
