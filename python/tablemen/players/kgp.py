"""A player that is a client of the Kalah Game Protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import GameError
from tablemen.game import Game
from tablemen.players.engine import EnginePlayer

if TYPE_CHECKING:
    from tablemen.protocols import Engine


@dataclass(kw_only=True)
class KgpPlayer(EnginePlayer):
    """A program that connects to us by the Kalah Game Protocol.

    `address` is the `host:port` where we listen, or a command with `{address}` or `{port}` that is started with a free
    local port in that place. `time` is the seconds for a move, 1 by default.

    >>> print(KgpPlayer(address="localhost:2671", time=2))
    kgp:localhost:2671,time=2
    """

    kind: ClassVar[str] = "kgp"
    about: ClassVar[str] = "a program that connects to an address of ours, by the Kalah Game Protocol"

    depth: None = field(default=None, init=False, repr=False, compare=False)  # the protocol does not have these limits
    nodes: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.process import check_endpoint

        check_endpoint(self.address.removeprefix("ws://").rstrip("/"))

    @property
    def is_single(self) -> bool:
        """Whether only one such player can exist: a fixed address serves one, a command can be started many times."""
        from tablemen.protocols.transport.process import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raise `GameError` if the protocol does not support the position."""
        from tablemen.protocols.kgp.messages import explain_unsupported

        if problem := explain_unsupported(position):
            raise GameError(f"{problem}, and this is {position.variant}")

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - any game that passes `check`
        """Return the engine, which waits for the program to connect when it is started."""
        from tablemen.protocols.kgp import AsyncKgpEngine, KgpEngine

        return KgpEngine(AsyncKgpEngine.open(self.address, time=self.time))
