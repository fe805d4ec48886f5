"""`python -m benchmarks.strength VARIANT`: measure the strength of the search against another program by a match.

Each finished game is saved in `build/strength`, so that the same command continues an interrupted match. Both players
have the same time for a move, and play every opening from both sides. Only the rules end a game. The commands of other
programs are not recorded, only the names and versions that the programs report, and their options.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import tablemen
from benchmarks import report
from benchmarks.libraries import ROOT
from benchmarks.table import align
from tablemen.draughts import VARIANTS
from tablemen.draughts.evaluation import FOLDER, NETWORK_SUFFIX
from tablemen.errors import TablemenError
from tablemen.family import find_variant
from tablemen.match import Match, MatchGame, parse_openings
from tablemen.match.match import play_match_game, start_players
from tablemen.match.results import GAME_POINTS
from tablemen.match.workers import GameProcessPool, PlayerPool
from tablemen.outcome import Termination
from tablemen.players import WrittenPlayer, parse_player
from tablemen.players.engine import EnginePlayer, HubPlayer
from tablemen.players.searcher import SearcherPlayer

SAVED = ROOT / "build" / "strength"
DEFAULT_SECONDS, DEFAULT_GAMES, DEFAULT_TABLE_MB = 0.2, 200, 64
BALLOTS = {"english": "all:3"}  # three-move ballots; two-move ballots in other variants
DEFAULT_BALLOTS = "all:2"
MAX_PLIES = 2000  # more than the draw rules allow in practice
LIMITS = ("time", "nodes", "depth")
MAX_SECONDS = 86_400


class Result(NamedTuple):
    """A finished game of the match."""

    number: int  # from 1; two games in a row have the same opening
    points: float  # of tablemen
    forfeit: bool  # whether a player failed
    players: tuple[str, str]  # tablemen and the opponent, as they report themselves


@dataclass(frozen=True)
class Settings:
    """What is measured; games of equal settings belong to one match."""

    variant: str
    player: str
    opponent: str
    openings: str
    seed: int
    version: str
    evaluation: str

    @property
    def path(self) -> Path:
        """The file of the finished games."""
        digest = hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()
        return SAVED / f"{self.variant}-{digest[:12]}.jsonl"

    def match(self, games: int) -> Match:
        """Return the match of this number of games."""
        openings = parse_openings(self.openings, self.variant).shuffled(self.seed)
        texts = (self.player, self.opponent)
        return Match(self.variant, *texts, games=games, openings=openings, seed=self.seed, longest=MAX_PLIES)


def describe_evaluation(variant: str, path: str | None = None) -> str:
    """Return the kind of an evaluation, and the first digits of the checksum of its files.

    Without a path it is that of the package.
    """
    files = [Path(path)] if path else [FOLDER / f"{variant}{suffix}" for suffix in (NETWORK_SUFFIX, ".weights")]
    file = next((file for file in files if file.exists()), None)
    if file is None:
        if path:
            raise TablemenError(f"{path}: there is no such file")
        return "default weights"
    kind = "network" if file.suffix == NETWORK_SUFFIX else "weights"
    patterns = file.with_suffix(".patterns")  # the second file of weights with pattern tables
    content = file.read_bytes() + (patterns.read_bytes() if kind == "weights" and patterns.exists() else b"")
    return f"{kind} {hashlib.sha256(content).hexdigest()[:8]}"


def limit_player(text: str, limits: dict[str, Any], table_mb: int, threads: int) -> WrittenPlayer:
    """Return a player with the limits of the match, unless its text has limits of its own.

    A searcher also gets the size of the table and the number of threads.
    """
    player = parse_player(text)
    if isinstance(player, SearcherPlayer):
        player = replace(player, table=table_mb, threads=threads)
    has_limits = any(getattr(player, name, None) is not None for name in (*LIMITS, "level"))
    known = {name: value for name, value in limits.items() if name in player.settings()}
    return player if has_limits or not known else replace(player, **known)


def read_results(file: TextIO) -> Iterator[Result]:
    """Yield the saved games, up to a line that was not written completely."""
    for line in file:
        try:
            number, points, forfeit, (first, second) = json.loads(line)
        except ValueError:
            return
        yield Result(number, points, forfeit, (first, second))


def play(settings: Settings, games: int, concurrency: int) -> list[Result]:
    """Play the games that are not saved yet, save each, and return all in order. Raises `TablemenError`."""
    settings.path.parent.mkdir(parents=True, exist_ok=True)
    found: dict[int, Result] = {}
    if settings.path.exists():
        with settings.path.open(encoding="utf-8") as file:
            found = {each.number: each for each in read_results(file) if each.number <= games}
    missing = [number for number in range(1, games + 1) if number not in found]
    if missing:
        with settings.path.open("w", encoding="utf-8") as file:  # without an incomplete last line
            for each in found.values():
                print(json.dumps(each), file=file)
            for game in _play_numbers(settings.match(games), missing, concurrency):
                each = _summarise(game)
                found[each.number] = each
                print(json.dumps(each), file=file, flush=True)
                print(f"{len(found)} of {games}: {report.score_strength(summarise(found.values()))}", file=sys.stderr)
    return [found[number] for number in range(1, games + 1)]


def _play_numbers(match: Match, numbers: list[int], concurrency: int) -> Iterator[MatchGame]:
    match.check_concurrency(concurrency)
    with PlayerPool() as players:
        start_players(match, players)
        if concurrency == 1:
            yield from (play_match_game(match, number, players) for number in numbers)
            return
    with GameProcessPool(min(concurrency, len(numbers))) as pool:
        for future in as_completed([pool.submit(play_match_game, match, number) for number in numbers]):
            yield future.result()


def _summarise(game: MatchGame) -> Result:
    played = game.played
    forfeit = played.outcome.termination is Termination.FORFEIT
    first, second = (played.players[side] for side in (game.first, game.first.opponent))
    return Result(game.number, game.points, forfeit, (first, second))


def summarise(results: Iterable[Result]) -> dict[str, Any]:
    """Return the counts of wins, draws and losses, of pairs of games by their points, and of forfeits."""
    points = {each.number: each.points for each in results}
    pairs = [0] * 5
    for number, value in points.items():
        if number % 2 and number + 1 in points:
            pairs[int(2 * (value + points[number + 1]))] += 1
    losses, draws, wins = (list(points.values()).count(value) for value in GAME_POINTS)
    forfeits = sum(each.forfeit for each in results)
    return {"games": len(points), "wins": wins, "draws": draws, "losses": losses, "pairs": pairs, "forfeits": forfeits}


def measure(settings: Settings, games: int, concurrency: int, **about: Any) -> dict[str, Any]:
    """Play the match and return its row of the table; `about` has further columns."""
    results = play(settings, games, concurrency)
    opponent = results[-1].players[1]
    if "opponent" not in about and opponent == settings.opponent and isinstance(parse_player(opponent), EnginePlayer):
        raise TablemenError("the program has not reported its name: add --name; the games are saved")
    row = {"variant": settings.variant, "version": settings.version, "evaluation": settings.evaluation}
    return {**row, "opponent": opponent, "openings": settings.openings, **about, **summarise(results)}


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Return 1 if the match cannot be played, and 130 if it is interrupted."""
    options = parse_options(arguments)
    try:
        settings, about = describe(options)
        if options.new:
            settings.path.unlink(missing_ok=True)
        row = measure(settings, options.games, options.concurrency, **about)
    except (TablemenError, OSError) as error:
        print(f"cannot measure: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same command continues the match", file=sys.stderr)
        return 130
    if options.record:
        report.record_strength(row)
    if options.json:
        print(json.dumps(row, indent=2))
    else:
        print("\n".join(align([report.STRENGTH_COLUMNS, report.format_strength(row)])))
    return 0


def describe(options: argparse.Namespace) -> tuple[Settings, dict[str, Any]]:
    """Return the settings of the match, and the other columns of its row."""
    rules = find_variant(options.variant)
    limits = {"nodes": options.nodes} if options.nodes else {"time": options.time}
    player = limit_player("searcher", limits, options.table, options.threads)
    if options.against:
        against = SearcherPlayer(evaluation=options.against)
        opponent = limit_player(str(against), limits, options.table, options.threads)
        name = options.name or f"tablemen, {describe_evaluation(rules.name, options.against)}"
    else:
        opponent = limit_player(options.opponent, limits, options.table, options.threads)
        name = options.name
    given = dict(opponent.options) if isinstance(opponent, HubPlayer) else {}
    settings = Settings(
        variant=rules.name,
        player=str(player),
        opponent=str(opponent),
        openings=options.openings or BALLOTS.get(rules.name, DEFAULT_BALLOTS),
        seed=options.seed,
        version=tablemen.__version__,
        evaluation=describe_evaluation(rules.name),
    )
    about: dict[str, Any] = {
        "seconds": None if options.nodes else options.time,
        "nodes": options.nodes,
        "table_mb": options.table,
        "threads": options.threads,
        "options": given,
        "machine": report.describe_machine(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    return settings, about | ({"opponent": name} if name else {})


def parse_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""

    def seconds(text: str) -> float:
        if not 0 < float(text) < MAX_SECONDS:
            raise ValueError
        return float(text)

    def count(text: str) -> int:
        if int(text) < 1:
            raise ValueError
        return int(text)

    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("variant", choices=VARIANTS, metavar="VARIANT", help="a variant of draughts")
    players = parser.add_mutually_exclusive_group(required=True)
    players.add_argument("--opponent", metavar="PLAYER", help='another player, such as hub:"scan hub",set-tt-size=22')
    players.add_argument("--against", metavar="FILE", help="the same search with other weights, such as older ones")
    parser.add_argument("--name", help="name of the opponent in the table, instead of the one that it reports")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--time", type=seconds, default=DEFAULT_SECONDS, help="seconds a move; the default is %(default)s"
    )
    limit.add_argument("--nodes", type=count, help="nodes a move, instead of a time")
    parser.add_argument("--table", type=count, default=DEFAULT_TABLE_MB, help="megabytes of our table (%(default)s)")
    parser.add_argument("--threads", type=count, default=1, help="threads of our search (%(default)s)")
    parser.add_argument(
        "--openings",
        help="openings of `tablemen match`; the default is two-move ballots, for English draughts three-move ballots",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the order of the openings (%(default)s)")
    parser.add_argument("--games", type=count, default=DEFAULT_GAMES, help="number of games (%(default)s)")
    parser.add_argument("--concurrency", type=count, default=1, help="number of games at a time")
    parser.add_argument("--new", action="store_true", help="discard the saved games of this match")
    parser.add_argument("--record", action="store_true", help=f"write the row to {report.PAGE.relative_to(ROOT)}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
