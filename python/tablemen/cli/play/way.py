"""How a game is played: on the whole screen, line by line at a terminal, or through a pipe; and what saves it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any, Protocol

import click

from tablemen.cli.group import BadQuestion
from tablemen.clock import TimeControl, parse_time_control
from tablemen.console import IO
from tablemen.errors import TablemenError
from tablemen.saved import SavedGame, SavedGames
from tablemen.session import Session

NO_TEXTUAL = "the full-screen board needs textual: pip install 'tablemen[tui]'; playing line by line"
YES, NO = ("", "y", "yes"), ("n", "no")


class Screen(Protocol):
    """What plays on the whole screen."""

    def __call__(self, session: Session | None, saved: SavedGames, *, offer: bool) -> None:
        """Play a session, or what is chosen from a menu, until everybody has left."""
        ...


@dataclass(frozen=True, kw_only=True)
class Way:
    """What the options say of it."""

    plain: bool = False
    new: bool = False
    control: TimeControl | None = None

    @classmethod
    def of(cls, context: click.Context, *, plain: bool, new: bool, control: TimeControl | None = None) -> Way:
        """The way of a game; what stands before its name counts too: `tablemen play --plain kalah`."""
        before = context.parent.params if context.parent is not None else {}
        return cls(plain=plain or bool(before.get("plain")), new=new or bool(before.get("new")), control=control)


def way_options() -> list[click.Option]:
    """The options of every game that say how it is played."""
    return [
        click.Option(
            ["--clock", "control"],
            metavar="MINUTES+SECONDS",
            callback=_read_control,
            help="The time of each side for the game, and what each of its moves adds: 5+3, or 90s+1 in seconds.",
        ),
        *manner_options(),
    ]


def manner_options() -> list[click.Option]:
    """Those that `tablemen play` alone has too."""
    return [
        click.Option(["--plain"], is_flag=True, help="Line by line, also at a terminal."),
        click.Option(["--new"], is_flag=True, help="Offer no game that was left."),
    ]


def _read_control(_context: click.Context, _parameter: click.Parameter, text: str | None) -> TimeControl | None:
    try:
        return None if text is None else parse_time_control(text)
    except TablemenError as error:
        raise BadQuestion(f"--clock: {error}") from error


def is_at_terminal() -> bool:
    """Whether somebody types and looks."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


def can_draw() -> bool:
    """Whether what is drawn is seen: textual draws on standard error."""
    return sys.stderr is not None and sys.stderr.isatty()


def find_screen(way: Way) -> Screen | None:
    """The full-screen board, where there is a terminal for it and nobody wants lines; says what it lacks."""
    if way.plain or not is_at_terminal() or os.environ.get("TERM") == "dumb":
        return None
    try:
        from tablemen.tui import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        click.echo(NO_TEXTUAL, err=True)
        return None
    return run if can_draw() else None


def list_saved(saved: SavedGames, rules: Any = None) -> list[SavedGame]:
    """The games that can be offered; files that cannot be read are told on standard error."""
    found = saved.list(rules)
    for problem in saved.problems:
        click.echo(problem, err=True)
    return found


def take_up(saved: SavedGames, game: SavedGame) -> Session | None:
    """The game at a table again; says why where that cannot be."""
    try:
        return saved.take_up(game)
    except TablemenError as error:
        click.echo(str(error), err=True)
    except OSError as error:
        click.echo(f"{error.filename or game.path}: {error.strerror or error}", err=True)
    return None


def wants_to_go_on(game: SavedGame, console: IO) -> bool:
    """The answer to whether a game that was left is gone on with; raises `EOFError` where nobody answers any more."""
    while True:
        answer = console.read_from_keyboard(f"Go on with {game.describe()}? [Y/n] ").strip().casefold()
        if answer in YES or answer in NO:
            return answer in YES
        console.println("y goes on with it, n begins a new game")
