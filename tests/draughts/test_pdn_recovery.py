"""Recovery of PDN games with illegal moves."""

from __future__ import annotations

import io

import pytest

from tablemen import PdnError
from tablemen.draughts.pdn import PdnGame, parse_pdn, read_pdn
from tablemen.draughts.pdn.reader import MAX_RESCANNED_BYTES, MAX_UNPLAYABLE


def read(text: str, variant: str = "international") -> tuple[list[PdnGame], list[PdnError], list[PdnError]]:
    """Return the games of a text, the errors of unreadable games, and the errors of illegal moves."""
    errors: list[PdnError] = []
    illegal: list[PdnError] = []
    reader = read_pdn(io.StringIO(text), variant=variant, on_error=errors.append, on_illegal=illegal.append)
    return list(reader), errors, illegal


@pytest.mark.parametrize("move", ["1-2", "01x49", "17 -  27", "9 x 13 x 2", "16:27\n: 38", "3226", "99-98"])
@pytest.mark.parametrize(
    "text", ["{} 19-23", "32-28 {{a}} ({}! {{b}} 19-23) (33-28) 19-23", "({}) 32-28", "32-28 19-23 {}"]
)
def test_illegal_move_becomes_an_unknown_move(text: str, move: str) -> None:
    wrong = f"\n1. {text.format(move)} *"
    (game,), errors, (illegal,) = read(wrong)
    assert errors == []
    assert game == parse_pdn(f"1. {text.format('- ')} *", variant="international")
    assert (illegal.game, illegal.line, illegal.column) == (1, 2, wrong.index(move))
    assert illegal.problem.startswith(move.split(maxsplit=1)[0])


@pytest.mark.parametrize("move", ["a1-h8", "b6a7", "c3xd4x e5", "i9-j10"])
def test_illegal_algebraic_move_becomes_an_unknown_move(move: str) -> None:
    (game,), errors, (illegal,) = read(f"1. c3-d4 {move} (1... d6-c5)", "russian")
    assert errors == []
    assert game == parse_pdn("1. c3-d4 - (1... d6-c5)", variant="russian")
    assert illegal.column == 10


def test_illegal_moves_are_reported_in_order() -> None:
    games, errors, illegal = read("1. 32-28 (1. 1-5 1-2) 1-3 2. 99-98 *\n\n1. 32-28 *\n\n1. 1-4 *")
    assert [[str(move) for move in game.moves] for game in games] == [["32-28", "...", "..."], ["32-28"], ["..."]]
    assert errors == []
    assert [(each.game, each.problem.split()[0]) for each in illegal] == [
        (1, "1-5"),
        (1, "1-3"),
        (1, "99-98"),
        (3, "1-4"),
    ]


def test_too_many_illegal_moves_make_a_game_unreadable() -> None:
    for count in (MAX_UNPLAYABLE, MAX_UNPLAYABLE + 1):
        games, errors, illegal = read("1. 32-28 " + "(1. 1-2) " * count)
        is_too_many = count > MAX_UNPLAYABLE
        assert (len(games), len(errors), len(illegal)) == ((0, 1, 0) if is_too_many else (1, 0, count))


def test_long_game_with_an_illegal_move_is_not_rescanned() -> None:
    games, errors, _ = read("1. 1-2 {" + "x" * MAX_RESCANNED_BYTES + "}")
    assert games == []
    assert [error.column for error in errors] == [4]
    assert errors[0].problem.startswith("1-2 ")


@pytest.mark.parametrize("text", ["1. 32-28 nonsense 1-2", '[FEN "W:"] 1-2', '1. 1-2 /FEN "B:"/ 1-2'])
def test_other_errors_make_a_game_unreadable(text: str) -> None:
    games, errors, illegal = read(text)
    assert (games, illegal) == ([], [])
    assert len(errors) == 1
