"""`tablemen engine dxp`: play games against programs that speak DamExchange."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
)
from tablemen.errors import PeerError, UnknownVariantError
from tablemen.outcome import Side

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tablemen.draughts import DraughtsRules
    from tablemen.family import ScoreSheet
    from tablemen.players import WrittenPlayer
    from tablemen.protocols.transport import Transport
    from tablemen.protocols.transport.tcp import Address

    Play = Callable[[Transport], Awaitable[None]]

EVENT = "tablemen engine dxp"
DEFAULT_ADDRESS = "127.0.0.1:27531"
SIDES = {side.value: side for side in Side}

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
        other = parse_variant(context, parameter, name)  # raises if there is no such variant in any family
        raise CommandUsageError(f"--variant: DXP is for draughts, and {other} is another game") from error


@click.command(epilog=EXAMPLES)
@click.option(
    "--listen",
    metavar="[HOST:]PORT",
    is_flag=False,
    flag_value=DEFAULT_ADDRESS,
    help=f"Wait there for a program to connect; without an address, at {DEFAULT_ADDRESS}.",
)
@click.option("--connect", metavar="HOST:PORT", help="Connect to a program that waits there.")
@click.option("--public", is_flag=True, help="Listen at an address that other machines reach.")
@click.option(
    "--initiator/--follower",
    "initiates",
    default=None,
    help="Ask for the games, or play those that the other side asks for. [the side that connects asks]",
)
@click.option(
    "--variant",
    metavar="VARIANT",
    default="international",
    show_default=True,
    callback=_parse_variant,
    shell_complete=complete_draughts,
    help="The variant; DXP does not transmit it.",
)
@click.option(
    "--player",
    metavar="PLAYER",
    default="searcher:level=7",
    show_default=True,
    shell_complete=complete_machine,
    help="The player that chooses our moves.",
)
@click.option("--name", metavar="NAME", help="Our name for the other side. [the player]")
@click.option(
    "--minutes",
    metavar="N",
    type=click.IntRange(1, 999),
    default=5,
    show_default=True,
    help="The time of each side for a game that we ask for.",
)
@click.option(
    "--moves",
    metavar="N",
    type=click.IntRange(0, 999),
    default=0,
    help="End such a game after this number of moves of each side.",
)
@click.option(
    "--games",
    metavar="N",
    type=POSITIVE,
    help="The number of games with each program. [1 if we ask for them, else any number]",
)
@click.option(
    "--colour",
    type=click.Choice(sorted(SIDES)),
    default="white",
    show_default=True,
    help="Our colour in the first game.",
)
@click.option("--no-takeback", is_flag=True, help="Refuse to take moves back.")
@click.option(
    "--pdn",
    "file",
    metavar="FILE",
    shell_complete=complete_file,
    help="Add every game to this file as soon as it is over.",
)
@click.option("--once", is_flag=True, help="End when the first program that connected has gone.")
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
    no_takeback: bool,
    file: str | None,
    once: bool,
) -> None:
    """Play games of draughts over TCP, one after the other, against a program that speaks DXP.

    The side that listens waits for others, one at a time, until Ctrl-C ends it. The side that connects asks for the
    games and plays either colour in turn; --initiator and --follower change who asks. The other side must be set to the
    same variant.

    Connections, messages and the ends of games are reported on standard error.
    """
    from tablemen.players import RESIGN
    from tablemen.protocols.dxp.messages import GameSettings
    from tablemen.protocols.dxp.server import DxpHost

    if listen is not None and connect is not None:
        raise CommandUsageError("give --listen or --connect, not both")
    ours = _parse_player(player, variant)
    if connect is None:
        text = listen or DEFAULT_ADDRESS
        address = _parse_address(f":{text}" if text.isdecimal() else text)
        check_host(address.host, public=public)
    else:
        address = _parse_address(connect)
    if file is not None:
        check_game_file("--pdn", file, variant)
    host = DxpHost(
        player=ours,
        rules=variant,
        settings=GameSettings(name or f"tablemen {player}", minutes, moves),
        takebacks=not no_takeback,
        resignation=RESIGN,
        report=_print,
        on_game=lambda sheet: _write_game(sheet, file),
    )
    asks = connect is not None if initiates is None else initiates

    async def play(transport: Transport) -> None:
        if asks:
            played = await host.lead(transport, games=games or 1, first=SIDES[colour])
        else:
            played = await host.follow(transport, games=games)
        _print(f"{transport.peer} has gone after {format_count(played, 'game')}")

    async def run() -> None:
        with ours:
            await (_serve(address, play, once=once) if connect is None else _visit(address, play))

    try:
        run_until_signal(run())
    except PeerError as error:
        raise click.ClickException(str(error)) from error


async def _visit(address: Address, play: Play) -> None:
    """Connect, and play. Raises `PeerError`."""
    from tablemen.protocols.dxp.messages import FRAMING
    from tablemen.protocols.transport import connect

    transport = await connect(address, FRAMING)
    _print(f"connected to {transport.peer}")
    await play(transport)


async def _serve(address: Address, play: Play, *, once: bool) -> None:
    """Play with programs that connect, one after the other; raises `PeerError` only with `once`."""
    from tablemen.protocols.dxp.messages import FRAMING
    from tablemen.protocols.transport import listen

    try:
        listener = await listen(address, FRAMING)
    except OSError as error:
        raise CommandUsageError(f"cannot listen at {address}: {error.strerror or error}") from error
    _print(f"listening at {listener.address} (Ctrl-C ends it)")
    try:
        while True:
            transport = await listener.accept()
            _print(f"{transport.peer} connected")
            try:
                await play(transport)
            except PeerError as error:
                if once:
                    raise
                _print(str(error))
            if once:
                return
    finally:
        await listener.close()


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

    player = parse_player(text)
    if isinstance(player, HumanPlayer):
        raise CommandUsageError("--player: a human cannot play here; give a player such as searcher:level=7")
    start = Position.start(rules)
    player.check(start)
    format_start(start)  # raises if the board is too large for DXP
    return player


def _parse_address(text: str) -> Address:
    from tablemen.protocols.dxp.engine import DEFAULT_PORT
    from tablemen.protocols.transport.tcp import parse_address

    return parse_address(text, port=DEFAULT_PORT)
