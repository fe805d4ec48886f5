"""Reading PDN files as a stream of games, with recovery from moves that cannot be played."""

from __future__ import annotations

import codecs
import io
import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeAlias

from tablemen._core import PdnScan, PdnScanner
from tablemen.draughts.pdn.game import PdnGame
from tablemen.draughts.pdn.game_builder import ScannedGame
from tablemen.draughts.pdn.start_position import GameStart, InvalidGameError, StartCache, UnplayableError, find_start
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import ArgumentError, PdnError

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"
OnError: TypeAlias = Callable[[PdnError], object]
CHUNK_SIZE = 1 << 18  # bytes or characters that are read at a time
BATCH_SIZE = 256  # games that are checked at a time
MIN_BATCH_SIZE = 4  # for fewer games, a batch costs more than it gains
MAX_UNPLAYABLE = 20  # moves that a game may have: with more it is probably of another variant
MAX_RESCANNED_BYTES = 1_000_000  # per game

_SQUARE = rb"[A-Za-z]?[0-9]+"
_MOVE = re.compile(rb"%b(?:\s*-\s*%b)?(?:\s*[xX:]\s*%b|-\s*%b|[A-Za-z][0-9]+)*" % (_SQUARE, _SQUARE, _SQUARE, _SQUARE))


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
    without a GameType are of the given `variant`, or else of the first variant that allows all their moves.

    If `on_illegal` is given, it is called with a `PdnError` for every unplayable move, and the game has the unknown
    move `...` in its place.

    Several threads can read different files in parallel: scanning and checking run without the interpreter's lock.

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
        raise PdnError(f"the text has {len(games) or 'no'} games, not one: use read_pdn for any number", text)
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
        self._start_cache = StartCache(self._given)
        self._scans: list[PdnScan] = []
        # Scanned games with their start if all moves can be played from there, else None.
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
        """Check the next games in one call, which releases the interpreter's lock."""
        if len(self._scans) < MIN_BATCH_SIZE:
            self._checked.extend((scan, None) for scan in self._scans)
            self._scans.clear()
            return
        batch = self._scans[:BATCH_SIZE]
        starts = [self._start_cache.probable_start(scan) for scan in batch]
        playable = PdnScan.check_all(batch, [None if start is None else start.start for start in starts])
        checked = (start if is_playable else None for start, is_playable in zip(starts, playable, strict=True))
        self._checked.extend(zip(batch, checked, strict=True))
        del self._scans[:BATCH_SIZE]

    def _read_game(self, scan: PdnScan, start: GameStart | None) -> PdnGame:
        """Return the game. Find its start and check its moves if that has not been done."""
        self.games_read += 1
        if start is not None:
            return ScannedGame(scan, start)
        if scan.problem is not None:
            raise self._error(scan, *scan.problem)
        try:
            if self._on_illegal is None:
                return ScannedGame(scan, find_start(scan, self._given))
            recovered, start, illegal = recover(scan, self._given)
            game = ScannedGame(recovered, start)
        except InvalidGameError as error:
            raise self._error(scan, error.problem, error.byte) from None
        for each in illegal:
            self._on_illegal(self._error(scan, each.problem, each.byte))
        return game

    def _error(self, scan: PdnScan, problem: str, byte: int) -> PdnError:
        line, column = scan.place(byte)
        return PdnError(problem, scan.text, line=line, column=column, game=self.games_read)


def _transcoder(encoding: str) -> Callable[[bytes, bool], bytes]:
    """Return an incremental transcoder to UTF-8. Bytes that cannot be decoded are left for the scanner to report.

    Raises `ArgumentError` if it is not a text encoding, or not one that can be decoded incrementally.
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


def recover(scan: PdnScan, given: DraughtsRules | None) -> tuple[PdnScan, GameStart, list[UnplayableError]]:
    """Replace unplayable moves by unknown ones. Return the game, its start and the errors.

    All other tokens keep their bytes. Raises `InvalidGameError` if the game still cannot be read.
    """
    errors: list[UnplayableError] = []
    while True:
        try:
            return scan, find_start(scan, given), sorted(errors, key=lambda each: each.byte)
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
