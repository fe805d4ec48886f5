"""A player of one's own: `python examples/cautious.py` matches it with chance, `… play` lets you play it."""

from __future__ import annotations

import sys
from typing import Any

from tablemen import Game, Side, TablemenError
from tablemen.draughts import Kind, Position
from tablemen.match import Match, MatchScore, Openings
from tablemen.players import Player

VARIANT = "russian"
WON = 100  # more than any pieces are worth


def balance(position: Position, side: Side) -> int:
    """How much more a side has than its opponent; a king is worth three men."""

    def worth(side: Side) -> int:
        return len(position.squares(side, Kind.MAN)) + 3 * len(position.squares(side, Kind.KING))

    return worth(side) - worth(side.opponent)


class Cautious(Player):
    """Looks at every reply to each of its moves, and takes the move whose worst reply is the mildest."""

    name = "cautious"

    def choose(self, game: Game[Any, Any]) -> Any:
        """A legal move of the game."""
        side = game.position.turn

        def worst(move: Any) -> int:
            after = game.position.play(move)
            return min((balance(after.play(reply), side) for reply in after.legal_moves()), default=WON)

        return max(game.legal_moves(), key=worst)


def play() -> None:
    """A game against it: you are White and type your moves."""
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
    """Some games against chance, and what came of them."""
    games = Match(VARIANT, Cautious, "random", games=10, openings=Openings(plies=4), seed=1)
    score = MatchScore.of(each.points for each in games.play())
    print(f"{score.wins} games won, {score.draws} drawn, {score.losses} lost")


if __name__ == "__main__":
    play() if sys.argv[1:] == ["play"] else match()
