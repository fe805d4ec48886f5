"""What is asked about, and what is refused in words."""

from __future__ import annotations

import pytest

from tablemen.errors import TablemenError
from tablemen.web.models import PositionSpec
from tablemen.web.resolve import find_game


@pytest.mark.parametrize(
    ("variant", "moves", "reason"),
    [
        ("international", ["32-29"], "32-29 is not legal: 32 to 29 is not a diagonal step"),
        ("international", ["32-28", "19-23", "31-27"], "31-27 is not legal: White must capture: 28x19"),
        ("english", ["21-17"], "21-17 is not legal: the man on 21 is White's, and Black is to move"),
        ("kalah", ["1", "9"], "there is no house 9: they are 1 to 6"),
    ],
)
def test_moves_are_refused_in_words(variant: str, moves: list[str], reason: str) -> None:
    with pytest.raises(TablemenError) as refused:
        find_game(PositionSpec(variant=variant, moves=moves))
    assert reason in str(refused.value)
