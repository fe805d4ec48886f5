"""`tablemen play VARIANT`: any game of any family, on the whole screen or line by line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.completers import complete_player
from tablemen.cli.parameters import read_position
from tablemen.cli.play.way import Way, way_options
from tablemen.errors import TablemenError
from tablemen.families import Family, family_of
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

# How the address of a program is written, by the kind of player, and an example.
ADDRESSES = {
    "hub": ('"COMMAND"', '"scan hub"'),
    "dxp": ("HOST:PORT", "localhost:27531"),
    "kgp": ("HOST:PORT", "localhost:2671"),
}


def variant_command(rules: Any) -> click.Command:
    """The command that plays by these rules."""
    family = family_of(rules)

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
        params=[*player_options(family), position_option(), *way_options()],
        short_help=str(rules),
    )


class VariantCommand(click.Command):
    """A command whose help is written when it is asked for: who can play is known to many modules."""

    def __init__(self, name: str, *, rules: Any, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.rules = rules

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the page."""
        family = family_of(self.rules)
        first, second = family.sides.values()
        start = family.start(self.rules)
        self.help = HELP.format(rules=self.rules, players=_describe_players(start))
        self.epilog = EXAMPLES.format(name=self.rules.name, first=first, second=second, program=_example(start, second))
        super().format_help(ctx, formatter)


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


def _describe_players(start: Any) -> str:
    """The players that can play from such a position, in words."""
    own, programs = [], []
    for name, kind in _find_players(start):
        if kind.subject is None:
            own.append(name)
        else:
            programs.append(f"{name}:{_address(name)[0]}")
    told = f" Other programs play as {_list(programs)}, with options behind a comma." if programs else ""
    return PLAYERS_HELP.format(players=_list(own), programs=told)


def _example(start: Any, side: str) -> str:
    """A line with another program, where one can play."""
    for name, kind in _find_players(start):
        if kind.subject is not None:
            time = ",time=1" if "time" in kind.settings() else ""
            return f"  tablemen play {start.variant.name} --{side} '{name}:{_address(name)[1]}{time}'\n"
    return ""


def _find_players(start: Any) -> Iterator[tuple[str, type[WrittenPlayer]]]:
    """The kinds of players that can play from such a position."""
    from tablemen.players import PLAYERS

    for name, kind in PLAYERS.items():
        given = {} if kind.subject is None else {kind.subject: _address(name)[1].strip('"')}
        with contextlib.suppress(TablemenError):
            kind(**given).check(start)
            yield name, kind


def _address(kind: str) -> tuple[str, str]:
    return ADDRESSES.get(kind, ("ADDRESS", "address"))


def _list(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
