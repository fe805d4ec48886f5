"""Writing PDN 3.0 files, and games that cannot be written."""

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


def test_tags_have_the_order_of_the_standard() -> None:
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
def test_results_have_the_points_of_the_variant(variant: str, given: str, expected: str) -> None:
    assert f'[Result "{expected}"]' in written(f'[Result "{given}"] *', variant=variant)


def test_move_numbers() -> None:
    body = "1. 32-28 {c} 1... 19-23 (1... 18-23 2. 38-32) 2. 28x19 14x23 $2 3. 37-32"
    assert written(body).endswith(f"\n\n{body} *\n")


def test_move_numbers_if_black_begins() -> None:
    assert written('[FEN "B:W31:B1"] 1-7 31-27').endswith("\n1... 1-7 2. 31-27 *\n")
    assert written('[GameType "21"] 11-15 23-19').endswith("\n1. 11-15 23-19 *\n")


def test_a_move_after_an_unknown_one_has_a_number() -> None:
    assert written("1. ... 19-23 2. 28x19").endswith("\n... 1... 19-23 2. 28x19 *\n")


def test_captures_have_the_separator_of_the_variant() -> None:
    assert written("c3d4 b6-c5 d4xb6", variant="russian").endswith("1. c3-d4 b6-c5 2. d4:b6 *\n")
    assert written("32-28 19-23 28:19").endswith("2. 28x19 *\n")


def test_long_game_is_wrapped_at_80_columns() -> None:
    position, moves = START, []
    for _ in range(60):
        moves.append(position.legal_moves()[-1])
        position = position.play(moves[-1])
    lines = format_pdn(PdnGame.from_moves(START, moves)).splitlines()
    assert max(map(len, lines)) <= 80
    assert min(map(len, lines[2:-1])) > 65


def test_move_with_another_path_round_trips() -> None:
    position = Position.from_fen("W:WK3:B9,10,22,28,33,41", INTERNATIONAL)
    for move in position.legal_moves(paths=True):
        game = PdnGame.from_moves(position, [move])
        assert parse_pdn(format_pdn(game)) == game


def test_games_are_written_to_a_file(tmp_path: Path) -> None:
    games = [parse_pdn("32-28 {é\r\nü}"), parse_pdn("33-28")]
    path = tmp_path / "games.pdn"
    assert write_pdn(games, path) == write_pdn(games, str(path)) == 2
    assert path.read_bytes().decode() == "\n".join(map(format_pdn, games))
    out = io.StringIO()
    assert write_pdn([], out) == 0
    assert out.getvalue() == ""


FIRST = START.legal_moves()[0]
VARIATION = PdnLine(START, (PdnNode(FIRST),))


INVALID_NODES = {
    "a comment with a closing brace and a newline": PdnNode(FIRST, notes=("a }\n b",)),
    "a comment with a closing brace and a carriage return": PdnNode(FIRST, notes=("a }\r",)),
    "a comment with a tag and an opening brace": PdnNode(FIRST, notes=('a\n[Event "x"]\n {',)),
    "a comment with a tag and an empty line": PdnNode(FIRST, notes=('a\n[Event "x"]\n \n',)),
    "a lone surrogate": PdnNode(FIRST, notes=("\ud800",)),
    "an empty variation": PdnNode(FIRST, notes=(PdnLine(START),)),
    "an unknown strength sign": PdnNode(FIRST, "*"),
    "an unchecked move in a known position": PdnNode("32-28"),
}


@pytest.mark.parametrize("node", INVALID_NODES.values(), ids=INVALID_NODES)
def test_invalid_node_is_rejected(node: PdnNode) -> None:
    with pytest.raises(TablemenError):
        format_pdn(PdnGame(PdnLine(START, (node,))))


@pytest.mark.parametrize("text", ["1-1", "c3-d4", "32", "32-51", "hello", "", "32--28"])
def test_unchecked_move_must_consist_of_squares(text: str) -> None:
    with pytest.raises(TablemenError, match=repr(text)):
        format_pdn(PdnGame(PdnLine(START, (PdnNode("..."), PdnNode(text)))))


INVALID_TAGS = [{"a b": ""}, {"1": ""}, {"A": "b\nc"}]


@pytest.mark.parametrize("tags", INVALID_TAGS)
def test_invalid_tag_is_rejected(tags: dict[str, str]) -> None:
    (name,) = tags
    with pytest.raises(TablemenError, match=name):
        format_pdn(PdnGame(PdnLine(START), tags))


def test_illegal_move_is_rejected() -> None:
    with pytest.raises(IllegalMoveError):
        format_pdn(PdnGame.from_moves(START, [Move("international", [32, 27]), Move("international", [32, 27])]))
    with pytest.raises(IllegalMoveError):
        format_pdn(PdnGame.from_moves(START, [Position.start("english").legal_moves()[0]]))
    unknown = PdnLine(START, (PdnNode("..."), PdnNode(FIRST)))
    with pytest.raises(TablemenError, match=str(FIRST)):
        format_pdn(PdnGame(unknown))


def test_game_needs_a_start() -> None:
    with pytest.raises(TablemenError):
        PdnGame(PdnLine(None))


def test_equality_compares_tags_moves_and_notes() -> None:
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


def test_positions_of_a_line_and_illegal_moves() -> None:
    line = PdnLine.from_moves(START, [FIRST])
    assert line.positions() == [START, START.play(FIRST)]
    with pytest.raises(IllegalMoveError):
        PdnLine.from_moves(START, [FIRST, FIRST]).positions()
    assert START.play(FIRST).turn is Side.BLACK


def test_comment_with_a_closing_brace_is_written_as_a_line_comment() -> None:
    game = parse_pdn("32-28 ; a } b\n(33-28 ;}\n) 19-23 {c} *")
    assert game.nodes[0].comments == (" a } b",)
    assert game.nodes[0].variations[0].nodes[0].comments == ("}",)
    assert format_pdn(game).endswith("\n1. 32-28 ; a } b\n(1. 33-28 ;}\n) 1... 19-23 {c} *\n")
    assert parse_pdn(format_pdn(game)) == game


def test_comment_with_a_line_like_a_tag_round_trips() -> None:
    game = parse_pdn('32-28 {x\n[White "a"] y} 19-23 *')
    assert game.nodes[0].comments == ('x\n[White "a"] y',)
    assert parse_pdn(format_pdn(game)) == game


def test_fen_tag_with_the_start_position_is_kept() -> None:
    text = f'[SetUp "1"]\n[FEN "{START.fen()}"]\n32-28 *'
    assert f'[FEN "{START.fen()}"]\n[SetUp "1"]\n' in written(text)
    assert "FEN" not in written('[FEN "?"] 32-28 *')


def untyped(value: object) -> Any:
    """Return a value without its type, for calls that the type checker would reject."""
    return value


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda: PdnGame.from_moves(START, [], untyped({"A": 5})), "tags['A']", 5),
        (lambda: PdnGame.from_moves(START, [], untyped({5: "A"})), "tag name", 5),
        (lambda: PdnGame.from_moves(START, [], untyped("A")), "tags", "A"),
        (lambda: PdnGame.from_moves(START, [FIRST, untyped("c3-d4")]), "moves[1]", "c3-d4"),
        (lambda: PdnGame(untyped("32-28")), "line", "32-28"),
        (lambda: write_pdn([untyped(1)], io.StringIO()), "game", 1),
        (lambda: Nag(-1), "number", -1),
        (lambda: Nag(65_536), "number", 65_536),
        (lambda: Nag(untyped("x")), "number", "x"),
    ],
)
def test_wrong_arguments_are_rejected(make: Callable[[], object], name: str, value: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        make()
    assert (caught.value.name, caught.value.value) == (name, value)


def test_meaning_of_glyphs() -> None:
    assert (Nag(7).meaning, Nag(9999).meaning, repr(Nag(3)), Nag(3) + 1) == ("forced move", "", "Nag(3)", 4)
