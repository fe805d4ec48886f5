"""`tablemen engine dxp`: games against programs that speak DamExchange."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tablemen.cli.completers import complete_draughts, complete_file, complete_machine
from tablemen.cli.group import BadQuestion
from tablemen.cli.parameters import POSITIVE, check_host, try_out
from tablemen.cli.waiting import run_until_signal
from tablemen.errors import PeerError, UnknownVariantError
from tablemen.outcome import Side

if TYPE_CHECKING:
    from tablemen.draughts import DraughtsRules
    from tablemen.family import ScoreSheet
    from tablemen.players import WrittenPlayer
    from tablemen.protocols.dxp.program import DxpHost
    from tablemen.protocols.transport import Listener, Transport
    from tablemen.protocols.transport.tcp import Address

EVENT = "tablemen engine dxp"
USUAL = "127.0.0.1:27531"
SIDES = {side.value: side for side in Side}

EXAMPLES = """\b
Examples:
  tablemen engine dxp --listen
  tablemen engine dxp --listen 9000 --player searcher:level=10 --pdn games.pdn
  tablemen engine dxp --connect localhost:27531 --games 10 --minutes 10
  tablemen engine dxp --listen 0.0.0.0:27531 --public --variant frisian
"""


def _read_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> DraughtsRules:
    from tablemen.draughts import DraughtsRules
    from tablemen.family import find_variant

    try:
        rules = find_variant(name)
    except UnknownVariantError as error:
        raise BadQuestion(str(error)) from error
    if not isinstance(rules, DraughtsRules):
        raise BadQuestion(f"--variant: DXP is for draughts, and {rules} is another game")
    return rules


@click.command(epilog=EXAMPLES)
@click.option(
    "--listen",
    metavar="[HOST:]PORT",
    is_flag=False,
    flag_value=USUAL,
    help=f"Wait there for somebody to connect; without a place, at {USUAL}.",
)
@click.option("--connect", metavar="HOST:PORT", help="Connect to somebody who waits there.")
@click.option("--public", is_flag=True, help="Listen at an address that other machines reach.")
@click.option(
    "--initiator/--follower",
    "initiates",
    default=None,
    help="Ask for the games, or play those that the other side asks for. [who connects asks]",
)
@click.option(
    "--variant",
    metavar="VARIANT",
    default="international",
    show_default=True,
    callback=_read_variant,
    shell_complete=complete_draughts,
    help="What is played; DXP does not say it.",
)
@click.option(
    "--player",
    metavar="PLAYER",
    default="searcher:level=7",
    show_default=True,
    shell_complete=complete_machine,
    help="Who chooses our moves.",
)
@click.option("--name", metavar="NAME", help="What we are called there. [the player]")
@click.option(
    "--minutes",
    metavar="N",
    type=click.IntRange(1, 999),
    default=5,
    show_default=True,
    help="The time of each side for a game that we ask for.",
)
@click.option(
    "--moves", metavar="N", type=click.IntRange(0, 999), default=0, help="The moves of each side that end such a game."
)
@click.option(
    "--games",
    metavar="N",
    type=POSITIVE,
    help="How many games with whoever is connected. [1 if we ask for them, else any number]",
)
@click.option(
    "--colour", type=click.Choice(sorted(SIDES)), default="white", show_default=True, help="Ours in the first of them."
)
@click.option("--no-takeback", is_flag=True, help="Take no moves back.")
@click.option(
    "--pdn",
    "file",
    metavar="FILE",
    shell_complete=complete_file,
    help="Add every game to this file as soon as it is over.",
)
@click.option("--once", is_flag=True, help="End when the first one who connected has gone.")
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
    """Plays games of draughts over TCP, one after the other, against a program that speaks DXP.

    Who listens waits for others, one at a time, until Ctrl-C ends it. Who connects asks for the games and plays either
    colour in turn; --initiator and --follower change who asks. The other side must be set to the same variant.

    Who connected, what they say and how games end is told on standard error.
    """
    from tablemen.players import RESIGN
    from tablemen.protocols.dxp.program import DxpHost
    from tablemen.protocols.dxp.terms import Terms

    if listen is not None and connect is not None:
        raise BadQuestion("either --listen or --connect: one of the two sides does the other")
    ours = _read_player(player, variant)
    address = _read_address(listen or USUAL, public=public) if connect is None else _read_place(connect)
    if file is not None:
        try_out("--pdn", file, variant)
    host = DxpHost(
        player=ours,
        rules=variant,
        terms=Terms(name or f"tablemen {player}", minutes, moves),
        takebacks=not no_takeback,
        gives_up=RESIGN,
        tell=_tell,
        on_game=lambda sheet: _keep(sheet, file),
    )
    asks = connect is not None if initiates is None else initiates
    visits = Visits(host, games=(games or 1) if asks else games, asks=asks, first=SIDES[colour])

    async def meet() -> None:
        with ours:
            await (visits.receive(address, once=once) if connect is None else visits.pay(address))

    try:
        run_until_signal(meet())
    except PeerError as error:
        raise click.ClickException(str(error)) from error


class Visits:
    """Connections, one after the other, each with its games."""

    def __init__(self, host: DxpHost, *, games: int | None, asks: bool, first: Side) -> None:
        self._host = host
        self._games = games
        self._asks = asks
        self._first = first

    async def pay(self, address: Address) -> None:
        """Connects, and plays. Raises `PeerError`."""
        from tablemen.protocols.transport import connect
        from tablemen.protocols.transport.framing import DXP

        transport = await connect(address, DXP)
        _tell(f"connected to {transport.peer}")
        await self._play(transport)

    async def receive(self, address: Address, *, once: bool) -> None:
        """Waits for others. Raises `PeerError` only where the first one is the only one."""
        from tablemen.protocols.transport import listen
        from tablemen.protocols.transport.framing import DXP

        try:
            listener = await listen(address, DXP)
        except OSError as error:
            raise BadQuestion(f"cannot listen at {address}: {error.strerror or error}") from error
        _tell(f"listening at {listener.address} (Ctrl-C ends it)")
        try:
            while True:
                await self._welcome(listener, once=once)
                if once:
                    return
        finally:
            await listener.close()

    async def _welcome(self, listener: Listener, *, once: bool) -> None:
        transport = await listener.accept()
        _tell(f"{transport.peer} connected")
        try:
            await self._play(transport)
        except PeerError as error:
            if once:
                raise
            _tell(str(error))

    async def _play(self, transport: Transport) -> None:
        if self._asks:
            played = await self._host.lead(transport, games=self._games or 1, first=self._first)
        else:
            played = await self._host.follow(transport, games=self._games)
        _tell(f"{transport.peer} has gone after {'1 game' if played == 1 else f'{played} games'}")


def _tell(text: str) -> None:
    click.echo(text, err=True)


def _keep(sheet: ScoreSheet, file: str | None) -> None:
    """Adds a game to the file, whole; one without a move is none."""
    from dataclasses import replace

    from tablemen.game_files import add_game

    if file is not None and sheet.game.moves:
        add_game(Path(file), replace(sheet, event=EVENT))


def _read_player(text: str, rules: DraughtsRules) -> WrittenPlayer:
    from tablemen.draughts import Position
    from tablemen.players import HumanPlayer, parse_player
    from tablemen.protocols.dxp.notation import write_start

    player = parse_player(text)
    if isinstance(player, HumanPlayer):
        raise BadQuestion("--player: nobody sits here; a player such as searcher:level=7 is expected")
    start = Position.start(rules)
    player.check(start)
    write_start(start)  # raises where the board is too large for DXP
    return player


def _read_place(text: str) -> Address:
    from tablemen.protocols.dxp.reach import PORT
    from tablemen.protocols.transport.tcp import parse_address

    return parse_address(text, port=PORT)


def _read_address(text: str, *, public: bool) -> Address:
    """Where to listen; a number alone is a port."""
    address = _read_place(f":{text}" if text.isdecimal() else text)
    check_host(address.host, public=public)
    return address
