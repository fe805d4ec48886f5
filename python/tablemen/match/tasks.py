"""The games of a match in tasks for an executor: each plays some games and writes them to a file."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablemen.clock import TimeControl
from tablemen.errors import ArgumentError, TablemenError
from tablemen.game import Game, list_moves, number_moves
from tablemen.match.match import Match, create_player, play_match_game, start_players
from tablemen.match.referee import PlayedGame
from tablemen.match.results import MatchGame
from tablemen.match.workers import PlayerPool
from tablemen.outcome import Outcome, Side, Termination
from tablemen.players import WrittenPlayer
from tablemen.tasks import (
    FileTask,
    OnTasks,
    TaskQueue,
    format_rows,
    get_digest,
    has_rows,
    name_file,
    read_rows,
    run_tasks,
)
from tablemen.validation import is_int

KIND = "match"

Line = Game[Any, Any] | None


def play_in_tasks(
    match: Match, executor: Executor | None, folder: Path, games_per_task: int, on_tasks: OnTasks | None
) -> Generator[MatchGame, None, None]:
    """Play the games of a match by tasks, and yield them in order; see `Match.play`."""
    if executor is None:
        raise ArgumentError("executor", executor, "an executor, because a folder is given")
    if not is_int(games_per_task, minimum=2) or games_per_task % 2:
        raise ArgumentError("games_per_task", games_per_task, "an even whole number of at least 2")
    for player in (match.first, match.second):
        if not isinstance(player, str):
            raise ArgumentError("player", player, "a text, because tasks are named by their content")
    ranges = [
        range(first, min(first + games_per_task, match.games + 1))
        for first in range(1, match.games + 1, games_per_task)
    ]
    tasks = _Tasks(match, folder)
    if match.has_reusable_player() and not has_rows(tasks.create(ranges[0]).path):
        queue: TaskQueue[None] = TaskQueue(executor)
        queue.submit(None, "start the players", start_players, tasks.with_line(match.opening_line(1)))
        try:
            queue.wait()
        finally:
            queue.cancel()
    for task in run_tasks(map(tasks.create, ranges), executor, total=len(ranges), on_progress=on_tasks):
        yield from _parse_games(match, read_rows(task.path))


class _Tasks:
    """The tasks of a match, which are named by its settings, the files of its players, and the games."""

    def __init__(self, match: Match, folder: Path) -> None:
        self._match = match
        self._bare = replace(match, openings=replace(match.openings, lines=(), text=""), games=1, sprt=None)
        self._folder = folder
        self._settings = {
            "variant": repr(match.variant),
            "players": [match.first, match.second],
            "files": [*_hash_files(match)],
            "seed": match.seed,
            "longest": match.longest,
            "controls": list(map(repr, match.controls)),
            "margin": match.margin,
            "adjudication": [repr(match.resign), repr(match.draw), match.tablebases],
            "plies": match.openings.plies,
        }

    def with_line(self, line: Line) -> Match:
        """Return the match with at most one opening."""
        return _with_line(self._bare, line)

    def create(self, numbers: Sequence[int]) -> FileTask:
        """Return the task that plays some games."""
        lines = tuple(map(self._match.opening_line, numbers))
        content = [_serialize_line(line) for line in lines]
        path = name_file(self._folder, KIND, [self._settings, numbers[0], numbers[-1], content])
        name = f"games {numbers[0]} to {numbers[-1]} of {self._match.first} against {self._match.second}"
        return FileTask(name, path, play_task, (self._bare, numbers[0], lines), has_rows)


def _with_line(bare: Match, line: Line) -> Match:
    return bare if line is None else replace(bare, openings=replace(bare.openings, lines=(line,)))


def _hash_files(match: Match) -> Iterator[list[str]]:
    """Yield the options of the players that name files, and the checksums of these."""
    for factory in (match.first, match.second):
        player = create_player(factory)
        if isinstance(player, WrittenPlayer):
            for value in vars(player).values():
                if isinstance(value, str):
                    with contextlib.suppress(OSError):  # not the path of a file
                        yield [value, get_digest(Path(value).read_bytes())]


def _serialize_line(line: Line) -> list[object] | None:
    return None if line is None else [repr(line.start), number_moves(line.start, line.moves)]


def play_task(bare: Match, first: int, lines: tuple[Line, ...]) -> bytes:
    """Play the games that begin with these lines, the first of which has the number `first`."""
    rows = []
    with PlayerPool() as players:
        for number, line in enumerate(lines, first):
            played = play_match_game(_with_line(bare, line), number, players)
            rows.append(_serialize_game(played))
    return format_rows(rows)


def _serialize_game(each: MatchGame) -> dict[str, object]:
    """Return a game as JSON values, with its moves by their numbers in the legal moves."""
    played = each.played
    return {
        "number": each.number,
        "moves": number_moves(played.game.start, played.game.moves),
        "declared": _serialize_outcome(played.game.declared),
        "outcome": _serialize_outcome(played.outcome),
        "failure": played.failure,
        "reason": played.reason,
        "opening": played.opening,
        "players": {str(side): name for side, name in played.players.items()},
        "authors": {str(side): name for side, name in played.authors.items()},
    }


def _serialize_outcome(outcome: Outcome | None) -> list[str | None] | None:
    if outcome is None:
        return None
    return [None if outcome.winner is None else outcome.winner.value, outcome.termination.value]


def _parse_outcome(row: list[str | None]) -> Outcome:
    winner, termination = row
    return Outcome(None if winner is None else Side(winner), Termination(termination))


def _parse_games(match: Match, rows: Iterable[dict[str, Any]]) -> Iterator[MatchGame]:
    """Yield the games of a file, the inverse of `_serialize_game`."""
    for row in rows:
        number = row["number"]
        start = match.openings.begin(match.variant, (number - 1) // 2, match.seed).start
        first = Side.WHITE if number % 2 else Side.BLACK
        declared = row["declared"]
        try:
            game = Game(
                start,
                list_moves(start, row["moves"]),
                declared=None if declared is None else _parse_outcome(declared),
            )
        except IndexError as error:
            raise TablemenError(f"game {number} of a task has an illegal move") from error
        controls: dict[Side, TimeControl] = {
            side: control
            for side, control in zip((first, first.opponent), match.controls, strict=True)
            if control is not None
        }
        played = PlayedGame(
            game,
            {Side(side): name for side, name in row["players"].items()},
            _parse_outcome(row["outcome"]),
            row["failure"],
            row["reason"],
            row["opening"],
            controls,
            {Side(side): name for side, name in row["authors"].items()},
        )
        yield MatchGame(number, first, played)
