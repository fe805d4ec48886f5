"""Guided play: find moves that bring a game to a position for a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tablemen import Game
from tablemen.draughts import Kind, Move, Position

DraughtsGame: TypeAlias = "Game[Position, Move]"
Predicate: TypeAlias = Callable[[Position, Move], bool]


def by_king(position: Position, move: Move) -> bool:
    """Return whether this is a quiet move of a king."""
    piece = position.piece_at(move.start)
    return piece is not None and piece.kind is Kind.KING and not move.is_capture


def by_man(position: Position, move: Move) -> bool:
    """Return whether a man moves without a capture or a crowning."""
    piece = position.piece_at(move.start)
    return piece is not None and piece.kind is Kind.MAN and not move.is_capture and not move.crowns


def crowning(position: Position, move: Move) -> bool:
    """Return whether a quiet move crowns a man."""
    return move.crowns and not move.is_capture


def capture(position: Position, move: Move) -> bool:
    """Return whether this is a capture."""
    return move.is_capture


def can_capture(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())


def safe_moves(game: DraughtsGame, predicate: Predicate) -> Iterator[Move]:
    """Yield the matching moves after which the opponent can move but not capture; rare positions first."""
    positions = game.positions
    found = []
    for move in game.legal_moves():
        if not predicate(game.position, move):
            continue
        after = game.position.play(move)
        if after.legal_moves() and not can_capture(after):
            found.append((positions.count(after), move))
    return (move for _, move in sorted(found, key=lambda each: each[0]))


def play_safe(
    game: DraughtsGame, plies: int, predicate: Predicate = by_king, *, then: tuple[Predicate, ...] = ()
) -> None:
    """Play this number of safe moves that match a predicate, and then one move for each of the last predicates."""
    found = _search(game, len(game.moves) + plies, predicate, then, Budget(5000))
    assert found, f"no matching moves from {game.position.fen()}"


def play_matching(game: DraughtsGame, *predicates: Predicate) -> None:
    """Play one move for each predicate."""
    play_safe(game, 0, then=predicates)


@dataclass
class Budget:
    """The number of moves that may still be tried."""

    left: int


def _search(game: DraughtsGame, safe: int, predicate: Predicate, then: tuple[Predicate, ...], budget: Budget) -> bool:
    """Search with backtracking: safe moves up to the ply `safe`, then a move for each of the last predicates."""
    if len(game.moves) == safe + len(then):
        return True
    if len(game.moves) < safe:
        moves = list(safe_moves(game, predicate))
    else:
        required = then[len(game.moves) - safe]
        moves = [move for move in game.legal_moves() if required(game.position, move)]
    for move in moves:
        assert budget.left, "too many moves tried"
        budget.left -= 1
        game.push(move)
        if _search(game, safe, predicate, then, budget):
            return True
        game.pop()
    return False
