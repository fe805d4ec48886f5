"""A game between two players, from its first position to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tablemen.clock import TimeControl
from tablemen.console import explain, visible
from tablemen.errors import ArgumentError
from tablemen.family import ScoreSheet
from tablemen.game import Game
from tablemen.match.adjudication import DrawAdjudication, Judge, ResignAdjudication, name_of
from tablemen.match.timing import Timekeeper
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, Player
from tablemen.validation import is_whole

LONGEST = 400  # plies, from the start of the game on
MOST_TOLD = 500  # characters of what went wrong


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over: how, and who played it.

    `outcome` is that of the game, or else `FORFEIT` where a player failed and `ADJUDICATION` where the game was ended
    before its end. `failure` says what went wrong with a player that failed, `reason` why the game was ended otherwise.
    `opening` is how many moves had been played when the players began, and `controls` are their time controls.
    """

    game: Game[Any, Any]
    players: Mapping[Side, str]
    outcome: Outcome
    failure: str = ""
    reason: str = ""
    opening: int = 0
    controls: Mapping[Side, TimeControl] = field(default_factory=dict)

    def points(self, side: Side) -> float:
        """What the side gets for it: 1, ½ or 0."""
        return 0.5 if self.outcome.winner is None else float(self.outcome.winner is side)

    @property
    def note(self) -> str:
        """What there is to say of an end that the rules do not know."""
        if self.reason or self.outcome.winner is None or not self.failure:
            return self.reason
        loser = self.outcome.winner.opponent
        return f"{self.players[loser]} failed as {name_of(loser, self.game)}: {self.failure}"

    def has_moved(self, side: Side) -> bool:
        """Whether the player of the side has made a move."""
        return any(position.turn is side for position in self.game.positions[self.opening : -1])

    def sheet(self, *, event: str = "", number: int | None = None) -> ScoreSheet:
        """The game as it is written down; `number` is its round in the event."""
        return ScoreSheet(
            game=self.game,
            players=self.players,
            outcome=self.outcome,
            event=event,
            round=number,
            note=self.note,
            controls=self.controls,
        )

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()


def play_game(  # noqa: PLR0913 - all but the game and its players may be left out
    game: Game[Any, Any],
    players: Mapping[Side, Player],
    *,
    longest: int = LONGEST,
    controls: Mapping[Side, TimeControl] | None = None,
    margin: float = 0.0,
    resign: ResignAdjudication | None = None,
    draw: DrawAdjudication | None = None,
    on_move: Callable[[Game[Any, Any]], object] | None = None,
    now: Callable[[], float] = time.monotonic,
) -> PlayedGame:
    """Plays a game to its end, and says how it came to it; the game that is given goes on.

    A draw that can be claimed is claimed. A player that fails, or chooses what is not legal, loses by forfeit. A game
    of `longest` plies is adjudicated a draw, and `resign` and `draw` end games by what the players say of them.
    `on_move` is called after every move.

    A side with one of the `controls` loses when its time is up. Each of its moves may be late by `margin` seconds, and
    after one that is, its clock stands at 0. Its player is told to stop when its time is up; nothing can make it, and
    the game waits for one that does not answer. `now` is where the time comes from.

    >>> from tablemen.draughts import Position
    >>> from tablemen.players import MinimaxPlayer, RandomPlayer
    >>> players = {Side.WHITE: RandomPlayer(seed=1), Side.BLACK: MinimaxPlayer(depth=2)}
    >>> played = play_game(Game(Position.start("english")), players)
    >>> played.outcome
    Outcome(winner=Side.BLACK, termination=Termination.NO_PIECES)
    """
    if set(players) != set(Side):
        raise ArgumentError("players", players, "a player for each side")
    if not is_whole(longest, least=1):
        raise ArgumentError("longest", longest, "a whole number from 1 up")
    controls = dict(controls or {})
    referee = _Referee(
        game, players, longest, Timekeeper(controls, margin=margin, now=now), Judge(resign, draw), on_move
    )
    opening, end = len(game.moves), None
    try:
        end = referee.play()
    finally:
        for player in players.values():
            with suppress(Exception):  # what becomes of the player afterwards is no part of the game
                player.end_game(game, None if end is None else end.outcome)
    names = {side: players[side].name for side in Side}
    return PlayedGame(game, names, end.outcome, end.failure, end.reason, opening, controls)


@dataclass(frozen=True)
class _End:
    """How a game ended, and what there is to say of it."""

    outcome: Outcome
    failure: str = ""
    reason: str = ""


@dataclass
class _Referee:
    """Whoever watches over a game."""

    game: Game[Any, Any]
    players: Mapping[Side, Player]
    longest: int
    timekeeper: Timekeeper
    judge: Judge
    on_move: Callable[[Game[Any, Any]], object] | None

    def play(self) -> _End:
        """The game to its end."""
        for side in Side:
            try:
                self.players[side].begin_game(self.game)
            except Exception as error:  # noqa: BLE001 - whatever a player does, its opponent wins and the match goes on
                return _forfeit(side, error)
        while (outcome := self.game.outcome()) is None:
            if self.game.claims():
                self.game.claim_draw()
            elif len(self.game.moves) >= self.longest:
                reason = f"adjudicated a draw after {len(self.game.moves)} plies"
                return _End(Outcome(None, Termination.ADJUDICATION), reason=reason)
            elif (end := self._turn(self.game.position.turn)) is not None:
                return end
        return _End(outcome)

    def _turn(self, side: Side) -> _End | None:
        """A choice of the side, and what it leads to; None where that is for the rules to say."""
        player = self.players[side]
        try:
            choice = self.timekeeper.choose(player, self.game)
            late = self.timekeeper.late(side)
            if late is not None:
                reason = f"{player.name} was {late:.2f} s late as {name_of(side, self.game)}"
                return _End(self.game.lose_on_time(side), reason=reason)
            if choice is RESIGN:
                self.game.resign(side)
                return None
            self.game.push(choice)
        except Exception as error:  # noqa: BLE001 - the same
            return _forfeit(side, error)
        if self.on_move is not None:
            self.on_move(self.game)
        self.judge.hear(side, player.score)
        ruling = None if self.game.outcome() else self.judge.rule(self.game)
        return None if ruling is None else _End(ruling.outcome, reason=ruling.reason)


def _forfeit(side: Side, error: Exception) -> _End:
    told = visible(" ".join(explain(error).split()))
    return _End(Outcome(side.opponent, Termination.FORFEIT), failure=told[:MOST_TOLD])
