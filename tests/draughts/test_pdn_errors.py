"""Errors in PDN files: each has a line and a column, and the next game is read."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen.draughts.pdn import format_pdn, parse_pdn
from tests.draughts import invalid_input
from tests.draughts.test_pdn_reading import FILES, read


@pytest.mark.parametrize(("text", "line", "column"), invalid_input.PDN_GAMES)
def test_error_has_line_and_column_and_the_next_game_is_read(text: str, line: int, column: int) -> None:
    games, (error, *others) = read(f'{text}\n*\n[Event "good"] [GameType "20"] 32-28 *')
    assert others == []
    assert (error.game, error.line, error.column) == (1, line, column)
    assert [game.tags["Event"] for game in games] == ["good"]


def test_unclosed_comment_does_not_hide_the_next_game() -> None:
    games, (error,) = read('32-28 {oh\n\n[Event "2"]\n33-28 {closed} *')
    assert (error.line, error.column) == (1, 7)
    assert [game.tags["Event"] for game in games] == ["2"]


def test_errors_can_be_pickled() -> None:
    _, (error,) = read("32-28 {")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.text, again.game) == (str(error), error.text, error.game)


# Arbitrary and damaged input

PARTS = (b"", b"{", b"}", b"(", b")", b"[", b'"', b"\\", b"*", b"1-1", b"\xff", b"/", b"32-28", b"\n[A ")


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_games_or_errors(data: bytes) -> None:
    check_games_and_errors(data)


@settings(max_examples=100)
@given(st.sampled_from(FILES), st.data())
def test_damaged_files_are_games_or_errors(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes()
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 20)))
    part = data.draw(st.sampled_from(PARTS))
    check_games_and_errors(text[:start] + part + text[end:] + text)


def check_games_and_errors(data: bytes) -> None:
    """Check that games can be written and read again, and that errors point into the bytes."""
    games, errors = read(data)
    for game in games:
        again = parse_pdn(format_pdn(game))
        assert again == game
    lines = data.decode("utf-8", "replace").split("\n")
    for error in errors:
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
