"""What is said of a game at a table, line by line and on the whole screen alike."""

from __future__ import annotations

from typing import Any

from tablemen.game import Game


def taken_back_text(count: int) -> str:
    """What `Session.back` did: `Took back 2 moves`."""
    taken = {0: "the result", 1: "a move"}.get(count, f"{count} moves")
    return f"Took back {taken}"


def among_text(games: int) -> str:
    """Which game of a file `Session.load` found, behind the name of the file: `, the last of 3 games`."""
    return f", the last of {games} games" if games > 1 else ""


def draw_texts(game: Game[Any, Any]) -> list[str]:
    """How far each draw rule has got that applies now."""
    return [f"{count} of {rule.limit}: {rule}" for rule, count in game.draw_counts().items()]
