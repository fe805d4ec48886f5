"""Messages of the Kalah Game Protocol as text."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablemen.errors import ArgumentError, NotationError
from tablemen.protocols.kgp.board import Board
from tablemen.protocols.kgp.message import LONGEST, Message, Word, format_message, parse_message
from tests.protocols.kgp.strategies import messages

THREES = Board(0, 0, (3, 3, 3), (3, 3, 3))

# The lines of the specification, and what they say.
GOLDEN = {
    "kgp 1 0 1": Message("kgp", (1, 0, 1)),
    "mode freeplay": Message("mode", (Word("freeplay"),)),
    "mode eval": Message("mode", (Word("eval"),)),
    "mode verify": Message("mode", (Word("verify"),)),
    'error "Unsupported activity"': Message("error", ("Unsupported activity",)),
    "goodbye": Message("goodbye"),
    "4 state <3,0,0,3,3,3,3,3,3>": Message("state", (THREES,), id=4),
    "@4 move 1": Message("move", (1,), ref=4),
    "6@4 stop": Message("stop", id=6, ref=4),
    "8 state <3,1,3,0,4,4,4,3,3>": Message("state", (Board(1, 3, (0, 4, 4), (4, 3, 3)),), id=8),
    "@8 yield": Message("yield", ref=8),
    "2 problem <3,10,2,1,2,3,4,2,0> 1": Message("problem", (Board(10, 2, (1, 2, 3), (4, 2, 0)), 1), id=2),
    "3@2 solution <3,10,2,0,3,3,4,2,0> 0": Message("solution", (Board(10, 2, (0, 3, 3), (4, 2, 0)), 0), id=3, ref=2),
    "5@4 eval -0.5": Message("eval", (-0.5,), id=5, ref=4),
    "10 ping": Message("ping", id=10),
    "7@10 pong": Message("pong", id=7, ref=10),
    'set info:name "Ann"': Message("set", (Word("info:name"), "Ann")),
    'set info:authors "Ann and \\"Bob\\" \\\\"': Message("set", (Word("info:authors"), 'Ann and "Bob" \\')),
    'set info:comment "two\\nlines"': Message("set", (Word("info:comment"), "two\nlines")),
    'set auth:token ""': Message("set", (Word("auth:token"), "")),
    "set time:mode relative": Message("set", (Word("time:mode"), Word("relative"))),
    "set time:clock 5": Message("set", (Word("time:clock"), 5)),
    "ok": Message("ok"),
}

# What is read too, though nobody here writes it so.
LENIENT = {
    "  4\tstate   < 3 , 0,0,3,3,3,3,3,3>  ": Message("state", (THREES,), id=4),
    "x +0": Message("x", (0,)),
    "x -100": Message("x", (-100,)),
    "x +3.141": Message("x", (3.141,)),
    "x -.123": Message("x", (-0.123,)),
    "x 5.": Message("x", (5.0,)),
    "x 1e-05": Message("x", (1e-05,)),
    "x 007": Message("x", (7,)),
    "x single-word": Message("x", (Word("single-word"),)),
    'x "like \\" this"': Message("x", ('like " this',)),
    "4 2go": Message("2go", id=4),
    "mode go-kgp:verify": Message("mode", (Word("go-kgp:verify"),)),
}


@pytest.mark.parametrize("line", GOLDEN)
def test_lines_of_the_specification(line: str) -> None:
    assert parse_message(line) == GOLDEN[line]
    assert format_message(GOLDEN[line]) == line


@pytest.mark.parametrize("line", LENIENT)
def test_what_is_read_too(line: str) -> None:
    assert parse_message(line) == LENIENT[line]


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("", 1),
        ("42", 1),
        ('x "a\nb"', 5),
        ("220 4 2", 1),
        ("@", 1),
        ("4@ stop", 1),
        ("move! 3", 1),
        ("1" * 19 + " stop", 1),
        ("2@" + "1" * 19 + " stop", 3),
        ("x " + "1" * 19, 3),
        ("x 0." + "0" * 400, 3),
        ("x 1e999", 3),
        ('x "open', 3),
        ('x "a\\', 3),
        ('x "a""b"', 6),
        ("x ä", 3),
        ("x <", 3),
        ("x <3,0,0>", 4),
        ("x <0,0,0>", 4),
        ("x <25,0,0>", 4),
        ("x <1,0,0,-1,1>", 10),
        ("x <1,0,0,,1>", 10),
        ("x <1,0,0,999999,1>", 10),
        ("x <1,60000,60000,1,1>", 4),
        ("x <1,0,0,1,1", 3),
        ("x <1,0,0,1,1,1>", 4),
        ("x <1,0,0,1,1>2", 14),
        ("x " + "1 " * 17, 35),
        ("x" * (LONGEST + 1), LONGEST + 1),
    ],
)
def test_what_is_no_message(line: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(line)
    assert caught.value.column == column


def test_a_board_of_a_million_numbers_is_not_read_to_its_end() -> None:
    with pytest.raises(NotationError, match="pits"):
        parse_message(f"state <3{',0' * 8000}>")


@pytest.mark.parametrize(
    "message",
    [
        Message("two words"),
        Message(""),
        Message("42", (7,)),
        Message("x", id=-1),
        Message("x", ref=10**18),
        Message("x", (10**17,)),
        Message("x", (float("inf"),)),
        Message("x", (float("nan"),)),
        Message("x", (Word("5"),)),
        Message("x", (Word("0.5"),)),
        Message("x", (Word("two words"),)),
        Message("x", (Word(""),)),
        Message("x", ("\ud800",)),
        Message("x", ("x" * LONGEST,)),
        Message("x", (1,) * 17),
    ],
)
def test_what_no_line_can_say(message: Message) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


@settings(max_examples=50)
@given(messages())
@example(Message("x", (5e-324, 1.7976931348623157e308, -0.0)))
@example(Message("x", ('\r\n\t\\"',)))
def test_reading_undoes_writing(message: Message) -> None:
    line = format_message(message)
    assert "\n" not in line
    assert "\r" not in line
    assert parse_message(line) == message


@given(st.text(alphabet='0123456789@ \t"\\<>,.-+:abé', max_size=60))
def test_whatever_can_be_read_can_be_written(text: str) -> None:
    try:
        message = parse_message(text)
    except NotationError as error:
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - most texts are none
        return
    assert parse_message(format_message(message)) == message


def test_arguments_by_their_kind() -> None:
    message = parse_message('set info:name "Ann" 3 <1,0,0,1,1>')
    assert [message.text(at) for at in range(5)] == ["info:name", "Ann", None, None, None]
    assert [message.whole(at) for at in range(5)] == [None, None, 3, None, None]
    assert [message.board(at) for at in range(5)] == [None, None, None, Board(0, 0, (1,), (1,)), None]
    assert parse_message("STATE").verb == "state"
