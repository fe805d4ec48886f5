"""Players that are programs which speak DamExchange."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import TablemenError
from tablemen.game import Game
from tablemen.players.engine import EnginePlayer
from tablemen.players.options import option, whole

if TYPE_CHECKING:
    from tablemen.protocols import Engine

MOST = 999  # minutes or moves, as DXP has room for


@dataclass(kw_only=True)
class DxpPlayer(EnginePlayer):
    """A program that speaks DXP: at an address, or started by a command with `{address}` or `{port}` in it.

    `listen=1` lets the program connect to us, at that address. `minutes` is the time of each side for a game, as the
    program is told, and `moves` its length, where that is limited. DXP knows no other limits.

    >>> print(DxpPlayer(address="localhost:27531", minutes=10))
    dxp:localhost:27531,minutes=10
    """

    kind: ClassVar[str] = "dxp"
    about: ClassVar[str] = "a program that speaks DamExchange (DXP), at host:port or started by a command"

    listen: int = option(whole(0, 1), 0)
    minutes: int | None = option(whole(1, MOST))
    moves: int = option(whole(0, MOST), 0)
    # What every engine has, and DXP cannot say:
    depth: None = field(default=None, init=False, repr=False, compare=False)
    nodes: None = field(default=None, init=False, repr=False, compare=False)
    time: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.started import check_place

        check_place(self.address)

    @property
    def is_single(self) -> bool:
        """Whether there is one such player only: at a fixed address there is, a command starts as many as are asked."""
        from tablemen.protocols.transport.started import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raises `TablemenError` where DXP cannot say such positions."""
        from tablemen.draughts import Position
        from tablemen.protocols.dxp.notation import write_start

        if not isinstance(position, Position):
            raise TablemenError(f"{self.kind} plays draughts, and not {position.variant.name}")
        write_start(position)

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - games of any variant go over one wire
        """The program."""
        from tablemen.protocols.dxp.engine import DxpEngine

        return DxpEngine.open(
            self.address, listen=bool(self.listen), minutes=self.minutes, moves=self.moves, opening=self.opening
        )
