"""What the Tab key finds: variants, players and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from tablemen.players import WrittenPlayer

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_variant(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The variants of every family whose names begin so."""
    from tablemen.family import families

    return _items(begun, ((name, str(rules)) for family in families() for name, rules in family.variants.items()))


def complete_draughts(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The variants of draughts whose names begin so."""
    from tablemen.draughts import VARIANTS

    return _items(begun, ((name, str(rules)) for name, rules in VARIANTS.items()))


def complete_kalah(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rules of the Kalah family whose names begin so."""
    from tablemen.mancala import VARIANTS, KalahRules

    return _items(begun, ((name, str(rules)) for name, rules in VARIANTS.items() if isinstance(rules, KalahRules)))


def complete_player(rules: Any) -> Completer:
    """What completes the players that can play by these rules; behind a colon, the settings of one."""

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        from tablemen.cli.players import find_players

        return _players(begun, find_players(rules))

    return complete


def complete_machine(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """The same without people, for whatever VARIANT is given, if any is."""
    from tablemen.cli.players import find_players
    from tablemen.players import PLAYERS, HumanPlayer

    rules = context.params.get("variant")
    players = PLAYERS if rules is None else find_players(rules)
    return _players(begun, {kind: player for kind, player in players.items() if player is not HumanPlayer})


def complete_file(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files and folders, as the shell finds them."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def _players(begun: str, players: Mapping[str, type[WrittenPlayer]]) -> list[CompletionItem]:
    name, colon, settings = begun.partition(":")
    if not colon:
        bare = [(kind, player.about) for kind, player in players.items() if player.subject is None]
        others = [(f"{kind}:", player.about) for kind, player in players.items() if player.subject is not None]
        set_up = [
            (f"{kind}:", f"{kind} with settings")
            for kind, player in players.items()
            if player.settings() and player.subject is None
        ]
        return _items(begun, bare + set_up + others)
    if name not in players:
        return []
    given, comma, _ = settings.rpartition(",")
    subject = players[name].subject
    if (subject is not None and not comma) or given.count('"') % 2:
        return []  # an address, or a text that is not yet at its end
    used = {subject, *(word.partition("=")[0] for word in given.split(","))}
    known = {setting: kind.expected for setting, (kind, _) in players[name].settings().items() if setting not in used}
    return _items(begun, ((f"{name}:{given}{comma}{setting}=", expected) for setting, expected in known.items()))


def _items(begun: str, known: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Those of the names that begin so, with what they are."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, help=about) for name, about in known if name.startswith(begun)]
