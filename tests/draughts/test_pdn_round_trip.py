"""PDN games survive writing and reading."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game
from tablemen.draughts import INTERNATIONAL, DraughtsRules, Move, Position
from tablemen.draughts.board import Notation
from tablemen.draughts.pdn import Nag, PdnGame, PdnLine, PdnNode, format_pdn, parse_pdn, read_pdn, write_pdn
from tests.pdn_strategies import written_games
from tests.strategies import custom_rules


@settings(max_examples=60)
@given(written_games())
def test_round_trip(game: PdnGame) -> None:
    text = format_pdn(game)
    again = parse_pdn(text)
    assert again == game
    assert hash(again) == hash(game)
    assert format_pdn(again) == text


@pytest.mark.slow
@settings(max_examples=800)
@given(written_games())
def test_round_trip_of_many_games(game: PdnGame) -> None:
    assert parse_pdn(format_pdn(game)) == game


@settings(max_examples=15)
@given(custom_rules(), st.data())
def test_round_trip_under_given_custom_rules(rules: DraughtsRules, data: st.DataObject) -> None:
    game = data.draw(written_games(st.just(rules)))
    assert parse_pdn(format_pdn(game), variant=rules) == game


def test_column_x_is_not_a_capture_separator() -> None:
    rules = replace(INTERNATIONAL, name="wide", columns=24, rows=11, corner_playable=False, notation=Notation.ALGEBRAIC)
    game: Game[Position, Move] = Game(Position.start(rules), ["w8-x7", "a4-b5", "x7-w6", "g4-h5", "w6-x5"])
    written = PdnGame(PdnLine.from_moves(game.start, game.moves))
    assert parse_pdn(format_pdn(written), variant=rules).moves == game.moves


@settings(max_examples=20)
@given(st.lists(written_games(), max_size=4))
def test_round_trip_of_a_file(games: list[PdnGame]) -> None:
    file = io.StringIO(newline="")
    assert write_pdn(games, file) == len(games)
    file.seek(0)
    assert list(read_pdn(file)) == games
    assert list(read_pdn(io.BytesIO(file.getvalue().encode()))) == games


@settings(max_examples=30)
@given(written_games())
def test_lines_without_comments_have_at_most_80_columns(game: PdnGame) -> None:
    body = format_pdn(PdnGame(without_comments(game.line), {}))
    assert all(len(line) <= 80 or '/FEN "' in line or line.startswith("[FEN") for line in body.splitlines())


def without_comments(line: PdnLine) -> PdnLine:
    """Return a line with the legal moves only."""
    moves = [node.move for node in line.nodes]
    assert line.start is not None
    known = []
    position = line.start
    for move in moves:
        if isinstance(move, str) or not position.is_legal(move):
            break
        known.append(move)
        position = position.play(move)
    return PdnLine.from_moves(line.start, known)


@settings(max_examples=20)
@given(written_games())
def test_games_can_be_pickled(game: PdnGame) -> None:
    read = parse_pdn(format_pdn(game))
    assert pickle.loads(pickle.dumps(read)) == game


def test_repr_evaluates_to_an_equal_game() -> None:
    game = parse_pdn('[White "Ann"] 1. 32-28 $7 (33-28 19-23 {c}) 1-0')
    names = {each.__name__: each for each in (Move, Nag, PdnGame, PdnLine, PdnNode, Position)}
    assert eval(repr(game), names) == game
