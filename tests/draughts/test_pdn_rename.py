"""Conversion of games to other square names."""

from __future__ import annotations

from typing import Any

import pytest

from tablemen import ArgumentError
from tablemen.draughts.board import Notation
from tablemen.draughts.pdn import parse_pdn
from tablemen.draughts.pdn.rename import rename_squares


@pytest.mark.parametrize("notation", [Notation.ALGEBRAIC_VERTICAL, "numeric", None])
def test_other_notations_are_rejected(notation: Any) -> None:
    for text in ("1. 11-15", "1. c3-d4"):
        with pytest.raises(ArgumentError) as caught:
            rename_squares(parse_pdn(text), notation)
        assert (caught.value.name, caught.value.value) == ("notation", notation)
