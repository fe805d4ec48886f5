"""`valid_turns`: all turns of international draughts, in the format of the exercise."""

from __future__ import annotations

import pytest

from tablemen import Side
from tablemen.exercises import valid_turns
from tests.exercises.boards import START_GRID, grid

WHITE, BLACK = Side.WHITE, Side.BLACK

EXAMPLE = grid("""
     K . . . .
    . b . . .
     . . b . .
    . . . . b
     . . . b .
    . . . w .
     . . . . b
    . . w b w
     . . . . .
    . B w . .
""")


def test_the_example_for_white() -> None:
    # The king captures 28, 57, 86 and 62. After each jump, only one square allows the next one.
    assert valid_turns(EXAMPLE, WHITE) == ["19x46x68x95x51"]


def test_the_example_for_black() -> None:
    # The man on 93 could capture 82 and the king 42, but the man on 75 can capture two pieces.
    assert valid_turns(EXAMPLE, BLACK) == ["75x53x31"]


def test_the_start_for_white() -> None:
    expected = "13-04 13-24 33-24 33-44 53-44 53-64 73-64 73-84 93-84"
    assert valid_turns(START_GRID, WHITE) == expected.split()


def test_the_start_for_black() -> None:
    expected = "06-15 26-15 26-35 46-35 46-55 66-55 66-75 86-75 86-95"
    assert valid_turns(START_GRID, BLACK) == expected.split()


def test_rule_1_pieces_move_on_dark_squares_only() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . w . .
        . . . . .
         . . . . .
        K . . . .
    """)
    turns = valid_turns(board, WHITE)
    assert turns == ["00-11", "00-22", "00-33", "00-44", "00-55", "00-66", "00-77", "00-88", "00-99", "53-44", "53-64"]
    assert all((int(square[0]) + int(square[1])) % 2 == 0 for turn in turns for square in turn.split("-"))


def test_rule_2_men_move_one_space_diagonally_forward() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . b . .
         . . . . .
        . . . . .
         . . w . .
        . . . . .
         . . . . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["53-44", "53-64"]
    assert valid_turns(board, BLACK) == ["46-35", "46-55"]


def test_rule_3_kings_move_any_number_of_spaces_in_one_direction() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . K . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    upward = "44-08 44-17 44-26 44-35 44-55 44-66 44-77 44-88 44-99"
    downward = "44-00 44-11 44-22 44-33 44-53 44-62 44-71 44-80"
    assert valid_turns(board, WHITE) == sorted(f"{upward} {downward}".split())


def test_rule_4_a_man_continues_jumping() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . b . . .
        . . . . .
         . b . . .
        . . w . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["44x26x48"]
    # Black's man on 37 is too far away to capture.
    assert valid_turns(board, BLACK) == ["35x53"]


def test_rule_4_a_man_may_capture_a_king() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . B . . .
        . . w . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["44x26"]


def test_rule_5_a_man_captures_forwards_and_backwards() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . w . .
         . b . . .
        . . . . .
         . b b . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["44x22x40x62"]


def test_rule_6_a_king_may_land_on_any_free_square_behind_a_piece() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . w .
        . . . . .
         . . . . .
        . . . . .
         . b . . .
        . . . . .
         . . . . .
        K . . . .
    """)
    assert valid_turns(board, WHITE) == ["00x44", "00x55", "00x66"]


def test_rule_7_two_pieces_in_a_row_cannot_be_jumped_at_once() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . b . .
         . b . . .
        . . . . .
         . . . . .
        K . . . .
    """)
    assert valid_turns(board, WHITE) == ["00-11", "00-22"]


def test_rule_7_two_pieces_with_a_space_between_are_two_jumps() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . b . .
        . . . . .
         . b . . .
        . . . . .
         . . . . .
        K . . . .
    """)
    assert valid_turns(board, WHITE) == ["00x44x66", "00x44x77", "00x44x88", "00x44x99"]


def test_rule_8_pieces_of_the_same_colour_are_neither_captured_nor_passed() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . b . .
        . . . . .
         . w . . .
        . . . . .
         w . . . .
        K . . . .
    """)
    # The king is blocked, and its men can move.
    assert valid_turns(board, WHITE) == ["11-02", "11-22", "33-24", "33-44"]


def test_rule_9_capture_is_compulsory() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . b . .
        . . w . .
         . . . . .
        . . . . .
         w . . . .
        K . . . .
    """)
    assert valid_turns(board, WHITE) == ["44x66"]


def test_rule_10_the_most_pieces_must_be_captured() -> None:
    board = grid("""
         . . . . .
        . . b . .
         . w . . .
        . . . . .
         w . . . .
        . B . . .
         . . . . .
        . . b . .
         . . . . .
        . . . . .
    """)
    # A king counts as one piece: 15x33x51 captures two, 37x59 one.
    assert valid_turns(board, WHITE) == ["15x33x51"]


def test_rule_10_the_choice_between_equal_captures_is_free() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . B b . .
        . . w . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["44x26", "44x66"]


def test_rule_11_a_man_on_the_last_row_becomes_a_king() -> None:
    board = grid("""
         . . . . .
        . w . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . b . .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["28-19", "28-39"]
    assert valid_turns(board, BLACK) == ["51-40", "51-60"]
    crowned = grid("""
         K . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . B . .
    """)
    assert valid_turns(crowned, WHITE) == [
        "19-08",
        "19-28",
        "19-37",
        "19-46",
        "19-55",
        "19-64",
        "19-73",
        "19-82",
        "19-91",
    ]
    assert valid_turns(crowned, BLACK) == [
        "40-04",
        "40-13",
        "40-22",
        "40-31",
        "40-51",
        "40-62",
        "40-73",
        "40-84",
        "40-95",
    ]


def test_rule_12_a_man_that_only_passes_the_last_row_stays_a_man() -> None:
    board = grid("""
         . . . . .
        . . b b .
         . w . . .
        . . . . .
         . . . . .
        . . b . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    # A king on 77 would capture 44 as well.
    assert valid_turns(board, WHITE) == ["37x59x77"]


def test_rule_13_a_man_crowned_by_a_capture_does_not_continue_as_a_king() -> None:
    board = grid("""
         . . . . .
        . . b . .
         . w . . .
        . . . . b
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    # A king on 59 would capture 86 as well.
    assert valid_turns(board, WHITE) == ["37x59"]


def test_rule_14_captured_pieces_block_squares_until_the_end() -> None:
    board = grid("""
         . . . . .
        . . . . K
         b . . . .
        . . b . .
         . . b . .
        . b . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    # The king captures 55, 24 and 17. From 28 it could capture 46 if the captured piece on 55 were removed.
    assert valid_turns(board, WHITE) == ["88x33x06x28", "88x33x06x39"]


def test_rule_14_no_piece_is_jumped_twice() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         b . . . .
        K . . . .
    """)
    assert valid_turns(board, WHITE) == ["00x22", "00x33", "00x44", "00x55", "00x66", "00x77", "00x88", "00x99"]


def test_the_start_square_of_a_capture_is_empty() -> None:
    board = grid("""
         . . . . .
        . . b b .
         . . . w .
        . . b b .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
    """)
    # A circle in either direction, over the last row
    assert valid_turns(board, WHITE) == ["77x55x37x59x77", "77x59x37x55x77"]


def test_a_king_may_cross_its_own_start_square() -> None:
    board = grid("""
         . . . . .
        . b . . .
         . K . . .
        . b b . .
         . . . . .
        . . . . .
         . . . . .
        . b . b .
         . . . . .
        . . . . .
    """)
    # A circle in either direction, and then over 28
    assert valid_turns(board, WHITE) == ["37x04x40x73x37x19", "37x73x40x04x37x19"]


def test_a_turn_lists_every_landing_square() -> None:
    board = grid("""
         . . . . .
        . . . . b
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . b . .
        . . . . .
         . . . K .
        . . . . .
    """)
    assert valid_turns(board, WHITE) == ["71x44x99"]


def test_each_path_of_a_king_is_a_turn() -> None:
    board = grid("""
         . . . . .
        . . . w .
         . . . . .
        . . . . .
         . . b . .
        . . . . .
         . . . . .
        . b . . .
         . . . . .
        K . . . .
    """)
    landings = ["66", "77", "88", "99"]
    assert valid_turns(board, WHITE) == [f"00x{between}x{end}" for between in ("33", "44") for end in landings]


def test_a_side_without_pieces_has_no_turns() -> None:
    board = START_GRID.replace("w", ".")
    assert valid_turns(board, WHITE) == []
    assert len(valid_turns(board, BLACK)) == 9


def test_blocked_pieces_have_no_turns() -> None:
    board = grid("""
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . . . . .
        . . . . .
         . b . . .
        . b . . .
         b . . . .
        w . . . .
    """)
    assert valid_turns(board, WHITE) == []


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE + "\n",
        "\n" + EXAMPLE,
        "\n" + EXAMPLE + "\n",
        EXAMPLE.replace("\n", "\r\n"),
        "\r\n" + EXAMPLE.replace("\n", "\r\n") + "\r\n",
        "\n".join(line.rstrip() for line in EXAMPLE.split("\n")),
        "\r\n".join(line.rstrip() for line in EXAMPLE.split("\n")) + "\r\n",
    ],
    ids=["newline after", "newline before", "both", "CRLF", "CRLF around", "stripped", "stripped, CRLF"],
)
def test_line_endings_and_trailing_blanks_do_not_matter(text: str) -> None:
    assert valid_turns(text, WHITE) == ["19x46x68x95x51"]
    assert valid_turns(text, BLACK) == ["75x53x31"]
