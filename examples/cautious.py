"""A custom player: `python examples/cautious.py` plays against random moves, `… play` plays against you."""

from __future__ import annotations

import sys
from typing import Any

from tablemen import Game, Side, TablemenError
from tablemen.draughts import Kind, Position
from tablemen.match import Match, MatchScore, Openings
from tablemen.players import Player

VARIANT = "russian"
WON = 100  # more than the value of all pieces


def balance(position: Position, side: Side) -> int:
    """Return the material difference for a side; a king counts as three men."""

    def material(side: Side) -> int:
        return len(position.squares(side, Kind.MAN)) + 3 * len(position.squares(side, Kind.KING))

    return material(side) - material(side.opponent)


class Cautious(Player):
    """A player that chooses the move with the best balance after the opponent's strongest reply."""

    name = "cautious"

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return a legal move of the game."""
        side = game.position.turn

        def worst_case(move: Any) -> int:
            after = game.position.play(move)
            return min((balance(after.play(reply), side) for reply in after.legal_moves()), default=WON)

        return max(game.legal_moves(), key=worst_case)


def play() -> None:
    """Play a game as White by typing moves."""
    game = Game(Position.start(VARIANT))
    while not game.outcome():
        if game.position.turn is Side.BLACK:
            print(f"It plays {game.push(Cautious().choose(game))}.")
            continue
        print(game.position)
        try:
            game.push(input("Your move: "))
        except EOFError:
            break
        except TablemenError as error:
            print(error)
    print(game.outcome() or "Left.")


def match() -> None:
    """Play a match against random moves, and print the score."""
    games = Match(VARIANT, Cautious, "random", games=10, openings=Openings(plies=4), seed=1)
    score = MatchScore.of(each.points for each in games.play())
    print(f"{score.wins} games won, {score.draws} drawn, {score.losses} lost")


if __name__ == "__main__":
    play() if sys.argv[1:] == ["play"] else match()
