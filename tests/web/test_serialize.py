"""Games as the page sees them."""

from __future__ import annotations

from tablemen.web.models import PositionSpec
from tablemen.web.resolve import find_game
from tablemen.web.serialize import serialize_game


def test_plies_that_are_known_are_not_told_again() -> None:
    game = find_game(PositionSpec(variant="kalah", moves=["3", "1", "4"]))
    whole, rest, nothing = (serialize_game(game, since) for since in (0, 2, 99))
    assert [ply.move.text for ply in whole.plies] == ["3", "1", "4"]
    assert rest.plies == whole.plies[2:]
    assert nothing.plies == []
    assert rest.legal == nothing.legal == whole.legal
    assert rest.position == whole.plies[-1].position
