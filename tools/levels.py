"""Ratings of the levels of play, and their calibration: `python -m tools.levels measure VARIANT …` or `calibrate`.

`calibrate` finds the skills of the levels with random errors, so that each is `STEP` Elo stronger than the one below,
and level 1 is `FIRST` Elo against a player that takes what it can and is otherwise random (`Capturer`). It writes them
to the data of the package. `measure` plays each level against the one below, and level 1 against that player. It writes
the differences to `tools/levels.json` and the table of ratings to the documentation. Weights that change require new
measurements, and new calibrations where the differences leave `RANGE`; both take minutes for each variant. A
calibration begins at the present skills, and `--from` and `--to` limit either to some levels.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.match import Match, MatchResults, MatchScore, Openings
from tablemen.players import Player
from tablemen.search import LEVELS_FILE, Level, Limit, Searcher, Strength, read_level_skills

MAIN = ("international", "english", "russian", "brazilian", "frisian", "canadian", "italian", "pool", "turkish")
LEVELS = 10
RANDOM_LEVELS = sum(Level(number).has_errors for number in range(1, LEVELS + 1))
CAPTURER_RATING = 500
FIRST = -135.0  # Elo of level 1 against the capturer, a score of 31 %
STEP = 175.0  # Elo between levels with random errors
RANGE = (100, 250)  # allowed Elo differences of the levels with random errors
MAX_FIRST_RATIO = 0.4  # of level 1 against the capturer
OPENING = Openings(plies=4)
SCALE = 0.1  # of skills: their coordinate is asinh(skill / SCALE), in which Elo is about linear
SLOPE, MIN_SLOPE, MAX_SLOPE = 200.0, 100.0, 400.0  # Elo by this coordinate: expected, and bounds of estimates
NEAR = 60.0  # Elo from the target; rounds that are as far count half
MAX_JUMP = 1.5  # of the coordinate between two rounds
MAX_COORDINATE = math.asinh(12 / SCALE)
ROUNDS = 5
MAX_ELO = 600.0  # greater differences are not reliable
FILE = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parents[1] / "docs" / "searching.md"
BEGIN, END = "<!-- levels: begin -->\n", "<!-- levels: end -->\n"
LAST_STEP = 7  # the last level with a difference in `RANGE`; the next one has random errors too
LAST_FACTOR = 2.4  # of its skill
SHARES = {10: 0.05}  # fewer games of levels that take long


class Capturer(Player):
    """A weak player: the capture that gains most, or else any move."""

    name = "capturer"

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return a random move among those with the greatest gain of material."""
        position = game.position
        family = get_family(position)

        def gain(move: Any) -> float:
            if not move.captured:
                return 0.0
            after = position.play(move)
            balance = family.balance(after)
            return (balance if after.turn is position.turn else -balance) - family.balance(position)

        gains = [(gain(move), move) for move in game.legal_moves()]
        best = max(value for value, _ in gains)
        random = Random(f"{position.hash_key} {len(game.moves)}")
        return random.choice([move for value, move in gains if value == best])


class StrengthPlayer(Player):
    """A search of some strength."""

    name = "strength"

    def __init__(self, strength: Strength) -> None:
        is_short = strength.limit.depth is not None
        self._searcher = Searcher(table_mb=1 if is_short else 16, tablebase=None if is_short else "installed")
        self._strength = strength

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return the move of the search."""
        return self._searcher.choose(game, self._strength).move


@dataclass(frozen=True)
class Ladder:
    """The strengths of the levels in a variant, and how their matches are played."""

    variant: Any
    concurrency: int

    def play(self, strength: Strength, below: Strength | None, games: int, seed: int = 0) -> MatchScore:
        """Return the score of a strength against another one, or against the capturer."""
        second = Capturer if below is None else partial(StrengthPlayer, below)
        first = partial(StrengthPlayer, strength)
        match = Match(self.variant, first, second, games=games, openings=OPENING, seed=seed)
        results = MatchResults()
        for each in match.play(concurrency=self.concurrency):
            results.add(each)
        if results.failures:
            raise RuntimeError(next(iter(results.failures.values())))
        return results.score

    def calibrate(self, games: int, numbers: Container[int]) -> list[float]:
        """Return the skills of the levels with random errors, found anew for the levels with these numbers."""
        known = [Level(number).strength(self.variant).skill or 0.0 for number in range(1, LAST_STEP + 1)]
        skills: list[float] = []
        below = None
        for number, skill in enumerate(known, 1):
            limit = Level(number).limit
            if number in numbers:
                target = STEP if number > 1 else FIRST
                coordinate = self._solve(limit, below, math.asinh(skill / SCALE), target, games)
                skills.append(float(f"{SCALE * math.sinh(coordinate):.3g}"))
                print(f"{self.variant.name}: level {number} has skill {skills[-1]:g}", file=sys.stderr)
            else:
                skills.append(skill)
            below = Strength(limit, skills[-1])
        return skills + [float(f"{LAST_FACTOR * skills[-1]:.3g}")] * (RANDOM_LEVELS - LAST_STEP)

    def _solve(self, limit: Limit, below: Strength | None, start: float, target: float, games: int) -> float:
        """Return the coordinate of the skill that is stronger than `below` by the target.

        Each round plays at the estimate of the rounds so far: the mean of their extrapolations, in which rounds near
        the target count more.
        """
        coordinate = start
        tried: list[tuple[float, float]] = []
        for number in range(ROUNDS):
            skill = SCALE * math.sinh(coordinate)
            score = self.play(Strength(limit, skill), below, games, seed=number)
            tried.append((coordinate, max(-MAX_ELO, min(MAX_ELO, score.elo))))
            slope = estimate_slope(tried)
            weights = [1 / (1 + ((elo - target) / NEAR) ** 2) for _, elo in tried]
            estimates = [at + (target - elo) / slope for at, elo in tried]
            wanted = sum(map(mul, weights, estimates)) / sum(weights)
            step = max(-MAX_JUMP, min(MAX_JUMP, wanted - coordinate))
            coordinate = min(coordinate + step, MAX_COORDINATE)
        return coordinate

    def measure(self, games: int, number: int) -> dict[str, Any]:
        """Return the score of a level against the one below, or of level 1 against the capturer."""
        strength = Level(number).strength(self.variant)
        below = Level(number - 1).strength(self.variant) if number > 1 else None
        score = self.play(strength, below, max(4, 2 * round(games * SHARES.get(number, 1) / 2)), seed=1000)
        print(f"{self.variant.name}: level {number} against {number - 1 or 'the capturer'}: {score}", flush=True)
        return {"score": [score.wins, score.draws, score.losses], "pairs": list(score.pairs)}


def estimate_slope(tried: Sequence[tuple[float, float]]) -> float:
    """Return the slope of a line through points, pulled to the expected one while they are close together.

    >>> round(estimate_slope([(0.0, 0.0)]))
    200
    >>> round(estimate_slope([(0.0, 0.0), (4.0, 1200.0)]))
    288
    """
    count = len(tried)
    middle = sum(at for at, _ in tried) / count
    mean = sum(elo for _, elo in tried) / count
    spread = sum((at - middle) ** 2 for at, _ in tried)
    product = sum((at - middle) * (elo - mean) for at, elo in tried)
    return max(MIN_SLOPE, min(MAX_SLOPE, (SLOPE + product) / (1 + spread)))


def read_scores(row: dict[str, Any]) -> MatchScore:
    """Return the score of a recorded match."""
    wins, draws, losses = row["score"]
    return MatchScore(wins, draws, losses, pairs=tuple(row["pairs"]))


def find_problems(name: str, rows: Mapping[str, dict[str, Any]]) -> Iterable[str]:
    """Yield what is wrong with the levels of a variant, beyond the error of the measurement."""
    for number, row in rows.items():
        score = read_scores(row)
        low, high = score.elo_interval
        where = f"{name}, level {number}: {score}"
        if number == "1":
            if score.ratio >= MAX_FIRST_RATIO:
                yield f"{where}: the score must be below {MAX_FIRST_RATIO:.0%}"
        elif name in MAIN and int(number) <= LAST_STEP and (high < RANGE[0] or low > RANGE[1]):
            yield f"{where}: the difference must be from {RANGE[0]} to {RANGE[1]}"
        elif high < 0:
            yield f"{where}: the level is weaker than the one below"


def rate(rows: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return the ratings of the levels, above that of the capturer, up to the first one that is not measured.

    A plus sign means that the rating is at least this: a difference from the level below was above `MAX_ELO`.
    """
    rating, sign = float(CAPTURER_RATING), ""
    ratings = []
    for number in range(1, LEVELS + 1):
        row = rows.get(str(number))
        if row is None:
            break
        elo = read_scores(row).elo
        sign = "+" if elo > MAX_ELO else sign
        rating += max(-MAX_ELO, min(MAX_ELO, elo))
        ratings.append(f"{round(rating, -1):.0f}{sign}")
    return ratings


def format_table(measured: Mapping[str, dict[str, dict[str, Any]]]) -> str:
    """Return the table of ratings of every measured variant."""
    ratings = zip_longest(*map(rate, measured.values()), fillvalue="")
    lines = [
        "| level | " + " | ".join(measured) + " |",
        "| --- |" + " ---: |" * len(measured),
        *(f"| {number} | {' | '.join(row)} |" for number, row in enumerate(ratings, 1)),
    ]
    return "\n".join(lines)


def update_page(text: str, measured: dict[str, Any]) -> str:
    """Return the page with its table of ratings replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{PAGE.name}: markers {BEGIN.strip()} and {END.strip()} are missing")
    return f"{before}{begin}\n{format_table(measured)}\n\n{end}{after}"


def read_measured() -> dict[str, Any]:
    """Read the recorded measurements by variant."""
    measured: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return measured


def _write_lines(path: Path, values: dict[str, Any]) -> None:
    """Write JSON with a line for each variant, the main variants first."""
    order = [*(name for name in MAIN if name in values), *sorted(set(values) - set(MAIN))]
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(values[name])}" for name in order)
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def main() -> int:
    """Calibrate or measure. Return 1 if the levels of a measured variant are not as they should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.levels", description=__doc__)
    parser.add_argument("action", choices=("calibrate", "measure"))
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="the nine main variants by default")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="LEVEL", help="first level")
    parser.add_argument("--to", dest="last", type=int, default=LEVELS, metavar="LEVEL", help="last level")
    parser.add_argument("--games", type=int, help="games of a match: 300 to measure, 120 for each round to calibrate")
    parser.add_argument("--concurrency", type=int, default=1, help="number of games at a time")
    options = parser.parse_args()
    numbers = range(options.first, options.last + 1)
    problems: list[str] = []
    for name in options.variants or MAIN:
        ladder = Ladder(find_variant(name), options.concurrency)
        if options.action == "calibrate":
            skills = ladder.calibrate(options.games or 120, numbers)
            _write_lines(LEVELS_FILE, {**read_level_skills(), name: skills})
            read_level_skills.cache_clear()
        else:
            for number in numbers:  # each is written at once, so that an interrupted measurement is not lost
                measured = read_measured()
                measured.setdefault(name, {})[str(number)] = ladder.measure(options.games or 300, number)
                measured[name] = dict(sorted(measured[name].items(), key=lambda item: int(item[0])))
                _write_lines(FILE, measured)
                PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), measured), encoding="utf-8")
            problems += find_problems(name, read_measured().get(name, {}))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
