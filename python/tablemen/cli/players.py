"""The players that a game can have, and how those that are programs are addressed."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from tablemen.errors import TablemenError

if TYPE_CHECKING:
    from tablemen.players import WrittenPlayer


class Address(NamedTuple):
    """How the address of a program is written, and an example."""

    form: str
    example: str


ADDRESSES = {
    "hub": Address('"COMMAND"', '"scan hub"'),
    "dxp": Address("HOST:PORT", "localhost:27531"),
    "kgp": Address("HOST:PORT", "localhost:2671"),
}


def address_of(kind: str) -> Address:
    """The address of programs that are players of this kind."""
    return ADDRESSES.get(kind, Address("ADDRESS", "address"))


def find_players(rules: Any) -> dict[str, type[WrittenPlayer]]:
    """The kinds of players that can play by these rules."""
    from tablemen.family import get_family
    from tablemen.players import PLAYERS

    start = get_family(rules).start(rules)
    found = {}
    for name, kind in PLAYERS.items():
        given = {} if kind.subject is None else {kind.subject: address_of(name).example.strip('"')}
        with contextlib.suppress(TablemenError):
            kind(**given).check(start)
            found[name] = kind
    return found
