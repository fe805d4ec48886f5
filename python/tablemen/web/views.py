"""Variants, positions and games as the page sees them: with everything that it needs to know no rules."""

from __future__ import annotations

from typing import Any

from tablemen.draughts import DraughtsRules, Kind
from tablemen.draughts import Position as DraughtsPosition
from tablemen.draughts.board import Notation
from tablemen.draughts.diagram import edge_labels
from tablemen.draughts.notation import format_move
from tablemen.family import get_family
from tablemen.game import Game
from tablemen.mancala import KalahRules, MancalaRules
from tablemen.mancala import Position as MancalaPosition
from tablemen.mancala.moves import trace
from tablemen.outcome import Outcome
from tablemen.web.crowds import has_too_many_ways
from tablemen.web.models import (
    Board,
    DraughtsBoardFacts,
    MancalaBoardFacts,
    MoveFacts,
    OutcomeFacts,
    Ply,
    Scene,
    SideOfDraughts,
    SideOfMancala,
    SquareFacts,
    VariantFacts,
    VariantSummary,
    View,
)

LONGEST_SOWING = 200  # seeds that are told one by one


def summarise(rules: Any) -> VariantSummary:
    """A line of the list of variants."""
    return VariantSummary(
        name=rules.name,
        title=str(rules),
        family=get_family(rules).name,
        about=_about(rules),
        provisional=getattr(rules, "provisional", False),
    )


def tell_variant(rules: Any) -> VariantFacts:
    """A variant and its board."""
    family = get_family(rules)
    start = family.start(rules)
    return VariantFacts(
        **dict(summarise(rules)),
        sides=list(family.sides.values()),
        first=family.sides[start.turn],
        start=family.format_position(start),
        note=rules.note,
        solvable=isinstance(rules, KalahRules),
        losing=getattr(rules, "losing", False),
        board=_board_facts(rules),
    )


def _about(rules: Any) -> str:
    if isinstance(rules, MancalaRules):
        return f"{rules.houses} houses a side, {rules.seeds} seeds in each"
    men = len(DraughtsPosition.start(rules).squares(rules.first, Kind.MAN))
    return f"{rules.columns}×{rules.rows}, {men} men a side"


def _board_facts(rules: Any) -> DraughtsBoardFacts | MancalaBoardFacts:
    if isinstance(rules, MancalaRules):
        return MancalaBoardFacts(houses=rules.houses, seeds=rules.seeds, sows_store=rules.features.sows_store)
    assert isinstance(rules, DraughtsRules)
    rows, columns = edge_labels(rules)
    return DraughtsBoardFacts(
        rows=rules.rows,
        columns=rules.columns,
        squares=[SquareFacts(name=each.name, row=each.row, column=each.column) for each in rules.mover.squares],
        numbered=rules.notation is Notation.NUMERIC,
        row_labels=rows,
        column_labels=columns,
    )


def tell_scene(position: Any) -> Scene:
    """A position."""
    family = get_family(position)
    return Scene(
        position=family.format_position(position), turn=family.sides[position.turn], board=_tell_board(position)
    )


def _tell_board(position: Any) -> Board:
    sides = get_family(position).sides
    if isinstance(position, MancalaPosition):
        return {
            name: SideOfMancala(houses=list(position.houses(side)), store=position.stores[side])
            for side, name in sides.items()
        }
    return {
        name: SideOfDraughts(
            men=[each.name for each in position.squares(side, Kind.MAN)],
            kings=[each.name for each in position.squares(side, Kind.KING)],
        )
        for side, name in sides.items()
    }


def tell_move(position: Any, move: Any) -> MoveFacts:
    """A legal move of a position."""
    if isinstance(position, MancalaPosition):
        return MoveFacts(
            text=str(move),
            full=str(move),
            places=[str(move)],
            sowing=[str(pit) for pit in trace(position, move)] if move.sown <= LONGEST_SOWING else [],
            captured_seeds=move.captured,
            extra_turn=move.extra_turn,
        )
    return MoveFacts(
        text=str(move),
        full=format_move(move, full=True),
        places=[square.name for square in move.path],
        captured=[square.name for square in move.captured],
        crowns=move.crowns,
    )


def tell_legal(game: Game[Any, Any]) -> list[MoveFacts]:
    """Every way to move now; where a crowd makes them too many, one way to make each move."""
    if game.outcome() is not None:
        return []
    position = game.position
    if has_too_many_ways(position):
        return [tell_move(position, move) for move in position.legal_moves()]
    return [tell_move(position, move) for _, move in get_family(position).input_paths(position)]


def tell_ply(before: Any, move: Any, after: Any) -> Ply:
    """A move that was played."""
    scene = tell_scene(after)
    return Ply(**dict(scene), side=get_family(before).sides[before.turn], move=tell_move(before, move))


def tell_outcome(outcome: Outcome | None, position: Any) -> OutcomeFacts | None:
    """How a game ended."""
    if outcome is None:
        return None
    family = get_family(position)
    return OutcomeFacts(
        winner=None if outcome.winner is None else family.sides[outcome.winner],
        termination=outcome.termination.name.lower(),
        text=family.describe_outcome(outcome, position),
        score=_tell_score(position),
    )


def _tell_score(position: Any) -> dict[str, int] | None:
    if not isinstance(position, MancalaPosition) or position.outcome() is None:
        return None
    return {name: position.score()[side] for side, name in get_family(position).sides.items()}


def tell_view(game: Game[Any, Any], since: int = 0) -> View:
    """A game from a number of plies on."""
    rules, position = game.start.variant, game.position
    positions = game.positions
    plies = [
        tell_ply(positions[number], game.moves[number], positions[number + 1])
        for number in range(since, len(game.moves))
    ]
    return View(
        variant=rules.name,
        **get_family(rules).board_size(rules),
        start=tell_scene(game.start),
        since=since,
        plies=plies,
        position=get_family(position).format_position(position),
        turn=get_family(position).sides[position.turn],
        legal=tell_legal(game),
        outcome=tell_outcome(game.outcome(), position),
        claims=[str(rule.outcome(position).termination) for rule in game.claims()],
    )
