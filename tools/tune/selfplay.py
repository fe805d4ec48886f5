"""Games of the program against itself, for their positions and results."""

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
from tools.tune.records import game_records, record_size, write_head

TABLE_MB = 1  # a search of a few thousand nodes needs no more, and it is emptied before every game
BATCH = 8  # games that a process plays at a time
PAUSE = 10.0  # seconds between two lines on how far it is


@dataclass(frozen=True, kw_only=True)
class Play:
    """How games are played. A game depends on this and on its number only, not on how many processes there are."""

    variant: str
    nodes: int  # for each move
    seed: int
    weights: str = ""  # a file; without one the best that the package has
    random_plies: int = 8  # at the beginning, so that no two games are the same
    longest: int = 200  # plies; then it is a draw
    decided: float = 5.0  # men ahead …
    decided_plies: int = 8  # … for so many plies: then it is won

    def evaluation(self) -> Evaluation:
        """What the players go by."""
        return Evaluation.read(self.weights, self.variant) if self.weights else get_evaluation(self.variant)


def play_games(play: Play, games: int, path: Path, *, workers: int) -> int:
    """Play games in so many processes, write the records of their positions to a file, and say how many there are."""
    rules = find_variant(play.variant)
    batches = [range(first, min(first + BATCH, games)) for first in range(0, games, BATCH)]
    began = told = time.monotonic()
    size = 0
    with (
        path.open("wb") as file,
        ProcessPoolExecutor(workers, get_context("spawn"), _prepare, (play,)) as pool,
    ):
        write_head(file, rules, asdict(play))
        for done, records in enumerate(pool.map(_play_batch, batches), start=1):
            size += file.write(records)
            if time.monotonic() - told > PAUSE:
                told = time.monotonic()
                print(f"{play.variant}: {batches[done - 1].stop} games in {told - began:.0f} s", file=sys.stderr)
    return size // record_size(rules)


_prepared: list[tuple[Play, Searcher]] = []  # of a process: searchers cannot be sent to one


def _prepare(play: Play) -> None:
    _prepared[:] = [(play, Searcher(table_mb=TABLE_MB, evaluation=play.evaluation()))]


def _play_batch(numbers: range) -> bytes:
    ((play, searcher),) = _prepared
    return b"".join(play_game(play, number, searcher) for number in numbers)


def play_game(play: Play, number: int, searcher: Searcher) -> bytes:
    """The records of a game: its quiet positions after the random moves, each once."""
    searcher.clear()
    game = open_game(find_variant(play.variant), play.random_plies, Random(f"{play.seed} {number}"))
    seen: dict[Position, None] = {}
    judge = _Adjudicator(play)
    while len(game.moves) < play.longest and not (game.outcome() or game.claims()):
        result = searcher.choose(game, Limit(nodes=play.nodes))
        if judge.is_decided(result.score, game.position.turn):
            break
        if is_quiet(game.position):
            seen[game.position] = None
        game.push(result.move)
    outcome = game.outcome()
    winner = judge.winner if outcome is None else outcome.winner
    return game_records(list(seen), winner)


def open_game(rules: DraughtsRules, plies: int, chance: Random) -> Game[Position, Move]:
    """A game after so many random moves."""
    while True:
        game: Game[Position, Move] = Game(Position.start(rules))
        while len(game.moves) < plies and (moves := game.legal_moves()):
            game.push(chance.choice(moves))
        if game.outcome() is None:
            return game


def is_quiet(position: Position) -> bool:
    """Whether neither side could capture if it were to move."""
    other = Position.from_letters(position.letters(), position.variant, position.turn.opponent)
    return not any(move.is_capture for side in (position, other) for move in side.legal_moves())


class _Adjudicator:
    """Ends games that are decided: proven, or a side far ahead for long."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._plies = 0
        self._leader: Side | None = None
        self.winner: Side | None = None

    def is_decided(self, score: Score, turn: Side) -> bool:
        """Whether the game need not go on, after this score of the side to move."""
        leader = None
        if abs(score.value) >= self._play.decided:
            leader = turn if score.value > 0 else turn.opponent
        self._plies = self._plies + 1 if leader is self._leader else 1
        self._leader = leader
        proven = score.exact and leader is not None
        if leader is not None and (proven or self._plies >= self._play.decided_plies):
            self.winner = leader
        return self.winner is not None
