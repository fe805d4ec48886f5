"""The rules of a draughts variant as a value, with one field per rule.

`tablemen.draughts.variants` has the known variants. `dataclasses.replace(INTERNATIONAL, name="mine", …)` makes custom
rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from string import ascii_lowercase

from tablemen import _core
from tablemen.draughts.board import Corner, Notation, Playable, number_squares
from tablemen.draughts.draws import DrawnMaterial, MoveCount
from tablemen.draughts.federation_draws import FMJD
from tablemen.draws import DrawRule
from tablemen.enums import Named, NamedFlag
from tablemen.errors import InvalidRulesError
from tablemen.outcome import Side
from tablemen.rules import draw_problems, field_problems
from tablemen.validation import is_int

MIN_BOARD_SIZE, MAX_BOARD_SIZE = 4, 32
MAX_PIECE_VALUE = 65_535
MAX_COUNTED_DRAW_RULES = 8  # besides repetition; a search updates their counts at every move
CAPTURE_SEPARATORS = ("x", ":", "-")


class Direction(NamedFlag):
    """Directions from the point of view of the side to move; combine them with `|`."""

    FORWARD = 1
    FORWARD_RIGHT = 2
    RIGHT = 4
    BACKWARD_RIGHT = 8
    BACKWARD = 16
    BACKWARD_LEFT = 32
    LEFT = 64
    FORWARD_LEFT = 128

    FORWARD_DIAGONALS = FORWARD_LEFT | FORWARD_RIGHT
    BACKWARD_DIAGONALS = BACKWARD_LEFT | BACKWARD_RIGHT
    DIAGONALS = FORWARD_DIAGONALS | BACKWARD_DIAGONALS
    SIDEWAYS = LEFT | RIGHT
    ORTHOGONALS = FORWARD | BACKWARD | SIDEWAYS
    ALL = DIAGONALS | ORTHOGONALS


class KingLanding(Named):
    """Where a flying king may stop behind a piece that it captures."""

    ANY = "any"  # on any free square behind it
    BEHIND_EACH = "behind each"  # directly behind every captured piece
    BEHIND_LAST = "behind last"  # directly behind the last captured piece
    BEHIND_LAST_KING = "behind last king"  # the same, but only if the last one is a king


class Removal(Named):
    """When captured pieces leave the board."""

    AT_END = "at end"  # after the whole capture; until then they block
    AT_ONCE = "at once"  # jump by jump


class Promotion(Named):
    """What happens to a man that reaches the far row in a capture."""

    AT_END = "at end"  # it is crowned if the capture ends there
    STOPS = "stops"  # the capture ends there
    IN_FLIGHT = "in flight"  # it continues as a king


class Criterion(Named):
    """A number that decides between captures: the capture with the higher number has precedence."""

    MOST_PIECES = "most pieces"
    MOST_KINGS = "most kings"  # kings among the captured pieces
    WITH_KING = "with king"  # the capturing piece is a king
    KINGS_FIRST = "kings first"  # kings are captured as early as possible


@dataclass(frozen=True)
class MostValue:
    """The criterion that adds up the values of the captured pieces."""

    man: int
    king: int


@dataclass(frozen=True, kw_only=True)
class DraughtsRules:
    """The rules of a variant. Equality compares every field.

    The defaults are those of international draughts. Articles "FMJD n" are in Annex 1 to the FMJD regulations (2015).

    >>> from dataclasses import replace
    >>> from tablemen.draughts import INTERNATIONAL, Position
    >>> small = replace(INTERNATIONAL, name="small", columns=6, rows=6, start_rows=2)
    >>> len(Position.start(small).legal_moves())
    5
    """

    # Names
    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()

    # The board and the start position
    columns: int = 10  # FMJD 2.1
    rows: int = 10  # FMJD 2.1
    playable: Playable = Playable.ONE_COLOUR  # FMJD 2.2
    corner_playable: bool = True  # White's left corner is used; FMJD 2.4
    start_rows: int = 4  # rows of men a side; FMJD 2.6
    start_gap: int = 0  # empty rows behind the men
    first: Side = Side.WHITE  # FMJD 3.3

    # Notation of squares and moves: PDN 3.0, "GameType"
    game_type: int | None = None
    notation: Notation = Notation.NUMERIC
    first_square: Corner = Corner.TOP_LEFT  # the corner of 1 or a1, with White at the bottom
    capture_separator: str = "x"

    # Men
    man_moves: Direction = Direction.FORWARD_DIAGONALS  # FMJD 3.4
    man_captures: Direction = Direction.DIAGONALS  # FMJD 4.2
    men_capture_kings: bool = True  # FMJD 4.2
    promotion: Promotion = Promotion.AT_END  # FMJD 3.5, 4.15

    # Kings
    flying_kings: bool = True  # FMJD 3.9
    king_moves: Direction = Direction.DIAGONALS  # FMJD 3.9
    king_captures: Direction = Direction.DIAGONALS  # FMJD 4.3
    king_landing: KingLanding = KingLanding.ANY  # FMJD 4.3
    king_move_limit: int = 0  # quiet moves in a row by one king of a side that has men; 0: no limit

    # Captures
    capture_compulsory: bool = True  # FMJD 4.1
    precedence: tuple[Criterion | MostValue, ...] = (Criterion.MOST_PIECES,)  # FMJD 4.13; most important first
    removal: Removal = Removal.AT_END  # FMJD 4.8
    reverse_captures: bool = False  # a flying king may turn straight back over a piece removed at once

    # Endings that depend on the position only
    losing: bool = False  # a side without a move wins
    breakthrough: bool = False  # a man that ends its move on the far row wins
    lone_piece_loses: bool = False  # a side left with a single piece has lost
    lone_man_loses_to_king: bool = False  # a single man against a king has lost

    # Endings that depend on the moves played before
    draws: tuple[DrawRule, ...] = FMJD  # FMJD 6

    # Documentation
    provisional: bool = False  # the sources disagree; `note` has the details
    note: str = ""
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # The rules are checked only if every field has the right type.
        problems = list(field_problems(self, precedence=(Criterion, MostValue))) or list(_problems(self))
        if problems:
            raise InvalidRulesError(self.name, problems)

    @cached_property
    def mover(self) -> _core.Mover:
        """The compiled form of these rules, created on first use."""
        return _core.Mover(self, number_squares(self))

    @property
    def game_type_tag(self) -> str | None:
        """The full PDN GameType, such as `20,W,10,10,N2,0`; None if PDN has no number for the variant."""
        if self.game_type is None:
            return None
        starter = "W" if self.first is Side.WHITE else "B"
        style = "N" if self.notation is Notation.NUMERIC else "A"
        corner = self.first_square.seen_by(self.first).value
        return f"{self.game_type},{starter},{self.columns},{self.rows},{style}{corner},{int(not self.corner_playable)}"

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    def __hash__(self) -> int:
        # The hash is cached: rules are keys of caches, and hashing all fields is slow.
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        # Omit the compiled mover and the hash: the copy creates its own.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return self.title or self.name


def _problems(rules: DraughtsRules) -> Iterator[str]:
    """Yield the problems that make the rules unplayable."""
    if not rules.name.strip():
        yield "name is empty"
    yield from _board_problems(rules)
    yield from _notation_problems(rules)
    yield from _piece_problems(rules)
    yield from _precedence_problems(rules)
    yield from _draw_problems(rules)
    if rules.breakthrough and rules.losing:
        yield "breakthrough and losing contradict each other: a man on the far row would both win and lose"


def _board_problems(rules: DraughtsRules) -> Iterator[str]:
    for name in ("columns", "rows"):
        size = getattr(rules, name)
        if not MIN_BOARD_SIZE <= size <= MAX_BOARD_SIZE:
            yield f"{name} must be from {MIN_BOARD_SIZE} to {MAX_BOARD_SIZE}, not {size}"
    if rules.start_rows < 0 or rules.start_gap < 0:
        yield "start_rows and start_gap cannot be negative"
    elif 2 * (rules.start_rows + rules.start_gap) > rules.rows:
        filled = f"{rules.start_rows} rows of men a side with {rules.start_gap} empty rows behind them"
        yield f"{filled} do not fit on {rules.rows} rows"


def _notation_problems(rules: DraughtsRules) -> Iterator[str]:
    if rules.capture_separator not in CAPTURE_SEPARATORS:
        yield f"capture_separator must be one of {' '.join(CAPTURE_SEPARATORS)}, not {rules.capture_separator!r}"
    lettered = {Notation.ALGEBRAIC: "columns", Notation.ALGEBRAIC_VERTICAL: "rows"}.get(rules.notation)
    if lettered and getattr(rules, lettered) > len(ascii_lowercase):
        yield f"algebraic notation has letters for at most {len(ascii_lowercase)} {lettered}"


def _piece_problems(rules: DraughtsRules) -> Iterator[str]:
    if not rules.man_moves & (Direction.FORWARD | Direction.FORWARD_DIAGONALS):
        yield "man_moves has no forward direction: a man could never be crowned"
    for name in ("man_captures", "king_moves", "king_captures"):
        if not getattr(rules, name):
            yield f"{name} is empty"
    if rules.king_landing is not KingLanding.ANY and not rules.flying_kings:
        yield f"king_landing {rules.king_landing.value!r} needs flying kings"
    if rules.reverse_captures and not (rules.flying_kings and rules.removal is Removal.AT_ONCE):
        yield "reverse_captures needs flying kings and removal at once: otherwise the captured piece is in the way"
    if not 0 <= rules.king_move_limit <= 255:
        yield f"king_move_limit must be from 0 to 255, not {rules.king_move_limit}"


def _precedence_problems(rules: DraughtsRules) -> Iterator[str]:
    kinds = [MostValue if isinstance(each, MostValue) else each for each in rules.precedence]
    if len(set(kinds)) < len(kinds):
        yield "precedence contains a criterion twice"
    if Criterion.KINGS_FIRST in kinds[:-1]:
        yield "KINGS_FIRST decides between otherwise equal captures and must come last in precedence"
    for each in rules.precedence:
        values = (each.man, each.king) if isinstance(each, MostValue) else ()
        if not all(is_int(value, minimum=1, maximum=MAX_PIECE_VALUE) for value in values):
            yield f"the values of {each!r} must be whole numbers from 1 to {MAX_PIECE_VALUE}"


def _draw_problems(rules: DraughtsRules) -> Iterator[str]:
    yield from draw_problems(rules.draws)
    counted = sum(isinstance(each, MoveCount | DrawnMaterial) for each in rules.draws)
    if counted > MAX_COUNTED_DRAW_RULES:
        yield f"draws has {counted} rules besides repetition, but at most {MAX_COUNTED_DRAW_RULES} are supported"
