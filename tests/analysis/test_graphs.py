"""Graphs of an analysis as text and SVG, and its JSON."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import ArgumentError, Game
from tablemen.analysis import (
    Mark,
    PositionAnalysis,
    analyse_game,
    draw_graph,
    draw_svg,
    serialize_game_analysis,
    serialize_position_analysis,
)
from tablemen.analysis.graphs import AREA_COLOURS, MARK_COLOURS
from tablemen.draughts import Position
from tablemen.mancala import Position as MancalaPosition
from tablemen.outcome import Side
from tablemen.search import Limit, Score
from tests.analysis.factories import make_analysis
from tests.pictures import SVG, of_class, parse

WON, LOST = (Score(sign * math.inf, exact=True, plies=5) for sign in (1, -1))
# Black makes a mistake, White a blunder, and Black a blunder that turns a won game into a lost one.
SCORES = [0.0, 0.0, 0.3, 0.4, 1.5, 1.4, 1.4, -1.2, -1.0, -1.1, -0.9, -1.0]
GAME = [*(Score(value) for value in SCORES), LOST, LOST, WON, WON]

BLOCKS = """\
            X
White              ██
         ▄▄▄       ██
         ███       ██
       ▄████       ██
even  ───────────────
            ███████
            ███▀███
                 ██
Black            ██
         ?         X
      1         6"""
ASCII = """\
            X
White    .         ##
       ..###       ##
even  ---------------
            #######
Black            ##
         ?         X
      1         6"""


def test_graph_with_block_characters() -> None:
    assert draw_graph(make_analysis(GAME)) == BLOCKS


def test_graph_in_ascii() -> None:
    drawn = draw_graph(make_analysis(GAME), height=2, ascii_only=True)
    assert drawn == ASCII
    assert drawn.isascii()


def test_narrow_graph_has_several_moves_per_column() -> None:
    narrow = draw_graph(make_analysis(GAME), width=20).splitlines()
    assert max(map(len, narrow)) == 20
    assert "".join(narrow).count("X") == 2
    assert len(draw_graph(make_analysis(GAME), width=200).splitlines()[5]) == 6 + 15


def test_unknown_moves_are_blank() -> None:
    scores = [Score(2.0), Score(2.0), None, Score(2.0), Score(2.0)]
    lines = draw_graph(make_analysis(scores), height=1, ascii_only=True).splitlines()
    assert lines == ["White # ##", "even  ----", "Black", "      1"]


def test_game_without_moves_has_an_empty_text_graph() -> None:
    assert draw_graph(make_analysis([Score(0.0)])) == ""


def test_graph_of_mancala_is_labelled_south_and_north() -> None:
    analysis = analyse_game(Game(MancalaPosition.start("kalah"), ["3"]), Limit(depth=1))
    assert [line[:5].strip() for line in draw_graph(analysis, height=1).splitlines()] == ["South", "even", "North", ""]
    labels = [each.text for each in parse(draw_svg(analysis)).iter(f"{SVG}text")]
    assert labels[:3] == ["South", "even", "North"]


@pytest.mark.parametrize("size", [{"width": 19}, {"height": 0}, {"width": True}])
def test_invalid_sizes(size: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError) as error:
        draw_graph(make_analysis(GAME), **size)
    assert {error.value.name: error.value.value} == size


def test_picture_has_both_areas_and_a_dot_for_every_mark() -> None:
    analysis = make_analysis(GAME)
    root = parse(draw_svg(analysis))
    (white,), (black,) = of_class(root, "white"), of_class(root, "black")
    assert (white.get("fill"), black.get("fill")) == (AREA_COLOURS[Side.WHITE], AREA_COLOURS[Side.BLACK])
    dots = list(root.iter(f"{SVG}circle"))
    assert [dot.get("class") for dot in dots] == [str(each.mark) for each in analysis.marked()]
    assert {dot.get("fill") for dot in of_class(root, "blunder")} == {MARK_COLOURS[Mark.BLUNDER]}
    tooltips = [dot.findtext(f"{SVG}title") or "" for dot in dots]
    for text, each in zip(tooltips, analysis.marked(), strict=True):
        assert text.startswith(f"{each}: ")
        assert str(each.before.best) in text


def test_curve_rises_if_white_is_better() -> None:
    curve = of_class(parse(draw_svg(make_analysis([Score(0.0), Score(2.0), Score(-2.0), WON]))), "curve")[0].get(
        "d", ""
    )
    even, better, worse, won = (float(point.split()[1]) for point in curve.removeprefix("M").split("L"))
    assert won < better < even < worse
    assert (better + worse) / 2 == pytest.approx(even)


def test_picture_has_gaps_for_unknown_moves() -> None:
    scores = [Score(2.0), Score(2.0), None, Score(2.0), Score(2.0)]
    assert len(of_class(parse(draw_svg(make_analysis(scores))), "white")) == 2
    assert len(of_class(parse(draw_svg(make_analysis([Score(0.0)]))), "white")) == 1


def test_picture_has_a_title_and_is_self_contained() -> None:
    picture = draw_svg(make_analysis(GAME), title='Ann & <Bob> "x"', size=400)
    root = parse(picture)
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == 'Ann & <Bob> "x"'
    assert (root.get("width"), root.get("height"), root.get("role")) == ("400", "120", "img")
    for foreign in ("<style", "<script", "href", " id=", "url("):
        assert foreign not in picture
    assert "White" in (parse(draw_svg(make_analysis(GAME))).findtext(f"{SVG}title") or "")
    with pytest.raises(ArgumentError) as error:
        draw_svg(make_analysis(GAME), size=0)
    assert (error.value.name, error.value.value) == ("size", 0)


@given(st.text(st.characters()))  # including lone surrogates
def test_any_title_gives_valid_xml(title: str) -> None:
    root = parse(draw_svg(make_analysis([Score(0.0)]), title=f"Ann\x00{title}"))
    assert (root.findtext(f"{SVG}title") or "").startswith("Ann\ufffd")


def test_json_has_no_infinities() -> None:
    facts = serialize_game_analysis(make_analysis(GAME))
    moves = facts["moves"]
    assert isinstance(moves, list)
    assert len(moves) == 15
    assert moves[11]["score"] == {"text": "loss in 5 plies", "value": None, "exact": True, "plies": 5}
    assert (moves[13]["mark"], moves[13]["loss"]) == ("blunder", None)
    assert moves[13]["chances"] == {"white": 1.0, "black": 0.0}
    assert moves[0]["loss"] == 0
    assert facts["summary"] == {
        "white": {"moves": 8, "average_loss": 0.0782, "inaccuracy": 0, "mistake": 0, "blunder": 1},
        "black": {"moves": 7, "average_loss": 0.1957, "inaccuracy": 0, "mistake": 1, "blunder": 1},
    }
    position = serialize_position_analysis(make_analysis([WON]).start)
    assert (position["turn"], position["outcome"]) == ("white", None)
    assert position["chances"] == {"white": 1.0, "black": 0.0}
    english = serialize_position_analysis(PositionAnalysis(Position.start("english"), Score(1.0)))  # Black is to move
    assert english["chances"] == {"white": 0.2689, "black": 0.7311}
    over = serialize_position_analysis(
        analyse_game(Game(Position.from_fen("W:W28:B23", "international"), ["28x19"])).moves[0].after
    )
    assert (over["outcome"], over["lines"]) == ("no pieces left", [])
