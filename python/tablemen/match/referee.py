"""One game between two players, from its first position to its end, with clocks and adjudication."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tablemen import search
from tablemen.clock import GameClock, TimeControl
from tablemen.console import escape_controls, format_error
from tablemen.errors import ArgumentError
from tablemen.family import ScoreSheet, get_family
from tablemen.game import Game
from tablemen.match.adjudication import Adjudicator, DrawAdjudication, ResignAdjudication
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, Player
from tablemen.threads import call_after
from tablemen.validation import is_int

DEFAULT_MAX_PLIES = 400  # from the start of the game
MAX_FAILURE_LENGTH = 500  # characters


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: its outcome and its players.

    `outcome` is that of the game, or `FORFEIT` if a player failed, or `ADJUDICATION` if the game was ended early.
    `failure` is the error of a player that failed, and `reason` explains any other ending not defined by the rules.
    `opening` is the number of moves played before the players began, `controls` are their time controls, and `authors`
    the authors of engines that report one.
    """

    game: Game[Any, Any]
    players: Mapping[Side, str]
    outcome: Outcome
    failure: str = ""
    reason: str = ""
    opening: int = 0
    controls: Mapping[Side, TimeControl] = field(default_factory=dict)
    authors: Mapping[Side, str] = field(default_factory=dict)

    def points(self, side: Side) -> float:
        """Return the points of a side: 1, ½ or 0."""
        return 0.5 if self.outcome.winner is None else float(self.outcome.winner is side)

    @property
    def note(self) -> str:
        """An explanation of an ending not defined by the rules, such as a forfeit."""
        if self.reason or self.outcome.winner is None or not self.failure:
            return self.reason
        loser = self.outcome.winner.opponent
        return f"{self.players[loser]} failed as {get_family(self.game.start).side_name(loser)}: {self.failure}"

    def has_moved(self, side: Side) -> bool:
        """Return whether the player of a side has made a move."""
        return any(position.turn is side for position in self.game.positions[self.opening : -1])

    def sheet(self, *, event: str = "", number: int | None = None) -> ScoreSheet:
        """Return the game for a game file; `number` is its round in the event."""
        return ScoreSheet(
            game=self.game,
            players=self.players,
            outcome=self.outcome,
            event=event,
            round=number,
            note=self.note,
            controls=self.controls,
            authors=self.authors,
        )

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()


def play_game(  # noqa: PLR0913 - only the game and its players are required
    game: Game[Any, Any],
    players: Mapping[Side, Player],
    *,
    longest: int = DEFAULT_MAX_PLIES,
    controls: Mapping[Side, TimeControl] | None = None,
    margin: float = 0.0,
    resign: ResignAdjudication | None = None,
    draw: DrawAdjudication | None = None,
    tablebases: bool = False,
    on_move: Callable[[Game[Any, Any]], object] | None = None,
    now: Callable[[], float] = time.monotonic,
) -> PlayedGame:
    """Play a game to its end and return the result; the moves are added to the given game.

    A draw is claimed as soon as it can be. A player that fails or chooses an illegal move loses by forfeit. A game of
    `longest` plies is adjudicated a draw, and `resign` and `draw` adjudicate games by the scores of the players. With
    `tablebases`, a game is adjudicated as soon as a tablebase has the position after a move, unless a draw rule may end
    it before it is won. `on_move` is called after every move.

    A side with a time control loses when its time is up. Each of its moves may be late by `margin` seconds; its clock
    then shows 0. When the time is up, `stop` of the player is called, and the game waits until `choose` returns. `now`
    is the source of time.

    >>> from tablemen.draughts import Position
    >>> from tablemen.players import MinimaxPlayer, RandomPlayer
    >>> players = {Side.WHITE: RandomPlayer(seed=1), Side.BLACK: MinimaxPlayer(depth=2)}
    >>> played = play_game(Game(Position.start("english")), players)
    >>> played.outcome
    Outcome(winner=Side.BLACK, termination=Termination.NO_PIECES)
    """
    if set(players) != set(Side):
        raise ArgumentError("players", players, "a player for each side")
    if not is_int(longest, minimum=1):
        raise ArgumentError("longest", longest, "a whole number of at least 1")
    controls = dict(controls or {})
    adjudicator = Adjudicator(resign, draw, tablebases=tablebases)
    referee = _Referee(game, players, longest, GameTimer(controls, margin=margin, now=now), adjudicator, on_move)
    opening, ending = len(game.moves), None
    try:
        ending = referee.play()
    finally:
        for player in players.values():
            with suppress(Exception):  # an error after the game does not change its result
                player.end_game(game, None if ending is None else ending.outcome)
    names = {side: players[side].name for side in Side}
    authors = {side: player.author for side, player in players.items() if player.author}
    return PlayedGame(game, names, ending.outcome, ending.failure, ending.reason, opening, controls, authors)


class GameTimer:
    """The clocks of the sides that have a time control."""

    def __init__(
        self,
        controls: Mapping[Side, TimeControl],
        *,
        margin: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clocks = {side: GameClock(control, margin=margin, now=now) for side, control in controls.items()}
        self._moves: Counter[Side] = Counter()

    def choose(self, player: Player, game: Game[Any, Any]) -> Any:
        """Return the choice of the player to move. Set its clock, and stop it when its time is up."""
        side = game.position.turn
        clock = self._clocks.get(side)
        if clock is None or clock.control is None:
            player.clock = None
            return player.choose(game)
        left = max(0.0, clock.left(side) or 0.0)
        player.clock = search.Clock(left, clock.control.increment, clock.control.moves_to_go(self._moves[side]))
        self._moves[side] += 1
        clock.run(side)  # before the timer of `stop` starts, so that the player is not stopped too early
        try:
            with call_after(player.stop, after=left):
                return player.choose(game)
        finally:
            clock.press(side.opponent, made=self._moves[side])
            clock.pause()

    def lateness(self, side: Side) -> float | None:
        """Return by how many seconds the last move of a side was late, or None if it was within the margin."""
        clock = self._clocks.get(side)
        if clock is None or clock.flagged() is not side:
            return None
        return 0.0 - (clock.left(side) or 0.0)


@dataclass(frozen=True)
class _Ending:
    outcome: Outcome
    failure: str = ""
    reason: str = ""


@dataclass
class _Referee:
    """The referee of one game, who determines how it ends."""

    game: Game[Any, Any]
    players: Mapping[Side, Player]
    longest: int
    timer: GameTimer
    adjudicator: Adjudicator
    on_move: Callable[[Game[Any, Any]], object] | None

    def play(self) -> _Ending:
        """Play the game to its end."""
        for side in Side:
            try:
                self.players[side].begin_game(self.game)
            except Exception as error:  # noqa: BLE001 - after any error of a player, its opponent wins
                return _forfeit(side, error)
        while (outcome := self.game.outcome()) is None:
            if self.game.claims():
                self.game.claim_draw()
            elif len(self.game.moves) >= self.longest:
                reason = f"adjudicated a draw after {len(self.game.moves)} plies"
                return _Ending(Outcome(None, Termination.ADJUDICATION), reason=reason)
            elif (ending := self._play_turn(self.game.position.turn)) is not None:
                return ending
        return _Ending(outcome)

    def _play_turn(self, side: Side) -> _Ending | None:
        """Play the choice of a side; return the ending if it is not defined by the rules."""
        player = self.players[side]
        try:
            choice = self.timer.choose(player, self.game)
            late = self.timer.lateness(side)
            if late is not None:
                reason = f"{player.name} was {late:.2f} s late as {get_family(self.game.start).side_name(side)}"
                return _Ending(self.game.lose_on_time(side), reason=reason)
            if choice is RESIGN:
                self.game.resign(side)
                return None
            self.game.push(choice)
        except Exception as error:  # noqa: BLE001 - after any error of a player, its opponent wins
            return _forfeit(side, error)
        if self.on_move is not None:
            self.on_move(self.game)
        self.adjudicator.add_score(side, player.score)
        ruling = None if self.game.outcome() else self.adjudicator.rule(self.game)
        return None if ruling is None else _Ending(ruling.outcome, reason=ruling.reason)


def _forfeit(side: Side, error: Exception) -> _Ending:
    failure = escape_controls(" ".join(format_error(error).split()))
    return _Ending(Outcome(side.opponent, Termination.FORFEIT), failure=failure[:MAX_FAILURE_LENGTH])
