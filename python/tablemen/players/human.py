"""The player that is a person at a keyboard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from tablemen.console import IO, StandardIO
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.players.options import WrittenPlayer
from tablemen.players.player import RESIGN

GIVES_UP = "resign"


@dataclass(kw_only=True)
class HumanPlayer(WrittenPlayer):
    r"""Whoever sits at the keyboard. What cannot be played is answered with the reason, and asked for again.

    The word `resign` gives up, and so does the end of the input.

    >>> import io
    >>> from tablemen.draughts import Position
    >>> person = HumanPlayer(io=StandardIO(io.StringIO("33-27\n33-29\n")))
    >>> print(person.choose(Game(Position.start("international"))))
    White's move: 33 to 27 is not a diagonal step
    White's move: 33-29
    """

    kind: ClassVar[str] = "human"
    about: ClassVar[str] = "a person at the keyboard"

    io: IO = field(default_factory=StandardIO, repr=False, compare=False)

    def choose(self, game: Game[Any, Any]) -> Any:
        """The move that is typed."""
        position = game.position
        family = get_family(position)
        while True:
            try:
                text = self.io.read_from_keyboard(f"{family.side_name(position.turn)}'s move: ")
            except EOFError:
                return RESIGN
            if text.strip().casefold() == GIVES_UP:
                return RESIGN
            objection = family.explain_illegal(text, position)
            if objection is None:
                return position.parse_move(text)
            self.io.println(objection)
