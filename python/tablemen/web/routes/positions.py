"""Variants, positions and their moves, for whoever asks; nothing is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from tablemen.families import FAMILIES
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.web.models import (
    Objection,
    PlaceQuestion,
    Refusal,
    Setup,
    Subject,
    Text,
    VariantFacts,
    VariantSummary,
    View,
)
from tablemen.web.views import (
    UnknownGameError,
    find_game,
    find_place_objection,
    find_position,
    find_rules,
    find_side,
    position_of,
    summarise,
    tell_view,
    variant_facts,
)

LONGEST_LINE = 8000  # of moves in an address

REFUSALS = {422: {"model": Refusal, "description": "What was asked makes no sense, and why."}}

router = APIRouter(prefix="/api", tags=["positions"], responses=REFUSALS)  # type: ignore[arg-type]


@router.get("/variants")
def list_variants() -> list[VariantSummary]:
    """All variants that can be played."""
    return [summarise(rules) for family in FAMILIES for rules in family.variants.values()]


@router.get("/variants/{name}", responses={404: {"model": Refusal, "description": "There is no such variant."}})
def show_variant(
    name: str,
    houses: Annotated[int | None, Query(ge=1, le=24)] = None,
    seeds: Annotated[int | None, Query(ge=1, le=1000)] = None,
) -> VariantFacts:
    """A variant: its sides, its start and its board."""
    try:
        return variant_facts(find_rules(name, houses, seeds))
    except UnknownGameError as error:
        raise HTTPException(404, str(error)) from error


@router.post("/positions")
def show_position(
    subject: Subject, since: Annotated[int, Query(ge=0, description="How many of the moves are known.")] = 0
) -> View:
    """A position after some moves: every board on the way, and every legal move."""
    return tell_view(find_game(subject), since)


@router.post("/positions/objection")
def object_to_place(question: PlaceQuestion) -> Objection:
    """Why no move begins with a place, after some moves."""
    return Objection(reason=find_place_objection(find_game(question).position, question.place))


@router.post("/positions/setup")
def show_setup(setup: Setup) -> View:
    """A position that was put together by hand."""
    return tell_view(Game(position_of(setup)))


@router.get("/board.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
def draw_position(  # noqa: PLR0913, PLR0917 - they are what stands in the address
    variant: Text,
    position: Text | None = None,
    moves: Annotated[
        str, Query(max_length=LONGEST_LINE, description="Moves from there, with blanks between them.")
    ] = "",
    houses: Annotated[int | None, Query(ge=1, le=24)] = None,
    seeds: Annotated[int | None, Query(ge=1, le=1000)] = None,
    orientation: Annotated[str | None, Query(description="The side at the bottom.")] = None,
    size: Annotated[int, Query(ge=50, le=4000)] = 600,
) -> Response:
    """A picture of a position, with the last move marked."""
    game = Game(find_position(find_rules(variant, houses, seeds), position), moves.split())
    below = Side.WHITE if orientation is None else find_side(orientation, game.start.variant)
    return Response(game.svg(orientation=below, size=size), media_type="image/svg+xml")
