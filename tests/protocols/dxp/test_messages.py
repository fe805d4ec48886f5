"""DXP messages: parsing and formatting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.draughts import Position
from tablemen.draughts.notation import format_dxp_position
from tablemen.errors import ArgumentError, NotationError
from tablemen.outcome import Side
from tablemen.protocols.dxp.messages import (
    AcceptCode,
    Chat,
    DxpGameRequest,
    DxpMessage,
    DxpMove,
    EndReason,
    GameAcceptance,
    GameEnd,
    TakebackAnswer,
    TakebackCode,
    TakebackRequest,
    UnsupportedRequest,
    fit_chat,
    fit_name,
    format_message,
    parse_message,
)
from tests.protocols.dxp.strategies import messages

START = format_dxp_position(Position.start("international"))

# From the specification's examples: Tornado, the chat, E00, B005Z and the two moves. The others follow its tables.
GOLDEN = [
    (b"ATornado voor Windows 4.0        0", GameAcceptance("Tornado voor Windows 4.0", AcceptCode.ACCEPTED)),
    (b"CWhat do you think about move 35?", Chat("What do you think about move 35?")),
    (b"E00", GameEnd(EndReason.UNKNOWN)),
    (b"B005Z", TakebackRequest(5, Side.BLACK)),
    (b"M0012061100", DxpMove(12, 6, 11)),
    (b"M001205250422122320", DxpMove(12, 5, 25, (22, 12, 23, 20))),
    (
        b"R01Tornado voor Windows 4.0        W060065A",
        DxpGameRequest("Tornado voor Windows 4.0", Side.WHITE, 60, 65),
    ),
    (
        b"R01Tornado voor Windows 4.0        Z005000BW" + b"z" * 20 + b"e" * 10 + b"w" * 20,
        DxpGameRequest("Tornado voor Windows 4.0", Side.BLACK, 5, 0, START),
    ),
    (
        b"R01A name of just as many as can beZ999999BZ" + b"Z" + b"e" * 48 + b"W",
        DxpGameRequest("A name of just as many as can be", Side.BLACK, 999, 999, "ZZ" + "e" * 48 + "W"),
    ),
    (b"ATornado voor Windows 4.0        3", GameAcceptance("Tornado voor Windows 4.0", AcceptCode.NO_GAMES)),
    (b"E11", GameEnd(EndReason.LOST, is_last=True)),
    (b"E20", GameEnd(EndReason.DRAWN)),
    (b"E30", GameEnd(EndReason.WON)),
    (b"B999W", TakebackRequest(999, Side.WHITE)),
    (b"K0", TakebackAnswer(TakebackCode.ACCEPTED)),
    (b"K1", TakebackAnswer(TakebackCode.NOT_SUPPORTED)),
    (b"K2", TakebackAnswer(TakebackCode.REFUSED)),
]


@pytest.mark.parametrize(("data", "message"), GOLDEN)
def test_known_messages(data: bytes, message: DxpMessage) -> None:
    assert parse_message(data) == message
    assert format_message(message) == data


@given(messages())
def test_round_trip(message: DxpMessage) -> None:
    data = format_message(message)
    assert 1 <= len(data) <= 127
    assert 0 not in data
    assert parse_message(data) == message


def column_of(data: bytes) -> int | None:
    """Return the column of the error, or None for a valid message."""
    try:
        parse_message(data)
    except NotationError as error:
        return error.column
    return None


@given(st.binary(max_size=140) | messages().map(format_message), st.data())
def test_any_bytes_are_a_message_or_an_error_with_a_column(given_bytes: bytes, data: st.DataObject) -> None:
    changed = bytearray(given_bytes)
    if changed:
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255))
        changed = changed[: data.draw(st.integers(at, len(changed)))]
    column = column_of(bytes(changed))
    assert column is None or 1 <= column <= len(changed) + 1


@given(st.binary(max_size=60))
def test_a_parsed_move_is_formatted_to_the_same_bytes(digits: bytes) -> None:
    data = b"M" + bytes(ord("0") + byte % 10 for byte in digits)
    if column_of(data) is None:
        assert format_message(parse_message(data)) == data
    else:
        assert len(data) < 11 or len(data) != 11 + 2 * int(data[9:11]) or b"00" in data


@pytest.mark.parametrize(
    ("data", "column", "problem"),
    [
        (b"", 1, "a kind of message is missing"),
        (b"X", 1, "'X' is not a kind of message"),
        (b"m0012061100", 1, "'m' is not a kind of message"),
        (b"M00120611", 10, "the number of captured pieces is missing"),
        (b"M00120611010", 13, "a captured piece is missing"),
        (b"M001206110012", 12, "the message should end here"),
        (b"M001 061100", 5, "' ' is not a digit of the seconds"),
        (b"M0012001100", 6, "the start is 00, and at least 1 is expected"),
        (b"B000Z", 2, "the number of the move is 000"),
        (b"B005B", 5, "'B' is not the side to move: one of W Z"),
        (b"E40", 2, "'4' is not the reason"),
        (b"E0", 3, "the stop code is missing"),
        (b"K3", 2, "'3' is not the code"),
        (b"A", 2, "the code is missing"),
        (b"R01short name", 14, "a name is missing"),
        (b"R01" + b"x" * 32 + b"W005000C", 43, "'C' is not the kind of start"),
        (b"R01" + b"x" * 32 + b"W005000BW", 45, "a square is missing"),
        (b"R01" + b"x" * 32 + b"W005000BWwzb", 47, "'b' is not a square"),
        (b"C" + b"x" * 127, 128, "at most 127"),
        ("Cé".encode(), 2, "the byte 195 is not an ASCII character"),
        (b"Ca\0b", 3, "the byte 0 is not an ASCII character"),
    ],
)
def test_invalid_messages(data: bytes, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as raised:
        parse_message(data)
    assert raised.value.column == column


def test_unpadded_names_and_empty_chats_are_accepted() -> None:
    assert parse_message(b"AScan0") == GameAcceptance("Scan", AcceptCode.ACCEPTED)
    assert parse_message(b"A  Scan  0") == GameAcceptance("Scan", AcceptCode.ACCEPTED)
    assert parse_message(b"A" + b" " * 32 + b"2") == GameAcceptance("", AcceptCode.NOT_THIS_GAME)
    assert parse_message(b"C") == Chat("")


def test_a_request_of_another_version() -> None:
    assert parse_message(b"R02 whatever it means") == UnsupportedRequest(2)


@pytest.mark.parametrize(
    "message",
    [
        UnsupportedRequest(2),
        DxpGameRequest("", Side.WHITE, 5),
        DxpGameRequest(" x", Side.WHITE, 5),
        DxpGameRequest("é", Side.WHITE, 5),
        DxpGameRequest("x" * 33, Side.WHITE, 5),
        DxpGameRequest("x", Side.WHITE, 1000),
        DxpGameRequest("x", Side.WHITE, -1),
        DxpGameRequest("x", Side.WHITE, 5, 1000),
        DxpGameRequest("x", Side.WHITE, 5, 0, "W"),
        DxpGameRequest("x", Side.WHITE, 5, 0, "Wx"),
        DxpGameRequest("x", Side.WHITE, 5, 0, "W" + "e" * 84),
        DxpMove(10000, 1, 2),
        DxpMove(0, 0, 2),
        DxpMove(0, 1, 100),
        DxpMove(0, 1, 2, (3,) * 59),
        Chat(""),
        Chat("x" * 127),
        Chat("a\0"),
        Chat("é"),
        TakebackRequest(0, Side.WHITE),
        TakebackRequest(1000, Side.WHITE),
    ],
)
def test_values_that_do_not_fit_are_refused(message: DxpMessage) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


@given(st.text())
def test_any_name_and_any_text_can_be_fitted(text: str) -> None:
    name = fit_name(text)
    assert parse_message(format_message(GameAcceptance(name, AcceptCode.ACCEPTED))) == GameAcceptance(
        name, AcceptCode.ACCEPTED
    )
    assert parse_message(format_message(Chat(fit_chat(text)))) == Chat(fit_chat(text))
    assert fit_name(name) == name
