"""A test of the contract of positions, for the families of tablemen and for custom games.

The positions of a custom game need no base class. If they pass `check_position`, `tablemen.Game` and everything else
that plays games accept them.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Hashable, Mapping
from typing import Any

from tablemen.draws import DrawRule
from tablemen.errors import GameOverError, IllegalMoveError, TablemenError
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.position import Position

__all__ = ["check_position"]

NONSENSE = ("", "no move at all", "\N{SNOWMAN}")  # texts that are not moves in any game


def check_position(position: Position[Any, Any], *, plies: int = 1, names: Mapping[str, object] | None = None) -> None:
    """Raise `AssertionError`, with the reason, unless a position and those up to `plies` moves later are correct.

    Turn, variant, legal moves and outcome must be consistent. `play` must return a new position and leave the old one
    unchanged. Equal positions and moves must have equal hashes. Moves must be parsed from their text. Illegal moves
    must raise an error of tablemen. Pickling must preserve a value, and evaluating its `repr` must return an equal one.
    The `repr` may use names from the module of the position, its own class, and `names`.

    >>> from tablemen.mancala import Position
    >>> check_position(Position.start("kalah"), plies=2)
    """
    _check_one(position, names or {})
    if plies > 0:
        for move in position.legal_moves():
            check_position(position.play(move), plies=plies - 1, names=names)


def _check_one(position: Position[Any, Any], names: Mapping[str, object]) -> None:
    _check_shape(position)
    _check_outcome(position)
    for move in position.legal_moves():
        _check_move(position, move, names)
    _check_rejections(position)
    _check_value(position, "the position", names)
    _check_game(position)


def _expect(condition: object, problem: str, *values: object) -> None:
    """Raise `AssertionError` unless the condition holds, also when assertions are disabled."""
    if not condition:
        raise AssertionError(f"{problem}: {', '.join(map(repr, values))}")


def _check_shape(position: Position[Any, Any]) -> None:
    _expect(isinstance(position, Position), "a position lacks a member of tablemen.position.Position", position)
    _expect(isinstance(position.turn, Side), "turn is not a Side", position.turn)
    draws = position.variant.draws
    _expect(isinstance(draws, tuple), "variant.draws is not a tuple", draws)
    _expect(
        all(isinstance(rule, DrawRule) for rule in draws), "variant.draws has an item that is not a DrawRule", draws
    )
    moves = position.legal_moves()
    _expect(isinstance(moves, tuple), "legal_moves() is not a tuple", moves)
    _expect(len(set(moves)) == len(moves), "legal_moves() contains a move twice", moves)
    _expect(position.legal_moves() == moves, "legal_moves() returns different moves in two calls", moves)


def _check_outcome(position: Position[Any, Any]) -> None:
    outcome = position.outcome()
    _expect(outcome is None or isinstance(outcome, Outcome), "outcome() is neither None nor an Outcome", outcome)
    if outcome is None:
        _expect(position.legal_moves(), "outcome() is None, but there are no legal moves", position)
    else:
        _expect(not position.legal_moves(), "the game is over, but there are legal moves", position, outcome)


def _check_move(position: Position[Any, Any], move: Any, names: Mapping[str, object]) -> None:
    before = repr(position)
    after = position.play(move)
    _expect(after == position.play(move), "the same move leads to different positions", position, move)
    _expect(repr(position) == before, "play() changed the position", before, move)
    _expect(
        position.parse_move(str(move)) == move, "parse_move() does not return the move for its text", move, str(move)
    )
    _check_value(move, "a move", names)


def _check_value(value: Hashable, what: str, names: Mapping[str, object]) -> None:
    """Check equality, hash, pickling and repr."""
    _expect(value == value, f"{what} is not equal to itself", value)  # noqa: PLR0124 - checks equality with itself
    _expect(value != object() and value != repr(value), f"{what} is equal to an object of another type", value)
    for copied, copy in (("pickled", pickle.loads(pickle.dumps(value))), ("evaluated", _evaluate(value, names))):
        _expect(copy == value, f"{what} is not equal to its {copied} copy", value, copy)
        _expect(hash(copy) == hash(value), f"{what} has another hash than its {copied} copy", value)


def _evaluate(value: object, names: Mapping[str, object]) -> object:
    """Evaluate the repr of a value."""
    # The `repr` of a compiled class does not use its name in the module, since both families have a `Position`.
    own_name = repr(value).partition("(")[0].partition(".")[0]
    known = {**vars(sys.modules[type(value).__module__]), own_name: type(value), **names}
    try:
        return eval(repr(value), known)
    except (NameError, SyntaxError) as error:
        raise AssertionError(f"a repr cannot be evaluated: {value!r}: {error}") from error


def _check_rejections(position: Position[Any, Any]) -> None:
    legal = position.legal_moves()
    for text in NONSENSE:
        _expect(_rejects(position.parse_move, text, TablemenError), "parse_move() accepts nonsense", position, text)
    # Test with moves that are legal one move later or earlier, but not here.
    for move in legal:
        after = position.play(move)
        for other in after.legal_moves():
            if other not in legal:
                _expect(
                    _rejects(position.play, other, IllegalMoveError), "play() accepts an illegal move", position, other
                )
        if move not in after.legal_moves():
            _expect(_rejects(after.play, move, IllegalMoveError), "play() accepts an illegal move", after, move)


def _rejects(function: Any, argument: object, error: type[Exception]) -> bool:
    """Return whether the function raises this error; raise `AssertionError` if it raises another one."""
    try:
        function(argument)
    except error:
        return True
    except Exception as other:
        raise AssertionError(f"{argument!r} raises {other!r}, not {error.__name__}") from other
    return False


def _check_game(position: Position[Any, Any]) -> None:
    """Check that a game accepts the position, plays a move and takes it back."""
    game: Game[Any, Any] = Game(position)
    outcome = position.outcome()
    _expect(outcome is None or game.outcome() == outcome, "a game has another outcome than its position", position)
    for move in game.legal_moves()[:1]:
        game.push(move)
        _expect(
            game.position == position.play(move),
            "a game has another position after a move than play() returns",
            position,
            move,
        )
        _expect(game.pop() == move and game.position == position, "a game cannot take a move back", position, move)
    if game.outcome():
        _expect(_rejects(game.push, "", GameOverError), "a game that is over accepts a move", position)
