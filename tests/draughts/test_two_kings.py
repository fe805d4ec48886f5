"""One king against one king is an immediate draw, unless one side wins by force."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablemen import Game, InvalidRulesError, Outcome, Side, Termination
from tablemen.analysis import analyse_position
from tablemen.draughts import INTERNATIONAL, VARIANTS, DraughtsRules, Position
from tablemen.draughts.draws import DrawnMaterial, Force, Material, Threat
from tablemen.search import Limit, Score, Searcher
from tests import reference
from tests.guided_play import DraughtsGame
from tests.reference.retrograde import tiny
from tests.reference.two_kings import Kings, all_kings, decided, set_up
from tests.strategies import custom_rules

KING = Force(pieces=(1, 1), kings=(1, 1))
RULE = DrawnMaterial(Material(KING, KING), termination=Termination.KING_AGAINST_KING, unless=Threat.FORCED_WIN)
DRAWN = Outcome(None, Termination.KING_AGAINST_KING)


def check_every_position(rules: DraughtsRules) -> dict[Kings, int]:
    """Compare the core with the reference, and return the positions that are won by force."""
    expected = decided(rules)
    for kings in all_kings(rules):
        position = reference.to_core(set_up(rules, kings))
        assert position.draw_counters().is_drawn == (kings not in expected)
    return expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wins_in_3"),
    [
        ("international", 16),
        ("frisian", 16),
        pytest.param("canadian", 20, marks=pytest.mark.slow),
        pytest.param("srilankan", 20, marks=pytest.mark.slow),
        pytest.param("frysk", 16, marks=pytest.mark.slow),
    ],
)
def test_every_position_of_a_variant(name: str, wins_in_3: int) -> None:
    rules = VARIANTS[name]
    assert any(rule.unless is Threat.FORCED_WIN for rule in rules.draws if isinstance(rule, DrawnMaterial))
    plies = check_every_position(rules)
    # Wins in 1, 2 and 3 plies: a capture, a king that cannot escape capture, and a move after which it cannot.
    assert set(plies.values()) == {1, 2, 3}
    for side in Side:
        assert sum(number == 3 for (*_, turn), number in plies.items() if turn is side) == wins_in_3


@pytest.mark.slow
@settings(max_examples=30)
@given(custom_rules(), st.integers(4, 6))
def test_every_position_of_a_small_board(rules: DraughtsRules, size: int) -> None:
    check_every_position(tiny(rules, size, (RULE,)))


def test_forced_win_is_an_exception_for_two_kings_only() -> None:
    with pytest.raises(InvalidRulesError, match=r"FORCED_WIN"):
        replace(INTERNATIONAL, name="mine", draws=(replace(RULE, material=Material(KING, Force(pieces=(1, 1)))),))


def test_forced_win_of_the_other_king() -> None:
    game: DraughtsGame = Game(Position.from_fen("W:WK14:BK46", "international"))
    assert game.outcome() is None
    game.push("14-5")
    assert game.outcome() is None
    game.push(game.legal_moves()[0])
    game.push(game.legal_moves()[0])
    assert game.outcome() == Outcome(Side.WHITE, Termination.NO_PIECES)
    # After any other move the king can escape.
    game = Game(Position.from_fen("W:WK14:BK46", "international"), ["14-3"])
    assert game.outcome() == DRAWN


def test_search_and_game_agree() -> None:
    game: DraughtsGame = Game(Position.from_fen("B:WK14,41:B37", "international"))  # Black must capture
    assert analyse_position(game, Limit(depth=8)).score == Score(-math.inf, exact=True, plies=4)
    searcher = Searcher(table_mb=1)
    while game.outcome() is None:
        game.push(searcher.choose(game, Limit(depth=8)).move)
    assert (game.outcome(), len(game.moves)) == (Outcome(Side.WHITE, Termination.NO_PIECES), 4)
