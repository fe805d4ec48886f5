"""The Kalah solver: values of positions under perfect play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
    time: float  # seconds, including the tables; of `solve_all`, those of the whole call


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
    check_position("position", position)
    check_numbers(threads=threads, table_mb=table_mb, layers_mb=layers_mb)
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
            [position],
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
    return to_solution(value, values, nodes, perf_counter() - started, each_move=each_move)


def solve_all(  # noqa: PLR0913 - all but the positions are options
    positions: Sequence[Position],
    *,
    each_move: bool = True,
    threads: int = 1,
    table_mb: int = 512,
    layers_mb: int | None = None,
    cache: bool = True,
    on_solved: Callable[[int], object] | None = None,
) -> list[Solution]:
    """Solve positions of the Kalah family, of any rules, and return their solutions in the same order.

    >>> from dataclasses import replace
    >>> from tablemen.mancala import KALAH, Position
    >>> start = Position.start(replace(KALAH, name="small", houses=3, seeds=2))
    >>> afters = [start.play(move) for move in start.legal_moves()]
    >>> [solution.value for solution in solve_all(afters, threads=2)]
    [8, 4, 0]

    This is much faster than `solve` for each position, because positions of the same rules share the endgame tables,
    and what was found in one position is known in the next. Each of the `threads` solves a position of its own, so that
    `solve` is faster for a single difficult position. The options are those of `solve`; `on_solved` is called at
    intervals with the number of positions solved, and may raise to stop.
    """
    check_numbers(threads=threads, table_mb=table_mb, layers_mb=layers_mb)
    started = perf_counter()
    by_rules: dict[object, list[int]] = {}
    for index, position in enumerate(positions):
        check_position(f"positions[{index}]", position)
        by_rules.setdefault(position.variant, []).append(index)
    solved: dict[int, Solution] = {}

    def on_batch(count: int) -> None:
        if on_solved is not None:
            on_solved(len(solved) + count)

    for indices in by_rules.values():
        batch = [positions[index] for index in indices]
        tables = prepare_tables(
            batch,
            threads=threads,
            cache=cache,
            max_size=None if layers_mb is None else layers_mb * 1_000_000,
            on_layer=lambda *_: on_batch(0),
        )
        answers = _core.solve_all_mancala(
            batch, tables=tables, threads=threads, table_mb=table_mb, each_move=each_move, on_solved=on_batch
        )
        for index, position, (value, found, nodes) in zip(indices, batch, answers, strict=True):
            moves = {move.house: move for move in position.legal_moves()}
            values = {moves[house]: move_value for house, move_value in found}
            solved[index] = to_solution(value, values, nodes, 0, each_move=each_move)
    time = perf_counter() - started
    return [replace(solved[index], time=time) for index in range(len(positions))]


def to_solution(value: int, values: dict[Move, int], nodes: int, time: float, *, each_move: bool) -> Solution:
    """Return the solution with a value, and the values of the moves, or only of the best ones."""
    best = tuple(move for move, move_value in values.items() if move_value == value)
    return Solution(value, best, values if each_move else {}, nodes, time)


def check_position(name: str, position: object) -> None:
    """Raise `ArgumentError` unless this is a position of mancala."""
    if not isinstance(position, Position):
        raise ArgumentError(name, position, "a position of mancala")


def check_numbers(*, threads: int, table_mb: int, layers_mb: int | None) -> None:
    """Raise `ArgumentError` unless these options of the solver are valid."""
    given = [("threads", threads, _MAX_THREADS), ("table_mb", table_mb, _MAX_MB)]
    if layers_mb is not None:
        given.append(("layers_mb", layers_mb, _MAX_MB))
    for name, number, maximum in given:
        if not is_int(number, minimum=1, maximum=maximum):
            raise ArgumentError(name, number, f"a whole number from 1 to {maximum}")
