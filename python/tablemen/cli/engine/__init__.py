"""`tablemen engine`: the computer as a program that others start or connect to, a module a protocol."""

from __future__ import annotations

import click

from tablemen.cli.group import TablemenGroup

ABOUTS = {
    "hub": "behind a board that speaks Hub: over standard input and output",
    "dxp": "against a program that speaks DamExchange (DXP): over TCP",
    "kgp": "at a server that speaks the Kalah Game Protocol (KGP): over TCP or a WebSocket",
}

EXAMPLES = """\b
Examples:
  tablemen engine hub
  tablemen engine dxp --listen
  tablemen engine kgp --connect localhost:2671
"""


@click.group(
    cls=TablemenGroup,
    modules=ABOUTS,
    abouts=ABOUTS,
    package=__name__,
    subcommand_metavar="PROTOCOL",
    epilog=EXAMPLES,
)
def engine() -> None:
    """The computer behind other programs' boards."""
