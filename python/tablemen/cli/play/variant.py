"""`tablemen play VARIANT`: any game of any family, line by line."""

from __future__ import annotations

from typing import Any

import click

from tablemen.cli.completers import complete_player
from tablemen.cli.group import BadQuestion
from tablemen.cli.play.table import Table
from tablemen.console import StandardIO
from tablemen.errors import TablemenError
from tablemen.families import Family, family_of
from tablemen.outcome import Side
from tablemen.players import HumanPlayer, Player, parse_player
from tablemen.session import Session

OPPONENT = "searcher:level=5"

EXAMPLES = """\b
Examples:
  tablemen play {name}
  tablemen play {name} --{second} searcher:level=2
  tablemen play {name} --{first} minimax:depth=3 --{second} human
  tablemen play {name} --{first} random:seed=1 --{second} random:seed=2
"""


def variant_command(rules: Any) -> click.Command:
    """The command that plays by these rules."""
    family = family_of(rules)
    first, second = (family.sides[side] for side in Side)

    def run(*, white: str | None, black: str | None, position: str | None) -> None:
        play_at_table(_read_start(family, rules, position), white, black)

    return click.Command(
        rules.name,
        callback=run,
        params=[*player_options(family), position_option()],
        help=f"Plays {rules} on standard input and output, line by line; ? says what can be typed.\n\n{PLAYERS_HELP}",
        short_help=str(rules),
        epilog=EXAMPLES.format(name=rules.name, first=first, second=second),
    )


PLAYERS_HELP = (
    f"A PLAYER is human, searcher, minimax, random or robot, with options behind a colon: searcher:level=3, "
    f"searcher:depth=6, minimax:depth=2. Where none is given, a person plays {OPPONENT}."
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


def play_at_table(start: Any, white: str | None, black: str | None) -> None:
    """Plays from a position; a player that is not given is a person, or the computer where the other is one."""
    players = dict(zip(Side, _read_players(family_of(start), white, black), strict=True))
    console = StandardIO()
    try:
        with Session(start, players) as session:
            Table(session, console).run()
    except KeyboardInterrupt:
        console.println()  # so that nothing is said on the line of the prompt
        raise


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
