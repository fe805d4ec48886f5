"""The player that plays anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from tablemen.game import Game
from tablemen.players.options import SEED, WrittenPlayer, option
from tablemen.players.player import open_moves


@dataclass(kw_only=True)
class RandomPlayer(WrittenPlayer):
    """Any legal move, each as likely as the others; the same ones for the same seed.

    >>> from tablemen.draughts import Position
    >>> game = Game(Position.start("english"))
    >>> RandomPlayer(seed=4).choose(game) == RandomPlayer(seed=4).choose(game)
    True
    """

    kind: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move"

    seed: int = option(SEED, 0)
    _random: Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._random = Random(self.seed)

    def choose(self, game: Game[Any, Any]) -> Any:
        """Any legal move."""
        return self._random.choice(open_moves(game))
