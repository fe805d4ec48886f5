r"""Messages of DXP: parse and format them.

The specification at mesander.nl/damexchange covers boards of ten by ten squares. Positions on other boards use the same
letters, if the message fits into 127 bytes.

>>> format_message(DxpMove(seconds=12, start=5, end=25, captured=(22, 12, 23, 20)))
b'M001205250422122320'
>>> parse_message(b"B005Z")
TakebackRequest(number=5, side=Side.BLACK)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablemen.draughts import DraughtsRules, Move, Position
from tablemen.draughts.family import DraughtsFamily
from tablemen.draughts.notation import format_dxp_move, format_dxp_position, parse_dxp_move, parse_dxp_position
from tablemen.enums import Named
from tablemen.errors import ArgumentError, NotationError, TablemenError
from tablemen.outcome import Outcome, Side
from tablemen.protocols.transport import Framing
from tablemen.validation import is_int

VERSION = 1
MAX_LENGTH = 127  # bytes of a message, without the terminating 0
MAX_NAME_LENGTH = 32
MAX_CHAT_LENGTH = MAX_LENGTH - 1
MAX_MINUTES = MAX_MOVES = 999
MAX_SECONDS = 9999
MAX_SQUARES = 83  # squares that fit into a game request
DEFAULT_NAME = "tablemen"
FRAMING = Framing(b"\0", MAX_LENGTH)

KINDS = "RAMECBK"
SQUARES = "wzWZe"
SIDES = {Side.WHITE: "W", Side.BLACK: "Z"}


class AcceptCode(Named):
    """The answer to a game request."""

    ACCEPTED = "0"
    WRONG_VERSION = "1"
    NOT_THIS_GAME = "2"
    NO_GAMES = "3"


class EndReason(Named):
    """The reason for the end of a game, from the point of view of the sender."""

    UNKNOWN = "0"
    LOST = "1"
    DRAWN = "2"
    WON = "3"

    @staticmethod
    def of(outcome: Outcome | None, side: Side) -> EndReason:
        """Return the reason for an outcome from the point of view of `side`.

        >>> from tablemen.outcome import Termination
        >>> EndReason.of(Outcome(Side.WHITE, Termination.TIME), Side.BLACK)
        EndReason.LOST
        """
        if outcome is None:
            return EndReason.UNKNOWN
        if outcome.winner is None:
            return EndReason.DRAWN
        return EndReason.WON if outcome.winner is side else EndReason.LOST


class TakebackCode(Named):
    """The answer to a takeback request."""

    ACCEPTED = "0"
    NOT_SUPPORTED = "1"
    REFUSED = "2"


@dataclass(frozen=True, slots=True)
class DxpGameRequest:
    """GAMEREQ: the initiator requests a game.

    `follower` is the side of the receiver. `position` is None for the start position, else the text of
    `format_start`. `moves` is the length of the game in moves of each side; 0 means no limit.
    """

    name: str
    follower: Side
    minutes: int
    moves: int = 0
    position: str | None = None


@dataclass(frozen=True, slots=True)
class UnsupportedRequest:
    """A GAMEREQ of another protocol version. The rest of the message is not parsed, so it cannot be formatted."""

    version: int


@dataclass(frozen=True, slots=True)
class GameAcceptance:
    """GAMEACC: the follower's answer to a game request."""

    name: str
    code: AcceptCode


@dataclass(frozen=True, slots=True)
class DxpMove:
    """MOVE: the seconds used, the first and last square, and the captured pieces in any order."""

    seconds: int
    start: int
    end: int
    captured: tuple[int, ...] = ()

    @classmethod
    def of(cls, move: Move, position: Position, seconds: float = 0) -> DxpMove:
        """Return the message for a move in a position.

        Raises `AmbiguousMoveError` if the message fits another legal move too: under some rules two captures differ
        only in the promotion.
        """
        text = format_dxp_move(move)
        if move in position.legal_moves():
            parse_dxp_move(text, position)
        start, end, _, *captured = (int(text[at : at + 2]) for at in range(0, len(text), 2))
        return cls(int(min(max(0.0, seconds), MAX_SECONDS)), start, end, tuple(captured))

    @property
    def text(self) -> str:
        """The text of the move for `parse_dxp_move`, without the seconds."""
        return "".join(f"{number:02}" for number in (self.start, self.end, len(self.captured), *self.captured))


@dataclass(frozen=True, slots=True)
class GameEnd:
    """GAMEEND: the sender ends the game, or confirms its end; `is_last` is set if it declines further games."""

    reason: EndReason = EndReason.UNKNOWN
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """CHAT: a text for the opponent's user."""

    text: str


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """BACKREQ: take back the move with this number, counted from 1, of this side, and all later moves.

    Each side numbers its own moves, even if Black begins: `B005Z` is Black's fifth move.
    """

    number: int
    side: Side

    @classmethod
    def of(cls, ply: int, first: Side) -> TakebackRequest:
        """Return the request to go back to the position after `ply` moves, if the side `first` began.

        >>> TakebackRequest.of(9, Side.WHITE)
        TakebackRequest(number=5, side=Side.BLACK)
        """
        return cls(ply // 2 + 1, first.opponent if ply % 2 else first)

    def ply(self, first: Side) -> int:
        """Return the number of moves that remain, if the side `first` began.

        >>> request = TakebackRequest(5, Side.BLACK)
        >>> request.ply(Side.WHITE), request.ply(Side.BLACK)
        (9, 8)
        """
        return 2 * (self.number - 1) + (self.side is not first)


@dataclass(frozen=True, slots=True)
class TakebackAnswer:
    """BACKACC: the answer to a takeback request."""

    code: TakebackCode


DxpMessage: TypeAlias = (
    DxpGameRequest | UnsupportedRequest | GameAcceptance | DxpMove | GameEnd | Chat | TakebackRequest | TakebackAnswer
)


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Settings of the games that we request: our name, minutes for each side, and moves of each side (0: no limit).

    If `minutes` is None, the clock of the game determines them; a game without a clock has `DEFAULT_MINUTES`.
    """

    name: str = DEFAULT_NAME
    minutes: int | None = None
    moves: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ArgumentError("name", self.name, "a text")
        object.__setattr__(self, "name", fit_name(self.name))
        if self.minutes is not None and not is_int(self.minutes, minimum=1, maximum=MAX_MINUTES):
            raise ArgumentError("minutes", self.minutes, f"a whole number from 1 to {MAX_MINUTES}")
        if not is_int(self.moves, maximum=MAX_MOVES):
            raise ArgumentError("moves", self.moves, f"a whole number from 0 to {MAX_MOVES}")


def fit_text(text: str, length: int) -> str:
    """Shorten a text to `length` characters, and replace all but printable ASCII characters by question marks."""
    return "".join(each if " " <= each <= "~" else "?" for each in text.strip()[:length])


def fit_name(name: str) -> str:
    """Convert a name for use in a message: 1 to 32 printable ASCII characters without surrounding spaces.

    >>> fit_name(" Tornado – für Windows, die vierte Auflage")
    'Tornado ? f?r Windows, die viert'
    """
    return fit_text(name, MAX_NAME_LENGTH).strip() or "?"


def fit_chat(text: str) -> str:
    """Convert a text for use in a chat message."""
    return fit_text(text, MAX_CHAT_LENGTH) or "?"


def check_rules(rules: object) -> None:
    """Raise `TablemenError` if these are not rules of draughts."""
    if not DraughtsFamily().owns(rules):
        raise TablemenError(f"DXP is for draughts, and {rules} is another game")


def format_start(position: Position) -> str | None:
    """Format a start position for a request; return None for the start of the variant with White to move.

    Raises `TablemenError` if the board is too large for DXP.
    """
    _check_board(position)
    is_default = position.turn is Side.WHITE and position == Position.start(position.variant)
    return None if is_default else format_dxp_position(position)


def parse_start(text: str | None, rules: DraughtsRules) -> Position:
    """Parse the start position of a request. Raises `TablemenError`."""
    position = Position.start(rules) if text is None else parse_dxp_position(text, rules)
    _check_board(position)
    return position


def _check_board(position: Position) -> None:
    for move in position.legal_moves()[:1]:
        format_dxp_move(move)


def parse_message(data: bytes) -> DxpMessage:
    """Parse a message without the terminating 0.

    Raises `NotationError` with the column of the first wrong byte.
    """
    fields = _FieldReader(data.decode("ascii", "replace"))
    for at, byte in enumerate(data[: MAX_LENGTH + 1], 1):
        if not 1 <= byte <= 127:
            raise NotationError(f"expected an ASCII character from 1 to 127, got byte {byte}", fields.text, column=at)
        if at > MAX_LENGTH:
            raise NotationError(f"the message is longer than {MAX_LENGTH} characters", fields.text, column=at)
    message = _parse_fields(fields)
    if fields.left:
        raise fields.error("expected the end of the message")
    return message


def _parse_fields(fields: _FieldReader) -> DxpMessage:  # noqa: PLR0911 - one return for each kind
    match fields.choose(KINDS, "the kind of message"):
        case "R":
            return _parse_request(fields)
        case "A":  # accept names that are not padded: the code is the last character
            name = fields.name(min(MAX_NAME_LENGTH, max(0, fields.left - 1)))
            return GameAcceptance(name, AcceptCode(fields.choose("0123", "the code")))
        case "M":
            seconds = fields.number(4, "the seconds")
            start, end = fields.number(2, "the first square", minimum=1), fields.number(2, "the last square", minimum=1)
            captured = range(fields.number(2, "the number of captured pieces"))
            return DxpMove(
                seconds,
                start,
                end,
                tuple(fields.number(2, "the square of a captured piece", minimum=1) for _ in captured),
            )
        case "E":
            reason = EndReason(fields.choose("0123", "the reason"))
            return GameEnd(reason, fields.choose("01", "the stop code") == "1")
        case "C":
            return Chat(fields.take(fields.left, "the text"))  # accept an empty text, although we never send one
        case "B":
            return TakebackRequest(fields.number(3, "the move number", minimum=1), fields.side("the side to move"))
        case _:
            return TakebackAnswer(TakebackCode(fields.choose("012", "the code")))


def _parse_request(fields: _FieldReader) -> DxpGameRequest | UnsupportedRequest:
    version = fields.number(2, "the version")
    if version != VERSION:
        fields.take(fields.left, "the rest")
        return UnsupportedRequest(version)
    name, follower = fields.name(MAX_NAME_LENGTH), fields.side("the side of the follower")
    minutes, moves = fields.number(3, "the minutes"), fields.number(3, "the moves")
    if fields.choose("AB", "the kind of start") == "A":
        return DxpGameRequest(name, follower, minutes, moves)
    turn = fields.choose("WZ", "the side to move")
    squares = "".join(fields.choose(SQUARES, "a square") for _ in range(max(1, fields.left)))
    return DxpGameRequest(name, follower, minutes, moves, turn + squares)


class _FieldReader:
    """A parser of fixed-width fields; its errors have the column of the field."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at = 0

    @property
    def left(self) -> int:
        """The number of remaining characters."""
        return len(self.text) - self._at

    def take(self, width: int, what: str) -> str:
        """Return the next `width` characters. Raises `NotationError` if fewer are left."""
        if self.left < width:
            raise self.error(f"{what} is missing", self.left)
        taken = self.text[self._at : self._at + width]
        self._at += width
        return taken

    def choose(self, known: str, what: str) -> str:
        """Return the next character, which must be one of `known`."""
        letter = self.take(1, what)
        if letter not in known:
            raise self.error(f"expected {what} (one of {' '.join(known)}), got {letter!r}", -1)
        return letter

    def number(self, width: int, what: str, *, minimum: int = 0) -> int:
        """Return the number in the next `width` digits."""
        digits = self.take(width, what)
        for at, digit in enumerate(digits):
            if digit not in "0123456789":
                raise self.error(f"expected a digit of {what}, got {digit!r}", at - width)
        if int(digits) < minimum:
            raise self.error(f"expected {what} to be at least {minimum}, got {digits}", -width)
        return int(digits)

    def name(self, width: int) -> str:
        """Return a name without its padding; leading spaces, which are invalid, are ignored."""
        return self.take(width, "the name").strip(" ")

    def side(self, what: str) -> Side:
        """Return the side in the next character."""
        return Side.WHITE if self.choose("WZ", what) == "W" else Side.BLACK

    def error(self, problem: str, offset: int = 0) -> NotationError:
        """Return an error at the next character plus `offset`."""
        return NotationError(problem, self.text, column=self._at + offset + 1)


def format_message(message: DxpMessage) -> bytes:
    """Format a message as bytes, without the terminating 0.

    Raises `ArgumentError` if a value does not fit into its field.
    """
    text = _format_fields(message)
    if len(text) > MAX_LENGTH:
        raise ArgumentError("message", text, f"at most {MAX_LENGTH} characters")
    return text.encode("ascii")


def _format_fields(message: DxpMessage) -> str:  # noqa: PLR0911 - one return for each kind
    match message:
        case DxpGameRequest(name, follower, minutes, moves, position):
            limits = _digits("minutes", minutes, 3) + _digits("moves", moves, 3)
            start = "A" if position is None else f"B{_check_position(position)}"
            return f"R{VERSION:02}{_pad_name(name)}{SIDES[follower]}{limits}{start}"
        case GameAcceptance(name, accepted):
            return f"A{_pad_name(name)}{accepted.value}"
        case DxpMove():
            for square in (message.start, message.end, *message.captured):
                _digits("square", square, 2, minimum=1)
            return f"M{_digits('seconds', message.seconds, 4)}{message.text}"
        case GameEnd(reason, is_last):
            return f"E{reason.value}{int(is_last)}"
        case Chat(text):
            if not 1 <= len(text) <= MAX_CHAT_LENGTH or not all("\1" <= each <= "\177" for each in text):
                raise ArgumentError("text", text, f"1 to {MAX_CHAT_LENGTH} ASCII characters")
            return f"C{text}"
        case TakebackRequest(number, side):
            return f"B{_digits('number', number, 3, minimum=1)}{SIDES[side]}"
        case TakebackAnswer(answer):
            return f"K{answer.value}"
        case _:
            raise ArgumentError("message", message, f"a message of DXP version {VERSION}")


def _digits(name: str, number: int, width: int, *, minimum: int = 0) -> str:
    if not is_int(number, minimum=minimum, maximum=10**width - 1):
        raise ArgumentError(name, number, f"a whole number from {minimum} to {10**width - 1}")
    return f"{number:0{width}}"


def _pad_name(name: str) -> str:
    if name != fit_name(name):
        expected = f"1 to {MAX_NAME_LENGTH} printable ASCII characters without surrounding spaces"
        raise ArgumentError("name", name, expected)
    return name.ljust(MAX_NAME_LENGTH)


def _check_position(position: str) -> str:
    if not 2 <= len(position) <= 1 + MAX_SQUARES or position[0] not in "WZ" or set(position[1:]) - set(SQUARES):
        raise ArgumentError("position", position, f"W or Z, followed by 1 to {MAX_SQUARES} of the letters {SQUARES}")
    return position
