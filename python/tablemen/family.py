"""Families of games: the adapter that generic code uses for every game, and the registry of families and variants.

Players, matches, sessions and interfaces contain no rules. The family of a game provides everything that depends on
the game: names of sides, text and JSON of positions and moves, explanations, move input on a board, game files. Each
family has one adapter, in `tablemen.draughts.family` and `tablemen.mancala.family`. `register_family` adds another one.
"""

from __future__ import annotations

import datetime as dt
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from tablemen.errors import ArgumentError, GameError, IllegalMoveError, NotationError, TablemenError
from tablemen.game import Game
from tablemen.game_tree import GameTree, NodeBudget
from tablemen.outcome import Outcome, Side, describe_outcome
from tablemen.rules import find_by_name

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from tablemen.clock import TimeControl
    from tablemen.endgame import EndgameResult, ExactValues, WdlTablebase

__all__ = [
    "Family",
    "ScoreSheet",
    "families",
    "find_variant",
    "get_family",
    "position_lines",
    "register_family",
    "unregister_family",
]

OnError: TypeAlias = Callable[[NotationError], object]
OnProblems: TypeAlias = Callable[[list[str]], object]
Json: TypeAlias = dict[str, Any]
InputPath: TypeAlias = tuple[tuple[str, ...], Any]  # the places to touch in order, and the resulting move


@dataclass(frozen=True, kw_only=True)
class ScoreSheet:
    """A game as a game file contains it: moves, players, outcome, and other headers."""

    game: Game[Any, Any]
    players: Mapping[Side, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    event: str = ""
    date: dt.date | None = None
    round: int | None = None
    note: str = ""
    controls: Mapping[Side, TimeControl] = field(default_factory=dict)
    clocks: Sequence[float | None] = ()  # the seconds that the mover had left after each move; None if unknown
    authors: Mapping[Side, str] = field(default_factory=dict)  # of the programs that played

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()


class Family(ABC):
    """The adapter of a family: games that share the types of their positions and moves.

    A game needs the abstract methods in order to be played in the terminal, in matches and over HTTP. The other methods
    have defaults that suit a simple game.
    """

    name: ClassVar[str]
    sides: ClassVar[Mapping[Side, str]]  # names of the sides, in lower case; the first is at the bottom of the board
    file_pattern: ClassVar[re.Pattern[str]]  # matches only in game files of this family
    position_pattern: ClassVar[re.Pattern[str]]  # matches the beginning of a position as text, not of a game file
    file_suffix: ClassVar[str] = "txt"  # suffix of game files, without the dot
    opening_sets: ClassVar[Mapping[str, str]] = {}  # names of the built-in openings, and the variants that they are for
    headings: ClassVar[tuple[str, ...]] = ("name", "title")  # headings of the table of variants
    footnote: ClassVar[str] = ""  # explains the marks in the table of variants
    position_key: ClassVar[str] = "position"  # the JSON key of a position as text
    has_search: ClassVar[bool] = False  # whether `tablemen.search` supports the family
    has_paths: ClassVar[bool] = False  # whether a move can be made along several paths
    has_robot: ClassVar[bool] = False  # whether `robot_move` is defined
    score_scale: ClassVar[float] = 1.0  # the search score at which the odds of winning are e to 1

    # Rules

    @property
    @abstractmethod
    def variants(self) -> Mapping[str, Any]:
        """The known rule sets by name."""

    @property
    def variant_names(self) -> Mapping[str, Any]:
        """The known rule sets by name, alias and title, in lower case."""
        return {
            word.casefold(): rules
            for rules in self.variants.values()
            for word in (rules.name, *rules.aliases, rules.title)
        }

    @abstractmethod
    def owns(self, rules: object) -> bool:
        """Return whether these are rules of the family."""

    def board_size(self, rules: Any) -> dict[str, Any]:  # noqa: ARG002 - for families with boards of any size
        """Return the dimensions of the board that can be changed, by name; empty if there are none."""
        return {}

    def resize(self, rules: Any, **size: int | None) -> Any:
        """Return the rules on a board of another size; None leaves a dimension unchanged.

        Raises `TablemenError` if the rules have no such dimension, or the number is out of range.
        """
        given = [name for name, number in size.items() if number is not None]
        if given:
            raise TablemenError(f"{rules} has no {' and '.join(given)}")
        return rules

    def is_provisional(self, rules: Any) -> bool:  # noqa: ARG002 - for families with uncertain sources
        """Return whether the sources of these rules are uncertain."""
        return False

    def is_losing_game(self, rules: Any) -> bool:  # noqa: ARG002 - for families with losing games
        """Return whether the aim is to lose: the side that cannot move wins."""
        return False

    def can_solve(self, rules: Any) -> bool:  # noqa: ARG002 - for families with a solver
        """Return whether exact values can be computed for these rules."""
        return False

    def solve_moves(
        self,
        position: Any,
        *,
        table_mb: int,  # noqa: ARG002 - for families with a solver
        layers_mb: int,  # noqa: ARG002
        on_progress: Callable[[Any], None],  # noqa: ARG002
    ) -> dict[str, int]:
        """Return the exact value of every move for the side to move, by its text, if `can_solve`.

        `on_progress` is called with the `time` in seconds and the `layer` of tables that was built, if any; it may
        raise to stop. Raises `TablemenError` if the position cannot be solved.
        """
        raise TablemenError(f"{position.variant} cannot be solved")

    def is_endgame(self, position: Any) -> bool:  # noqa: ARG002 - for families with tablebases
        """Return whether a tablebase may have a position, by its pieces and rules; this builds and reads nothing."""
        return False

    def probe_endgame(self, game: Game[Any, Any]) -> EndgameResult | None:  # noqa: ARG002 - for families with tablebases
        """Return the proven value of the position of a game by a tablebase, or None if none has it.

        This may build a small tablebase in memory, which takes up to a second. Raises `TablebaseError` if a file is
        damaged, and `OSError`.
        """
        return None

    def find_tablebase(self, position: Any) -> WdlTablebase | None:  # noqa: ARG002 - for families with tablebases
        """Return the tablebase for a position, which may not have it, or None if there is no tablebase for it.

        This may build a small tablebase in memory, as `probe_endgame` does. Raises `TablebaseError` if a file is
        damaged, and `OSError`.
        """
        return None

    def tablebase_pieces(self, rules: Any) -> int | None:  # noqa: ARG002 - for families with tablebases
        """Return the number of pieces up to which tablebases have all positions; None if the rules have no tablebases.

        Raises `TablebaseError` if a file is damaged, and `OSError`.
        """
        return None

    def suggest_tablebase(self, position: Any) -> str | None:  # noqa: ARG002 - for families with tablebases
        """Return the command that builds a tablebase with the position, or None if there is no such command."""
        return None

    def find_exact_values(  # noqa: PLR0913 - all but the positions are options
        self,
        positions: Sequence[Any],
        *,
        tablebase: Any = None,  # noqa: ARG002 - for families with tablebases
        table_mb: int = 512,  # noqa: ARG002 - for families with a solver
        threads: int = 1,  # noqa: ARG002 - for families with exact values
        on_progress: Callable[[int], object] | None = None,  # noqa: ARG002
        executor: Executor | None = None,  # noqa: ARG002 - for families with a solver
        folder: str | os.PathLike[str] | None = None,  # noqa: ARG002
    ) -> list[ExactValues | None]:
        """Return the exact values of positions of the family and of their moves, None for those that are not known.

        `tablebase` replaces those that the family finds, and `table_mb` limits the tables of a solver. `on_progress` is
        called at intervals with the number of positions done; it may raise to stop. With an `executor`, which is passed
        only if there is one, its tasks solve the positions, and write the values to `folder`.
        """
        return [None] * len(positions)

    def explain_unknown_value(self, position: Any) -> str:
        """Explain why `find_exact_values` has no value for a position, and what to do if there is a remedy."""
        return f"{position.variant} has neither a solver nor tablebases"

    def variant_row(self, rules: Any) -> tuple[str, ...]:
        """Return a row of the table of variants, below `headings`."""
        return rules.name, str(rules)

    def describe_board(self, rules: Any) -> str:  # noqa: ARG002 - for families with boards
        """Describe the board in a few words."""
        return ""

    def summarise_rules(self, rules: Any) -> str:  # noqa: ARG002 - for families with an explanation
        """Explain the rules to a new player in a few sentences."""
        return ""

    # Positions and moves

    @abstractmethod
    def start(self, rules: Any) -> Any:
        """Return the start position."""

    @abstractmethod
    def parse_position(self, text: str, rules: Any) -> Any:
        """Parse a position; raises `NotationError`."""

    def parse_pieces(self, pieces: Mapping[Side, str], rules: Any, start: str) -> Any:  # noqa: ARG002
        """Parse lists of the pieces of each side; the side with a piece on the place `start` is to move.

        Raises `NotationError` if a list is invalid, and another `TablemenError` if the game has no pieces or no such
        place.
        """
        raise TablemenError(f"{rules.name} does not accept lists of pieces: give its {self.position_key} as text")

    def parse_drawing(self, text: str, rules: Any, turn: Side) -> tuple[Any, list[str]]:  # noqa: ARG002
        """Parse a drawn board; return the position, and all paths of its legal moves in the notation of the drawing.

        Raises `TablemenError` if the text is not a drawing of such a board.
        """
        raise TablemenError(f"{rules.name} does not accept drawn boards: give its {self.position_key} as text")

    @abstractmethod
    def format_position(self, position: Any) -> str:
        """Format a position as text that `parse_position` accepts."""

    def format_move(self, move: Any, *, full: bool = False) -> str:  # noqa: ARG002 - for families with paths
        """Format a move; `full` names every place of its path."""
        return str(move)

    @abstractmethod
    def draw(self, position: Any, *, orientation: Side) -> str:
        """Draw the board for a terminal, with the side to move; `orientation` is the side at the bottom."""

    def explain_illegal(self, text: str, position: Any) -> str | None:
        """Explain why a typed move cannot be played; return None if it can."""
        try:
            position.play(position.parse_move(text))
        except NotationError as error:
            return error.problem
        except IllegalMoveError as error:
            return error.reason
        return None

    def explain_illegal_places(self, places: Sequence[str], position: Any) -> str | None:
        """Explain why the move given by its places is not legal; return None if it is.

        Raises `TablemenError` if the places do not describe a move of this game.
        """
        return self.explain_illegal(" ".join(places), position)

    def check_complexity(self, position: Any) -> None:  # noqa: B027 - most positions are simple
        """Raise `TablemenError` if listing the moves of an untrusted position would take too long."""

    @abstractmethod
    def balance(self, position: Any) -> float:
        """Return the material of the side to move minus that of the opponent, negated if losing is the aim."""

    # Search and analysis

    def first_side(self, rules: Any) -> Side:  # noqa: ARG002 - for families in which either side may begin
        """Return the side that moves first in games by these rules, for numbering moves."""
        return Side.WHITE

    def search_evaluation(self, rules: Any, evaluation: Any = None) -> Any:  # noqa: ARG002 - most need none
        """Return the evaluation that the search core needs for these rules: the given one, or the default.

        None if the core has one of its own.
        """
        return None

    def read_evaluation(self, rules: Any, path: str) -> Any:
        """Return the evaluation of a file, for `search_evaluation`.

        Raises `TablemenError` if the file is invalid or the family has no such files, and `OSError`.
        """
        raise TablemenError(f"{rules}: the evaluation cannot be read from a file, got {path!r}")

    def level_variant(self, rules: Any, calibrated: Sequence[str]) -> str:
        """Return the name of the calibrated variant whose levels apply: the same, or else a similar one."""
        names: tuple[str, ...] = (rules.name, *self.variants)
        return next(name for name in names if name in calibrated)

    def search_tablebase(self, rules: Any, tablebase: Any) -> Any:  # noqa: ARG002 - for families with tablebases
        """Return the tablebase that the search uses for these rules: the given one, or None if it has other rules.

        `"installed"` is the tablebase that the user has built for the rules. None if there is none.
        """
        return None

    def robot_move(self, position: Any) -> Any:
        """Return the move of the robot player, which follows a simple rule; raises `GameError` without `has_robot`."""
        raise GameError(f"there is no robot for {position.variant}")

    def draw_best_move(self, position: Any, move: Any) -> str:  # noqa: ARG002 - for families with arrows
        """Return the position as SVG, with the move if it can be drawn; the move may be None."""
        picture: str = position.svg()
        return picture

    def action_encoding(self, rules: Any, name: str, limit: int | None) -> Any:  # noqa: ARG002 - for some families
        """Return the compiled action encoding of this name, for `tablemen.actions`.

        Raises `ArgumentError` if the family has no such encoding or the limit is invalid, and `TablemenError` if it has
        none at all.
        """
        raise TablemenError(f"there is no action encoding for {rules}")

    def observe(
        self,
        position: Any,
        viewer: Side,  # noqa: ARG002 - for some families
        *,
        capture_planes: bool = False,  # noqa: ARG002 - for families with captures in steps
        move: Any = None,  # noqa: ARG002
        jumps: int = 0,  # noqa: ARG002
    ) -> tuple[tuple[int, ...], bytes]:
        """Return the shape and the bytes of an observation of a position, from the point of view of a side.

        It is an array in C order that describes the whole position, for `tablemen.envs`. If the actions are steps, it
        has `capture_planes` for a capture in progress: the first `jumps` jumps of `move`. Raises `TablemenError` if the
        family has no observations, or the position has none.
        """
        raise TablemenError(f"observations do not support {position.variant}")

    def array_codec(self, rules: Any, name: str) -> Any:  # noqa: ARG002 - for some families
        """Return the compiled array format of this name, for `tablemen.arrays`.

        Raises `ArgumentError` if the family has no such format, and `TablemenError` if it has none at all.
        """
        raise TablemenError(f"arrays do not support {rules}")

    # Move input on a board

    def input_paths(self, position: Any) -> tuple[InputPath, ...]:
        """Return every sequence of places that makes a legal move on a board."""
        return tuple(((str(move),), move) for move in position.legal_moves())

    def count_input_paths(self, position: Any) -> int:
        """Return the number of `input_paths`, without creating them if there can be many."""
        return len(self.input_paths(position))

    def explain_place(self, place: str, position: Any) -> str | None:
        """Explain why no legal move begins with a place; return None if one does.

        Raises `ArgumentError` if the board has no such place.
        """
        return self.explain_illegal(place, position)

    def starts_move_text(self, character: str, rules: Any) -> bool:  # noqa: ARG002 - squares may have letters
        """Return whether a letter can be the first character of a typed move."""
        return False

    # Sentences

    def side_name(self, side: Side) -> str:
        """Return the name of a side, capitalised."""
        return self.sides[side].capitalize()

    def describe_outcome(self, outcome: Outcome, position: Any) -> str:
        """Describe how a game ended, as a sentence without a full stop."""
        names = {side: self.side_name(side) for side in Side}
        return describe_outcome(outcome, names, mover=names[position.turn])

    def describe_last_move(self, game: Game[Any, Any]) -> str:
        """Describe the last move of a game in a few words."""
        return f"{self.side_name(game.positions[-2].turn)} played {game.moves[-1]}"

    def describe_duty(self, game: Game[Any, Any]) -> str:  # noqa: ARG002 - for families with such rules
        """Return a text to add to "your move": a capture is compulsory, or the same side moves again."""
        return ""

    def describe_captures(self, game: Game[Any, Any], side: Side) -> str:  # noqa: ARG002 - for families with captures
        """Describe what a side has captured so far."""
        return ""

    # JSON values, used by the command line, the web API and analyses

    def serialize_variant(self, rules: Any) -> Json:
        """Serialize a variant for `--json`."""
        return {"name": rules.name, "family": self.name, "title": str(rules), "aliases": rules.aliases}

    def serialize_position(self, position: Any) -> Json:
        """Serialize a position with its variant for `--json`."""
        return {"variant": position.variant.name, self.position_key: self.format_position(position)}

    def serialize_move(self, move: Any, *, full: bool = False) -> Json:
        """Serialize a move for `--json`; `full` formats it with every place of its path."""
        return {"text": self.format_move(move, full=full)}

    def serialize_outcome(self, outcome: Outcome | None, position: Any) -> Json | None:  # noqa: ARG002
        """Serialize an outcome for `--json`; None if the game is not over."""
        if outcome is None:
            return None
        winner = None if outcome.winner is None else self.sides[outcome.winner]
        return {"winner": winner, "termination": str(outcome.termination)}

    def serialize_endgame(self, result: EndgameResult) -> Json:
        """Serialize the proven value of a position."""
        return {
            "value": result.wdl.name.lower(),
            "distance": result.distance,
            "drawn_by": None if result.drawn_by is None else str(result.drawn_by),
            "moves": [
                {"move": self.format_move(each.move), "value": each.wdl.name.lower(), "distance": each.distance}
                for each in result.moves
            ],
            "line": [self.format_move(move) for move in result.line],
        }

    def serialize_board_shape(self, rules: Any) -> Json:  # noqa: ARG002 - for families with a web board
        """Serialize the shape of the board for the web API; `kind` chooses the component that draws it."""
        return {"kind": self.name}

    def serialize_board(self, position: Any) -> Json:  # noqa: ARG002 - for families with a web board
        """Serialize the pieces or seeds of each side, by the name of the side, for the web API."""
        return {name: {} for name in self.sides.values()}

    def parse_board(self, board: Mapping[str, Any], turn: Side, rules: Any) -> Any:  # noqa: ARG002
        """Return the position with a board as `serialize_board` returns it.

        Raises `TablemenError` if it is not a position of these rules.
        """
        raise TablemenError(f"positions of {rules} cannot be set up")

    def serialize_board_move(self, position: Any, move: Any) -> Json:  # noqa: ARG002 - for families that animate moves
        """Serialize a legal move for the web API, with the data for its animation."""
        text = self.format_move(move)
        return {"text": text, "full": self.format_move(move, full=True), "places": [text]}

    def final_score(self, position: Any) -> dict[Side, int] | None:  # noqa: ARG002 - for games with scores
        """Return the score of each side if the game is over on the board, and the game has scores."""
        return None

    # Game files

    @abstractmethod
    def format_game(self, sheet: ScoreSheet) -> str:
        """Format a game; a file may contain several of them, separated by an empty line."""

    @abstractmethod
    def parse_games(self, text: str, rules: Any, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """Parse the games of a file, which must be of these rules.

        Call `on_error` with a `NotationError` for each game that has other rules or cannot be read; raise the error if
        `on_error` is None.
        """

    def parse_trees(
        self, text: str, rules: Any | None, *, budget: NodeBudget, on_problems: OnProblems
    ) -> Iterator[GameTree]:
        """Yield the games of a file with their variations and comments.

        `rules` apply to games that do not name a variant. `on_problems` is called with sentences about a game that
        cannot be read completely; it may raise to stop. Raises `TooManyNodesError` when the budget is spent,
        and `TablemenError` if the file as a whole cannot be read.
        """
        if rules is None:
            rules = next(iter(self.variants.values()))
        for sheet in self.parse_games(text, rules, on_error=lambda error: on_problems([str(error)])):
            yield GameTree.from_game(sheet.game, self.file_headers(sheet), budget)

    def format_tree(self, tree: GameTree) -> tuple[str, list[str]]:
        """Format a game tree as a game file; also return a sentence for each loss of information."""
        game = tree.main_line()
        text = self.format_game(ScoreSheet(game=game, outcome=game.outcome()))
        return text, tree.explain_omissions(len(game.moves), self.name)

    def find_openings(self, name: str, rules: Any) -> list[Game[Any, Any]] | None:  # noqa: ARG002 - most have none
        """Return the built-in openings of this name; None if these rules have no such openings."""
        return None

    def parse_openings(self, text: str, rules: Any) -> list[Game[Any, Any]]:
        """Parse a file of openings: games to be continued, or positions, one per line."""
        lines = position_lines(text)
        if lines and not self.position_pattern.match(lines[0][1]):
            return [sheet.game for sheet in self.parse_games(text, rules)]
        openings = []
        for number, line in lines:
            try:
                openings.append(Game(self.parse_position(line, rules)))
            except NotationError as error:
                raise NotationError(error.problem, text, line=number, column=error.column) from error
        return openings

    def file_headers(self, sheet: ScoreSheet) -> dict[str, str]:
        """Return the headers of a game in a file: event, date, round, players, time control."""
        headers = {"Event": sheet.event} if sheet.event else {}
        if sheet.date is not None:
            headers["Date"] = f"{sheet.date:%Y.%m.%d}"
        if sheet.round is not None:
            headers["Round"] = str(sheet.round)
        headers |= {self.side_name(side): name for side, name in sheet.players.items()}
        headers |= {f"{self.side_name(side)}Author": name for side, name in sheet.authors.items()}
        controls = {side: _format_seconds(control) for side, control in sheet.controls.items()}
        if set(controls) == set(Side) and len(set(controls.values())) == 1:
            return headers | {"TimeControl": controls[Side.WHITE]}
        return headers | {f"TimeControl{self.side_name(side)}": control for side, control in controls.items()}

    def parse_headers(self, headers: Mapping[str, str]) -> dict[str, Any]:
        """Return the fields of a `ScoreSheet` that `file_headers` writes; a header that is invalid is ignored."""
        names = {side: self.side_name(side) for side in Side}
        control = headers.get("TimeControl", "")
        controls = {side: _parse_seconds(headers.get(f"TimeControl{name}", control)) for side, name in names.items()}
        number = headers.get("Round", "")
        return {
            "event": headers.get("Event", ""),
            "date": _parse_date(headers.get("Date", "")),
            "round": int(number) if re.fullmatch("[0-9]{1,9}", number) else None,
            "players": {side: headers[name] for side, name in names.items() if name in headers},
            "authors": {side: headers[f"{name}Author"] for side, name in names.items() if f"{name}Author" in headers},
            "controls": {side: control for side, control in controls.items() if control is not None},
        }


def _parse_date(text: str) -> dt.date | None:
    found = re.fullmatch(r"([0-9]{4})[.-]([0-9]{2})[.-]([0-9]{2})", text)
    try:
        return None if found is None else dt.date(*map(int, found.groups()))
    except ValueError:
        return None


def _parse_seconds(text: str) -> TimeControl | None:
    """Parse a time control as game files have it: the reverse of `_format_seconds`."""
    from tablemen.clock import TimeControl

    found = re.fullmatch(r"(?:([0-9]{1,3})/)?([0-9.]{1,12})(?:\+([0-9.]{1,12}))?", text)
    if found is None:
        return None
    try:
        return TimeControl(float(found[2]), float(found[3] or 0), None if found[1] is None else int(found[1]))
    except ValueError:
        return None


def _format_seconds(control: TimeControl) -> str:
    """Format a time control as game files do: `300+3`, or `40/300` for 40 moves."""
    moves = "" if control.moves is None else f"{control.moves}/"
    increment = f"+{control.increment:g}" if control.increment else ""
    return f"{moves}{control.seconds:g}{increment}"


def position_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines of a text that are not empty, with their numbers, without comments after a #."""
    bare = ((number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in bare if line]


# The registry

_families: dict[str, Family] = {}
_variant_names: dict[str, Any] = {}  # the rules of all families by name, alias and title, in lower case


def register_family(family: Family) -> None:
    """Add a family to the registry, so that its variants are found by name.

    If two variants share a name, it refers to the one that was registered first. Raises `ArgumentError` if there is a
    family of this name already.
    """
    families()
    if family.name in _families:
        raise ArgumentError("family", family.name, "a name that is not registered yet")
    _add(family)


def unregister_family(name: str) -> None:
    """Remove a family that was added by `register_family`."""
    del _families[name]
    _variant_names.clear()
    for family in _families.values():
        _add(family)


def _add(family: Family) -> None:
    _families[family.name] = family
    for name, rules in family.variant_names.items():
        _variant_names.setdefault(name, rules)


def families() -> tuple[Family, ...]:
    """Return the registered families, draughts and mancala first."""
    if not _families:
        from tablemen.draughts.family import DraughtsFamily
        from tablemen.mancala.family import MancalaFamily

        _add(DraughtsFamily())
        _add(MancalaFamily())
    return tuple(_families.values())


def find_variant(name: Any) -> Any:
    """Return the rules with this name, alias or title in any family. Rules are returned unchanged.

    >>> find_variant("checkers").name, find_variant("awale").name
    ('english', 'oware')
    >>> find_variant("owari")
    Traceback (most recent call last):
    tablemen.errors.UnknownVariantError: unknown variant 'owari'; did you mean oware?

    Raises `UnknownVariantError`, with similar names of all families, if there is none.
    """
    if any(family.owns(name) for family in families()):
        return name
    return find_by_name(name, _variant_names)


def get_family(subject: Any) -> Family:
    """Return the family of rules, or of a position.

    >>> from tablemen.mancala import Position
    >>> get_family(Position.start("kalah")).name
    'mancala'
    """
    rules = getattr(subject, "variant", subject)
    for family in families():
        if family.owns(rules):
            return family
    raise ArgumentError("subject", subject, f"a position or rules of {' or '.join(_families)}")
