"""What is asked about: rules, sides, positions and games, found as they are named, or refused in words."""

from __future__ import annotations

from typing import Any

from tablemen.draughts import Position as DraughtsPosition
from tablemen.errors import ArgumentError, IllegalMoveError, TablemenError, UnknownVariantError
from tablemen.family import find_variant, get_family
from tablemen.game import Game
from tablemen.mancala import MancalaRules
from tablemen.mancala import Position as MancalaPosition
from tablemen.outcome import Side
from tablemen.web.crowds import check_crowd
from tablemen.web.models import Setup, SideOfDraughts, SideOfMancala, Subject


class NoSuchVariantError(UnknownVariantError):
    """A variant that nobody knows, in words that fit a page, where there is no command line."""

    def __str__(self) -> str:
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"there is no game called {self.name!r}{hint}"


def find_rules(variant: str, houses: int | None = None, seeds: int | None = None) -> Any:
    """The rules of this name, on a board of another size where that is given.

    Raises `NoSuchVariantError`, and `TablemenError` where it has no such board.
    """
    try:
        rules = find_variant(variant)
    except UnknownVariantError as error:
        raise NoSuchVariantError(error.name, error.suggestions) from error
    return get_family(rules).resize(rules, houses=houses, seeds=seeds)


def find_side(name: str, rules: Any) -> Side:
    """The side that the family calls so."""
    sides = get_family(rules).sides
    for side, called in sides.items():
        if name == called:
            return side
    raise ArgumentError("side", name, " or ".join(sides.values()))


def find_game(subject: Subject) -> Game[Any, Any]:
    """The game that somebody describes; raises `TablemenError`, in words where a move is not legal."""
    rules = find_rules(subject.variant, subject.houses, subject.seeds)
    try:
        return Game(find_position(rules, subject.position), subject.moves)
    except IllegalMoveError as error:
        objection = get_family(rules).explain_illegal(str(error.move), error.position)
        raise TablemenError(f"{error.move} is not legal: {objection}" if objection else str(error)) from error


def find_position(rules: Any, text: str | None) -> Any:
    """The position of a text, or the start. Raises `TablemenError` where it is none, or asks too much."""
    family = get_family(rules)
    if text is None:
        return family.start(rules)
    position = family.parse_position(text, rules)
    check_crowd(position)
    return position


def position_of(setup: Setup) -> Any:
    """The position that was put together; raises `TablemenError` where it is none."""
    rules = find_rules(setup.variant, setup.houses, setup.seeds)
    turn = find_side(setup.turn, rules)
    sides = {find_side(name, rules): lies for name, lies in setup.board.items()}
    if set(sides) != set(Side):
        raise ArgumentError("board", list(setup.board), "what each side has")
    if isinstance(rules, MancalaRules):
        houses = {side: lies.houses for side, lies in sides.items() if isinstance(lies, SideOfMancala)}
        stores = {side: lies.store for side, lies in sides.items() if isinstance(lies, SideOfMancala)}
        if set(houses) != set(Side):
            raise ArgumentError("board", list(setup.board), "the seeds of each side")
        return MancalaPosition(rules, turn, houses=houses, stores=stores)
    pieces = {
        f"{side}_{kind}": getattr(lies, kind)
        for side, lies in sides.items()
        if isinstance(lies, SideOfDraughts)
        for kind in ("men", "kings")
    }
    if not pieces:
        raise ArgumentError("board", list(setup.board), "the pieces of each side")
    position = DraughtsPosition(rules, turn, **pieces)
    check_crowd(position)
    return position


def find_place_objection(position: Any, place: str) -> str | None:
    """Why no move begins with a place. Raises `TablemenError` where the board has no such place."""
    rules = position.variant
    if isinstance(rules, MancalaRules):
        if place.endswith(" store"):
            return "seeds in a store stay there"
    elif place not in {square.name for square in rules.mover.squares}:
        raise ArgumentError("place", place, "a square of the board")
    return get_family(rules).explain_place(place, position)
