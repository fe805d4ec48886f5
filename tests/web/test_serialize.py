"""Games and positions of requests, and their serialisation."""

from __future__ import annotations

import pytest

from tablemen.errors import TablemenError
from tablemen.web.models import PositionSpec
from tablemen.web.resolve import find_game
from tablemen.web.serialize import serialize_game


def test_known_plies_are_omitted() -> None:
    game = find_game(PositionSpec(variant="kalah", moves=["3", "1", "4"]))
    whole, rest, nothing = (serialize_game(game, since) for since in (0, 2, 99))
    assert [ply.move.text for ply in whole.plies] == ["3", "1", "4"]
    assert rest.plies == whole.plies[2:]
    assert nothing.plies == []
    assert rest.legal == nothing.legal == whole.legal
    assert rest.position == whole.plies[-1].position


@pytest.mark.parametrize(
    ("variant", "moves", "reason"),
    [
        ("international", ["32-29"], "32-29 is not legal: 32 to 29 is not a diagonal step"),
        ("international", ["32-28", "19-23", "31-27"], "31-27 is not legal: White must capture: 28x19"),
        ("english", ["21-17"], "21-17 is not legal: the man on 21 is White's, and Black is to move"),
        ("kalah", ["1", "9"], "there is no house 9: they are 1 to 6"),
    ],
)
def test_illegal_moves_are_explained(variant: str, moves: list[str], reason: str) -> None:
    with pytest.raises(TablemenError) as refused:
        find_game(PositionSpec(variant=variant, moves=moves))
    assert reason in str(refused.value)
