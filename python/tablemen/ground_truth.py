"""Ground truth: the exact values of moves, to measure how well a player or a network chooses.

Values are those of perfect play: from the solver for games of the Kalah family, and from tablebases for draughts. The
regret of a move is the value of the best move minus its own. Its unit is that of the game: seeds of the final margin,
or points: 1 for a win, ½ for a draw, 0 for a loss. Draw rules, which depend on the game so far, are ignored.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from tablemen.endgame import ExactValues
from tablemen.errors import ArgumentError, IllegalMoveError, UnknownValueError
from tablemen.family import Family, get_family
from tablemen.game import Game

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tablemen.draughts.tablebase import Tablebase
    from tablemen.players import Player

__all__ = ["ExactValues", "GroundTruth", "regret", "share_of_optimal_moves"]

Chosen: TypeAlias = Any  # a move, its text, or the number of a slot


@dataclass(frozen=True)
class GroundTruth:
    """Positions with their exact values, found once to measure many choices; None where the value is not known.

    >>> from tablemen.draughts import Position
    >>> truth = GroundTruth.find([Position.from_fen("W:WK10,K14:BK27", "english")])
    >>> truth.values[0].value, len(truth.values[0].moves), truth.values[0].distances[truth.best_moves(0)[0]]
    (1.0, 6, 27)
    >>> truth.regret(["14-17"]), truth.regret(["14-17"], distances=True)
    ([0.0], [4])
    """

    positions: tuple[Any, ...]
    values: tuple[ExactValues | None, ...]

    @classmethod
    def find(  # noqa: PLR0913 - all but the positions are options
        cls,
        positions: Iterable[Any],
        *,
        allow_unknown: bool = False,
        tablebase: Tablebase | None = None,
        table_mb: int = 512,
        threads: int | None = None,
        on_progress: Callable[[int], object] | None = None,
        executor: Executor | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> GroundTruth:
        """Find the exact values of positions of any games.

        Positions of draughts are looked up in `tablebase`, or in the installed ones; those with up to three pieces need
        none, because small tablebases are built in memory. Positions of Kalah are solved, with tables of at most
        `table_mb` million bytes; see `tablemen.mancala.solve_all`. All processors are used, or `threads` of them.
        `on_progress` is called at intervals with the number of positions done, and may raise to stop.

        With an `executor` and a `folder` that all its workers see, its tasks solve the positions of Kalah, each with
        one thread or with `threads`, and keep the values in files there; see `tablemen.mancala.solve_in_tasks`.

        Raises `UnknownValueError` if the value of a position is not known, unless `allow_unknown`; `TablebaseError` if
        a file is damaged, and `OSError`.
        """
        found = tuple(positions)
        if (executor is None) is not (folder is None):
            raise ArgumentError("folder", folder, "a folder together with an executor")
        tasks: dict[str, Any] = {} if executor is None else {"executor": executor, "folder": folder}
        threads = threads or (1 if tasks else os.cpu_count() or 1)
        values: list[ExactValues | None] = [None] * len(found)
        done = 0
        for family, indices in _group_by_family(found):
            report = None if on_progress is None else _add_to(done, on_progress)
            answers = family.find_exact_values(
                [found[index] for index in indices],
                tablebase=tablebase,
                table_mb=table_mb,
                threads=threads,
                on_progress=report,
                **tasks,
            )
            for index, answer in zip(indices, answers, strict=True):
                values[index] = answer
                if answer is None and not allow_unknown:
                    raise UnknownValueError(found[index], index, family.explain_unknown_value(found[index]))
            done += len(indices)
            if on_progress is not None:
                on_progress(done)
        return cls(found, tuple(values))

    def best_moves(self, index: int, *, distances: bool = False) -> tuple[Any, ...]:
        """Return the optimal moves of a position: those without regret; empty if its value is not known."""
        known = self.values[index]
        moves = () if known is None else known.moves
        return tuple(move for move in moves if self._regret(index, move, distances=distances) == 0)

    def regret(self, moves: Sequence[Chosen], *, distances: bool = False) -> list[float | None]:
        """Return the regret of one chosen move in each position, None where the value is not known.

        A move is given as such, as text, or as the number of its slot: its index in `legal_moves()`. With `distances`,
        the regret of a move that keeps the result is the number of plies by which it wins later or loses earlier, and
        that of a move that changes the result is infinite.

        Raises `IllegalMoveError` if a move is not legal, and `ArgumentError` if there is no such slot or if a distance
        is not known.
        """
        if len(moves) != len(self.positions):
            raise ArgumentError("moves", moves, f"one for each of the {len(self.positions)} positions")
        return [
            None if self.values[index] is None else self._regret(index, self._find(index, move), distances=distances)
            for index, move in enumerate(moves)
        ]

    def share_of_optimal_moves(self, player_or_moves: Player | Sequence[Chosen], *, distances: bool = False) -> float:
        """Return the share of the positions in which the chosen move has no regret, from 0 to 1.

        A player chooses the moves, or they are given as in `regret`. A resignation is not optimal. Positions with
        unknown values do not count. Raises `ArgumentError` if all are unknown, and if a game is over before the player
        moves.
        """
        known = [index for index, value in enumerate(self.values) if value is not None]
        if not known:
            raise ArgumentError("positions", self.positions, "at least one position with a known value")
        if _is_player(player_or_moves):
            chosen = ((index, self._choose(player_or_moves, index)) for index in known)
            return sum(move in self.best_moves(index, distances=distances) for index, move in chosen) / len(known)
        moves: Any = player_or_moves
        return sum(lost == 0 for lost in self.regret(moves, distances=distances)) / len(known)

    def _choose(self, player: Player, index: int) -> Any:
        game = Game(self.positions[index])
        if game.outcome() is not None:
            raise ArgumentError(
                f"positions[{index}]", self.positions[index], "a position in which the game is not over"
            )
        return player.choose(game)

    def _find(self, index: int, chosen: Chosen) -> Any:
        """Return the legal move that was chosen."""
        position, known = self.positions[index], self.values[index]
        assert known is not None
        if isinstance(chosen, str):
            return position.parse_move(chosen)
        try:
            slot = operator.index(chosen)
        except TypeError:
            if chosen not in known.moves:
                raise IllegalMoveError(chosen, position) from None
            return chosen
        moves = tuple(known.moves)
        if not 0 <= slot < len(moves):
            expected = f"a slot from 0 to {len(moves) - 1}" if moves else "nothing, because the game is over"
            raise ArgumentError(f"moves[{index}]", chosen, expected)
        return moves[slot]

    def _regret(self, index: int, move: Any, *, distances: bool) -> float:
        known = self.values[index]
        assert known is not None
        lost = known.value - known.moves[move]
        if not distances or lost > 0:
            return math.inf if distances else lost
        peers = [known.distances[other] for other, value in known.moves.items() if value == known.value]
        plies = known.distances[move]
        if plies is None or None in peers:
            if known.value == 0.5:
                return 0  # a draw has no distance
            problem = "False: the distances of this position are not known"
            raise ArgumentError("distances", distances, f"{problem} (positions[{index}])")
        best = min if known.value == 1 else max
        return abs(plies - best(each for each in peers if each is not None))


def regret(
    positions: GroundTruth | Iterable[Any], moves: Sequence[Chosen], *, distances: bool = False, **options: Any
) -> list[float | None]:
    """Return the regret of one move in each position: the value of the best move minus that of the chosen one.

    >>> from dataclasses import replace
    >>> from tablemen.mancala import KALAH, Position
    >>> start = Position.start(replace(KALAH, houses=4, seeds=3))
    >>> regret([start, start], ["2", "1"])  # seeds
    [0, 12]

    The unit is seeds in Kalah, and points in draughts. The options are those of `GroundTruth.find`, and `moves` and
    `distances` are those of `GroundTruth.regret`. To measure several choices in the same positions, find their
    `GroundTruth` once and pass that instead.
    """
    return _find_truth(positions, options).regret(moves, distances=distances)


def share_of_optimal_moves(
    player_or_moves: Player | Sequence[Chosen],
    positions: GroundTruth | Iterable[Any],
    *,
    distances: bool = False,
    **options: Any,
) -> float:
    """Return the share of the positions in which the chosen move keeps the exact value, from 0 to 1.

    >>> from tablemen.draughts import Position
    >>> from tablemen.players import RandomPlayer
    >>> wins = [Position.from_fen("W:WK10,K14:BK27", "english"), Position.from_fen("W:WK26:B20", "english")]
    >>> share_of_optimal_moves(RandomPlayer(seed=1), wins)
    1.0
    >>> share_of_optimal_moves(["14-18", "26-23"], wins, distances=True)
    1.0

    A player chooses the moves, or they are given as in `GroundTruth.regret`. The options are those of
    `GroundTruth.find`.
    """
    return _find_truth(positions, options).share_of_optimal_moves(player_or_moves, distances=distances)


def _find_truth(positions: GroundTruth | Iterable[Any], options: dict[str, Any]) -> GroundTruth:
    if not isinstance(positions, GroundTruth):
        return GroundTruth.find(positions, **options)
    for name, value in options.items():
        raise ArgumentError(name, value, "no option, because the values are known already")
    return positions


def _is_player(player_or_moves: Player | Sequence[Chosen]) -> TypeGuard[Player]:
    return hasattr(player_or_moves, "choose")


def _group_by_family(positions: Sequence[Any]) -> Iterable[tuple[Family, list[int]]]:
    groups: dict[Family, list[int]] = {}
    for index, position in enumerate(positions):
        groups.setdefault(get_family(position), []).append(index)
    return groups.items()


def _add_to(done: int, on_progress: Callable[[int], object]) -> Callable[[int], object]:
    return lambda count: on_progress(done + count)
