"""`tablemen play`: play any variant, full-screen or line by line, and the Kalah console."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.group import CommandUsageError, TablemenGroup
from tablemen.cli.parameters import address_form, complete_player, find_players, parse_position
from tablemen.cli.play.start import UiMode, default_opponent, is_at_terminal, play_from, ui_options
from tablemen.errors import UnknownVariantError
from tablemen.family import families, find_variant, get_family
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.players import WrittenPlayer

OWN_CONSOLES = ("kalah",)  # variants with a module of their own; they are listed first
TITLES = {name: str(rules) for family in families() for name, rules in family.variants.items()}
GAMES = {name: TITLES[name] for name in dict.fromkeys((*OWN_CONSOLES, *TITLES))}

EXAMPLES = """\b
Examples:
  tablemen play
  tablemen play --plain
  tablemen play international
  tablemen play english --white searcher:level=2 --black human
  tablemen play oware --north minimax:depth=3
  tablemen play kalah --robot 2 --vertical
"""

VARIANT_EXAMPLES = """\b
Examples:
  tablemen play {name}
  tablemen play {name} --clock 5+3
  tablemen play {name} --plain --{second} searcher:level=2
  tablemen play {name} --{first} minimax:depth=3 --{second} human
  tablemen play {name} --{first} random:seed=1 --{second} random:seed=2
{program}"""

VARIANT_HELP = """Play {rules} on a full-screen board. With --plain, or if input or output is not a terminal, play line
by line; ? lists the commands.

At a terminal the game is saved after every move, and an unfinished game is offered at the next start, unless a player,
a clock, a position or --new is given.

{players}"""

PLAYERS_HELP = (
    "A PLAYER is {players}, with options after a colon: searcher:level=3, "
    "searcher:depth=6, minimax:depth=2.{programs} By default you play against the computer, {opponent}."
)


class PlayGroup(TablemenGroup):
    """A group with one command per variant, which can be called by any name of the variant."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command for the variant with this name."""
        try:
            rules = find_variant(cmd_name)
        except UnknownVariantError as error:
            if ctx.resilient_parsing:
                return None
            raise CommandUsageError(str(error)) from error
        return super().get_command(ctx, rules.name) or VariantCommand(rules)


@click.group(
    cls=PlayGroup,
    abouts=GAMES,
    modules=OWN_CONSOLES,
    package=__name__,
    invoke_without_command=True,
    subcommand_metavar="[GAME]",
    epilog=EXAMPLES,
    params=ui_options(),
)
@click.pass_context
def play(context: click.Context, *, control: TimeControl | None, plain: bool, new: bool) -> None:
    """Play a game on a full-screen board; with --plain, or if input or output is not a terminal, line by line.

    GAME is a variant of draughts or mancala: a name, an alias or a PDN GameType. Without GAME, a menu lists all games
    and your unfinished games. If input or output is not a terminal, the games are only listed. The full-screen menu has
    its own setting for the clock.
    """
    if context.invoked_subcommand is not None:
        return
    if is_at_terminal():
        from tablemen.cli.play.menu import choose_game

        choose_game(tuple(GAMES), UiMode(plain=plain, new=new, control=control))
        return
    width = max(map(len, GAMES))
    for name, title in GAMES.items():
        click.echo(f"tablemen play {name:<{width}}  {title}")


class VariantCommand(click.Command):
    """The command for a variant; its help is created on demand, since finding the players imports many modules."""

    def __init__(self, rules: Any) -> None:
        params: list[click.Parameter] = [*player_options(rules), position_option(), *ui_options()]
        super().__init__(rules.name, callback=self._play, params=params)
        self._rules = rules

    def _play(
        self,
        *,
        white: str | None,
        black: str | None,
        position: str | None,
        control: TimeControl | None,
        plain: bool,
        new: bool,
    ) -> None:
        # A given position means a new game.
        mode = UiMode.from_options(plain=plain, new=new or position is not None, control=control)
        play_from(parse_position(self._rules, position), white, black, mode)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help page."""
        first, second = get_family(self._rules).sides.values()
        players, name = find_players(self._rules), self._rules.name
        self.help = VARIANT_HELP.format(rules=self._rules, players=_format_players(players))
        program = _find_program(players)
        example = "" if program is None else f"  tablemen play {name} --{second} '{program}'\n"
        self.epilog = VARIANT_EXAMPLES.format(name=name, first=first, second=second, program=example)
        super().format_help(ctx, formatter)


def player_options(rules: Any) -> list[click.Option]:
    """Return the options for the players, named after the family's sides."""
    family = get_family(rules)
    return [
        click.Option(
            list(dict.fromkeys((f"--{family.sides[side]}", f"--{side}", str(side)))),
            metavar="PLAYER",
            shell_complete=complete_player(rules),
            help=f"The player for {family.side_name(side)}.",
        )
        for side in Side
    ]


def position_option() -> click.Option:
    """Return the option for the start position."""
    about = "Start from this position: a FEN, or <6,0,0,…> south for mancala."
    return click.Option(["--fen", "--position", "position"], metavar="POSITION", help=about)


def _format_players(players: Mapping[str, type[WrittenPlayer]]) -> str:
    """Return the help text about players."""
    own = [name for name, kind in players.items() if kind.subject is None]
    programs = [f"{name}:{address_form(name).form}" for name, kind in players.items() if kind.subject is not None]
    about = f" Another program can play as {_join(programs)}, with options after a comma." if programs else ""
    return PLAYERS_HELP.format(players=_join(own), programs=about, opponent=default_opponent())


def _find_program(players: Mapping[str, type[WrittenPlayer]]) -> str | None:
    """Return an example of a player that is another program; None if no such kind supports the rules."""
    for name, kind in players.items():
        if kind.subject is not None:
            return f"{name}:{address_form(name).example}{',time=1' if 'time' in kind.settings() else ''}"
    return None


def _join(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
