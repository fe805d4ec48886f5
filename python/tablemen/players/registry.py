"""The known players, and their conversion from and to text."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from tablemen.errors import ArgumentError, TablemenError
from tablemen.players.basic import HumanPlayer, MinimaxPlayer, RandomPlayer, RobotPlayer
from tablemen.players.engine import DxpPlayer, HubPlayer, KgpPlayer
from tablemen.players.mcts import MctsPlayer
from tablemen.players.options import WrittenPlayer
from tablemen.players.searcher import SearcherPlayer

_CLASSES: tuple[type[WrittenPlayer], ...] = (
    HumanPlayer,
    SearcherPlayer,
    MctsPlayer,
    MinimaxPlayer,
    RandomPlayer,
    RobotPlayer,
    HubPlayer,
    DxpPlayer,
    KgpPlayer,
)
PLAYERS: Mapping[str, type[WrittenPlayer]] = MappingProxyType({each.kind: each for each in _CLASSES})


def parse_player(text: str) -> WrittenPlayer:
    """Parse the text of a player: its name, and options after a colon.

    >>> parse_player("minimax:depth=2")
    MinimaxPlayer(depth=2, seed=0)
    >>> parse_player("serchr")
    Traceback (most recent call last):
    tablemen.errors.TablemenError: there is no player 'serchr'; did you mean searcher?

    Raises `TablemenError` if the player or an option is unknown, and `ArgumentError` if the value of an option is
    invalid.
    """
    if not isinstance(text, str):
        raise ArgumentError("player", text, "a text such as searcher:depth=6")
    name, colon, settings = (part.strip() for part in text.partition(":"))
    kind = PLAYERS.get(name.casefold())
    if kind is None:
        near = difflib.get_close_matches(name.casefold(), PLAYERS, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known players: {', '.join(PLAYERS)}"
        raise TablemenError(f"there is no player {name!r}; {hint}")
    if colon and not settings:
        raise TablemenError(f"there are no options after the colon of {text!r}; write {name} alone, or add options")
    return kind.read(settings)


def format_player(player: WrittenPlayer) -> str:
    """Return the text that names the player, without the options that have their default value.

    >>> format_player(parse_player("random: seed = 4"))
    'random:seed=4'
    """
    return str(player)
