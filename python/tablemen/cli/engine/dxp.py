"""`tablemen engine dxp`: play games against programs over the DamExchange protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.group import CommandUsageError, run_until_signal
from tablemen.cli.parameters import (
    POSITIVE,
    check_game_file,
    check_host,
    complete_draughts,
    complete_file,
    complete_machine,
    format_count,
    parse_variant,
    reported_for,
)
from tablemen.errors import PeerError, UnknownVariantError
from tablemen.outcome import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tablemen.draughts import DraughtsRules
    from tablemen.family import ScoreSheet
    from tablemen.players import WrittenPlayer
    from tablemen.protocols.transport import Listener, Transport
    from tablemen.protocols.transport.tcp import Address

    Play = Callable[[Transport], Coroutine[Any, Any, None]]

EVENT = "tablemen engine dxp"
DEFAULT_ADDRESS = "127.0.0.1:27531"
SIDES = {side.value: side for side in Side}
MAX_CONNECTIONS = 16
ACCEPT_INTERVAL = 0.1  # seconds between connections, so that a peer cannot flood the log

EXAMPLES = """\b
Examples:
  tablemen engine dxp --listen
  tablemen engine dxp --listen 9000 --player searcher:level=10 --pdn games.pdn
  tablemen engine dxp --connect localhost:27531 --games 10 --minutes 10
  tablemen engine dxp --listen 0.0.0.0:27531 --public --variant frisian
"""


def _parse_variant(context: click.Context, parameter: click.Parameter, name: str) -> DraughtsRules:
    from tablemen.draughts import find_variant

    try:
        return find_variant(name)
    except UnknownVariantError as error:
        other = parse_variant(context, parameter, name)  # raises if no family has such a variant
        raise CommandUsageError(f"--variant: DXP is only for draughts, and cannot play {other}") from error


@click.command(epilog=EXAMPLES)
@click.option(
    "--listen",
    metavar="[HOST:]PORT",
    is_flag=False,
    flag_value=DEFAULT_ADDRESS,
    help=f"Wait for a program to connect to this address. [default: {DEFAULT_ADDRESS}]",
)
@click.option("--connect", metavar="HOST:PORT", help="Connect to a program that listens at this address.")
@click.option("--public", is_flag=True, help="Allow a --listen address that other machines can reach.")
@click.option(
    "--initiator/--follower",
    "initiates",
    default=None,
    help="Request games from the other program, or accept its requests. [default: initiator with --connect]",
)
@click.option(
    "--variant",
    metavar="VARIANT",
    default="international",
    show_default=True,
    callback=_parse_variant,
    shell_complete=complete_draughts,
    help="The variant; the other program must use the same one.",
)
@click.option(
    "--player",
    metavar="PLAYER",
    default="searcher:level=7",
    show_default=True,
    shell_complete=complete_machine,
    help="The player that chooses the moves.",
)
@click.option("--name", metavar="NAME", help="Name sent to the other program. [default: tablemen and the player]")
@click.option(
    "--minutes",
    metavar="N",
    type=click.IntRange(1, 999),
    default=5,
    show_default=True,
    help="As initiator: minutes per side and game.",
)
@click.option(
    "--moves",
    metavar="N",
    type=click.IntRange(0, 999),
    default=0,
    help="As initiator: end a game after this number of moves per side; 0 for no limit.",
)
@click.option(
    "--games",
    metavar="N",
    type=POSITIVE,
    help="Number of games with each program. [default: 1 as initiator, no limit as follower]",
)
@click.option(
    "--colour",
    type=click.Choice(sorted(SIDES)),
    default="white",
    show_default=True,
    help="As initiator: the player's colour in the first game.",
)
@click.option(
    "--handshake-timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True, max=86400),
    default=60.0,
    show_default=True,
    help="Disconnect a program that does not request or accept a game within this time.",
)
@click.option("--no-takeback", is_flag=True, help="Refuse requests to take moves back.")
@click.option(
    "--pdn",
    "file",
    metavar="FILE",
    shell_complete=complete_file,
    help="Append every finished game to this file.",
)
@click.option("--once", is_flag=True, help="Stop when the first program disconnects.")
def dxp(
    *,
    listen: str | None,
    connect: str | None,
    public: bool,
    initiates: bool | None,
    variant: DraughtsRules,
    player: str,
    name: str | None,
    minutes: int,
    moves: int,
    games: int | None,
    colour: str,
    handshake_timeout: float,
    no_takeback: bool,
    file: str | None,
    once: bool,
) -> None:
    """Play games of draughts against a program over TCP with the DamExchange protocol (DXP).

    With --listen, programs can connect until Ctrl-C. A program that requests a game during another game waits for its
    end. With --connect, this program requests the games, and changes colours after each game; --initiator and
    --follower change which program requests them. DXP does not transmit the variant.

    Connections, messages and results are reported on standard error.
    """
    from tablemen.draughts import Position
    from tablemen.game import Game
    from tablemen.players import RESIGN
    from tablemen.protocols.dxp.engine import DxpTimeouts
    from tablemen.protocols.dxp.messages import GameSettings
    from tablemen.protocols.dxp.server import DxpHost
    from tablemen.threads import run_in_daemon_thread

    if listen is not None and connect is not None:
        raise CommandUsageError("--listen cannot be combined with --connect")
    ours = _parse_player(player, variant)
    if connect is None:
        address = _parse_address("--listen", listen or DEFAULT_ADDRESS)
        check_host(address.host, public=public)
    else:
        address = _parse_address("--connect", connect)
    if file is not None:
        check_game_file("--pdn", file, variant)
    host = DxpHost(
        player=ours,
        rules=variant,
        settings=GameSettings(name or f"tablemen {player}", minutes, moves),
        takebacks=not no_takeback,
        resignation=RESIGN,
        timeouts=DxpTimeouts(request=handshake_timeout, accept=handshake_timeout),
        report=_print,
        on_game=lambda sheet: _write_game(sheet, file),
    )
    is_initiator = connect is not None if initiates is None else initiates

    async def play(transport: Transport) -> None:
        if is_initiator:
            played = await host.lead(transport, games=games or 1, first=SIDES[colour])
        else:
            played = await host.follow(transport, games=games)
        _print(f"{transport.peer} disconnected after {format_count(played, 'game')}")

    async def run() -> None:
        with ours:
            if ours.lasts:  # report a wrong command or option now, and not in the first game
                await run_in_daemon_thread(lambda: ours.begin_game(Game(Position.start(variant))))
            await (_serve(address, play, once=once) if connect is None else _visit(address, play))

    try:
        run_until_signal(run())
    except PeerError as error:
        raise click.ClickException(str(error)) from error


async def _visit(address: Address, play: Play) -> None:
    """Connect to a program and play. Raises `PeerError`."""
    from tablemen.protocols.dxp.messages import FRAMING
    from tablemen.protocols.transport import connect

    transport = await connect(address, FRAMING)
    _print(f"connected to {transport.peer}")
    await play(transport)


async def _serve(address: Address, play: Play, *, once: bool) -> None:
    """Play against the programs that connect. Raises `PeerError` only with `once`."""
    from tablemen.protocols.dxp.messages import FRAMING
    from tablemen.protocols.transport import listen

    try:
        listener = await listen(address, FRAMING)
    except OSError as error:
        raise CommandUsageError(f"cannot listen at {address}: {error.strerror or error}") from error
    _print(f"listening at {listener.address} (press Ctrl-C to stop)")
    try:
        if once:
            transport = await listener.accept()
            _print(f"{transport.peer} connected")
            await play(transport)
        else:
            await _serve_all(listener, play)
    finally:
        await listener.close()


async def _serve_all(listener: Listener, play: Play) -> None:
    """Run a task for each connection until it is cancelled. A failure of a peer does not affect the others."""
    accepting: asyncio.Task[Transport] = asyncio.create_task(listener.accept())
    serving: set[asyncio.Task[None]] = set()
    try:
        while True:
            done, _ = await asyncio.wait({accepting, *serving}, return_when=asyncio.FIRST_COMPLETED)
            for task in serving & done:
                serving.discard(task)
                try:
                    task.result()
                except PeerError as error:
                    _print(str(error))
            if accepting in done:
                transport = accepting.result()
                if len(serving) < MAX_CONNECTIONS:
                    _print(f"{transport.peer} connected")
                    serving.add(asyncio.create_task(play(transport)))
                else:
                    _print(f"{transport.peer} was refused: there are already {MAX_CONNECTIONS} connections")
                    await transport.close()
                accepting = asyncio.create_task(_accept_later(listener))
    finally:
        for each in (accepting, *serving):
            each.cancel()
        await asyncio.gather(accepting, *serving, return_exceptions=True)


async def _accept_later(listener: Listener) -> Transport:
    await asyncio.sleep(ACCEPT_INTERVAL)
    return await listener.accept()


def _print(text: str) -> None:
    click.echo(text, err=True)


def _write_game(sheet: ScoreSheet, file: str | None) -> None:
    """Add a game to the file, unless it has no moves."""
    from dataclasses import replace

    from tablemen.game_files import add_game

    if file is not None and sheet.game.moves:
        add_game(Path(file), replace(sheet, event=EVENT))


def _parse_player(text: str, rules: DraughtsRules) -> WrittenPlayer:
    from tablemen.draughts import Position
    from tablemen.players import HumanPlayer, parse_player
    from tablemen.protocols.dxp.messages import format_start

    start = Position.start(rules)
    with reported_for("--player", text):
        player = parse_player(text)
        player.check(start)
    if isinstance(player, HumanPlayer):
        raise CommandUsageError("--player: a human cannot play here; use a player such as searcher:level=7")
    format_start(start)  # raises if the board is too large for DXP
    return player


def _parse_address(option: str, text: str) -> Address:
    from tablemen.protocols.dxp.engine import DEFAULT_PORT
    from tablemen.protocols.transport.tcp import parse_address

    address = f"127.0.0.1:{text}" if option == "--listen" and text.isdecimal() else text
    with reported_for(option, address):
        return parse_address(address, port=DEFAULT_PORT)
