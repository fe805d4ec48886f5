"""Players for tests: they take a game where a rule waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tablemen import Game
from tablemen.draughts import Kind, Move, Position

DraughtsGame: TypeAlias = "Game[Position, Move]"
Wish: TypeAlias = Callable[[Position, Move], bool]


def by_king(position: Position, move: Move) -> bool:
    """A king's move that captures nothing."""
    piece = position.piece_at(move.start)
    return piece is not None and piece.kind is Kind.KING and not move.is_capture


def by_man(position: Position, move: Move) -> bool:
    """A man's move that neither captures nor crowns."""
    piece = position.piece_at(move.start)
    return piece is not None and piece.kind is Kind.MAN and not move.is_capture and not move.crowns


def crowning(position: Position, move: Move) -> bool:
    """A man's quiet move to the far row."""
    return move.crowns and not move.is_capture


def capture(position: Position, move: Move) -> bool:
    """A capture."""
    return move.is_capture


def can_capture(position: Position) -> bool:
    return any(move.is_capture for move in position.legal_moves())


def safe_moves(game: DraughtsGame, wish: Wish) -> Iterator[Move]:
    """The legal moves as wished that offer nothing and can be answered, those to seldom seen positions first."""
    positions = game.positions
    found = []
    for move in game.legal_moves():
        if not wish(game.position, move):
            continue
        after = game.position.play(move)
        if after.legal_moves() and not can_capture(after):
            found.append((positions.count(after), move))
    return (move for _, move in sorted(found, key=lambda each: each[0]))


def wander(game: DraughtsGame, plies: int, wish: Wish = by_king, *, then: tuple[Wish, ...] = ()) -> None:
    """Play so many moves as wished that offer nothing, and then one for each further wish: the first way found."""
    assert _find_way(game, len(game.moves) + plies, wish, then, Patience(5000)), f"no way from {game.position.fen()}"


def steer(game: DraughtsGame, *wishes: Wish) -> None:
    """Play one move for each wish: the first way found."""
    wander(game, 0, then=wishes)


@dataclass
class Patience:
    """How many moves may still be tried."""

    left: int


def _find_way(game: DraughtsGame, safe: int, wish: Wish, then: tuple[Wish, ...], patience: Patience) -> bool:
    """Go on with safe moves to so many in all, and with the wishes after that; back where there is no way."""
    if len(game.moves) == safe + len(then):
        return True
    if len(game.moves) < safe:
        moves = list(safe_moves(game, wish))
    else:
        wanted = then[len(game.moves) - safe]
        moves = [move for move in game.legal_moves() if wanted(game.position, move)]
    for move in moves:
        assert patience.left, "no way found in good time"
        patience.left -= 1
        game.push(move)
        if _find_way(game, safe, wish, then, patience):
            return True
        game.pop()
    return False
