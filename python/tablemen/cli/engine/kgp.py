"""`tablemen engine kgp`: play on a server of the Kalah Game Protocol."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.group import CommandUsageError, run_until_signal
from tablemen.cli.parameters import complete_machine, format_count, reported_for
from tablemen.errors import PeerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tablemen.protocols.kgp.client import KgpWorker
    from tablemen.protocols.transport import Transport

DEFAULT_PORT = 2671
TOKEN_VARIABLE = "TABLEMEN_KGP_TOKEN"
MAX_RETRY_INTERVAL = 30.0  # seconds between two attempts to connect

EXAMPLES = """\b
Examples:
  tablemen engine kgp --connect localhost
  tablemen engine kgp --connect example.org:2671 --token-file token.txt
  tablemen engine kgp --connect wss://example.org/kgp --player searcher:time=4
  tablemen engine kgp --connect localhost --mode verify
"""


@click.command(epilog=EXAMPLES)
@click.option(
    "--connect", "address", metavar="ADDRESS", required=True, help="Server: HOST, HOST:PORT, ws://… or wss://…."
)
@click.option(
    "--player",
    metavar="PLAYER",
    default="searcher:time=1",
    show_default=True,
    shell_complete=complete_machine,
    help="The player that chooses the moves.",
)
@click.option(
    "--mode",
    type=click.Choice(["freeplay", "verify", "eval"]),
    default="freeplay",
    show_default=True,
    help="Play games, solve problems about the rules, or evaluate positions.",
)
@click.option("--name", metavar="TEXT", default="tablemen", show_default=True, help="Name sent to the server.")
@click.option("--authors", metavar="TEXT", help="Authors sent to the server.")
@click.option("--description", metavar="TEXT", help="Description sent to the server.")
@click.option("--token", metavar="TEXT", help="Secret that identifies the player to the server.")
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that contains the token.",
)
@click.option(
    "--thoughts",
    metavar="N",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Number of positions searched at a time.",
)
@click.option(
    "--retry",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Number of attempts to reconnect after the connection is lost.",
)
def kgp(
    *,
    address: str,
    player: str,
    mode: str,
    name: str,
    authors: str | None,
    description: str | None,
    token: str | None,
    token_file: Path | None,
    thoughts: int,
    retry: int,
) -> None:
    """Play Kalah on a server of the Kalah Game Protocol (KGP), until the server ends the session or Ctrl-C.

    A searcher sends its best move so far, and again whenever it finds a better one. Other players, and a searcher with
    a level that makes errors, send one move. The server may ask for several moves at a time.

    Other users can see the command line: a token is safer in a file, or in the environment variable TABLEMEN_KGP_TOKEN.
    The exit status is 1 if the connection is lost.
    """
    given = {
        "info:name": name,
        "info:authors": authors,
        "info:description": description,
        "auth:token": _find_token(token, token_file),
    }
    options = {key: value for key, value in given.items() if value}
    make = _worker_factory(player)
    answered = run_until_signal(_retry(lambda: _run(address, mode, options, make, thoughts), retry))
    click.echo(f"The server ended the session; {answered} answered.", err=True)


async def _retry(run: Callable[[], Awaitable[str]], retries: int) -> str:
    """Return the result of `run`; after a `PeerError`, retry after growing intervals."""
    from tablemen.console import escape_controls

    for attempt in range(retries + 1):
        try:
            return await run()
        except PeerError as error:
            if attempt == retries:
                raise click.ClickException(escape_controls(str(error))) from error
            interval = min(MAX_RETRY_INTERVAL, 2.0**attempt)
            click.echo(f"{escape_controls(str(error))}; trying again in {interval:g} s", err=True)
            await asyncio.sleep(interval)
    raise AssertionError("the last attempt returns or raises")


async def _run(address: str, mode: str, options: dict[str, str], make: Callable[[], KgpWorker], thoughts: int) -> str:
    """Answer a server until it ends the session; return the number of answers as text."""
    from tablemen.console import escape_controls
    from tablemen.protocols.kgp.client import KgpClient
    from tablemen.protocols.kgp.protocol import VERIFY, KgpClientProtocol

    transport = await _connect(address)
    protocol = KgpClientProtocol(transport.peer, mode, options)
    click.echo(f"Connected to {transport.peer}.", err=True)
    client = KgpClient(
        transport,
        protocol,
        make,
        workers=thoughts,
        on_error=lambda text: click.echo(f"The server says: {escape_controls(text)}", err=True),
    )
    await client.run()
    return format_count(protocol.solved, "problem") if mode == VERIFY else format_count(client.answered, "request")


async def _connect(address: str) -> Transport:
    from tablemen.protocols.kgp.messages import FRAMING
    from tablemen.protocols.transport.tcp import connect, parse_address

    if address.startswith(("ws://", "wss://")):
        from tablemen.protocols.transport.websocket import connect_websocket

        return await connect_websocket(address, FRAMING)
    with reported_for("--connect", address):
        target = parse_address(address, port=DEFAULT_PORT)
    return await connect(target, FRAMING)


def _find_token(token: str | None, file: Path | None) -> str | None:
    if token is not None and file is not None:
        raise CommandUsageError("--token cannot be combined with --token-file")
    if file is not None:
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text file"
            raise CommandUsageError(f"--token-file: {file}: {reason}") from error
        if not token:
            raise CommandUsageError(f"--token-file: {file} is empty")
    return token if token is not None else os.environ.get(TOKEN_VARIABLE)


def _worker_factory(text: str) -> Callable[[], KgpWorker]:
    """Return a factory of workers that choose moves like this player."""
    from tablemen.mancala import VARIANTS, Position
    from tablemen.players import HumanPlayer, SearcherPlayer, parse_player
    from tablemen.protocols.kgp.client import PlayerWorker, SearchWorker
    from tablemen.search import Level

    with reported_for("--player", text):
        player = parse_player(text)
        player.check(Position.start(VARIANTS["kgp"]))
    if isinstance(player, HumanPlayer):
        raise CommandUsageError("--player: a human cannot play here; use a player such as searcher:time=1")
    if isinstance(player, SearcherPlayer):
        effort = player.effort
        limit = effort.limit if isinstance(effort, Level) else effort
        if not isinstance(effort, Level) or not effort.has_errors:  # a level that makes errors chooses only at the end
            return lambda: SearchWorker(limit, table_mb=player.table, threads=player.threads, seed=player.seed)
    return lambda: PlayerWorker(parse_player(text))
