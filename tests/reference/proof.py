"""Proofs of forced wins and gains of material by exhaustive search.

The attacker needs one move that works; every answer of the defender must fail. Results are cached. No other
optimisation is needed: captures are compulsory, so the game trees of shots are narrow.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tablemen import Game, Side
from tablemen.draughts import Kind, Move, Position

DraughtsGame: TypeAlias = "Game[Position, Move]"
Known: TypeAlias = dict[tuple[Any, ...], bool]


def shortest_win(game: DraughtsGame, maximum: int) -> int | None:
    """Return the number of plies in which the side to move wins by force; None if it exceeds the maximum."""
    known: Known = {}
    wins = (plies for plies in range(1, maximum + 1) if _can_win(game, game.position.turn, plies, known))
    return next(wins, None)


def winning_moves(game: DraughtsGame, plies: int) -> list[Move]:
    """Return the moves that win by force within this number of plies, including the move."""
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
        # For speed, try moves with few answers first.
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
    """Return the lead of a side in men; a king counts two, a flying king three."""
    king = 3 if position.variant.flying_kings else 2

    def material(owner: Side) -> int:
        return len(position.squares(owner, Kind.MAN)) + king * len(position.squares(owner, Kind.KING))

    return material(side) - material(side.opponent)


def moves_that_gain(position: Position, gain: int, plies: int) -> list[Move]:
    """Return the moves that gain this number of men by force, counted after the plies and all pending captures."""
    side, known, goal = position.turn, Known(), balance(position, position.turn) + gain
    moves = position.legal_moves()
    return [move for move in moves if _can_reach(position.play(move), side, goal, plies - 1, known)]


def _can_reach(position: Position, side: Side, goal: int, plies: int, known: Known) -> bool:
    moves = position.legal_moves()
    if not moves:
        outcome = position.outcome()
        return outcome is not None and outcome.winner is side
    if plies <= 0 and not moves[0].is_capture:  # captures are compulsory
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
