"""A game at a table: what those who sit at it can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import ArgumentError, Game, GameError, GameOverError, Outcome, Side, TablemenError, Termination
from tablemen.draughts import Position
from tablemen.draughts.pdn import read_pdn
from tablemen.mancala import Position as Pits
from tablemen.players import HumanPlayer, Player, RandomPlayer, RobotPlayer
from tablemen.session import Session
from tests.players_for_tests import Counting, First, Resigning, Shuffling

INTERNATIONAL = Position.start("international")


def table(start: Any = INTERNATIONAL, white: Player | None = None, black: Player | None = None) -> Session:
    """A session; whoever is not given is a person."""
    players = {Side.WHITE: white or HumanPlayer(), Side.BLACK: black or HumanPlayer()}
    return Session(start, players, hints="minimax:depth=1")


def test_who_sits_where() -> None:
    session = table(black=First())
    assert [session.is_person(side) for side in Side] == [True, False]
    assert session.has_people
    assert isinstance(session.player, HumanPlayer)
    assert not table(white=First(), black=First()).has_people
    with pytest.raises(ArgumentError, match="a player for each side is expected"):
        Session(INTERNATIONAL, {Side.WHITE: First()})
    with pytest.raises(GameError, match="the robot plays games of mancala alone"):
        table(black=RobotPlayer())


def test_people_sit_at_the_bottom() -> None:
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


def test_what_cannot_be_played_is_told_and_changes_nothing() -> None:
    session = table()
    with pytest.raises(TablemenError, match="no piece stands on 28"):
        session.move("28-22")
    assert session.game.moves == ()


def test_back_goes_to_the_last_decision_of_a_person() -> None:
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


def test_nothing_goes_on_after_the_end() -> None:
    session = table()
    session.resign()
    for action in (lambda: session.move("32-28"), session.think, session.hint, session.resign, session.claim_draw):
        with pytest.raises(GameOverError):
            action()


def test_hints_change_nothing() -> None:
    session = table()
    assert session.hint() in session.game.legal_moves()
    assert session.game.moves == ()


def test_draws_are_claimed_where_they_are_due() -> None:
    session = table(Position.from_fen("B:WK29,K32:BK1,K4", "english"))
    with pytest.raises(GameError, match="no draw can be claimed"):
        session.claim_draw()
    for text in ["1-6", "32-27", "6-1", "27-32"] * 2:
        session.move(text)
    assert session.claim_draw() == Outcome(None, Termination.REPETITION)


def test_computers_claim_draws_and_resign() -> None:
    session = table(Position.from_fen("B:WK32:BK1", "english"), Shuffling(), Shuffling())
    declared = None
    while session.game.outcome() is None:
        declared = session.think()
    assert declared == Outcome(None, Termination.REPETITION)
    assert table(white=Resigning()).think() == Outcome(Side.BLACK, Termination.RESIGNATION)


@pytest.mark.parametrize("start", [INTERNATIONAL, Position.start("frysk"), Pits.start("oware")])
def test_games_are_saved_and_loaded(tmp_path: Path, start: Any) -> None:
    file = tmp_path / "games"
    session = table(start, RandomPlayer(seed=1), RandomPlayer(seed=2))
    for _ in range(2):
        for _ in range(5):
            session.think()
        session.save(file)
    saved = session.game
    other = table(start)
    assert other.load(file) == 2
    assert other.game == saved
    other.move(str(other.game.legal_moves()[0]))
    assert len(other.game.moves) == 11


def test_what_is_saved(tmp_path: Path) -> None:
    session = table(black=RandomPlayer(seed=4))
    session.move("32-28")
    session.think()
    session.resign()
    session.save(tmp_path / "game.pdn")
    (game,) = read_pdn(tmp_path / "game.pdn")
    assert dict(game.tags) == {
        "Event": "tablemen play",
        "White": "human",
        "Black": "random:seed=4",
        "Result": "0-2",
        "GameType": "20",
        "Termination": "resignation",
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "game has no games"),
        (b"1. 32-28 32-28 *", "game: game 1, line 1, column 10: 32-28 is not legal here"),
        (b'[GameType "21"] 1. 11-15 *', "game: game 1, line 1, column 1: the game is english, and not international"),
        (b"1. 32-28 \xff *", "game is not a text"),
    ],
)
def test_what_cannot_be_loaded_leaves_the_game(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "game").write_bytes(content)
    session = table()
    session.move("32-28")
    with pytest.raises(TablemenError, match=problem):
        session.load(tmp_path / "game")
    assert len(session.game.moves) == 1


def test_a_game_of_ones_own_goes_on() -> None:
    game: Game[Any, Any] = Game(INTERNATIONAL, ["32-28"])
    assert table(game).game is game


def test_players_go_home(tmp_path: Path) -> None:
    with table(white=Counting(tmp_path / "closed")):
        pass
    assert (tmp_path / "closed").read_text() == "closed\n"
