"""Resolve what requests name: rules, sides, positions and games."""

from __future__ import annotations

from typing import Any

from tablemen.errors import ArgumentError, IllegalMoveError, TablemenError, UnknownVariantError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.web.models import PositionSetup, PositionSpec


class NoSuchVariantError(UnknownVariantError):
    """An unknown variant, worded for a page."""

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
    """Return the game of a request; raises `TablemenError`, with an explanation if a move is not legal."""
    rules = find_rules(spec.variant, spec.houses, spec.seeds)
    try:
        return Game(find_position(rules, spec.position), spec.moves)
    except IllegalMoveError as error:
        reason = get_family(rules).explain_illegal(str(error.move), error.position)
        raise TablemenError(f"{error.move} is not legal: {reason}" if reason else str(error)) from error


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
    turn = find_side(setup.turn, rules)
    if {find_side(name, rules) for name in setup.board} != set(Side):
        raise ArgumentError("board", list(setup.board), "what each side has")
    family = get_family(rules)
    board = {name: side.model_dump(exclude_unset=True) for name, side in setup.board.items()}
    position = family.parse_board(board, turn, rules)
    family.check_complexity(position)
    return position
