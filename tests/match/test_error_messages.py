"""The error messages and the notes of matches, in golden files."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, Side, TablemenError
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.mancala import KALAH
from tablemen.mancala import Position as Pits
from tablemen.match import (
    DrawAdjudication,
    Match,
    MatchScore,
    Openings,
    ResignAdjudication,
    parse_draw,
    parse_openings,
    parse_resign,
    parse_sprt,
    play_game,
)
from tablemen.match.workers import PlayerPool
from tablemen.players import Player, RandomPlayer
from tests.fake_clock import Time
from tests.fake_players import Failing, FailingAtStart, First
from tests.golden import check_errors, check_golden
from tests.match.test_adjudication import ScoringPlayer
from tests.match.test_game_timer import Slow

START: Game[Any, Any] = Game(Position.start("english"))
FINISHED: Game[Any, Any] = Game(Position.from_fen("W:W:B1", "english"))
FINISHED_KALAH: Game[Any, Any] = Game(Pits.from_text("<6,30,18,0,0,0,0,0,0,0,0,0,0,0,0> south", "kalah"))
SHORT: Game[Any, Any] = Game(Position.from_fen("W:W28:B23", "international"))


class SinglePlayer(RandomPlayer):
    """A player that can play only one game at a time."""

    @property
    def is_single(self) -> bool:
        return True


class BrokenPool(ThreadPoolExecutor):
    """An executor whose workers have died."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:  # noqa: ARG002 - none is called
        raise BrokenExecutor("worker died")


def play_all(match: Match, **options: Any) -> None:
    list(match.play(**options))


def acquire_from_closed_pool() -> None:
    pool = PlayerPool()
    pool.close()
    with pool.acquire([First, First]):
        pass


@pytest.mark.golden
def test_error_messages() -> None:
    match = partial(Match, "english", "random", "random")
    arguments = {
        "resign": lambda: parse_resign("x"),
        "resign score": lambda: parse_resign("0"),
        "resign moves": lambda: parse_resign("5:0"),
        "draw": lambda: parse_draw("0:1:1:1"),
        "draw score": lambda: parse_draw("-1"),
        "sprt": lambda: parse_sprt("5"),
        "sprt elo0": lambda: parse_sprt("nan,5"),
        "sprt elo1": lambda: parse_sprt("5,0"),
        "sprt alpha": lambda: parse_sprt("0,5,0.7,0.1"),
        "plies": lambda: Openings(plies=-1),
        "openings": lambda: parse_openings("random:many", "english"),
        "opening": lambda: Openings(["11-15"]),  # type: ignore[list-item]
        "player": lambda: Match("english", 3, "random"),  # type: ignore[arg-type]
        "games": lambda: match(games=0),
        "match openings": lambda: match(openings="random:6"),  # type: ignore[arg-type]
        "match resign": lambda: match(resign="5:3"),  # type: ignore[arg-type]
        "match tablebases": lambda: match(tablebases=3),  # type: ignore[arg-type]
        "concurrency": lambda: match().check_concurrency(0),
        "players": lambda: play_game(START, {}),
        "wins": lambda: MatchScore(-1),
        "pairs": lambda: MatchScore(1, 1, 1, (0, 0, 2, 0, 0)),
        "results": lambda: MatchScore.of([1, 2]),
    }
    openings = {
        "finished opening": lambda: Openings([FINISHED]),
        "finished opening of Kalah": lambda: Openings([FINISHED_KALAH]),
        "short games": lambda: Openings([SHORT], plies=3).begin("international", 0, seed=0),
        "variant of openings": lambda: Openings([START]).begin("russian", 0, seed=0),
        "no positions": lambda: parse_openings("all:9", replace(KALAH, name="tiny", houses=1, seeds=1)),
        "too many positions": lambda: parse_openings("all:99", "english"),
    }
    matches = {
        "human": lambda: Match("english", "random", "human"),
        "rules without tablebases": lambda: Match("frisian", "random", "random", tablebases=True),
        "player option": lambda: Match("english", "random", "minimax:depth=0"),
        "engine that cannot be started": lambda: play_all(Match("international", "random", "hub:no-such-program")),
        "fairkalah for draughts": lambda: parse_openings("fairkalah", "english"),
        "single player": lambda: Match("english", SinglePlayer, "random").check_concurrency(2),
        "player that never starts": lambda: play_all(Match("english", First, FailingAtStart)),
        "broken executor": lambda: play_all(match(), executor=BrokenPool()),
        "closed pool": acquire_from_closed_pool,
    }
    check_errors(
        Path(__file__).with_name("error_messages.txt"),
        {
            **{name: (ArgumentError, call) for name, call in arguments.items()},
            **{name: (GameError, call) for name, call in openings.items()},
            **{name: (TablemenError, call) for name, call in matches.items()},
        },
    )


def note(white: Player, black: Player, start: Any = None, **options: Any) -> str:
    position = Position.start("international") if start is None else start
    return play_game(Game(position), {Side.WHITE: white, Side.BLACK: black}, longest=40, **options).note


@pytest.mark.golden
def test_notes() -> None:
    time = Time()
    even, losing = ScoringPlayer(0), ScoringPlayer(-10)
    kalah = Pits.start("kalah")
    controls = dict.fromkeys(Side, TimeControl(5))
    notes = {
        "failure": note(First(), Failing()),
        "failure in Kalah": note(First(), Failing(), kalah),
        "late": note(Slow(time, 7), First(), controls=controls, now=time),
        "late in Kalah": note(Slow(time, 7), First(), kalah, controls=controls, now=time),
        "long game": note(First(), First()),
        "resign": note(losing, even, resign=ResignAdjudication(5)),
        "resign after one move": note(losing, even, resign=ResignAdjudication(5, 1)),
        "resign in Kalah": note(even, losing, kalah, resign=ResignAdjudication(5, 2)),
        "draw": note(even, even, draw=DrawAdjudication(0.1, 3, 0)),
        "tablebase": note(First(), First(), Position.from_fen("B:WK10,K14:BK27", "english"), tablebases=True),
        "tablebase draw": note(First(), First(), Position.from_fen("B:WK10:BK27", "english"), tablebases=True),
    }
    check_golden(Path(__file__).with_name("notes.txt"), notes)
