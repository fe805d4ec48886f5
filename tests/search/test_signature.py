"""What the search looks at changes on purpose alone."""

from __future__ import annotations

import pytest

from tools.signature import count_nodes, read_signature, start_positions

POSITIONS = start_positions()


def test_every_game_has_its_number() -> None:
    assert list(read_signature()) == list(POSITIONS)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_search_looks_at_as_many_positions_as_before(name: str) -> None:
    """If the change is meant, `python -m tools.signature` writes the new numbers down."""
    assert count_nodes(POSITIONS[name]) == read_signature()[name]
