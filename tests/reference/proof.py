"""What can be forced, by trying everything: wins, and gains of material.

One side tries its moves, any of which will do; the other side must have no answer among all of its own. Positions that
were looked at are remembered, and nothing else makes it fast: captures are forced, so the trees of shots are narrow.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tablemen import Game, Side
from tablemen.draughts import Kind, Move, Position

DraughtsGame: TypeAlias = "Game[Position, Move]"
Known: TypeAlias = dict[tuple[Any, ...], bool]


def shortest_win(game: DraughtsGame, most: int) -> int | None:
    """In how many plies the side to move wins whatever the other does; None where it takes more than the most."""
    known: Known = {}
    wins = (plies for plies in range(1, most + 1) if _can_win(game, game.position.turn, plies, known))
    return next(wins, None)


def winning_moves(game: DraughtsGame, plies: int) -> list[Move]:
    """The moves after which the game is won in so many plies, this one included."""
    side, known, found = game.position.turn, Known(), []
    for move in game.legal_moves():
        game.push(move)
        if _can_win(game, side, plies - 1, known):
            found.append(move)
        game.pop()
    return found


def _can_win(game: DraughtsGame, side: Side, plies: int, known: Known) -> bool:
    if (outcome := game.outcome()) is not None:
        return outcome.winner is side
    key = (game.position, plies, *game.draw_counts().values())
    if not plies or key in known:
        return known.get(key, False)
    moves = game.legal_moves()
    own = game.position.turn is side
    if own:
        # Who has little choice is soon refuted: a matter of time alone.
        moves = tuple(sorted(moves, key=lambda move: len(game.position.play(move).legal_moves())))
    known[key] = not own
    for move in moves:
        game.push(move)
        wins = _can_win(game, side, plies - 1, known)
        game.pop()
        if wins is own:
            known[key] = own
            break
    return known[key]


def balance(position: Position, side: Side) -> int:
    """How many men more than its opponent a side has; a king counts as two, and as three where it flies."""
    king = 3 if position.variant.flying_kings else 2

    def worth(of: Side) -> int:
        return len(position.squares(of, Kind.MAN)) + king * len(position.squares(of, Kind.KING))

    return worth(side) - worth(side.opponent)


def moves_that_gain(position: Position, gain: int, plies: int) -> list[Move]:
    """The moves that bring so many men more, to be counted after so many plies and the captures that hang then."""
    side, known, goal = position.turn, Known(), balance(position, position.turn) + gain
    moves = position.legal_moves()
    return [move for move in moves if _can_reach(position.play(move), side, goal, plies - 1, known)]


def _can_reach(position: Position, side: Side, goal: int, plies: int, known: Known) -> bool:
    moves = position.legal_moves()
    if not moves:
        outcome = position.outcome()
        return outcome is not None and outcome.winner is side
    if plies <= 0 and not moves[0].is_capture:  # where one can capture one must
        return balance(position, side) >= goal
    key = (position, max(plies, 0))
    if key not in known:
        own = position.turn is side
        afters = [position.play(move) for move in moves]
        if own:
            afters.sort(key=lambda after: len(after.legal_moves()))
        answers = (_can_reach(after, side, goal, plies - 1, known) for after in afters)
        known[key] = any(answers) if own else all(answers)
    return known[key]
