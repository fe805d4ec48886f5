"""Positions that each show one rule, with all legal moves or with the result. Each variant has a file.

A block begins with a name in brackets; its lines begin with a keyword::

    rule    the rule that the position shows, with its article
    fen     the position, in the notation of the variant
    run     a side, the square of its king, and the number of quiet moves in a row of that king
    play    moves that are played from the position first
    move    the text of a legal move, `takes` with the captured squares sorted by name, and `crowned`
    result  the winner and the reason, if there is no legal move
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tablemen import Outcome, Side, Termination
from tablemen.draughts import VARIANTS, DraughtsRules, Position, Square
from tests import reference
from tests.reference.convert import get_place

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ExpectedMove:
    """The text of a move, its captured squares, and whether it crowns."""

    text: str
    captured: frozenset[str]
    crowns: bool

    def to_reference(self, squares: dict[str, Square]) -> reference.Move:
        names = split_move(self.text)
        captured = frozenset(get_place(squares[name]) for name in self.captured)
        return reference.Move(get_place(squares[names[0]]), get_place(squares[names[-1]]), captured, self.crowns)


@dataclass(frozen=True)
class RulePosition:
    """A block of a file."""

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
    """Return the names of the squares in the text of a move."""
    return re.split("[-x:]", text)


def read_rule_positions() -> list[RulePosition]:
    """Read the blocks of all files."""
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
                raise ValueError(f"{block}: unknown keyword {word!r}")
    return block


def _with_run(block: RulePosition, side: str, square: str, moves: str) -> Position:
    run = reference.KingRun(get_place(block.squares[square]), int(moves))
    position = reference.from_core(block.position)
    return reference.to_core(
        replace(position, white_run=run) if Side(side) is Side.WHITE else replace(position, black_run=run)
    )


def _move(text: str) -> ExpectedMove:
    written, *words = text.split()
    crowns = words[-1:] == ["crowned"]
    captured = words[1 : len(words) - crowns] if words[:1] == ["takes"] else []
    return ExpectedMove(written, frozenset(captured), crowns)
