"""`tablemen transcript`: sessions of console programs, a module a command."""

from __future__ import annotations

import click

from tablemen.cli.group import TablemenGroup, ended_by_signals

ABOUTS = {
    "run": "check programs against their sessions",
    "record": "write a session down as it happens",
}

EXAMPLES = """\b
Examples:
  tablemen transcript run specifications/
  tablemen transcript run greeting.transcript --json -- ./greet --loud
  tablemen transcript record greeting.transcript -- ./greet
"""


@click.group(cls=TablemenGroup, modules=ABOUTS, abouts=ABOUTS, package=__name__, epilog=EXAMPLES)
@click.pass_context
def transcript(context: click.Context) -> None:
    """Runs and records specification files: sessions of console programs, line by line.

    A line of such a file begins with > for what the program writes, < for what is typed, or # for a comment.
    """
    context.with_resource(ended_by_signals())  # so that no program is left behind
