"""The error messages of players, in a golden file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tablemen import ArgumentError, Game, GameError, TablemenError
from tablemen.draughts import Move, Position
from tablemen.players import HubPlayer, MctsPlayer, RobotPlayer, SearchTree, find_evaluator, parse_player
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
INVALID = [
    "searcher:depth=six",
    "searcher:level=11",
    "searcher:time=-1",
    "random:seed=-1",
    "mcts:noise=1.5",
    "mcts:alpha=x",
    'hub:""',
    "hub:scan,set-=1",
]


def select() -> SearchTree[Move]:
    """Return a tree whose root waits for its evaluation."""
    tree = SearchTree(Game(Position.start("english")))
    tree.select(1)
    return tree


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
        "unknown evaluator": (TablemenError, lambda: MctsPlayer(evaluator="sttic").check(None)),
        "other unknown evaluator": (TablemenError, lambda: find_evaluator("network")),
        "incomplete evaluator": (TablemenError, lambda: find_evaluator("json:")),
        "evaluator of a missing module": (TablemenError, lambda: find_evaluator("no_such_module:evaluate")),
        "evaluator that a module does not have": (TablemenError, lambda: find_evaluator("json:evaluate")),
        "evaluator that is no function": (TablemenError, lambda: find_evaluator("json:decoder")),
        "weights of an evaluator without any": (ArgumentError, lambda: find_evaluator("static", "a.npz")),
        "weights that return no evaluator": (TablemenError, lambda: find_evaluator("json:dumps", "a.npz")),
        "wrong number of evaluations": (TablemenError, lambda: select().update([], [])),
        "wrong number of weights": (TablemenError, lambda: select().update([[1]], [0])),
        "negative weight": (TablemenError, lambda: select().update([[1, -1, 0, 0, 0, 0, 0]], [0])),
        "invalid value": (TablemenError, lambda: select().update([[1] * 7], [2])),
        "selection without an update": (GameError, lambda: select().select(1)),
        "robot in draughts": (GameError, lambda: RobotPlayer().choose(Game(Position.start("english")))),
    }
    check_errors(Path(__file__).with_name("error_messages.txt"), {**cases, **invalid, **others})
