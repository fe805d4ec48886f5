"""Positions as text: one normal form is written, many are read, and no wrong one is accepted."""

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
PATIENT = replace(INTERNATIONAL, name="patient", king_move_limit=12)
# What a repr may speak of.
NAMES = vars(board_module) | vars(rules_module) | vars(draws_module) | {"Position": Position}


@pytest.mark.parametrize("name", STARTS)
def test_the_start_is_where_players_put_it(name: str) -> None:
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
def test_the_normal_form(name: str, text: str) -> None:
    position = Position.from_fen(text, name)
    written = position.fen()
    assert written == text.replace("B6,K5", "BK5,6").replace("W31,K28", "WK28,31")
    assert written == format_position(position)
    assert parse_position(written, find_variant(name)) == position


def test_squares_are_written_in_the_order_of_their_names() -> None:
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
    ],
)
def test_other_forms_are_read(text: str, normal: str) -> None:
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


def test_a_man_may_stand_on_its_far_row_and_stays_a_man() -> None:
    position = Position.from_fen("W:W1:B50", "international")
    assert position.squares(Side.WHITE, Kind.MAN) == (1,)
    assert position.squares(Side.BLACK, Kind.MAN) == (50,)
    assert position.fen() == "W:W1:B50"


BAD = [
    # text, line, column, what the message says
    ("", 1, 1, "empty"),
    (" \n ", 1, 1, "empty"),
    ('""', 1, 2, "empty"),
    ('[FEN ""]', 1, 7, "empty"),
    (".", 1, 1, "empty"),
    ("W31:B1", 1, 1, "side to move is missing"),
    (" B1,2:W31", 1, 2, "side to move is missing"),
    (":W31:B1", 1, 1, "side to move is missing"),
    ("X:W31:B1", 1, 1, "unknown side to move 'X'"),
    ("WB:W31:B1", 1, 1, "unknown side to move 'WB'"),
    ("hello", 1, 1, "unknown side to move 'hello'"),
    ("W", 1, 2, "White's pieces are missing"),
    ("W:W31", 1, 6, "Black's pieces are missing"),
    ('[FEN "W:B1"]', 1, 11, "White's pieces are missing"),
    ("?:W31:B1", 1, 1, "the side to move is unknown: W or B is expected in place of '?'"),
    ("W:W31:?1:B2", 1, 7, "'?1' is neither"),
    ("W:W31:B1:W31", 1, 11, "square 31 is named twice, first for a white man"),
    ("W:W31:W1", 1, 9, "Black's pieces are missing"),
    ("W:W51:B1", 1, 4, "no square '51'"),
    ("W:W0:B1", 1, 4, "no square '0'"),
    ("W:W31:B1, 51", 1, 11, "no square '51'"),
    ("W:W31:B1,K51", 1, 11, "no square '51'"),
    ("W:W31,\n  x5:B1", 2, 3, "no square 'x5'"),
    ("W:Wc3:B1", 1, 4, "no square 'c3'"),
    ("W:W٣:B1", 1, 4, "no square '٣'"),
    ("W:W31 32:B1", 1, 4, "no square '31 32'"),
    ("W:W31;32:B1", 1, 4, "no square '31;32'"),
    ("W:W31..:B1", 1, 4, "no square '31..'"),
    ("W:W31:B1..", 1, 8, "no square '1.'"),
    ("W:WG31:B1", 1, 4, "'G31' is a man on 31 that is captured but still stands there: in the middle of a capture"),
    ("W:W32:B1,p12", 1, 10, "'p12' is a king on 12 that is captured but still stands there"),
    ("W:WG51:B1", 1, 4, "no square 'G51'"),
    ("W:WGG1:B1", 1, 4, "no square 'GG1'"),
    ("W:WKK31:B1", 1, 5, "no square 'K31'"),
    ("W:WK1-K5:B6", 1, 7, "no square 'K5'"),
    ("W:W31,32,31:B1", 1, 10, "square 31 is named twice, first for a white man"),
    ("W:W31,K31:B1", 1, 7, "square 31 is named twice, first for a white man"),
    ("W:WK31:B1,31", 1, 11, "square 31 is named twice, first for a white king"),
    ("W:W31-35:B1,30-32", 1, 13, "square 31 is named twice, first for a white man"),
    ("W:B31:W31", 1, 4, "square 31 is named twice, first for a white man"),
    ("W:W35-31:B1", 1, 4, "runs backwards"),
    ("W:W31-51:B1", 1, 7, "no square '51'"),
    ("W:W1-999999999999:B1", 1, 6, "no square"),
    ("W:W31-:B1", 1, 7, "a square is missing"),
    ("W:W-31:B1", 1, 4, "a square is missing"),
    ("W:W31-32-33:B1", 1, 4, "is not a range"),
    ("W:W31,:B1", 1, 7, "a square is missing"),
    ("W:W,31:B1", 1, 4, "a square is missing"),
    ("W:WK:B1", 1, 5, "a square is missing"),
    ("W:W31:B1:", 1, 10, "empty part"),
    ("W:W31::B1", 1, 7, "empty part"),
    ("W:W31:B1:Z9", 1, 10, "'Z9' is neither"),
    ("W:31:B1", 1, 3, "'31' is neither"),
    ("W:W31:B1:H", 1, 10, "'H' is not a counter"),
    ("W:W31:B1:H0:Fx", 1, 13, "'Fx' is not a counter"),
    ("W:W31:B1:H0:H1", 1, 13, "counter H is given twice"),
    ("W:WK31:B1:+0+131", 1, 14, "they are not counted in international"),
    ("[FEN W:W31:B1]", 1, 1, "unknown side to move"),
    ('"W:W31:B1', 1, 1, "unknown side to move"),
    ('[FEN \\"W:W51:B1\\"]', 1, 11, "no square '51'"),
    ('/FEN "W:W51:B1"/', 1, 10, "no square '51'"),
]


@pytest.mark.parametrize(("text", "line", "column", "problem"), BAD)
def test_errors_point_at_the_item(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text, "international")
    error = caught.value
    assert (error.line, error.column, error.text) == (line, column, text)
    assert problem in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("W:Wa2:Bb8", 4, "russian has no square 'a2'"),
        ("W:Wa9:Bb8", 4, "russian has no square 'a9'"),
        ("W:Wi1:Bb8", 4, "russian has no square 'i1'"),
        ("W:W33:Bb8", 4, "russian has no square '33'"),
        ("W:Wa1,29:Bb8", 7, "square a1 is named twice"),
        ("W:Wa1-c1:Bb8", 4, "'a1-c1' is not a range"),
        ("W:Wa1-30:Bb8", 4, "'a1-30' is not a range"),
        ("W:WG12:Bb8", 4, "'G12' is a man on 12 that is captured but still stands there"),
    ],
)
def test_errors_of_algebraic_boards(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text, "russian")
    assert caught.value.column == column
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("+0", 18, "not Black's and White's quiet king moves"),
        ("+0+0+0", 18, "not Black's and White's quiet king moves"),
        ("+0+328:+0+0", 25, "quiet king moves are given twice"),
        ("+0+3", 21, "'3' is not a number of quiet moves and the king's square"),
        ("+0+", 21, "'' is not a number"),
        ("+0+x28", 21, "'x28' is not a number"),
        ("+0+028", 21, "0 quiet moves of a king: 1 to 3 are possible in frisian"),
        ("+0+428", 21, "4 quiet moves of a king: 1 to 3 are possible in frisian"),
        ("+0+351", 22, "no square '51'"),
        ("+0+331", 21, "no white king stands on 31"),
        ("+15+35", 22, "no white king stands on 5"),
        ("+128+0", 19, "no black king stands on 28"),
        ("+0+12/28", 21, "12 quiet moves of a king: 1 to 3 are possible in frisian"),
    ],
)
def test_errors_in_quiet_king_moves(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(f"W:WK28,31:BK5,6: {text}", "frisian")
    assert caught.value.column == column
    assert problem in str(caught.value)


def test_quiet_king_moves_are_read_as_lidraughts_writes_them() -> None:
    position = Position.from_fen("W:WK28,31:BK5,6:H0:F1:+15+328", "frisian")
    assert position.king_runs == {Side.WHITE: (28, 3), Side.BLACK: (5, 1)}
    assert position == Position.from_fen("W:WK28,31:BK5,6:+1/5+3/28", "frisian")
    assert position != Position.from_fen("W:WK28,31:BK5,6", "frisian")


def test_quiet_king_moves_of_a_side_without_men_do_not_count() -> None:
    assert Position.from_fen("W:WK28:BK5,6:+15+328", "frisian").fen() == "W:WK28:BK5,6:+15+0"


def test_counts_of_two_digits_stand_apart() -> None:
    position = Position(PATIENT, Side.WHITE, white_men=[31], white_kings=[28], king_runs={Side.WHITE: (28, 12)})
    assert position.fen() == "W:WK28,31:B:+0+12/28"
    assert Position.from_fen(position.fen(), PATIENT) == position


def test_a_board_with_a_column_k_tells_squares_and_kings_apart() -> None:
    position = Position.from_fen("W:Wk1,Kk3:BK2", WIDE)
    assert position.fen() == "W:Wk1,Kk3:BKd12"
    with pytest.raises(NotationError, match="column 4: K1 is square k1 or a king on 1: write k1 or Kb12"):
        Position.from_fen("W:WK1:B", WIDE)


@pytest.mark.parametrize("text", [None, 5, b"W:W31:B1", ["W:W31:B1"]])
def test_what_is_no_text_is_said_so(text: str) -> None:
    with pytest.raises(TypeError, match="a FEN is a str, not"):
        parse_position(text, INTERNATIONAL)


def test_lone_surrogates_are_characters_like_others() -> None:
    text = "W:W1:B\ud800\udc00,99"
    with pytest.raises(NotationError, match="no square") as caught:
        Position.from_fen(text, "international")
    assert (caught.value.text, caught.value.column) == (text, 7)


def test_messages_stay_on_one_short_line() -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen("W:W" + "1\n" * 500 + ":B", "international")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 100


@given(positions(variants()))
def test_reading_undoes_writing_in_every_variant(position: Position) -> None:
    text = position.fen()
    assert Position.from_fen(text, position.variant) == position
    assert Position.from_fen(text, position.variant).fen() == text


@given(positions())
def test_reading_undoes_writing_under_rules_of_ones_own(position: Position) -> None:
    assert Position.from_fen(position.fen(), position.variant) == position


@given(positions())
def test_a_repr_can_be_pasted_back(position: Position) -> None:
    pasted = eval(repr(position), dict(NAMES))
    assert pasted == position
    assert (hash(pasted), pasted.fen()) == (hash(position), position.fen())


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
def test_any_text_is_a_position_or_an_error_with_a_place(rules: DraughtsRules, text: str) -> None:
    read = parsed(text, rules)
    if isinstance(read, NotationError):
        assert 1 <= read.column <= len(text.split("\n")[read.line - 1]) + 1
    else:
        assert Position.from_fen(read.fen(), rules) == read


def parsed(text: str, rules: DraughtsRules) -> Position | NotationError:
    """What reading gives, or why it gives nothing."""
    try:
        return Position.from_fen(text, rules)
    except NotationError as error:
        return error


@given(positions(variants()), st.data())
def test_a_spoilt_text_is_refused_or_means_what_it_says(position: Position, data: st.DataObject) -> None:
    # Every character of the normal form counts: without one it says something else, or nothing. Algebraic squares are
    # the exception, as e7 without its letter is still square 7.
    text = position.fen()
    index = data.draw(st.integers(0, len(text) - 1))
    spoilt = text[:index] + text[index + 1 :]
    read = parsed(spoilt, position.variant)
    if isinstance(read, Position):
        assert read != position or position.variant.notation is not Notation.NUMERIC
        assert count_pieces(read) <= count_pieces(position)


def count_pieces(position: Position) -> int:
    return sum(len(position.squares(side, kind)) for side in Side for kind in Kind)


def test_every_variant_reads_its_own_start() -> None:
    for rules in VARIANTS.values():
        assert Position.from_fen(Position.start(rules).fen(), rules.name) == Position.start(rules)
