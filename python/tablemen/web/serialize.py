"""Conversion between the API's models and positions, moves and games."""

from __future__ import annotations

from typing import Any

from tablemen.errors import ArgumentError, IllegalMoveError, TablemenError, UnknownVariantError, WorkLimitError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.outcome import Outcome, Side
from tablemen.web.models import (
    GameView,
    MoveInfo,
    OutcomeInfo,
    PlyState,
    PositionSetup,
    PositionSpec,
    PositionState,
    VariantInfo,
    VariantSummary,
)
from tablemen.work import work_limit

MAX_PATHS = 1000  # paths of all legal moves; positions from real games have far fewer
MAX_PATH_WORK = 100_000  # units of `work_limit` for counting them


class NoSuchVariantError(UnknownVariantError):
    """An unknown variant; unlike its base class, the message does not mention a shell command."""

    def __str__(self) -> str:
        return self.problem


def find_rules(variant: str, houses: int | None = None, seeds: int | None = None) -> Any:
    """Return the rules with this name, on a board of the given size.

    Raises `NoSuchVariantError`, and `TablemenError` if the variant has no such board.
    """
    try:
        rules = find_variant(variant)
    except UnknownVariantError as error:
        raise NoSuchVariantError(error.name, error.suggestions) from error
    return get_family(rules).resize(rules, houses=houses, seeds=seeds)


def find_side(name: str, rules: Any) -> Side:
    """Return the side with this name in the family of the rules."""
    sides = get_family(rules).sides
    for side, side_name in sides.items():
        if name == side_name:
            return side
    raise ArgumentError("side", name, " or ".join(sides.values()))


def find_game(spec: PositionSpec) -> Game[Any, Any]:
    """Return the game of a request. Raises `TablemenError`, which explains why a move is not legal."""
    rules = find_rules(spec.variant, spec.houses, spec.seeds)
    try:
        return Game(find_position(rules, spec.position), spec.moves)
    except IllegalMoveError as error:
        raise TablemenError(f"{error.move} is not legal: {error.reason}") from error


def find_position(rules: Any, text: str | None) -> Any:
    """Parse a position, or return the start. Raises `TablemenError` if it is invalid or too complex."""
    family = get_family(rules)
    if text is None:
        return family.start(rules)
    position = family.parse_position(text, rules)
    family.check_complexity(position)
    return position


def parse_setup(setup: PositionSetup) -> Any:
    """Return the position that was set up. Raises `TablemenError` if it is invalid or too complex."""
    rules = find_rules(setup.variant, setup.houses, setup.seeds)
    family = get_family(rules)
    turn = find_side(setup.turn, rules)
    if {find_side(name, rules) for name in setup.board} != set(Side):
        names = " and ".join(family.sides.values())
        raise ArgumentError("board", list(setup.board), f"an entry for each side, {names}")
    board = {name: side.model_dump(exclude_unset=True) for name, side in setup.board.items()}
    position = family.parse_board(board, turn, rules)
    family.check_complexity(position)
    return position


def summarize_variant(rules: Any) -> VariantSummary:
    """Serialise a variant for a list."""
    family = get_family(rules)
    return VariantSummary(
        name=rules.name,
        title=str(rules),
        family=family.name,
        about=family.describe_board(rules),
        provisional=family.is_provisional(rules),
    )


def serialize_variant(rules: Any) -> VariantInfo:
    """Serialise a variant and its board."""
    family = get_family(rules)
    start = family.start(rules)
    shape: Any = family.serialize_board_shape(rules)
    return VariantInfo(
        **dict(summarize_variant(rules)),
        sides=list(family.sides.values()),
        first=family.sides[start.turn],
        start=family.format_position(start),
        note=rules.note,
        size=family.board_size(rules),
        file_suffix=family.file_suffix,
        solvable=family.can_solve(rules),
        losing=family.is_losing_game(rules),
        board=shape,
    )


def serialize_position(position: Any) -> PositionState:
    """Serialise a position."""
    family = get_family(position)
    return PositionState(
        position=family.format_position(position),
        turn=family.sides[position.turn],
        board=family.serialize_board(position),
    )


def serialize_move(position: Any, move: Any) -> MoveInfo:
    """Serialise a legal move of a position."""
    return MoveInfo(**get_family(position).serialize_board_move(position, move))


def serialize_legal_moves(game: Game[Any, Any]) -> list[MoveInfo]:
    """Serialise every path of every legal move, or one path of each move if there are too many paths."""
    if game.outcome() is not None:
        return []
    position = game.position
    if _has_few_paths(position):
        return [serialize_move(position, move) for _, move in get_family(position).input_paths(position)]
    return [serialize_move(position, move) for move in position.legal_moves()]


def _has_few_paths(position: Any) -> bool:
    try:
        with work_limit(MAX_PATH_WORK):
            return get_family(position).count_input_paths(position) <= MAX_PATHS
    except WorkLimitError:
        return False


def serialize_ply(before: Any, move: Any, after: Any) -> PlyState:
    """Serialise a move that was played, and the position after it."""
    side = get_family(before).sides[before.turn]
    return PlyState(**dict(serialize_position(after)), side=side, move=serialize_move(before, move))


def serialize_outcome(outcome: Outcome | None, position: Any) -> OutcomeInfo | None:
    """Serialise the outcome of a game, if there is one."""
    if outcome is None:
        return None
    family = get_family(position)
    score = family.final_score(position)
    return OutcomeInfo(
        winner=None if outcome.winner is None else family.sides[outcome.winner],
        termination=outcome.termination.name.lower(),
        text=family.describe_outcome(outcome, position),
        score=None if score is None else {family.sides[side]: points for side, points in score.items()},
    )


def serialize_game(game: Game[Any, Any], since: int = 0) -> GameView:
    """Serialise a game with the plies from number `since` on."""
    rules, position = game.start.variant, game.position
    family = get_family(rules)
    positions = game.positions
    return GameView(
        variant=rules.name,
        **family.board_size(rules),
        start=serialize_position(game.start),
        since=since,
        plies=[
            serialize_ply(positions[number], game.moves[number], positions[number + 1])
            for number in range(since, len(game.moves))
        ],
        position=family.format_position(position),
        turn=family.sides[position.turn],
        legal=serialize_legal_moves(game),
        outcome=serialize_outcome(game.outcome(), position),
        claims=[str(rule.outcome(position).termination) for rule in game.claims()],
    )
