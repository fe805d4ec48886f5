"""Mancala as text: a move is the number of its house, a position the board of the Kalah Game Protocol and who moves.

`<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south` has six houses a side, the stores of South and North, and the houses of South
and of North, each in the order in which its owner sows. Behind it, `swap` says that North may still swap sides.
"""

from __future__ import annotations

import re
import reprlib

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import IllegalMoveError, InvalidPositionError, NotationError
from tablemen.mancala.rules import MancalaRules
from tablemen.mancala.sides import NAMES, NORTH, SOUTH
from tablemen.mancala.variants import find_variant

SWAP = "swap"

_BOARD = re.compile(r"\s*<(?P<numbers>[^<>]*)>(?P<words>[^<>]*)\Z")
_DIGITS = 20  # more than any number here has
_WORD = re.compile(r"\S+")
_SIDES = {word: side for side, name in NAMES.items() for word in (name, name[0])}


def format_move(move: Move) -> str:
    """The number of the house, or `swap`.

    >>> from tablemen.mancala import Position
    >>> [format_move(move) for move in Position.start("kalah").legal_moves()]
    ['1', '2', '3', '4', '5', '6']
    """
    return SWAP if move.is_swap else str(move.house)


def parse_move(text: str, position: Position) -> Move:
    """The legal move that a text means in a position.

    >>> from tablemen.mancala import Position
    >>> parse_move("3", Position.start("kalah"))
    Move('kalah', 3, sown=4, extra_turn=True)

    Raises `NotationError` where the text is no move at all and `IllegalMoveError` where the move is not legal.
    """
    if not isinstance(text, str):
        raise TypeError(f"a move as text is a str, not {type(text).__name__}")
    word = text.strip().casefold()
    at = len(text) - len(text.lstrip())
    houses = position.variant.houses
    if word != SWAP and not re.fullmatch(r"[0-9]+", word):
        raise _error(f"{reprlib.repr(text)} is not the number of a house", text, at)
    house = 0 if word == SWAP else _number(word)
    if word != SWAP and not 1 <= house <= houses:
        raise _error(f"there is no house {_short(word)}: they are 1 to {houses}", text, at)
    for move in position.legal_moves():
        if move.house == house:
            return move
    raise IllegalMoveError(text, position)


def _number(digits: str) -> int:
    """The number, or one that is too large for anything where there are too many digits."""
    return int(digits) if len(digits) <= _DIGITS else 10**_DIGITS


def _short(digits: str) -> str:
    """Digits as a message shows them."""
    return digits if len(digits) <= _DIGITS else f"{digits[:_DIGITS]}…"


def format_position(position: Position) -> str:
    """The board and who is to move.

    >>> from tablemen.mancala import Position
    >>> format_position(Position.start("kalah"))
    '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south'
    """
    sides = (SOUTH, NORTH)
    stores, houses = [position.stores[side] for side in sides], [position.houses(side) for side in sides]
    numbers = ",".join(map(str, (position.variant.houses, *stores, *houses[0], *houses[1])))
    swap = f" {SWAP}" if position.swap_open else ""
    return f"<{numbers}> {NAMES[position.turn]}{swap}"


def parse_position(text: str, variant: MancalaRules | str) -> Position:
    """The position that a text describes; South is to move where it does not say who is.

    >>> print(parse_position("<3,1,0,2,0,2,1,2,4> north", "kalah"))
    Traceback (most recent call last):
    tablemen.errors.NotationError: line 1, column 2: the board has 3 houses a side, kalah has 6

    Raises `NotationError`.
    """
    if not isinstance(text, str):
        raise TypeError(f"a position as text is a str, not {type(text).__name__}")
    rules = find_variant(variant)
    found = _BOARD.match(text)
    if found is None:
        raise NotationError("a board is written <houses,store,store,seeds,…> and a side", text)
    pits = _read_pits(text, found.start("numbers"), found["numbers"], rules)
    turn, swap_open = SOUTH, False
    for number, word in enumerate(_WORD.finditer(text, found.start("words"))):
        name = word[0].casefold()
        if number == 0 and name in _SIDES:
            turn = _SIDES[name]
        elif name == SWAP and not swap_open:
            swap_open = True
        else:
            raise _error(f"{reprlib.repr(word[0])} is not a side to move", text, word.start())
    south, north = pits[2 : 2 + rules.houses], pits[2 + rules.houses :]
    try:
        return Position(
            rules,
            turn,
            houses={SOUTH: south, NORTH: north},
            stores={SOUTH: pits[0], NORTH: pits[1]},
            swap_open=swap_open,
        )
    except InvalidPositionError as error:
        raise NotationError("; ".join(error.problems), text) from error


def _read_pits(text: str, start: int, numbers: str, rules: MancalaRules) -> list[int]:
    """The stores and the houses."""
    read: list[int] = []
    for number in numbers.split(","):
        digits = number.strip()
        if not re.fullmatch(r"[0-9]+", digits):
            raise _error(f"{reprlib.repr(digits)} is not a number of seeds", text, start)
        if not read and _number(digits) != rules.houses:
            houses = "1 house" if _number(digits) == 1 else f"{_short(digits)} houses"
            raise _error(f"the board has {houses} a side, {rules.name} has {rules.houses}", text, start)
        read.append(_number(digits))
        start += len(number) + 1
    _, *pits = read
    if len(pits) != 2 * rules.houses + 2:
        given = "1 pit" if len(pits) == 1 else f"{len(pits)} pits"
        raise NotationError(f"the board has {given}, not {2 * rules.houses + 2}", text)
    return pits


def _error(problem: str, text: str, at: int) -> NotationError:
    """An error that points at a character."""
    before = text[:at]
    return NotationError(problem, text, line=before.count("\n") + 1, column=at - before.rfind("\n"))
