"""How a game is played: on the whole screen, line by line at a terminal, or through a pipe."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

import click

from tablemen.cli.group import BadQuestion
from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.console import IO
    from tablemen.saved_games import SavedGames
    from tablemen.session import Session

NO_TEXTUAL = "the full-screen board needs textual: pip install 'tablemen[tui]'; playing line by line"


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
        return cls(
            plain=plain or bool(before.get("plain")),
            new=new or bool(before.get("new")),
            control=before.get("control") if control is None else control,
        )

    @property
    def wants_lines(self) -> bool:
        """Whether nothing but lines will do: they are asked for, go through a pipe, or the terminal knows no more."""
        return self.plain or not is_at_terminal() or os.environ.get("TERM") == "dumb"


def way_options() -> list[click.Option]:
    """The options of every game that say how it is played."""
    return [
        click.Option(
            ["--clock", "control"],
            metavar="MINUTES+SECONDS",
            callback=_read_control,
            help="The time of each side for the game, and what each of its moves adds: 5+3, or 90s+1 in seconds; with "
            "40/5 the time is for 40 moves.",
        ),
        click.Option(["--plain"], is_flag=True, help="Line by line, also at a terminal."),
        click.Option(["--new"], is_flag=True, help="Offer no game that was left."),
    ]


def _read_control(_context: click.Context, _parameter: click.Parameter, text: str | None) -> TimeControl | None:
    if text is None:
        return None
    from tablemen.clock import parse_time_control

    try:
        return parse_time_control(text)
    except TablemenError as error:
        raise BadQuestion(f"--clock: {error}") from error


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is there, and is that of a person."""
    return stream is not None and stream.isatty()


def is_at_terminal() -> bool:
    """Whether somebody types and looks."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


def find_screen(way: Way) -> Screen | None:
    """The full-screen board, where there is a terminal for it and nobody wants lines; says what it lacks."""
    if way.wants_lines:
        return None
    try:
        from tablemen.tui import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "textual":
            raise
        click.echo(NO_TEXTUAL, err=True)
        return None
    return run if is_terminal(sys.stderr) else None  # where textual draws


@contextlib.contextmanager
def prompts_ended(console: IO) -> Iterator[None]:
    """After Ctrl-C at a prompt its line is ended, so that nothing is said on it."""
    try:
        yield
    except KeyboardInterrupt:
        console.println()
        raise
