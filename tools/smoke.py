"""Whether an installed tablemen works: `python -I tools/smoke.py`, in an environment that has it.

It counts, plays, searches and asks the command line, in seconds, on every system that there are wheels for.
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
PLIES = 60  # of a game that nobody need win
PATIENCE = 120  # seconds for a command that takes one


def ask(*arguments: str) -> str:
    """What the command line answers."""
    asked = [str(SCRIPT), *arguments]
    return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=PATIENCE, encoding="utf-8").stdout


def require(*, holds: bool, what: str) -> None:
    """Ends the program where something does not hold."""
    if not holds:
        sys.exit(f"tablemen {tablemen.__version__} does not work here: {what}")


def check_installed() -> None:
    """It is the one that was installed, and knows which one that is."""
    folder = Path(tablemen.__file__).parent
    require(holds=folder.parent == Path(sysconfig.get_path("platlib")), what=f"it was imported from {folder}")
    require(holds=tablemen.__version__ == metadata.version("tablemen"), what="its metadata have another version")
    require(holds=(folder / "py.typed").is_file(), what="py.typed is not there")


def check_counts() -> None:
    """Moves are counted as they are known to be."""
    for name, (depth, leaves) in COUNTS.items():
        require(holds=draughts.Position.start(name).perft(depth) == leaves, what=f"perft of {name}")
    depth, leaves = KALAH_COUNT
    require(holds=mancala.Position.start("kalah").perft(depth) == leaves, what="perft of kalah")


def check_games() -> None:
    """The search plays either family, and has for every variant what it evaluates with."""
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
    """The program is there, and answers."""
    require(holds=ask("--version") == f"tablemen, version {tablemen.__version__}\n", what="tablemen --version")
    require(holds=ask("moves", "english").split()[:2] == ["9-14", "10-15"], what="tablemen moves")
    require(holds=ask("perft", "brazilian", "7").strip() == "187302", what="tablemen perft")


def main() -> None:
    """Tries it all, and says where that was."""
    check_installed()
    check_counts()
    check_games()
    check_command_line()
    where = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}"
    print(f"tablemen {tablemen.__version__} works: {where}")


if __name__ == "__main__":
    main()
