"""Players are notified at the end of a game, and closed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import GameError, Side
from tablemen.players import HumanPlayer, RobotPlayer
from tablemen.session import Session
from tests.fake_engines import FakePlayer
from tests.fake_players import Counting
from tests.session.sessions import make_session


def test_players_are_closed(tmp_path: Path) -> None:
    with make_session(white=Counting(tmp_path / "closed")):
        pass
    assert (tmp_path / "closed").read_text() == "closed\n"


def test_a_player_is_replaced(tmp_path: Path) -> None:
    session = make_session(white=Counting(tmp_path / "closed"))
    session.think()
    session.replace_player(Side.WHITE, HumanPlayer())
    assert session.has_people
    with pytest.raises(GameError):  # the robot plays mancala only
        session.replace_player(Side.WHITE, RobotPlayer())
    session.close()
    assert (tmp_path / "closed").read_text() == "closed\n"


def close_and_get_calls(session: Session, side: Side = Side.BLACK) -> list[Any]:
    """Close the session, and return the calls that the engine of a side received, except stops."""
    player = session.players[side]
    assert isinstance(player, FakePlayer)
    session.close()
    return [each for each in player.calls if each != "stop"]


@pytest.mark.parametrize(
    ("end", "notification"),
    [
        (Session.resign, ("end", 2, "RESIGNATION")),
        (Session.restart, ("end", 2, None)),
        (lambda session: session.close(wait=False), ("end", 2, None)),
        (lambda session: session.back(), ("end", 0, None)),  # notified when the session is closed
    ],
)
def test_players_are_notified_of_the_end_of_a_game(end: Any, notification: Any) -> None:
    session = make_session(black=FakePlayer(address="plays"))
    session.move("32-28")
    session.think()
    end(session)
    calls = close_and_get_calls(session)
    assert calls[:3] == ["open", ("choose", 1, None, None), notification]
    assert calls[-1] == "close"
    assert calls.count("close") == 1


def test_a_replaced_player_is_notified_and_then_closed() -> None:
    player, other = FakePlayer(address="plays"), FakePlayer(address="plays")
    session = make_session(white=player, black=other)
    session.think()
    session.replace_player(Side.WHITE, HumanPlayer())
    session.close()
    assert player.calls[-2:] == [("end", 1, None), "close"]
    assert other.calls == []  # the engine never had to choose
