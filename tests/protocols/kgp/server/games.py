"""Boards of a server for tests, and the games that were played there."""

from __future__ import annotations

from dataclasses import replace

from tablemen import Side
from tablemen.mancala import VARIANTS
from tablemen.protocols.kgp.server.event import Event, GameEnded
from tablemen.protocols.kgp.server.server import Settings

KGP = VARIANTS["kgp"]
SMALL = replace(KGP, houses=2, seeds=2)
ONCE = Settings(boards=(SMALL,), rounds=1, seconds=30, pause=0)
LARGER = replace(ONCE, boards=(KGP,))  # where nobody wins before the other has moved


def games_of(told: list[Event]) -> list[GameEnded]:
    return [event for event in told if isinstance(event, GameEnded)]


def check_games(games: list[GameEnded]) -> None:
    """Every game is one from its start to its end, with the winner of its last position."""
    for each in games:
        assert each.game.outcome() == each.outcome
        assert each.note == ""
        score = each.game.position.score()
        most = [side for side in Side if score[side] == max(score.values())]
        assert each.outcome.winner == (most[0] if len(most) == 1 else None)
