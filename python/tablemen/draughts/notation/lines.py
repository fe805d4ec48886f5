"""Boards as lines of letters, a letter for every square: what the forms of such texts have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablemen._core import Position
from tablemen.draughts.numbering import Playable, used_columns
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import NotationError
from tablemen.outcome import Side

CORE = ".wbWB"  # the letters of `Position.letters`: empty, men, kings


@dataclass(frozen=True, slots=True)
class Form:
    """Which letters a form of board text uses."""

    pieces: str  # in the order of CORE
    unused: str  # a square that is not played on
    may_be_stripped: bool = False  # unused squares at the end of a line may be missing

    def parse(self, lines: Sequence[str], rules: DraughtsRules, turn: Side) -> Position:
        """The position that the lines draw, the top row first."""
        if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
            raise TypeError(f"a board is a list of texts, not {lines!r}")
        whole = lines
        if self.may_be_stripped:
            whole = [line + self.unused if len(line) == rules.columns - 1 else line for line in lines]
        used, unused = _part(whole, rules)
        complete = set(map(len, whole)) == {rules.columns} and len(used) + len(unused) == rules.rows * rules.columns
        if not complete or used.strip(self.pieces) or unused.strip(self.unused):
            raise self._mistake(lines, rules)
        return Position.from_letters(_exchanged(used, self.pieces, CORE), rules, turn)

    def parse_text(self, text: str, rules: DraughtsRules, turn: Side) -> Position:
        """The position that a text draws, which may have a newline before and after the board."""
        if not isinstance(text, str):
            raise TypeError(f"a board is a text, not {text!r}")
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        if not lines[-1]:
            del lines[-1]
        skipped = 1 if lines and not lines[0] else 0
        try:
            return self.parse(lines[skipped:], rules, turn)
        except NotationError as error:
            raise NotationError(error.problem, text, line=error.line + skipped, column=error.column) from None

    def format(self, position: Position) -> list[str]:
        """The lines that draw a position, the top row first."""
        rules = position.variant
        letters = iter(_exchanged(position.letters(), CORE, self.pieces))
        lines = []
        for used in used_columns(rules):
            cells = [self.unused] * rules.columns
            for column in range(rules.columns)[used]:
                cells[column] = next(letters)
            lines.append("".join(cells))
        return lines

    def _mistake(self, lines: Sequence[str], rules: DraughtsRules) -> NotationError:
        """What is wrong first, and where."""

        def at(problem: str, row: int, column: int) -> NotationError:
            return NotationError(problem, "\n".join(lines), line=row + 1, column=column + 1)

        for row, (line, used) in enumerate(zip(lines, used_columns(rules), strict=False)):
            playable = range(rules.columns)[used]
            for column, letter in enumerate(line[: rules.columns]):
                if column in playable and letter not in self.pieces:
                    return at(f"{letter!r} is no square of a board: {self._expected} is expected", row, column)
                if column not in playable and letter != self.unused:
                    piece = letter in self.pieces and letter != self.pieces[0]
                    problem = f"the piece {letter!r} stands" if piece else f"{letter!r} stands"
                    return at(f"{problem} on a light square, where {self.unused!r} is expected", row, column)
            missing = range(len(line), rules.columns)
            if missing and not (self.may_be_stripped and not any(column in playable for column in missing)):
                return at(f"the line ends after {len(line)} of {rules.columns} squares", row, len(line))
            if len(line) > rules.columns:
                return at(f"the line goes on after its {rules.columns} squares", row, rules.columns)
        if len(lines) > rules.rows:
            return at(f"{len(lines)} lines, where the board has {rules.rows} rows", rules.rows, 0)
        ended = f"the board ends after {len(lines)} of {rules.rows} lines" if lines else "there is no board"
        return at(ended, len(lines), 0)

    @property
    def _expected(self) -> str:
        return f"{' '.join(self.pieces[:-1])} or {self.pieces[-1]}"


def _exchanged(letters: str, old: str, new: str) -> str:
    """The letters with the old alphabet exchanged for the new one."""
    for one, other in zip(old, new, strict=True):
        if one != other:
            letters = letters.replace(one, other)
    return letters


def _part(lines: Sequence[str], rules: DraughtsRules) -> tuple[str, str]:
    """The letters of the squares that are played on, row by row, and those of the others."""
    if rules.playable is Playable.ALL:
        return "".join(lines), ""
    # With lines of odd length squares of one colour are two letters apart, from line to line too.
    gap = "" if rules.columns % 2 else "\n"
    text = gap.join(lines)
    first = (rules.rows - 1 + (not rules.corner_playable)) % 2
    return text[first::2].replace("\n", ""), text[1 - first :: 2].replace("\n", "")
