"""What a family of games can do: the little that whoever plays any game has to ask it for."""

from __future__ import annotations

import datetime as dt
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from tablemen.errors import NotationError
from tablemen.game import Game
from tablemen.outcome import Outcome, Side

if TYPE_CHECKING:
    from tablemen.clock import TimeControl

OnError: TypeAlias = Callable[[NotationError], object]


@dataclass(frozen=True, kw_only=True)
class ScoreSheet:
    """A game as it is written down: its moves, who played, how it ended, and what else there is to say."""

    game: Game[Any, Any]
    players: Mapping[Side, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    event: str = ""
    date: dt.date | None = None
    round: int | None = None
    note: str = ""
    controls: Mapping[Side, TimeControl] = field(default_factory=dict)

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()


class Family(ABC):
    """Games that share their positions and moves; `variants` are the known rule sets by their names."""

    name: ClassVar[str]
    sides: ClassVar[Mapping[Side, str]]  # what the players are called
    opening_sets: ClassVar[Mapping[str, str]] = {}  # openings that are known by a name, and the games that they are for
    sheet_mark: ClassVar[re.Pattern[str]]  # what stands in game files of the family, and of no other
    position_mark: ClassVar[re.Pattern[str]]  # what a position as text begins with, and no game file does

    @property
    @abstractmethod
    def variants(self) -> Mapping[str, Any]:
        """The known rule sets by their names."""

    @abstractmethod
    def has(self, rules: object) -> bool:
        """Whether these are rules of the family."""

    @abstractmethod
    def find_variant(self, name: object) -> Any:
        """The rules of this name; raises `UnknownVariantError`."""

    @abstractmethod
    def start(self, rules: Any) -> Any:
        """The position that games begin with."""

    @abstractmethod
    def parse_position(self, text: str, rules: Any) -> Any:
        """The position that a text describes; raises `NotationError`."""

    @abstractmethod
    def format_position(self, position: Any) -> str:
        """The position as text, its twin."""

    @abstractmethod
    def draw(self, position: Any, *, orientation: Side) -> str:
        """The board for a terminal, and who is to move; `orientation` is the side at the bottom."""

    @abstractmethod
    def find_objection(self, text: str, position: Any) -> str | None:
        """Why a text that somebody typed cannot be played, in words; None where it can."""

    @abstractmethod
    def ways(self, position: Any) -> tuple[tuple[tuple[str, ...], Any], ...]:
        """Every way to make a legal move on a board: the places that are touched in order, and the move."""

    @abstractmethod
    def find_place_objection(self, place: str, position: Any) -> str | None:
        """Why no move begins with a place that somebody touched, in words; None where one does."""

    @abstractmethod
    def balance(self, position: Any) -> float:
        """How much more the side to move has than its opponent, in men or seeds; less where losing is the aim."""

    @abstractmethod
    def format_sheet(self, sheet: ScoreSheet) -> str:
        """The game as a text that a file can have any number of."""

    @abstractmethod
    def parse_sheets(self, text: str, rules: Any, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """The games of such a file that are of these rules.

        One that is not, or cannot be read, is handed to `on_error` as a `NotationError`; without `on_error` it is
        raised.
        """

    def find_openings(self, name: str, rules: Any) -> list[Game[Any, Any]] | None:  # noqa: ARG002 - most have none
        """The openings of a set that is known by its name; None where there is no such set for these rules."""
        return None

    def parse_openings(self, text: str, rules: Any) -> list[Game[Any, Any]]:
        """What a file of openings has: games to be gone on with, or positions, one a line."""
        lines = position_lines(text)
        if lines and not self.position_pattern.match(lines[0][1]):
            return [sheet.game for sheet in self.parse_sheets(text, rules)]
        openings = []
        for number, line in lines:
            try:
                openings.append(Game(self.parse_position(line, rules)))
            except NotationError as error:
                raise NotationError(error.problem, text, line=number, column=error.column) from error
        return openings

    def head_of(self, sheet: ScoreSheet) -> dict[str, str]:
        """What a game file says first of a game: where and when it was played, by whom, and in what time."""
        tags = {"Event": sheet.event} if sheet.event else {}
        if sheet.date is not None:
            tags["Date"] = f"{sheet.date:%Y.%m.%d}"
        if sheet.round is not None:
            tags["Round"] = str(sheet.round)
        tags |= {self.side_name(side): name for side, name in sheet.players.items()}
        controls = {side: _in_seconds(control) for side, control in sheet.controls.items()}
        if set(controls) == set(Side) and len(set(controls.values())) == 1:
            return tags | {"TimeControl": controls[Side.WHITE]}
        return tags | {f"TimeControl{self.side_name(side)}": control for side, control in controls.items()}

    def name_of(self, side: Side) -> str:
        """What the side is called at the beginning of a sentence."""
        return self.sides[side].capitalize()

    def describe(self, outcome: Outcome, position: Any) -> str:  # noqa: ARG002 - some families say more of it
        """How a game ended, in a sentence without its full stop."""
        result = "A draw" if outcome.winner is None else f"{self.side_name(outcome.winner)} wins"
        return f"{result}: {outcome.termination}"


def _in_seconds(control: TimeControl) -> str:
    """The time control as game files have it: `300+3`, or `40/300` for 40 moves."""
    moves = "" if control.moves is None else f"{control.moves}/"
    increment = f"+{control.increment:g}" if control.increment else ""
    return f"{moves}{control.seconds:g}{increment}"


def position_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text that say something, with their numbers; what stands behind a # does not count."""
    bare = ((number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in bare if line]
