"""Players that are clients of the Kalah Game Protocol."""

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
    """A program that connects to us and speaks the Kalah Game Protocol.

    `address` is where it connects to, `host:port`; or a command with `{address}` or `{port}` in it, which is started
    with a free port of this machine in its place. `time` is seconds a move, 1 where nothing is said.

    >>> print(KgpPlayer(address="localhost:2671", time=2))
    kgp:localhost:2671,time=2
    """

    kind: ClassVar[str] = "kgp"
    about: ClassVar[str] = "a program that connects to an address of ours, by the Kalah Game Protocol"

    depth: None = field(default=None, init=False, repr=False, compare=False)  # the protocol has no word for these
    nodes: None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        from tablemen.protocols.transport.started import check_place

        check_place(self.address.removeprefix("ws://").rstrip("/"))

    @property
    def is_single(self) -> bool:
        """Whether there is one such player only: at a fixed address there is, a command starts as many as are asked."""
        from tablemen.protocols.transport.started import is_command

        return not is_command(self.address)

    def check(self, position: Any) -> None:
        """Raises `GameError` where the protocol cannot ask for a move in such a position."""
        from tablemen.protocols.kgp.board import find_obstacle

        if obstacle := find_obstacle(position):
            raise GameError(f"{obstacle}, and this is {position.variant}")

    def open(self, game: Game[Any, Any]) -> Engine:  # noqa: ARG002 - any game that `check` lets pass
        """Waits for the program to connect."""
        from tablemen.protocols.kgp.engine import KgpEngine

        return KgpEngine.open(self.address, time=self.time, opening=self.opening)
