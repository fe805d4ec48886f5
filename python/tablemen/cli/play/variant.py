"""`tablemen play VARIANT`: any game of any family, on the whole screen or line by line."""

from __future__ import annotations

from typing import Any

import click

from tablemen.cli.completers import complete_player
from tablemen.cli.group import BadQuestion
from tablemen.cli.play.table import Table
from tablemen.cli.play.way import (
    Way,
    find_screen,
    is_at_terminal,
    list_saved,
    take_up,
    wants_to_go_on,
    way_options,
)
from tablemen.clock import TimeControl
from tablemen.console import IO, StandardIO
from tablemen.errors import TablemenError
from tablemen.families import Family, family_of
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player, parse_player
from tablemen.saved import SavedGames
from tablemen.session import Session

OPPONENT = "searcher:level=5"

EXAMPLES = """\b
Examples:
  tablemen play {name}
  tablemen play {name} --clock 5+3
  tablemen play {name} --plain --{second} searcher:level=2
  tablemen play {name} --{first} minimax:depth=3 --{second} human
  tablemen play {name} --{first} random:seed=1 --{second} random:seed=2
"""

HELP = """Plays {rules}: on the whole screen, or line by line with --plain and where input or output is no terminal;
? says what can be done.

A game at a terminal is saved after every move. One that was left is offered again, unless --new is given.

{players}"""

PLAYERS_HELP = (
    f"A PLAYER is human, searcher, minimax, random or robot, with options behind a colon: searcher:level=3, "
    f"searcher:depth=6, minimax:depth=2. Where none is given, a person plays {OPPONENT}."
)


def variant_command(rules: Any) -> click.Command:
    """The command that plays by these rules."""
    family = family_of(rules)
    first, second = (family.sides[side] for side in Side)

    @click.pass_context
    def run(
        context: click.Context,
        *,
        white: str | None,
        black: str | None,
        position: str | None,
        control: TimeControl | None,
        plain: bool,
        new: bool,
    ) -> None:
        # Whoever names a position does not mean a game that was left.
        way = Way.of(context, plain=plain, new=new or position is not None, control=control)
        play_at_table(_read_start(family, rules, position), white, black, way)

    return click.Command(
        rules.name,
        callback=run,
        params=[*player_options(family), position_option(), *way_options()],
        help=HELP.format(rules=rules, players=PLAYERS_HELP),
        short_help=str(rules),
        epilog=EXAMPLES.format(name=rules.name, first=first, second=second),
    )


def player_options(family: Family) -> list[click.Option]:
    """The options that say who plays, called as the family calls its sides."""
    return [
        click.Option(
            list(dict.fromkeys((f"--{family.sides[side]}", f"--{side}", str(side)))),
            metavar="PLAYER",
            shell_complete=complete_player,
            help=f"Who plays {family.name_of(side)}.",
        )
        for side in Side
    ]


def position_option() -> click.Option:
    """The option that says where the game begins."""
    about = "The position to begin with: a FEN, or <6,0,0,…> south for mancala; without it, the start."
    return click.Option(["--fen", "--position", "position"], metavar="POSITION", help=about)


def play_at_table(start: Any, white: str | None, black: str | None, way: Way) -> None:
    """Plays from a position; a player that is not given is a person, or the computer where the other is one."""
    players = dict(zip(Side, _read_players(family_of(start), white, black), strict=True))
    session = Session(start, players, control=way.control)
    screen = find_screen(way)
    if screen is not None:
        with session:
            screen(session, SavedGames(), offer=not way.new)
        return
    console = StandardIO()
    try:
        play_lines(session, console, offers=not way.new)
    except EOFError:
        session.close()  # left before the game began
    except KeyboardInterrupt:
        console.println()  # so that nothing is said on the line of the prompt
        raise


def play_lines(session: Session, console: IO, *, offers: bool) -> None:
    """Plays line by line: at a terminal a game that was left is offered first, and what is played is saved."""
    if is_at_terminal() and session.keeper is None:
        saved = SavedGames()
        left = list_saved(saved, session.game.start.variant)[:1] if offers else []
        former = take_up(saved, left[0]) if left and wants_to_go_on(left[0], console) else None
        if former is not None:
            session.close()
            session = former
        else:
            saved.keep(session)
    with session:
        Table(session, console).run()


def _read_players(family: Family, *texts: str | None) -> list[Player]:
    """The players of the texts, in their order."""
    players: list[Player | None] = [None, None]
    for number, (side, text) in enumerate(zip(Side, texts, strict=True)):
        if text is not None:
            try:
                players[number] = parse_player(text)
            except TablemenError as error:
                raise BadQuestion(f"--{family.sides[side]}: {error}") from error
    white, black = players
    if white is None:
        white = parse_player(OPPONENT) if isinstance(black, HumanPlayer) else HumanPlayer()
    if black is None:
        black = parse_player(OPPONENT) if isinstance(white, HumanPlayer) else HumanPlayer()
    return [white, black]


def _read_start(family: Family, rules: Any, text: str | None) -> Any:
    if text is None:
        return family.start(rules)
    try:
        return family.parse_position(text, rules)
    except TablemenError as error:
        raise BadQuestion(f"--fen: {error}") from error
