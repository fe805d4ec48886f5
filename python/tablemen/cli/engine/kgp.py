"""`tablemen engine kgp`: the computer at a server that speaks the Kalah Game Protocol."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.completers import complete_machine
from tablemen.cli.group import BadQuestion
from tablemen.cli.waiting import run_until_signal
from tablemen.errors import PeerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tablemen.protocols.kgp.client import KgpWorker
    from tablemen.protocols.transport import Transport

PORT = 2671  # the usual one
TOKEN = "TABLEMEN_KGP_TOKEN"
LONGEST_PAUSE = 30.0  # seconds between two tries to connect

EXAMPLES = """\b
Examples:
  tablemen engine kgp --connect localhost
  tablemen engine kgp --connect example.org:2671 --token-file token.txt
  tablemen engine kgp --connect wss://example.org/kgp --player searcher:time=4
  tablemen engine kgp --connect localhost --mode verify
"""


@click.command(epilog=EXAMPLES)
@click.option("--connect", "address", metavar="ADDRESS", required=True, help="HOST, HOST:PORT, ws://… or wss://….")
@click.option(
    "--player",
    metavar="PLAYER",
    default="searcher:time=1",
    show_default=True,
    shell_complete=complete_machine,
    help="Who chooses the moves.",
)
@click.option(
    "--mode",
    type=click.Choice(["freeplay", "verify", "eval"]),
    default="freeplay",
    show_default=True,
    help="To play, to solve problems about the rules, or to judge positions.",
)
@click.option("--name", metavar="TEXT", default="tablemen", show_default=True, help="What the server is told as name.")
@click.option("--authors", metavar="TEXT", help="Who the server is told wrote it.")
@click.option("--description", metavar="TEXT", help="What the server is told about it.")
@click.option("--token", metavar="TEXT", help="A secret by which the server knows the player again.")
@click.option(
    "--token-file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="A file that has the token."
)
@click.option(
    "--thoughts",
    metavar="N",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Think about so many positions at a time.",
)
@click.option(
    "--retry",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Connect again so many times when the connection is lost.",
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
    """Plays Kalah at a server of the Kalah Game Protocol, until that says goodbye or Ctrl-C ends it.

    A searcher answers with its best move so far, again whenever it finds a better one; any other player, and a level of
    play, answers once. The server may ask for several moves at a time.

    A token may also stand in a file, or in the environment variable TABLEMEN_KGP_TOKEN: what stands on the command line
    is seen by others. The status is 1 where the connection is lost.
    """
    given = {
        "info:name": name,
        "info:authors": authors,
        "info:description": description,
        "auth:token": _read_token(token, token_file),
    }
    options = {key: value for key, value in given.items() if value}
    make = _maker_of(player)
    answered = run_until_signal(_run_again(lambda: _run(address, mode, options, make, thoughts), retry))
    click.echo(f"The server says goodbye; {answered} answered.", err=True)


async def _run_again(run: Callable[[], Awaitable[str]], retry: int) -> str:
    """What a run gives that is not cut off; it is tried so many times more, after pauses that grow."""
    from tablemen.console import visible

    for tried in range(retry + 1):
        try:
            return await run()
        except PeerError as error:
            if tried == retry:
                raise click.ClickException(visible(str(error))) from error
            pause = min(LONGEST_PAUSE, 2.0**tried)
            click.echo(f"{visible(str(error))}; trying again in {pause:g} s", err=True)
            await asyncio.sleep(pause)
    raise AssertionError("a last try ends with an answer or an error")


async def _run(address: str, mode: str, options: dict[str, str], make: Callable[[], KgpWorker], thoughts: int) -> str:
    """Answers one server until it says goodbye; what was answered, in words."""
    from tablemen.console import visible
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
        on_error=lambda text: click.echo(f"The server says: {visible(text)}", err=True),
    )
    await client.run()
    number, word = (protocol.solved, "problem") if mode == VERIFY else (client.answered, "state")
    return f"{number} {word}{'' if number == 1 else 's'}"


async def _connect(address: str) -> Transport:
    from tablemen.protocols.kgp.messages import FRAMING
    from tablemen.protocols.transport.tcp import connect, parse_address

    if address.startswith(("ws://", "wss://")):
        from tablemen.protocols.transport.websocket import connect_websocket

        return await connect_websocket(address, FRAMING)
    return await connect(parse_address(address, port=PORT), FRAMING)


def _read_token(token: str | None, file: Path | None) -> str | None:
    if token is not None and file is not None:
        raise BadQuestion("--token and --token-file exclude each other")
    if file is not None:
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not a text"
            raise BadQuestion(f"--token-file: {file}: {reason}") from error
        if not token:
            raise BadQuestion(f"--token-file: {file} is empty")
    return token if token is not None else os.environ.get(TOKEN)


def _maker_of(text: str) -> Callable[[], KgpWorker]:
    """What makes thinkers that choose as the player does."""
    from tablemen.mancala import VARIANTS, Position
    from tablemen.players import HumanPlayer, SearcherPlayer, parse_player
    from tablemen.protocols.kgp.client import PlayerWorker, SearchWorker
    from tablemen.search import Level

    player = parse_player(text)
    if isinstance(player, HumanPlayer):
        raise BadQuestion("people play at a table: `tablemen play`")
    player.check(Position.start(VARIANTS["kgp"]))
    if isinstance(player, SearcherPlayer):
        effort = player.effort
        limit = effort.limit if isinstance(effort, Level) else effort
        if not isinstance(effort, Level) or not effort.error:  # a level that errs chooses once, at the end
            return lambda: SearchWorker(limit, table_mb=player.table, threads=player.threads, seed=player.seed)
    return lambda: PlayerWorker(parse_player(text))
