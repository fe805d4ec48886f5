"""The error messages of players, in a golden file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tablemen import ArgumentError, Game, GameError, TablemenError
from tablemen.draughts import Position
from tablemen.players import HubPlayer, RobotPlayer, parse_player
from tests.golden import check_errors

UNKNOWN = [
    "serch",
    "",
    "searcher:dept=3",
    "searcher:x=3",
    "robot:seed=1",
    "searcher:depth",
    "searcher:level=3,depth=2",
    "searcher:depth=2,depth=3",
    "searcher:depth=2,",
    "searcher:",
    "hub",
    "hub:scan,threads=2",
    "hub:scan,set-threads",
    "hub:scan,set-a=1,set-a=2",
    'hub:"scan',
    "dxp:localhost:27531,depth=3",
]
INVALID = ["searcher:depth=six", "searcher:level=11", "searcher:time=-1", "random:seed=-1", 'hub:""', "hub:scan,set-=1"]


@pytest.mark.golden
def test_error_messages() -> None:
    cases = {repr(text): (TablemenError, partial(parse_player, text)) for text in UNKNOWN}
    invalid = {repr(text): (ArgumentError, partial(parse_player, text)) for text in INVALID}
    others = {
        "not a text": (ArgumentError, lambda: parse_player(3)),  # type: ignore[arg-type]
        "value of a program option": (
            ArgumentError,
            lambda: HubPlayer(address="scan", options={"threads": 2}),  # type: ignore[dict-item]
        ),
        "robot in draughts": (GameError, lambda: RobotPlayer().choose(Game(Position.start("english")))),
    }
    check_errors(Path(__file__).with_name("error_messages.txt"), {**cases, **invalid, **others})
