"""`tablemen play VARIANT`: any game of any family, on the whole screen or line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.completers import complete_player
from tablemen.cli.parameters import read_position
from tablemen.cli.play.way import Way, way_options
from tablemen.cli.players import address_of, find_players
from tablemen.family import get_family
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.clock import TimeControl
    from tablemen.players import WrittenPlayer

OPPONENT = "searcher:level=5"

EXAMPLES = """\b
Examples:
  tablemen play {name}
  tablemen play {name} --clock 5+3
  tablemen play {name} --plain --{second} searcher:level=2
  tablemen play {name} --{first} minimax:depth=3 --{second} human
  tablemen play {name} --{first} random:seed=1 --{second} random:seed=2
{program}"""

HELP = """Plays {rules}: on the whole screen, or line by line with --plain and where input or output is no terminal;
? says what can be done.

A game at a terminal is saved after every move. One that was left is offered again, unless --new, players, a clock or a
position are given.

{players}"""

PLAYERS_HELP = (
    f"A PLAYER is {{players}}, with options behind a colon: searcher:level=3, "
    f"searcher:depth=6, minimax:depth=2.{{programs}} Where none is given, a person plays {OPPONENT}."
)


def variant_command(rules: Any) -> click.Command:
    """The command that plays by these rules."""

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
        from tablemen.cli.play.sitting import play_at_table

        # Whoever names a position does not mean a game that was left.
        way = Way.of(context, plain=plain, new=new or position is not None, control=control)
        play_at_table(read_position(rules, position), white, black, way)

    return VariantCommand(
        rules.name,
        rules=rules,
        callback=run,
        params=[*player_options(rules), position_option(), *way_options()],
    )


class VariantCommand(click.Command):
    """A command whose help is written when it is asked for: who can play is known to many modules."""

    def __init__(self, name: str, *, rules: Any, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.rules = rules

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the page."""
        family = get_family(self.rules)
        first, second = family.sides.values()
        players = find_players(self.rules)
        name, example = self.rules.name, _example(self.rules, players, second)
        self.help = HELP.format(rules=self.rules, players=_describe(players))
        self.epilog = EXAMPLES.format(name=name, first=first, second=second, program=example)
        super().format_help(ctx, formatter)


def player_options(rules: Any) -> list[click.Option]:
    """The options that say who plays, called as the family calls its sides."""
    family = get_family(rules)
    return [
        click.Option(
            list(dict.fromkeys((f"--{family.sides[side]}", f"--{side}", str(side)))),
            metavar="PLAYER",
            shell_complete=complete_player(rules),
            help=f"Who plays {family.side_name(side)}.",
        )
        for side in Side
    ]


def position_option() -> click.Option:
    """The option that says where the game begins."""
    about = "The position to begin with: a FEN, or <6,0,0,…> south for mancala; without it, the start."
    return click.Option(["--fen", "--position", "position"], metavar="POSITION", help=about)


def _describe(players: Mapping[str, type[WrittenPlayer]]) -> str:
    """The players in words."""
    own, programs = [], []
    for name, kind in players.items():
        if kind.subject is None:
            own.append(name)
        else:
            programs.append(f"{name}:{address_of(name).form}")
    told = f" Other programs play as {_list(programs)}, with options behind a comma." if programs else ""
    return PLAYERS_HELP.format(players=_list(own), programs=told)


def _example(rules: Any, players: Mapping[str, type[WrittenPlayer]], side: str) -> str:
    """A line with another program, where one can play."""
    for name, kind in players.items():
        if kind.subject is not None:
            time = ",time=1" if "time" in kind.settings() else ""
            return f"  tablemen play {rules.name} --{side} '{name}:{address_of(name).example}{time}'\n"
    return ""


def _list(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
