"""The games of requests, and their serialisation."""

from __future__ import annotations

import pytest

from tablemen.errors import TablemenError
from tablemen.family import get_family
from tablemen.web.models import PositionSpec
from tablemen.web.serialize import find_game, serialize_game


def test_plies_before_since_are_omitted() -> None:
    game = find_game(PositionSpec(variant="kalah", moves=["3", "1", "4"]))
    whole, rest, nothing = (serialize_game(game, since) for since in (0, 2, 99))
    assert [ply.move.text for ply in whole.plies] == ["3", "1", "4"]
    assert rest.plies == whole.plies[2:]
    assert nothing.plies == []
    assert rest.legal == nothing.legal == whole.legal
    assert rest.position == whole.plies[-1].position


@pytest.mark.parametrize(
    ("variant", "moves", "fact"),
    [
        ("international", ["32-29"], "29"),
        ("international", ["32-28", "19-23", "31-27"], "28x19"),
        ("english", ["21-17"], "White"),
        ("kalah", ["1", "9"], "9"),
    ],
)
def test_illegal_moves_are_explained(variant: str, moves: list[str], fact: str) -> None:
    position = find_game(PositionSpec(variant=variant, moves=moves[:-1])).position
    reason = get_family(position).explain_illegal(moves[-1], position)
    assert reason is not None
    assert fact in reason
    with pytest.raises(TablemenError) as caught:
        find_game(PositionSpec(variant=variant, moves=moves))
    assert reason in str(caught.value)
    assert moves[-1] in str(caught.value)
