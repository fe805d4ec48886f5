"""How many positions the search looks at from the start of every game: `python -m tools.signature` writes it down anew.

Any change of the search, of the order of moves or of an evaluation shows in these numbers. A change that is meant for
something else leaves them all as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablemen import draughts, mancala
from tablemen.search import Limit, Searcher

FILE = Path(__file__).parents[1] / "tests" / "search" / "signature.txt"
LIMIT = Limit(depth=10)
HEADER = f"""\
# Positions that the search looks at from the start position to depth {LIMIT.depth}, with one thread.
# `python -m tools.signature` renews them after a change that is meant to change what is searched.
"""


def start_positions() -> dict[str, Any]:
    """The start position of every variant of every family."""
    return {
        **{name: draughts.Position.start(rules) for name, rules in draughts.VARIANTS.items()},
        **{name: mancala.Position.start(rules) for name, rules in mancala.VARIANTS.items()},
    }


def count_nodes(position: Any) -> int:
    """How many positions are looked at."""
    return Searcher(table_mb=1).choose(position, LIMIT).lines[0].nodes


def read_signature() -> dict[str, int]:
    """What is written down."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {name: int(nodes) for name, nodes in pairs}


def main() -> None:
    """Count and write."""
    counts = {name: count_nodes(position) for name, position in start_positions().items()}
    FILE.write_text(HEADER + "".join(f"{name} {nodes}\n" for name, nodes in counts.items()), encoding="utf-8")


if __name__ == "__main__":
    main()
