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

# The first six are examples of the specification. The others follow its tables.
KNOWN_MESSAGES = [
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
        b"R01A name of exactly 32 characters.Z999999BZ" + b"Z" + b"e" * 48 + b"W",
        DxpGameRequest("A name of exactly 32 characters.", Side.BLACK, 999, 999, "ZZ" + "e" * 48 + "W"),
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


@pytest.mark.parametrize(("data", "message"), KNOWN_MESSAGES)
def test_known_messages_round_trip(data: bytes, message: DxpMessage) -> None:
    assert parse_message(data) == message
    assert format_message(message) == data


@given(messages())
def test_messages_round_trip(message: DxpMessage) -> None:
    data = format_message(message)
    assert 1 <= len(data) <= 127
    assert 0 not in data
    assert parse_message(data) == message


def find_error_column(data: bytes) -> int | None:
    """Return the column of the error, or None for a valid message."""
    try:
        parse_message(data)
    except NotationError as error:
        return error.column
    return None


@given(st.binary(max_size=140) | messages().map(format_message), st.data())
def test_any_bytes_are_a_message_or_an_error_with_a_column(original: bytes, data: st.DataObject) -> None:
    changed = bytearray(original)
    if changed:
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255))
        changed = changed[: data.draw(st.integers(at, len(changed)))]
    column = find_error_column(bytes(changed))
    assert column is None or 1 <= column <= len(changed) + 1


@given(st.binary(max_size=60))
def test_a_parsed_move_is_formatted_to_the_same_bytes(digits: bytes) -> None:
    data = b"M" + bytes(ord("0") + byte % 10 for byte in digits)
    if find_error_column(data) is None:
        assert format_message(parse_message(data)) == data
    else:
        assert len(data) < 11 or len(data) != 11 + 2 * int(data[9:11]) or b"00" in data


INVALID_MESSAGES = {  # data: column of the error
    b"": 1,
    b"X": 1,
    b"m0012061100": 1,
    b"M00120611": 10,
    b"M00120611010": 13,
    b"M001206110012": 12,
    b"M001 061100": 5,
    b"M0012001100": 6,
    b"B000Z": 2,
    b"B005B": 5,
    b"E40": 2,
    b"E0": 3,
    b"K3": 2,
    b"A": 2,
    b"R01short name": 14,
    b"R01" + b"x" * 32 + b"W005000C": 43,
    b"R01" + b"x" * 32 + b"W005000BW": 45,
    b"R01" + b"x" * 32 + b"W005000BWwzb": 47,
    b"C" + b"x" * 127: 128,
    "Cé".encode(): 2,
    b"Ca\0b": 3,
}


@pytest.mark.parametrize("data", INVALID_MESSAGES)
def test_invalid_messages_have_a_column(data: bytes) -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(data)
    assert caught.value.column == INVALID_MESSAGES[data]


def test_unpadded_names_and_empty_chats_are_accepted() -> None:
    assert parse_message(b"AScan0") == GameAcceptance("Scan", AcceptCode.ACCEPTED)
    assert parse_message(b"A  Scan  0") == GameAcceptance("Scan", AcceptCode.ACCEPTED)
    assert parse_message(b"A" + b" " * 32 + b"2") == GameAcceptance("", AcceptCode.NOT_THIS_GAME)
    assert parse_message(b"C") == Chat("")


def test_a_request_of_another_version_is_not_parsed() -> None:
    assert parse_message(b"R02 unknown fields") == UnsupportedRequest(2)


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
def test_values_that_do_not_fit_into_a_message_are_refused(message: DxpMessage) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


@given(st.text())
def test_any_name_and_text_can_be_converted(text: str) -> None:
    name = fit_name(text)
    assert parse_message(format_message(GameAcceptance(name, AcceptCode.ACCEPTED))) == GameAcceptance(
        name, AcceptCode.ACCEPTED
    )
    assert parse_message(format_message(Chat(fit_chat(text)))) == Chat(fit_chat(text))
    assert fit_name(name) == name
