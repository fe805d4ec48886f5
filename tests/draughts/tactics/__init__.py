"""Positions whose best move or value is known, a file a variant: shots, forced wins and draws.

A block begins with a name in brackets; its lines begin with a word::

    shows   what happens
    source  who found it: a name that players know, or ours
    fen     the position, in the variant's own notation; without it, that of the start
    play    moves that lead on from there
    best    the only move that wins so soon or gains so much
    win     in so many plies the side to move wins, whatever the other does, and not sooner
    gain    so many men come of it, and are there still after so many plies and the captures that hang then
    drawn   nobody can win by force
    nodes   how many positions the search may look at, where it needs more than usual

That it is so is proven by `tests/reference/proof.py` and `retrograde.py`.
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
    """So many men, in so many plies."""

    men: int
    plies: int


@dataclass(frozen=True)
class Tactic:
    """One block of a file."""

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
    """The blocks of all files."""
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
            raise ValueError(f"{block}: no line begins with {word!r}")
    return block
