"""A game at a table: who sits where, and what those who play can do. How it looks is for others to say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tablemen.errors import ArgumentError, GameError, GameOverError, NotationError, TablemenError
from tablemen.families import Family, ScoreSheet, family_of
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.players import RESIGN, HumanPlayer, Player, WrittenPlayer, parse_player

__all__ = ["Session"]

HINTS = "searcher:nodes=200000"  # who is asked for a hint
EVENT = "tablemen play"


class Session:
    """A game, its players, and the side at the bottom of the board. People are the players of `HumanPlayer`.

    >>> from tablemen.draughts import Position
    >>> session = Session(Position.start("english"), {Side.WHITE: HumanPlayer(), Side.BLACK: parse_player("random")})
    >>> session.is_person(session.game.position.turn)
    False
    >>> move = session.think()
    >>> session.is_person(session.game.position.turn), len(session.game.moves)
    (True, 1)
    """

    def __init__(self, start: Any, players: Mapping[Side, Player], *, hints: str = HINTS) -> None:
        self.game: Game[Any, Any] = start if isinstance(start, Game) else Game(start)
        if set(players) != set(Side):
            raise ArgumentError("players", players, "a player for each side")
        self.players = dict(players)
        for player in self.players.values():
            if isinstance(player, WrittenPlayer):
                player.check(self.game.position)
        people = [side for side in Side if self.is_person(side)]
        self.orientation = people[0] if people else Side.WHITE
        self._hints = hints
        self._hinter: Player | None = None

    @property
    def family(self) -> Family:
        """The family of the game."""
        return family_of(self.game.position)

    @property
    def player(self) -> Player:
        """Whoever is to move."""
        return self.players[self.game.position.turn]

    @property
    def has_people(self) -> bool:
        """Whether anybody sits at the table."""
        return any(map(self.is_person, Side))

    def is_person(self, side: Side) -> bool:
        """Whether a person plays the side."""
        return isinstance(self.players[side], HumanPlayer)

    def move(self, text: str) -> Any:
        """Play what a person typed, and give the move; raises `TablemenError` with the reason where it cannot be."""
        self._check_going_on()
        objection = self.family.find_objection(text, self.game.position)
        if objection is not None:
            raise TablemenError(objection)
        return self.game.push(text)

    def think(self) -> Any:
        """Let the player to move choose: the move that was played, or the outcome that it declared.

        A draw that can be claimed is claimed.
        """
        self._check_going_on()
        if self.game.claims():
            return self.game.claim_draw()
        choice = self.player.choose(self.game)
        return self.game.resign(self.game.position.turn) if choice is RESIGN else self.game.push(choice)

    def hint(self) -> Any:
        """A move that is good, as far as a short search sees."""
        self._check_going_on()
        if self._hinter is None:
            self._hinter = parse_player(self._hints)
        return self._hinter.choose(self.game)

    def back(self) -> int:
        """Take moves back until it is a person's turn again; says how many. Raises `GameError` where there is none.

        Without any, a result that was declared is taken back alone.
        """
        turns = [position.turn for position in self.game.positions[:-1]]
        persons = [number for number, side in enumerate(turns) if self.is_person(side)]
        if not persons and self.game.declared is not None:
            self.game = Game(self.game.start, self.game.moves)
            return 0
        if not persons:
            raise GameError("there is no move of yours to take back")
        count = len(turns) - persons[-1]
        for _ in range(count):
            self.game.pop()
        return count

    def resign(self) -> Outcome:
        """Give up: the side to move loses."""
        return self.game.resign(self.game.position.turn)

    def claim_draw(self) -> Outcome:
        """Claim a draw; raises `GameError` where none is due."""
        return self.game.claim_draw()

    def flip(self) -> None:
        """Turn the board around."""
        self.orientation = self.orientation.opponent

    def sheet(self) -> ScoreSheet:
        """The game as it is written down."""
        names = {side: player.name for side, player in self.players.items()}
        return ScoreSheet(game=self.game, players=names, outcome=self.game.outcome(), event=EVENT)

    def save(self, path: str | Path) -> None:
        """Add the game to a file, behind what it has; raises `OSError` where that cannot be done."""
        text = self.family.format_sheet(self.sheet())
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}" if file.tell() else text)

    def load(self, path: str | Path) -> int:
        """Go on with the last game of a file, and say how many it has.

        Raises `TablemenError` where it has none of this variant that can be read, and `OSError`.
        """
        try:
            content = Path(path).read_text(encoding="utf-8-sig")
            sheets = self.family.parse_sheets(content, self.game.start.variant)
        except NotationError as error:
            raise TablemenError(f"{path}: {error}") from error
        except UnicodeDecodeError as error:
            raise TablemenError(f"{path} is not a text: {error}") from error
        if not sheets:
            raise TablemenError(f"{path} has no games")
        self.game = sheets[-1].game
        return len(sheets)

    def close(self) -> None:
        """Send the players home."""
        for player in (*self.players.values(), self._hinter):
            if player is not None:
                player.close()

    def _check_going_on(self) -> None:
        if outcome := self.game.outcome():
            raise GameOverError(outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
