"""`tablemen kgp-server`: host games of Kalah between programs over the Kalah Game Protocol."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tablemen.cli.engine.kgp import DEFAULT_PORT
from tablemen.cli.group import CommandUsageError, SignalInterrupt, run_until_signal
from tablemen.cli.parameters import (
    POSITIVE,
    check_game_file,
    check_host,
    complete_file,
    complete_machine,
    host_option,
    json_option,
    print_json,
    reported_for,
    seed_option,
)
from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablemen.mancala import MancalaRules
    from tablemen.players import Player
    from tablemen.protocols.kgp.server import GameEnded, KgpServer, KgpServerSettings, TournamentEvent

EVENT = "tablemen kgp-server"
PORTS = click.IntRange(0, 65535)
TREATMENTS = click.Choice(["random", "lose"])

EXAMPLES = """\b
Examples:
  tablemen kgp-server
  tablemen kgp-server --against searcher:level=5 --against robot --rounds 1
  tablemen kgp-server --clients 4 --rounds 2 --record games.txt
  tablemen kgp-server --houses 6 --houses 8 --seeds 4 --time 2
  tablemen kgp-server --host 0.0.0.0 --public --websocket 2672
"""


@click.command("kgp-server", epilog=EXAMPLES)
@host_option
@click.option(
    "--port", type=PORTS, default=DEFAULT_PORT, show_default=True, help="Port to listen at; 0 for any free port."
)
@click.option("--websocket", metavar="PORT", type=PORTS, help="Also accept WebSocket connections, at this port.")
@click.option("--public", is_flag=True, help="Allow a --host that other machines can reach.")
@click.option(
    "--against",
    metavar="PLAYER",
    multiple=True,
    shell_complete=complete_machine,
    help="Also let clients play against this player; can be repeated.",
)
@click.option(
    "--houses", metavar="N", type=POSITIVE, multiple=True, help="Houses per side; can be repeated. [default: 6]"
)
@click.option(
    "--seeds", metavar="N", type=POSITIVE, multiple=True, help="Seeds per house; can be repeated. [default: 4]"
)
@click.option(
    "--time",
    "seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=0, min_open=True, max=86400),
    default=5.0,
    show_default=True,
    help="Time limit for a client's move.",
)
@click.option("--rounds", metavar="N", type=POSITIVE, help="How often each pair meets. [default: until Ctrl-C]")
@click.option(
    "--clients",
    metavar="N",
    type=POSITIVE,
    help="With --rounds, stop only after this number of clients have connected. [default: 2; with --against 1]",
)
@click.option("--play-forced", is_flag=True, help="If a client has only one move, play it without a request.")
@click.option(
    "--on-silence",
    type=TREATMENTS,
    default="random",
    show_default=True,
    help="If a client makes no move in time: play a random move, or let it lose.",
)
@click.option(
    "--on-illegal",
    type=TREATMENTS,
    default="lose",
    show_default=True,
    help="If a client's last move is not legal: play a random move, or let it lose.",
)
@click.option(
    "--problems",
    metavar="N",
    type=POSITIVE,
    default=100,
    show_default=True,
    help="Number of problems for a client in verify mode.",
)
@click.option(
    "--connections",
    metavar="N",
    type=POSITIVE,
    default=64,
    show_default=True,
    help="Maximum number of clients at a time.",
)
@click.option(
    "--per-address",
    metavar="N",
    type=POSITIVE,
    default=16,
    show_default=True,
    help="Maximum number of clients from one address.",
)
@seed_option
@click.option(
    "--record",
    "file",
    metavar="FILE",
    shell_complete=complete_file,
    help="Append every finished game to this file.",
)
@json_option
def kgp_server(
    *,
    host: str,
    port: int,
    websocket: int | None,
    public: bool,
    against: tuple[str, ...],
    houses: tuple[int, ...],
    seeds: tuple[int, ...],
    seconds: float,
    rounds: int | None,
    clients: int | None,
    play_forced: bool,
    on_silence: str,
    on_illegal: str,
    problems: int,
    connections: int,
    per_address: int,
    seed: int,
    file: str | None,
    as_json: bool,
) -> None:
    """Host games of Kalah between programs over the Kalah Game Protocol (KGP).

    A waiting client plays against another waiting client, or else against a player given with --against. Each pair
    plays every board from both sides. A client may change its move until the time is up. A client that disconnects
    loses its game. Clients in verify mode get problems about the rules.

    Finished games are reported on standard error. After all --rounds, or on Ctrl-C, the table of all players is
    printed.
    """
    check_host(host, public=public)
    from tablemen.protocols.kgp.server import KgpServer, KgpServerSettings
    from tablemen.protocols.kgp.tournament import ViolationPolicy

    settings = KgpServerSettings(
        boards=_make_boards(houses or (6,), seeds or (4,)),
        seconds=seconds,
        rounds=rounds,
        clients=clients or (1 if against else 2),
        play_forced=play_forced,
        on_silence=ViolationPolicy(on_silence),
        on_illegal=ViolationPolicy(on_illegal),
        problems=problems,
        connections=connections,
        per_address=per_address,
        seed=seed,
    )
    players = {text: _player_factory(text, settings) for text in dict.fromkeys(against)}
    if file is not None:
        check_game_file("--record", file, settings.boards[0])
    server = KgpServer(settings, players, lambda event: _report(event, file))
    stopped_by: BaseException | None = None
    try:
        run_until_signal(_run(server, host, port, websocket))
    except CommandUsageError:  # no game was played, so there are no results
        raise
    except (SignalInterrupt, Exception) as error:  # noqa: BLE001 - the results are printed whatever ends the server
        stopped_by = error
    if as_json:
        print_json({"players": server.results.serialize(), "interrupted": stopped_by is not None})
    else:
        click.echo(server.results.table())
    if stopped_by is not None:
        raise stopped_by


async def _run(server: KgpServer, host: str, port: int, websocket: int | None) -> None:
    from tablemen.protocols.transport.tcp import Address

    try:
        await server.listen(Address(host, port), websocket=None if websocket is None else Address(host, websocket))
    except OSError as error:
        raise CommandUsageError(f"cannot listen at {host}: {error.strerror or error}") from error
    except TablemenError as error:  # the package for WebSockets is missing
        raise CommandUsageError(str(error)) from error
    for scheme, listener in zip(("", "ws://"), server.listeners, strict=False):
        click.echo(f"Listening at {scheme}{listener.address} (press Ctrl-C to stop)", err=True)
    await server.run()


def _make_boards(houses: tuple[int, ...], seeds: tuple[int, ...]) -> tuple[MancalaRules, ...]:
    from tablemen.mancala import VARIANTS

    return tuple(replace(VARIANTS["kgp"], houses=each, seeds=number) for each, number in product(houses, seeds))


def _player_factory(text: str, settings: KgpServerSettings) -> Callable[[], Player]:
    """Return a factory that creates the player; it is called for every game."""
    from tablemen.mancala import Position
    from tablemen.players import HumanPlayer, parse_player

    with reported_for("--against", text):
        player = parse_player(text)
        for rules in settings.boards:
            player.check(Position.start(rules))
    if isinstance(player, HumanPlayer):
        raise CommandUsageError("--against: a human cannot play here; use `tablemen play`")
    return lambda: parse_player(text)


def _report(event: TournamentEvent, file: str | None) -> None:
    """Print an event, and write a game to the file."""
    from tablemen.console import escape_controls
    from tablemen.protocols.kgp.server import ClientJoined, ClientParted, ClientVerified, GameEnded

    if isinstance(event, GameEnded) and file is not None:
        _write_game(event, Path(file))
    match event:
        case ClientJoined(name, mode, peer):
            click.echo(escape_controls(f"{name} connected from {peer}, mode {mode}"), err=True)
        case ClientParted(name, reason):
            click.echo(escape_controls(f"{name} disconnected: {reason}"), err=True)
        case ClientVerified(name, solved, total):
            click.echo(escape_controls(f"{name} solved {solved} of {total} problems"), err=True)
        case GameEnded():
            click.echo(escape_controls(_describe_game(event)), err=True)


def _describe_game(event: GameEnded) -> str:
    from tablemen.family import get_family
    from tablemen.outcome import Side

    position: Any = event.game.position
    players = " - ".join(event.names[side] for side in Side)
    outcome = get_family(position).describe_outcome(event.outcome, position)
    note = f" ({event.note})" if event.note else ""
    return f"game {event.number}, {position.variant.houses} houses: {players}: {outcome}{note}"


def _write_game(event: GameEnded, file: Path) -> None:
    from tablemen.family import ScoreSheet
    from tablemen.game_files import add_game

    add_game(
        file,
        ScoreSheet(
            game=event.game,
            players=event.names,
            outcome=event.outcome,
            event=EVENT,
            round=event.number,
            note=event.note,
        ),
    )
