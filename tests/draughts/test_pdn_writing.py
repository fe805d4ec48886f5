"""Game files as PDN 3.0 wants them, and what cannot be written."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablemen import IllegalMoveError, Side
from tablemen.draughts import INTERNATIONAL, Move, Position
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, format_pdn, parse_pdn, write_pdn
from tablemen.draughts.pdn.game import Note
from tablemen.errors import ArgumentError, TablemenError

START = Position.start("international")


def written(text: str, **options: str) -> str:
    return format_pdn(parse_pdn(text, **options))


def test_tags_come_in_the_order_of_the_standard() -> None:
    text = written('[ECO "x"] [Black "B"] [FEN "W:W31:B1"] [Result "1-0"] [White "W"] [GameType "20"] [Event "E"] *')
    assert text == (
        '[Event "E"]\n[White "W"]\n[Black "B"]\n[Result "2-0"]\n[GameType "20"]\n[FEN "W:W31:B1"]\n[ECO "x"]\n\n*\n'
    )


@pytest.mark.parametrize(
    ("variant", "given", "expected"),
    [
        ("international", "1-0", "2-0"),
        ("international", "1/2-1/2", "1-1"),
        ("canadian", "0-1", "0-2"),
        ("frisian", "2-0", "1-0"),
        ("english", "1-1", "1/2-1/2"),
        ("russian", "0-2", "0-1"),
        ("english", "0-0", "0-0"),
        ("international", "*", "*"),
        ("international", "1+ - 1-", "1+ - 1-"),
    ],
)
def test_results_are_written_in_the_system_of_the_game(variant: str, given: str, expected: str) -> None:
    assert f'[Result "{expected}"]' in written(f'[Result "{given}"] *', variant=variant)


def test_moves_have_numbers_where_they_are_needed() -> None:
    body = "1. 32-28 {c} 1... 19-23 (1... 18-23 2. 38-32) 2. 28x19 14x23 $2 3. 37-32"
    assert written(body).endswith(f"\n\n{body} *\n")


def test_black_begins_in_the_middle_and_at_the_start() -> None:
    assert written('[FEN "B:W31:B1"] 1-7 31-27').endswith("\n1... 1-7 2. 31-27 *\n")
    assert written('[GameType "21"] 11-15 23-19').endswith("\n1. 11-15 23-19 *\n")


def test_captures_are_written_with_the_sign_of_the_variant() -> None:
    assert written("c3d4 b6-c5 d4xb6", variant="russian").endswith("1. c3-d4 b6-c5 2. d4:b6 *\n")
    assert written("32-28 19-23 28:19").endswith("2. 28x19 *\n")


def test_a_long_game_has_lines_of_80_columns() -> None:
    position, moves = START, []
    for _ in range(60):
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    lines = format_pdn(PdnGame.from_moves(START, moves)).splitlines()
    assert max(map(len, lines)) <= 80
    assert min(map(len, lines[2:-1])) > 65


def test_a_move_of_another_way_is_written_as_it_is_listed() -> None:
    position = Position.from_fen("W:WK3:B9,10,22,28,33,41", INTERNATIONAL)
    for move in position.legal_moves(paths=True):
        game = PdnGame.from_moves(position, [move])
        assert parse_pdn(format_pdn(game)) == game


def test_files_are_written_whole(tmp_path: Path) -> None:
    games = [parse_pdn("32-28 {é\r\nü}"), parse_pdn("33-28")]
    path = tmp_path / "games.pdn"
    assert write_pdn(games, path) == write_pdn(games, str(path)) == 2
    assert path.read_bytes().decode() == "\n".join(map(format_pdn, games))
    out = io.StringIO()
    assert write_pdn([], out) == 0
    assert out.getvalue() == ""


FIRST = START.legal_moves()[0]
VARIATION = PdnLine(START, (PdnNode(FIRST),))


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        (PdnNode(FIRST, notes=("a }\n b",)), r"the comment 'a }\\n b' cannot be written: it has a } and more than one"),
        (PdnNode(FIRST, notes=("a }\r",)), "it has a } and more than one line"),
        (PdnNode(FIRST, notes=('a\n[Event "x"]\n {',)), "a line that begins like a tag"),
        (PdnNode(FIRST, notes=('a\n[Event "x"]\n \n',)), "or an empty line"),
        (PdnNode(FIRST, notes=("\ud800",)), "lone surrogate"),
        (PdnNode(FIRST, notes=(PdnLine(START),)), "an empty variation"),
        (PdnNode(FIRST, "*"), r"'\*' is not a strength sign"),
        (PdnNode("32-28"), "a move in a known position must be a Move"),
    ],
)
def test_what_cannot_be_written_is_refused(node: PdnNode, problem: str) -> None:
    with pytest.raises(TablemenError, match=problem):
        format_pdn(PdnGame(PdnLine(START, (node,))))


@pytest.mark.parametrize("text", ["1-1", "c3-d4", "32", "32-51", "hello", "", "32--28"])
def test_a_move_that_is_not_known_is_still_squares(text: str) -> None:
    with pytest.raises(TablemenError, match="is not a move on the board"):
        format_pdn(PdnGame(PdnLine(START, (PdnNode("..."), PdnNode(text)))))


@pytest.mark.parametrize(
    ("tags", "problem"),
    [
        ({"a b": ""}, "is not the name of a tag"),
        ({"1": ""}, "it must be a letter"),
        ({"A": "b\nc"}, "more than one line"),
    ],
)
def test_tags_that_cannot_be_written(tags: dict[str, str], problem: str) -> None:
    with pytest.raises(TablemenError, match=problem):
        format_pdn(PdnGame(PdnLine(START), tags))


def test_an_illegal_move_is_not_written() -> None:
    with pytest.raises(IllegalMoveError):
        format_pdn(PdnGame.from_moves(START, [Move("international", [32, 27]), Move("international", [32, 27])]))
    with pytest.raises(IllegalMoveError):
        format_pdn(PdnGame.from_moves(START, [Position.start("english").legal_moves()[0]]))
    unknown = PdnLine(START, (PdnNode("..."), PdnNode(FIRST)))
    with pytest.raises(TablemenError, match="the position before it is unknown"):
        format_pdn(PdnGame(unknown))


def test_a_game_needs_a_start() -> None:
    with pytest.raises(TablemenError, match="needs a start position"):
        PdnGame(PdnLine(None))


def test_games_differ_where_anything_of_them_does() -> None:
    game = parse_pdn('[White "A"] [Result "2-0"] 1. 32-28 $1 {c} (33-28) 19-23')
    spelt = parse_pdn('[Result "1-0"] [GameType "20"] [White "A"] 32-28 $1 {c} (1. 33-28) 1... 19-23 *')
    assert game == spelt
    assert game != "a game"
    notes: tuple[tuple[Note, ...], ...] = ((), (Nag(1), "d", VARIATION), ("c", Nag(1), VARIATION))
    for other in notes:
        changed = replace(game.line, nodes=(replace(game.nodes[0], notes=other), game.nodes[1]))
        assert PdnGame(changed, game.tags) != game
    assert PdnGame(game.line, {**game.tags, "White": "B"}) != game
    assert PdnGame(game.line, {**game.tags, "Result": "0-2"}) != game
    assert PdnGame(replace(game.line, nodes=game.nodes[:1]), game.tags) != game


def test_a_line_knows_its_positions_and_refuses_illegal_moves() -> None:
    line = PdnLine.from_moves(START, [FIRST])
    assert line.positions() == [START, START.play(FIRST)]
    with pytest.raises(IllegalMoveError):
        PdnLine.from_moves(START, [FIRST, FIRST]).positions()
    assert START.play(FIRST).turn is Side.BLACK


def test_a_comment_with_a_closing_brace_goes_to_the_end_of_its_line() -> None:
    game = parse_pdn("32-28 ; a } b\n(33-28 ;}\n) 19-23 {c} *")
    assert game.nodes[0].comments == (" a } b",)
    assert game.nodes[0].variations[0].nodes[0].comments == ("}",)
    assert format_pdn(game).endswith("\n1. 32-28 ; a } b\n(1. 33-28 ;}\n) 1... 19-23 {c} *\n")
    assert parse_pdn(format_pdn(game)) == game


def test_a_comment_may_have_a_line_like_a_tag() -> None:
    game = parse_pdn('32-28 {x\n[White "a"] y} 19-23 *')
    assert game.nodes[0].comments == ('x\n[White "a"] y',)
    assert parse_pdn(format_pdn(game)) == game


def test_a_position_that_is_the_start_is_kept_with_its_set_up() -> None:
    text = f'[SetUp "1"]\n[FEN "{START.fen()}"]\n32-28 *'
    assert f'[FEN "{START.fen()}"]\n[SetUp "1"]\n' in written(text)
    assert "FEN" not in written('[FEN "?"] 32-28 *')


def wrong(value: object) -> Any:
    """What the types forbid, and callers without them give all the same."""
    return value


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: PdnGame.from_moves(START, [], wrong({"A": 5})), r"tags\['A'\] is 5: a str is expected"),
        (lambda: PdnGame.from_moves(START, [], wrong({5: "A"})), "a tag's name is 5: a str is expected"),
        (lambda: PdnGame.from_moves(START, [], wrong("A")), "tags is 'A': a mapping"),
        (lambda: PdnGame.from_moves(START, [FIRST, wrong("c3-d4")]), r"moves\[1\] is 'c3-d4': a Move is expected"),
        (lambda: PdnGame(wrong("32-28")), "line is '32-28': a PdnLine is expected"),
        (lambda: write_pdn([wrong(1)], io.StringIO()), "game is 1: a PdnGame is expected"),
        (lambda: Nag(-1), "number is -1: a number from 0 to 65535 is expected"),
        (lambda: Nag(65_536), "number is 65536"),
        (lambda: Nag(wrong("x")), "number is 'x'"),
    ],
)
def test_arguments_of_a_wrong_kind_are_told_at_once(make: Callable[[], object], problem: str) -> None:
    with pytest.raises(ArgumentError, match=problem):
        make()


def test_glyphs_have_meanings() -> None:
    assert (Nag(7).meaning, Nag(9999).meaning, repr(Nag(3)), Nag(3) + 1) == ("forced move", "", "Nag(3)", 4)
