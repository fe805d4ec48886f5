"""`tablemen engine`: play as an engine for other programs.

This module has the Hub protocol; DXP and KGP have a module each.
"""

from __future__ import annotations

import sys

import click

from tablemen.cli.group import TablemenGroup, run_until_signal

ABOUTS = {
    "hub": "engine for a Hub user interface, over standard input and output",
    "dxp": "opponent for a program with DamExchange (DXP), over TCP",
    "kgp": "client of a Kalah Game Protocol (KGP) server, over TCP or WebSocket",
}

EXAMPLES = """\b
Examples:
  tablemen engine hub
  tablemen engine dxp --listen
  tablemen engine kgp --connect localhost:2671
"""
HUB_EXAMPLES = """\b
Examples:
  tablemen engine hub
  tablemen match frisian 'hub:"tablemen engine hub",depth=4' searcher:depth=4
"""

HUB_HINT = (
    "This command is for programs: set `tablemen engine hub` as the engine command of a Hub user interface.\n"
    "To try it, type these lines: hub, init, pos start, level move-time=1, go think. Type quit or Ctrl-D to stop."
)


@click.group(cls=TablemenGroup, abouts=ABOUTS, package=__name__, subcommand_metavar="PROTOCOL", epilog=EXAMPLES)
def engine() -> None:
    """Play as an engine for other programs, over one of three protocols."""


@engine.command(epilog=HUB_EXAMPLES)
@click.option(
    "--hub1", is_flag=True, help="Answer `hub` as version 1 of the protocol does. Its commands are always accepted."
)
def hub(*, hub1: bool) -> None:
    """Play as an engine for a user interface with the Hub protocol, over standard input and output.

    Variants have their Hub names normal, killer, bt, frisian and losing; all other variants of draughts have their own
    names. The user interface can set these parameters: variant, threads, table (megabytes of memory), level (1 to 10,
    or 0 for full strength) and seed. The engine stops at the end of the input.
    """
    from tablemen.protocols.hub.messages import FRAMING
    from tablemen.protocols.hub.server import HubServer
    from tablemen.protocols.transport import open_standard_streams

    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(HUB_HINT, err=True)

    async def serve() -> None:
        await HubServer(open_standard_streams(FRAMING), hub1=hub1).run()

    run_until_signal(serve())
