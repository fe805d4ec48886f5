"""The error messages of mancala, in a golden file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tablemen import (
    ArgumentError,
    Game,
    InvalidPositionError,
    InvalidRulesError,
    NotationError,
    TablemenError,
    UnsolvableError,
    draughts,
)
from tablemen.mancala import KALAH, NORTH, OWARE, SOUTH, Move, Position, solve
from tablemen.mancala.fairkalah import fair_start
from tablemen.mancala.notation import format_record, parse_records
from tests.golden import check_errors

START = Position.start("kalah")
FOURS = "4,4,4,4,4,4,4,4,4,4,4,4"
FULL = {SOUTH: [4] * 6, NORTH: [4] * 6}
BOARDS = [
    "6,0,0",
    "<>",
    "<1,0,0>",
    "<6,0,0,4>",
    f"<6,x,0,{FOURS}>",
    f"<6,0,0,{FOURS}> west",
    f"<6,0,0,{FOURS}> south north",
    f"<6,0,0,{FOURS}> south swap",
]
RECORDS = [
    "Variant: kalah\nhello\n",
    "Variant: kala\n",
    "South: Ann\n",
    "Variant: kalah\nMoves: 3 x\n",
    "Variant: kalah\nMoves: 3 3\n",
    "Variant: kalah\nVariant: kalah\n",
    "Variant: kalah\nStart: <6,25,23,0,0,0,0,0,0,0,0,0,0,0,0> south\nMoves: 1",
]


@pytest.mark.golden
def test_error_messages() -> None:
    notations: dict[str, Callable[[], object]] = {
        **{f"board {text!r}": partial(Position.from_text, text, "kalah") for text in BOARDS},
        **{f"move {text!r}": partial(START.parse_move, text) for text in ("three", "7")},
        **{f"record {text!r}": partial(parse_records, text) for text in RECORDS},
        "record of another variant": partial(parse_records, "Variant: kalah", "oware"),
    }
    rules = {
        "name": lambda: replace(KALAH, name=" "),
        "houses": lambda: replace(KALAH, houses=25),
        "seeds": lambda: replace(KALAH, seeds=0),
        "too many seeds": lambda: replace(KALAH, seeds=5462),
        "type of seeds": lambda: replace(KALAH, seeds=True),
        "type of must_feed": lambda: replace(OWARE, must_feed=1),  # type: ignore[arg-type]
    }
    positions = {
        "number of houses": lambda: Position("kalah", SOUTH, houses={**FULL, SOUTH: [4] * 5}),
        "seeds in a house": lambda: Position("kalah", SOUTH, houses={**FULL, NORTH: [4, 4, -1, 4, 4, 4]}),
        "seeds in a store": lambda: Position("kalah", SOUTH, houses=FULL, stores={NORTH: -2}),
        "seeds on the board": lambda: Position("kalah", SOUTH, houses=FULL, stores={NORTH: 65_500}),
    }
    arguments = {
        "board of FairKalah": lambda: fair_start(255),
        "tag name": lambda: format_record(Game(START), {"Two words": "x"}),
        "tag value": lambda: format_record(Game(START), {"South": "two\nlines"}),
        "threads of the solver": lambda: solve(START, threads=0),
        "position of the solver": lambda: solve(draughts.Position.from_fen("W:W1:B5", "english")),  # type: ignore[arg-type]
    }
    drawings = {
        "size of a picture": lambda: START.svg(size=0),
        "last move of a picture": lambda: START.svg(last_move=Move("kgp", 1)),
    }
    check_errors(
        Path(__file__).with_name("error_messages.txt"),
        {
            **{name: (NotationError, call) for name, call in notations.items()},
            **{name: (InvalidRulesError, call) for name, call in rules.items()},
            **{name: (InvalidPositionError, call) for name, call in positions.items()},
            **{name: (ArgumentError, call) for name, call in arguments.items()},
            **{name: (TablemenError, call) for name, call in drawings.items()},
            "solving Oware": (UnsolvableError, lambda: solve(Position.start("oware"))),
        },
    )
