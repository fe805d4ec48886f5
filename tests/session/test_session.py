"""Sessions: players, moves, takebacks and endings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.clock import TimeControl
from tablemen.draughts import Position
from tablemen.errors import PeerGoneError
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, RobotPlayer
from tablemen.session import Session
from tests.fake_clock import Time
from tests.fake_engines import FakePlayer
from tests.fake_players import First, Resigning, Shuffling
from tests.session.sessions import INTERNATIONAL, left, table, timed


class RecordingAutoSave:
    """Records its calls."""

    problem: str | None = None
    is_saved = True

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def write(self, session: Session) -> None:
        outcome = session.game.outcome()
        self.calls.append(len(session.game.moves) if outcome is None else outcome.termination)

    def start_next(self, session: Session) -> RecordingAutoSave:  # noqa: ARG002 - the interface
        self.calls.append("next")
        return self

    def close(self) -> None:
        self.calls.append("closed")


def test_players_and_people() -> None:
    session = table(black=First())
    assert [session.is_person(side) for side in Side] == [True, False]
    assert session.has_people
    assert isinstance(session.player, HumanPlayer)
    assert not table(white=First(), black=First()).has_people
    with pytest.raises(ArgumentError, match="a player for each side is expected"):
        Session(INTERNATIONAL, {Side.WHITE: First()})
    with pytest.raises(GameError, match="the robot plays only mancala"):
        table(black=RobotPlayer())


def test_the_board_is_turned_to_people() -> None:
    assert table().orientation is table(black=First()).orientation is Side.WHITE
    session = table(white=First())
    seen = [session.orientation]
    session.flip()
    assert [*seen, session.orientation] == [Side.BLACK, Side.WHITE]
    assert table(white=First(), black=First()).orientation is Side.WHITE


def test_people_and_computers_move_in_turn() -> None:
    session = table(black=First())
    assert str(session.move("32-28")) == "32-28"
    assert session.player.name == "first"
    reply = session.think()
    assert session.game.moves[1] == reply == session.game.positions[1].legal_moves()[0]


def test_an_illegal_move_is_explained_and_changes_nothing() -> None:
    session = table()
    with pytest.raises(TablemenError, match="no piece stands on 28"):
        session.move("28-22")
    assert session.game.moves == ()


def test_back_returns_to_the_last_decision_of_a_person() -> None:
    session = table(black=First())
    session.move("32-28")
    session.think()
    session.move("33-29")
    assert session.back() == 1
    assert [str(move) for move in session.game.moves][:1] == ["32-28"]
    assert session.back() == 2
    assert session.game.moves == ()
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        session.back()


def test_the_first_move_of_a_computer_is_not_taken_back() -> None:
    session = table(white=First())
    session.think()
    with pytest.raises(GameError, match="there is no move of yours to take back"):
        session.back()
    assert len(session.game.moves) == 1


def test_back_among_people_and_extra_turns() -> None:
    session = table(Pits.start("kalah"), black=First())
    session.move("3")
    session.move("6")
    session.think()
    assert session.back() == 2
    assert [str(move) for move in session.game.moves] == ["3"]
    assert session.back() == 1


def test_back_takes_a_resignation_back() -> None:
    session = table()
    session.move("32-28")
    assert session.resign() == Outcome(Side.WHITE, Termination.RESIGNATION)
    assert session.back() == 1
    assert session.game.outcome() is None


def test_no_action_is_possible_after_the_end() -> None:
    session = table()
    session.resign()
    ends = (session.resign, session.claim_draw, session.agree_draw)
    for action in (lambda: session.move("32-28"), session.think, session.hint, *ends):
        with pytest.raises(GameOverError):
            action()


def test_hints_change_nothing() -> None:
    session = table()
    assert session.hint() in session.game.legal_moves()
    assert session.game.moves == ()


def test_draws_are_claimed() -> None:
    session = table(Position.from_fen("B:WK29,K32:BK1,K4", "english"))
    with pytest.raises(GameError, match="no draw can be claimed"):
        session.claim_draw()
    for text in ["1-6", "32-27", "6-1", "27-32"] * 2:
        session.move(text)
    assert session.claim_draw() == Outcome(None, Termination.REPETITION)


def test_players_agree_on_a_draw() -> None:
    assert table().agree_draw() == Outcome(None, Termination.AGREEMENT)


def test_computers_claim_draws_and_resign() -> None:
    session = table(Position.from_fen("B:WK32:BK1", "english"), Shuffling(), Shuffling())
    declared = None
    while session.game.outcome() is None:
        declared = session.think()
    assert declared == Outcome(None, Termination.REPETITION)
    assert table(white=Resigning()).think() == Outcome(Side.BLACK, Termination.RESIGNATION)


def test_a_given_game_continues() -> None:
    game: Game[Any, Any] = Game(INTERNATIONAL, ["32-28"])
    assert table(game).game is game


def test_a_game_is_restarted(time: Time) -> None:
    session = timed(time, start=Position.from_fen("W:W33,34:B12,13", "international"))
    session.move("33-29")
    time.now += 8
    session.restart()
    assert (session.game, left(session)) == (Game(session.game.start), [60, 60])


def test_every_change_is_saved(tmp_path: Path, time: Time) -> None:
    autosave = RecordingAutoSave()
    with timed(time) as session:
        session.autosave = autosave
        session.move("32-28")
        session.move("19-23")
        session.flip()
        session.save(tmp_path / "game.pdn")
        session.back()
        session.load(tmp_path / "game.pdn")
        session.resign()
        session.back()
        time.now += 100
        session.check_time()
        session.back()
        with pytest.raises(TablemenError):
            session.move("1-2")
        with pytest.raises(GameError):
            session.claim_draw()
        session.restart()
    resigned, late = Termination.RESIGNATION, Termination.TIME
    assert autosave.calls == [1, 2, 2, 1, 2, resigned, 1, late, 0, "next", 0, 0, "closed"]
    session.close()
    assert autosave.calls[-2:] == [0, "closed"]


def test_a_side_can_resign_out_of_turn() -> None:
    session = table()
    assert session.resign(Side.BLACK) == Outcome(Side.WHITE, Termination.RESIGNATION)


def test_a_failing_engine_does_not_change_the_game() -> None:
    session = table(white=FakePlayer(address="dies"), control=TimeControl(60))
    with pytest.raises(PeerGoneError, match="ended with status 3"):
        session.think()
    assert session.game.moves == ()
    session.replace_player(Side.WHITE, First())
    assert str(session.think()) == str(INTERNATIONAL.legal_moves()[0])
    session.close()
