"""Check that an installed tablemen works: `python -I tools/smoke.py` in its environment.

It counts moves, plays, searches and runs the command line. It takes seconds, and runs on every system with wheels.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import Any

import tablemen
from tablemen import Game, draughts, mancala
from tablemen.search import Limit, Searcher

COUNTS = {"international": (6, 167140), "english": (8, 845931), "frisian": (5, 21265), "turkish": (5, 85090)}
KALAH_COUNT = (7, 114430)
SCRIPT = Path(sysconfig.get_path("scripts"), "tablemen").with_suffix(sysconfig.get_config_var("EXE") or "")
PLIES = 60  # maximum length of a game
TIMEOUT = 120  # seconds for a command


def run_command(*arguments: str) -> str:
    """Run the command line and return its output."""
    command = [str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT, encoding="utf-8").stdout


def require(*, holds: bool, what: str) -> None:
    """Exit with an error unless the condition holds."""
    if not holds:
        sys.exit(f"tablemen {tablemen.__version__} does not work: {what}")


def check_installed() -> None:
    """Check the location and the version of the imported package."""
    folder = Path(tablemen.__file__).parent
    require(holds=folder.parent == Path(sysconfig.get_path("platlib")), what=f"imported from {folder}")
    require(holds=tablemen.__version__ == metadata.version("tablemen"), what="version differs from its metadata")
    require(holds=(folder / "py.typed").is_file(), what="py.typed is missing")


def check_counts() -> None:
    """Check perft against known counts."""
    for name, (depth, leaves) in COUNTS.items():
        require(holds=draughts.Position.start(name).perft(depth) == leaves, what=f"perft of {name}")
    depth, leaves = KALAH_COUNT
    require(holds=mancala.Position.start("kalah").perft(depth) == leaves, what="perft of kalah")


def check_games() -> None:
    """Check that the search plays both families, and has an evaluation for every variant."""
    for start in (draughts.Position.start("international"), mancala.Position.start("kalah")):
        game: Game[Any, Any] = Game(start)
        searcher = Searcher(table_mb=1)
        while not game.outcome() and len(game.moves) < PLIES:
            game.push(searcher.choose(game.position, Limit(depth=3)).move)
        require(holds=bool(game.outcome()) or len(game.moves) == PLIES, what=f"a game of {start.variant.name}")
    for name in draughts.VARIANTS:
        start = draughts.Position.start(name)
        chosen = Searcher(table_mb=1).choose(start, Limit(depth=2)).move
        require(holds=chosen in start.legal_moves(), what=f"the search of {name}")


def check_command_line() -> None:
    """Check that the command works."""
    require(holds=run_command("--version") == f"tablemen, version {tablemen.__version__}\n", what="tablemen --version")
    require(holds=run_command("moves", "english").split()[:2] == ["9-14", "10-15"], what="tablemen moves")
    require(holds=run_command("perft", "brazilian", "7").strip() == "187302", what="tablemen perft")


def main() -> None:
    """Run all checks and print the platform."""
    check_installed()
    check_counts()
    check_games()
    check_command_line()
    where = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}"
    print(f"tablemen {tablemen.__version__} works: {where}")


if __name__ == "__main__":
    main()
