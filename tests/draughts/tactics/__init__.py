"""Positions with a known best move or value: shots, forced wins and draws. Each variant has a file.

A block begins with a name in brackets; its lines begin with a keyword::

    shows   a description
    source  the author, a name that players know, or `ours`
    fen     the position, in the notation of the variant; the default is the start position
    play    moves that are played from the position first
    best    the only move with the given win or gain
    win     the number of plies in which the side to move wins by force, and not earlier
    gain    the number of men won, and the plies after which, with all pending captures, they are still won
    drawn   neither side can win by force
    nodes   the maximum number of nodes of the search, if it needs more than the default

`tests/reference/proof.py` and `retrograde.py` prove these values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from tablemen import Game
from tablemen.draughts import VARIANTS, DraughtsRules, Position
from tests.guided_play import DraughtsGame

FOLDER = Path(__file__).parent


class Gain(NamedTuple):
    """A gain of men, and the number of plies that it takes."""

    men: int
    plies: int


@dataclass(frozen=True)
class Tactic:
    """A block of a file."""

    name: str
    variant: DraughtsRules
    start: Position
    shows: str = ""
    source: str = ""
    played: tuple[str, ...] = ()
    best: str = ""
    win: int | None = None
    gain: Gain | None = None
    drawn: bool = False
    nodes: int | None = None

    def game(self) -> DraughtsGame:
        return Game(self.start, self.played)

    def __str__(self) -> str:
        return f"{self.variant.name}-{self.name}"


def read_tactics() -> list[Tactic]:
    """Read the blocks of all files."""
    return [block for path in sorted(FOLDER.glob("*.txt")) for block in _read(path)]


def _read(path: Path) -> list[Tactic]:
    rules = VARIANTS[path.stem]
    blocks: list[Tactic] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            blocks.append(Tactic(line.strip("[]"), rules, Position.start(rules)))
        elif line and not line.startswith("#"):
            blocks[-1] = _with_line(blocks[-1], line)
    return blocks


def _with_line(block: Tactic, line: str) -> Tactic:
    word, _, text = line.partition(" ")
    text = text.strip()
    match word:
        case "shows":
            block = replace(block, shows=text)
        case "source":
            block = replace(block, source=text)
        case "fen":
            block = replace(block, start=Position.from_fen(text, block.variant))
        case "play":
            block = replace(block, played=tuple(text.split()))
        case "best":
            block = replace(block, best=text)
        case "win":
            block = replace(block, win=int(text))
        case "gain":
            block = replace(block, gain=Gain(*map(int, text.split())))
        case "drawn":
            block = replace(block, drawn=True)
        case "nodes":
            block = replace(block, nodes=int(text))
        case _:
            raise ValueError(f"{block}: unknown keyword {word!r}")
    return block
