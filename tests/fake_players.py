"""Players that behave badly, or wait: what a match must get over."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from tablemen import Game
from tablemen.players import RESIGN, Player


class First(Player):
    """The first legal move, always."""

    name = "first"

    def choose(self, game: Game[Any, Any]) -> Any:
        return game.legal_moves()[0]


class Failing(First):
    """Raises after a few moves."""

    name = "failing"

    def choose(self, game: Game[Any, Any]) -> Any:
        if len(game.moves) >= 4:
            raise RuntimeError("out\nof {ideas}")
        return super().choose(game)


class Cheating(First):
    """Plays what is not legal."""

    name = "cheating"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - whatever stands there
        return "1-50"


class Resigning(First):
    """Gives up at once."""

    name = "resigning"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - whatever stands there
        return RESIGN


class Shuffling(First):
    """Moves kings to and fro where it can."""

    name = "shuffling"

    def choose(self, game: Game[Any, Any]) -> Any:
        seen = game.positions
        return max(game.legal_moves(), key=lambda move: (seen.count(game.position.play(move)), str(move)))


class Vanishing(First):
    """Ends its whole process."""

    name = "vanishing"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - whatever stands there
        os._exit(3)


class Sleeping(First):
    """Thinks for ever."""

    name = "sleeping"

    def choose(self, game: Game[Any, Any]) -> Any:
        time.sleep(600)
        return super().choose(game)


class Counting(First):
    """Writes down in a file that it was closed."""

    name = "counting"

    def __init__(self, file: Path) -> None:
        self.file = file

    def close(self) -> None:
        with self.file.open("a") as target:
            target.write("closed\n")


class Lasting(First):
    """Plays game after game, and writes down in a file what becomes of it; fails at a ply where it is told to."""

    name = "lasting"
    lasts = True

    def __init__(self, file: Path, *, fails_at: int | None = None, closes_in: float = 0.0) -> None:
        self.file = file
        self.fails_at = fails_at
        self.closes_in = closes_in  # seconds
        self.has_begun = False

    def tell(self, what: str) -> None:
        with self.file.open("a") as target:
            target.write(f"{what}\n")

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - whatever stands there
        if not self.has_begun:
            self.tell("begun")
        self.has_begun = True

    def choose(self, game: Game[Any, Any]) -> Any:
        if len(game.moves) == self.fails_at:
            self.tell("failed")
            raise RuntimeError("enough")
        return super().choose(game)

    def end_game(self, game: Game[Any, Any], outcome: Any) -> None:  # noqa: ARG002 - whatever stands there
        self.tell("ended" if outcome is not None else "left")

    def close(self) -> None:
        time.sleep(self.closes_in)
        self.tell("closed")


class Stillborn(First):
    """Fails before it begins."""

    name = "stillborn"

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - whatever stands there
        raise RuntimeError("never born")
