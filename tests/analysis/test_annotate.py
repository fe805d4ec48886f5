"""Annotation of games with an analysis."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from tablemen import ArgumentError, Game
from tablemen.analysis import GameAnalysis, Mark, analyse_game, analyse_pdn, annotate_pdn, annotate_record
from tablemen.analysis.annotate import ANALYSED, ANALYSER, MAX_LINE_LENGTH
from tablemen.draughts import Move, Position
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, format_pdn, parse_pdn
from tablemen.mancala import Position as MancalaPosition
from tablemen.mancala.notation import parse_records
from tablemen.search import Limit, Score, Searcher
from tests.analysis.factories import make_analysis
from tests.pdn_strategies import written_games


def quick(game: PdnGame) -> GameAnalysis[Move]:
    return analyse_pdn(game, Limit(depth=1), searcher=Searcher(table_mb=1))


def deeper(game: PdnGame) -> GameAnalysis[Move]:
    return analyse_pdn(game, Limit(nodes=60), searcher=Searcher(table_mb=1))


def check(game: PdnGame) -> None:
    """Check that the annotated game round-trips through PDN, and differs from the game only in added notes."""
    analysis = quick(game)
    annotated = annotate_pdn(game, analysis)
    assert parse_pdn(format_pdn(annotated)) == annotated
    assert (annotated.start, annotated.line.notes) == (game.start, game.line.notes)
    assert annotated.tags == {**game.tags, ANALYSED: ANALYSER}
    assert annotated.moves == game.moves
    assert annotate_pdn(annotated, analysis) == annotated
    other = deeper(game)
    assert annotate_pdn(annotated, other) == annotate_pdn(game, other)
    marks = {each.index: each.mark for each in analysis.moves}
    for index, (new, old) in enumerate(zip(annotated.nodes, game.nodes, strict=True)):
        if index not in marks:
            assert new == old
            continue
        added = added_notes(new, old)
        assert sum(isinstance(note, str) for note in added) <= 1
        lines = [note for note in added if not isinstance(note, str | Nag)]
        assert all(isinstance(note, PdnLine) for note in lines)
        mark = marks[index]
        assert len(lines) == (mark is not None)
        if old.strength or mark is None or Nag(mark.nag) in added:
            assert new.strength == old.strength
        else:
            assert new.strength == mark.value


def added_notes(new: PdnNode, old: PdnNode) -> list[object]:
    """Return the notes that were inserted at one place between the old ones."""
    count = len(new.notes) - len(old.notes)
    for begin in range(len(old.notes) + 1):
        if new.notes[:begin] + new.notes[begin + count :] == old.notes:
            return list(new.notes[begin : begin + count])
    raise AssertionError(f"{new} does not contain the notes of {old} in one or two parts")


@settings(max_examples=40)
@given(written_games())
def test_annotation_keeps_the_game(game: PdnGame) -> None:
    check(game)


@pytest.mark.slow
@settings(max_examples=250)
@given(written_games())
def test_annotation_keeps_many_games(game: PdnGame) -> None:
    check(game)


def written(*nodes: PdnNode) -> PdnGame:
    return PdnGame(PdnLine(Position.start("international"), nodes))


def test_marked_move_gets_its_sign_and_the_better_line() -> None:
    analysis = make_analysis([Score(0.2), Score(-3.0), Score(-2.9)])
    move, reply = (each.move for each in analysis.moves)
    first, second = annotate_pdn(written(PdnNode(move), PdnNode(reply)), analysis).nodes
    (best,) = analysis.moves[0].before.lines[0].line
    assert first.strength == "??"
    # The file format: a later analysis recognises this comment, and replaces it.
    assert first.notes == (
        f"-3.00: a blunder, {best} is better, +0.20",
        PdnLine.from_moves(Position.start("international"), [best]),
    )
    assert (second.strength, second.notes) == ("", ("-2.90",))


def test_mark_after_a_strength_sign_is_a_glyph() -> None:
    analysis = make_analysis([Score(0.2), Score(-3.0)])
    (each,) = analysis.moves
    for strength, notes, glyphs in (
        ("!", (), (Nag(4),)),
        ("!", (Nag(4),), (Nag(4), Nag(4))),
        ("??", (), (Nag(4),)),
        ("", (Nag(4),), (Nag(4), Nag(4))),
        ("(?)", (Nag(7), "why?"), (Nag(7), Nag(4))),
    ):
        (node,) = annotate_pdn(written(PdnNode(each.move, strength, notes)), analysis).nodes
        assert (node.strength, node.nags) == (strength, glyphs)


def test_each_kind_of_mark() -> None:
    scores = [Score(0.0), Score(-0.5), Score(-0.5), Score(-1.6), Score(-1.6), Score(-math.inf, exact=True, plies=3)]
    analysis = make_analysis(scores)
    nodes = annotate_pdn(written(*(PdnNode(each.move) for each in analysis.moves)), analysis).nodes
    assert [node.strength for node in nodes] == ["?!", "", "?", "", "??"]
    assert nodes[0].comments[0].startswith("-0.50: an inaccuracy, ")
    assert nodes[4].comments[0].startswith("Black wins in 3 plies: a blunder, ")


def test_the_better_line_comes_before_set_ups_and_variations() -> None:
    text = '[GameType "20"] [FEN "W:WK29,38,42,45:B27,35,K47"] 1. 29-7 {hm} (1. 29-12) /FEN "W:W28:B23"/ 2. 28x19'
    game = parse_pdn(text)
    first, last = annotate_pdn(game, analyse_pdn(game, Limit(depth=9))).nodes
    kinds = [type(note) for note in first.notes]
    assert kinds == [str, str, PdnLine, PdnLine, Position]
    better = first.notes[2]
    assert isinstance(better, PdnLine)
    assert str(better.moves[0]) == "38-33"
    assert 1 < len(better.moves) <= MAX_LINE_LENGTH
    assert last == PdnNode(game.nodes[1].move)  # no score at the end of a game


def test_comments_added_to_an_analysed_game_are_kept() -> None:
    blunder, trifle = make_analysis([Score(0.2), Score(-3.0)]), make_analysis([Score(0.2), Score(0.19)])
    (each,) = blunder.moves
    (first,) = annotate_pdn(written(PdnNode(each.move, "", ("hm",))), blunder).nodes
    own, comment, line = first.notes
    assert (first.strength, own) == ("??", "hm")
    assert isinstance(line, PdnLine)
    own_line = PdnLine(line.start, (PdnNode(line.nodes[0].move, "!"),))
    for strength, notes, new_strength, kept in (
        ("??", first.notes, "", ("hm",)),
        ("?", first.notes, "?", ("hm",)),
        ("??", (own, "so what", comment, line), "", ("hm", "so what")),
        ("??", (own, comment, "so what", line), "", ("hm", "so what", line)),
        ("??", (own, comment, own_line), "", ("hm", own_line)),
        ("??", (own, comment, line, line), "", ("hm", line)),
        ("??", (own, f"{comment}!", line), "??", ("hm", f"{comment}!", line)),
        ("", (line, comment), "", (line, comment)),
    ):
        game = PdnGame(PdnLine(each.before.position, (PdnNode(each.move, strength, notes),)), {ANALYSED: ANALYSER})
        (node,) = annotate_pdn(game, trifle).nodes
        assert node.strength == new_strength
        assert [note for note in node.notes if note != "+0.19"] == list(kept)
        assert node.notes.count("+0.19") == 1


def test_comment_at_the_end_of_a_game_is_kept() -> None:
    text = '[GameType "20"] [FEN "W:W28:B23"] [Analysed "tablemen"] 1. 28x19 {White has won} *'
    game = parse_pdn(text)
    assert annotate_pdn(game, quick(game)) == game


def test_annotations_of_another_analyser_are_kept() -> None:
    analysis = make_analysis([Score(0.2), Score(0.1)])
    (each,) = analysis.moves
    for tags in ({}, {ANALYSED: "by Ann"}):
        game = PdnGame(PdnLine(each.before.position, (PdnNode(each.move, "", ("+0.35",)),)), tags)
        annotated = annotate_pdn(game, analysis)
        assert annotated.nodes[0].notes == ("+0.35", "+0.10")
        assert annotated.tags == {ANALYSED: ANALYSER, **tags}


def test_record_has_tags_for_scores_and_marks() -> None:
    game = Game(MancalaPosition.from_text("<6,19,19,0,1,0,2,0,1,0,0,3,0,2,1> north", "kalah"), ["6", "3"])
    analysis = analyse_game(game, Limit(depth=30))
    assert [each.mark for each in analysis.moves] == [None, Mark.BLUNDER]
    text = annotate_record(game, {"South": "Ann", "Marks": "old"}, analysis)
    (record,) = parse_records(text)
    assert record.game == game
    assert record.tags == {"South": "Ann", "Scores": "drawn +2", "Marks": "2:3??"}


def test_analysis_of_another_game_is_refused() -> None:
    analysis = make_analysis([Score(0.2), Score(0.1)])
    (each,) = analysis.moves
    other = next(move for move in each.before.position.legal_moves() if move != each.move)
    for nodes in ((), (PdnNode(other),), (PdnNode(each.move), PdnNode("..."))):
        with pytest.raises(ArgumentError) as error:
            annotate_pdn(written(*nodes), analysis)
        assert (error.value.name, error.value.value) == ("analysis", analysis)
    with pytest.raises(ArgumentError) as error:
        annotate_record(Game(MancalaPosition.start("kalah")), {}, analysis)
    assert (error.value.name, error.value.value) == ("analysis", analysis)
