"""The parameters that commands share, and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tablemen.cli.completers import complete_variant
from tablemen.cli.group import BadQuestion
from tablemen.errors import TablemenError, UnknownVariantError

Command = TypeVar("Command", bound=Callable[..., object])

POSITIVE = click.IntRange(min=1)


def variant_argument(command: Command) -> Command:
    """Adds VARIANT of any family, given to the command as `variant`."""
    return click.argument("variant", callback=_read_variant, shell_complete=complete_variant)(command)


def _read_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> Any:
    """The variant with this name, alias or PDN GameType."""
    from tablemen.family import find_variant

    try:
        return find_variant(name)
    except UnknownVariantError as error:
        raise BadQuestion(str(error)) from error


def position_option(command: Command) -> Command:
    """Adds --fen, or --position, given to the command as `position`."""
    about = "The position: a FEN such as W:W31,K40:B1,2, or <6,0,0,…> south for mancala; without it, the start."
    return click.option("--fen", "--position", "position", metavar="POSITION", help=about)(command)


def threads_option(command: Command) -> Command:
    """Adds --threads of a search, given to the command as `threads`."""
    about = "Search in so many threads."
    return click.option("--threads", metavar="N", type=POSITIVE, default=1, show_default=True, help=about)(command)


def host_option(command: Command) -> Command:
    """Adds --host to listen at, given to the command as `host`; the brackets of an address are left out."""
    return click.option(
        "--host",
        default="127.0.0.1",
        show_default=True,
        callback=lambda _context, _parameter, host: host.strip("[]"),
        help="The address or name to listen at.",
    )(command)


def json_option(command: Command) -> Command:
    """Adds --json, given to the command as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def read_position(variant: Any, text: str | None) -> Any:
    """The position that the command speaks of."""
    from tablemen.family import get_family

    family = get_family(variant)
    if text is None:
        return family.start(variant)
    try:
        return family.parse_position(text, variant)
    except TablemenError as error:
        raise BadQuestion(f"--{family.position_key}: {error}") from error


def print_json(value: object) -> None:
    """Prints a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))


def try_out(option: str, file: str, rules: Any) -> Path:
    """The file that games of these rules are added to: rather none than games that cannot be written."""
    from tablemen.family import get_family
    from tablemen.game_files import check_game_file

    try:
        check_game_file(Path(file), get_family(rules))
    except TablemenError as error:
        raise BadQuestion(f"{option}: {error}") from error
    except OSError as error:
        raise BadQuestion(f"{option}: {file}: {error.strerror}") from error
    return Path(file)


def check_host(host: str, *, public: bool) -> None:
    """Warns where other machines reach the host; raises `BadQuestion` where nobody said that they may."""
    from tablemen.protocols.transport.tcp import is_loopback

    if is_loopback(host):
        return
    if not public:
        raise BadQuestion(f"other machines may reach {host}: add --public if they are to")
    click.echo("Warning: whoever reaches this machine can connect, and nothing that is sent is encrypted.", err=True)
