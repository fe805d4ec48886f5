"""Game files, read game by game."""

from __future__ import annotations

import codecs
import io
import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeAlias

from tablemen._core import PdnScan, PdnScanner
from tablemen.draughts.pdn.build import ScannedGame
from tablemen.draughts.pdn.game import PdnGame
from tablemen.draughts.pdn.mending import mend
from tablemen.draughts.pdn.scene import SceneError, find_opening
from tablemen.draughts.rules import DraughtsRules
from tablemen.draughts.variants import find_variant
from tablemen.errors import ArgumentError, PdnError

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"
OnError: TypeAlias = Callable[[PdnError], object]
AT_ONCE = 1 << 18  # bytes, or characters, that are read at a time


def read_pdn(
    source: Source,
    *,
    variant: DraughtsRules | str | int | None = None,
    on_error: OnError | None = None,
    on_illegal: OnError | None = None,
    encoding: str = "utf-8",
) -> PdnReader:
    """The games of a file, one by one, whatever its size. Every move is checked.

    `source` is a path or a file opened for reading. A game that cannot be read is handed to `on_error` as a `PdnError`
    and the next one follows; without `on_error` it is raised, and the reader can still be asked for the next. Games
    that name no GameType are of the given `variant`, or else of the first variant that allows all their moves.

    A move that cannot be played is handed to `on_illegal` where that is given: the game has `...` in its place, a move
    that is not told, and is not lost for it.

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
    """The one game that a text has.

    >>> parse_pdn("1. 32-28 19-23 2. 28x19").moves[-1].captured
    (23,)

    Raises `PdnError` where the text is not one game.
    """
    if not isinstance(text, str):
        raise ArgumentError("text", text, "a str")
    games = list(read_pdn(io.StringIO(text), variant=variant))
    if len(games) != 1:
        raise PdnError(f"this text has {len(games) or 'no'} games; read_pdn takes any number", text)
    return games[0]


class PdnReader(Iterator[PdnGame]):
    """The games of a file. A path is opened at once and closed after the last game, or with the `with` block."""

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
        self._own: IO[bytes] | None = None
        if isinstance(source, str | os.PathLike):
            self._own = source = Path(source).open("rb")  # noqa: SIM115 - `close` closes it
        if not hasattr(source, "read"):
            raise ArgumentError("source", source, "a path or an open file")
        self._file: IO[Any] = source
        self._scanner = PdnScanner()
        self._scans: deque[PdnScan] = deque()
        self._is_at_end = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> PdnGame:
        while True:
            while not self._scans:
                if self._is_at_end:
                    self.close()
                    raise StopIteration
                self._read_more()
            try:
                return self._read_game(self._scans.popleft())
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
        """Closes the file, if the reader opened it."""
        if self._own is not None:
            self._own.close()

    def _read_more(self) -> None:
        read = self._file.read(AT_ONCE)
        self._is_at_end = not read
        data = read.encode("utf-8", "surrogatepass") if isinstance(read, str) else self._decode(read)
        self._scans.extend(self._scanner.feed(data))
        if self._is_at_end:
            self._scans.extend(self._scanner.finish())

    def _decode(self, data: bytes) -> bytes:
        try:
            return self._to_utf8(data, self._is_at_end)
        except UnicodeError as error:  # UTF-16 that does not say in which order its bytes are
            self._is_at_end = True
            raise PdnError(f"the bytes are not of the given encoding: {error}", "") from error

    def _read_game(self, scan: PdnScan) -> PdnGame:
        """The game that the scanner found, its moves checked."""
        self.games_read += 1
        if scan.problem is not None:
            raise self._error(scan, *scan.problem)
        try:
            if self._on_illegal is None:
                return ScannedGame(scan, find_opening(scan, self._given))
            mended, opening, illegal = mend(scan, self._given)
            game = ScannedGame(mended, opening)
        except SceneError as error:
            raise self._error(scan, error.problem, error.byte) from None
        for each in illegal:
            self._on_illegal(self._error(scan, each.problem, each.byte))
        return game

    def _error(self, scan: PdnScan, problem: str, byte: int) -> PdnError:
        line, column = scan.place(byte)
        return PdnError(problem, scan.text, line=line, column=column, game=self.games_read)


def _transcoder(encoding: str) -> Callable[[bytes, bool], bytes]:
    """What turns bytes in an encoding into UTF-8, piece by piece. What is not of the encoding stays for the scanner.

    Raises `ArgumentError` where it is no encoding of text, or none that can be read in pieces.
    """
    try:
        "a".encode(encoding)
        if codecs.lookup(encoding).name == "utf-8":
            return lambda data, _last: data
        decoder = codecs.getincrementaldecoder(encoding)(_KEEP)
        decoder.decode(b"")
    except (LookupError, TypeError, ValueError) as error:
        raise ArgumentError("encoding", encoding, "an encoding of text, by its name,") from error
    return lambda data, last: decoder.decode(data, last).encode("utf-8", "surrogatepass")


def _keep(error: UnicodeError) -> tuple[str, int]:
    """Half a character for each byte that is not of the encoding, which is no UTF-8 either."""
    assert isinstance(error, UnicodeDecodeError)
    return "\udc80" * (error.end - error.start), error.end


_KEEP = "tablemen.keep"
codecs.register_error(_KEEP, _keep)
