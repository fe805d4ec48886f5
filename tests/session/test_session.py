"""Sessions: players, moves, takebacks and endings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.clock import TimeControl
from tablemen.draughts import ENGLISH, Position
from tablemen.draughts.tablebase import random_positions
from tablemen.endgame import Wdl
from tablemen.errors import PeerGoneError
from tablemen.family import get_family
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, RobotPlayer
from tablemen.session import Session
from tests.fake_clock import Time
from tests.fake_engines import FakePlayer
from tests.fake_players import First, Resigning, Shuffling
from tests.session.sessions import INTERNATIONAL, left, make_session, timed_session


class RecordingAutoSave:
    """An auto-save that records its calls."""

    problem: str | None = None
    finished_file: Path | None = None
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


def test_people_are_distinguished_from_computers() -> None:
    session = make_session(black=First())
    assert [session.is_person(side) for side in Side] == [True, False]
    assert session.has_people
    assert isinstance(session.player, HumanPlayer)
    assert not make_session(white=First(), black=First()).has_people
    with pytest.raises(ArgumentError) as caught:
        Session(INTERNATIONAL, {Side.WHITE: First()})
    assert caught.value.name == "players"
    with pytest.raises(GameError):  # the robot plays mancala only
        make_session(black=RobotPlayer())


def test_the_board_is_turned_to_people() -> None:
    assert make_session().orientation is make_session(black=First()).orientation is Side.WHITE
    session = make_session(white=First())
    seen = [session.orientation]
    session.flip()
    assert [*seen, session.orientation] == [Side.BLACK, Side.WHITE]
    assert make_session(white=First(), black=First()).orientation is Side.WHITE


def test_people_and_computers_move_in_turn() -> None:
    session = make_session(black=First())
    assert str(session.move("32-28")) == "32-28"
    assert session.player.name == "first"
    reply = session.think()
    assert session.game.moves[1] == reply == session.game.positions[1].legal_moves()[0]


def test_an_illegal_move_is_explained_and_changes_nothing() -> None:
    session = make_session()
    with pytest.raises(TablemenError) as caught:
        session.move("28-22")
    assert str(caught.value) == session.family.explain_illegal("28-22", INTERNATIONAL)
    assert session.game.moves == ()


def test_back_returns_to_the_last_decision_of_a_person() -> None:
    session = make_session(black=First())
    session.move("32-28")
    session.think()
    session.move("33-29")
    assert session.back() == 1
    assert [str(move) for move in session.game.moves][:1] == ["32-28"]
    assert session.back() == 2
    assert session.game.moves == ()
    with pytest.raises(GameError):
        session.back()


def test_the_first_move_of_a_computer_is_not_taken_back() -> None:
    session = make_session(white=First())
    session.think()
    with pytest.raises(GameError):
        session.back()
    assert len(session.game.moves) == 1


def test_back_takes_back_extra_turns_one_by_one() -> None:
    session = make_session(Pits.start("kalah"), black=First())
    session.move("3")
    session.move("6")
    session.think()
    assert session.back() == 2
    assert [str(move) for move in session.game.moves] == ["3"]
    assert session.back() == 1


def test_back_takes_a_resignation_back() -> None:
    session = make_session()
    session.move("32-28")
    assert session.resign() == Outcome(Side.WHITE, Termination.RESIGNATION)
    assert session.back() == 1
    assert session.game.outcome() is None


def test_no_action_is_possible_after_the_end() -> None:
    session = make_session()
    session.resign()
    ends = (session.resign, session.claim_draw, session.agree_draw)
    for action in (lambda: session.move("32-28"), session.think, session.hint, *ends):
        with pytest.raises(GameOverError):
            action()


def test_hints_change_nothing() -> None:
    session = make_session()
    assert session.hint().move in session.game.legal_moves()
    assert session.game.moves == ()


def test_the_hint_is_the_best_move_of_a_tablebase() -> None:
    values = set()
    for start in random_positions(ENGLISH, 3, 60, seed=4):
        endgame = get_family(ENGLISH).probe_endgame(Game(start))
        if endgame is None:
            continue
        session = make_session(start)
        hint = session.hint()
        values.add(endgame.wdl)
        if endgame.wdl is Wdl.DRAW:
            assert hint.move in {each.move for each in endgame.with_value(Wdl.DRAW)}
        else:
            assert hint.move == endgame.best_move
            assert f" in {endgame.distance} pl" in str(hint)
        assert hint.reason
    assert values == set(Wdl)
    assert make_session().hint().reason == ""


def test_a_draw_is_claimed_exactly_if_a_tablebase_proves_it() -> None:
    values = set()
    for start in random_positions(ENGLISH, 3, 60, seed=4):
        endgame = get_family(ENGLISH).probe_endgame(Game(start))
        if endgame is None:
            continue
        values.add(endgame.wdl)
        session = make_session(start)
        assert session.is_proven_draw() == (endgame.wdl is Wdl.DRAW)
        if endgame.wdl is Wdl.DRAW:
            assert session.claim_draw() == Outcome(None, Termination.PROVEN_DRAW)
            assert not session.is_proven_draw()
            assert session.back() == 0
        else:
            with pytest.raises(GameError):
                session.claim_draw()
        assert session.game.outcome() is None
    assert values == set(Wdl)


def test_draws_are_claimed() -> None:
    session = make_session(Position.from_fen("B:WK29,K32:BK1,K4", "english"))
    with pytest.raises(GameError):
        session.claim_draw()
    for text in ["1-6", "32-27", "6-1", "27-32"] * 2:
        session.move(text)
    assert session.claim_draw() == Outcome(None, Termination.REPETITION)


def test_players_agree_on_a_draw() -> None:
    assert make_session().agree_draw() == Outcome(None, Termination.AGREEMENT)


def test_computers_claim_draws_and_resign() -> None:
    session = make_session(Position.from_fen("B:WK32:BK1", "english"), Shuffling(), Shuffling())
    declared = None
    while session.game.outcome() is None:
        declared = session.think()
    assert declared == Outcome(None, Termination.REPETITION)
    assert make_session(white=Resigning()).think() == Outcome(Side.BLACK, Termination.RESIGNATION)


def test_a_given_game_continues() -> None:
    game: Game[Any, Any] = Game(INTERNATIONAL, ["32-28"])
    assert make_session(game).game is game


def test_a_game_is_restarted(time: Time) -> None:
    session = timed_session(time, start=Position.from_fen("W:W33,34:B12,13", "international"))
    session.move("33-29")
    time.now += 8
    session.restart()
    assert (session.game, left(session)) == (Game(session.game.start), [60, 60])


def test_every_change_is_saved(tmp_path: Path, time: Time) -> None:
    autosave = RecordingAutoSave()
    with timed_session(time) as session:
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
    session = make_session()
    assert session.resign(Side.BLACK) == Outcome(Side.WHITE, Termination.RESIGNATION)


def test_a_failing_engine_does_not_change_the_game() -> None:
    session = make_session(white=FakePlayer(address="dies"), control=TimeControl(60))
    with pytest.raises(PeerGoneError):
        session.think()
    assert session.game.moves == ()
    session.replace_player(Side.WHITE, First())
    assert str(session.think()) == str(INTERNATIONAL.legal_moves()[0])
    session.close()
