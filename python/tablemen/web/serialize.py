"""Variants, positions and games as the page sees them: with everything that it needs to know no rules."""

from __future__ import annotations

from typing import Any

from tablemen.draughts import DraughtsRules, Kind
from tablemen.draughts import Position as DraughtsPosition
from tablemen.draughts.diagram import edge_labels
from tablemen.draughts.notation import format_move
from tablemen.draughts.numbering import Notation
from tablemen.families import family_of
from tablemen.families.sizes import sizes_of
from tablemen.game import Game
from tablemen.mancala import KalahRules, MancalaRules
from tablemen.mancala import Position as MancalaPosition
from tablemen.mancala.sowing import trace
from tablemen.outcome import Outcome
from tablemen.web.crowds import has_too_many_ways
from tablemen.web.models import (
    Board,
    DraughtsBoardShape,
    DraughtsSide,
    GameView,
    MancalaBoardShape,
    MancalaSide,
    MoveInfo,
    OutcomeInfo,
    PlyState,
    PositionState,
    SquareInfo,
    VariantInfo,
    VariantSummary,
)

LONGEST_SOWING = 200  # seeds that are told one by one


def summarize_variant(rules: Any) -> VariantSummary:
    """A line of the list of variants."""
    return VariantSummary(
        name=rules.name,
        title=str(rules),
        family=family_of(rules).name,
        about=_about(rules),
        provisional=getattr(rules, "provisional", False),
    )


def serialize_variant(rules: Any) -> VariantInfo:
    """A variant and its board."""
    family = family_of(rules)
    start = family.start(rules)
    return VariantInfo(
        **dict(summarize_variant(rules)),
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


def _board_facts(rules: Any) -> DraughtsBoardShape | MancalaBoardShape:
    if isinstance(rules, MancalaRules):
        return MancalaBoardShape(houses=rules.houses, seeds=rules.seeds, sows_store=rules.features.sows_store)
    assert isinstance(rules, DraughtsRules)
    rows, columns = edge_labels(rules)
    return DraughtsBoardShape(
        rows=rules.rows,
        columns=rules.columns,
        squares=[SquareInfo(name=each.name, row=each.row, column=each.column) for each in rules.mover.squares],
        numbered=rules.notation is Notation.NUMERIC,
        row_labels=rows,
        column_labels=columns,
    )


def serialize_position(position: Any) -> PositionState:
    """A position."""
    family = family_of(position)
    return PositionState(
        position=family.format_position(position), turn=family.sides[position.turn], board=_tell_board(position)
    )


def _tell_board(position: Any) -> Board:
    sides = family_of(position).sides
    if isinstance(position, MancalaPosition):
        return {
            name: MancalaSide(houses=list(position.houses(side)), store=position.stores[side])
            for side, name in sides.items()
        }
    return {
        name: DraughtsSide(
            men=[each.name for each in position.squares(side, Kind.MAN)],
            kings=[each.name for each in position.squares(side, Kind.KING)],
        )
        for side, name in sides.items()
    }


def serialize_move(position: Any, move: Any) -> MoveInfo:
    """A legal move of a position."""
    if isinstance(position, MancalaPosition):
        return MoveInfo(
            text=str(move),
            full=str(move),
            places=[str(move)],
            sowing=[str(pit) for pit in trace(position, move)] if move.sown <= LONGEST_SOWING else [],
            captured_seeds=move.captured,
            extra_turn=move.extra_turn,
        )
    return MoveInfo(
        text=str(move),
        full=format_move(move, full=True),
        places=[square.name for square in move.path],
        captured=[square.name for square in move.captured],
        crowns=move.crowns,
    )


def serialize_legal_moves(game: Game[Any, Any]) -> list[MoveInfo]:
    """Every way to move now; where a crowd makes them too many, one way to make each move."""
    if game.outcome() is not None:
        return []
    position = game.position
    if has_too_many_ways(position):
        return [serialize_move(position, move) for move in position.legal_moves()]
    return [serialize_move(position, move) for _, move in family_of(position).ways(position)]


def serialize_ply(before: Any, move: Any, after: Any) -> PlyState:
    """A move that was played."""
    scene = serialize_position(after)
    return PlyState(**dict(scene), side=family_of(before).sides[before.turn], move=serialize_move(before, move))


def serialize_outcome(outcome: Outcome | None, position: Any) -> OutcomeInfo | None:
    """How a game ended."""
    if outcome is None:
        return None
    family = family_of(position)
    return OutcomeInfo(
        winner=None if outcome.winner is None else family.sides[outcome.winner],
        termination=outcome.termination.name.lower(),
        text=family.describe(outcome, position),
        score=_tell_score(position),
    )


def _tell_score(position: Any) -> dict[str, int] | None:
    if not isinstance(position, MancalaPosition) or position.outcome() is None:
        return None
    return {name: position.score()[side] for side, name in family_of(position).sides.items()}


def serialize_game(game: Game[Any, Any], since: int = 0) -> GameView:
    """A game from a number of plies on."""
    rules, position = game.start.variant, game.position
    positions = game.positions
    plies = [
        serialize_ply(positions[number], game.moves[number], positions[number + 1])
        for number in range(since, len(game.moves))
    ]
    return GameView(
        variant=rules.name,
        **sizes_of(rules),
        start=serialize_position(game.start),
        since=since,
        plies=plies,
        position=family_of(position).format_position(position),
        turn=family_of(position).sides[position.turn],
        legal=serialize_legal_moves(game),
        outcome=serialize_outcome(game.outcome(), position),
        claims=[str(rule.outcome(position).termination) for rule in game.claims()],
    )
