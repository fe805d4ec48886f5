"""Node counts of the search from the start position of every game: `python -m tools.signature` updates them.

Any change of the search, the move ordering or an evaluation changes these numbers. A refactoring must not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablemen import draughts, mancala
from tablemen.search import Limit, Searcher

FILE = Path(__file__).parents[1] / "tests" / "search" / "signature.txt"
LIMIT = Limit(depth=10)
HEADER = f"""\
# Nodes searched from the start position to depth {LIMIT.depth}, with one thread.
# After an intended change of the search, `python -m tools.signature` updates them.
"""


def start_positions() -> dict[str, Any]:
    """Return the start position of every variant of every family."""
    return {
        **{name: draughts.Position.start(rules) for name, rules in draughts.VARIANTS.items()},
        **{name: mancala.Position.start(rules) for name, rules in mancala.VARIANTS.items()},
    }


def count_nodes(position: Any) -> int:
    """Return the number of nodes searched."""
    return Searcher(table_mb=1).choose(position, LIMIT).lines[0].nodes


def read_signature() -> dict[str, int]:
    """Read the recorded counts."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {name: int(nodes) for name, nodes in pairs}


def main() -> None:
    """Count and write to the file."""
    counts = {name: count_nodes(position) for name, position in start_positions().items()}
    FILE.write_text(HEADER + "".join(f"{name} {nodes}\n" for name, nodes in counts.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
