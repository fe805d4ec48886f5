"""Games that were left: listed, offered, taken up and dropped at a console."""

from __future__ import annotations

from typing import Any

import click

from tablemen.console import IO, visible
from tablemen.errors import TablemenError
from tablemen.saved_games import SavedGame, SavedGames
from tablemen.session import Session

GO_ON, NEW, DROP, LEAVE = ("", "y", "yes"), ("n", "no"), ("d", "drop"), ("q", "quit")


def list_left(saved: SavedGames, rules: Any = None) -> list[SavedGame]:
    """The games that can be offered; files that cannot be read are told on standard error."""
    found = saved.list(rules)
    for problem in saved.problems:
        click.echo(visible(problem), err=True)
    return found


def take_up(saved: SavedGames, game: SavedGame) -> Session | None:
    """The game at a table again; says why where that cannot be."""
    try:
        return saved.resume(game)
    except (TablemenError, OSError) as error:
        _tell(error, game)
    return None


def drop(saved: SavedGames, game: SavedGame, console: IO) -> bool:
    """Whether the game is gone for good; says so, or why not."""
    try:
        saved.remove(game)
    except (TablemenError, OSError) as error:
        _tell(error, game)
        return False
    console.println(f"Dropped: {game.describe()}")
    return True


def offer_left(saved: SavedGames, rules: Any, console: IO) -> Session | None:
    """The last game of these rules at a table again, if that is wanted; one that is dropped is followed by the next.

    Raises `EOFError` where somebody leaves.
    """
    for game in list_left(saved, rules):
        answer = _ask(game, console)
        if answer in GO_ON:
            return take_up(saved, game)
        if answer in NEW:
            return None
        drop(saved, game, console)
    return None


def _ask(game: SavedGame, console: IO) -> str:
    while True:
        answer = console.read_from_keyboard(f"Go on with {game.describe()}? [Y/n/d] ").strip().casefold()
        if answer in LEAVE:
            raise EOFError("nobody wants to play")
        if answer in (*GO_ON, *NEW, *DROP):
            return answer
        console.println("y goes on with it, n begins a new game, d drops it for good, q leaves")


def _tell(error: TablemenError | OSError, game: SavedGame) -> None:
    """Says why nothing came of it."""
    told = str(error)
    if isinstance(error, OSError):
        told = f"{error.filename or game.path}: {error.strerror or error}"
    click.echo(visible(told), err=True)
