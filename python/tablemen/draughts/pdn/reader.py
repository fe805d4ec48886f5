"""Reading PDN files as a stream of games, with recovery from moves that cannot be played."""

from __future__ import annotations

import codecs
import io
import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Any, Self, TypeAlias

from tablemen._core import Move, PdnScan, PdnScanner, Position
from tablemen.draughts.pdn.game import NO_RESULT, UNKNOWN_MOVE, Nag, Note, PdnGame, PdnLine, PdnNode
from tablemen.draughts.pdn.start_position import (
    GUESSED_GAME_TYPE,
    GameStart,
    InvalidGameError,
    StartFinder,
    UnplayableError,
    identify,
    with_turn,
)
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import ArgumentError, PdnError
from tablemen.outcome import Side

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"
OnError: TypeAlias = Callable[[PdnError], object]
CHUNK_SIZE = 1 << 18  # bytes or characters that are read at a time
BATCH_SIZE = 256  # games that are checked at a time
MIN_BATCH_SIZE = 4  # for fewer games, a batch is slower than single checks
MAX_UNPLAYABLE = 20  # illegal moves to recover from: a game with more is probably of another variant
MAX_RESCANNED_BYTES = 1_000_000  # per game, to recover from illegal moves

_SQUARE = rb"[A-Za-z]?[0-9]+"
_MOVE = re.compile(rb"%b(?:\s*-\s*%b)?(?:\s*[xX:]\s*%b|-\s*%b|[A-Za-z][0-9]+)*" % (_SQUARE, _SQUARE, _SQUARE, _SQUARE))
_NO_SEPARATOR = re.compile(r"(?<=[0-9])(?=[a-wyz][0-9])")  # between the squares of a3b4
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


def read_pdn(
    source: Source,
    *,
    variant: DraughtsRules | str | int | None = None,
    on_error: OnError | None = None,
    on_illegal: OnError | None = None,
    encoding: str = "utf-8",
) -> PdnReader:
    """Return an iterator over the games of a file of any size. Every move is checked.

    `source` is a path or a file opened for reading. If a game cannot be read, `on_error` is called with a `PdnError`
    and the next game follows; without `on_error` the error is raised, and the iteration can be continued. Games
    without a GameType are of the given `variant`, or else of the first variant that allows the most of them; such a
    guess is in the tag GuessedGameType.

    If `on_illegal` is given, it is called with a `PdnError` for every unplayable move, and the game has the unknown
    move `...` in its place.

    Several threads can read different files in parallel: scanning and checking release the GIL.

    >>> import io
    >>> file = io.StringIO('[White "Ann"] 1. 32-28 19-23 2-0 [White "Bob"] 1. 32-29 0-2')
    >>> errors = []
    >>> for game in read_pdn(file, variant="international", on_error=errors.append):
    ...     print(game.tags["White"], *game.moves, game.tags["Result"])
    Ann 32-28 19-23 2-0
    >>> print(*errors)
    game 2, line 1, column 51: 32-29 is not legal here
    """
    return PdnReader(source, variant=variant, on_error=on_error, on_illegal=on_illegal, encoding=encoding)


def parse_pdn(text: str, *, variant: DraughtsRules | str | int | None = None) -> PdnGame:
    """Return the only game of a text.

    >>> parse_pdn("1. 32-28 19-23 2. 28x19").moves[-1].captured
    (23,)

    Raises `PdnError` if the text is not exactly one game.
    """
    if not isinstance(text, str):
        raise ArgumentError("text", text, "a str")
    games = list(read_pdn(io.StringIO(text), variant=variant))
    if len(games) != 1:
        raise PdnError(f"expected one game, got {len(games)}: use read_pdn for several games", text)
    return games[0]


class PdnReader(Iterator[PdnGame]):
    """An iterator over the games of a file.

    A path is opened at once, and closed after the last game or at the end of the `with` block.
    """

    def __init__(
        self,
        source: Source,
        *,
        variant: DraughtsRules | str | int | None = None,
        on_error: OnError | None = None,
        on_illegal: OnError | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self.games_read = 0
        self._given = None if variant is None else find_variant(variant)
        self._on_error = on_error
        self._on_illegal = on_illegal
        self._to_utf8 = _transcoder(encoding)
        self._opened: IO[bytes] | None = None
        if isinstance(source, str | os.PathLike):
            self._opened = source = Path(source).open("rb")  # noqa: SIM115 - `close` closes it
        if not hasattr(source, "read"):
            raise ArgumentError("source", source, "a path or an open file")
        self._file: IO[Any] = source
        self._scanner = PdnScanner()
        self._start_finder = StartFinder(self._given)
        self._scans: list[PdnScan] = []
        # Scanned games, each with its start, or None if the moves are not checked yet or cannot be played.
        self._checked: deque[tuple[PdnScan, GameStart | None]] = deque()
        self._is_at_end = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> PdnGame:
        while True:
            while not self._checked:
                if self._scans:
                    self._check_batch()
                elif self._is_at_end:
                    self.close()
                    raise StopIteration
                else:
                    self._read_more()
            try:
                return self._read_game(*self._checked.popleft())
            except PdnError as error:
                if self._on_error is None:
                    raise
                self._on_error(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file if the reader opened it."""
        if self._opened is not None:
            self._opened.close()

    def _read_more(self) -> None:
        read = self._file.read(CHUNK_SIZE)
        self._is_at_end = not read
        data = read.encode("utf-8", "surrogatepass") if isinstance(read, str) else self._decode(read)
        self._scans.extend(self._scanner.feed(data))
        if self._is_at_end:
            self._scans.extend(self._scanner.finish())

    def _decode(self, data: bytes) -> bytes:
        try:
            return self._to_utf8(data, self._is_at_end)
        except UnicodeError as error:  # for example UTF-16 without a byte order mark
            self._is_at_end = True
            raise PdnError(f"the file does not have the given encoding: {error}", "") from error

    def _check_batch(self) -> None:
        """Check the next games in one call, which releases the GIL."""
        if len(self._scans) < MIN_BATCH_SIZE:
            self._start_finder.guess_variant(self._scans)
            self._checked.extend((scan, None) for scan in self._scans)
            self._scans.clear()
            return
        batch = self._scans[:BATCH_SIZE]
        starts = [self._start_finder.probable_start(scan, self._scans) for scan in batch]
        found = PdnScan.check_all(batch, [None if start is None else start.start for start in starts])
        for scan, start, position in zip(batch, starts, found, strict=True):
            self._checked.append((scan, None if start is None or position is None else start.at(position)))
        del self._scans[:BATCH_SIZE]

    def _read_game(self, scan: PdnScan, start: GameStart | None) -> PdnGame:
        """Return the game. Find its start and check its moves if that has not been done."""
        self.games_read += 1
        if start is not None:
            return ScannedGame(scan, start, self.games_read)
        if scan.problem is not None:
            raise self._error(scan, *scan.problem)
        try:
            if self._on_illegal is None:
                return ScannedGame(scan, self._start_finder.find_start(scan), self.games_read)
            recovered, start, illegal = recover(scan, self._start_finder)
            game = ScannedGame(recovered, start, self.games_read)
        except InvalidGameError as error:
            raise self._error(scan, error.problem, error.byte) from None
        for each in illegal:
            self._on_illegal(self._error(scan, each.problem, each.byte))
        return game

    def _error(self, scan: PdnScan, problem: str, byte: int) -> PdnError:
        return _locate(scan, problem, byte, self.games_read)


def _locate(scan: PdnScan, problem: str, byte: int, game: int) -> PdnError:
    """Return the error at a byte of a game's text."""
    line, column = scan.place(byte)
    return PdnError(problem, scan.text, line=line, column=column, game=game)


def _transcoder(encoding: str) -> Callable[[bytes, bool], bytes]:
    """Return an incremental transcoder to UTF-8. Bytes that cannot be decoded are left for the scanner to report.

    Raises `ArgumentError` if it is not a text encoding, or cannot be decoded incrementally.
    """
    try:
        "a".encode(encoding)
        if codecs.lookup(encoding).name == "utf-8":
            return lambda data, _last: data
        decoder = codecs.getincrementaldecoder(encoding)(_KEEP)
        decoder.decode(b"")
    except (LookupError, TypeError, ValueError) as error:
        raise ArgumentError("encoding", encoding, "the name of a text encoding") from error
    return lambda data, last: decoder.decode(data, last).encode("utf-8", "surrogatepass")


def _keep(error: UnicodeError) -> tuple[str, int]:
    """Replace each byte that cannot be decoded by a lone surrogate, so that the UTF-8 is invalid there too."""
    assert isinstance(error, UnicodeDecodeError)
    return "\udc80" * (error.end - error.start), error.end


_KEEP = "tablemen.keep"
codecs.register_error(_KEEP, _keep)


def recover(scan: PdnScan, start_finder: StartFinder) -> tuple[PdnScan, GameStart, list[UnplayableError]]:
    """Replace unplayable moves by unknown ones. Return the game, its start and the errors.

    All other tokens keep their bytes. Raises `InvalidGameError` if the game still cannot be read.
    """
    errors: list[UnplayableError] = []
    while True:
        try:
            return scan, start_finder.find_start(scan), sorted(errors, key=lambda each: each.byte)
        except UnplayableError as error:
            errors.append(error)
            replaced = _replace_move(scan, error.byte) if _is_recoverable(scan, len(errors)) else None
            if replaced is None:
                raise errors[0] from None
            scan = replaced


def _is_recoverable(scan: PdnScan, moves: int) -> bool:
    return moves <= MAX_UNPLAYABLE and moves * len(scan.text) <= MAX_RESCANNED_BYTES


def _replace_move(scan: PdnScan, byte: int) -> PdnScan | None:
    """Return the game with an unknown move in place of the one at a byte; None if the text does not permit it."""
    text = scan.text.encode("utf-8")
    found = _MOVE.match(text, byte)
    if found is None:
        return None
    scanner = PdnScanner()
    scans = scanner.feed(text[:byte] + b"-".ljust(len(found[0])) + text[found.end() :]) + scanner.finish()
    return scans[0] if len(scans) == 1 and scans[0].problem is None else None


class ScannedGame(PdnGame):
    """A game of a file with checked moves. Its tags and its tree are built on first use.

    Raises `InvalidGameError` if a set-up needs a known position and there is none.
    """

    __slots__ = ("_game_start", "_number", "_scan")

    def __init__(self, scan: PdnScan, start: GameStart, number: int) -> None:
        self._scan = scan
        self._number = number
        self._game_start = start
        self._start = start.start
        if start.setups:
            self._check_setups()

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags of the file, in their order."""
        if not hasattr(self, "_tags"):
            self._tags = MappingProxyType(self._make_tags())
        return self._tags

    @property
    def line(self) -> PdnLine:
        """The main line, with its variations and annotations."""
        if not hasattr(self, "_line"):
            self._line = self._make_line()
        return self._line

    @property
    def written_result(self) -> str | None:
        """The result after the moves in the file, or None; the tag has precedence."""
        return self._scan.result

    @property
    def warnings(self) -> tuple[PdnError, ...]:
        """The problems in spite of which the game was read, each with its place in the file."""
        found = self._game_start.find_warnings(self._scan)
        return tuple(_locate(self._scan, problem, byte, self._number) for problem, byte in found)

    def find_missing(self) -> list[PdnError]:
        """Return a problem for each gap in the move numbers, and for a missing terminator."""
        problems = [
            (f"moves are missing: move {after} follows {f'move {before}' if before else 'the start'}", byte)
            for byte, before, after in self._scan.number_gaps()
            if before or self.start == Position.start(self.variant)
        ]
        if self._scan.result is None:
            end = len(self._scan.text.encode("utf-8"))
            problems.append(("the terminator is missing: a game ends with a result or *", end))
        return [_locate(self._scan, problem, byte, self._number) for problem, byte in problems]

    def end(self) -> Position | None:
        """Return the position after the main line; None if it is unknown."""
        return self._scan.end(self._start, self._game_start.setups)

    def _make_tags(self) -> dict[str, str]:
        tags = {name: value for name, value, _ in self._scan.tags()}
        if self._scan.result not in (None, NO_RESULT) and tags.get("Result", "") in ("", "?", NO_RESULT):
            tags["Result"] = str(self._scan.result)  # the result after the moves replaces a missing tag
        tags.pop(GUESSED_GAME_TYPE, None)
        if self._game_start.is_guess:
            tags[GUESSED_GAME_TYPE] = identify(self.variant)[1]
        return tags

    def _make_line(self) -> PdnLine:
        line = _LineBuilder(self._start)
        outer: list[_LineBuilder] = []
        skip_setup = self._game_start.begins_with_setup
        for word, value in self._scan.events(self._start, self._game_start.setups):
            if word == "move":
                line.add_move(*value)
            elif word == "strength":
                line.strength = value
            elif word == "open":
                outer.append(line)
                line = _LineBuilder(line.before_last())
            elif word == "close":
                variation, line = line.finish(), outer.pop()
                if variation.nodes or variation.notes:
                    line.notes.append(variation)
            elif word != "setup":
                line.notes.append(Nag(value) if word == "nag" else value)
            elif skip_setup:
                skip_setup = False
            else:
                line.set_up(value)
        return line.finish()

    def _check_setups(self) -> None:
        """Raise `InvalidGameError` if a set-up has no position to change."""
        try:
            self._make_line()
        except NoPositionError as error:
            raise InvalidGameError(str(error), self._scan.setups()[0][1]) from error


class NoPositionError(Exception):
    """A set-up changes only the turn, but the position is unknown."""


class _LineBuilder:
    """Builds a line move by move."""

    def __init__(self, start: Position | None) -> None:
        self.start = start
        self.nodes: list[PdnNode] = []
        self.first_notes: list[Note] = []
        self.notes = self.first_notes  # of the last move, or those before the first
        self.move: Move | str | None = None
        self.strength = ""
        # The last known position and the moves since: few positions are needed, so they are computed lazily.
        self.known = start
        self.since: list[Move | str] = []

    def add_move(self, move: Move | None, text: str) -> None:
        """Add a move, or its text if the move is unknown."""
        self._close_node()
        self.move = move if move is not None else _normalise(text)
        self.since.append(self.move)
        self.notes = []

    def set_up(self, change: Position | Side) -> None:
        """Add a set-up: the line continues from its position. Raises `NoPositionError`."""
        position = change if isinstance(change, Position) else self._current_position()
        if position is None:
            raise NoPositionError("a set-up that changes only the turn needs a known position before it")
        if isinstance(change, Side):
            position = with_turn(position, change)
        self.notes.append(position)
        self.known, self.since = position, []

    def before_last(self) -> Position | None:
        """Return the position in which a variation begins: before the last move, or the start of the line."""
        last = self.since.pop() if self.since else None
        position = self._current_position()
        if last is not None:
            self.since.append(last)
        return position

    def _current_position(self) -> Position | None:
        """Return the position after the moves so far."""
        for move in self.since:
            self.known = None if self.known is None or isinstance(move, str) else self.known.play_unchecked(move)
        self.since = []
        return self.known

    def _close_node(self) -> None:
        if self.move is not None:
            self.nodes.append(PdnNode(self.move, self.strength, tuple(self.notes)))
        self.strength = ""

    def finish(self) -> PdnLine:
        """Return the finished line."""
        self._close_node()
        return PdnLine(self.start, tuple(self.nodes), tuple(self.first_notes))


def _normalise(text: str) -> str:
    """Normalise the text of an unchecked move; `UNKNOWN_MOVE` if it has no squares."""
    squares = "".join(text.split()).lower()
    if not any(map(str.isdigit, squares)):
        return UNKNOWN_MOVE
    squares = f"{squares[:2]}-{squares[2:]}" if squares.isdigit() else _NO_SEPARATOR.sub("-", squares)
    return _LEADING_ZEROS.sub("", squares)
