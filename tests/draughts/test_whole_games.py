"""Whole games from the opening to each ending of every variant, and the judge's word on each of their positions.

The files in `games` hold them: the ending in brackets, the winner or `draw`, `claimed` where a player must do so, and
the moves.
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
LONGEST = 2000  # moves of a random game; a draw rule ends it long before that
LONGEST_ENDGAME = 130  # enough for any count of moves


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
    """Every way in which a game of the variant can end, but for what players declare by their own will."""
    rules = VARIANTS[name]
    shown = {Termination.NO_MOVE, Termination.NO_PIECES} | ({Termination.BREAKTHROUGH} if rules.breakthrough else set())
    return shown | {rule.termination for rule in rules.draws}


class Judged:
    """A game beside the judge's history of it."""

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
        """The game says what its history says."""
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


def test_there_is_a_game_for_every_ending_of_every_variant() -> None:
    assert set(AUTOMATIC) == set(VARIANTS)
    for name in VARIANTS:
        assert {game.outcome.termination for game in GAMES if game.variant == name} == endings(name)


@pytest.mark.parametrize("whole", GAMES, ids=str)
def test_a_game_ends_where_it_should(whole: WholeGame) -> None:
    judged = Judged(Position.start(whole.variant))
    for text in whole.moves:
        assert judged.game.outcome() is None
        judged.push(text)
        judged.check()
    if whole.claimed:
        assert judged.game.claim_draw() == whole.outcome
    assert judged.game.outcome() == whole.outcome
    assert judged.game.legal_moves() == ()


@pytest.mark.parametrize("name", VARIANTS)
def test_random_games(name: str) -> None:
    chance = Random(name)
    judged = Judged(Position.start(name))
    while not judged.game.outcome() and not judged.game.claims():
        judged.check()
        judged.push(chance.choice(judged.game.legal_moves()))
        assert len(judged.game.moves) < LONGEST
    judged.check()


@given(edited_positions(variants(), (few_pieces, kings_only)), SEEDS, st.sampled_from((0.5, 0.9, 1.0)))
def test_endgames(start: Position, seed: int, care: float) -> None:
    chance = Random(seed)
    judged = Judged(start)
    judged.check()
    while not judged.game.outcome() and len(judged.game.moves) < LONGEST_ENDGAME:
        careful = list(safe_moves(judged.game, lambda _position, _move: True)) if chance.random() < care else []
        judged.push(chance.choice(careful[:5] or judged.game.legal_moves()))
        judged.check()
