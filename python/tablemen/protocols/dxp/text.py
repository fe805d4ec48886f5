r"""Messages of DamExchange read and written to the byte.

>>> format_message(Move(seconds=12, start=5, end=25, captured=(22, 12, 23, 20)))
b'M001205250422122320'
>>> parse_message(b"B005Z")
TakebackRequest(number=5, side=Side.BLACK)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablemen.errors import ArgumentError, NotationError
from tablemen.outcome import Side
from tablemen.protocols.dxp.fields import Reader
from tablemen.protocols.dxp.message import (
    MOST,
    MOST_CHAT,
    MOST_SQUARES,
    NAME,
    SQUARES,
    VERSION,
    Acceptance,
    Chat,
    ForeignRequest,
    GameAcceptance,
    GameEnd,
    GameRequest,
    Message,
    Move,
    Reason,
    Takeback,
    TakebackAnswer,
    TakebackRequest,
    fit_name,
)
from tablemen.validation import is_whole

SIDES = {Side.WHITE: "W", Side.BLACK: "Z"}


def parse_message(data: bytes) -> Message:
    """The message that the bytes are, without the 0 behind them.

    Raises `NotationError`, pointing at the byte, where they are none.
    """
    reader = Reader(data.decode("ascii", "replace"))
    for at, byte in enumerate(data[: MOST + 1], 1):
        if not 1 <= byte <= 127:
            raise NotationError(f"the byte {byte} is no ASCII character from 1 to 127", reader.text, column=at)
        if at > MOST:
            raise NotationError(f"a message has at most {MOST} characters", reader.text, column=at)
    kind = reader.take(1, "the kind of the message")
    if kind not in _READERS:
        raise reader.error(f"{kind!r} is no kind of message: one of {' '.join(_READERS)} is expected", -1)
    message = _READERS[kind](reader)
    reader.check_end()
    return message


def _read_request(reader: Reader) -> GameRequest | ForeignRequest:
    version = reader.number(2, "the version")
    if version != VERSION:
        reader.skip()
        return ForeignRequest(version)
    name = _read_name(reader, NAME)
    follower = _read_side(reader, "the follower")
    minutes, moves = reader.number(3, "the minutes"), reader.number(3, "the moves")
    if reader.choose("AB", "the kind of start") == "A":
        return GameRequest(name, follower, minutes, moves)
    turn = reader.choose("WZ", "the side to move")
    squares = "".join(reader.choose(SQUARES, "a square") for _ in range(max(1, reader.left)))
    return GameRequest(name, follower, minutes, moves, turn + squares)


def _read_acceptance(reader: Reader) -> GameAcceptance:
    # The code stands last, so a name that was not filled up with blanks does no harm.
    name = _read_name(reader, min(NAME, max(0, reader.left - 1)))
    return GameAcceptance(name, Acceptance(reader.choose("0123", "the code")))


def _read_move(reader: Reader) -> Move:
    seconds = reader.number(4, "the seconds")
    start, end = reader.number(2, "the start", least=1), reader.number(2, "the end", least=1)
    captured = range(reader.number(2, "the number of captured pieces"))
    return Move(seconds, start, end, tuple(reader.number(2, "a captured piece", least=1) for _ in captured))


def _read_end(reader: Reader) -> GameEnd:
    reason = Reason(reader.choose("0123", "the reason"))
    return GameEnd(reason, reader.choose("01", "the stop code") == "1")


def _read_chat(reader: Reader) -> Chat:
    return Chat(reader.skip())  # an empty one says nothing and does no harm


def _read_takeback(reader: Reader) -> TakebackRequest:
    return TakebackRequest(reader.number(3, "the number of the move", least=1), _read_side(reader, "the side to move"))


def _read_answer(reader: Reader) -> TakebackAnswer:
    return TakebackAnswer(Takeback(reader.choose("012", "the code")))


_READERS: dict[str, Callable[[Reader], Message]] = {
    "R": _read_request,
    "A": _read_acceptance,
    "M": _read_move,
    "E": _read_end,
    "C": _read_chat,
    "B": _read_takeback,
    "K": _read_answer,
}


def _read_name(reader: Reader, width: int) -> str:
    """A name without the blanks that fill it up; blanks before it should not be there, and do no harm."""
    return reader.take(width, "a name").strip(" ")


def _read_side(reader: Reader, what: str) -> Side:
    return Side.WHITE if reader.choose("WZ", what) == "W" else Side.BLACK


def format_message(message: Message) -> bytes:
    """The bytes of a message, without the 0 behind them.

    Raises `ArgumentError` where it has no room for what it is to say.
    """
    if type(message) not in _WRITERS:
        raise ArgumentError("message", message, "a message of version 1")
    text = _WRITERS[type(message)](message)
    if len(text) > MOST:
        raise ArgumentError("message", text, f"one of at most {MOST} characters")
    return text.encode("ascii")


def _write_request(request: GameRequest) -> str:
    minutes, moves = _digits("minutes", request.minutes, 3), _digits("moves", request.moves, 3)
    start = "A" if request.position is None else f"B{_position(request.position)}"
    return f"R{VERSION:02}{_name(request.name)}{SIDES[request.follower]}{minutes}{moves}{start}"


def _write_acceptance(acceptance: GameAcceptance) -> str:
    return f"A{_name(acceptance.name)}{acceptance.code.value}"


def _write_move(move: Move) -> str:
    for square in (move.start, move.end, *move.captured):
        _digits("square", square, 2, least=1)
    return f"M{_digits('seconds', move.seconds, 4)}{move.text}"


def _write_end(end: GameEnd) -> str:
    return f"E{end.reason.value}{int(end.leaves)}"


def _write_chat(chat: Chat) -> str:
    if not 1 <= len(chat.text) <= MOST_CHAT or not all("\1" <= each <= "\177" for each in chat.text):
        raise ArgumentError("text", chat.text, f"1 to {MOST_CHAT} ASCII characters")
    return f"C{chat.text}"


def _write_takeback(request: TakebackRequest) -> str:
    return f"B{_digits('number', request.number, 3, least=1)}{SIDES[request.side]}"


def _write_answer(answer: TakebackAnswer) -> str:
    return f"K{answer.code.value}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    GameRequest: _write_request,
    GameAcceptance: _write_acceptance,
    Move: _write_move,
    GameEnd: _write_end,
    Chat: _write_chat,
    TakebackRequest: _write_takeback,
    TakebackAnswer: _write_answer,
}


def _digits(name: str, number: int, width: int, *, least: int = 0) -> str:
    if not is_whole(number, least=least, most=10**width - 1):
        raise ArgumentError(name, number, f"a whole number from {least} to {10**width - 1}")
    return f"{number:0{width}}"


def _name(name: str) -> str:
    if name != fit_name(name):
        raise ArgumentError("name", name, f"1 to {NAME} printable ASCII characters, without blanks around them,")
    return name.ljust(NAME)


def _position(position: str) -> str:
    if not 2 <= len(position) <= 1 + MOST_SQUARES or position[0] not in "WZ" or set(position[1:]) - set(SQUARES):
        raise ArgumentError("position", position, f"W or Z, and the letters of at most {MOST_SQUARES} squares,")
    return position
