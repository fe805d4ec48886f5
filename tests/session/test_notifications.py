"""Notification of players at the end of a game, and their closing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablemen import GameError, Side
from tablemen.players import HumanPlayer, RobotPlayer
from tablemen.session import Session
from tests.fake_engines import FakePlayer
from tests.fake_players import Counting
from tests.session.sessions import table


def test_players_are_closed(tmp_path: Path) -> None:
    with table(white=Counting(tmp_path / "closed")):
        pass
    assert (tmp_path / "closed").read_text() == "closed\n"


def test_a_player_is_replaced(tmp_path: Path) -> None:
    session = table(white=Counting(tmp_path / "closed"))
    session.think()
    session.replace_player(Side.WHITE, HumanPlayer())
    assert session.has_people
    with pytest.raises(GameError, match="the robot plays only mancala"):
        session.replace_player(Side.WHITE, RobotPlayer())
    session.close()
    assert (tmp_path / "closed").read_text() == "closed\n"


def heard_by(session: Session, side: Side = Side.BLACK) -> list[Any]:
    """Close the session, and return the calls of a side's engine."""
    player = session.players[side]
    assert isinstance(player, FakePlayer)
    session.close()
    return [each for each in player.calls if each != "stop"]


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (Session.resign, ("end", 2, "RESIGNATION")),
        (Session.restart, ("end", 2, None)),
        (lambda session: session.close(wait=False), ("end", 2, None)),
        (lambda session: session.back(), ("end", 0, None)),  # when everybody leaves
    ],
)
def test_players_are_notified_of_the_end_of_a_game(end: Any, told: Any) -> None:
    session = table(black=FakePlayer(address="plays"))
    session.move("32-28")
    session.think()
    end(session)
    heard = heard_by(session)
    assert heard[:3] == ["open", ("choose", 1, None, None), told]
    assert heard[-1] == "close"
    assert heard.count("close") == 1


def test_a_replaced_player_is_notified_and_then_closed() -> None:
    player, other = FakePlayer(address="plays"), FakePlayer(address="plays")
    session = table(white=player, black=other)
    session.think()
    session.replace_player(Side.WHITE, HumanPlayer())
    session.close()
    assert player.calls[-2:] == [("end", 1, None), "close"]
    assert other.calls == []  # it was never asked
