"""Self-play games: quiet positions with scores and results, in a folder of files with some hundred games each."""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from tablemen import Game
from tablemen.draughts import DraughtsRules, Move, Position, find_variant
from tablemen.draughts.endgame import MAX_PIECES_IN_MEMORY
from tablemen.draughts.evaluation import Evaluation, get_evaluation
from tablemen.draughts.tablebase import Tablebase, list_files
from tablemen.errors import TablemenError
from tablemen.tasks import FileTask, TaskProgress, run_tasks
from tools.tune.records import format_file, read_settings

GAMES_PER_FILE = 250  # a task of some ten seconds
PROGRESS_INTERVAL = 10.0  # seconds between progress messages
SUFFIX = ".positions"


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """The settings of self-play. A game depends only on them and on its number. Scores are in men."""

    variant: str
    nodes: int  # per move
    seed: int
    weights: str = ""  # a weights file; by default the package's own weights
    random_plies: int = 8  # at the start, so that the games differ; odd games have one more
    max_opening_score: float = 1.5  # openings with a larger absolute score are replaced
    max_plies: int = 200  # then the game is a draw
    decided: float = 5.0  # a side that is this many men ahead …
    decided_plies: int = 8  # … for this number of plies has won
    tablebase: int = 3  # maximum number of pieces in the tablebase, which also ends games; 0 for none

    def play(self, first: int, last: int) -> bytes:
        """Play the games from `first` to `last - 1` and return their records."""
        evaluation, tablebase = _prepare(self)
        return evaluation.compiled.self_play(
            Position.start(self.variant),
            (first, last),
            tablebase=None if tablebase is None else tablebase.core,
            threads=1,
            seed=self.seed,
            nodes=self.nodes,
            random_plies=self.random_plies,
            max_opening_score=round(100 * self.max_opening_score),
            max_plies=self.max_plies,
            decided_score=round(100 * self.decided),
            decided_plies=self.decided_plies,
        )


@lru_cache(maxsize=2)
def _prepare(settings: SelfPlay) -> tuple[Evaluation, Tablebase | None]:
    """Return the evaluation and the tablebase, once in each process."""
    rules = find_variant(settings.variant)
    evaluation = Evaluation.read(settings.weights, rules) if settings.weights else get_evaluation(rules)
    if not settings.tablebase or rules.king_move_limit:
        return evaluation, None
    tablebase = Tablebase(rules)
    if settings.tablebase <= MAX_PIECES_IN_MEMORY:
        tablebase.build_in_memory(settings.tablebase)
        return evaluation, tablebase
    for path in list_files(None, rules):
        if len(path.stem.replace("-", "")) <= settings.tablebase:
            tablebase.add_file(path)
    if tablebase.pieces < settings.tablebase:
        command = f"tablemen tablebase build {rules.name} --pieces {settings.tablebase}"
        raise TablemenError(f"there is no tablebase with {settings.tablebase} pieces: `{command}` builds it")
    return evaluation, tablebase


def play_games(settings: SelfPlay, games: int, folder: Path, executor: Executor) -> int:
    """Play games and write their records to files in a folder, which all workers see; return the number of records.

    A file that exists is not written again, so an interrupted call can be repeated. Raises `TablemenError` if it has
    other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ranges = [(first, min(first + GAMES_PER_FILE, games)) for first in range(0, games, GAMES_PER_FILE)]
    for first, last in ranges:  # raise before any game is played
        _count_records(_path(settings, first, last, folder), settings)
    tasks = (_create_task(settings, first, last, folder) for first, last in ranges)
    report = _Progress(settings.variant)
    count = 0
    for task in run_tasks(tasks, executor, total=len(ranges), on_progress=report):
        count += _count_records(task.path, settings) or 0
    return count


def _create_task(settings: SelfPlay, first: int, last: int, folder: Path) -> FileTask:
    def is_complete(path: Path) -> bool:
        return _count_records(path, settings) is not None

    name = f"{settings.variant}, games {first} to {last - 1} with the seed {settings.seed}"
    return FileTask(name, _path(settings, first, last, folder), play_file, (settings, first, last), is_complete)


def play_file(settings: SelfPlay, first: int, last: int) -> bytes:
    """Play games and return the content of their file."""
    return format_file(find_variant(settings.variant), asdict(settings), settings.play(first, last))


def list_games(folder: Path) -> list[Path]:
    """Return the files of games in a folder."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def _path(settings: SelfPlay, first: int, last: int, folder: Path) -> Path:
    return folder.absolute() / f"{settings.seed}-{first:07}-{last:07}{SUFFIX}"


def _count_records(path: Path, settings: SelfPlay) -> int | None:
    """Return the number of records of a file, or None if it does not exist."""
    if not path.exists():
        return None
    header = read_settings(path)
    count = header.pop("records")
    if header != asdict(settings):
        raise TablemenError(f"{path}: the games have other settings; use another folder or seed")
    return int(str(count))


class _Progress:
    """Progress messages on standard error, at intervals."""

    def __init__(self, variant: str) -> None:
        self._variant = variant
        self._reported = 0.0

    def __call__(self, progress: TaskProgress) -> None:
        if progress.seconds - self._reported < PROGRESS_INTERVAL and not progress.is_over:
            return
        self._reported = progress.seconds
        print(f"{self._variant}: {progress}", file=sys.stderr)


def open_game(rules: DraughtsRules, plies: int, rng: Random) -> Game[Position, Move]:
    """Start a game with random moves."""
    while True:
        game: Game[Position, Move] = Game(Position.start(rules))
        while len(game.moves) < plies and (moves := game.legal_moves()):
            game.push(rng.choice(moves))
        if game.outcome() is None:
            return game
