"""Positions that show one rule each, with every legal move or with the result: a file a variant.

A block begins with a name in brackets; its lines begin with a word::

    rule    what it shows, with the article
    fen     the position, in the variant's own notation
    run     a side, its king's square and how many quiet moves in a row that king has made
    play    moves that lead on from there
    move    a legal move as it is written, `takes` the captured squares in order of their names, and `crowned`
    result  the winner, and why: there is no legal move
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tablemen import Outcome, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position, Square
from tests import reference
from tests.reference.convert import place_of

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ExpectedMove:
    """A move as it is written, and what it does."""

    text: str
    captured: frozenset[str]
    crowns: bool

    def to_reference(self, squares: dict[str, Square]) -> reference.Move:
        names = split_move(self.text)
        captured = frozenset(place_of(squares[name]) for name in self.captured)
        return reference.Move(place_of(squares[names[0]]), place_of(squares[names[-1]]), captured, self.crowns)


@dataclass(frozen=True)
class RulePosition:
    """One block of a file."""

    name: str
    variant: DraughtsRules
    rule: str
    position: Position
    moves: tuple[ExpectedMove, ...] = ()
    played: tuple[str, ...] = ()
    outcome: Outcome | None = None

    @property
    def squares(self) -> dict[str, Square]:
        return {square.name: square for square in self.variant.mover.squares}

    def __str__(self) -> str:
        return f"{self.variant.name}-{self.name}"


def split_move(text: str) -> list[str]:
    """The names of the squares in a written move."""
    return re.split("[-x:]", text)


def read_rule_positions() -> list[RulePosition]:
    """The blocks of all files."""
    return [block for path in sorted(FOLDER.glob("*.txt")) for block in _read(path)]


def _read(path: Path) -> list[RulePosition]:
    rules = VARIANTS[path.stem]
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith("["):
            blocks.append([])
        blocks[-1].append(line)
    return [_block(rules, block) for block in blocks]


def _block(rules: DraughtsRules, lines: list[str]) -> RulePosition:
    name, *rest = lines
    block = RulePosition(name.strip("[]"), rules, "", Position.start(rules))
    for line in rest:
        word, text = line.split(maxsplit=1)
        match word:
            case "rule":
                block = replace(block, rule=text)
            case "fen":
                block = replace(block, position=Position.from_fen(text, rules))
            case "run":
                block = replace(block, position=_with_run(block, *text.split()))
            case "play":
                block = replace(block, played=tuple(text.split()))
            case "move":
                block = replace(block, moves=(*block.moves, _move(text)))
            case "result":
                side, reason = text.split()
                block = replace(block, outcome=Outcome(Side(side), Termination[reason]))
            case _:
                raise ValueError(f"{block}: no line begins with {word!r}")
    return block


def _with_run(block: RulePosition, side: str, square: str, moves: str) -> Position:
    run = reference.KingRun(place_of(block.squares[square]), int(moves))
    judged = reference.from_core(block.position)
    return reference.to_core(
        replace(judged, white_run=run) if Side(side) is Side.WHITE else replace(judged, black_run=run)
    )


def _move(text: str) -> ExpectedMove:
    written, *words = text.split()
    crowns = words[-1:] == ["crowned"]
    captured = words[1 : len(words) - crowns] if words[:1] == ["takes"] else []
    return ExpectedMove(written, frozenset(captured), crowns)
