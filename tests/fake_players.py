"""Fake players: simple ones, and ones that fail, cheat, hang or record their calls."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from tablemen import Game
from tablemen.players import RESIGN, Player


class First(Player):
    """A player that always plays the first legal move."""

    name = "first"

    def choose(self, game: Game[Any, Any]) -> Any:
        return game.legal_moves()[0]


class Failing(First):
    """A player that raises an exception after four moves of the game."""

    name = "failing"

    def choose(self, game: Game[Any, Any]) -> Any:
        if len(game.moves) >= 4:
            raise RuntimeError("out\nof {ideas}")
        return super().choose(game)


class Cheating(First):
    """A player that plays an illegal move."""

    name = "cheating"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - the same in every game
        return "1-50"


class Resigning(First):
    """A player that resigns at once."""

    name = "resigning"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - the same in every game
        return RESIGN


class Shuffling(First):
    """A player that repeats positions if it can."""

    name = "shuffling"

    def choose(self, game: Game[Any, Any]) -> Any:
        seen = game.positions
        return max(game.legal_moves(), key=lambda move: (seen.count(game.position.play(move)), str(move)))


class Exiting(First):
    """A player that exits its whole process."""

    name = "exiting"

    def choose(self, game: Game[Any, Any]) -> Any:  # noqa: ARG002 - the same in every game
        os._exit(3)


class Sleeping(First):
    """A player that never moves in the time of a test."""

    name = "sleeping"

    def choose(self, game: Game[Any, Any]) -> Any:
        time.sleep(600)
        return super().choose(game)


class Counting(First):
    """A player that appends a line to a file when it is closed."""

    name = "counting"

    def __init__(self, file: Path) -> None:
        self.file = file

    def close(self) -> None:
        with self.file.open("a") as target:
            target.write("closed\n")


class Reusable(First):
    """A player that is reused for several games, and appends its events to a file; it fails at the ply `fails_at`."""

    name = "reusable"
    lasts = True

    def __init__(self, file: Path, *, fails_at: int | None = None, close_time: float = 0.0) -> None:
        self.file = file
        self.fails_at = fails_at
        self.close_time = close_time  # seconds
        self.is_open = False

    def record(self, event: str) -> None:
        with self.file.open("a") as target:
            target.write(f"{event}\n")

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - the same in every game
        if not self.is_open:
            self.record("opened")
        self.is_open = True

    def choose(self, game: Game[Any, Any]) -> Any:
        if len(game.moves) == self.fails_at:
            self.record("failed")
            raise RuntimeError("the player fails here")
        return super().choose(game)

    def end_game(self, game: Game[Any, Any], outcome: Any) -> None:  # noqa: ARG002 - the same in every game
        self.record("ended" if outcome is not None else "abandoned")

    def close(self) -> None:
        time.sleep(self.close_time)
        self.record("closed")


class FailingAtStart(First):
    """A player that raises an exception when a game begins."""

    name = "failing-at-start"

    def begin_game(self, game: Game[Any, Any]) -> None:  # noqa: ARG002 - the same in every game
        raise RuntimeError("cannot start")
