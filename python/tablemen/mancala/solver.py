"""The Kalah solver: values of positions under perfect play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

from tablemen import _core
from tablemen._core import MancalaMove as Move
from tablemen._core import MancalaPosition as Position
from tablemen.errors import ArgumentError
from tablemen.mancala.tablebase import prepare_tables
from tablemen.validation import is_int

_MAX_MB, _MAX_THREADS = 1 << 20, 1024


@dataclass(frozen=True)
class Solution:
    """The value of a position for its side to move, and the moves that keep that value.

    With `each_move=False`, `values` is empty and `best` has one of the best moves. In a finished game there are no
    moves, and `value` is the margin of the score.
    """

    value: int  # the final margin in seeds, stores included; positive if the side to move wins
    best: tuple[Move, ...]
    values: Mapping[Move, int]  # by move: its value for the side to move, also after an extra turn
    nodes: int  # positions searched
    time: float  # seconds, including the tables


@dataclass(frozen=True)
class Progress:
    """Progress of the solver: endgame tables first, then the position, then its moves."""

    time: float  # seconds since the start
    layer: int | None = None  # the layer being built, by its number of seeds; None during the search
    layers: int = 0  # the number of layers that the tables will have
    nodes: int = 0  # positions searched
    move: Move | None = None  # the move being searched; None while it is the position itself
    minimum: int | None = None  # lower bound of the value of the position or the move for the side to move
    maximum: int | None = None  # upper bound


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
    """Solve a position of the Kalah family: find its value if both sides play for the largest margin.

    >>> from dataclasses import replace
    >>> from tablemen.mancala import KALAH, Position
    >>> solution = solve(Position.start(replace(KALAH, name="small", houses=3, seeds=2)))
    >>> solution.value, [move.house for move in solution.best]
    (4, [2])
    >>> {move.house: value for move, value in solution.values.items()}
    {1: -8, 2: 4, 3: 0}

    `each_move=False` finds only the value and one best move, which is faster. The transposition table of the search
    has at most `table_mb` million bytes. Endgame tables, with a layer for each number of seeds, have at most
    `layers_mb` million bytes more (default: about 150). They are stored in the user's cache folder, or in the folder
    that the environment variable `TABLEMEN_CACHE` names, unless `cache` is False. A file that cannot be used or written
    causes a `TableWarning`. `on_progress` is called at intervals and before each layer; an exception that it raises
    ends the search and is passed on.

    Raises `UnsolvableError` for Oware, and if games are too long to search to the end.
    """
    _check_arguments(position, threads, table_mb, layers_mb)
    started = perf_counter()
    report = on_progress or (lambda _: None)

    def on_layer(layer: int, layers: int) -> None:
        report(Progress(perf_counter() - started, layer=layer, layers=layers))

    moves = {move.house: move for move in position.legal_moves()}

    def on_nodes(nodes: int, house: int | None, minimum: int, maximum: int) -> None:
        move = None if house is None else moves[house]
        if move is not None and position.play_unchecked(move).turn is not position.turn:
            minimum, maximum = -maximum, -minimum  # the bounds are those of the opponent
        report(Progress(perf_counter() - started, nodes=nodes, move=move, minimum=minimum, maximum=maximum))

    value, found, nodes = _core.solve_mancala(
        position,
        tables=prepare_tables(
            position,
            threads=threads,
            cache=cache,
            max_size=None if layers_mb is None else layers_mb * 1_000_000,
            on_layer=on_layer,
        ),
        threads=threads,
        table_mb=table_mb,
        each_move=each_move,
        on_progress=None if on_progress is None else on_nodes,
    )
    values = {moves[house]: move_value for house, move_value in found}
    best = tuple(move for move, move_value in values.items() if move_value == value)
    return Solution(value, best, values if each_move else {}, nodes, perf_counter() - started)


def _check_arguments(position: Position, threads: int, table_mb: int, layers_mb: int | None) -> None:
    if not isinstance(position, Position):
        raise ArgumentError("position", position, "a position of mancala")
    given = [("threads", threads, _MAX_THREADS), ("table_mb", table_mb, _MAX_MB)]
    if layers_mb is not None:
        given.append(("layers_mb", layers_mb, _MAX_MB))
    for name, number, maximum in given:
        if not is_int(number, minimum=1, maximum=maximum):
            raise ArgumentError(name, number, f"a whole number from 1 to {maximum}")
