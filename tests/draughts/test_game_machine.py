"""Games under random operations agree with the reference, which recounts the whole history each time."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tablemen import Game, GameError, GameOverError, IllegalMoveError, Outcome, Side, TablemenError, Termination
from tablemen.draughts import Position
from tests.draughts.test_whole_games import CheckedGame
from tests.guided_play import safe_moves
from tests.reference.game import claimable
from tests.strategies import edited_positions, few_pieces, kings_only, variants


class GameMachine(RuleBasedStateMachine):
    """A state machine that pushes, pops, claims, resigns and agrees in any order."""

    checked: CheckedGame
    declared: Outcome | None = None

    @initialize(start=st.one_of(variants().map(Position.start), edited_positions(variants(), (few_pieces, kings_only))))
    def begin(self, start: Position) -> None:
        self.checked = CheckedGame(start)

    @property
    def game(self) -> Game[Any, Any]:
        return self.checked.game

    def is_running(self) -> bool:
        return self.game.outcome() is None

    @precondition(is_running)
    @rule(number=st.integers(0, 1000), as_text=st.booleans())
    def push(self, number: int, *, as_text: bool) -> None:
        moves = self.game.legal_moves()
        move = moves[number % len(moves)]
        self.checked.push(str(move) if as_text else move)
        assert self.game.moves[-1] == move

    @precondition(is_running)
    @rule(plies=st.integers(1, 40))
    def push_safe_moves(self, plies: int) -> None:
        for _ in range(plies):
            safe = list(safe_moves(self.game, lambda _position, _move: True))
            if not self.is_running() or not safe:
                return
            self.checked.push(safe[0])

    @rule(text=st.sampled_from(("", "nonsense", "1-2-3-4-5", "99-98")))
    def push_invalid_text(self, text: str) -> None:
        before = copy.deepcopy(vars(self.game))
        expected = TablemenError if self.is_running() else GameOverError
        with pytest.raises(expected):
            self.game.push(text)
        assert vars(self.game) == before

    @rule()
    def push_an_earlier_move(self) -> None:
        if not self.game.moves:
            return
        move = self.game.moves[-1]
        if self.is_running() and not self.game.position.is_legal(move):
            with pytest.raises(IllegalMoveError):
                self.game.push(move)

    @rule(times=st.integers(1, 5))
    def pop(self, times: int) -> None:
        for _ in range(times):
            if not self.game.moves:
                with pytest.raises(GameError):
                    self.game.pop()
                return
            self.checked.pop()
            self.declared = None

    @precondition(is_running)
    @rule()
    def claim(self) -> None:
        reasons = claimable(self.checked.history)
        if not reasons:
            with pytest.raises(GameError):
                self.game.claim_draw()
            return
        self.declared = self.game.claim_draw()
        assert self.declared in {Outcome(None, reason) for reason in reasons}

    @precondition(is_running)
    @rule(side=st.sampled_from(Side))
    def resign(self, side: Side) -> None:
        self.declared = self.game.resign(side)
        assert self.declared == Outcome(side.opponent, Termination.RESIGNATION)

    @precondition(is_running)
    @rule()
    def agree(self) -> None:
        self.declared = self.game.agree_draw()
        assert self.declared == Outcome(None, Termination.AGREEMENT)

    @invariant()
    def agrees_with_the_history(self) -> None:
        if self.declared:
            assert self.game.outcome() == self.game.declared == self.declared
            assert self.game.legal_moves() == self.game.claims() == ()
        else:
            self.checked.check()

    @invariant()
    def equals_a_new_game_with_the_same_moves(self) -> None:
        fresh = Game(self.game.start, self.game.moves, declared=self.game.declared)
        assert fresh == self.game
        assert vars(fresh) == vars(self.game)

    def teardown(self) -> None:
        if hasattr(self, "checked"):
            assert vars(pickle.loads(pickle.dumps(self.game))) == vars(self.game)


def test_random_operations() -> None:
    run_state_machine_as_test(GameMachine, settings=settings(max_examples=50, stateful_step_count=30))


@pytest.mark.slow
def test_many_random_operations() -> None:
    run_state_machine_as_test(GameMachine, settings=settings(max_examples=200, stateful_step_count=60))
