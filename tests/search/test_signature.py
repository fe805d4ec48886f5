"""The node-count signature of the search."""

from __future__ import annotations

import pytest

from tools.signature import count_nodes, read_signature, start_positions

POSITIONS = start_positions()


def test_every_variant_has_a_signature() -> None:
    assert list(read_signature()) == list(POSITIONS)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_node_count_signature_is_unchanged(name: str) -> None:
    """Compare node counts; `python -m tools.signature` updates the file after an intended change."""
    assert count_nodes(POSITIONS[name]) == read_signature()[name]
