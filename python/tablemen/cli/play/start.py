"""The start of a game: choice of the user interface and the players, and the offer to resume an unfinished game."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from tablemen.cli.group import handle_signals
from tablemen.cli.parameters import option_parser, reported_for
from tablemen.console import IO, StandardIO
from tablemen.family import Family, get_family
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.players import Player
    from tablemen.saved_games import SavedGames
    from tablemen.session import Session

NO_TEXTUAL = "the full-screen board needs textual: pip install 'tablemen[tui]'; playing line by line"


class RunScreen(Protocol):
    """The type of `tablemen.tui.run`."""

    def __call__(self, session: Session | None, saved: SavedGames, *, offer: bool) -> None:
        """Play a session, or a game chosen from the menu, until the user quits."""
        ...


@dataclass(frozen=True, kw_only=True)
class UiMode:
    """The options for the user interface and the clock, and whether to begin a new game."""

    plain: bool = False
    new: bool = False
    control: TimeControl | None = None

    @classmethod
    def from_options(cls, *, plain: bool, new: bool, control: TimeControl | None = None) -> UiMode:
        """Return the mode; options before the name of the game count too, as in `tablemen play --plain kalah`."""
        parent = click.get_current_context().parent
        before = parent.params if parent is not None else {}
        return cls(
            plain=plain or bool(before.get("plain")),
            new=new or bool(before.get("new")),
            control=before.get("control") if control is None else control,
        )

    @property
    def is_line_by_line(self) -> bool:
        """Whether to play line by line: with --plain, through a pipe, or at a dumb terminal."""
        return self.plain or not is_at_terminal() or os.environ.get("TERM") == "dumb"

    def find_screen(self) -> RunScreen | None:
        """Return the function for the full-screen board, or None to play line by line.

        If textual is not installed, a message says so.
        """
        if self.is_line_by_line:
            return None
        try:
            from tablemen.tui import run
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "textual":
                raise
            click.echo(NO_TEXTUAL, err=True)
            return None
        return run if is_terminal(sys.stderr) else None  # textual draws on standard error


def ui_options() -> list[click.Option]:
    """Return the options of `UiMode`."""
    return [
        click.Option(
            ["--clock", "control"],
            metavar="MINUTES+SECONDS",
            callback=option_parser(_parse_control),
            help="Time of each side for the game, and seconds added per move: 5+3 for 5 minutes and 3 seconds, 90s+1 "
            "for 90 seconds and 1 second, 40/5 for 5 minutes for every 40 moves.",
        ),
        click.Option(["--plain"], is_flag=True, help="Play line by line, even at a terminal."),
        click.Option(["--new"], is_flag=True, help="Begin a new game, without offering unfinished ones."),
    ]


def _parse_control(text: str) -> TimeControl:
    from tablemen.clock import parse_time_control

    return parse_time_control(text)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether the stream is open and a terminal."""
    return stream is not None and stream.isatty()


def is_at_terminal() -> bool:
    """Return whether stdin and stdout are both terminals."""
    return is_terminal(sys.stdin) and is_terminal(sys.stdout)


@contextlib.contextmanager
def end_prompt(console: IO) -> Iterator[None]:
    """After Ctrl-C, end the line of the prompt before the message is printed."""
    try:
        yield
    except KeyboardInterrupt:
        console.println()
        raise


def play_from(start: Any, white: str | None, black: str | None, mode: UiMode) -> None:
    """Play from a position; a player that is not given is human, or the computer if the other one is human.

    An unfinished game is offered first, unless a player or a clock is given.
    """
    from tablemen.session import Session

    players = dict(zip(Side, _parse_players(get_family(start), white, black), strict=True))
    session = Session(start, players, control=mode.control)
    offer = not mode.new and white is None and black is None and mode.control is None
    run_screen = mode.find_screen()
    if run_screen is not None:
        from tablemen.saved_games import SavedGames

        with session:
            run_screen(session, SavedGames(), offer=offer)
        return
    console = StandardIO()
    with end_prompt(console):
        try:
            play_lines(session, console, offer=offer)
        except EOFError:
            session.close()  # quit before the game began


def play_lines(session: Session, console: IO, *, offer: bool) -> None:
    """Play line by line; at a terminal, offer an unfinished game first, and save the game.

    Raises `EOFError` if the player quits before the game begins.
    """
    from tablemen.cli.play.console import ConsoleGame

    if is_at_terminal() and session.autosave is None:
        from tablemen.cli.play.menu import offer_unfinished
        from tablemen.saved_games import SavedGames

        saved = SavedGames()
        unfinished = offer_unfinished(saved, session.game.start.variant, console) if offer else None
        if unfinished is not None:
            session.close()
            session = unfinished
        else:
            saved.autosave(session)
    if is_at_terminal() and session.has_people:
        console.println("Type a move, or ? for help.")
    with handle_signals(), session:  # closes engines even after a signal
        ConsoleGame(session, console).run()


def default_opponent() -> str:
    """Return the opponent of a human if none is given."""
    from tablemen.search import DEFAULT_LEVEL

    return f"searcher:level={DEFAULT_LEVEL}"


def _parse_players(family: Family, white: str | None, black: str | None) -> tuple[Player, Player]:
    """Parse the players of both sides, and fill in defaults."""
    from tablemen.players import HumanPlayer, parse_player

    def parse(side: Side, text: str | None) -> Player | None:
        with reported_for(f"--{family.sides[side]}", text):
            return None if text is None else parse_player(text)

    def choose_other(player: Player | None) -> Player:
        return parse_player(default_opponent()) if isinstance(player, HumanPlayer) else HumanPlayer()

    first, second = parse(Side.WHITE, white), parse(Side.BLACK, black)
    first = first or choose_other(second)
    return first, second or choose_other(first)
