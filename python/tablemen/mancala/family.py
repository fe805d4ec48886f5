"""The mancala family: the interface that generic code uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from tablemen import _core
from tablemen.errors import ArgumentError, IllegalMoveError, NotationError, TablemenError, UnknownVariantError
from tablemen.family import Family, Json, OnError, OnProblems, ScoreSheet
from tablemen.game import Game
from tablemen.game_tree import GameTree, NodeBudget
from tablemen.mancala import NORTH, SOUTH, VARIANTS, MancalaRules, Move, Position
from tablemen.mancala.fairkalah import BOARDS, fair_start
from tablemen.mancala.notation import (
    MOVES,
    OWN_NAMES,
    VARIANT,
    MancalaGame,
    Record,
    format_record,
    parse_records,
    read_records,
)
from tablemen.mancala.rules import NAMES, Capture, End, GrandSlam, KalahRules, OwareRules, Rest, Swap, is_kalah
from tablemen.mancala.variants import FAIRKALAH
from tablemen.outcome import Outcome, Side, describe_outcome

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from tablemen.endgame import ExactValues

RESULTS = {None: "1/2-1/2", SOUTH: "1-0", NORTH: "0-1"}
CLOCKS = "Clocks"  # the header with the time left after each move
PIT_KINDS = {"houses", "store"}
MOST_SEEDS_WIN = "The side with more seeds in the end wins."
TWOS_AND_THREES = (
    "A last seed that makes two or three in a house of your opponent captures them, and those before it in a row."
)
SLAMS = {
    GrandSlam.NO_CAPTURE: "captures nothing",
    GrandSlam.CAPTURES: "captures them",
    GrandSlam.FORBIDDEN: "is not allowed",
    GrandSlam.REST_TO_OPPONENT: "captures them, and your opponent gets all other seeds",
}
ENDS = {
    End.MOVER_EMPTY: "the player to move has no seeds in the houses",
    End.EITHER_EMPTY: "either player has no seeds in the houses",
    End.EITHER_EMPTY_OR_MAJORITY: "either player has no seeds in the houses, or more than half of all in the store",
}
MAX_OBSERVED_SEEDS = 255
MAX_SOWING = 200  # seeds; the pits of a longer sowing are not serialised


class MancalaFamily(Family):
    """The mancala family: Kalah with any rules, and Oware."""

    name: ClassVar[str] = "mancala"
    sides: ClassVar[Mapping[Side, str]] = NAMES
    file_pattern: ClassVar[re.Pattern[str]] = re.compile(rf"^[^\S\n]*(?:{VARIANT}|{MOVES}):", re.MULTILINE)
    position_pattern: ClassVar[re.Pattern[str]] = re.compile("<")
    has_search: ClassVar[bool] = True
    opening_sets: ClassVar[Mapping[str, str]] = {FAIRKALAH.name: "games of the Kalah family with six houses"}
    headings: ClassVar[tuple[str, ...]] = ("name", "title", "houses", "seeds")
    has_robot: ClassVar[bool] = True
    score_scale: ClassVar[float] = 3.0  # seeds

    # Rules

    @property
    def variants(self) -> Mapping[str, MancalaRules]:
        """The known rule sets by name."""
        return VARIANTS

    def owns(self, rules: object) -> bool:
        """Return whether these are rules of mancala."""
        return isinstance(rules, MancalaRules)

    def board_size(self, rules: MancalaRules) -> dict[str, Any]:
        """Return the houses of a side and the seeds in each."""
        return {"houses": rules.houses, "seeds": rules.seeds}

    def resize(self, rules: MancalaRules, **size: int | None) -> MancalaRules:
        """Return the rules with this number of `houses` and `seeds`."""
        given: dict[str, Any] = {name: number for name, number in size.items() if number is not None}
        return replace(rules, **given) if given else rules

    def can_solve(self, rules: MancalaRules) -> bool:
        """Return whether these are rules of Kalah."""
        return is_kalah(rules)

    def solve_moves(
        self, position: Position, *, table_mb: int, layers_mb: int, on_progress: Callable[[Any], None]
    ) -> dict[str, int]:
        """Return the exact value of every move of a position of Kalah."""
        from tablemen.mancala.solver import solve

        solution = solve(
            position,
            table_mb=table_mb,
            layers_mb=layers_mb,
            cache=_may_cache(position.variant),
            on_progress=on_progress,
        )
        return {str(move): value for move, value in solution.values.items()}

    def find_exact_values(  # noqa: PLR0913 - all but the positions are options
        self,
        positions: Sequence[Position],
        *,
        tablebase: Any = None,  # noqa: ARG002 - the solver builds its tables
        table_mb: int = 512,
        threads: int = 1,
        on_progress: Callable[[int], object] | None = None,
        executor: Executor | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> list[ExactValues | None]:
        """Return the exact values of positions of Kalah and of their moves, in seeds."""
        from tablemen.endgame import ExactValues
        from tablemen.mancala.solver import solve_all
        from tablemen.mancala.solver_tasks import solve_in_tasks

        found: list[ExactValues | None] = [None] * len(positions)
        solvable = [index for index, position in enumerate(positions) if is_kalah(position.variant)]
        done = len(positions) - len(solvable)

        def on_solved(solved: int) -> None:
            if on_progress is not None:
                on_progress(done + solved)

        for cache in (True, False):
            indices = [index for index in solvable if _may_cache(positions[index].variant) is cache]
            batch = [positions[index] for index in indices]
            options: dict[str, Any] = {"threads": threads, "table_mb": table_mb, "cache": cache}
            if executor is None or folder is None:
                solutions = solve_all(batch, **options, on_solved=on_solved)
            else:
                solutions = solve_in_tasks(batch, **options, executor=executor, folder=folder)
                on_solved(len(batch))
            done += len(batch)
            for index, solution in zip(indices, solutions, strict=True):
                found[index] = ExactValues(solution.value, solution.values, dict.fromkeys(solution.values))
        return found

    def explain_unknown_value(self, position: Position) -> str:
        """Return the reason: only Kalah can be solved."""
        return f"only games of the Kalah family can be solved, not {position.variant}"

    def variant_row(self, rules: MancalaRules) -> tuple[str, ...]:
        """Return name, title, houses of a side and seeds in each."""
        return rules.name, str(rules), str(rules.houses), str(rules.seeds)

    def describe_board(self, rules: MancalaRules) -> str:
        """Describe the board: `6 houses a side, 4 seeds in each`."""
        houses, seeds = ("house" if rules.houses == 1 else "houses"), ("seed" if rules.seeds == 1 else "seeds")
        return f"{rules.houses} {houses} a side, {rules.seeds} {seeds} in each"

    def summarise_rules(self, rules: MancalaRules) -> str:
        """Explain sowing, captures and the aim."""
        sowing = "Choose one of your houses: its seeds are sown one by one around the board, counter-clockwise"
        if is_kalah(rules):
            return " ".join((f"{sowing}, your store included.", *_describe_kalah(rules), MOST_SEEDS_WIN))
        if isinstance(rules, OwareRules):
            feeding = "If your opponent has no seeds, you must give some." if rules.must_feed else ""
            slam = f"A move that would capture all seeds of your opponent {SLAMS[rules.grand_slam]}."
            return " ".join(filter(None, (f"{sowing}.", TWOS_AND_THREES, slam, feeding, MOST_SEEDS_WIN)))
        return f"{sowing}. {MOST_SEEDS_WIN}"

    # Positions and moves

    def start(self, rules: MancalaRules) -> Position:
        """Return the start position."""
        return Position.start(rules)

    def parse_position(self, text: str, rules: MancalaRules) -> Position:
        """Parse a board and the side to move."""
        return Position.from_text(text, rules)

    def format_position(self, position: Position) -> str:
        """Format the board and the side to move."""
        return position.text()

    def draw(self, position: Position, *, orientation: Side) -> str:
        """Draw the seeds in each pit."""
        from tablemen.mancala.diagram import draw

        return draw(position, orientation=orientation)

    def explain_illegal_places(self, places: Sequence[str], position: Position) -> str | None:
        """Explain why a house may not be played."""
        if len(places) != 1:
            raise TablemenError(f"a move of {position.variant.name} is the number of one HOUSE")
        (house,) = places
        try:
            position.parse_move(house)
        except NotationError as error:
            raise TablemenError(error.problem) from error
        except IllegalMoveError as error:
            return error.reason
        return None

    def balance(self, position: Position) -> float:
        """Return the difference in seeds: of the stores, or of the final score if the game is over."""
        counted = position.stores if position.outcome() is None else position.score()
        return counted[position.turn] - counted[position.turn.opponent]

    # Search and analysis

    def robot_move(self, position: Position) -> Move:
        """Return the lowest house with an extra turn, else the lowest with a capture, else the lowest legal one."""
        from tablemen.mancala.moves import choose_robot_move

        return choose_robot_move(position).move

    def action_encoding(self, rules: MancalaRules, name: str, limit: int | None) -> _core.MancalaActionEncoding:
        """Return the compiled action encoding of this name."""
        return _core.MancalaActionEncoding(rules.mover, name, limit)

    def observe(
        self,
        position: Position,
        viewer: Side,
        *,
        capture_planes: bool = False,  # noqa: ARG002 - moves have no steps
        move: Move | None = None,  # noqa: ARG002
        jumps: int = 0,  # noqa: ARG002
    ) -> tuple[tuple[int, ...], bytes]:
        """Return the seeds in the houses and the store of a side, then those of its opponent, in sowing order."""
        stores = position.stores
        pits = [seeds for side in (viewer, viewer.opponent) for seeds in (*position.houses(side), stores[side])]
        if sum(pits) > MAX_OBSERVED_SEEDS:
            raise TablemenError(
                f"{sum(pits)} seeds cannot be observed: the numbers of an observation are bytes, up to "
                f"{MAX_OBSERVED_SEEDS}"
            )
        return (2, len(pits) // 2), bytes(pits)

    def array_codec(self, rules: MancalaRules, name: str) -> _core.MancalaArrayCodec:
        """Return the compiled array format of this name."""
        return _core.MancalaArrayCodec(rules.mover, name)

    # Input by pointing at a board

    def explain_place(self, place: str, position: Position) -> str | None:
        """Explain why a pit cannot be played: `3`, a house of the side to move, or `north 3`, or `north store`."""
        owner, _, house = place.rpartition(" ")
        if house == "store":
            return "seeds in a store stay there"
        if owner:
            return f"that house is {owner.capitalize()}'s, and {self.side_name(position.turn)} is to move"
        return self.explain_illegal(house, position)

    # Sentences

    def describe_outcome(self, outcome: Outcome, position: Position) -> str:
        """Describe how a game ended, with the score if it ended on the board."""
        names = {side: self.side_name(side) for side in Side}
        final = self.final_score(position)
        score = "" if final is None else f"{max(final.values())} to {min(final.values())}"
        return describe_outcome(outcome, names, mover=names[position.turn], score=score)

    def describe_last_move(self, game: Game[Any, Any]) -> str:
        """Describe the last move: the house, the capture and the extra turn."""
        move = game.moves[-1]
        side = self.side_name(game.positions[-2].turn)
        if move.is_swap:
            return f"{side} swapped sides"
        captured = f", captured {move.captured}" if move.captured else ""
        return f"{side} sowed house {move.house}{captured}{', and moves again' if move.extra_turn else ''}"

    def describe_duty(self, game: Game[Any, Any]) -> str:
        """Return a note if the same side moves again, else an empty text."""
        is_same_side = len(game.moves) > 0 and game.positions[-2].turn is game.position.turn
        return ", once more" if is_same_side else ""

    def describe_captures(self, game: Game[Any, Any], side: Side) -> str:
        """Return the seeds in the store of a side."""
        return f"{game.position.stores[side]} in store"

    # JSON

    def serialize_variant(self, rules: MancalaRules) -> Json:
        """Serialise names, board and sources."""
        return {
            **super().serialize_variant(rules),
            **self.board_size(rules),
            "first": NAMES[SOUTH],
            "note": rules.note,
            "sources": rules.sources,
        }

    def serialize_move(self, move: Move, *, full: bool = False) -> Json:
        """Serialise the house, the seeds sown and captured, and whether an extra turn follows."""
        return {
            **super().serialize_move(move, full=full),
            "house": move.house,
            "sown": move.sown,
            "captured": move.captured,
            "extra_turn": move.extra_turn,
        }

    def serialize_board_shape(self, rules: MancalaRules) -> Json:
        """Serialise the number of houses and seeds, and whether stores are sown."""
        return {"kind": self.name, **self.board_size(rules), "sows_store": rules.features.sows_store}

    def serialize_board(self, position: Position) -> Json:
        """Serialise the seeds in the houses and the store of each side."""
        return {
            name: {"houses": list(position.houses(side)), "store": position.stores[side]}
            for side, name in self.sides.items()
        }

    def parse_board(self, board: Mapping[str, Any], turn: Side, rules: MancalaRules) -> Position:
        """Return the position with these seeds."""
        if any("houses" not in board[name] or board[name].keys() - PIT_KINDS for name in self.sides.values()):
            raise ArgumentError("board", list(board), "houses and store of each side")
        houses = {side: board[name]["houses"] for side, name in self.sides.items()}
        stores = {side: board[name].get("store", 0) for side, name in self.sides.items()}
        return Position(rules, turn, houses=houses, stores=stores)

    def serialize_board_move(self, position: Position, move: Move) -> Json:
        """Serialise the house, the pits that its seeds are sown into, captured seeds and an extra turn."""
        from tablemen.mancala.moves import trace

        return {
            **super().serialize_board_move(position, move),
            "sowing": [str(pit) for pit in trace(position, move)] if move.sown <= MAX_SOWING else [],
            "captured_seeds": move.captured,
            "extra_turn": move.extra_turn,
        }

    def final_score(self, position: Position) -> dict[Side, int] | None:
        """Return the seeds of each side if the game is over on the board."""
        if position.outcome() is None:
            return None
        score = position.score()
        return {side: score[side] for side in self.sides}

    # Game files

    def format_game(self, sheet: ScoreSheet) -> str:
        """Format a game as lines of names and values."""
        from tablemen.clock import format_clock  # simple commands do without it

        tags = self.file_headers(sheet)
        if sheet.outcome is not None:
            tags["Result"] = RESULTS[sheet.outcome.winner]
            tags["Termination"] = str(sheet.outcome.termination)
        if any(left is not None for left in sheet.clocks):
            tags[CLOCKS] = " ".join("-" if left is None else format_clock(left) for left in sheet.clocks)
        if sheet.note:
            tags["Note"] = " ".join(sheet.note.split())
        return format_record(sheet.game, tags)

    def parse_games(self, text: str, rules: MancalaRules, *, on_error: OnError | None = None) -> list[ScoreSheet]:
        """Parse the games of a file."""
        from tablemen.clock import parse_clock

        sheets = []
        for game, tags in parse_records(text, rules, on_error=on_error):
            clocks = [parse_clock(text) for text in tags.get(CLOCKS, "").split()[: len(game.moves)]]
            sheets.append(ScoreSheet(game=game, outcome=game.outcome(), clocks=clocks, **self.parse_headers(tags)))
        return sheets

    def parse_trees(
        self, text: str, rules: MancalaRules | None, *, budget: NodeBudget, on_problems: OnProblems
    ) -> Iterator[GameTree]:
        """Yield the games of a file, on boards of any size."""
        for number, found in enumerate(read_records(text, default=rules), 1):
            if isinstance(found, Record):
                yield GameTree.from_game(found.game, found.tags, budget)
            else:
                on_problems([f"game {number}: {_describe_error(found)}"])

    def format_tree(self, tree: GameTree) -> tuple[str, list[str]]:
        """Format the main line as lines of names and values, and describe what is left out."""
        game = tree.main_line()
        tags = {name: value for name, value in tree.tags.items() if name not in OWN_NAMES}
        return format_record(game, tags), tree.explain_omissions(len(game.moves), self.name)

    def find_openings(self, name: str, rules: MancalaRules) -> list[MancalaGame] | None:
        """Return the starting boards of FairKalah, for rules of the Kalah family with six houses."""
        if name != FAIRKALAH.name or not is_kalah(rules) or rules.houses != FAIRKALAH.houses:
            return None
        return [Game(fair_start(number, rules=rules)) for number in range(1, BOARDS + 1)]


def _may_cache(rules: MancalaRules) -> bool:
    """Return whether tables are stored in files: those of boards of other sizes would fill the disk."""
    known = VARIANTS.get(rules.name)
    return known is not None and known.houses == rules.houses


def _describe_kalah(rules: KalahRules) -> Iterator[str]:
    """Yield sentences about extra turns, captures, the end and the swap."""
    yield "A last seed in your store is another turn."
    alone = "even if there are none" if rules.capture is Capture.EVEN_IF_OPPOSITE_EMPTY else "if there are any"
    yield f"A last seed in an empty house of yours is captured with the seeds opposite, {alone}."
    yield f"The game ends when {ENDS[rules.end]}."
    if rules.rest is Rest.NOT_COUNTED:
        yield "Seeds that remain in houses do not count."
    if rules.swap is Swap.PIE:
        yield "The second player may swap sides instead of the first move."


def _describe_error(error: NotationError) -> str:
    cause = error.__cause__
    return f"line {error.line}: {cause.problem}" if isinstance(cause, UnknownVariantError) else str(error)
