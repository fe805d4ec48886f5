"""Arguments and options that several commands share, shell completion, and output."""

from __future__ import annotations

import contextlib
import json
import re
import reprlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

import click

from tablemen.cli.group import CommandUsageError, typed_option
from tablemen.errors import ArgumentError, TablemenError, UnknownVariantError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tablemen.players import WrittenPlayer

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

Command = TypeVar("Command", bound=Callable[..., object])

POSITIVE = click.IntRange(min=1)


class AddressForm(NamedTuple):
    """The form of a program's address, and an example."""

    form: str
    example: str


ADDRESS_FORMS = {
    "hub": AddressForm('"COMMAND"', '"scan hub"'),
    "dxp": AddressForm("HOST:PORT", "localhost:27531"),
    "kgp": AddressForm("HOST:PORT", "localhost:2671"),
}


def variant_argument(command: Command) -> Command:
    """Add VARIANT, passed as the rules `variant`."""
    return click.argument("variant", callback=parse_variant, shell_complete=complete_variant)(command)


def parse_variant(_context: click.Context, _parameter: click.Parameter, name: str) -> Any:
    """Return the variant with this name, alias or PDN GameType."""
    from tablemen.family import find_variant

    try:
        return find_variant(name)
    except UnknownVariantError as error:
        raise CommandUsageError(str(error)) from error


def position_option(command: Command) -> Command:
    """Add --fen, or --position, passed as `position`."""
    about = "The position: a FEN such as W:W31,K40:B1,2, or <6,0,0,…> south for mancala. [default: the start]"
    return click.option("--fen", "--position", "position", metavar="POSITION", help=about)(command)


def threads_option(command: Command) -> Command:
    """Add --threads of a search, passed as `threads`."""
    about = "Number of search threads."
    return click.option("--threads", metavar="N", type=POSITIVE, default=1, show_default=True, help=about)(command)


def seed_option(command: Command) -> Command:
    """Add --seed, passed as `seed`."""
    about = "Seed of the random number generator."
    return click.option("--seed", metavar="N", type=click.IntRange(min=0), default=0, show_default=True, help=about)(
        command
    )


def host_option(command: Command) -> Command:
    """Add --host to listen at, passed as `host` without the brackets of an IPv6 address."""
    return click.option(
        "--host",
        default="127.0.0.1",
        show_default=True,
        callback=lambda _context, _parameter, host: host.strip("[]"),
        help="Address or host name to listen at.",
    )(command)


def json_option(command: Command) -> Command:
    """Add --json, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def option_parser(parse: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return a callback that parses an option's text, and reports a `TablemenError` with the option's name."""

    def parse_option(_context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
        with reported_for(parameter.opts[0], text):
            return None if text is None else parse(text)

    return parse_option


@contextlib.contextmanager
def reported_for(option: str, text: str | None) -> Iterator[None]:
    """Turn a `TablemenError` about the text of an option into a `CommandUsageError` that names the option as typed."""
    option = typed_option(option)
    try:
        yield
    except ArgumentError as error:
        # The option replaces the argument's name, unless the argument is only a part of the text.
        message = f"expected {error.expected}, got {reprlib.repr(error.value)}" if error.value == text else str(error)
        raise CommandUsageError(f"{option}: {message}") from error
    except TablemenError as error:
        raise CommandUsageError(f"{option}: {error}") from error


def parse_position(variant: Any, text: str | None) -> Any:
    """Parse the text of --fen or --position; return the start position if it is None."""
    from tablemen.family import get_family

    family = get_family(variant)
    if text is None:
        return family.start(variant)
    with reported_for(f"--{family.position_key}", text):
        return family.parse_position(text, variant)


def parse_kalah_start(rules: Any, houses: int | None, seeds: int | None, text: str | None) -> Any:
    """Return the start position on a board of this size, or the position in `text`, which has its own board size."""
    from tablemen.family import get_family

    family = get_family(rules)
    if text is None:
        return family.start(family.resize(rules, houses=houses, seeds=seeds))
    if seeds is not None:
        raise CommandUsageError(f"--seeds cannot be combined with {typed_option('--position')}")
    written = re.match(r"\s*<\s*([0-9]{1,3})\s*,", text)
    if houses is None and written is not None:
        houses = int(written[1])
    with reported_for("--position", text):
        return family.parse_position(text, family.resize(rules, houses=houses))


def check_game_file(option: str, file: str, rules: Any) -> Path:
    """Check, before any game is played, that games of these rules can be added to a file; return its path."""
    from tablemen import game_files
    from tablemen.family import get_family

    try:
        with reported_for(option, file):
            game_files.check_game_file(Path(file), get_family(rules))
    except OSError as error:
        raise CommandUsageError(f"{typed_option(option)}: {file}: {error.strerror}") from error
    return Path(file)


def check_host(host: str, *, public: bool) -> None:
    """Warn if other machines can reach the host; without --public, raise `CommandUsageError` instead."""
    from tablemen.protocols.transport.tcp import is_loopback

    if is_loopback(host):
        return
    if not public:
        raise CommandUsageError(f"other machines may be able to reach {host}: add --public to allow this")
    click.echo("Warning: anyone who can reach this machine can connect, and connections are not encrypted.", err=True)


def find_players(rules: Any) -> dict[str, type[WrittenPlayer]]:
    """Return the kinds of players that support these rules, by name."""
    from tablemen.family import get_family
    from tablemen.players import PLAYERS

    start = get_family(rules).start(rules)
    found = {}
    for name, kind in PLAYERS.items():
        given = {} if kind.subject is None else {kind.subject: address_form(name).example.strip('"')}
        with contextlib.suppress(TablemenError):
            kind(**given).check(start)
            found[name] = kind
    return found


def address_form(kind: str) -> AddressForm:
    """Return the form of the addresses for this kind of player."""
    return ADDRESS_FORMS.get(kind, AddressForm("ADDRESS", "address"))


def complete_variant(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the variants of every family."""
    from tablemen.family import families

    return _complete(prefix, ((name, str(rules)) for family in families() for name, rules in family.variants.items()))


def complete_draughts(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the variants of draughts."""
    from tablemen.draughts import VARIANTS

    return _complete(prefix, ((name, str(rules)) for name, rules in VARIANTS.items()))


def complete_solvable(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the rules of the Kalah family."""
    return _complete(prefix, ((name, str(rules)) for name, rules in solvable_variants().items()))


def solvable_variants() -> dict[str, Any]:
    """Return the rules for which exact values can be computed, those of the Kalah family, by name."""
    from tablemen.family import families

    variants = [(family, rules) for family in families() for rules in family.variants.values()]
    return {rules.name: rules for family, rules in variants if family.can_solve(rules)}


def complete_player(rules: Any) -> Completer:
    """Return a completer of the players that support these rules and, after a colon, of a player's settings."""

    def complete(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
        return _complete_players(prefix, find_players(rules))

    return complete


def complete_machine(context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Complete the players other than humans, for VARIANT if it is given."""
    from tablemen.players import PLAYERS, HumanPlayer

    rules = context.params.get("variant")
    players = PLAYERS if rules is None else find_players(rules)
    return _complete_players(prefix, {kind: player for kind, player in players.items() if player is not HumanPlayer})


def complete_file(_context: click.Context, _parameter: click.Parameter, prefix: str) -> list[CompletionItem]:
    """Let the shell complete files and folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(prefix, type="file")]


def _complete_players(prefix: str, players: Mapping[str, type[WrittenPlayer]]) -> list[CompletionItem]:
    name, colon, settings = prefix.partition(":")
    if not colon:
        bare = [(kind, player.about) for kind, player in players.items() if player.subject is None]
        others = [(f"{kind}:", player.about) for kind, player in players.items() if player.subject is not None]
        with_settings = [
            (f"{kind}:", f"{kind} with settings")
            for kind, player in players.items()
            if player.settings() and player.subject is None
        ]
        return _complete(prefix, bare + with_settings + others)
    if name not in players:
        return []
    given, comma, _ = settings.rpartition(",")
    subject = players[name].subject
    if (subject is not None and not comma) or given.count('"') % 2:
        return []  # in an address or inside quotation marks
    used = {subject, *(word.partition("=")[0] for word in given.split(","))}
    known = {setting: kind.expected for setting, (kind, _) in players[name].settings().items() if setting not in used}
    return _complete(prefix, ((f"{name}:{given}{comma}{setting}=", expected) for setting, expected in known.items()))


def _complete(prefix: str, known: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Return the names with this prefix, with their descriptions."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=about) for name, about in known if name.startswith(prefix)]


def print_json(value: object) -> None:
    """Print a value as indented JSON."""
    click.echo(json.dumps(value, indent=2))


def format_table(rows: Iterable[tuple[str, ...]], alignments: str) -> Iterator[str]:
    """Format rows as lines with aligned columns; `alignments` has `<` or `>` for each column."""
    listed = list(rows)
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(row, alignments, widths, strict=True))
        yield "  ".join(cells).rstrip()


def format_count(number: int, noun: str, plural: str | None = None, *, spec: str = "") -> str:
    """Format a number with a noun.

    >>> format_count(1, "game"), format_count(3, "leaf", "leaves"), format_count(2500, "position", spec=",")
    ('1 game', '3 leaves', '2,500 positions')
    """
    return f"{number:{spec}} {noun if number == 1 else plural or f'{noun}s'}"


class StatusLine:
    """A line on standard error that each update overwrites; it is shown only at a terminal, and erased at the end."""

    def __init__(self) -> None:
        self.is_shown = sys.stderr.isatty()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Erase the line."""
        if self._width:
            self.write("")
            self.write("\r")
            self._width = 0

    def write(self, line: str) -> None:
        """Replace the line."""
        if self.is_shown:
            click.echo(f"\r{line:<{self._width}}", nl=False, err=True)
            self._width = len(line)
