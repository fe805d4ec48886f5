"""The player that follows the robot rule of Kalah."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tablemen.errors import GameError
from tablemen.game import Game
from tablemen.mancala import MancalaRules
from tablemen.mancala.robot import choose
from tablemen.players.options import WrittenPlayer


@dataclass(kw_only=True)
class RobotPlayer(WrittenPlayer):
    """The lowest house with an extra turn, else with a capture, else any; it plays mancala alone.

    >>> from tablemen.mancala import Position
    >>> print(RobotPlayer().choose(Game(Position.start("kalah"))))
    3
    """

    kind: ClassVar[str] = "robot"
    about: ClassVar[str] = "the robot rule of Kalah: an extra turn, else a capture, else the first house"

    def check(self, position: Any) -> None:
        """Raises `GameError` where it is not a position of mancala."""
        if not isinstance(position.variant, MancalaRules):
            raise GameError(f"the robot plays games of mancala alone, and not {position.variant}")

    def choose(self, game: Game[Any, Any]) -> Any:
        """The move of the rule."""
        self.check(game.position)
        return choose(game.position).move
