from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen.draughts import Position
from tablemen.draughts.notation import format_dxp_position
from tablemen.errors import ArgumentError, NotationError
from tablemen.outcome import Side
from tablemen.protocols.dxp.message import (
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
    fit_chat,
    fit_name,
)
from tablemen.protocols.dxp.text import format_message, parse_message
from tests.protocols.dxp.strategies import messages

START = format_dxp_position(Position.start("international"))

# Those of the specification's own pages: Tornado, the chat, E00, B005Z and the two moves. The others are put together
# from its tables.
GOLDEN = [
    (b"ATornado voor Windows 4.0        0", GameAcceptance("Tornado voor Windows 4.0", Acceptance.ACCEPTED)),
    (b"CWhat do you think about move 35?", Chat("What do you think about move 35?")),
    (b"E00", GameEnd(Reason.UNKNOWN)),
    (b"B005Z", TakebackRequest(5, Side.BLACK)),
    (b"M0012061100", Move(12, 6, 11)),
    (b"M001205250422122320", Move(12, 5, 25, (22, 12, 23, 20))),
    (
        b"R01Tornado voor Windows 4.0        W060065A",
        GameRequest("Tornado voor Windows 4.0", Side.WHITE, 60, 65),
    ),
    (
        b"R01Tornado voor Windows 4.0        Z005000BW" + b"z" * 20 + b"e" * 10 + b"w" * 20,
        GameRequest("Tornado voor Windows 4.0", Side.BLACK, 5, 0, START),
    ),
    (
        b"R01A name of just as many as can beZ999999BZ" + b"Z" + b"e" * 48 + b"W",
        GameRequest("A name of just as many as can be", Side.BLACK, 999, 999, "ZZ" + "e" * 48 + "W"),
    ),
    (b"ATornado voor Windows 4.0        3", GameAcceptance("Tornado voor Windows 4.0", Acceptance.NO_GAMES)),
    (b"E11", GameEnd(Reason.LOST, leaves=True)),
    (b"E20", GameEnd(Reason.DRAWN)),
    (b"E30", GameEnd(Reason.WON)),
    (b"B999W", TakebackRequest(999, Side.WHITE)),
    (b"K0", TakebackAnswer(Takeback.ACCEPTED)),
    (b"K1", TakebackAnswer(Takeback.NOT_SUPPORTED)),
    (b"K2", TakebackAnswer(Takeback.REFUSED)),
]


@pytest.mark.parametrize(("data", "message"), GOLDEN)
def test_messages_are_read_and_written_to_the_byte(data: bytes, message: Message) -> None:
    assert parse_message(data) == message
    assert format_message(message) == data


@given(messages())
def test_what_is_written_is_read_again(message: Message) -> None:
    data = format_message(message)
    assert 1 <= len(data) <= 127
    assert 0 not in data
    assert parse_message(data) == message


def column_of(data: bytes) -> int | None:
    """Where the bytes are no message; None where they are one."""
    try:
        parse_message(data)
    except NotationError as error:
        return error.column
    return None


@given(st.binary(max_size=140) | messages().map(format_message), st.data())
def test_anything_is_a_message_or_an_error_that_points_into_it(given_bytes: bytes, data: st.DataObject) -> None:
    changed = bytearray(given_bytes)
    if changed:
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at] = data.draw(st.integers(0, 255))
        changed = changed[: data.draw(st.integers(at, len(changed)))]
    column = column_of(bytes(changed))
    assert column is None or 1 <= column <= len(changed) + 1


@given(st.binary(max_size=60))
def test_a_move_that_can_be_read_is_written_alike(digits: bytes) -> None:
    data = b"M" + bytes(ord("0") + byte % 10 for byte in digits)
    if column_of(data) is None:
        assert format_message(parse_message(data)) == data
    else:
        assert len(data) < 11 or len(data) != 11 + 2 * int(data[9:11]) or b"00" in data


@pytest.mark.parametrize(
    ("data", "column", "problem"),
    [
        (b"", 1, "the kind of the message is missing"),
        (b"X", 1, "'X' is no kind of message"),
        (b"m0012061100", 1, "'m' is no kind of message"),
        (b"M00120611", 10, "the number of captured pieces is missing"),
        (b"M00120611010", 13, "a captured piece is missing"),
        (b"M001206110012", 12, "the message should end here"),
        (b"M001 061100", 5, "' ' is no digit of the seconds"),
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
        ("Cé".encode(), 2, "the byte 195 is no ASCII character"),
        (b"Ca\0b", 3, "the byte 0 is no ASCII character"),
    ],
)
def test_what_is_no_message_is_told_with_its_place(data: bytes, column: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as raised:
        parse_message(data)
    assert raised.value.column == column


def test_names_that_are_not_filled_up_and_empty_chats_do_no_harm() -> None:
    assert parse_message(b"AScan0") == GameAcceptance("Scan", Acceptance.ACCEPTED)
    assert parse_message(b"A  Scan  0") == GameAcceptance("Scan", Acceptance.ACCEPTED)
    assert parse_message(b"A" + b" " * 32 + b"2") == GameAcceptance("", Acceptance.NOT_THIS_GAME)
    assert parse_message(b"C") == Chat("")


def test_a_request_of_another_version_is_read_as_far_as_that() -> None:
    assert parse_message(b"R02 whatever it means") == ForeignRequest(2)


@pytest.mark.parametrize(
    "message",
    [
        ForeignRequest(2),
        GameRequest("", Side.WHITE, 5),
        GameRequest(" x", Side.WHITE, 5),
        GameRequest("é", Side.WHITE, 5),
        GameRequest("x" * 33, Side.WHITE, 5),
        GameRequest("x", Side.WHITE, 1000),
        GameRequest("x", Side.WHITE, -1),
        GameRequest("x", Side.WHITE, 5, 1000),
        GameRequest("x", Side.WHITE, 5, 0, "W"),
        GameRequest("x", Side.WHITE, 5, 0, "Wx"),
        GameRequest("x", Side.WHITE, 5, 0, "W" + "e" * 84),
        Move(10000, 1, 2),
        Move(0, 0, 2),
        Move(0, 1, 100),
        Move(0, 1, 2, (3,) * 59),
        Chat(""),
        Chat("x" * 127),
        Chat("a\0"),
        Chat("é"),
        TakebackRequest(0, Side.WHITE),
        TakebackRequest(1000, Side.WHITE),
    ],
)
def test_what_a_message_has_no_room_for_is_not_written(message: Message) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


@given(st.text())
def test_any_name_and_any_text_can_be_made_to_fit(text: str) -> None:
    name = fit_name(text)
    assert parse_message(format_message(GameAcceptance(name, Acceptance.ACCEPTED))) == GameAcceptance(
        name, Acceptance.ACCEPTED
    )
    assert parse_message(format_message(Chat(fit_chat(text)))) == Chat(fit_chat(text))
    assert fit_name(name) == name
