"""Players that are other programs, connected by DamExchange (DXP)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.game import Game
from tablemen.players.engine import EnginePlayer
from tablemen.players.options import option, whole

if TYPE_CHECKING:
    from tablemen.protocols import Engine

MAX_NUMBER = 999  # of minutes or moves in a DXP message


@dataclass(kw_only=True)
class DxpPlayer(EnginePlayer):
    """A program at an address, or started by a command with `{address}` or `{port}` in it, connected by DXP.

    With `listen=1` the program connects to us, at that address. `minutes` is the time of each side for a game, and
    `moves` its length (0: no limit). DXP has no other limits.

    >>> print(DxpPlayer(address="localhost:27531", minutes=10))
    dxp:localhost:27531,minutes=10
    """

    kind: ClassVar[str] = "dxp"
    about: ClassVar[str] = "a program that speaks DamExchange (DXP), at host:port or started by a command"

    listen: int = option(whole(0, 1), 0)
    minutes: int | None = option(whole(1, MAX_NUMBER))
    moves: int = option(whole(0, MAX_NUMBER), 0)
    # Options of other engines that DXP cannot transmit:
    depth: None = field(default=None, init=False, repr=False, compare=False)
    nodes: None = field(default=None, init=False, repr=False, compare=False)
    time: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.process import check_endpoint

        check_endpoint(self.address)

    @property
    def is_single(self) -> bool:
        """Whether only one such player can exist: at a fixed address, while a command can be started several times."""
        from tablemen.protocols.transport.process import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if DXP cannot express the position."""
        from tablemen.protocols.dxp.messages import check_rules, format_start

        check_rules(position.variant)
        format_start(position)

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - one connection is for games of any variant
        """Return the engine of the program."""
        from tablemen.protocols.dxp import AsyncDxpEngine, DxpEngine

        return DxpEngine(
            AsyncDxpEngine.open(self.address, listen=bool(self.listen), minutes=self.minutes, moves=self.moves)
        )
