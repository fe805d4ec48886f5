"""`tablemen engine`: the computer as a program that others start or connect to.

Hub is here; DXP and KGP have a module each.
"""

from __future__ import annotations

import sys

import click

from tablemen.cli.group import TablemenGroup, run_until_signal

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
HUB_EXAMPLES = """\b
Examples:
  tablemen engine hub
  tablemen match frisian 'hub:"tablemen engine hub",depth=4' searcher:depth=4
"""

HUB_HINT = (
    "This is for a board that speaks Hub: give it `tablemen engine hub` as the command of an engine.\n"
    "To look around, type: hub, then init, pos start, level move-time=1, go think. Ctrl-D or quit ends it."
)


@click.group(cls=TablemenGroup, abouts=ABOUTS, package=__name__, subcommand_metavar="PROTOCOL", epilog=EXAMPLES)
def engine() -> None:
    """Run the computer behind other programs' boards."""


@engine.command(epilog=HUB_EXAMPLES)
@click.option(
    "--hub1", is_flag=True, help="Greet as the first Hub has it. (A board that speaks it is understood anyhow.)"
)
def hub(*, hub1: bool) -> None:
    """Play behind a board that speaks Hub, over standard input and output.

    The variants are normal, killer, bt, frisian and losing, as Hub names them, and all others of draughts by their own
    names. Options that a board can set: variant, threads, table (megabytes of memory), level (1 to 10 for people, 0 for
    all that it can do) and seed. The end of the input ends it.
    """
    from tablemen.protocols.hub.messages import FRAMING
    from tablemen.protocols.hub.server import HubServer
    from tablemen.protocols.transport import open_standard_streams

    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(HUB_HINT, err=True)

    async def serve() -> None:
        await HubServer(open_standard_streams(FRAMING), hub1=hub1).run()

    run_until_signal(serve())
