"""The interface of players: a name, and a choice of moves."""

from __future__ import annotations

import enum
from types import TracebackType
from typing import Any, Final, Protocol, Self

from tablemen.errors import GameOverError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.search import Clock, Score


class Resignation(enum.Enum):
    """The choice of a player that resigns."""

    RESIGN = "resigns"

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.value


RESIGN: Final = Resignation.RESIGN


def open_moves(game: Game[Any, Any]) -> tuple[Any, ...]:
    """Return the legal moves. Raises `GameOverError` if the game is over."""
    if outcome := game.outcome():
        raise GameOverError(outcome)
    return game.legal_moves()


class Player(Protocol):
    """The interface of a player. A subclass must define only `name` and `choose`.

    A player plays one game at a time, and may store data about it. `close`, or the end of its `with` block, releases
    its resources. In a game with a clock, `clock` is set to the player's time before each `choose`. `score` is the
    player's evaluation of its last choice, for its own side, or None.

    >>> class First(Player):
    ...     name = "the first legal move"
    ...     def choose(self, game):
    ...         return game.legal_moves()[0]
    >>> from tablemen.draughts import Position
    >>> print(First().choose(Game(Position.start("english"))))
    9-14
    """

    clock: Clock | None = None
    score: Score | None = None

    @property
    def name(self) -> str:
        """The name of the player in tables and game files."""
        ...

    @property
    def author(self) -> str:
        """The author of the program that plays, if it reports one."""
        return ""

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - most players need no preparation
        """Prepare for a game, before any clock runs.

        This may raise the same errors as `choose`. Calling it is optional.
        """
        return

    def choose(self, game: Game[Any, Any]) -> Any:
        """Return a legal move of an unfinished game, which is not modified; or `RESIGN`."""
        ...

    def stop(self) -> None:
        """Make a running `choose` return soon, with its best choice so far. Any thread may call this repeatedly.

        This has no effect on later calls, nor on players that cannot stop.
        """
        return

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002 - most ignore it
        """End the game, which is abandoned if the outcome is None. Another game may follow. Never raises."""
        return

    def close(self) -> None:
        """Release the resources of the player; it is not used again."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
