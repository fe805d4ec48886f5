"""Game files that are wrong: every error has its place, and the next game is read."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.draughts.pdn import format_pdn, parse_pdn
from tests.draughts.test_pdn_reading import FILES, read


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ('[GameType "20"]\n1. 32-28 19-23\n2. 33-27 14-19', 3, 4, "33-27 is not legal here"),
        ('[GameType "20"]\n1. 32-28 19-23 (19-24\n20-25)', 3, 1, "20-25 is not legal here"),
        ('[GameType "20"] 1. 32-28 {é\né} 19-99', 2, 4, "19-99 is not legal here"),
        ('[GameType "20"] 1. 32-28 c3-d4', 1, 26, "c3-d4 is not legal here"),
        ('[FEN "W:WK3:B8,9,22,23"] 1. 3x26', 1, 29, "3x26 is not legal here"),
        ("1. 32-28 19-23\n2. 33-27", 2, 4, "33-27 is not legal here (read as international, since"),
        ("1. 32-28 oops", 1, 10, "this is no part of a game"),
        ("1. 32-28 17", 1, 10, "a number that is no move"),
        ("1. 32-28 19-", 1, 10, "a square is missing"),
        ("[Event x]", 1, 1, "a tag needs a value in quotes"),
        ('\n[Event "x]', 2, 1, "the closing quote of this tag's value is missing"),
        ('[Event "x"\n32-28', 1, 1, "the ] of this tag is missing"),
        ('[A "1"]\n[A "2"]', 2, 2, "this tag stands there twice"),
        ("32-28 [%clk 0:01]", 1, 7, "a tag needs a name"),
        ("32-28 {", 1, 7, "the } of this comment is missing"),
        ("32-28 (33-28", 1, 7, "the ) of this variation is missing"),
        ("32-28 )", 1, 7, "there is no ( for this )"),
        ("32-28 (33-28 1-0) 19-23", 1, 14, "a result inside a variation"),
        ("(" * 101 + "32-28" + ")" * 101, 1, 101, "variations are nested deeper than 100"),
        ("32-28 $", 1, 7, "a $ needs a number"),
        ("32-28 /W:W1:B2/", 1, 7, "a set-up is written"),
        ("! 32-28", 1, 1, "a strength sign needs a move before it"),
        ('[GameType "20"][FEN "W:W99:B1"]', 1, 17, "FEN, column 4: international has no square '99'"),
        ('[GameType "20"] 32-28\n/FEN "W:W51:B1"/ 1-2', 2, 7, "FEN, column 4: international has no square '51'"),
        ('[GameType "20"] ... /FEN "B::"/ 19-23', 1, 27, "a set-up that changes only the turn needs a known position"),
    ],
)
def test_errors_have_a_place_and_the_next_game_is_read(text: str, line: int, column: int, problem: str) -> None:
    games, (error, *others) = read(f'{text}\n*\n[Event "good"] [GameType "20"] 32-28 *')
    assert others == []
    assert (error.game, error.line, error.column) == (1, line, column)
    assert problem in error.problem
    assert str(error).startswith(f"game 1, line {line}, column {column}: {problem[:20]}")
    assert [game.tags["Event"] for game in games] == ["good"]


def test_a_comment_that_was_never_closed_does_not_swallow_the_next_game() -> None:
    games, (error,) = read('32-28 {oh\n\n[Event "2"]\n33-28 {closed} *')
    assert (error.line, error.column) == (1, 7)
    assert [game.tags["Event"] for game in games] == ["2"]


def test_errors_can_be_pickled() -> None:
    _, (error,) = read("32-28 {")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.text, again.game) == (str(error), error.text, error.game)


# Anything at all

PARTS = (b"", b"{", b"}", b"(", b")", b"[", b'"', b"\\", b"*", b"1-1", b"\xff", b"/", b"32-28", b"\n[A ")


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_games_or_errors(data: bytes) -> None:
    check_anything(data)


@settings(max_examples=100)
@given(st.sampled_from(FILES), st.data())
def test_spoilt_games_are_games_or_errors(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 20)))
    part = data.draw(st.sampled_from(PARTS))
    check_anything(text[:start] + part + text[end:] + text)


def check_anything(data: bytes) -> None:
    """What holds of any bytes: games can be written and read again, errors point into the bytes."""
    games, errors = read(data)
    for game in games:
        again = parse_pdn(format_pdn(game))
        assert again == game
    lines = data.decode("utf-8", "replace").split("\n")
    for error in errors:
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
