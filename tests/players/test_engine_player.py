"""Players that are other programs, with a program that lives in the test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from tablemen.draughts import Position
from tablemen.errors import PeerError, PeerGoneError
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN
from tablemen.players.engine import EnginePlayer
from tablemen.protocols import Engine
from tablemen.protocols.engine import Answer
from tablemen.search import Clock, Limit, Score


@dataclass
class Program(Engine):
    answers: list[Answer | PeerError]
    heard: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "program"

    def choose(self, game: Game[Any, Any], limit: Limit = Limit(), *, clock: Clock | None = None) -> Answer:  # noqa: B008
        self.heard.append((len(game.moves), limit, clock))
        answer = self.answers.pop(0)
        if isinstance(answer, PeerError):
            raise answer
        return answer

    def stop(self) -> None:
        self.heard.append("stop")

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002
        self.heard.append(outcome)
        raise PeerGoneError("program", "has gone")

    def close(self) -> None:
        self.heard.append("close")


@dataclass(kw_only=True)
class ProgramPlayer(EnginePlayer):
    kind: ClassVar[str] = "program"
    about: ClassVar[str] = "for tests"

    programs: list[Program] = field(default_factory=list)

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002
        return self.programs.pop(0)


def new_game() -> Game[Any, Any]:
    return Game(Position.start("english"))


def test_the_program_is_opened_once_and_asked_with_limit_and_clock() -> None:
    game = new_game()
    move = game.legal_moves()[0]
    program = Program([Answer(move, Score(0.5)), Answer(None)])
    player = ProgramPlayer(address="x", depth=3, programs=[program])
    player.stop()  # there is nothing to stop yet
    assert player.choose(game) == move
    assert player.score == Score(0.5)
    player.clock = Clock(60, 2)
    assert player.choose(game) is RESIGN
    assert vars(player)["score"] is None
    assert game == new_game()
    player.close()
    assert program.heard == [(0, Limit(depth=3), None), (0, Limit(depth=3), Clock(60, 2)), "close"]


def test_after_a_failure_a_new_program_is_opened() -> None:
    game = new_game()
    move = game.legal_moves()[0]
    first, second = Program([PeerGoneError("program", "was ended by SIGKILL")]), Program([Answer(move)])
    player = ProgramPlayer(address="x", programs=[first, second])
    with pytest.raises(PeerGoneError, match="was ended by SIGKILL"):
        player.choose(game)
    assert first.heard[-1] == "close"
    assert player.choose(game) == move


def test_a_program_that_cannot_be_told_of_the_end_is_let_go() -> None:
    game, program = new_game(), Program([])
    program.answers.append(Answer(game.legal_moves()[0]))
    player = ProgramPlayer(address="x", programs=[program])
    outcome = Outcome(Side.WHITE, Termination.RESIGNATION)
    player.end_game(game, outcome)  # nobody has asked it anything
    player.choose(game)
    player.end_game(game, outcome)
    assert program.heard[1:] == [outcome, "close"]
