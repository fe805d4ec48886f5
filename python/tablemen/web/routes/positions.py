"""Variants, positions and their moves, for whoever asks; nothing is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from tablemen.family import families
from tablemen.game import Game
from tablemen.outcome import Side
from tablemen.web.clerks import answer, do
from tablemen.web.models import (
    Houses,
    Objection,
    PlaceQuestion,
    Refusal,
    Seeds,
    Setup,
    Subject,
    Text,
    VariantFacts,
    VariantSummary,
    View,
)
from tablemen.web.routes.refusals import BUSY, INVALID
from tablemen.web.subjects import (
    NoSuchVariantError,
    find_game,
    find_place_objection,
    find_position,
    find_rules,
    find_side,
    position_of,
)
from tablemen.web.views import summarise, tell_variant, tell_view

LONGEST_LINE = 8000  # of moves in an address

router = APIRouter(prefix="/api", tags=["positions"], responses=INVALID | BUSY)


@router.get("/variants")
async def list_variants(asking: Request) -> list[VariantSummary]:
    """All variants that can be played."""
    return await do(asking, _summarise_all)


def _summarise_all() -> list[VariantSummary]:
    return [summarise(rules) for family in families() for rules in family.variants.values()]


@router.get("/variants/{name}", responses={404: {"model": Refusal, "description": "There is no such variant."}})
async def show_variant(
    name: str,
    asking: Request,
    houses: Houses = None,
    seeds: Seeds = None,
) -> VariantFacts:
    """A variant: its sides, its start and its board."""
    try:
        return await do(asking, lambda: tell_variant(find_rules(name, houses, seeds)))
    except NoSuchVariantError as error:
        raise HTTPException(404, str(error)) from error


@router.post("/positions", response_model=View)
async def show_position(
    subject: Subject,
    asking: Request,
    since: Annotated[int, Query(ge=0, description="How many of the moves are known.")] = 0,
) -> Response:
    """A position after some moves: every board on the way, and every legal move."""
    return await answer(asking, lambda: tell_view(find_game(subject), since))


@router.post("/positions/objection")
async def object_to_place(question: PlaceQuestion, asking: Request) -> Objection:
    """Why no move begins with a place, after some moves."""
    return await do(
        asking, lambda: Objection(reason=find_place_objection(find_game(question).position, question.place))
    )


@router.post("/positions/setup", response_model=View)
async def show_setup(setup: Setup, asking: Request) -> Response:
    """A position that was put together by hand."""
    return await answer(asking, lambda: tell_view(Game(position_of(setup))))


@router.get("/board.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def draw_position(  # noqa: PLR0913, PLR0917 - they are what stands in the address
    asking: Request,
    variant: Text,
    position: Text | None = None,
    moves: Annotated[
        str, Query(max_length=LONGEST_LINE, description="Moves from there, with blanks between them.")
    ] = "",
    houses: Houses = None,
    seeds: Seeds = None,
    orientation: Annotated[str | None, Query(description="The side at the bottom.")] = None,
    size: Annotated[int, Query(ge=50, le=4000)] = 600,
) -> Response:
    """A picture of a position, with the last move marked."""

    def draw() -> str:
        game = Game(find_position(find_rules(variant, houses, seeds), position), moves.split())
        below = Side.WHITE if orientation is None else find_side(orientation, game.start.variant)
        return game.svg(orientation=below, size=size)

    return Response(await do(asking, draw), media_type="image/svg+xml")
