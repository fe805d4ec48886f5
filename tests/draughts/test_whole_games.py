"""Whole games with each possible ending of every variant, checked against the reference after every move.

The files in `games` have a block for each game: the ending in brackets, the winner or `draw`, `claimed` if the draw
must be claimed, and the moves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablemen import Game, Outcome, Side, Termination
from tablemen.draughts import VARIANTS, Move, Position
from tests import reference
from tests.guided_play import DraughtsGame, safe_moves
from tests.reference.game import AUTOMATIC, ReferenceGame, claimable, due
from tests.strategies import SEEDS, edited_positions, few_pieces, kings_only, variants

FOLDER = Path(__file__).parent / "games"
MAX_PLIES = 2000  # of a random game; a draw rule ends it much earlier
MAX_ENDGAME_PLIES = 130  # more than the limit of any draw rule


@dataclass(frozen=True)
class WholeGame:
    """A block of a file."""

    variant: str
    outcome: Outcome
    claimed: bool
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.variant}-{self.outcome.termination.name}"


def read_games() -> list[WholeGame]:
    return [_game(path.stem, block) for path in sorted(FOLDER.glob("*.txt")) for block in _blocks(path)]


def _blocks(path: Path) -> list[str]:
    return re.split(r"^(?=\[)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def _game(variant: str, block: str) -> WholeGame:
    heading, result, *lines = block.split("\n")
    winner, *claimed = result.removeprefix("result ").split(", ")
    outcome = Outcome(None if winner == "draw" else Side(winner), Termination[heading.strip("[]")])
    return WholeGame(variant, outcome, claimed == ["claimed"], tuple(" ".join(lines).split()))


def endings(name: str) -> set[Termination]:
    """Return the possible endings of the variant, except those that players declare, such as resignation."""
    rules = VARIANTS[name]
    shown = {Termination.NO_MOVE, Termination.NO_PIECES} | ({Termination.BREAKTHROUGH} if rules.breakthrough else set())
    return shown | {rule.termination for rule in rules.draws}


class CheckedGame:
    """A game, and its history in the reference."""

    def __init__(self, start: Position) -> None:
        self.game: DraughtsGame = Game(start)
        self.history = ReferenceGame([reference.from_core(start)])

    def push(self, move: Move | str) -> None:
        played = self.game.push(move)
        self.history.push(reference.move_from_core(played))

    def pop(self) -> None:
        self.game.pop()
        self.history.pop()

    def check(self) -> None:
        """Check the outcome and the claims of the game against the history."""
        game, reasons = self.game, due(self.history)
        if shown := game.position.outcome():
            assert game.outcome() == shown
        elif reasons:
            assert game.outcome() in {Outcome(None, reason) for reason in reasons}
        else:
            assert game.outcome() is None, game
            assert {rule.termination for rule in game.claims()} == claimable(self.history)
            assert game.legal_moves() == game.position.legal_moves()


GAMES = read_games()


def test_files_have_a_game_for_every_ending_of_every_variant() -> None:
    assert set(AUTOMATIC) == set(VARIANTS)
    for name in VARIANTS:
        assert {game.outcome.termination for game in GAMES if game.variant == name} == endings(name)


@pytest.mark.parametrize("whole", GAMES, ids=str)
def test_game_ends_after_its_last_move(whole: WholeGame) -> None:
    checked = CheckedGame(Position.start(whole.variant))
    for text in whole.moves:
        assert checked.game.outcome() is None
        checked.push(text)
        checked.check()
    if whole.claimed:
        assert checked.game.claim_draw() == whole.outcome
    assert checked.game.outcome() == whole.outcome
    assert checked.game.legal_moves() == ()


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games(name: str) -> None:
    chance = Random(name)
    checked = CheckedGame(Position.start(name))
    while not checked.game.outcome() and not checked.game.claims():
        checked.check()
        checked.push(chance.choice(checked.game.legal_moves()))
        assert len(checked.game.moves) < MAX_PLIES
    checked.check()


@given(edited_positions(variants(), (few_pieces, kings_only)), SEEDS, st.sampled_from((0.5, 0.9, 1.0)))
def test_endgames(start: Position, seed: int, care: float) -> None:
    chance = Random(seed)
    checked = CheckedGame(start)
    checked.check()
    while not checked.game.outcome() and len(checked.game.moves) < MAX_ENDGAME_PLIES:
        safe = list(safe_moves(checked.game, lambda _position, _move: True)) if chance.random() < care else []
        checked.push(chance.choice(safe[:5] or checked.game.legal_moves()))
        checked.check()
