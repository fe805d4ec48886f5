"""What a player is: it has a name, and chooses a move."""

from __future__ import annotations

import enum
from types import TracebackType
from typing import Any, Final, Protocol, Self

from tablemen.errors import GameOverError
from tablemen.game import Game
from tablemen.outcome import Outcome
from tablemen.search import Clock, Score


class Resignation(enum.Enum):
    """What a player answers that gives up."""

    RESIGN = "resigns"

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.value


RESIGN: Final = Resignation.RESIGN


def open_moves(game: Game[Any, Any]) -> tuple[Any, ...]:
    """The moves that a player can choose from. Raises `GameOverError` where the game is over."""
    if outcome := game.outcome():
        raise GameOverError(outcome)
    return game.legal_moves()


class Player(Protocol):
    """Whoever chooses moves. A class of one's own that subclasses it needs `name` and `choose` alone.

    A player is of one game at a time, and may remember what it saw there; `close`, or the end of its `with` block,
    frees what it holds. Whoever runs a game with a clock sets `clock` to the player's time before each `choose`, and
    `score` is what the player thought of its last choice, if it says so: what that is worth to its own side.

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
        """What the player is called in tables and game files."""
        ...

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - most are ready at any time
        """A game like this one is about to begin: what takes long can be done now, before any time runs.

        It may fail as `choose` may; nobody has to call it.
        """
        return

    def choose(self, game: Game[Any, Any]) -> Any:
        """A legal move of the game, which is not over and is left as it is; or `RESIGN`."""
        ...

    def stop(self) -> None:
        """A `choose` that is going on ends soon, with what it has found; any thread may say so, and say so again.

        A later one is not concerned. A player that does not know how goes on.
        """
        return

    def end_game(self, game: Game[Any, Any], outcome: Outcome | None) -> None:  # noqa: ARG002 - most need not know
        """The game is over, or left as it is where there is no outcome; another may follow. Never raises."""
        return

    def close(self) -> None:
        """Frees what the player holds; it is not asked again."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
