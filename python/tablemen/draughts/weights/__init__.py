"""Evaluation weights: their values, defaults for any rules, and files of tuned weights.

Weights are tapered pairs, for the opening and the ending, in thousandths of a man. A file is `NAME.weights`, a text,
and beside it `NAME.patterns` if there are patterns::

    tablemen weights 1
    variant english
    made from 20000 games
    full 24
    man 1000 930
    …
    men opening
      .  12   .   9   …

The first line has the version of the format. `made` lines document the origin of the weights: a key and a value. The
line of a feature has its weights for the opening and the ending; the default is 0. Four piece-square
tables follow, of men and of kings, for the opening and for the ending, from the owner's point of view, with `.` for
squares that are not played on. `pattern` lines have the squares of a pattern; the pattern tables are in the second
file. Lines that begin with # are comments.

The second file begins with `tablemen patterns 1` and a newline. The tables of all patterns follow, in the order of the
text and compressed by zlib, after the checksum of the uncompressed tables (CRC-32, four bytes, little-endian).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tablemen import _core
from tablemen.draughts.board import Playable, places, squares_by_text
from tablemen.draughts.rules import DraughtsRules
from tablemen.errors import ArgumentError, NotationError, TablemenError
from tablemen.validation import is_int

__all__ = [
    "FEATURES",
    "Pair",
    "Pattern",
    "Weights",
    "default_weights",
    "format_weights",
    "material_weights",
    "parse_weights",
    "read_weights",
    "write_weights",
]

Pair: TypeAlias = tuple[int, int]  # for the opening and for the ending

FEATURES: tuple[str, ...] = _core.Evaluation.features
MAX_WEIGHT = 32_767
MAX_PATTERN_SQUARES = 12  # the table has 3**12 pairs of weights

# Default weights
MAN = 1000
FLYING_KING, SHORT_KING = 3000, 1400
FURTHER_FLYING_KING = 2000  # a second flying king is worth less than the first
HEADER = "tablemen weights 1"
MAGIC = b"tablemen patterns 1\n"
CHECKSUM_SIZE = 4  # bytes
BOARDS = ("men opening", "men ending", "kings opening", "kings ending")


@dataclass(frozen=True)
class Pattern:
    """A pattern table: some squares from White's point of view, and a weight for every configuration of men on them.

    A configuration is a number in base 3: the digit of a square is 0 for empty, 1 for an own man, 2 for an enemy man,
    and the first square has the lowest digit. `table` has the pairs in this order, as little-endian 16-bit numbers.
    Black's point of view is the board turned around.
    """

    squares: tuple[int, ...]
    table: bytes

    def __post_init__(self) -> None:
        if not 1 <= len(self.squares) <= MAX_PATTERN_SQUARES:
            raise ArgumentError("squares", self.squares, f"1 to {MAX_PATTERN_SQUARES} squares")
        if len(self.table) != 4 * self.entries:
            raise ArgumentError("table", self.table, f"{4 * self.entries} bytes for {len(self.squares)} squares")

    @property
    def entries(self) -> int:
        """The number of configurations."""
        return int(3 ** len(self.squares))


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of an evaluation; features that `counts` does not name have the weight 0.

    `men` and `kings` are piece-square tables with a pair for every relative square: the squares from the owner's point
    of view, row by row from the far left. If only one colour is used, and rows and columns add up to an odd number,
    the board turned around uses the other colour; then the squares of both colours are counted.
    """

    full: int  # with this number of pieces or more, only the opening weights count
    counts: Mapping[str, Pair]
    men: tuple[Pair, ...]
    kings: tuple[Pair, ...]
    patterns: tuple[Pattern, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)  # how the weights were made: documentation only

    def __post_init__(self) -> None:
        if not is_int(self.full, minimum=1, maximum=MAX_WEIGHT):
            raise ArgumentError("full", self.full, f"a whole number from 1 to {MAX_WEIGHT}")
        unknown = [name for name in self.counts if name not in FEATURES]
        if unknown:
            raise ArgumentError("counts", unknown[0], f"one of {' '.join(FEATURES)}")
        for name, pair in self.all_pairs():
            if not _is_pair(pair):
                expected = f"a pair of whole numbers from -{MAX_WEIGHT} to {MAX_WEIGHT}"
                raise ArgumentError(name, pair, expected)

    def all_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield the name and the value of every weight outside patterns."""
        yield from self.counts.items()
        for name, pairs in (("men", self.men), ("kings", self.kings)):
            yield from ((f"{name}[{index}]", pair) for index, pair in enumerate(pairs))

    def counted(self) -> tuple[Pair, ...]:
        """Return the weights of `FEATURES`, in that order."""
        return tuple(self.counts.get(name, (0, 0)) for name in FEATURES)


def relative_squares(rules: DraughtsRules) -> list[tuple[int, int]]:
    """Return row and column of the relative squares, in the order of `Weights.men`."""
    if rules.playable is Playable.ONE_COLOUR and (rules.rows + rules.columns) % 2:
        return [(row, column) for row in range(rules.rows) for column in range(rules.columns)]
    return list(places(rules))


def pairs(opening: Iterable[int], ending: Iterable[int]) -> tuple[Pair, ...]:
    """Pair the weights for the opening with those for the ending."""
    return tuple(zip(opening, ending, strict=True))


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(_is_weight(number) for number in value)


def _is_weight(number: object) -> bool:
    return is_int(number, minimum=-MAX_WEIGHT, maximum=MAX_WEIGHT)


def material_weights(rules: DraughtsRules) -> Weights:
    """Return weights for material only. They are negative if the side without a move wins.

    >>> from tablemen.draughts import VARIANTS
    >>> [material_weights(VARIANTS[name]).counts["man"] for name in ("russian", "poddavki")]
    [(1000, 1000), (-1000, -1000)]
    """
    nothing = ((0, 0),) * len(relative_squares(rules))
    return Weights(full=full_board(rules), counts=_material(rules), men=nothing, kings=nothing)


def default_weights(rules: DraughtsRules) -> Weights:
    """Return default weights: material, advanced and supported men, mobility of men and kings.

    >>> from tablemen.draughts import INTERNATIONAL
    >>> default_weights(INTERNATIONAL).counts["man"]
    (1000, 1000)
    """
    men, kings = _men(rules), _kings(rules)
    counts = _material(rules) | _standing(rules)
    if rules.losing:
        # No piece-square tables are known for losing variants.
        men = kings = ((0, 0),) * len(men)
        counts = _material(rules) | {"step": (20, 40), "turn": (30, 30)}
    return Weights(full=full_board(rules), counts=counts, men=men, kings=kings)


def full_board(rules: DraughtsRules) -> int:
    """Return the number of pieces at the start, or half the number of squares if that is greater."""
    squares = rules.rows * rules.columns // (1 if rules.playable is Playable.ALL else 2)
    start = 2 * rules.start_rows * squares // rules.rows
    return max(start, squares // 2)


def _material(rules: DraughtsRules) -> dict[str, Pair]:
    king = FLYING_KING if rules.flying_kings else SHORT_KING
    further = FURTHER_FLYING_KING if rules.flying_kings else SHORT_KING
    sign = -1 if rules.losing else 1
    if rules.losing:
        king = further = MAN
    return {
        "man": (sign * MAN, sign * MAN),
        "king": (sign * king, sign * king),
        "further_king": (sign * further, sign * further),
    }


def _standing(rules: DraughtsRules) -> dict[str, Pair]:
    """Return the weights for structure and mobility."""
    runner = (500, 1500) if rules.breakthrough else (150, 300)
    lone_kings = {"further_king_against_king": (-800, -1500)} if rules.flying_kings else {}
    return lone_kings | {
        "turn": (30, 30),
        "support": (12, 6),
        "loose": (-8, -4),
        "hanging": (-150, -150),
        "step": (6, 12),
        "stuck": (-6, -20),
        "runner": runner,
        "imbalance": (-10, -5),
        "king_reach": (8, 8),
        "king_denied": (-2, -2),
        "king_trapped": (-300, -300) if rules.flying_kings else (-100, -100),
    }


def _men(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Return the piece-square table of men: better when advanced, on the own first row and in the centre."""
    last = rules.rows - 1
    goal = 1200 if rules.breakthrough else 250

    def opening(row: int, column: int) -> float:
        way = (last - row) / last
        home = 0.08 if row == last and not rules.breakthrough else 0
        return MAN * (home + 0.04 * way + 0.03 * _centre(column, rules.columns)) + 0.4 * goal * way**3

    def ending(row: int, _column: int) -> float:
        way = (last - row) / last
        return 0.06 * MAN * way + goal * way**3

    return _piece_square_table(rules, opening, ending)


def _kings(rules: DraughtsRules) -> tuple[Pair, ...]:
    """Return the piece-square table of kings: better in the centre than on the edges."""

    def value(row: int, column: int) -> float:
        return 0.1 * MAN * (_centre(column, rules.columns) + _centre(row, rules.rows) - 1)

    return _piece_square_table(rules, value, value)


def _centre(place: int, size: int) -> float:
    """Return 1 in the middle of a row or column, 0 at its ends."""
    return 1 - abs(2 * place - (size - 1)) / (size - 1)


def _piece_square_table(
    rules: DraughtsRules, opening: Callable[[int, int], float], ending: Callable[[int, int], float]
) -> tuple[Pair, ...]:
    squares = relative_squares(rules)
    return pairs((round(opening(*square)) for square in squares), (round(ending(*square)) for square in squares))


def format_weights(weights: Weights, rules: DraughtsRules) -> str:
    """Return the weights as text, without the pattern tables.

    >>> from tablemen.draughts import ENGLISH
    >>> from tablemen.draughts.weights import material_weights
    >>> format_weights(material_weights(ENGLISH), ENGLISH).splitlines()[:4]
    ['tablemen weights 1', 'variant english', 'full 24', 'man 1000 1000']
    """
    lines = [HEADER, f"variant {rules.name}"]
    lines += [f"made {key} {value}" for key, value in weights.origin.items()]
    lines.append(f"full {weights.full}")
    lines += [f"{name} {pair[0]} {pair[1]}" for name in FEATURES if (pair := weights.counts.get(name))]
    for kind, squares in (("men", weights.men), ("kings", weights.kings)):
        for phase, numbers in zip(("opening", "ending"), zip(*squares, strict=True), strict=True):
            lines += [f"{kind} {phase}", *_format_table(rules, numbers)]
    names = {int(square): square.name for square in rules.mover.squares}
    lines += [f"pattern {' '.join(names[square] for square in pattern.squares)}" for pattern in weights.patterns]
    return "\n".join(lines) + "\n"


def parse_weights(text: str, rules: DraughtsRules, tables: Sequence[bytes] = ()) -> Weights:
    """Parse weights, with the given pattern tables.

    Raises `NotationError` with the line that cannot be parsed.
    """
    parser = _Parser(text, rules)
    parser.parse()
    if len(tables) != len(parser.patterns):
        raise parser.error(f"expected a table for each of {len(parser.patterns)} patterns, got {len(tables)}", 1)
    missing = [name for name in BOARDS if name not in parser.boards]
    if missing or parser.full is None:
        raise parser.error(f"the line `{missing[0] if missing else 'full'}` is missing", 1)
    men, kings = (pairs(parser.boards[f"{kind} opening"], parser.boards[f"{kind} ending"]) for kind in ("men", "kings"))
    patterns = tuple(Pattern(squares, table) for squares, table in zip(parser.patterns, tables, strict=True))
    return Weights(
        full=parser.full, counts=parser.counts, men=men, kings=kings, patterns=patterns, origin=parser.origin
    )


def _format_table(rules: DraughtsRules, numbers: Iterable[int]) -> Iterator[str]:
    by_place: Mapping[tuple[int, int], int] = dict(zip(relative_squares(rules), numbers, strict=True))
    for row in range(rules.rows):
        cells = (by_place.get((row, column)) for column in range(rules.columns))
        yield "".join(f"{'.' if cell is None else cell:>6}" for cell in cells)


@dataclass
class _Parser:
    """A parser of weights."""

    text: str
    rules: DraughtsRules
    full: int | None = None
    counts: dict[str, Pair] = field(default_factory=dict)
    boards: dict[str, list[int]] = field(default_factory=dict)
    patterns: list[tuple[int, ...]] = field(default_factory=list)
    origin: dict[str, str] = field(default_factory=dict)

    def error(self, problem: str, line: int) -> NotationError:
        return NotationError(problem, self.text, line=line)

    def parse(self) -> None:
        lines = self._split_lines()
        number, first = next(lines, (1, ""))
        if first != HEADER:
            raise self.error(f"the first line must be `{HEADER}`", number)
        for number, line in lines:
            if line in BOARDS:
                self._check_once(line in self.boards, line, number)
                self.boards[line] = self._parse_board(lines, number)
            else:
                self._parse_line(*line.partition(" ")[::2], number)

    def _parse_line(self, name: str, rest: str, number: int) -> None:
        if name in FEATURES:
            self._check_once(name in self.counts, name, number)
            opening, ending = self._parse_numbers(rest, 2, number)
            self.counts[name] = (opening, ending)
        elif name == "variant":
            if rest != self.rules.name:
                raise self.error(f"expected weights for {self.rules.name}, got weights for {rest}", number)
        elif name == "made":
            key, _, value = rest.partition(" ")
            self.origin[key] = value.strip()
        elif name == "full":
            self._check_once(self.full is not None, name, number)
            (self.full,) = self._parse_numbers(rest, 1, number)
            if self.full < 1:
                raise self.error(f"full must be at least 1, not {self.full}", number)
        elif name == "pattern":
            self.patterns.append(self._parse_squares(rest, number))
        else:
            raise self.error(f"expected a feature or another keyword, got {name!r}", number)

    def _split_lines(self) -> Iterator[tuple[int, str]]:
        for number, line in enumerate(self.text.splitlines(), start=1):
            stripped = line.strip()
            if stripped and not stripped.startswith("#"):
                yield number, stripped

    def _check_once(self, is_known: bool, name: str, number: int) -> None:  # noqa: FBT001
        if is_known:
            raise self.error(f"{name} occurs twice", number)

    def _parse_numbers(self, text: str, count: int, line: int) -> list[int]:
        words = text.split()
        if len(words) != count:
            expected = "1 number" if count == 1 else f"{count} numbers"
            raise self.error(f"expected {expected}, got {len(words)}", line)
        return [self._parse_number(word, line) for word in words]

    def _parse_number(self, word: str, line: int) -> int:
        try:
            number = int(word)
        except ValueError:
            raise self.error(f"expected a whole number, got {word!r}", line) from None
        if abs(number) > MAX_WEIGHT:
            raise self.error(f"expected a number from -{MAX_WEIGHT} to {MAX_WEIGHT}, got {word}", line)
        return number

    def _parse_board(self, lines: Iterator[tuple[int, str]], number: int) -> list[int]:
        seen = set(relative_squares(self.rules))
        values = []
        for row in range(self.rules.rows):
            number, line = next(lines, (number, ""))
            words = line.split()
            if len(words) != self.rules.columns:
                raise self.error(f"row {row + 1} must have {self.rules.columns} cells, not {len(words)}", number)
            for column, word in enumerate(words):
                if (word == ".") == ((row, column) in seen):
                    expected = "a number" if word == "." else "`.` for an unused square"
                    place = f"row {row + 1}, column {column + 1}"
                    raise self.error(f"{place}: expected {expected}, got {word}", number)
                if word != ".":
                    values.append(self._parse_number(word, number))
        return values

    def _parse_squares(self, text: str, number: int) -> tuple[int, ...]:
        known = squares_by_text(self.rules.mover.squares)
        for word in text.split():
            if word not in known:
                raise self.error(f"no square {word} on the board of {self.rules}", number)
        return tuple(int(known[word]) for word in text.split())


def write_weights(weights: Weights, rules: DraughtsRules, path: Path) -> None:
    """Write a file of weights, and a second file for the pattern tables if there are any."""
    path.write_text(format_weights(weights, rules), encoding="utf-8", newline="\n")
    if weights.patterns:
        tables = b"".join(pattern.table for pattern in weights.patterns)
        checksum = zlib.crc32(tables).to_bytes(CHECKSUM_SIZE, "little")
        path.with_suffix(".patterns").write_bytes(MAGIC + checksum + zlib.compress(tables, 9))


def read_weights(path: Path, rules: DraughtsRules) -> Weights:
    """Read the weights of a file.

    Raises `TablemenError`, with the name of the file, if the file is damaged or has weights for other rules.
    """
    try:
        text = path.read_text(encoding="utf-8")
        sizes = [len(line.split()) - 1 for line in text.splitlines() if line.split()[:1] == ["pattern"]]
        return parse_weights(text, rules, list(_read_tables(path.with_suffix(".patterns"), sizes)) if sizes else ())
    except NotationError as error:
        raise NotationError(f"{path.name}: {error.problem}", error.text, line=error.line) from None
    except UnicodeDecodeError as error:
        raise TablemenError(f"{path.name} is not a text file: {error}") from None


def _read_tables(path: Path, sizes: list[int]) -> Iterator[bytes]:
    """Yield the tables of patterns with these numbers of squares."""
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise TablemenError(f"{path.name} must begin with {MAGIC.decode().strip()!r}")
    checksum, packed = data[len(MAGIC) :][:CHECKSUM_SIZE], data[len(MAGIC) + CHECKSUM_SIZE :]
    try:
        tables = zlib.decompress(packed)
    except zlib.error:
        raise TablemenError(f"{path.name} is damaged: it cannot be decompressed") from None
    if zlib.crc32(tables).to_bytes(CHECKSUM_SIZE, "little") != checksum:
        raise TablemenError(f"{path.name} is damaged: its checksum is wrong")
    expected = sum(4 * 3**size for size in sizes)
    if len(tables) != expected:
        raise TablemenError(f"{path.name} must have {expected} bytes of weights, not {len(tables)}")
    for size in sizes:
        table, tables = tables[: 4 * 3**size], tables[4 * 3**size :]
        yield table
