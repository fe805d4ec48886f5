"""A player that is another program, connected by Hub."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen.errors import ArgumentError, TablemenError
from tablemen.game import Game
from tablemen.players.engine import EnginePlayer
from tablemen.players.options import WrittenPlayer, quote, split_settings, unquote
from tablemen.search import Limit

if TYPE_CHECKING:
    from tablemen.protocols import Engine

DEFAULT_SECONDS = 1.0
SET = "set-"  # the prefix of options of the program

_NAME = re.compile(r'[^\s,"=]+')


@dataclass(kw_only=True)
class HubPlayer(EnginePlayer):
    """A program that a command starts and that speaks Hub, such as Scan.

    The depth, nodes and time limit its searches, and so does a clock; without any of them it has a second a move.
    `options` are values for options of the program.

    >>> print(HubPlayer(address="scan hub", time=0.5, options={"threads": "2"}))
    hub:"scan hub",time=0.5,set-threads=2
    """

    kind: ClassVar[str] = "hub"
    about: ClassVar[str] = "a program that speaks Hub, by its command; a second a move, or by depth, nodes, time"

    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.options = dict(self.options)
        given: dict[Any, Any] = self.options
        for name, value in given.items():
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ArgumentError("option", name, "a name without blanks, commas, = and quotes,")
            if not isinstance(value, str) or set(value) & set('"\n'):
                raise ArgumentError(name, value, "a text of one line without quotes")

    @classmethod
    def read(cls, settings: str) -> WrittenPlayer:
        """Parse settings; those that begin with set- are options of the program."""
        if not settings:
            raise TablemenError(f'{cls.kind} needs the command of a program: {cls.kind}:"scan hub"')
        own: list[str] = []
        options: dict[str, str] = {}
        for at, word in enumerate(split_settings(settings)):
            if not at or not word.startswith(SET):
                own.append(word)
                continue
            name, equals, text = (part.strip() for part in word.removeprefix(SET).partition("="))
            if not equals:
                raise TablemenError(f"the option {SET}{name} of {cls.kind} has no value: write {SET}{name}=…")
            if name in options:
                raise TablemenError(f"the option {SET}{name} of {cls.kind} is given twice")
            options[name] = unquote(text)
        player = super().read(",".join(own))
        assert isinstance(player, HubPlayer)
        player.options = options
        player.__post_init__()
        return player

    def __str__(self) -> str:
        options = [f"{SET}{name}={quote(value)}" for name, value in self.options.items()]
        return ",".join([super().__str__(), *options])

    @property
    def limit(self) -> Limit:
        """The limit of a move, a second by default."""
        given = super().limit
        return Limit(time=DEFAULT_SECONDS) if given == Limit() and self.clock is None else given

    def check(self, position: Any) -> None:
        """Raise `TablemenError` if Hub has no name for the variant."""
        from tablemen.protocols.hub.messages import get_hub_name

        get_hub_name(position.variant)

    def open(self, game: Game[Any, Any]) -> Engine:
        """Return the engine of the program, for this variant."""
        from tablemen.protocols.hub import AsyncHubEngine, HubEngine

        return HubEngine(AsyncHubEngine.open(self.address, variant=game.position.variant, options=self.options))
