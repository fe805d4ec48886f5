"""A game between two players, from its first position to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tablemen.draws import is_whole
from tablemen.errors import ArgumentError
from tablemen.families import ScoreSheet
from tablemen.game import Game
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import RESIGN, Player

LONGEST = 400  # plies, from the start of the game on


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over: how, and who played it.

    `outcome` is that of the game, or else `FORFEIT` where a player failed and `ADJUDICATION` where the game became too
    long. `failure` says what went wrong with a player that failed.
    """

    game: Game[Any, Any]
    players: Mapping[Side, str]
    outcome: Outcome
    failure: str = ""

    def points(self, side: Side) -> float:
        """What the side gets for it: 1, ½ or 0."""
        return 0.5 if self.outcome.winner is None else float(self.outcome.winner is side)

    @property
    def note(self) -> str:
        """What there is to say of an end that the rules do not know."""
        if self.outcome.termination is Termination.ADJUDICATION:
            return f"adjudicated a draw after {len(self.game.moves)} plies"
        if self.outcome.winner is None or not self.failure:
            return ""
        loser = self.outcome.winner.opponent
        return f"{self.players[loser]} failed as {loser}: {self.failure}"

    def sheet(self, *, event: str = "", number: int | None = None) -> ScoreSheet:
        """The game as it is written down; `number` is its round in the event."""
        return ScoreSheet(
            game=self.game, players=self.players, outcome=self.outcome, event=event, round=number, note=self.note
        )


def play_game(
    game: Game[Any, Any],
    players: Mapping[Side, Player],
    *,
    longest: int = LONGEST,
    on_move: Callable[[Game[Any, Any]], object] | None = None,
) -> PlayedGame:
    """Plays a game to its end, and says how it came to it; the game that is given goes on.

    A draw that can be claimed is claimed. A player that fails, or chooses what is not legal, loses by forfeit. A game
    of `longest` plies is adjudicated a draw. `on_move` is called after every move.

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
    names = {side: players[side].name for side in Side}
    while (outcome := game.outcome()) is None:
        if game.claims():
            game.claim_draw()
            continue
        if len(game.moves) >= longest:
            return PlayedGame(game, names, Outcome(None, Termination.ADJUDICATION))
        side = game.position.turn
        try:
            choice = players[side].choose(game)
            if choice is RESIGN:
                game.resign(side)
                continue
            game.push(choice)
        except Exception as error:  # noqa: BLE001 - whatever a player does, its opponent wins and the match goes on
            failure = " ".join(f"{type(error).__name__}: {error}".split())
            return PlayedGame(game, names, Outcome(side.opponent, Termination.FORFEIT), failure)
        if on_move is not None:
            on_move(game)
    return PlayedGame(game, names, outcome)
