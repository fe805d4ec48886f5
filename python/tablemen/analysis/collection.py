"""Analysis of many games by tasks for an executor: each analyses some games and writes the results to a file."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tablemen.analysis.analyse import (
    DEFAULT_GAME_LIMIT,
    TABLE_MB,
    Analyse,
    Step,
    analyse_finished,
    analyse_steps,
    list_steps,
    make_analyse,
)
from tablemen.analysis.result import GameAnalysis, PositionAnalysis
from tablemen.draughts.pdn import PdnGame
from tablemen.endgame import EndgameResult, MoveValue, Wdl
from tablemen.errors import ArgumentError
from tablemen.family import get_family
from tablemen.game import Game, list_moves, number_moves
from tablemen.outcome import Termination
from tablemen.search import Info, Limit, Score, Searcher
from tablemen.tasks import FileTask, OnTasks, format_rows, has_rows, name_file, read_rows, run_tasks, write_input
from tablemen.validation import is_int

KIND = "analysis"
TASK_NODES = 100_000_000  # about twenty seconds
TASK_SECONDS = 20.0

AnyGame: TypeAlias = Game[Any, Any] | PdnGame


@dataclass(frozen=True)
class _Settings:
    """What determines the results, apart from the games."""

    limit: Limit
    threads: int
    tablebases: bool

    def count_games(self, steps: int) -> int:
        """Return the number of games with up to this number of steps that one task can analyse."""
        seconds = [0.0 if self.limit.nodes is None else steps * self.limit.nodes / TASK_NODES * TASK_SECONDS]
        seconds.append(steps * (self.limit.time or 0.0))
        known = [each for each in seconds if each]
        return max(1, int(TASK_SECONDS / min(known))) if known else 1


def analyse_games(  # noqa: PLR0913 - all but the games and the executor are options
    games: Iterable[AnyGame],
    limit: Limit = DEFAULT_GAME_LIMIT,
    *,
    executor: Executor,
    folder: str | os.PathLike[str],
    threads: int = 1,
    tablebases: bool = True,
    games_per_task: int | None = None,
    on_tasks: OnTasks | None = None,
) -> Generator[GameAnalysis[Any], None, None]:
    """Analyse games by tasks of an executor, and yield the analyses in the order of the games.

    The results are those of `analyse_game` and `analyse_pdn`, but lines have neither `nodes` nor `time`. The `folder`,
    which all workers must see, has the games and the results of the tasks: a call that is repeated uses those that
    exist. A task analyses `games_per_task` games, or, by default, as many as take about twenty seconds. `threads` is
    the number of search threads of each. Workers use their own installed tablebases. `on_tasks` is called with the
    progress.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from tempfile import TemporaryDirectory
    >>> from tablemen.draughts import Position
    >>> game = Game(Position.from_fen("W:WK29,38,42,45:B27,35,K47", "international"), ["29-7", "27-32"])
    >>> with TemporaryDirectory() as folder, ThreadPoolExecutor(2) as executor:
    ...     for analysis in analyse_games([game], Limit(depth=9), executor=executor, folder=folder):
    ...         print(*analysis.moves)
    1. 29-7?? 1... 27-32

    Raises `TaskError` if a task is lost, and `OSError`.
    """
    if games_per_task is not None and not is_int(games_per_task, minimum=1):
        raise ArgumentError("games_per_task", games_per_task, "a whole number of at least 1, or None")
    if not is_int(threads, minimum=1):
        raise ArgumentError("threads", threads, "a whole number of at least 1")
    if limit.clock is not None:
        raise ArgumentError("limit", limit, "a limit without a clock")
    settings = _Settings(limit, threads, tablebases)
    place = Path(folder)
    waiting: deque[list[list[Step]]] = deque()  # the games of the tasks that are not finished

    def create_tasks() -> Iterator[FileTask]:
        for part in _split(map(_list_steps, games), settings, games_per_task):
            waiting.append(part)
            yield _create_task(part, settings, place)

    for task in run_tasks(create_tasks(), executor, on_progress=on_tasks):
        for steps, row in zip(waiting.popleft(), read_rows(task.path), strict=True):
            yield _parse_analysis(steps, row)


def _list_steps(game: AnyGame) -> list[Step]:
    if not isinstance(game, Game | PdnGame):
        raise ArgumentError("games", game, "games, each a Game or a PdnGame")
    return list_steps(game)


def _split(games: Iterable[list[Step]], settings: _Settings, size: int | None) -> Iterator[list[list[Step]]]:
    """Split the games into parts that a task can analyse."""
    part: list[list[Step]] = []
    for steps in games:
        longest = max(map(len, (steps, *part)))
        if part and len(part) >= (size or settings.count_games(longest)):
            yield part
            part = []
        part.append(steps)
    if part:
        yield part


def _create_task(part: Sequence[list[Step]], settings: _Settings, folder: Path) -> FileTask:
    rules = tuple(steps[0].position.variant for steps in part)
    rows = [_serialize_steps(steps) for steps in part]
    source = write_input(folder, [rows, list(map(repr, rules))])
    path = name_file(folder, KIND, [source.stem, repr(settings)])
    return FileTask(
        f"the analysis of {len(part)} games ({path.stem})",
        path,
        analyse_task,
        (str(source), rules, settings),
        has_rows,
    )


def analyse_task(source: str, rules: tuple[Any, ...], settings: _Settings) -> bytes:
    """Analyse the games of an input file, and return the rows of the results."""
    rows = []
    for each, steps in zip(rules, read_rows(Path(source))[0], strict=True):
        searcher = Searcher(table_mb=TABLE_MB, threads=settings.threads)
        analyse = make_analyse(settings.limit, searcher, tablebases=settings.tablebases)
        rows.append(_analyse(_parse_steps(each, steps), analyse))
    return format_rows(rows)


def _analyse(steps: Iterable[Step], analyse: Analyse) -> list[object]:
    """Replay a game, and return the analyses of those of its positions in which it is not over."""
    rows: list[object] = []

    def record(game: Game[Any, Any]) -> PositionAnalysis[Any]:
        found = analyse(game)
        if found.outcome is None:
            rows.append(_serialize_position(found))
        return found

    analyse_steps(steps, record)
    return rows


def _serialize_steps(steps: Iterable[Step]) -> list[str | int | None]:
    """Return the steps of a game as JSON values: positions as text, moves by their numbers in the legal moves."""
    rows: list[str | int | None] = []
    position: Any = None
    for step in steps:
        if step.position is not None:
            position = step.position
            rows.append(get_family(position).format_position(position))
        elif step.move is not None:
            rows += number_moves(position, [step.move])
            position = position.play(step.move)
        else:
            rows.append(None)
    return rows


def _parse_steps(rules: Any, rows: Iterable[str | int | None]) -> Iterator[Step]:
    position: Any = None
    for row in rows:
        if isinstance(row, str):
            position = get_family(rules).parse_position(row, rules)
            yield Step(position=position)
        elif row is not None:
            (move,) = list_moves(position, [row])
            position = position.play(move)
            yield Step(move=move)
        else:
            yield Step()


def _parse_analysis(steps: Iterable[Step], rows: Iterable[Any]) -> GameAnalysis[Any]:
    """Replay a game with the analyses of those of its positions in which it is not over."""
    coming = iter(rows)

    def analyse(game: Game[Any, Any]) -> PositionAnalysis[Any]:
        return analyse_finished(game) or _parse_position(game.position, next(coming))

    return analyse_steps(steps, analyse)


def _serialize_position(found: PositionAnalysis[Any]) -> list[object]:
    lines = [
        [info.depth, _serialize_score(info.score), number_moves(found.position, info.line)] for info in found.lines
    ]
    return [_serialize_score(found.score), lines, _serialize_endgame(found.position, found.endgame)]


def _parse_position(position: Any, row: list[Any]) -> PositionAnalysis[Any]:
    score, lines, endgame = row
    infos = [
        Info(depth, Score(*value), 0, 0.0, tuple(list_moves(position, moves)), rank)
        for rank, (depth, value, moves) in enumerate(lines, 1)
    ]
    return PositionAnalysis(position, Score(*score), tuple(infos), endgame=_parse_endgame(position, endgame))


def _serialize_score(score: Score) -> list[object]:
    return [score.value, score.exact, score.plies]


def _serialize_endgame(position: Any, result: EndgameResult | None) -> list[object] | None:
    if result is None:
        return None
    moves = [[*number_moves(position, [each.move]), each.wdl.value, each.distance] for each in result.moves]
    drawn_by = None if result.drawn_by is None else result.drawn_by.value
    return [result.wdl.value, result.distance, moves, number_moves(position, result.line), drawn_by]


def _parse_endgame(position: Any, row: list[Any] | None) -> EndgameResult | None:
    if row is None:
        return None
    wdl, distance, moves, line, drawn_by = row
    legal = position.legal_moves()
    return EndgameResult(
        position.turn,
        Wdl(wdl),
        distance,
        tuple(MoveValue(legal[number], Wdl(value), plies) for number, value, plies in moves),
        tuple(list_moves(position, line)),
        None if drawn_by is None else Termination(drawn_by),
    )
