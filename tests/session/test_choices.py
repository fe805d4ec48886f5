"""Choices of players, in this thread and in others."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from tablemen import Game, GameError, GameOverError, Outcome, Side, Termination
from tablemen.draughts import Position
from tablemen.players import RESIGN, HumanPlayer, SearcherPlayer
from tablemen.session import PlayerChoice
from tests.fake_players import First, Resigning
from tests.session.sessions import make_session
from tests.timeouts import TIMEOUT


def test_a_choice_changes_nothing_before_it_is_executed() -> None:
    session = make_session(white=First())
    choice = session.choose()
    assert choice == PlayerChoice(session.game.legal_moves()[0], Side.WHITE, 0)
    assert list(session.game.moves) == []
    assert session.answer(choice) in session.game.moves


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.move("18-23"),
        lambda session: session.resign(),
        lambda session: session.back(),
        lambda session: session.restart(),
        lambda session: session.replace_player(Side.BLACK, HumanPlayer()),
    ],
    ids=["move", "resign", "back", "restart", "replace_player"],
)
def test_a_choice_for_another_revision_is_refused(change: Any) -> None:
    session = make_session(black=First())
    session.move("32-28")
    choice = session.choose()
    change(session)
    before = session.game.copy()
    with pytest.raises(GameError) as caught:
        session.answer(choice)
    assert caught.type is GameError  # not GameOverError
    assert session.game == before


def test_a_choice_is_valid_after_the_board_is_turned() -> None:
    session = make_session(white=First())
    choice = session.choose()
    session.flip()
    assert session.answer(choice) == session.game.moves[0]


def test_a_choice_can_be_a_claim_or_a_resignation() -> None:
    session = make_session(white=Resigning())
    assert session.choose().move is RESIGN
    assert session.game.outcome() is None
    kings = make_session(Game(Position.from_fen("B:WK29,K32:BK1,K4", "english"), ["1-6", "32-27", "6-1", "27-32"] * 2))
    assert kings.choose().move is None
    assert kings.answer(kings.choose()) == Outcome(None, Termination.REPETITION)
    for over in (kings.choose, kings.hint):
        with pytest.raises(GameOverError):
            over()


def test_a_player_that_thinks_in_another_thread_is_stopped() -> None:
    has_begun = Event()

    class Endless(SearcherPlayer):
        def choose(self, game: Game[Any, Any]) -> Any:
            has_begun.set()
            return super().choose(game)

    with make_session(white=Endless(time=2 * TIMEOUT)) as session, ThreadPoolExecutor(1) as pool:
        thinking = pool.submit(session.choose)
        assert has_begun.wait(TIMEOUT)
        end = time.monotonic() + TIMEOUT
        while not thinking.done():  # a stop before the search begins has no effect
            session.stop()
            assert time.monotonic() < end
        assert session.answer(thinking.result()) in session.game.moves
