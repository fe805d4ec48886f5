"""What a position of Kalah is worth when nobody errs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

from tablemen import _core
from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import ArgumentError
from tablemen.mancala.tables import prepare_tables
from tablemen.number import is_whole

_MOST_MB, _MOST_THREADS = 1 << 20, 1024


@dataclass(frozen=True)
class Solution:
    """What a position is worth to its side to move, and which moves keep that.

    `values` is empty, and `best` one of the best moves, where only the value was asked for. In a finished game there
    are no moves, and `value` is the margin of the score.
    """

    value: int  # the final margin in seeds, stores included: above 0 the side to move wins
    best: tuple[Move, ...]
    values: Mapping[Move, int]  # what each move is worth to the side to move now, whoever moves after it
    nodes: int  # positions that were searched
    time: float  # seconds, tables included


@dataclass(frozen=True)
class Progress:
    """How far solving has come: tables first, then the position, then its moves."""

    time: float  # seconds since the beginning
    layer: int | None = None  # tables are built, of positions with so many seeds; None while there is a search
    layers: int = 0  # the tables will end before so many seeds
    nodes: int = 0  # positions that were searched
    move: Move | None = None  # which move is looked at; None while it is the position itself
    least: int | None = None  # what the position or the move is worth to the side to move, as far as it is known
    most: int | None = None


def solve(  # noqa: PLR0913 - all but the position are options
    position: Position,
    *,
    each_move: bool = True,
    threads: int = 1,
    table_mb: int = 512,
    layers_mb: int | None = None,
    cache: bool = True,
    on_progress: Callable[[Progress], object] | None = None,
) -> Solution:
    """What a position of the Kalah family is worth under perfect play: both sides play for the largest margin.

    >>> from dataclasses import replace
    >>> from tablemen.mancala import KALAH, Position
    >>> solution = solve(Position.start(replace(KALAH, name="small", houses=3, seeds=2)))
    >>> solution.value, [move.house for move in solution.best]
    (4, [2])
    >>> {move.house: value for move, value in solution.values.items()}
    {1: -8, 2: 4, 3: 0}

    `each_move=False` finds the value and one best move alone, which is quicker. The search remembers positions in
    `table_mb` million bytes at most. Tables of positions with few seeds, a layer for each number of seeds, take
    `layers_mb` million bytes more at most, or some 150. They are kept in the user's cache folder, or the one that the
    environment variable `TABLEMEN_CACHE` names, unless `cache` is False; a file that cannot be used or written is told
    as a `TableWarning`. `on_progress` is called now and then, before each layer too, and solving ends with what it
    raises.

    Raises `UnsolvableError` for Oware, and where games are too long to be followed to the end.
    """
    _check(position, threads, table_mb, layers_mb)
    begun = perf_counter()
    tell = on_progress or (lambda _: None)

    def on_layer(layer: int, layers: int) -> None:
        tell(Progress(perf_counter() - begun, layer=layer, layers=layers))

    moves = {move.house: move for move in position.legal_moves()}

    def on_nodes(nodes: int, house: int | None, least: int, most: int) -> None:
        move = None if house is None else moves[house]
        if move is not None and position.play_unchecked(move).turn is not position.turn:
            least, most = -most, -least
        tell(Progress(perf_counter() - begun, nodes=nodes, move=move, least=least, most=most))

    value, found, nodes = _core.solve_mancala(
        position,
        tables=prepare_tables(
            position,
            threads=threads,
            cache=cache,
            most=None if layers_mb is None else layers_mb * 1_000_000,
            on_layer=on_layer,
        ),
        threads=threads,
        table_mb=table_mb,
        each_move=each_move,
        on_progress=None if on_progress is None else on_nodes,
    )
    values = {moves[house]: worth for house, worth in found}
    best = tuple(move for move, worth in values.items() if worth == value)
    return Solution(value, best, values if each_move else {}, nodes, perf_counter() - begun)


def _check(position: Position, threads: int, table_mb: int, layers_mb: int | None) -> None:
    if not isinstance(position, Position):
        raise ArgumentError("position", position, "a position of mancala")
    given = [("threads", threads, _MOST_THREADS), ("table_mb", table_mb, _MOST_MB)]
    if layers_mb is not None:
        given.append(("layers_mb", layers_mb, _MOST_MB))
    for name, number, most in given:
        if not is_whole(number, least=1, most=most):
            raise ArgumentError(name, number, f"a whole number from 1 to {most}")
