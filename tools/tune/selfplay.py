"""Self-play games, for positions with results."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

from tablemen import Game
from tablemen.draughts import DraughtsRules, Move, Position, find_variant
from tablemen.draughts.evaluation import Evaluation, get_evaluation
from tablemen.outcome import Side
from tablemen.search import Limit, Score, Searcher
from tools.tune.records import game_records, record_size, write_header

TABLE_MB = 1  # enough for some thousand nodes; it is cleared before every game
GAMES_PER_TASK = 8  # games per task of a process
PROGRESS_INTERVAL = 10.0  # seconds between progress messages


@dataclass(frozen=True, kw_only=True)
class Play:
    """The settings of self-play. A game depends only on them and on its number, not on the number of processes."""

    variant: str
    nodes: int  # per move
    seed: int
    weights: str = ""  # a weights file; by default the package's own weights
    random_plies: int = 8  # at the start, so that the games differ
    max_plies: int = 200  # then the game is a draw
    decided: float = 5.0  # a side that is this many men ahead …
    decided_plies: int = 8  # … for this number of plies has won

    def evaluation(self) -> Evaluation:
        """Return the evaluation of the players."""
        return Evaluation.read(self.weights, self.variant) if self.weights else get_evaluation(self.variant)


def play_games(play: Play, games: int, path: Path, *, workers: int) -> int:
    """Play games in several processes, write the records of their positions and return the number of records."""
    rules = find_variant(play.variant)
    batches = [range(first, min(first + GAMES_PER_TASK, games)) for first in range(0, games, GAMES_PER_TASK)]
    began = reported = time.monotonic()
    size = 0
    with (
        path.open("wb") as file,
        ProcessPoolExecutor(workers, get_context("spawn"), _prepare, (play,)) as pool,
    ):
        write_header(file, rules, asdict(play))
        for done, records in enumerate(pool.map(_play_batch, batches), start=1):
            size += file.write(records)
            if time.monotonic() - reported > PROGRESS_INTERVAL:
                reported = time.monotonic()
                print(f"{play.variant}: {batches[done - 1].stop} games in {reported - began:.0f} s", file=sys.stderr)
    return size // record_size(rules)


_prepared: list[tuple[Play, Searcher]] = []  # per process, because searchers cannot be pickled


def _prepare(play: Play) -> None:
    _prepared[:] = [(play, Searcher(table_mb=TABLE_MB, evaluation=play.evaluation()))]


def _play_batch(numbers: range) -> bytes:
    ((play, searcher),) = _prepared
    return b"".join(play_game(play, number, searcher) for number in numbers)


def play_game(play: Play, number: int, searcher: Searcher) -> bytes:
    """Play a game and return the records of its quiet positions after the random moves, each once."""
    searcher.clear()
    game = open_game(find_variant(play.variant), play.random_plies, Random(f"{play.seed} {number}"))
    seen: dict[Position, None] = {}
    adjudicator = _Adjudicator(play)
    while len(game.moves) < play.max_plies and not (game.outcome() or game.claims()):
        result = searcher.choose(game, Limit(nodes=play.nodes))
        if adjudicator.is_decided(result.score, game.position.turn):
            break
        if is_quiet(game.position):
            seen[game.position] = None
        game.push(result.move)
    outcome = game.outcome()
    winner = adjudicator.winner if outcome is None else outcome.winner
    return game_records(list(seen), winner)


def open_game(rules: DraughtsRules, plies: int, rng: Random) -> Game[Position, Move]:
    """Start a game with random moves."""
    while True:
        game: Game[Position, Move] = Game(Position.start(rules))
        while len(game.moves) < plies and (moves := game.legal_moves()):
            game.push(rng.choice(moves))
        if game.outcome() is None:
            return game


def is_quiet(position: Position) -> bool:
    """Return whether neither side could capture if it were to move."""
    other = Position.from_letters(position.letters(), position.variant, position.turn.opponent)
    return not any(move.is_capture for side in (position, other) for move in side.legal_moves())


class _Adjudicator:
    """Ends decided games: the result is proven, or a side is far ahead for several plies."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._plies = 0
        self._leader: Side | None = None
        self.winner: Side | None = None

    def is_decided(self, score: Score, turn: Side) -> bool:
        """Return whether the game is decided, after this score of the side to move."""
        leader = None
        if abs(score.value) >= self._play.decided:
            leader = turn if score.value > 0 else turn.opponent
        self._plies = self._plies + 1 if leader is self._leader else 1
        self._leader = leader
        proven = score.exact and leader is not None
        if leader is not None and (proven or self._plies >= self._play.decided_plies):
            self.winner = leader
        return self.winner is not None
