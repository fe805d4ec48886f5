"""`tablemen moves`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tablemen import Side
from tablemen.cli import main
from tablemen.draughts import Position
from tablemen.draughts.notation import format_grid, format_rows
from tablemen.exercises import allowed_moves, valid_turns
from tests.exercises.boards import START_GRID, START_ROWS, grid, rows


def moves(*arguments: str, board: str | None = None) -> Result:
    """Run the command with a board on its standard input."""
    return CliRunner().invoke(main, ["moves", *arguments], input=board)


def test_moves_are_listed_one_per_line() -> None:
    result = moves("international")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [str(move) for move in Position.start("international").legal_moves()]
    assert len(result.stdout.splitlines()) == 9


@pytest.mark.parametrize("name", ["russian", "Shashki", "25", "25,W,8,8,A0,0"])
def test_variant_is_found_by_all_its_names(name: str) -> None:
    assert moves(name, "--fen", "W:Wc3:Bd4").stdout == "c3:e5\n"


def test_paths_option_lists_every_path() -> None:
    circle = ("international", "--fen", "W:W14:B8,9,18,19")
    assert moves(*circle).stdout == "14x14\n"
    assert sorted(moves(*circle, "--paths").stdout.split()) == ["14x23x12x3x14", "14x3x12x23x14"]


def test_json_describes_a_move() -> None:
    result = moves("international", "--fen", "W:W12:B8", "--json")
    assert json.loads(result.stdout) == {
        "variant": "international",
        "fen": "W:W12:B8",
        "moves": [{"text": "12x3", "start": 12, "end": 3, "path": [12, 3], "captured": [8], "crowns": True}],
        "outcome": None,
    }


def test_json_names_algebraic_squares() -> None:
    (move,) = json.loads(moves("russian", "--fen", "W:Wc3:Bd4", "--json").stdout)["moves"]
    assert move == {
        "text": "c3:e5",
        "start": "c3",
        "end": "e5",
        "path": ["c3", "e5"],
        "captured": ["d4"],
        "crowns": False,
    }


def test_json_with_paths() -> None:
    result = moves("international", "--fen", "W:W14:B8,9,18,19", "--paths", "--json")
    found = json.loads(result.stdout)["moves"]
    assert sorted(each["text"] for each in found) == ["14x23x12x3x14", "14x3x12x23x14"]
    assert sorted(each["path"] for each in found) == [[14, 3, 12, 23, 14], [14, 23, 12, 3, 14]]


def test_finished_game_has_no_moves_and_reports_the_winner() -> None:
    result = moves("english", "--fen", "B:W30:B")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "White wins" in result.stderr
    facts = json.loads(moves("english", "--fen", "B:W30:B", "--json").stdout)
    assert facts["moves"] == []
    assert facts["outcome"] == {"winner": "white", "termination": "no pieces left"}
    assert json.loads(moves("english", "--json").stdout)["outcome"] is None


def test_missing_variant_exits_with_2() -> None:
    result = moves()
    assert result.exit_code == 2
    assert "'VARIANT'" in result.stderr


GRID = grid("""
     . . . . .
    . . b b .
     . . . w .
    . . b b .
     . . . . .
    . . . . .
     . . . . .
    . . . . .
     . . . . .
    b . . . .
""")
ROWS = rows("""
    ________
    __b_____
    _w_w____
    ________
    _w______
    ______w_
    ________
    ________
""")


def test_grid_gets_moves_by_x_and_y() -> None:
    result = moves("international", "--board", "-", board=GRID)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["77x55x37x59x77", "77x59x37x55x77"]
    assert moves("international", "--board", "-", board=START_GRID).stdout.split() == valid_turns(
        START_GRID, Side.WHITE
    )


def test_rows_get_moves_by_row_and_column() -> None:
    result = moves("interview", "--board", "-", board="\n".join(ROWS))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["[(1, 2), (3, 0), (5, 2)]", "[(1, 2), (3, 4)]"]
    start = moves("interview", "--board", "-", board="\n".join(START_ROWS) + "\n")
    assert start.stdout.splitlines() == [str(move) for move in allowed_moves(START_ROWS, "b")]


def test_first_side_is_to_move_by_default() -> None:
    black = moves("international", "--board", "-", "--turn", "black", board=START_GRID)
    assert black.stdout.split() == valid_turns(START_GRID, Side.BLACK)
    text = "\n".join(START_ROWS)
    default = moves("interview", "--board", "-", board=text)
    white = moves("interview", "--board=-", "--turn=white", board=text)
    assert default.stdout == moves("interview", "--board", "-", "--turn", "black", board=text).stdout
    assert white.stdout.splitlines() == [str(move) for move in allowed_moves(START_ROWS, "w")]


def test_board_from_a_file(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(GRID + "\n", encoding="utf-8")
    assert (
        moves("international", "--board", str(board)).stdout == moves("international", "--board=-", board=GRID).stdout
    )


def test_board_may_have_crlf_and_stripped_blanks(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    stripped = [line.rstrip() for line in GRID.split("\n")]
    board.write_bytes("\r\n".join(["", *stripped, ""]).encode())
    assert moves("international", "--board", str(board)).stdout.split() == ["77x55x37x59x77", "77x59x37x55x77"]
    board.write_bytes("\r\n".join(["", *ROWS, ""]).encode())
    assert moves("interview", "--board", str(board)).stdout.splitlines()[1:] == ["[(1, 2), (3, 4)]"]


@pytest.mark.parametrize("name", ["international", "english", "russian", "turkish", "canadian", "spanish", "jamaican"])
def test_both_kinds_of_boards_for_a_variant(name: str) -> None:
    position = Position.start(name)
    for board in (format_grid(position), "\n".join(format_rows(position))):
        result = moves(name, "--board", "-", board=board)
        assert result.exit_code == 0, result.stderr
        assert len(result.stdout.splitlines()) == len(position.legal_moves())


def test_json_of_a_board() -> None:
    facts = json.loads(moves("international", "--board", "-", "--json", board=START_GRID).stdout)
    assert facts["fen"] == Position.start("international").fen()
    assert sorted(move["start"] for move in facts["moves"]) == [31, 31, 32, 32, 33, 33, 34, 34, 35]


@pytest.mark.parametrize(
    ("board", "place"),
    [
        ("", "line 1, column 1"),
        (GRID.replace("w", "x"), "line 3, column 8"),
        (GRID.replace("w", "W"), "line 3, column 8"),
        ("\n".join(ROWS), "line 1, column 9"),
        (GRID[:-11], "line 10, column 1"),
        (GRID.replace("b b", "bbb", 1), "line 2, column 6"),
    ],
)
def test_error_in_a_board_has_its_place(board: str, place: str) -> None:
    result = moves("international", "--board", "-", board=board)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: --board: {place}")
    assert len(result.stderr.splitlines()) == 1


def test_missing_file_exits_with_2(tmp_path: Path) -> None:
    result = moves("international", "--board", str(tmp_path / "none.txt"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "none.txt" in result.stderr


def test_unknown_side_exits_with_2() -> None:
    result = moves("international", "--board", "-", "--turn", "red", board=GRID)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--turn" in result.stderr
