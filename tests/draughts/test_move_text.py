"""Moves as text, in the notation of each variant."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tablemen import AmbiguousMoveError, ArgumentError, Game, IllegalMoveError, NotationError
from tablemen.draughts import INTERNATIONAL, Move, Position, Square, board, federation_draws, rules
from tablemen.draughts.notation import format_line, format_move, parse_move, parse_move_number
from tablemen.draughts.pdn import PdnGame, format_pdn, parse_pdn
from tablemen.draughts.rules import Direction, Promotion
from tests.draughts import invalid_input
from tests.strategies import is_too_crowded, played_positions, positions, rule_sets, variants

MAX_PATHS = 60


@pytest.mark.parametrize(
    ("name", "path", "captured", "text"),
    [
        ("international", [32, 28], [], "32-28"),
        ("international", [32, 23], [28], "32x23"),
        ("international", [32, 23, 14], [28, 19], "32x14"),
        ("russian", ["c3", "d4"], [], "c3-d4"),
        ("russian", ["c3", "e5", "c7"], ["d4", "d6"], "c3:c7"),
        ("brazilian", ["c3", "e5"], ["d4"], "c3xe5"),
        ("turkish", ["a3", "a5"], ["a4"], "a3xa5"),
        ("jamaican", ["c1", "d2"], [], "c1-d2"),
        ("thai", [10, 14], [], "10-14"),
        ("thai", [10, 19], [14], "10-19"),
    ],
)
def test_moves_have_the_notation_of_their_variant(
    name: str, path: list[int | str], captured: list[int | str], text: str
) -> None:
    assert str(Move(name, path, captured)) == text


def test_ambiguous_capture_is_written_with_its_whole_path() -> None:
    path, captured = [10, 32, 21, 3], [14, 27, 17]
    assert str(Move("international", path, captured)) == "10x3"
    assert str(Move("international", path, captured, ambiguous=True)) == "10x32x21x3"
    move = Move("international", path, captured)
    assert (format_move(move), format_move(move, full=True)) == ("10x3", "10x32x21x3")


@settings(max_examples=60)
@given(positions(variants()))
@example(Position.from_fen("W:WKd6:BKc3,Kc5,Kc7,e3,Ke7,g3,Kg5", "russian"))  # d6:h2 is the whole path of a move
def test_path_of_a_capture_is_kept(position: Position) -> None:
    assume(1 < position.perft(1, paths=True) <= MAX_PATHS)
    for move in position.legal_moves(paths=True):
        texts = format_move(move, full=True), format_pdn(PdnGame.from_moves(position, [move]))
        read = parse_move(texts[0], position), parse_pdn(texts[1]).moves[0]
        played = (Game(position, [given]).moves[0] for given in (move, texts[0]))
        assert [each.path for each in (*read, *played) if isinstance(each, Move)] == [move.path] * 4


def test_path_that_is_not_legal_is_replaced() -> None:
    position = Position.from_fen("W:WK39:B11,28", "international")
    (listed, other) = position.legal_moves(paths=True)  # by 22 and by 17
    assert listed == other
    wrong = Move("international", ["39", "33", "6"], listed.captured)
    assert Game(position, [wrong]).moves[0].path == parse_move("39x33x6", position).path == listed.path


def test_captures_of_other_pieces_with_the_same_ends_have_different_texts() -> None:
    moves = Position.from_fen("W:WK10:B14,17,27,31", "international").legal_moves()
    assert sorted(map(str, moves)) == [
        "10x32x21x12",
        "10x32x21x3",
        "10x32x21x8",
        "10x37x26x12",
        "10x37x26x3",
        "10x37x26x8",
    ]


def test_captures_with_different_ends_are_written_without_their_paths() -> None:
    moves = Position.from_fen("W:WK46:B23", "international").legal_moves()
    assert sorted(map(str, moves)) == ["46x10", "46x14", "46x19", "46x5"]


@given(played_positions(rule_sets()))
def test_moves_survive_repr_pickle_and_copy(position: Position) -> None:
    names = vars(board) | vars(rules) | vars(federation_draws) | {"Move": Move}
    for move in position.legal_moves()[:5]:
        for other in (eval(repr(move), names), pickle.loads(pickle.dumps(move)), copy.copy(move), copy.deepcopy(move)):
            assert other == move
            assert (hash(other), str(other), other.variant) == (hash(move), str(move), move.variant)
            assert (other.path, other.captured, other.crowns) == (move.path, move.captured, move.crowns)


@given(positions(variants()))
def test_moves_of_a_position_have_different_texts(position: Position) -> None:
    texts = [str(move) for move in position.legal_moves()]
    assert len(set(texts)) == len(texts)
    for text, move in zip(texts, position.legal_moves(), strict=True):
        separator = position.variant.capture_separator if move.is_capture else "-"
        names = text.split(separator)
        assert (names[0], names[-1]) == (move.start.name, move.end.name)


def read(text: str, name: str, fen: str | None = None) -> str:
    """Parse a move, and return it with its whole path."""
    position = Position.start(name) if fen is None else Position.from_fen(fen, name)
    return format_move(parse_move(text, position), full=True)


@pytest.mark.parametrize(
    "text",
    [
        *("32-28", "32x28", "32X28", "32:28", "32×28", "32*28", "32–28", "32−28", "32 28", "32 - 28", "32\t28"),
        *("3228", "  32-28\n", "032-028", "32-28!", "32-28 ?!", "3228??", "32-28(!)"),
    ],
)
def test_separators_blanks_zeros_and_strength_signs(text: str) -> None:
    assert read(text, "international") == "32-28"


@pytest.mark.parametrize(
    ("name", "fen", "text", "expected"),
    [
        # Digits without separators are split so that the move is legal.
        ("international", "W:W16:BK50", "1611", "16-11"),
        ("international", "W:W11:BK50", "116", "11-6"),
        ("international", "W:W7:BK50", "71", "7-1"),
        ("international", "W:W7:BK50", "0701", "7-1"),
        ("international", "W:W32:B28,19", "322314", "32x23x14"),
        ("english", None, "0914", "9-14"),
        ("english", None, "914", "9-14"),
        # Algebraic squares, by name and by number.
        ("russian", None, "c3d4", "c3-d4"),
        ("russian", None, "C3-D4", "c3-d4"),
        ("russian", None, "c3 d4", "c3-d4"),
        ("russian", None, "22-18", "c3-d4"),
        ("russian", None, "2218", "c3-d4"),
        ("russian", None, "c3-18", "c3-d4"),
        ("russian", "W:Wc3:Bd4,d6", "c3c7", "c3:e5:c7"),
        ("russian", "W:Wc3:Bd4,d6", "c3e5c7", "c3:e5:c7"),
        ("russian", "W:Wc3:Bd4,d6", "c3xe5xc7", "c3:e5:c7"),
        ("jamaican", "B:Wh2:Ba1", "A1B2", "a1-b2"),
        ("turkish", None, "a3a4", "a3-a4"),
        # A long capture by its ends, its whole path or a part of it; also with dashes.
        ("international", "W:W32:B28,19", "32x14", "32x23x14"),
        ("international", "W:W32:B28,19", "32-14", "32x23x14"),
        ("international", "W:W32:B28,19", "32 23 14", "32x23x14"),
        ("international", "W:WK10:B14,17,27,31", "10x32x3", "10x32x21x3"),
        ("international", "W:WK10:B14,17,27,31", "10x26x3", "10x37x26x3"),
        ("international", "W:WK10:B14,17,27,31", "10-37-26-8", "10x37x26x8"),
        ("thai", "W:W10:B15", "10-19", "10-19"),
        ("thai", "W:W10:B15", "10x19", "10-19"),
    ],
)
def test_forms_of_moves(name: str, fen: str | None, text: str, expected: str) -> None:
    assert read(text, name, fen) == expected


def test_paths_of_the_same_move_are_not_ambiguous() -> None:
    assert read("14x14", "international", "W:W14:B8,9,18,19") in ("14x3x12x23x14", "14x23x12x3x14")
    assert read("14x3x12x23x14", "international", "W:W14:B8,9,18,19")
    assert read("14x23x12x3x14", "international", "W:W14:B8,9,18,19")


def test_ambiguous_text_is_an_error_with_the_candidates() -> None:
    position = Position.from_fen("W:WK10:B14,17,27,31", "international")
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_move("10x3", position)
    error = caught.value
    assert set(error.candidates) == {parse_move("10x37x26x3", position), parse_move("10x32x21x3", position)}
    assert (error.line, error.column, error.text) == (1, 1, "10x3")
    assert all(str(move) in error.problem for move in error.candidates)
    copied = pickle.loads(pickle.dumps(error))
    assert (str(copied), copied.candidates, copied.text) == (str(error), error.candidates, "10x3")


def test_digits_that_can_be_split_in_two_ways_are_ambiguous() -> None:
    position = Position.from_fen("W:WK1,K11:BK50", "international")
    with pytest.raises(AmbiguousMoveError) as caught:
        parse_move("112", position)
    assert [str(move) for move in caught.value.candidates] == ["1-12", "11-2"]
    assert str(parse_move("0112", position)) == "1-12"
    assert str(parse_move("1102", position)) == "11-2"


def test_separator_and_path_decide_if_captures_are_optional() -> None:
    free = replace(INTERNATIONAL, name="free", capture_compulsory=False, precedence=())
    position = Position.from_fen("W:WK38:B8,11,27", free)
    quiet, capture = parse_move("38-24", position), parse_move("38x24", position)
    assert (str(quiet), str(capture)) == ("38-24", "38x16x2x24")
    assert parse_move("38 24", position) == quiet
    dashes = Position.from_fen(position.fen(), replace(free, capture_separator="-"))
    quiet, capture = parse_move("38-24", dashes), parse_move("38x24", dashes)
    assert (str(quiet), str(capture)) == ("38-24", "38-16-2-24")
    assert parse_move("38-2-24", dashes) == capture


def test_path_decides_between_captures_that_differ_only_in_crowning() -> None:
    passing = replace(
        INTERNATIONAL,
        name="passing",
        columns=8,
        rows=8,
        start_rows=2,
        precedence=(),
        promotion=Promotion.IN_FLIGHT,
        man_captures=Direction.ALL,
        king_captures=Direction.ALL,
    )
    position = Position.from_fen("W:W11:B10,12,15,16,23,24", passing)
    man, king = parse_move("11x20x27x18x11x9", position), parse_move("11x18x2x20x27x9", position)
    assert set(man.captured) == set(king.captured)
    assert (man.crowns, king.crowns) == (False, True)
    assert [parse_move(str(move), position) for move in position.legal_moves()] == list(position.legal_moves())


@pytest.mark.parametrize(("text", "column"), invalid_input.MOVES, ids=[text[:10] for text, _ in invalid_input.MOVES])
def test_error_has_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text, Position.start("international"))
    error = caught.value
    assert (type(error), error.line, error.column, error.text) == (NotationError, 1, column, text)
    assert len(str(error)) < 100


@pytest.mark.parametrize("text", ["32-27-28", "32-23", "28-32", "1-6", "20x25", "3223", "32x28x32"])
def test_illegal_move_is_an_error_with_move_and_position(text: str) -> None:
    position = Position.start("international")
    with pytest.raises(IllegalMoveError) as caught:
        parse_move(text, position)
    assert (caught.value.move, caught.value.position) == (text, position)
    assert repr(text) in str(caught.value)


def test_no_move_is_legal_when_the_game_is_over() -> None:
    with pytest.raises(IllegalMoveError):
        parse_move("1-6", Position.from_fen("W:W3:B6", "breakthrough"))


@pytest.mark.parametrize("text", [None, 3228, b"32-28"])
def test_move_text_must_be_a_str(text: str) -> None:
    with pytest.raises(TypeError, match=rf"move .*\b{type(text).__name__}"):
        parse_move(text, Position.start("international"))


@given(positions())
def test_round_trip(position: Position) -> None:
    for move in position.legal_moves()[:40]:
        for full in (False, True):
            assert parse_move(format_move(move, full=full), position) == move


@pytest.mark.slow
@settings(max_examples=1000)
@given(positions())
def test_round_trip_of_many_moves(position: Position) -> None:
    for move in position.legal_moves(paths=True)[:200]:
        assert parse_move(format_move(move, full=True), position) == move
    for move in position.legal_moves():
        assert parse_move(format_move(move), position) == move


@given(positions(variants()))
def test_case_blanks_and_leading_zeros_do_not_matter(position: Position) -> None:
    for move in position.legal_moves()[:10]:
        names = [square.name.upper() if square.name[0].isalpha() else f"0{square}" for square in move.path]
        assert parse_move(" ".join(names), position) == move


@given(positions(variants()), st.text("0123456789abchxX-: *!?.()", max_size=12))
def test_any_text_is_a_legal_move_or_an_error(position: Position, text: str) -> None:
    read = parse_or_error(text, position)
    if isinstance(read, Move):
        assert position.is_legal(read)
    elif isinstance(read, NotationError):
        assert 1 <= read.column <= len(text) + 1
    else:
        assert read.move == text


def parse_or_error(text: str, position: Position) -> Move | NotationError | IllegalMoveError:
    try:
        return parse_move(text, position)
    except (NotationError, IllegalMoveError) as error:
        return error


@given(positions(variants()))
def test_path_has_the_squares_that_pdn_requires(position: Position) -> None:
    # If a capture continues in the same direction, the path has the square directly behind the captured piece.
    for move in position.legal_moves():
        for at, (before, here, after) in enumerate(zip(move.path, move.path[1:], move.path[2:], strict=False)):
            if direction(before, here) == direction(here, after):
                assert are_neighbours(position, move.captured[at], here)


def direction(start: Square, end: Square) -> tuple[int, int]:
    """Return the signs of the differences in row and column."""
    down, right = end.row - start.row, end.column - start.column
    return (down > 0) - (down < 0), (right > 0) - (right < 0)


def are_neighbours(position: Position, one: Square, other: Square) -> bool:
    """Return whether there is no playable square between two squares."""
    down, right = direction(one, other)
    steps = max(abs(other.row - one.row), abs(other.column - one.column))
    between = {(one.row + down * step, one.column + right * step) for step in range(1, steps)}
    return between.isdisjoint((square.row, square.column) for square in position.variant.mover.squares)


# Lines


@pytest.mark.parametrize(
    ("name", "fen", "moves", "text"),
    [
        ("international", "", "32-28 19-23 28x19 14x23", "1. 32-28 19-23 2. 28x19 14x23"),
        ("international", "B:W28,38:B19:H0:F12", "19-24 38-33", "12... 19-24 13. 38-33"),
        ("english", "", "11-15 23-19 8-11", "1. 11-15 23-19 2. 8-11"),
        ("english", "W:W23:B11:F3", "23-19 11-15", "3... 23-19 4. 11-15"),
        ("international", "W:WK10:B14,17,27,31", "10x32x3 31-36", "1. 10x32x21x3 31-36"),
        ("international", "", "", ""),
    ],
)
def test_line_has_move_numbers(name: str, fen: str, moves: str, text: str) -> None:
    start = Position.from_fen(fen, name) if fen else Position.start(name)
    assert format_line(start, moves.split(), parse_move_number(fen)) == text


@settings(max_examples=30)
@given(played_positions(variants()))
def test_line_is_numbered_as_in_a_game_file(start: Position) -> None:
    position, moves = start, list[Move]()
    while len(moves) < 5 and not is_too_crowded(position) and (legal := position.legal_moves()):
        moves.append(legal[-1])
        position = position.play(moves[-1])
    body = format_pdn(PdnGame.from_moves(start, moves)).partition("\n\n")[2]
    assert format_line(start, moves) == body.replace("\n", " ").removesuffix("* ").strip()


def test_line_with_an_illegal_move_is_an_error() -> None:
    start = Position.start("international")
    with pytest.raises(IllegalMoveError):
        format_line(start, [start.legal_moves()[0], start.legal_moves()[0]])
    with pytest.raises(ArgumentError):
        format_line(start, [], -1)
