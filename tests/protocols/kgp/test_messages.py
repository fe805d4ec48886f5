"""Messages of the Kalah Game Protocol: parsing and formatting, boards and problems."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablemen.draughts import Position as DraughtsPosition
from tablemen.errors import ArgumentError, NotationError
from tablemen.mancala import NORTH, OWARE, SOUTH, VARIANTS, KalahRules, Position, Swap
from tablemen.protocols.kgp.messages import (
    MAX_LENGTH,
    KgpBoard,
    KgpMessage,
    ProblemSolution,
    Word,
    accepted_solutions,
    explain_unsupported,
    format_message,
    make_problem,
    parse_board,
    parse_flag,
    parse_message,
    solve_problem,
)
from tests.protocols.kgp.strategies import boards, messages
from tests.reference import kalah

KGP = VARIANTS["kgp"]
THREES = KgpBoard(0, 0, (3, 3, 3), (3, 3, 3))

# Lines of the specification.
SPECIFIED = {
    "kgp 1 0 1": KgpMessage("kgp", (1, 0, 1)),
    "mode freeplay": KgpMessage("mode", (Word("freeplay"),)),
    "mode eval": KgpMessage("mode", (Word("eval"),)),
    "mode verify": KgpMessage("mode", (Word("verify"),)),
    'error "Unsupported activity"': KgpMessage("error", ("Unsupported activity",)),
    "goodbye": KgpMessage("goodbye"),
    "4 state <3,0,0,3,3,3,3,3,3>": KgpMessage("state", (THREES,), id=4),
    "@4 move 1": KgpMessage("move", (1,), ref=4),
    "6@4 stop": KgpMessage("stop", id=6, ref=4),
    "8 state <3,1,3,0,4,4,4,3,3>": KgpMessage("state", (KgpBoard(1, 3, (0, 4, 4), (4, 3, 3)),), id=8),
    "@8 yield": KgpMessage("yield", ref=8),
    "2 problem <3,10,2,1,2,3,4,2,0> 1": KgpMessage("problem", (KgpBoard(10, 2, (1, 2, 3), (4, 2, 0)), 1), id=2),
    "3@2 solution <3,10,2,0,3,3,4,2,0> 0": KgpMessage(
        "solution", (KgpBoard(10, 2, (0, 3, 3), (4, 2, 0)), 0), id=3, ref=2
    ),
    "5@4 eval -0.5": KgpMessage("eval", (-0.5,), id=5, ref=4),
    "10 ping": KgpMessage("ping", id=10),
    "7@10 pong": KgpMessage("pong", id=7, ref=10),
    'set info:name "Ann"': KgpMessage("set", (Word("info:name"), "Ann")),
    'set info:authors "Ann and \\"Bob\\" \\\\"': KgpMessage("set", (Word("info:authors"), 'Ann and "Bob" \\')),
    'set info:comment "two\\nlines"': KgpMessage("set", (Word("info:comment"), "two\nlines")),
    'set auth:token ""': KgpMessage("set", (Word("auth:token"), "")),
    "set time:mode relative": KgpMessage("set", (Word("time:mode"), Word("relative"))),
    "set time:clock 5": KgpMessage("set", (Word("time:clock"), 5)),
    "ok": KgpMessage("ok"),
}

# Lines that we accept but never send.
LENIENT = {
    "  4\tstate   < 3 , 0,0,3,3,3,3,3,3>  ": KgpMessage("state", (THREES,), id=4),
    "x +0": KgpMessage("x", (0,)),
    "x -100": KgpMessage("x", (-100,)),
    "x +3.141": KgpMessage("x", (3.141,)),
    "x -.123": KgpMessage("x", (-0.123,)),
    "x 5.": KgpMessage("x", (5.0,)),
    "x 1e-05": KgpMessage("x", (1e-05,)),
    "x 007": KgpMessage("x", (7,)),
    "x single-word": KgpMessage("x", (Word("single-word"),)),
    'x "like \\" this"': KgpMessage("x", ('like " this',)),
    "4 2go": KgpMessage("2go", id=4),
    "mode go-kgp:verify": KgpMessage("mode", (Word("go-kgp:verify"),)),
}


@pytest.mark.parametrize("line", SPECIFIED)
def test_lines_of_the_specification_round_trip(line: str) -> None:
    assert parse_message(line) == SPECIFIED[line]
    assert format_message(SPECIFIED[line]) == line


@pytest.mark.parametrize("line", LENIENT)
def test_lenient_lines_are_accepted(line: str) -> None:
    assert parse_message(line) == LENIENT[line]


MALFORMED = {  # line: column of the error
    "": 1,
    "42": 1,
    'x "a\nb"': 5,
    "220 4 2": 1,
    "@": 1,
    "4@ stop": 1,
    "move! 3": 1,
    "1" * 19 + " stop": 1,
    "2@" + "1" * 19 + " stop": 3,
    "x " + "1" * 19: 3,
    "x 0." + "0" * 400: 3,
    "x 1e999": 3,
    'x "open': 3,
    'x "a\\': 3,
    'x "a""b"': 6,
    "x ä": 3,
    "x <": 3,
    "x <3,0,0>": 4,
    "x <0,0,0>": 4,
    "x <25,0,0>": 4,
    "x <1,0,0,-1,1>": 10,
    "x <1,0,0,,1>": 10,
    "x <1,0,0,999999,1>": 10,
    "x <1,60000,60000,1,1>": 4,
    "x <1,0,0,1,1": 3,
    "x <1,0,0,1,1,1>": 4,
    "x <1,0,0,1,1>2": 14,
    "x " + "1 " * 17: 35,
    "x" * (MAX_LENGTH + 1): MAX_LENGTH + 1,
}


@pytest.mark.parametrize("line", MALFORMED)
def test_malformed_lines_have_a_column(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(line)
    assert caught.value.column == MALFORMED[line]


def test_a_very_long_board_is_refused() -> None:
    with pytest.raises(NotationError) as caught:
        parse_message(f"state <3{',0' * 8000}>")
    assert caught.value.column == 8  # the number of houses, which does not fit the number of pits


@pytest.mark.parametrize(
    "message",
    [
        KgpMessage("two words"),
        KgpMessage(""),
        KgpMessage("42", (7,)),
        KgpMessage("x", id=-1),
        KgpMessage("x", ref=10**18),
        KgpMessage("x", (10**17,)),
        KgpMessage("x", (float("inf"),)),
        KgpMessage("x", (float("nan"),)),
        KgpMessage("x", (Word("5"),)),
        KgpMessage("x", (Word("0.5"),)),
        KgpMessage("x", (Word("two words"),)),
        KgpMessage("x", (Word(""),)),
        KgpMessage("x", ("\ud800",)),
        KgpMessage("x", ("x" * MAX_LENGTH,)),
        KgpMessage("x", (1,) * 17),
    ],
)
def test_messages_that_kgp_cannot_express_are_refused(message: KgpMessage) -> None:
    with pytest.raises(ArgumentError):
        format_message(message)


@settings(max_examples=50)
@given(messages())
@example(KgpMessage("x", (5e-324, 1.7976931348623157e308, -0.0)))
@example(KgpMessage("x", ('\r\n\t\\"',)))
def test_messages_round_trip(message: KgpMessage) -> None:
    line = format_message(message)
    assert "\n" not in line
    assert "\r" not in line
    assert parse_message(line) == message


@given(st.text(alphabet='0123456789@ \t"\\<>,.-+:abé', max_size=60))
def test_parsed_messages_round_trip(text: str) -> None:
    try:
        message = parse_message(text)
    except NotationError as error:
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - most texts are not messages
        return
    assert parse_message(format_message(message)) == message


def test_arguments_are_accessed_by_type() -> None:
    message = parse_message('set info:name "Ann" 3 <1,0,0,1,1>')
    assert [message.text(at) for at in range(5)] == ["info:name", "Ann", None, None, None]
    assert [message.integer(at) for at in range(5)] == [None, None, 3, None, None]
    assert [message.board(at) for at in range(5)] == [None, None, None, KgpBoard(0, 0, (1,), (1,)), None]
    assert parse_message("STATE").verb == "state"


@given(boards())
def test_boards_round_trip(board: KgpBoard) -> None:
    assert parse_board(str(board)) == (board, len(str(board)))


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_a_board_has_the_side_to_move_as_south(seed: int, plies: int) -> None:
    random, position = Random(seed), Position.start(KGP)
    for _ in range(plies):
        if position.outcome() is None:
            position = position.play(random.choice(position.legal_moves()))
    board = KgpBoard.from_position(position)
    assert (board.south_store, board.north_store) == (
        position.stores[position.turn],
        position.stores[position.turn.opponent],
    )
    assert (board.south, board.north) == (position.houses(position.turn), position.houses(position.turn.opponent))
    assert board.seeds == 48
    rotated = board.position(KGP)
    assert rotated.turn is SOUTH
    assert [move.house for move in rotated.legal_moves()] == [move.house for move in position.legal_moves()]


@pytest.mark.parametrize(
    ("text", "rules", "houses"),
    [
        ("<2,0,0,1,1,1,1>", "kgp", [1, 2]),
        ("<2,9,0,1,1,1,1>", "open_spiel", [1, 2]),  # more than half of the seeds
        ("<2,0,0,1,1,0,0>", "kalah", [1, 2]),  # North has no seeds
    ],
)
def test_a_finished_game_continues_under_other_rules(text: str, rules: str, houses: list[int]) -> None:
    position = parse_board(text)[0].playable_position()
    assert position is not None
    assert position.variant.name == rules
    assert [move.house for move in position.legal_moves()] == houses


def test_a_board_without_seeds_for_south_cannot_be_played() -> None:
    assert parse_board("<2,0,0,0,0,1,1>")[0].playable_position() is None


def test_unsupported_positions_are_explained() -> None:
    assert explain_unsupported(Position.start("kalah")) is None
    assert explain_unsupported(Position.start(KalahRules(name="pie", swap=Swap.PIE)))
    assert explain_unsupported(Position.start(OWARE))
    assert explain_unsupported(DraughtsPosition.start("english"))


@pytest.mark.parametrize(
    ("board", "house", "after", "repeats"),
    [
        ("<3,0,0,3,3,3,3,3,3>", 1, "<3,1,0,0,4,4,3,3,3>", True),
        ("<3,0,0,3,3,3,3,3,3>", 2, "<3,1,0,3,0,4,4,3,3>", False),
        ("<3,0,0,1,0,3,3,3,3>", 1, "<3,4,0,0,0,3,3,0,3>", False),  # captures
        ("<2,0,0,0,1,3,3>", 2, "<2,1,6,0,0,0,0>", True),  # ends the game, with the last seed in the store
        ("<2,9,0,1,1,1,1>", 1, "<2,11,2,0,0,0,0>", False),  # the game was over before
    ],
)
def test_problems_are_solved(board: str, house: int, after: str, repeats: bool) -> None:  # noqa: FBT001 - parametrised
    assert solve_problem(parse_board(board)[0], house) == ProblemSolution(parse_board(after)[0], repeats)


@pytest.mark.parametrize("house", [0, 2, 4])
def test_some_problems_have_no_solution(house: int) -> None:
    assert solve_problem(parse_board("<3,0,0,1,0,1,1,1,1>")[0], house) is None
    assert accepted_solutions(parse_board("<3,0,0,1,0,1,1,1,1>")[0], house) == ()


@given(st.integers(0, 2**32))
def test_solutions_agree_with_the_reference(seed: int) -> None:
    board, house = make_problem(Random(seed))
    assert board.south[house - 1]
    assert board.south[house]  # for clients that count from 0
    reference_board = kalah.lay(list(board.south), list(board.north))
    reference_board |= {kalah.Pit(SOUTH, 0): board.south_store, kalah.Pit(NORTH, 0): board.north_store}
    before = kalah.KalahPosition(
        kalah.Rules(houses=board.houses, end="either empty or majority"), SOUTH, reference_board
    )
    move, pits = before.try_house(house)
    after = kalah.KalahPosition(before.rules, NORTH, pits)
    sown = KgpBoard(after.stores[SOUTH], after.stores[NORTH], after.houses(SOUTH), after.houses(NORTH))
    assert solve_problem(board, house) == ProblemSolution(sown.swept() if after.is_over() else sown, move.extra_turn)


def test_remaining_seeds_may_stay_in_the_houses() -> None:
    board = parse_board("<2,0,0,0,1,3,3>")[0]
    left = parse_board("<2,1,0,0,0,3,3>")[0]
    assert set(accepted_solutions(board, 2)) == {
        ProblemSolution(each, flag) for each in (left, left.swept()) for flag in (True, False)
    }


@pytest.mark.parametrize(
    ("argument", "flag"),
    [
        (0, False),
        (1, True),
        (-7, True),
        (Word("true"), True),
        (Word("False"), False),
        ("yes", True),
        ("no", False),
        (Word("perhaps"), None),
        (0.0, None),
        (None, None),
    ],
)
def test_the_repeat_flag_has_several_spellings(argument: float | str | Word | None, flag: bool | None) -> None:  # noqa: FBT001
    assert parse_flag(argument) is flag
