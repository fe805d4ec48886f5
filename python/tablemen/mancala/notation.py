"""Text notations of mancala: positions, moves and game records.

A record is lines of `Name: value`, with an empty line between games. `Variant`, `Start` and `Moves` describe the game.
Any other name is a tag and is kept unchanged::

    South: Ann
    North: Bob
    Variant: kalah
    Start: <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south
    Moves: 3 6 2 1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import ArgumentError, GameOverError, IllegalMoveError, NotationError, TablemenError
from tablemen.game import Game
from tablemen.mancala.rules import NAMES, MancalaRules
from tablemen.mancala.variants import find_variant
from tablemen.outcome import Outcome

SWAP = "swap"
VARIANT, START, MOVES = OWN_NAMES = ("Variant", "Start", "Moves")
_LINE = re.compile(r"(?P<name>[A-Za-z]+):(?P<value>[^\r]*)")
_WORD = re.compile(r"\S+")
_BOARD = re.compile(r"\s*<\s*(?P<houses>[0-9]{1,3})(?P<pits>(?: *, *[0-9]{1,9})+) *>")
MancalaGame: TypeAlias = "Game[Position, Move]"
_Lines: TypeAlias = list[tuple[int, str]]  # the lines of a game, with their numbers
_Values: TypeAlias = dict[str, tuple[str, int]]  # by name: the value and the number of its line
OnError: TypeAlias = Callable[[NotationError], object]


def format_move(move: Move) -> str:
    """Format a move: the number of the house, or `swap`.

    >>> from tablemen.mancala import Position
    >>> [format_move(move) for move in Position.start("kalah").legal_moves()]
    ['1', '2', '3', '4', '5', '6']
    """
    return str(move)


def parse_move(text: str, position: Position) -> Move:
    """Parse a text as a legal move of a position.

    >>> from tablemen.mancala import Position
    >>> parse_move("3", Position.start("kalah"))
    Move('kalah', 3, sown=4, extra_turn=True)

    Raises `NotationError` if the text is not a move, and `IllegalMoveError` if the move is not legal.
    """
    return position.parse_move(text)


def format_position(position: Position) -> str:
    """Format the board and the side to move.

    >>> from tablemen.mancala import Position
    >>> format_position(Position.start("kalah"))
    '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south'
    """
    return position.text()


def parse_position(text: str, variant: MancalaRules | str) -> Position:
    """Parse a position; South is to move if the text does not name a side.

    >>> print(parse_position("<3,1,0,2,0,2,1,2,4> north", "kalah"))
    Traceback (most recent call last):
    tablemen.errors.NotationError: line 1, column 2: the board has 3 houses a side, kalah has 6

    Raises `NotationError`.
    """
    return Position.from_text(text, variant)


class Record(NamedTuple):
    """A game and its tags."""

    game: MancalaGame
    tags: dict[str, str]


def format_record(game: MancalaGame, tags: Mapping[str, str] | None = None) -> str:
    """Format a game, its tags first.

    >>> from tablemen.mancala import Position
    >>> print(format_record(Game(Position.start("kalah"), ["3", "6"]), {"South": "Ann"}), end="")
    South: Ann
    Variant: kalah
    Start: <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> south
    Moves: 3 6

    Raises `ArgumentError` if a tag could not be parsed again: a name must be letters, and a value one line.
    """
    lines = []
    for name, value in (tags or {}).items():
        if not _is_name(name):
            raise ArgumentError("tag name", name, f"a word of letters other than {', '.join(OWN_NAMES)}")
        if not _is_line(value):
            raise ArgumentError(f"tags[{name!r}]", value, "a text of one line")
        lines.append(f"{name}: {value.strip()}")
    moves = " ".join(map(format_move, game.moves))
    own = (game.start.variant.name, format_position(game.start), moves)
    lines += [f"{name}: {value}" for name, value in zip(OWN_NAMES, own, strict=True)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch("[A-Za-z]+", name) is not None and name not in OWN_NAMES


def _is_line(value: object) -> bool:
    return isinstance(value, str) and "\n" not in value and "\r" not in value


def parse_records(
    text: str, variant: MancalaRules | str | None = None, *, on_error: OnError | None = None
) -> list[Record]:
    r"""Parse the games of a text, in order; `variant` applies to games that do not name one.

    >>> (record,) = parse_records("South: Ann\nVariant: kalah\nMoves: 3 6\n")
    >>> record.tags, record.game.position.turn
    ({'South': 'Ann'}, Side.BLACK)

    If a game cannot be parsed, `on_error` is called with a `NotationError` that has the line number, and parsing
    continues with the next game. Without `on_error` the error is raised.
    """
    records = []
    for found in read_records(text, variant):
        if isinstance(found, Record):
            records.append(found)
        elif on_error is None:
            raise found
        else:
            on_error(found)
    return records


def read_records(
    text: str, variant: MancalaRules | str | None = None, *, default: MancalaRules | None = None
) -> Iterator[Record | NotationError]:
    """Yield each game of a text, or the error of a game that cannot be parsed, in order; see `parse_records`.

    Without `variant`, the variant of games that do not name one is `default`.
    """
    if not isinstance(text, str):
        raise TypeError(f"expected a str, not {type(text).__name__}")
    given = None if variant is None else find_variant(variant)
    for lines in _blocks(text):
        try:
            found: Record | NotationError = _read(lines, text, given, default)
        except NotationError as error:
            found = error
        yield found


def _blocks(text: str) -> Iterator[_Lines]:
    """Yield the lines of each game. Empty lines separate games."""
    block: _Lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            block.append((number, line.strip()))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parse_values(lines: _Lines, text: str) -> _Values:
    """Return the values of the lines, by name."""
    values: _Values = {}
    for number, line in lines:
        found = _LINE.fullmatch(line)
        if found is None:
            raise NotationError(f"expected a line such as `South: Ann`, got {line!r}", text, line=number)
        if found["name"] in values:
            raise NotationError(f"{found['name']} occurs twice in a game", text, line=number)
        values[found["name"]] = found["value"].strip(), number
    return values


def _read(lines: _Lines, text: str, given: MancalaRules | None, default: MancalaRules | None) -> Record:
    """Parse the lines of one game."""
    values = _parse_values(lines, text)
    name, number = values.get(VARIANT, ("", lines[0][0]))
    try:
        rules = default if default is not None and name in ("", default.name) else _find_rules(name, given)
        start, number = values.get(START, ("", number))
        if given is None:
            rules = _resize(rules, start)
        game: MancalaGame = Game(parse_position(start, rules) if start else Position.start(rules))
        moves, number = values.get(MOVES, ("", number))
        for count, move in enumerate(_WORD.findall(moves), 1):
            _push(game, move, count)
    except TablemenError as error:
        problem = error.problem if isinstance(error, NotationError) else str(error)
        raise NotationError(problem, text, line=number) from error
    return Record(game, {name: value for name, (value, _) in values.items() if name not in OWN_NAMES})


def _find_rules(name: str, given: MancalaRules | None) -> MancalaRules:
    """Return the rules with this name. Raises `TablemenError` if other rules are given."""
    if given is not None and name in ("", given.name):
        return given
    rules = find_variant(name)
    if given is not None and rules != given:
        raise TablemenError(f"the game is {rules.name}, not {given.name}")
    return rules


def _resize(rules: MancalaRules, start: str) -> MancalaRules:
    """Adapt the rules to the size of the board in `start`, since the name of a variant does not include it."""
    found = _BOARD.match(start)
    if found is None:
        return rules
    houses, pits = int(found["houses"]), list(map(int, found["pits"].lstrip(" ,").split(",")))
    is_start = not any(pits[:2]) and len(set(pits[2:])) == 1
    if houses == rules.houses and not is_start:
        return rules
    seeds, rest = divmod(sum(pits), max(1, 2 * houses))
    return replace(rules, houses=houses, seeds=seeds if seeds and not rest else rules.seeds)


def _describe(outcome: Outcome) -> str:
    result = "draw" if outcome.winner is None else f"{NAMES[outcome.winner].capitalize()} wins"
    return f"{result}: {outcome.termination}"


def _push(game: MancalaGame, move: str, count: int) -> None:
    try:
        game.push(move)
    except NotationError as error:
        raise TablemenError(f"move {count}: {error.problem}") from error
    except IllegalMoveError as error:
        raise TablemenError(f"move {count}: {error.reason}") from error
    except GameOverError as error:
        raise TablemenError(f"move {count}: the game is over: {_describe(error.outcome)}") from error
