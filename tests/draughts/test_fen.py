"""FEN: the normal form, the other forms that are accepted, and errors."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tablemen import NotationError, Side
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Kind, Position, find_variant
from tablemen.draughts import board as board_module
from tablemen.draughts import federation_draws as draws_module
from tablemen.draughts import rules as rules_module
from tablemen.draughts.board import Notation
from tablemen.draughts.notation import format_position, parse_position
from tests.draughts import invalid_input
from tests.strategies import positions, variants

STARTS = {
    "international": "W:W31-50:B1-20",
    "english": "B:W21-32:B1-12",
    "spanish": "W:W1-12:B21-32",
    "thai": "B:W1-8:B25-32",
    "frysk": "W:W46-50:B1-5",
    "canadian": "W:W43-72:B1-30",
    "armenian": "W:W41-56:B9-24",
    "russian": "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8",
    "turkish": "W:W41-56:B9-24",
    "jamaican": "B:W21-32:B1-12",
    "spantsiretti": "W:W26-40:B1-15",
}
WIDE = replace(find_variant("russian"), name="wide", columns=12, rows=12)
LIMIT_OF_12 = replace(INTERNATIONAL, name="limit of 12", king_move_limit=12)
# The names that a repr can contain.
NAMES = vars(board_module) | vars(rules_module) | vars(draws_module) | {"Position": Position}


@pytest.mark.parametrize("name", STARTS)
def test_start_position(name: str) -> None:
    assert Position.from_fen(STARTS[name], name) == Position.start(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("international", "W:W31,32,K40:B1,2"),
        ("international", "B:WK5:B"),
        ("international", "W:W:B"),
        ("international", "W:W9,10,K11,12:B"),
        ("spanish", "W:W1,K2,30:B31,K32"),
        ("russian", "B:Wa1,a3,Kb2,c1:Bh8"),
        ("jamaican", "B:Wh2,Kh4:Ba1,a3"),
        ("frisian", "W:W31,K28:B6,K5:+0+328"),
        ("frisian", "W:W31,K28:B6,K5:+15+0"),
        ("frisian", "W:W31,K28:B6,K5:+25+128"),
    ],
)
def test_normal_form(name: str, text: str) -> None:
    position = Position.from_fen(text, name)
    written = position.fen()
    assert written == text.replace("B6,K5", "BK5,6").replace("W31,K28", "WK28,31")
    assert written == format_position(position)
    assert parse_position(written, find_variant(name)) == position


def test_squares_are_sorted_by_name() -> None:
    position = Position(WIDE, Side.WHITE, white_men=["b10", "a11", "b2", "a1"], white_kings=["a9", "l12"])
    assert position.fen() == "W:Wa1,Ka9,a11,b2,b10,Kl12:B"


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("W:W31-33,40:B1-2", "W:W31,32,33,40:B1,2"),
        ("W:WK31-33,40:B1", "W:WK31,K32,K33,40:B1"),
        ("W:B1,2:W31", "W:W31:B1,2"),
        ("w:wk31:bk1,2", "W:WK31:BK1,2"),
        ("  W : W 31 , K 40 - 42 : B 1 \n", "W:W31,K40,K41,K42:B1"),
        ("W:\n  W31,\n  32:B1", "W:W31,32:B1"),
        ("W:W31:B1.", "W:W31:B1"),
        ("W:W31:B.", "W:W31:B"),
        ("W:W05,007:B1", "W:W5,7:B1"),
        ("W:W5-5:B1", "W:W5:B1"),
        ('"W:W31:B1"', "W:W31:B1"),
        ("'W:W31:B1.'", "W:W31:B1"),
        ('[FEN "W:W31:B1"]', "W:W31:B1"),
        ('  [ fen  " W:W31:B1. " ] ', "W:W31:B1"),
        ('[FEN \\"W:W31:B1\\"]', "W:W31:B1"),
        ('\\"W:W31:B1\\"', "W:W31:B1"),
        ('/FEN "W:W31:B1"/', "W:W31:B1"),
        ("W:WK5:B", "W:WK5:B"),
        ("W:BK1-3:W", "W:W:BK1,K2,K3"),
        ("W:W31:B1:WK32,33:B2", "W:W31,K32,33:B1,2"),
        ("W:W:B:W31:B", "W:W31:B"),
        ("W:W31:B1:H0:F1", "W:W31:B1"),
        ("W:W31:B1:H12:F40:+0+0", "W:W31:B1"),
        ("W:W50,1:B", "W:W1,50:B"),
        ("W:W31", "W:W31:B"),
        ("W:W31:WK1", "W:WK1,31:B"),
        ('[FEN "W:B1-2."]', "W:W:B1,2"),
    ],
)
def test_other_forms_are_accepted(text: str, normal: str) -> None:
    assert Position.from_fen(text, "international").fen() == normal


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("W:W29-32:B1", "W:Wa1,c1,e1,g1:Bb8"),
        ("w:wKA1,C1:bk4", "W:WKa1,c1:BKh8"),
        ("w:bb8:wka1", "W:WKa1:Bb8"),
        ("W:Wa1,K30:BB8", "W:Wa1,Kc1:Bb8"),
        ("W:WG1:BG7", "W:Wg1:Bg7"),
    ],
)
def test_algebraic_squares_may_be_numbered_from_the_top_left(text: str, normal: str) -> None:
    assert Position.from_fen(text, "russian").fen() == normal


def test_man_on_the_far_row_stays_a_man() -> None:
    position = Position.from_fen("W:W1:B50", "international")
    assert position.squares(Side.WHITE, Kind.MAN) == (1,)
    assert position.squares(Side.BLACK, Kind.MAN) == (50,)
    assert position.fen() == "W:W1:B50"


@pytest.mark.parametrize(("text", "line", "column"), invalid_input.FENS)
def test_errors_point_at_the_item(text: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text, "international")
    error = caught.value
    assert (error.line, error.column, error.text) == (line, column, text)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(("text", "column"), invalid_input.ALGEBRAIC_FENS)
def test_errors_on_algebraic_boards_point_at_the_item(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text, "russian")
    assert caught.value.column == column


@pytest.mark.parametrize(("text", "column"), invalid_input.KING_RUNS)
def test_errors_in_quiet_king_moves_point_at_the_item(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(invalid_input.FRISIAN_FEN + text, "frisian")
    assert caught.value.column == column


def test_quiet_king_moves_are_read_in_the_form_of_lidraughts() -> None:
    position = Position.from_fen("W:WK28,31:BK5,6:H0:F1:+15+328", "frisian")
    assert position.king_runs == {Side.WHITE: (28, 3), Side.BLACK: (5, 1)}
    assert position == Position.from_fen("W:WK28,31:BK5,6:+1/5+3/28", "frisian")
    assert position != Position.from_fen("W:WK28,31:BK5,6", "frisian")


def test_quiet_king_moves_of_a_side_without_men_are_dropped() -> None:
    assert Position.from_fen("W:WK28:BK5,6:+15+328", "frisian").fen() == "W:WK28:BK5,6:+15+0"


def test_slash_separates_a_count_of_two_digits_from_the_square() -> None:
    position = Position(LIMIT_OF_12, Side.WHITE, white_men=[31], white_kings=[28], king_runs={Side.WHITE: (28, 12)})
    assert position.fen() == "W:WK28,31:B:+0+12/28"
    assert Position.from_fen(position.fen(), LIMIT_OF_12) == position


def test_board_with_a_column_k_distinguishes_squares_from_kings() -> None:
    position = Position.from_fen("W:Wk1,Kk3:BK2", WIDE)
    assert position.fen() == "W:Wk1,Kk3:BKd12"
    with pytest.raises(NotationError) as caught:
        Position.from_fen("W:WK1:B", WIDE)
    assert caught.value.column == 4
    assert {"k1", "Kb12"} <= set(caught.value.problem.split())  # the two unambiguous forms


@pytest.mark.parametrize("text", [None, 5, b"W:W31:B1", ["W:W31:B1"]])
def test_fen_must_be_a_str(text: str) -> None:
    with pytest.raises(TypeError, match=rf"FEN .*\b{type(text).__name__}"):
        parse_position(text, INTERNATIONAL)


def test_lone_surrogate_is_one_character() -> None:
    text = "W:W1:B\ud800\udc00,99"
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text, "international")
    assert (caught.value.text, caught.value.column) == (text, 7)


def test_message_is_one_short_line() -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen("W:W" + "1\n" * 500 + ":B", "international")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 100


@given(positions(variants()))
def test_round_trip_in_every_variant(position: Position) -> None:
    text = position.fen()
    assert Position.from_fen(text, position.variant) == position
    assert Position.from_fen(text, position.variant).fen() == text


@given(positions())
def test_round_trip_under_custom_rules(position: Position) -> None:
    assert Position.from_fen(position.fen(), position.variant) == position


@given(positions())
def test_repr_evaluates_to_an_equal_position(position: Position) -> None:
    evaluated = eval(repr(position), dict(NAMES))
    assert evaluated == position
    assert (hash(evaluated), evaluated.fen()) == (hash(position), position.fen())


@given(positions())
def test_copies_and_pickles_are_equal(position: Position) -> None:
    for other in (pickle.loads(pickle.dumps(position)), copy.copy(position), copy.deepcopy(position)):
        assert other == position
        assert (hash(other), other.fen(), other.variant) == (hash(position), position.fen(), position.variant)


@given(positions(variants()))
def test_order_case_and_blanks_do_not_matter(position: Position) -> None:
    side, white, black, *runs = position.fen().split(":")
    white, black = (part[0] + " , ".join(reversed(part[1:].split(","))) for part in (white, black))
    shuffled = " : ".join([side, black, white, *runs]).lower()
    assert Position.from_fen(f'[FEN "{shuffled}."]', position.variant) == position


@given(variants(), st.text("WBKHFGP:,-+./? 0123456789abhkwx\"'[]\n", max_size=30))
@example(INTERNATIONAL, "W:W1-:B")
@example(INTERNATIONAL, "W:WK,:BK,,")
def test_any_text_is_a_position_or_an_error_inside_the_text(rules: DraughtsRules, text: str) -> None:
    read = parse_or_error(text, rules)
    if isinstance(read, NotationError):
        assert 1 <= read.column <= len(text.split("\n")[read.line - 1]) + 1
    else:
        assert Position.from_fen(read.fen(), rules) == read


def parse_or_error(text: str, rules: DraughtsRules) -> Position | NotationError:
    try:
        return Position.from_fen(text, rules)
    except NotationError as error:
        return error


@given(positions(variants()), st.data())
def test_fen_without_a_character_is_another_position_or_an_error(position: Position, data: st.DataObject) -> None:
    # The normal form has no redundant characters, with one exception: e7 without its letter is square 7.
    text = position.fen()
    index = data.draw(st.integers(0, len(text) - 1))
    shortened = text[:index] + text[index + 1 :]
    read = parse_or_error(shortened, position.variant)
    if isinstance(read, Position):
        assert read != position or position.variant.notation is not Notation.NUMERIC
        assert count_pieces(read) <= count_pieces(position)


def count_pieces(position: Position) -> int:
    return sum(len(position.squares(side, kind)) for side in Side for kind in Kind)


def test_start_of_every_variant_round_trips() -> None:
    for rules in VARIANTS.values():
        assert Position.from_fen(Position.start(rules).fen(), rules.name) == Position.start(rules)
