"""What every position promises, as one test: for both families, and for a game of one's own.

A game of one's own needs no base class. A position that passes `check_position` can be given to `tablemen.Game` and to
everything else that plays games.
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

NONSENSE = ("", "no move at all", "\N{SNOWMAN}")  # texts that are a move in no game


def check_position(position: Position[Any, Any], *, plies: int = 1, names: Mapping[str, object] | None = None) -> None:
    """Raise AssertionError, with what is wrong, unless the position and those up to `plies` moves on keep all promises.

    They are: turn, variant, legal moves and outcome fit each other; playing gives a new position and leaves the old one
    as it was; equal positions and moves have equal hashes; moves are read back from their text; what is not legal is
    refused with an error of tablemen; pickling loses nothing; and a `repr` can be pasted back. For that `names` adds to
    the names that it is evaluated with: those of the module that the position is from, `Position` and `Move`.

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
    _check_refusals(position)
    _check_value(position, "the position", names)
    _check_game(position)


def _expect(holds: object, what: str, *things: object) -> None:
    """Raise unless it holds; an error says so with `assert` turned off, too."""
    if not holds:
        raise AssertionError(": ".join([what, ", ".join(map(repr, things))]) if things else what)


def _check_shape(position: Position[Any, Any]) -> None:
    _expect(isinstance(position, Position), "a position lacks a member of tablemen.position.Position", position)
    _expect(isinstance(position.turn, Side), "turn is not a Side", position.turn)
    draws = position.variant.draws
    _expect(isinstance(draws, tuple), "variant.draws is not a tuple", draws)
    _expect(all(isinstance(rule, DrawRule) for rule in draws), "variant.draws has something else than DrawRules", draws)
    moves = position.legal_moves()
    _expect(isinstance(moves, tuple), "legal_moves() is not a tuple", moves)
    _expect(len(set(moves)) == len(moves), "legal_moves() has a move twice", moves)
    _expect(position.legal_moves() == moves, "legal_moves() differs from call to call", moves)


def _check_outcome(position: Position[Any, Any]) -> None:
    outcome = position.outcome()
    _expect(outcome is None or isinstance(outcome, Outcome), "outcome() is neither None nor an Outcome", outcome)
    if outcome is None:
        _expect(position.legal_moves(), "no legal move, and outcome() is None", position)
    else:
        _expect(not position.legal_moves(), "the game is over, and there are legal moves", position, outcome)


def _check_move(position: Position[Any, Any], move: Any, names: Mapping[str, object]) -> None:
    before = repr(position)
    after = position.play(move)
    _expect(after == position.play(move), "the same move leads to different positions", position, move)
    _expect(repr(position) == before, "playing a move changed the position it was played in", before, move)
    _expect(position.parse_move(str(move)) == move, "a move is not read back from its text", move, str(move))
    _check_value(move, "a move", names)


def _check_value(value: Hashable, what: str, names: Mapping[str, object]) -> None:
    """Equality, hash, pickle and repr."""
    _expect(value == value, f"{what} is not equal to itself", value)  # noqa: PLR0124 - that is the question
    _expect(value != object() and value != repr(value), f"{what} is equal to something else", value)
    known = {**vars(sys.modules[type(value).__module__]), **_own_names(value), **names}
    for verb, copy in (("pickled", pickle.loads(pickle.dumps(value))), ("pasted back", _evaluate(value, known))):
        _expect(copy == value, f"{what} is another one when {verb}", value, copy)
        _expect(hash(copy) == hash(value), f"{what} has another hash when {verb}", value)


def _own_names(value: object) -> dict[str, object]:
    """A class under the name that its repr begins with: compiled classes of both families share theirs."""
    return {repr(value).partition("(")[0].partition(".")[0]: type(value)}


def _evaluate(value: object, names: dict[str, object]) -> object:
    try:
        return eval(repr(value), names)
    except (NameError, SyntaxError) as error:
        raise AssertionError(f"a repr cannot be pasted back: {value!r}: {error}") from error


def _check_refusals(position: Position[Any, Any]) -> None:
    legal = position.legal_moves()
    for text in NONSENSE:
        _expect(_refuses(position.parse_move, text, TablemenError), "parse_move() reads nonsense", position, text)
    # Moves that are legal a move earlier or later, and not here.
    for move in legal:
        after = position.play(move)
        for other in after.legal_moves():
            if other not in legal:
                _expect(_refuses(position.play, other, IllegalMoveError), "an illegal move is played", position, other)
        if move not in after.legal_moves():
            _expect(_refuses(after.play, move, IllegalMoveError), "an illegal move is played", after, move)


def _refuses(function: Any, argument: object, error: type[Exception]) -> bool:
    """Whether the function raises this error, and no other."""
    try:
        function(argument)
    except error:
        return True
    except Exception as other:
        raise AssertionError(f"{argument!r} is refused with {other!r}, not with {error.__name__}") from other
    return False


def _check_game(position: Position[Any, Any]) -> None:
    """A game takes it, plays it and takes moves back."""
    game: Game[Any, Any] = Game(position)
    shown = position.outcome()
    _expect(shown is None or game.outcome() == shown, "a game does not end as its position does", position)
    for move in game.legal_moves()[:1]:
        game.push(move)
        _expect(game.position == position.play(move), "a game is elsewhere after a move", position, move)
        _expect(game.pop() == move and game.position == position, "a game does not take a move back", position, move)
    if game.outcome():
        _expect(_refuses(game.push, "", GameOverError), "a game that is over goes on", position)
